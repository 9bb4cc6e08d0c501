"""Entering events and leaving them. To enter is to agree to all boards of the event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.notices import Notice
from pbm.core.player import TEAM_SIGN, Player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import build_board, save
from pbm.core.updates import notify_board
from pbm.core.words import parse_number
from pbm.features.events.admission import (
    find_points,
    list_acts,
    list_entering,
    require_entry,
    say_for_teams,
)
from pbm.features.events.finding import load_event, show_card
from pbm.features.events.notices import EventByes, EventEntered, EventLeft
from pbm.features.events.options import find_usual_beginning
from pbm.features.events.record import (
    build_record,
    delete_entrants,
    insert_entrant,
    name_event,
    read_options,
    update_entrants,
    update_event,
    update_games,
)
from pbm.features.events.reports import announce_entered
from pbm.features.events.rows import (
    count_entrants,
    find_entrant,
    find_entrants,
    find_last_start_number,
    get_event,
)
from pbm.locale.words import says_none
from pbm.pairing.record import Entrant, EventGame, Record
from pbm.pairing.rounds import admit
from pbm.pairing.rounds import leave as leave_event
from pbm.rules import Outcome
from pbm.rules.phrases import Phrase, combine, fill_in, phrase
from pbm.store import reads
from pbm.store.tables import EventRow


def enter(call: Call) -> list[Notice]:
    """Enter an event. Refuse one that is full, for other ratings, too far on or over."""
    row = load_event(call, lock=True)
    me = _find_entering(call, row)
    points = find_points(call, row.game, me.id)
    require_entry(call, row, me, points)
    if row.state == "running":
        entrant = admit(build_record(call.session, row, call.now), me.userid, points, call.now)
        insert_entrant(call.session, row.id, me.id, entrant)
        update_event(call.session, row.id, look=call.now)
    else:
        number = find_last_start_number(call.session, row.id) + 1
        rules = read_options(row)
        entrant = Entrant(
            number=number,
            name=me.userid,
            rating=points,
            entered=call.now,
            division=rules.divisions - 1 if row.season > 1 else 0,
        )
        insert_entrant(call.session, row.id, me.id, entrant)
        row = _begin_when_full(call, row)
    content = EventEntered(
        event=row.id,
        name=name_event(row),
        game=row.game,
        card=show_card(call, row),
        userid=call.me.userid,
        is_late=row.state == "running",
    )
    return [call.answer(content), *announce_entered(call, row)]


def _find_entering(call: Call, row: EventRow) -> Player:
    """Return the sender, or in an event of teams the one that they lead, which they name where they
    lead several. Refuse there who leads none."""
    found = list_entering(call.session, row, call.me)
    named = {TEAM_SIGN + word.lower().removeprefix(TEAM_SIGN) for word in call.command.words}
    chosen = [team for team in found if team.userid.lower() in named] or found
    if len(chosen) == 1:
        return chosen[0]
    form = f"event enter {row.id} {{user}} PASSWORD"
    raise Refusal(
        RefusalCode.NOT_CAPTAIN,
        say_for_teams(row),
        *([f"{form} {team.userid}" for team in found] or ["team new NAME {user} PASSWORD"]),
    )


def _begin_when_full(call: Call, row: EventRow) -> EventRow:
    """Return the event after an entry. If it is full and its maker named no day, it begins now."""
    entered = count_entrants(call.session, [row.id]).get(row.id, 0)
    is_full = row.most is not None and 0 < row.most <= entered
    if is_full and row.begins == find_usual_beginning(row.created):
        update_event(call.session, row.id, begins=call.now, look=call.now)
    else:
        update_event(call.session, row.id)
    return get_event(call.session, row.id)


def leave(call: Call) -> list[Notice]:
    """Leave an event: before it begins without a trace, later by its rules of withdrawal. Refuse a
    sender who does not take part."""
    row = load_event(call, lock=True)
    me = _find_entering(call, row)
    entry = find_entrant(call.session, row.id, me.id)
    if entry is None or entry.left is not None or "event leave" not in list_acts(row):
        raise Refusal(
            RefusalCode.NOT_ENTERED,
            phrase("you do not take part in event {event}", event=row.id),
            f"event {row.id}",
        )
    boards: Sequence[str] = ()
    notices: Sequence[Notice] = ()
    if row.state == "open":
        delete_entrants(call.session, row.id, [me.id])
        update_event(call.session, row.id)
    else:
        boards, notices = withdraw(call, row, entry.number, "withdrew")
    content = EventLeft(
        event=row.id,
        name=name_event(row),
        game=row.game,
        userid=me.userid,
        why="",
        boards=boards,
        is_answer=True,
    )
    return [call.answer(content), *notices]


# What a withdrawal, an adjudication or a correction does to the boards of an event.

# TRANSLATORS: what stands before each is a userid: "ann left event 3"
WHY: Mapping[str, Phrase] = {
    "withdrew": phrase("left event {event}"),
    "silent": phrase("was silent for too long in event {event}"),
    "closed": phrase("is no longer here"),
    "removed": phrase("was taken out of event {event}"),
}
"""Why an entrant's boards end; follows the userid."""


