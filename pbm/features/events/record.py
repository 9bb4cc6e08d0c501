"""The record of an event from its rows, and rows from its record. All tables are computed from the
record alone (`pbm.pairing`)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import delete, insert, select, update

from pbm.core.context import Context
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, list_own, pass_on, rename_in
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import find_title
from pbm.features.events.rows import EnteredRow, find_entrants, find_events_of_tour, find_pairings
from pbm.features.events.tables import PairingRow, pairings
from pbm.pairing.kinds import get_kind
from pbm.pairing.record import Entrant, EventGame, Leg, Options, Record, draw_all_lots
from pbm.pairing.standings import leg_of
from pbm.rules.phrases import EnglishWord, pack, phrase, unpack
from pbm.store.rows import Query
from pbm.store.tables import EventRow, entrants, events
from pbm.store.transaction import Session


def read_options(row: EventRow) -> Options:
    """Return the rules of an event."""
    return msgspec.convert({"kind": row.kind, "game": row.game, **json.loads(row.rules)}, Options)


def name_event(row: EventRow) -> str:
    """Return the name of an event; where nobody gave it one, a phrase to be translated."""
    return say_name(row.name, row.kind, row.game)


def say_name(name: str, kind: str, game: str) -> str:
    """Return the stored name of an event, as a phrase if it is the usual one."""
    if name != build_usual_name(kind, game):
        return name
    what = get_kind(kind).title
    # TRANSLATORS: the name of an event that nobody named: Chess round robin
    return EnglishWord(name, phrase("{game} {kind}", game=find_title(game), kind=what))


def build_usual_name(kind: str, game: str) -> str:
    """Return the usual name of an event."""
    return f"{find_title(game)} {get_kind(kind).title}"


def dump_options(options: Options) -> str:
    """Return the rules of an event in their stored form."""
    rules = msgspec.to_builtins(options)
    return json.dumps({name: rules[name] for name in rules if name not in ("kind", "game")})


def build_record(session: Session, row: EventRow, now: float | None = None) -> Record:
    """Return the record of an event. With a time `now`, results that can still be taken back then
    are left out; with None every result counts."""
    entered = find_entrants(session, row.id)
    return Record(
        event=row.id,
        name=row.name,
        options=read_options(row),
        secret=row.secret,
        commitment=row.commitment,
        season=row.season,
        announced=row.created,
        begins=row.begins,
        ends=row.ends,
        ended=row.ended,
        entrants=tuple(_build_entrant(each) for each in entered),
        games=tuple(_build_game(each, now) for each in find_pairings(session, row.id)),
        legs=_find_legs(session, row.id) if not get_kind(row.kind).has_boards else (),
    )


def _build_entrant(row: EnteredRow) -> Entrant:
    return Entrant(
        number=row.number,
        name=row.userid,
        rating=row.rating,
        entered=row.entered,
        joins=row.joins,
        division=row.division,
        away=tuple(map(int, row.byes.split(","))) if row.byes else (),
        left=row.left,
        why=row.why,
        lots=tuple((purpose, lot) for purpose, lot in json.loads(row.lots or "[]")),
    )


def _build_game(row: PairingRow, now: float | None) -> EventGame:
    is_settled = row.ended is not None and (now is None or row.ended <= now)
    return EventGame(
        id=row.number,
        round=row.round,
        table=row.place,
        seats=tuple(json.loads(row.entrants)),
        reason=unpack(row.reason),
        stage=row.stage,  # type: ignore[arg-type]  # written by `insert_games`
        group=row.division,
        leg=row.leg,
        points=tuple(json.loads(row.points)) if row.points and is_settled else None,
        how=row.how if is_settled else "open",  # type: ignore[arg-type]  # likewise
        note=unpack(row.note),
        board=row.board_id,
        begun=row.begun,
        ended=row.ended if is_settled else None,
    )


def _find_legs(session: Session, tour: int) -> tuple[Leg, ...]:
    rows = [row for row in find_events_of_tour(session, tour) if row.state == "over"]
    return tuple(leg_of(build_record(session, row), row.ended or 0.0) for row in rows)


def delete_entrants(session: Session, event: int, players: Collection[int]) -> None:
    """Delete players from the entrants of an event that has not begun."""
    session.execute(
        delete(entrants).where(entrants.c.event_id == event, entrants.c.player_id.in_(players))
    )


def insert_games(
    session: Session, event: int, games: Iterable[EventGame], due: Mapping[int, float | None]
) -> None:
    """Insert newly paired games; `due` has the time of each one's adjudication."""
    rows = [{"event_id": event, "due": due.get(game.id), **_dump_game(game)} for game in games]
    if rows:
        session.execute(insert(pairings), rows)


