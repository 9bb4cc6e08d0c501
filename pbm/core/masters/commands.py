"""`master`: what the player who runs a board does there; all are told, and the audit has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbm.core.kernel.audit_log import add_audit_row
from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.clock import DAY, format_duration, read_time
from pbm.core.kernel.boards.log import build_entry
from pbm.core.kernel.boards.storing import save
from pbm.core.kernel.boards.turns import build_show_line, end_orders
from pbm.core.kernel.boards.updates import build_change, notify_changes
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.masters.rows import find_master
from pbm.store import reads

_LONGEST = 366.0


def master(call: Call) -> list[Notice]:
    """Do what the master orders. Refuse everybody else, and a board that is not running."""
    board = call.load_board()
    if find_master(call.session, board.id) != call.me.id and not _is_operator(call):
        raise Refusal(
            RefusalCode.NOT_SEATED,
            f"you are not the master of board {board.id}",
            build_show_line(board),
            board=board.id,
        )
    if board.state != "running":
        raise Refusal(
            RefusalCode.WRONG_STATE,
            f"board {board.id} is not running",
            build_show_line(board),
            board=board.id,
        )
    act, *words = (*(word.lower() for word in call.command.words), "")
    do = _ACTS.get(act)
    if do is None:
        raise _refuse(board, "a master may extend DAYS, process, vacate POWER, or go back N")
    return do(call, board, [word for word in words if word])


def _is_operator(call: Call) -> bool:
    """Whether the operator does it at the terminal, in whoever's name."""
    sender = call.command.sender
    return sender.operator and sender.via == "terminal"


def _refuse(board: Board, reason: str) -> Refusal:
    line = f"{board.game.info.name} master {board.id} {{user}} PASSWORD"
    return Refusal(
        RefusalCode.BAD_ARGUMENT,
        reason,
        f"{line} extend 3",
        f"{line} process",
        board=board.id,
    )


def _tell(call: Call, board: Board, act: str) -> list[Notice]:
    """Save the board, record what the master did, and tell everybody, the master too."""
    save(call.session, board, call.now)
    _record(call, board, act)
    is_master = find_master(call.session, board.id) == call.me.id
    who = f"the master, {call.me.userid}," if is_master else "the operator"
    change = build_change(board, f"{who} {act}")
    return notify_changes(call, board, [change])


def _record(call: Call, board: Board, act: str) -> None:
    add_audit_row(call, call.me.userid, f"master {act}", player=call.me.id, board=board.id)


def _extend(call: Call, board: Board, words: Sequence[str]) -> list[Notice]:
    """Move the deadline of this phase."""
    text = words[0] if len(words) == 1 else ""
    span = read_time(text if text[-1:] in ("d", "h") else f"{text}d")
    if span is None or span[1] or not span[0] <= _LONGEST:
        raise _refuse(board, "say by how many days, or hours, the phase is to be longer")
    board.begin_act()
    board.moved += span[0] * DAY
    for seat in board.seats:
        seat.stop_clock(seat.spent)
    return _tell(call, board, f"made this phase longer, by {format_duration(span[0])}")


def _process(call: Call, board: Board, words: Sequence[str]) -> list[Notice]:
    """End the phase: units without orders hold."""
    if words:
        raise _refuse(board, "process takes no more words")
    _record(call, board, "process")
    return end_orders(call, board, board.on_move)


def _vacate(call: Call, board: Board, words: Sequence[str]) -> list[Notice]:
    """Let somebody else take a power over; until then it is in civil disorder."""
    names = board.position.seat_names
    wanted = " ".join(words)
    playing = sorted(board.position.playing)
    found = [seat for seat in playing if wanted and names[seat].lower().startswith(wanted)]
    if len(found) != 1:
        raise _refuse(board, f"name one power: {', '.join(names[seat] for seat in playing)}")
    board.begin_act()
    board.forfeit(found[0], call.now, "was removed by the master")
    return _tell(call, board, f"opened {names[found[0]]} to another player")


def _go_back(call: Call, board: Board, words: Sequence[str]) -> list[Notice]:
    """Return to the position after so many moves."""
    text = words[0].lstrip("#") if len(words) == 1 else ""
    if not text.isascii() or not text.isdecimal() or int(text) >= board.ply:
        raise _refuse(board, f"say after which move, from 0 to {max(board.ply - 1, 0)}")
    log = [build_entry(row) for row in reads.find_log(call.session, board.id)]
    secret = call.secrets.generate_board_secret()
    board.begin_act()
    board.roll_back(int(text), "", log, call.now, secret)
    return _tell(call, board, f"took the board back to the position after move {text}")


_ACTS: Mapping[str, Callable[[Call, Board, Sequence[str]], list[Notice]]] = {
    "extend": _extend,
    "process": _process,
    "vacate": _vacate,
    "back": _go_back,
}
