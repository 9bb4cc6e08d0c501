"""What the operator can do to events. Nothing here commits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from msgspec import structs
from sqlalchemy import update

from pbm.core.clock import DAY
from pbm.core.context import Context
from pbm.core.feature import ActRow, Argument
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.refusal import Refusal, RefusalCode
from pbm.features.events.admission import find_points
from pbm.features.events.entering import carry_out, withdraw
from pbm.features.events.finding import tell
from pbm.features.events.notices import EventCancelled, EventCorrected, EventLeft
from pbm.features.events.record import (
    build_record,
    delete_entrants,
    insert_entrant,
    name_event,
    update_entrants,
    update_event,
    update_games,
)
from pbm.features.events.rows import EnteredRow, find_entrants
from pbm.features.events.starting import finish
from pbm.features.events.tables import pairings
from pbm.features.events.views import format_day, format_points
from pbm.pairing.kinds import get_kind
from pbm.pairing.record import EventGame, Record
from pbm.pairing.rounds import admit, find_late_problem
from pbm.rules.phrases import combine, phrase
from pbm.store.reads import find_event
from pbm.store.tables import EventRow, boards


def set_result(
    act: OperatorAct, number: int, game: int, points: Sequence[float] | None
) -> list[Notice]:
    """Give the game on a board of an event these points, one number for each seat; None: it does
    not count. A running board ends. Refuse impossible points."""
    row = _load(act, number)
    record = build_record(act.session, row)
    was = _find_game(record, game)
    if points is not None and (
        len(points) != len(was.seats) or not all(0 <= each <= len(was.seats) for each in points)
    ):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT, f"give points for each of the {len(was.seats)} seats: 1,0"
        )
    changed = structs.replace(
        was,
        points=None if points is None else tuple(points),
        how="annulled" if points is None else "adjudicated",
        note=act.give_reason(phrase("{who} decided", who=act.who)),
        ended=act.now,
    )
    names = " - ".join(record.name_of(each) for each in was.seats)
    result: str = phrase("does not count")
    if points is not None:
        result = " - ".join(map(format_points, points))
    change = act.give_reason(
        phrase(
            "{who} corrected {players} in round {round}: {result}",
            who=act.who,
            players=names,
            round=was.round,
            result=result,
        )
    )
    context = act.context
    notices = carry_out(context, row.id, record, record.with_games([changed]), change)
    _look_again(act, row)
    act.record(f"event {number}: board {game} {result}")
    return notices + _correct(context, row, _find_seated(act, row, was), change)


def read_points(text: str) -> list[float] | None:
    """Read the points for each seat; None for `none`. ValueError for anything else."""
    if text.lower() == "none":
        return None
    if not re.fullmatch(r"[0-9]{1,2}(\.5)?(,[0-9]{1,2}(\.5)?)+", text):
        raise ValueError("POINTS is a number for each seat: 1,0 or 0.5,0.5, or none")
    return [float(each) for each in text.split(",")]


def remove_entrant(act: OperatorAct, number: int, userid: str) -> list[Notice]:
    """Take a player out of an event: before it begins without a trace in its tables, later as if
    they had withdrawn. Refused for a player who is not in it."""
    row = _load(act, number)
    player = act.find_player(userid)
    entered = find_entrants(act.session, row.id)
    entrant = next((each for each in entered if each.player_id == player.id), None)
    if row.state not in ("open", "running") or entrant is None or entrant.left is not None:
        raise Refusal(RefusalCode.NOT_ENTERED, f"{player.userid} does not play in event {number}")
    context = act.context
    lines: Sequence[str] = ()
    notices: Sequence[Notice] = ()
    if row.state == "open":
        delete_entrants(act.session, row.id, [player.id])
        update_event(act.session, row.id)
    else:
        lines, notices = withdraw(context, row, entrant.number, "removed")
    act.record(f"event {number}: removed", player=player.id)
    why = act.give_reason(phrase("{who} took you out", who=act.who))
    left = tell(
        context,
        [entrant],
        lambda each: EventLeft(
            event=row.id,
            name=name_event(row),
            game=row.game,
            userid=each.userid,
            why=why,
            boards=lines,
            is_answer=False,
        ),
    )
    return [*notices, *left]


def add_entrant(act: OperatorAct, number: int, userid: str) -> list[Notice]:
    """Enter a player, or one who left again. Before the event begins its terms for entrants are
    ignored; later its kind must allow late entries. Refused for others."""
    row = _load(act, number)
    player = act.find_player(userid)
    takes_players = get_kind(row.kind).has_boards and row.state in ("open", "running")
    if not (player.is_active and takes_players):
        raise Refusal(
            RefusalCode.EVENT_CLOSED, f"{player.userid} cannot be entered in event {number}"
        )
    context = act.context
    record = build_record(act.session, row, act.now)
    own = next((each for each in record.entrants if each.name == player.userid), None)
    if own is not None and own.left is None:
        raise Refusal(
            RefusalCode.ALREADY_DONE, f"{player.userid} already takes part in event {number}"
        )
    if row.state == "running":
        _require_late(row, record, is_back=own is not None)
    if own is not None:
        back = structs.replace(own, left=None, why="")
        update_entrants(act.session, row.id, find_entrants(act.session, row.id), [back])
    else:
        entrant = admit(record, player.userid, find_points(context, row.game, player.id), act.now)
        if row.state == "open":
            entrant = structs.replace(entrant, joins=1)
        insert_entrant(act.session, row.id, player.id, entrant)
    _look_again(act, row)
    act.record(f"event {number}: entered", player=player.id)
    change = act.give_reason(phrase("{who} entered {player}", who=act.who, player=player.userid))
    readers = [each for each in find_entrants(act.session, row.id) if each.player_id == player.id]
    return _correct(context, row, readers, change)


def _require_late(row: EventRow, record: Record, *, is_back: bool) -> None:
    """Refuse a player for whom a running event has no boards."""
    if not get_kind(row.kind).takes_late:
        raise Refusal(
            RefusalCode.EVENT_CLOSED,
            f"event {row.id} has begun, and only a Swiss or a ladder takes players later",
        )
    problem = "" if is_back else find_late_problem(record)
    if problem:
        raise Refusal(RefusalCode.EVENT_CLOSED, problem)


def set_pairs(act: OperatorAct, number: int, pairs: Sequence[tuple[str, str]]) -> list[Notice]:
    """Pair players of the open round of a Swiss anew, the first of each pair moving first. The
    boards that they had end without a result. Refuse players whose boards are not all open, or not
    all named, and pairs who have met."""
    row = _load(act, number)
    record = build_record(act.session, row)
    if not get_kind(row.kind).has_byes or row.state != "running":
        raise Refusal(
            RefusalCode.EVENT_CLOSED,
            f"event {number} is no Swiss that is running: in others pairings follow from the table",
        )
    numbers = {each.name.lower(): each.number for each in record.present}
    names = [name.lower() for pair in pairs for name in pair]
    if unknown := [name for name in names if name not in numbers]:
        raise Refusal(RefusalCode.NOT_ENTERED, f"{unknown[0]} does not play in event {number}")
    wanted = [(numbers[one.lower()], numbers[other.lower()]) for one, other in pairs]
    seated = {each for pair in wanted for each in pair}
    last = max((game.round for game in record.games), default=0)
    old = [game for game in record.games if game.round == last and seated & set(game.seats)]
    if any(not game.is_open for game in old) or len(seated) != len(names):
        raise Refusal(RefusalCode.WRONG_STATE, f"not all of them play in round {last} now")
    if {each for game in old for each in game.seats} != seated:
        others = sorted(record.name_of(each) for game in old for each in game.seats)
        raise Refusal(
            RefusalCode.BAD_ARGUMENT, f"name all players of these boards: {', '.join(others)}"
        )
    for one, other in wanted:
        if any({one, other} <= set(game.seats) for game in record.games if game not in old):
            met = f"{record.name_of(one)} and {record.name_of(other)} have met in this event"
            raise Refusal(RefusalCode.BAD_ARGUMENT, met)
    change = act.give_reason(
        phrase("{who} paired round {round} otherwise", who=act.who, round=last)
    )
    who = phrase("A moderator") if act.is_moderators else phrase("The operator")
    said = act.give_reason(phrase("{who} paired round {round} otherwise", who=who, round=last))
    said = combine("{said}.", said=said)
    context = act.context
    ended = [structs.replace(game, how="annulled", note=change, ended=act.now) for game in old]
    notices = carry_out(context, row.id, record, record.with_games(ended), change)
    fresh = [
        structs.replace(game, seats=pair, board=None, reason=said)
        for game, pair in zip(old, wanted, strict=True)
    ]
    numbers_of_boards = [game.board for game in old if game.board is not None]
    chosen = boards.c.id.in_(numbers_of_boards)
    act.session.execute(update(boards).where(chosen).values(event_id=None))
    update_games(act.session, row.id, fresh)
    _look_again(act, row)
    names_paired = ", ".join(f"{one}-{other}" for one, other in pairs)
    act.record(f"event {number}: round {last} paired {names_paired}"[:100])
    readers = [each for each in find_entrants(act.session, row.id) if each.number in seated]
    return notices + _correct(context, row, readers, change)


def read_pair(text: str) -> tuple[str, str]:
    """Read two userids. ValueError for anything else."""
    one, comma, other = text.partition(",")
    if not comma or "," in other:
        raise ValueError("name two userids for each board, as in ann,carl bob,dora")
    return one, other


def set_begin(act: OperatorAct, number: int, begins: float) -> list[Notice]:
    """Move the beginning of an event that is open; its end stays."""
    row = _load(act, number)
    if row.state != "open":
        raise Refusal(RefusalCode.WRONG_STATE, f"event {number} has begun")
    if begins <= act.now or (row.ends is not None and begins >= row.ends):
        raise Refusal(
            RefusalCode.BAD_DATE,
            "an event begins in the future, and before its end: move that first",
        )
    update_event(act.session, row.id, begins=begins, look=begins)
    act.record(f"event {number}: begins {format_day(begins)}")
    change = act.give_reason(
        phrase("{who} moved the beginning to {time}", who=act.who, time=format_day(begins))
    )
    return _correct(act.context, row, find_entrants(act.session, row.id), change)


def set_end(act: OperatorAct, number: int, ends: float) -> list[Notice]:
    """Move the end of an event, and of the unfinished rounds."""
    row = _load(act, number)
    if ends <= max(row.begins, act.now):
        raise Refusal(RefusalCode.BAD_DATE, "an event ends after it begins, and in the future")
    shift = ends - row.ends if row.ends is not None else 0.0
    is_open = (pairings.c.event_id == row.id) & (pairings.c.how == "open")
    act.session.execute(update(pairings).where(is_open).values(due=pairings.c.due + shift))
    update_event(act.session, row.id, ends=ends, warned=None)
    _look_again(act, row)
    act.record(f"event {number}: ends {format_day(ends)}")
    change = act.give_reason(
        phrase("{who} moved the end to {time}", who=act.who, time=format_day(ends))
    )
    return _correct(act.context, row, find_entrants(act.session, row.id), change)


def read_day(text: str) -> float:
    """Return the first moment of a day, UTC. ValueError for anything else."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise ValueError("DAY is written YYYY-MM-DD") from None