class BoardIsLocked(Refusal):
    """A board of the event is locked by another transaction."""

    def __init__(self, board: int) -> None:
        super().__init__(
            RefusalCode.WRONG_STATE,
            phrase(
                "somebody moves on board {board} at this very moment: send that again", board=board
            ),
        )


def withdraw(
    context: Context, row: EventRow, number: int, why: str
) -> tuple[Sequence[str], Sequence[Notice]]:
    """Take an entrant out of a running event. Return the fate of the boards, a line each, and
    notices to their other players and watchers."""
    record = build_record(context.session, row, context.now)
    after = leave_event(record, number, context.now, why)
    name = record.name_of(number)
    said = fill_in(WHY[why], event=row.id)
    reason = combine("{who} {what}", who=name, what=said)
    notices = carry_out(context, row.id, record, after, reason, leaver=number, said=said)
    entered = find_entrants(context.session, row.id)
    update_entrants(context.session, row.id, entered, after.entrants)
    update_event(context.session, row.id, look=context.now)
    own = {each.player_id for each in entered if each.number == number}
    boards = _describe_boards(record, after, number)
    return boards, [notice for notice in notices if notice.player not in own]


def _describe_boards(before: Record, after: Record, number: int) -> list[str]:
    """Return the fate of an entrant's boards, a line each."""
    was = {game.id: game for game in before.games}
    lines: list[str] = []
    for game in after.games:
        if number not in game.seats or game == was[game.id] or game.board is None:
            continue
        others = ", ".join(before.name_of(each) for each in game.seats if each != number)
        lines.append(
            phrase("board {board} against {others} does not count", board=game.board, others=others)
            if game.how == "annulled"
            else phrase("board {board} against {others} is lost", board=game.board, others=others)
        )
    return lines


def carry_out(
    context: Context,
    event: int,
    before: Record,
    after: Record,
    why: str,
    *,
    leaver: int = 0,
    said: str = "",
) -> list[Notice]:
    """Write the games that have changed between two records of an event, and end their boards.
    Return the notices to the players. Where three or more play, the others go on without the
    `leaver`, and `said` is what the mail says about the leaver. Raise BoardIsLocked when a board
    cannot be locked at once."""
    was = {game.id: game for game in before.games}
    changed = [game for game in after.games if game != was[game.id]]
    left = [game for game in after.open_games if leaver in game.seats]
    notices: list[Notice] = []
    for game in (*changed, *left):
        if was[game.id].is_open and game.board is not None:
            board = _lock_board(context, game.board)
            if not board.is_over:
                notices += _end_board(context, board, game, why, leaver, said)
    context.session.flush()
    update_games(context.session, event, changed)
    return notices


def _lock_board(context: Context, number: int) -> Board:
    row = reads.try_lock_board(context.session, number)
    if row is None:
        raise BoardIsLocked(number)
    return build_board(context.session, row, reads.find_seats(context.session, number), anyway=True)


