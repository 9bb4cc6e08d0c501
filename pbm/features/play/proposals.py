"""What needs everybody's consent: draws, undos, cancellations, pauses, invitations; and draw
claims.

`board.proposals` maps each kind to the seats that agree."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from msgspec import structs

from pbm.core import clock
from pbm.core.board import PAUSE, TAKES_OVER, Board, UndoState
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.intents import read_last_day
from pbm.core.log import LogEntry, apply_entry, build_entry, drop_undone
from pbm.core.notices import Notice
from pbm.core.parties import find_speaking_seat
from pbm.core.refusal import RefusalCode
from pbm.core.seat import Seat
from pbm.core.storing import has_rolled, save
from pbm.core.turns import follow_up, require_fresh, require_in_play, require_running
from pbm.core.updates import (
    agree_to_draw,
    build_change,
    claim_draw,
    keep_act,
    notify_board,
    notify_changes,
    notify_new_board,
)
from pbm.features.parties import substitutes
from pbm.locale.words import say_reply_word
from pbm.rules.phrases import fill_in, phrase
from pbm.store import reads

_PROPOSED = {
    "draw": (phrase("{player} proposed a draw"), phrase("you proposed a draw")),
    "undo": (
        phrase("{player} asked to take back move {move}"),
        phrase("you asked to take back move {move}"),
    ),
    "cancel": (
        phrase("{player} proposed to cancel the board"),
        phrase("you proposed to cancel the board"),
    ),
    "pause": (
        phrase("{player} proposed a pause until {day}"),
        phrase("you proposed a pause until {day}"),
    ),
}
_REJECTED = {
    "draw": (phrase("{player} rejected the draw"), phrase("you rejected the draw")),
    "undo": (
        phrase("{player} rejected the undo, nothing is taken back"),
        phrase("you rejected the undo, nothing is taken back"),
    ),
    "cancel": (
        phrase("{player} rejected the cancellation, the game goes on"),
        phrase("you rejected the cancellation, the game goes on"),
    ),
    TAKES_OVER: (
        phrase("{player} does not want the seat to be taken over"),
        phrase("you do not want the seat to be taken over"),
    ),
    "pause": (
        phrase("{player} rejected the pause, the clocks go on"),
        phrase("you rejected the pause, the clocks go on"),
    ),
}
"""Sentences on a rejection: for the others, and for the player who rejects."""
_LONGEST_PAUSE = timedelta(days=366)


def propose(call: Call) -> list[Notice]:
    """Propose a draw, or claim one when the position has occurred three times or the game allows a
    claim for another reason."""
    board, seat = _load_playing(call)
    if claimed := claim_draw(call, board, seat, call.command.text):
        return notify_changes(call, board, [claimed])
    return _agree(call, board, seat, "draw")


def undo(call: Call) -> list[Notice]:
    """Ask to take back the sender's last move and all that came after it. The sender's own
    resignation or acceptance is taken back at once, within an hour and while nothing else has
    happened, once for each kind of act on a board."""
    board = call.load_board()
    kept = board.undo_state
    if kept.get("player") == call.me.id and call.now <= kept["until"]:
        return retract(call, board, find_speaking_seat(call, board))
    board, seat = _require_playing(call, board)
    if board.position.takes_orders:
        name = board.game.info.name
        raise board.make_refusal(
            RefusalCode.NOTHING_TO_UNDO,
            phrase(
                "orders are not taken back: a later one replaces an earlier one to the same unit, "
                "until the phase ends"
            ),
            f"{name} move {board.id} {seat.account} PASSWORD ORDER",
        )
    if "undo" not in board.proposals:
        _find_undo_ply(call, board, seat.seat)
    return _agree(call, board, seat, "undo")


def cancel(call: Call) -> list[Notice]:
    """Propose to end the board without a result."""
    board, seat = _load_playing(call)
    require_no_event(
        board,
        phrase("board {board} belongs to event {event} and ends with a result", **_name(board)),
    )
    return _agree(call, board, seat, "cancel")


def pause(call: Call) -> list[Notice]:
    """Propose that all clocks stand still until a day is over, in place of any other proposed
    pause; or agree to somebody's proposal of the same day."""
    board, seat = _load_playing(call)
    require_no_event(
        board,
        phrase("board {board} belongs to event {event}, whose clocks go on", **_name(board)),
    )
    zone = seat.preferences.get("zone", "UTC")
    today = clock.to_local(call.now, zone).date()
    day = read_last_day(" ".join(call.command.words), today)
    if day is None or not today <= day <= today + _LONGEST_PAUSE:
        raise board.make_refusal(
            RefusalCode.BAD_DATE,
            phrase("say until which day, at most a year ahead, all clocks are to stand still"),
            f"{board.game.info.name} pause {board.id} {seat.account} PASSWORD until "
            f"{today + timedelta(days=14)}",
        )
    kind = f"{PAUSE}{day}"
    other = next((each for each in board.proposals if each.startswith(PAUSE)), kind)
    if other != kind:
        board.reject(other)
    return _agree(call, board, seat, kind)