def read_last_day(text: str) -> float:
    """Return the moment after a day, UTC. ValueError for anything else."""
    return read_day(text) + DAY


def end_now(act: OperatorAct, number: int) -> list[Notice]:
    """End an event with its present results: open games do not count."""
    row = _load(act, number)
    if row.state != "running":
        raise Refusal(RefusalCode.NOT_STARTED, f"event {number} is {row.state}: cancel it")
    context = act.context
    record = build_record(act.session, row)
    notices = _annul_open(act, context, row, record)
    act.record(f"event {number}: ended")
    return notices + finish(context, row, build_record(act.session, row))


def cancel(act: OperatorAct, number: int) -> list[Notice]:
    """Cancel an event: its open boards end without a result."""
    row = _load(act, number)
    context = act.context
    notices = _annul_open(act, context, row, build_record(act.session, row))
    update_event(act.session, row.id, state="cancelled", ended=act.now, look=None)
    act.record(f"event {number}: cancelled")
    reason = act.give_reason(phrase("{who} cancelled it", who=act.who))
    return notices + tell(
        context,
        find_entrants(act.session, row.id),
        lambda _: EventCancelled(
            event=row.id,
            name=name_event(row),
            game=row.game,
            reason=reason,
        ),
    )


def _annul_open(act: OperatorAct, context: Context, row: EventRow, record: Record) -> list[Notice]:
    note = act.give_reason(phrase("{who} ended event {event}", who=act.who, event=row.id))
    annulled = [
        structs.replace(game, how="annulled", note=note, ended=act.now)
        for game in record.open_games
    ]
    return carry_out(context, row.id, record, record.with_games(annulled), note)