def update_games(session: Session, event: int, games: Iterable[EventGame]) -> None:
    """Update changed games."""
    for game in games:
        chosen = (pairings.c.event_id == event) & (pairings.c.number == game.id)
        session.execute(update(pairings).where(chosen).values(**_dump_game(game)))


def _dump_game(game: EventGame) -> dict[str, object]:
    return {
        "number": game.id,
        "stage": game.stage,
        "division": game.group,
        "round": game.round,
        "place": game.table,
        "leg": game.leg,
        "entrants": json.dumps(game.seats),
        "reason": pack(game.reason),
        "board_id": game.board,
        "points": None if game.points is None else json.dumps(game.points),
        "how": game.how,
        "note": pack(game.note),
        "begun": game.begun,
        "ended": game.ended,
    }


def update_entrants(
    session: Session, event: int, entered: Sequence[EnteredRow], after: Iterable[Entrant]
) -> None:
    """Update changed entrants, found by their names."""
    by_name = {row.userid: row for row in entered}
    for each in after:
        row = by_name[each.name]
        if _build_entrant(row) != each:
            chosen = (entrants.c.event_id == event) & (entrants.c.player_id == row.player_id)
            session.execute(update(entrants).where(chosen).values(**_dump_entrant(each)))


def _dump_entrant(entrant: Entrant) -> dict[str, object]:
    return {
        "number": entrant.number,
        "rating": entrant.rating,
        "division": entrant.division,
        "joins": entrant.joins,
        "entered": entrant.entered,
        "left": entrant.left,
        "why": entrant.why,
        "byes": ",".join(map(str, entrant.away)),
    }


def insert_entrant(session: Session, event: int, player: int, entrant: Entrant) -> None:
    """Insert an entrant."""
    session.execute(
        insert(entrants).values(event_id=event, player_id=player, **_dump_entrant(entrant))
    )


def update_event(session: Session, event: int, **values: Any) -> None:
    """Change columns of an event, and increase its revision."""
    changed = {**values, "revision": events.c.revision + 1}
    session.execute(update(events).where(events.c.id == event).values(**changed))


def find_due(record: Record, game: EventGame, rounds: int) -> float | None:
    """Return when a game is adjudicated: at the end of its round's share of the event's time; None
    without an end of the event. The boards of a group all begin at once and get the whole time, or
    half of it where a final follows."""
    if record.ends is None:
        return None
    share = get_kind(record.options.kind).compute_share(record, game, rounds)
    return record.begins + (record.ends - record.begins) * share


# Events and entries of a player: listed, passed on and deleted.


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return the events that a player has entered or made."""
    return {
        "events_entered": list_own(
            session, player, entrants, "event_id number rating division entered left why"
        ),
        "events_made": list_own(session, player, events, "id kind game name about created"),
    }


def rename(context: Context, player: Player, userid: str) -> None:
    """Replace the userid in the reasons and remarks of pairings and entries. The lots drawn from it
    stay."""
    _keep_lots(context, player)
    entered = select(entrants.c.event_id).where(entrants.c.player_id == player.id)
    for table, column in (
        (pairings, pairings.c.reason),
        (pairings, pairings.c.note),
        (entrants, entrants.c.why),
    ):
        chosen = table.c.event_id.in_(entered)
        rename_in(context.session, table, column, chosen, player.userid, userid)


def _keep_lots(context: Context, player: Player) -> None:
    """Store the player's lots, which would otherwise be drawn from the new userid."""
    entered = (
        select(events)
        .join(entrants, entrants.c.event_id == events.c.id)
        .where(entrants.c.player_id == player.id)
    )
    for row in context.session.all(Query(EventRow, entered)):
        record = build_record(context.session, row)
        number = next(each.number for each in record.entrants if each.name == player.userid)
        own = (entrants.c.event_id == row.id) & (entrants.c.player_id == player.id)
        lots = json.dumps(draw_all_lots(record, number))
        context.session.execute(update(entrants).where(own).values(lots=lots))


def require_other_events(act: OperatorAct, old: Player, new: Player) -> None:
    """Refuse to merge two players who have both entered an event."""
    entered = select(entrants.c.event_id).where(entrants.c.player_id == old.id)
    both = select(entrants.c.event_id).where(
        entrants.c.player_id == new.id, entrants.c.event_id.in_(entered)
    )
    if shared := sorted(act.session.execute(both).scalars()):
        raise Refusal(
            RefusalCode.WRONG_STATE,
            f"both have entered event {', '.join(map(str, shared))}, and have a place each there",
        )


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on events and entries."""
    pass_on(act.session, (events, entrants), old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Erase the text that the player wrote about their own events."""
    context.session.execute(update(events).where(events.c.player_id == player.id).values(about=""))