def accept(call: Call) -> list[Notice]:
    """Accept an invitation, or the one open proposal."""
    board = call.load_board()
    seat = find_speaking_seat(call, board)
    if board.state == "invited":
        return _accept_invitation(call, board, seat)
    board, seat = _load_playing(call)
    return _agree(call, board, seat, _find_open_proposal(call, board, seat))


def reject(call: Call) -> list[Notice]:
    """Reject everything proposed, which drops it, or decline an invitation."""
    board = call.load_board()
    seat = find_speaking_seat(call, board)
    if board.state == "invited":
        return decline(call)
    board, seat = _load_playing(call)
    kinds = _list_open_proposals(call, board, seat)
    for kind in kinds:
        board.reject(kind)
    save(call.session, board, call.now)
    changes, comment = [], call.command.text
    for kind in kinds:
        rejected = _REJECTED[kind.partition(" ")[0]]
        told, own = (fill_in(text, player=seat.userid) for text in rejected)
        changes.append(build_change(board, told, own=own, actor=seat.seat, comment=comment))
        comment = ""
    return notify_changes(call, board, changes)


def decline(call: Call) -> list[Notice]:
    """Decline an invitation, or a new board before the sender's first move. The board is cancelled,
    unrated."""
    board = call.load_board()
    seat = find_speaking_seat(call, board)
    if board.state != "invited":
        require_running(board, seat)
        require_no_event(
            board,
            phrase(
                "board {board} belongs to event {event} and was agreed to on entering it",
                **_name(board),
            ),
        )
        if any(own.moved for own in board.seats if own.player == seat.player):
            raise board.make_refusal(
                RefusalCode.TOO_LATE,
                phrase("you have already moved on this board"),
                f"{board.game.info.name} cancel {board.id} {seat.account} PASSWORD",
                f"{board.game.info.name} resign {board.id} {seat.account} PASSWORD",
            )
        if has_rolled(call.session, board.id):
            raise board.make_refusal(
                RefusalCode.TOO_LATE,
                phrase("the first roll is made, and you agreed to play"),
                f"{board.game.info.name} cancel {board.id} {seat.account} PASSWORD",
                f"{board.game.info.name} resign {board.id} {seat.account} PASSWORD",
            )
    player, number = seat.userid, board.event
    event, own = phrase("{player} declined", player=player), phrase("you declined")
    if number is not None and seat.accepted:
        event = phrase("{player} withdrew the challenge", player=player)
        own = phrase("you withdrew the challenge")
    elif number is not None:
        event = phrase(
            "{player} declined, and so lost the challenge in event {event}",
            player=player,
            event=number,
        )
        own = phrase("you declined, and so lost the challenge in event {event}", event=number)
    return _cancel(call, board, seat, (event, own), act="decline")


def _name(board: Board) -> dict[str, object]:
    return {"board": board.id, "event": board.event}


def require_no_event(board: Board, why: str) -> None:
    """Refuse an act that boards of events do not allow."""
    if board.event is not None:
        name = board.game.info.name
        raise board.make_refusal(
            RefusalCode.IN_EVENT,
            why,
            f"{name} resign {board.id} {{user}} PASSWORD",
            f"event leave {board.event} {{user}} PASSWORD",
        )


def _load_playing(call: Call) -> tuple[Board, Seat]:
    """Return the board of the command and the sender's seat. Refuse what `_require_playing`
    refuses."""
    return _require_playing(call, call.load_board())


def _require_playing(call: Call, board: Board) -> tuple[Board, Seat]:
    """Return the board and the sender's seat. Refuse a board not running, a seat that no longer
    plays, and a reply to an outdated mail."""
    seat = find_speaking_seat(call, board)
    require_running(board, seat)
    require_in_play(board, seat)
    require_fresh(call, board, seat)
    return board, seat