def _load(act: OperatorAct, number: int) -> EventRow:
    row = find_event(act.session, number, lock=True)
    if row is None:
        raise Refusal(RefusalCode.NO_SUCH_EVENT, "there is no event with that number")
    if row.state == "cancelled":
        raise Refusal(RefusalCode.WRONG_STATE, f"event {number} is cancelled")
    return row


def _find_game(record: Record, number: int) -> EventGame:
    """Return the event's game on that board. Refuse a board that it does not have."""
    for game in record.games:
        if game.board == number:
            return game
    raise Refusal(RefusalCode.NO_SUCH_BOARD, f"event {record.event} has no board {number}")


def _find_seated(act: OperatorAct, row: EventRow, game: EventGame) -> list[EnteredRow]:
    return [each for each in find_entrants(act.session, row.id) if each.number in game.seats]


def _look_again(act: OperatorAct, row: EventRow) -> None:
    if row.state == "running":
        update_event(act.session, row.id, look=act.now)


def _correct(
    context: Context, row: EventRow, readers: Iterable[EnteredRow], change: str
) -> list[Notice]:
    """Notify these players of a correction."""
    return tell(
        context,
        readers,
        lambda _: EventCorrected(
            event=row.id,
            name=name_event(row),
            game=row.game,
            change=change,
        ),
    )


