"""What the operator can do to boards, and the lists of boards and moves. Nothing here commits."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, select

from pbm.core.board import Board
from pbm.core.feature import ActRow, Argument, Asked, Bulk, Chosen, Filter, ListRow, narrow
from pbm.core.log import build_entry, drop_undone
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct, refuse_changed
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import load, save
from pbm.core.updates import build_change, notify_board, notify_changes
from pbm.core.view import BoardSummary, summarize_boards
from pbm.games import hides
from pbm.rules import Outcome
from pbm.rules.phrases import combine, phrase, unpack
from pbm.store import reads
from pbm.store.rows import Query
from pbm.store.tables import BoardRow, MoveRow, boards, moves, players, seats
from pbm.store.transaction import Session

OPEN = ("sleeping", "invited", "running")
_NEW_DICE = phrase(
    "Its secret is out, so the dice follow from another one, whose hash stands below"
)


def cancel(act: OperatorAct, number: int) -> list[Notice]:
    """End a board without a result. Refused when it is over."""
    board = _load_open(act, number)
    _require_that_it_can_go_on(act, board)
    board.cancel(None, act.give_reason(phrase("{who} cancels", who=act.who)), act.now)
    save(act.session, board, act.now)
    act.record("cancel", board=board.id, undo=("cancel", board.id, board.number))
    told = act.give_reason(phrase("{who} cancelled this board", who=act.who))
    return notify_board(act.context, board, told)


def undo_cancel(act: OperatorAct, number: int, last: int) -> list[Notice]:
    """Reopen a cancelled board, if its log still ends with the entry of that number."""
    if load(act.session, number, anyway=True).number != last:
        raise refuse_changed()
    return reopen(act, number)


def _require_that_it_can_go_on(act: OperatorAct, board: Board) -> None:
    """Refuse a moderator the end of a board that would reveal hidden information: a moderator's
    acts must be undoable."""
    if act.is_moderators and board.is_hidden and board.ply:
        raise Refusal(
            RefusalCode.NOT_PERMITTED,
            phrase(
                "the end of board {board} would show everybody what it hides, which cannot be "
                "undone: only the operator may end it",
                board=board.id,
            ),
        )


def adjudicate(act: OperatorAct, number: int, ranks: tuple[int, ...]) -> list[Notice]:
    """End a board with these ranks of its seats. Refused for invalid ranks and a finished board."""
    board = _load_open(act, number)
    if board.state == "invited":
        raise Refusal(
            RefusalCode.NOT_STARTED,
            phrase("board {board} has not started: cancel it", board=number),
        )
    if len(ranks) != len(board.seats) or any(
        rank != 1 + sum(other < rank for other in ranks) for rank in ranks
    ):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "give a rank for each of the {seats} seats, 1 for the best, the same for ties: "
                "1,2 or 1,1",
                seats=len(board.seats),
            ),
        )
    _require_that_it_can_go_on(act, board)
    reason = act.give_reason(phrase("{who} decided", who=act.who))
    board.adjudicate(Outcome(ranks, reason), act.now)
    save(act.session, board, act.now)
    undo = ("adjudicate", board.id, board.number)
    act.record(f"adjudicate {','.join(map(str, ranks))}", board=board.id, undo=undo)
    return notify_board(act.context, board, reason)


def undo_adjudication(act: OperatorAct, number: int, last: int) -> list[Notice]:
    """Go on with an adjudicated board, if its log still ends with the entry of that number."""
    board = load(act.session, number, lock=True)
    if board.number != last:
        raise refuse_changed()
    return _go_back(act, board, board.ply)


def read_ranks(text: str) -> tuple[int, ...]:
    """Return a rank for each seat. ValueError for anything else."""
    ranks = text.split(",")
    if not all(rank.isdigit() for rank in ranks):
        raise ValueError(phrase("RANKS is one number for each seat, separated by commas: 1,2"))
    return tuple(map(int, ranks))


def roll_back(act: OperatorAct, number: int, ply: int) -> list[Notice]:
    """Take a running or finished board back to the position after `ply` moves. Refused for a board
    that never had that many, has not begun or was imported."""
    board = load(act.session, number, lock=True)
    if not (board.ply or all(seat.accepted for seat in board.seats)):
        raise Refusal(
            RefusalCode.NOT_STARTED, phrase("board {board} has not started", board=number)
        )
    _require_own(board)
    if not 0 <= ply <= board.ply:
        raise Refusal(
            RefusalCode.NO_SUCH_PLY,
            phrase("board {board} has only had {ply} moves", board=number, ply=board.ply),
        )
    return _go_back(act, board, ply)


def _require_own(board: Board) -> None:
    if not board.secret:
        raise Refusal(
            RefusalCode.WRONG_STATE,
            phrase("board {board} was imported and cannot be changed", board=board.id),
        )


def _go_back(act: OperatorAct, board: Board, ply: int) -> list[Notice]:
    log = [build_entry(row) for row in reads.find_log(act.session, board.id)]
    secret = act.secrets.generate_board_secret()
    noted = act.give_reason(phrase("{who} took back", who=act.who))
    board.roll_back(ply, noted, log, act.now, secret)
    has_new_secret = board.secret == secret
    save(act.session, board, act.now)
    act.record(f"rollback to {ply}", board=board.id)
    done = phrase("{who} took the board back to the start", who=act.who)
    if ply:
        done = phrase(
            "{who} took the board back to the position after move {move}", who=act.who, move=ply
        )
    event = act.give_reason(done)
    sentence = combine("{event}. {dice}", event=event, dice=_NEW_DICE) if has_new_secret else ""
    change = build_change(board, event, sentence=sentence)
    return notify_changes(act.context, board, [change])


def reopen(act: OperatorAct, number: int) -> list[Notice]:
    """Go on with a board that was cancelled or declined. Refused for any other, for one whose
    hidden information was revealed, and where somebody can no longer play."""
    board = load(act.session, number, lock=True, anyway=True)
    if board.state != "cancelled":
        raise Refusal(
            RefusalCode.WRONG_STATE,
            phrase("board {board} was not cancelled: there is nothing to reopen", board=number)
            if not board.is_over
            else phrase(
                "board {board} ended with a result: pbm admin rollback takes it back", board=number
            ),
        )
    _require_own(board)
    if board.is_hidden and board.ply:
        raise Refusal(
            RefusalCode.WRONG_STATE,
            phrase(
                "what board {board} hides has been shown to everybody: begin another", board=number
            ),
        )
    for seat in board.seats:
        if not seat.is_active:
            raise Refusal(
                RefusalCode.PLAYER_UNAVAILABLE,
                phrase("the account of {userid} is not open", userid=seat.account),
            )
    log = [build_entry(row) for row in reads.find_log(act.session, number)]
    noted = act.give_reason(phrase("{who} reopened", who=act.who))
    secret = act.secrets.generate_board_secret()
    board.reopen(noted, log, act.now, secret)
    has_new_secret = board.secret == secret
    save(act.session, board, act.now)
    act.record("reopen", board=board.id)
    event = act.give_reason(phrase("{who} reopened this board", who=act.who))
    sentence = combine("{event}. {dice}", event=event, dice=_NEW_DICE) if has_new_secret else ""
    return notify_changes(act.context, board, [build_change(board, event, sentence=sentence)])


def find_open(session: Session, asked: Asked) -> list[Chosen]:
    """Return the open boards of a player, or those made since a time."""
    rows = _find_boards(session, asked["player"], boards.c.state.in_(OPEN))
    since = asked["since"] or 0.0
    return [_choose(session, row, (row.id,)) for row in rows if row.created >= since]


def find_open_of(session: Session, userid: str) -> list[Chosen]:
    """Return the open boards of a player, those that end with a ban among them."""
    return find_open(session, {"player": userid, "since": None})


def cancel_all(act: OperatorAct, player: int) -> list[Notice]:
    """End the open boards of a player without a result."""
    own = select(seats.c.board_id).where(seats.c.player_id == player)
    is_open = boards.c.id.in_(own) & boards.c.state.in_(OPEN)
    numbers = act.session.execute(select(boards.c.id).where(is_open).order_by(boards.c.id))
    return [notice for number in numbers.scalars().all() for notice in cancel(act, number)]


def find_to_roll_back(session: Session, asked: Asked) -> list[Chosen]:
    """Return the boards on which a player did something since a time that still counts, each with
    the number of moves before that."""
    if asked["since"] is None:
        raise Refusal(RefusalCode.BAD_ARGUMENT, phrase("say since when: --since yesterday"))
    found = []
    is_played = boards.c.state.in_(("running", "over")) & (boards.c.secret != b"")
    for row in _find_boards(session, asked["player"], is_played):
        own = {
            seat.seat
            for seat in reads.find_seats(session, row.id)
            if seat.userid.lower() == asked["player"].lower()
        }
        entries = drop_undone(map(build_entry, reads.find_log(session, row.id)))
        plies = [
            entry.ply - (entry.kind == "move")
            for entry in entries
            if entry.seat in own and entry.at >= asked["since"]
        ]
        if plies:
            found.append(_choose(session, row, (row.id, min(plies)), back_to=min(plies)))
    return found


def _find_boards(session: Session, userid: str, condition: ColumnElement[bool]) -> list[BoardRow]:
    own = select(seats.c.board_id).join(players, players.c.id == seats.c.player_id)
    named = own.where(players.c.name == userid.lower())
    query = select(boards).where(boards.c.id.in_(named), condition).order_by(boards.c.id)
    return list(session.all(Query(BoardRow, query)))


def _choose(session: Session, row: BoardRow, values: tuple[int, ...], **more: int) -> Chosen:
    people = [seat.userid for seat in reads.find_seats(session, row.id)]
    shown = {"board": row.id, "game": row.game, "players": people, "state": row.state}
    return Chosen(values, {**shown, "moves": row.ply, **more})


def _load_open(act: OperatorAct, number: int) -> Board:
    board = load(act.session, number, lock=True, anyway=True)
    if board.is_over:
        raise Refusal(RefusalCode.BOARD_OVER, phrase("board {board} is over", board=number))
    return board


# Boards and moves, for the operator, as spectators see them.


class SpectatedMoveRow(MoveRow):
    """A move, with its game and player."""

    game: str
    userid: str | None


def list_boards(session: Session, asked: Asked) -> list[dict[str, Any]]:
    """Return boards, newest first, or the overdue ones, longest wait first."""
    table = boards
    by = table.c.moved if asked["overdue"] else table.c.id.desc()
    query = narrow(select(table).order_by(by), asked, table.c.created, table.c.id)
    if asked["overdue"]:
        query = query.where(table.c.state == "running")
    for name in ("game", "state"):
        query = query.where(table.c[name] == asked[name]) if asked[name] else query
    if asked["player"]:
        own = select(seats.c.board_id).join(players, players.c.id == seats.c.player_id)
        named = own.where(players.c.name == asked["player"].lower())
        query = query.where(table.c.id.in_(named))
    rows = session.all(Query(BoardRow, query))
    return [show_board(each) for each in summarize_boards(session, rows, for_operator=True)]


def show_board(board: BoardSummary) -> dict[str, object]:
    """Return a board as a row of the list."""
    return {
        "board": board.id,
        "game": board.game,
        "title": board.title,
        "state": board.state,
        "players": [seat.name for seat in board.seats],
        "to_move": [seat.name for seat in board.seats if seat.is_on_move],
        "ply": board.ply,
        "options": board.options,
        "rated": bool(board.rated),
        "moved": board.moved,
        "created": board.created,
    }


def list_moves(session: Session, asked: Asked) -> list[dict[str, Any]]:
    """Return the latest moves on all boards."""
    table = moves
    query = (
        select(table, boards.c.game, players.c.userid)
        .join(boards, boards.c.id == table.c.board_id)
        .outerjoin(seats, (seats.c.board_id == table.c.board_id) & (seats.c.seat == table.c.seat))
        .outerjoin(players, players.c.id == seats.c.player_id)
        .order_by(table.c.at.desc(), table.c.board_id, table.c.number.desc())
    )
    query = narrow(query, asked, table.c.at)
    query = query.where(table.c.board_id == asked["board"]) if asked["board"] else query
    if asked["player"]:
        query = query.where(players.c.name == asked["player"].lower())
    return [
        {
            "at": row.at,
            "board": row.board_id,
            "game": row.game,
            "number": row.number,
            "ply": row.ply,
            "kind": row.kind,
            "seat": row.seat,
            "userid": row.userid,
            "move": unpack(row.words) if row.words and hides(row.game) else row.move,
        }
        for row in session.all(Query(SpectatedMoveRow, query))
    ]


# What the operator looks at, and does to boards.

LISTS = (
    ListRow(
        "boards",
        "boards, newest first",
        "Boards, newest first.",
        list_boards,
        (
            "game",
            Filter(
                "state",
                "only in this state",
                choices=("sleeping", "invited", "running", "over", "cancelled"),
            ),
            "player",
            Filter("overdue", "only running ones, longest wait first", is_flag=True),
        ),
        times=("moved", "created"),
    ),
    ListRow(
        "moves",
        "the latest moves on all boards",
        "The latest moves on all boards, as spectators see them.",
        list_moves,
        ("board", "player"),
        times=("at",),
        has_numbers=False,
    ),
)

_BOARD = Argument("number", "board")

ACTS = (
    ActRow(
        "cancel",
        "end a board without a result",
        "End a board without a result; with --player, all open boards of a player, or those that "
        "began since a time. They are shown first.",
        "End board {number} without a result?",
        cancel,
        (_BOARD,),
        bulk=Bulk(find_open, "End these {count} boards without a result?"),
        for_moderators=True,
        undo=undo_cancel,
    ),
    ActRow(
        "reopen",
        "go on with a board that was cancelled or declined",
        "Go on with a board that was cancelled or declined, as it was before: whoever is to move "
        "has the whole time for it, and it is rated if it was. The players are told. A board whose "
        "hidden things everybody has been shown by its end cannot go on.",
        "Reopen board {number}?",
        reopen,
        (_BOARD,),
    ),
    ActRow(
        "adjudicate",
        "end a board with a result you decide",
        "End a board with a result: RANKS is a rank for each seat, 1,2 or 1,1 for a tie.",
        "End board {number} with the ranks {ranks}?",
        adjudicate,
        (_BOARD, Argument("ranks", reads=read_ranks)),
        for_moderators=True,
        undo=undo_adjudication,
    ),
    ActRow(
        "rollback",
        "take a board back to an earlier move",
        "Take a board, running or finished, back to the position after PLY moves; with --player "
        "and --since, each board to where it was before what that player did on it since then. "
        "They are shown first.\n\n\b\n  pbm admin rollback --player eve --since yesterday",
        "Take board {number} back to the position after move {ply}?",
        roll_back,
        (_BOARD, Argument("ply", "number")),
        bulk=Bulk(find_to_roll_back, "Take these {count} boards back?"),
    ),
)