def _find_open_proposal(call: Call, board: Board, seat: Seat) -> str:
    """Return the kind of proposal that waits for this seat's player. Refuse when there is none, or
    more than one."""
    kind, *others = kinds = _list_open_proposals(call, board, seat)
    if not others:
        return kind
    agreeing = (_split_kind(each) for each in kinds if not each.startswith(TAKES_OVER))
    name, claim = board.game.info.name, f"{board.id} {seat.account} PASSWORD"
    raise board.make_refusal(
        RefusalCode.SEVERAL_PROPOSED,
        phrase("there is more than one proposal: name the one you mean"),
        *(" ".join([name, _VERBS.get(verb, verb), claim, *day]) for verb, *day in agreeing),
        f"{name} reject {claim}",
    )


def _list_open_proposals(call: Call, board: Board, seat: Seat) -> list[str]:
    """Return the kinds of proposals that wait for this seat's player. Refuse when there is none."""
    own = {s.seat for s in board.seats if s.player == seat.player}
    kinds = [kind for kind, by in board.proposals.items() if not own & set(by)]
    if kinds:
        return kinds
    name = board.game.info.name
    lines = [f"{name} show {board.id}"]
    has_moved = any(each.moved for each in board.seats if each.player == seat.player)
    if call.command.verb.name == "reject" and not (has_moved or board.event):
        lines.insert(0, f"{name} decline {board.id} {seat.account} PASSWORD")
    raise board.make_refusal(
        RefusalCode.NOTHING_PROPOSED,
        phrase(
            "there is no offer to {verb} at the moment",
            verb=say_reply_word(call.command.verb.name),
        ),
        *lines,
    )


def _agree(call: Call, board: Board, seat: Seat, kind: str) -> list[Notice]:
    """Record that the player agrees, and carry out the proposal once all who still play do."""
    before = board.snapshot_for_undo()
    seats = [s.seat for s in board.seats if s.player == seat.player]
    is_new = kind not in board.proposals
    if not is_new and seat.seat in board.proposals[kind]:
        raise board.make_refusal(
            RefusalCode.ALREADY_DONE,
            phrase("you have already agreed: the others have to answer"),
            board.show_line,
        )
    comment = call.command.text
    if kind == "draw":
        if drawn := agree_to_draw(call, board, seat, comment, before):
            return notify_changes(call, board, [drawn])
    elif board.propose(kind, [seat.seat, *seats]):
        if kind.startswith(TAKES_OVER):
            return substitutes.agree(call, board, kind)
        if kind == "cancel":
            event = phrase("{player} agreed to cancel the game", player=seat.userid)
            own = phrase("you agreed to cancel the game")
            return _cancel(call, board, seat, (event, own), before)
        if kind.startswith(PAUSE):
            return _begin_pause(call, board, seat, kind)
        return _take_back(call, board, seat, before)
    save(call.session, board, call.now)
    told, own = phrase("{player} agreed", player=seat.userid), phrase("you agreed")
    if is_new:
        move = _find_undo_ply(call, board, seat.seat) + 1 if kind == "undo" else 0
        name, *rest = kind.split()
        values = {"player": seat.userid, "move": move, "day": "".join(rest)}
        told, own = (fill_in(text, **values) for text in _PROPOSED[name])
    agreed = build_change(board, told, own=own, actor=seat.seat, comment=comment)
    proposer = seat.seat if kind == "draw" and is_new else None
    return notify_changes(call, board, follow_up(call, board, [agreed], proposer=proposer))


_VERBS = {"draw": "propose"}


def _split_kind(kind: str) -> list[str]:
    """Return the verb of a kind of proposal, and the rest, which is needed to agree."""
    verb, *day = kind.split()
    return [verb, *(f"until {each}" for each in day)]


def _begin_pause(call: Call, board: Board, seat: Seat, kind: str) -> list[Notice]:
    """Let the clocks stand still until the day that the pause named is over."""
    proposer = board.seats[board.proposals[kind][0]]
    last = date.fromisoformat(kind.removeprefix(PAUSE))
    zone = proposer.preferences.get("zone", "UTC")
    end = clock.find_start_of_day(last + timedelta(days=1), zone)
    board.pause(end, call.now)
    save(call.session, board, call.now)
    day = str(last)
    return notify_board(
        call,
        board,
        phrase("{player} agreed: all clocks stand still until {day}", player=seat.userid, day=day),
        own=phrase("you agreed: all clocks stand still until {day}", day=day),
        actor=seat.seat,
        comment=call.command.text,
    )


