"""A year at once: `python -m tools.populations.year [--days 365] [--players 40] [--seed 1]
[--plans | --no-plans] [--url URL]`."""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import bindparam, select

from pbm.bots import NAMES
from pbm.core import clock
from pbm.core.clock import DAY
from pbm.core.fsck import find_differences, say_plainly
from pbm.core.storing import load
from pbm.features.events.record import build_record
from pbm.features.events.rows import find_entrants
from pbm.features.lobby.tables import offers
from pbm.features.records import record as board_record
from pbm.features.records.importing import check_record, store_record
from pbm.pairing.record import Record
from pbm.pairing.rungs import list_rungs
from pbm.pairing.seasons import list_movements, next_season
from pbm.rules.phrases import unpack
from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.reads import find_downtimes
from pbm.store.rows import Query
from pbm.store.tables import EventRow, boards, events, moves, pauses, players, ratings, seats
from pbm.store.transaction import Session
from tests.harness.databases import all_rows, one_row
from tools.populations.world import Received, World

# What must hold at the end of the year for the league and the ladder.


_ALL = Query(EventRow, select(events).order_by(events.c.id))
_OF_SERIES = Query(
    EventRow,
    select(events)
    .where((events.c.series == bindparam("id")) | (events.c.id == bindparam("id")))
    .order_by(events.c.id),
)
_LATEST = 2.5 * DAY
"""An event may end so late where the scheduler ticks every other day, or after a downtime."""


def count_events(session: Session, post: list[Received]) -> dict[str, int]:
    """Return how many seasons, challenges, boards and movements there were."""
    counted: Counter[str] = Counter()
    for row in session.all(_ALL):
        record = build_record(session, row)
        counted[f"{row.kind} {row.state}"] += 1
        for game in record.games:
            counted[f"{row.kind} board {game.how}"] += 1
        for entrant in record.entrants:
            counted[f"{row.kind} entrant {entrant.why or 'to the end'}"] += 1
        if row.kind == "league" and row.state == "over":
            for each in list_movements(record):
                way = "up" if each.after < each.before else "down"
                counted["moved " + way] += each.after != each.before
        if row.kind == "ladder":
            for rung in list_rungs(record, post[-1].at):
                counted["rung by " + rung.reason.split()[0]] += 1
    counted["prize lists"] = sum(
        mail.subject.startswith("[event ") and mail.subject.endswith(" is over") for mail in post
    )
    return dict(counted)


def find_taken_out(session: Session) -> set[tuple[int, str, float]]:
    """Return who left which event, and when: their boards ended at that moment."""
    return {
        (row.id, each.userid, each.left)
        for row in session.all(_ALL)
        for each in find_entrants(session, row.id)
        if each.left is not None
    }


def find_wrong_events(session: Session, post: list[Received]) -> Iterator[str]:
    """Yield a sentence for each thing that must not have happened."""
    rows = session.all(_ALL)
    for row in rows:
        record = build_record(session, row)
        yield from _end_on_their_day(session, row)
        yield from _pair_nobody_gone(record)
        if row.kind == "league":
            yield from _stay_in_the_league(session, row, record)
        if row.state == "over":
            yield from _mail_one_prize_list(row, record, post)


def _end_on_their_day(session: Session, row: EventRow) -> Iterator[str]:
    if row.ended is None or row.ends is None:
        return
    back = max((down.ends for down in find_downtimes(session, row.ends - DAY)), default=0.0)
    if row.ended > max(row.ends, back) + _LATEST:
        yield f"event {row.id} ended {(row.ended - row.ends) / DAY:.1f} days late"


def _pair_nobody_gone(record: Record) -> Iterator[str]:
    left = {each.number: each.left for each in record.entrants}
    for game in record.games:
        if len(set(game.seats)) < len(game.seats):
            yield f"event {record.event}: somebody plays game {game.id} against themselves"
        for number in game.seats:
            at = left[number]
            if at is not None and at < game.begun:
                yield f"event {record.event}: game {game.id} is with somebody who had left"