def _end_board(
    context: Context, board: Board, game: EventGame, why: str, leaver: int, said: str
) -> list[Notice]:
    """End a board as the record says, or the leaver's part in it. Return the notices to its
    players."""
    seat = game.seats.index(leaver) if leaver in game.seats else None
    event = why
    if game.how == "annulled" or board.state == "invited":
        board.cancel(None, why, context.now)
        event = phrase("the board ends without a result: {why}", why=why)
    elif seat is not None and game.how in ("open", "forfeit"):
        if seat not in board.position.playing:
            return []
        board.forfeit(seat, context.now, said)
    else:
        _adjudicate(board, game, why, context.now)
    save(context.session, board, context.now)
    return notify_board(context, board, event)


def _adjudicate(board: Board, game: EventGame, why: str, now: float) -> None:
    points = game.points or (0.0,) * len(board.seats)
    ranks = tuple(1 + sum(other > own for other in points) for own in points)
    board.adjudicate(Outcome(ranks, why), now)


# Byes that players of a Swiss ask for: rounds in which they are not paired, for half a point.

_MOST = 2
"""The most byes that a player can ask for in one event."""


def ask(call: Call) -> list[Notice]:
    """Note the rounds in which a player asks not to be paired; they replace those asked for before,
    and `none` removes them. Refuse paired rounds, the last round, and too many."""
    me, row = call.me, load_event(call, lock=True)
    record = build_record(call.session, row)
    entry = find_entrant(call.session, row.id, me.id)
    if "event bye" not in list_acts(row):
        raise Refusal(
            RefusalCode.EVENT_CLOSED,
            phrase(
                "event {event} is no Swiss that is open or running: byes are for these",
                event=row.id,
            ),
            f"event {row.id}",
        )
    if entry is None or entry.left is not None:
        raise Refusal(
            RefusalCode.NOT_ENTERED,
            phrase("you do not take part in event {event}", event=row.id),
            f"event enter {row.id} {{user}} PASSWORD",
        )
    own = record.entrant(entry.number)
    rounds = _read_rounds(call, record, own)
    changed = structs.replace(own, away=rounds)
    update_entrants(call.session, row.id, find_entrants(call.session, row.id), [changed])
    update_event(call.session, row.id)
    content = EventByes(
        event=row.id,
        name=name_event(row),
        game=row.game,
        userid=me.userid,
        rounds=rounds,
    )
    return [call.answer(content)]


def _read_rounds(call: Call, record: Record, own: Entrant) -> tuple[int, ...]:
    """Return the rounds named, in which the player is not to be paired, with those already over."""
    form = f"event bye {record.event} {{user}} PASSWORD "
    words = [word.strip(",").lower() for word in call.command.words[:-1]]
    paired = {game.round for game in record.games if own.number in game.seats}
    past = tuple(each for each in own.away if each in paired)
    if len(words) == 1 and says_none(words[0]):
        return past
    numbers = [piece for word in words for piece in word.split(",") if piece != "round"]
    rounds = [parse_number(each) for each in numbers]
    if not rounds or not all(each is not None and 0 < each < 1000 for each in rounds):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("name the round in which you are not to be paired, or none"),
            f"{form}2",
            f"{form}none",
        )
    wanted = sorted({each for each in rounds if each is not None} - set(past))
    last = record.options.rounds
    problem = ""
    if late := [each for each in wanted if each in paired]:
        problem = phrase("you are paired in round {round} already", round=late[0])
    elif last and wanted and wanted[-1] >= last:
        problem = phrase(
            "there is no bye in the last round, and round {last} is the last", last=last
        )
    elif len(wanted) + len(past) > _MOST:
        problem = phrase("a player has at most {most} such byes in an event", most=_MOST)
    if problem:
        raise Refusal(RefusalCode.BAD_ARGUMENT, problem, f"event pairings {record.event}")
    return tuple(sorted((*past, *wanted)))