def _cancel(
    call: Call,
    board: Board,
    seat: Seat,
    event: tuple[str, str],
    before: UndoState | None = None,
    act: str = "cancel",
) -> list[Notice]:
    board.cancel(seat.seat, call.command.text, call.now, act)
    remark = keep_act(call, board, seat, "cancel", before) if before is not None else ""
    save(call.session, board, call.now)
    told, own = event
    comment = call.command.text
    return notify_board(call, board, told, own=own, actor=seat.seat, comment=comment, remark=remark)


def _find_undo_ply(context: Context, board: Board, seat: int) -> int:
    """Return the ply before the last turn of that seat. Refuse when it has not moved."""
    log = drop_undone(build_entry(row) for row in reads.find_log(context.session, board.id))
    plies = [entry.ply for entry in log if entry.kind == "move" and entry.seat == seat]
    if not plies:
        raise board.make_refusal(
            RefusalCode.NOTHING_TO_UNDO, phrase("you have no move to take back")
        )
    last = plies[-1]
    moves = {entry.ply: entry.seat for entry in log if entry.kind == "move"}
    while last > 1 and moves.get(last - 1) == seat and _is_same_turn(board, log, last):
        last -= 1
    return last - 1


def _is_same_turn(board: Board, log: list[LogEntry], ply: int) -> bool:
    """Whether move `ply` was played in the same turn as the one before it."""
    position = board.game.setup(len(board.seats), board.options)
    turn = -1
    for entry in log:
        if entry.kind == "move" and entry.ply == ply - 1:
            turn = position.turn
        if entry.kind == "move" and entry.ply == ply:
            return position.turn == turn
        position = apply_entry(position, entry)
    return False


def _take_back(call: Call, board: Board, seat: Seat, before: UndoState) -> list[Notice]:
    asker = board.proposals["undo"][0]
    ply = _find_undo_ply(call, board, asker)
    log = [build_entry(row) for row in reads.find_log(call.session, board.id)]
    board.take_back(ply, asker, call.command.text, log, call.now)
    remark = keep_act(call, board, seat, "undo", before)
    save(call.session, board, call.now)
    event = phrase("back to the start")
    if ply:
        event = phrase("back to the position after move {move}", move=ply)
    comment = call.command.text
    return notify_board(call, board, event, actor=seat.seat, comment=comment, remark=remark)


def _accept_invitation(call: Call, board: Board, seat: Seat) -> list[Notice]:
    """Accept for all seats of the player; the board starts once everybody has accepted. Where
    players are anonymous, the others do not learn which seat has answered and when: the time could
    give a person away."""
    board.accept(seat.player, call.now)
    save(call.session, board, call.now)
    comment = call.command.text
    if board.state == "running":
        return notify_new_board(call, board, actor=seat.seat, comment=comment)
    told, own = phrase("{player} accepted", player=seat.userid), phrase("you accepted")
    change = build_change(board, told, own=own, actor=seat.seat, comment=comment)
    if board.is_anonymous and not comment:
        change = structs.replace(change, private=True)
    return notify_changes(call, board, [change])


# Taking back one's own resignation or acceptance, once for each kind of act on a board.

_RETRACTED: Mapping[str, str] = {
    "resign": phrase("the resignation"),
    "draw": phrase("the acceptance of the draw"),
    "undo": phrase("the acceptance of the undo"),
    "cancel": phrase("the cancellation"),
}
_ONCE: Mapping[str, str] = {
    "resign": phrase(
        "you can take back a resignation once on each board: the next one here is final"
    ),
    "draw": phrase(
        "you can take back the acceptance of a draw once on each board: the next one here is final"
    ),
    "undo": phrase(
        "you can take back the acceptance of an undo once on each board: the next one here is final"
    ),
    "cancel": phrase(
        "you can take back a cancellation once on each board: the next one here is final"
    ),
}


def retract(call: Call, board: Board, seat: Seat) -> list[Notice]:
    """Take back the sender's own last act and continue as before it."""
    log = [build_entry(row) for row in reads.find_log(call.session, board.id)]
    act = board.retract(seat.seat, call.command.text, log, call.now)
    save(call.session, board, call.now)
    what = _RETRACTED[act]
    return notify_board(
        call,
        board,
        phrase("{player} took back {what}", player=seat.userid, what=what),
        own=phrase("you took back {what}", what=what),
        actor=seat.seat,
        comment=call.command.text,
        remark=_ONCE[act],
    )