def _stay_in_the_league(session: Session, row: EventRow, record: Record) -> Iterator[str]:
    """Check that whoever stayed plays in the next season, in the division that the last one led to,
    unless they have left the server or the next season since."""
    seasons = session.all(_OF_SERIES, {"id": row.series or row.id})
    later = [each for each in seasons if each.season == row.season + 1]
    if row.state == "over" and len(later) != 1:
        yield f"season {row.season} of the league is followed by {len(later)} others"
    if row.state != "over" or not later:
        return
    follower = build_record(session, later[0])
    expected = {each.name: each.division for each in next_season(record).entrants}
    if (later[0].begins - row.begins) % (record.options.every * DAY):
        yield f"season {later[0].season} begins at another time"
    for each in follower.entrants:
        is_moved = each.name in expected and later[0].state == "open"
        if is_moved and each.division != expected[each.name]:
            yield f"{each.name} is in division {each.division}, not {expected[each.name]}"


def _mail_one_prize_list(row: EventRow, record: Record, post: list[Received]) -> Iterator[str]:
    subject = f"[event {row.id}] {row.name} is over"
    mails = Counter(mail.who for mail in post if mail.subject == subject)
    for each in record.present:
        if mails[each.name] > 1:
            yield f"{each.name} has {mails[each.name]} prize lists of event {row.id}"
    if not mails and record.present:
        yield f"nobody has the prize list of event {row.id}"


# What must hold at the end of the year for boards, clocks, ratings, records and mails.


_OWN, _OTHERS = 3, 1
"""Reminders in one turn: to the late player alone twice and once with all, to the others once."""
_KINDS = (
    ("[event ", "event"),
    ("not done", "not done"),
    ("reminder: your move", "reminder to the late"),
    ("reminder: ", "reminder to the others"),
    ("wait for you", "digest"),
    ("waits for you", "digest"),
    ("new board", "new board"),
    ("your move", "board"),
    ("to move (", "board"),
    (" won (", "result"),
    ("draw (", "result"),
    ("tie (", "result"),
    ("cancelled", "cancelled"),
    ("record", "record"),
    ("vacation", "vacation"),
    ("invitation", "invitation"),
    ("offer", "offers"),
)


@dataclass
class Figures:
    """What a year counted."""

    days: float = 0.0
    players: int = 0
    mails_in: int = 0
    mails_out: dict[str, int] = field(default_factory=dict)
    did: dict[str, int] = field(default_factory=dict)
    boards: dict[str, int] = field(default_factory=dict)
    seats: dict[str, int] = field(default_factory=dict)
    log: dict[str, int] = field(default_factory=dict)
    endings: dict[str, int] = field(default_factory=dict)
    pauses: dict[str, int] = field(default_factory=dict)
    offers: dict[str, int] = field(default_factory=dict)
    events: dict[str, int] = field(default_factory=dict)
    rated: int = 0
    ratings: int = 0
    most_reminders: int = 0
    most_mails_a_day: int = 0
    days_a_game: float = 0.0
    mails_a_game: float = 0.0
    records_replayed: int = 0
    refusals: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)


def audit(world: World, second: Store) -> Figures:
    """Count, and note what is wrong."""
    figures = Figures(days=world.days, players=len(world.people), wrong=list(world.wrong))
    with world.server.store.reading() as session:
        figures.wrong += find_differences(session)
        figures.wrong += _left_running(session)
        figures.wrong += find_wrong_events(session, world.post)
        figures.events = count_events(session, world.post)
        figures.wrong += _without_warning(session, world.post)
        figures.wrong += _reminded_too_often(session, world.post, figures)
        _count(session, world, figures)
    figures.wrong += _replayed(world, second, figures)
    with second.reading() as session:
        figures.wrong += [f"in the second store, {found}" for found in find_differences(session)]
    return figures