# What the operator does to events.

_EVENT = Argument("number", "number")
_USERID = Argument("userid")

ACTS = (
    ActRow(
        "event",
        "correct an event: a result, a player, a date",
        "Correct an event: a result, a pairing, who plays, its dates. Players are told, with the "
        "reason.",
    ),
    ActRow(
        "event result",
        "",
        "Give BOARD of event NUMBER these POINTS, one for each seat: 1,0 or 0.5,0.5; `none`: it "
        "does not count.",
        "Give board {board} of event {number} the result {points}?",
        set_result,
        (
            _EVENT,
            Argument("board", "number"),
            Argument("points", reads=read_points),
        ),
    ),
    ActRow(
        "event remove",
        "",
        "Take a player out of event NUMBER, by its rules of withdrawal.",
        "Take {userid} out of event {number}?",
        remove_entrant,
        (_EVENT, _USERID),
    ),
    ActRow(
        "event add",
        "",
        "Enter a player in event NUMBER, or one who has left it; once it has begun, in a Swiss or "
        "a ladder.",
        "Enter {userid} in event {number}?",
        add_entrant,
        (_EVENT, _USERID),
    ),
    ActRow(
        "event pair",
        "",
        "Let others meet in the open round of the Swiss NUMBER: ann,carl bob,dora. The first of "
        "each moves first; the boards that they had end without a result.",
        "Let {pairs} meet in event {number}?",
        set_pairs,
        (
            _EVENT,
            Argument("pairs", shown="USERID,USERID...", is_many=True, reads=read_pair),
        ),
    ),
    ActRow(
        "event begins",
        "",
        "Make DAY (YYYY-MM-DD, UTC) the day on which event NUMBER begins.",
        "Let event {number} begin on {day}?",
        set_begin,
        (_EVENT, Argument("day", reads=read_day)),
    ),
    ActRow(
        "event ends",
        "",
        "Make DAY (YYYY-MM-DD, UTC) the last day of event NUMBER; open rounds shift with it.",
        "Make {day} the last day of event {number}?",
        set_end,
        (_EVENT, Argument("day", reads=read_last_day)),
    ),
    ActRow(
        "event end",
        "",
        "End event NUMBER now, with its prize list; open boards do not count.",
        "End event {number} now?",
        end_now,
        (_EVENT,),
    ),
    ActRow(
        "event cancel",
        "",
        "Cancel event NUMBER; open boards end without a result.",
        "Cancel event {number}?",
        cancel,
        (_EVENT,),
    ),
)