def _count(session: Session, world: World, figures: Figures) -> None:
    def by(column: Any) -> dict[str, int]:
        return dict(Counter(map(str, session.execute(select(column)).scalars())).most_common())

    figures.boards, figures.seats = by(boards.c.state), by(boards.c.players)
    figures.log, figures.pauses, figures.offers = (
        by(moves.c.kind),
        by(pauses.c.kind),
        by(offers.c.state),
    )
    figures.rated = sum(
        session.execute(select(boards.c.rated).where(boards.c.state == "over")).scalars()
    )
    figures.ratings = len(all_rows(session, select(ratings.c.player_id)))
    reasons = session.execute(select(boards.c.outcome).where(boards.c.state == "over")).scalars()
    figures.endings = dict(Counter(_plain(reason) for reason in reasons).most_common(20))
    figures.did = dict(world.did.most_common())
    figures.mails_in = world.talk.sent
    figures.mails_out = dict(Counter(_kind(mail.subject) for mail in world.post).most_common())
    figures.refusals = dict(
        Counter(
            _plain(mail.subject.partition("not done: ")[2])
            for mail in world.post
            if "not done" in mail.subject
        ).most_common(25)
    )
    figures.days_a_game, figures.mails_a_game = _measure_games(session, world.post)
    days = Counter((mail.who, int(mail.at // clock.DAY)) for mail in world.post)
    figures.most_mails_a_day = max(days.values(), default=0)


def _measure_games(session: Session, post: list[Received]) -> tuple[float, float]:
    """Return days and mails from the server of an average game between two people that was played
    to its end: nobody gave up, ran out of time or took a move back."""
    cut = select(moves.c.board_id).where(moves.c.kind.not_in(("move", "chance")))
    bots = select(players.c.id).where(players.c.userid.in_(NAMES))
    query = select(boards).where(
        boards.c.state == "over",
        boards.c.players == 2,
        boards.c.id.not_in(cut),
        boards.c.id.not_in(select(seats.c.board_id).where(seats.c.player_id.in_(bots))),
    )
    rows = all_rows(session, query)
    mails = Counter(
        int(found[1]) for mail in post if (found := re.match(r"\[\w+ (\d+)\]", mail.subject))
    )
    if not rows:
        return 0.0, 0.0
    days = sum(row.ended - row.created for row in rows) / clock.DAY / len(rows)
    return round(days, 1), round(sum(mails[row.id] for row in rows) / len(rows), 1)


def _kind(subject: str) -> str:
    return next((kind for words, kind in _KINDS if words in subject), "other")


def _plain(text: str) -> str:
    """Return a sentence without its numbers and names."""
    text = re.sub(r"^\[\[.*?\], |[\]\"]", "", text)
    return re.sub(r"\bp\d\d\b", "P", re.sub(r"\d+", "0", re.sub(r"\bp\d\d\b", "P", text)))


def _left_running(session: Session) -> Iterator[str]:
    """Report boards with time limits that still run after months of silence."""
    for row in all_rows(session, select(boards).where(boards.c.state.in_(("running", "invited")))):
        control = load(session, row.id).control
        if (control.forfeit, control.total, control.bank) != (None, None, None):
            yield f"board {row.id} is {row.state} after months without a mail: {control}"


def _without_warning(session: Session, post: list[Received]) -> Iterator[str]:
    """Report forfeits without a timely reminder or digest before them, but for those of who left an
    event."""
    taken_out = find_taken_out(session)
    told: dict[tuple[str, int], list[float]] = {}
    for mail in post:
        for board in _boards_in(mail):
            told.setdefault((mail.who, board), []).append(mail.at)
    query = (
        select(moves.c.at, boards, players.c.userid)
        .join(boards, boards.c.id == moves.c.board_id)
        .join(seats, (seats.c.board_id == boards.c.id) & (seats.c.seat == moves.c.seat))
        .join(players, players.c.id == seats.c.player_id)
        .where(moves.c.kind == "forfeit")
    )
    for row in all_rows(session, query):
        if (row.event_id, row.userid, row.at) in taken_out:
            continue
        control = load(session, row.id).control
        least = (
            0.0
            if control.is_cumulative
            else clock.compute_least_warning((control.forfeit or 0) * clock.DAY)
        )
        if not any(row.at - at >= least for at in told.get((row.userid, row.id), [])):
            yield f"{row.userid} was out on board {row.id} and had not been told"


def _boards_in(mail: Received) -> list[int]:
    """Return the boards a mail reminds of."""
    found = re.match(r"\[\w+ (\d+)\] reminder: your move", mail.subject)
    if found:
        return [int(found[1])]
    if _kind(mail.subject) != "digest":
        return []
    return [int(number) for number in re.findall(r"^ *(\d+)  \w+ ", mail.text, re.MULTILINE)]


def _reminded_too_often(session: Session, post: list[Received], figures: Figures) -> Iterator[str]:
    """Report reminders of one turn to one player that are not few; each pause of a clock may add
    one."""
    rests = {row.id: 0 for row in all_rows(session, select(players.c.id))}
    names = {
        row.id: row.userid for row in all_rows(session, select(players.c.id, players.c.userid))
    }
    down = 0
    for row in all_rows(session, select(pauses)):
        if row.player_id is None:
            down += 1
        else:
            rests[row.player_id] += 1
    paused = {names[number]: count + down for number, count in rests.items()}
    runs: dict[tuple[str, str], int] = {}
    for mail in post:
        found = re.match(r"\[\w+ (\d+)\] (?:reminder: (your|\S+(?: and \S+)*)|(.))", mail.subject)
        if found is None or "not done" in mail.subject or "writes" in mail.subject:
            continue
        board, late, _ = found.groups()
        if late is None:
            for key in [key for key in runs if key[:2] == (mail.who, board)]:
                del runs[key]
            continue
        key = (mail.who, board)
        runs[key] = runs.get(key, 0) + 1
        figures.most_reminders = max(figures.most_reminders, runs[key])
        who = mail.who if late == "your" else late.split()[0]
        if runs[key] > _OWN + _OTHERS + paused[who]:
            yield f"{mail.who} was reminded {runs[key]} times of one turn on board {board}"


def _replayed(world: World, second: Store, figures: Figures) -> Iterator[str]:
    """Export every finished board by mail, import it elsewhere and compare."""
    with world.server.store.reading() as session:
        rows = all_rows(
            session,
            select(boards.c.id, boards.c.game).where(boards.c.state.in_(("over", "cancelled"))),
        )
    readers = [each.name for each in world.people if not each.gone]
    for number, row in enumerate(rows):
        mail = world.export(readers[number % len(readers)], row.game, row.id)
        with second.writing() as session:
            there = store_record(session, check_record(board_record.parse_record(mail.text)))
        with world.server.store.reading() as ours, second.reading() as theirs:
            if _life(ours, row.id) != _life(theirs, there):
                yield f"board {row.id} replays to something else"
        figures.records_replayed += 1


def _life(session: Session, number: int) -> list[object]:
    """Return position, state, result and every entry of the log, with the key of each position; not
    what players wrote, which is exported to those who play on the board alone."""
    columns = (
        boards.c.game,
        boards.c.options,
        boards.c.players,
        boards.c.position,
        boards.c.state,
        boards.c.outcome,
        boards.c.number,
        boards.c.ply,
    )
    entry = (
        moves.c.number,
        moves.c.ply,
        moves.c.kind,
        moves.c.seat,
        moves.c.move,
        moves.c.words,
        moves.c.news,
        moves.c.key,
    )
    rows = all_rows(
        session, select(*entry).where(moves.c.board_id == number).order_by(moves.c.number)
    )
    head = one_row(session, select(*columns).where(boards.c.id == number))
    return [[*map(_say, row)] for row in (head, *rows)]


def _say(value: object) -> object:
    """Return a stored value with its sentences in English: a record has them so."""
    if not isinstance(value, str):
        return value
    if value.startswith("["):
        return say_plainly(value)
    return [str(unpack(line)) for line in value.split("\n")]


def main() -> None:
    sys.path.append(str(Path(__file__).parents[2] / "tests" / "plugin"))
    parser = argparse.ArgumentParser(prog="python -m tools.populations.year", description=__doc__)
    parser.add_argument("--days", type=float, default=365)
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    plans = parser.add_mutually_exclusive_group()
    plans.add_argument("--plans", action="store_true", help="players foresee each other and plan")
    plans.add_argument("--no-plans", action="store_true", help="the same players without plans")
    parser.add_argument("--url", default="", help="a fresh database; SQLite in a folder if none")
    parser.add_argument("--every", type=int, default=60, help="days of a season of the league")
    parser.add_argument("--mails", type=Path, help="a file for the mails about events")
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pbm-year-") as folder:
        url = given.url or f"sqlite:///{folder}/pbm.db"
        foresee = True if given.plans else False if given.no_plans else None
        world = World(
            url,
            players=given.players,
            days=given.days,
            seed=given.seed,
            plans=foresee,
            every=given.every,
        )
        world.live()
        world.falls_silent(300)
        second = Store(f"sqlite:///{folder}/second.db")
        migrate.create(second)
        figures = audit(world, second)
        second.close()
        world.server.close()
    if given.mails:
        pages = [
            f"To {mail.who}: {mail.subject}\n\n{mail.text}"
            for mail in world.post
            if mail.subject.startswith("[event ") or '[Event "' in mail.text
        ]
        given.mails.write_text("\n=====\n".join(pages), encoding="utf-8")
    figures.seconds = round(time.monotonic() - began, 1)
    print(json.dumps(asdict(figures), indent=1))
    sys.exit(bool(figures.wrong))


if __name__ == "__main__":
    main()
