"""Builds the view of a board that mails and pages show: picture, seats, last moves, whose turn."""

from __future__ import annotations

from collections.abc import Mapping

from pbm.core.language.board_options import format_server
from pbm.core.model import board_clocks, rating_changes
from pbm.core.model.board import Board, join_names
from pbm.core.model.notices.appearance import Appearance
from pbm.core.model.notices.board_notices import BoardView, Proposal
from pbm.core.model.notices.notice import Thread
from pbm.core.model.player import format_name, prefers_words
from pbm.core.model.seat import Seat
from pbm.core.views.board_log import BoardLog, name_player
from pbm.core.views.plan_view import summarize_plan
from pbm.rules import Outcome, Picture, Value
from pbm.rules.examples import find_example

_FEW_MOVES = 40
_NO_PICTURE = Picture((), ())
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_PROPOSED = {"draw": "a draw", "undo": "to take back a move", "cancel": "to cancel the board"}


def build_view(
    board: Board,
    viewer: int | None,
    log: BoardLog,
    *,
    in_words: bool = False,
    is_drawn: bool = True,
) -> BoardView:
    """The board as one seat, or (None) a spectator, may see it: in words if that seat's player
    prefers them, or if `in_words`. Unless `is_drawn`, there is no picture as text and no example
    of a move, and the seats are sentences rather than columns."""
    position, info = board.position, board.game.info
    seat = None if viewer is None else board.seats[viewer]
    in_words |= seat is not None and prefers_words(seat.preferences)
    on_move = viewer in position.to_move and board.state == "running"
    is_early = board.ply < 2 * len(board.seats)
    has_dice = "chance" in info.features
    last = log.last_moves
    return BoardView(
        game=info.name,
        title=info.title,
        board=board.id,
        picture=log.draw(board, viewer) if is_drawn else _NO_PICTURE,
        appearance=Appearance(board.shown, viewer, last, is_stopped=board.state != "running"),
        in_words=in_words,
        colours=position.colours,
        people=_describe_seats(board, viewer, in_words=in_words or not is_drawn),
        options=format_options(board.options),
        terms=format_server(board.control, unrated=not board.rated and board.state != "cancelled"),
        log=log.sentences(viewer) if in_words else log.lines(viewer),
        state=board.state,
        status=describe_state(board, viewer),
        reason=name_player(board, board.outcome.reason) if board.outcome else "",
        is_seated=seat is not None,
        on_move=on_move,
        accepted=seat is not None and seat.accepted,
        moved=seat is not None and seat.moved,
        rolled=has_dice and board.number > board.ply,
        until=board_clocks.format_deadline(board, seat, log.now) if on_move and seat else "",
        userid=seat.userid if seat is not None else "USERID",
        text_only=seat is not None and seat.preferences.get("mail") == "text",
        example=find_example(position, viewer)
        if on_move and viewer is not None and is_early and is_drawn
        else "",
        can_be_drawn=not info.is_decisive,
        next_first=_find_next_first(board),
        ply=board.ply,
        next_ply=board.next_ply,
        to_move="" if board.is_over else board.join_userids(position.to_move),
        names=" ".join(each.userid for each in board.seats),
        ranks=" ".join(map(str, board.outcome.ranks)) if board.outcome else "*",
        proposals=_list_proposals(board, viewer),
        ratings=rating_changes.format_changes(log.ratings),
        rated_as=rating_changes.format_points(log.ratings, len(board.seats)),
        commitment=board.commitment if has_dice else "",
        secret=board.secret.hex() if board.is_over and has_dice else "",
        plan=summarize_plan(seat.current_plan) if seat is not None and seat.plan else (),
        notes=log.notes_of(seat) if seat is not None and seat.notes else (),
        event=board.event or 0,
        pool=board.pool,
    )


def find_thread(board: Board, seat: int | None) -> Thread:
    """The thread of mails about the board to that seat, or (None) to spectators."""
    names = tuple(each.userid for each in board.seats)
    return Thread(board.game.info.name, board.id, seat, board.next_ply, board.undos, names)


def list_few_moves(board: Board, viewer: int) -> tuple[str, ...]:
    """The legal moves of a seat that is to move, if they are few enough to offer as links."""
    if board.state != "running" or viewer not in board.position.to_move:
        return ()
    moves = board.position.legal_moves(viewer)
    return tuple(moves) if len(moves) <= _FEW_MOVES else ()


def build_headline(
    board: Board, viewer: int | None, event: str = "", *, is_new: bool = False
) -> str:
    """The subject after the bracket: whose move it is or who won, with the ply, and what
    happened; nothing but that for a board that `is_new`."""
    number = f"({board.next_ply})"
    tail = f", {event}" if event else ""
    if board.is_over:
        return f"{_describe_result(board)} ({board.ply})"
    if board.state == "sleeping":
        return f"asleep: {', '.join(seat.userid for seat in board.seats)}"
    if board.state == "invited":
        return f"invitation: {', '.join(seat.userid for seat in board.seats)}"
    if is_new:
        return event
    to_move = board.position.to_move
    if viewer in to_move:
        return f"your move {number}{tail}"
    return f"{board.join_userids(to_move)} to move {number}{tail}"


def _describe_result(board: Board) -> str:
    """Who won, or that it is a tie, or that it was cancelled."""
    outcome = board.outcome
    if outcome is None:
        return "cancelled"
    names = list(dict.fromkeys(board.seats[seat].userid for seat in outcome.winners))
    if len(outcome.winners) == len(board.seats):
        return "draw"
    return f"{join_names(names)} won" if len(outcome.winners) == 1 else f"{join_names(names)} tie"


def describe_state(board: Board, viewer: int | None, *, has_reason: bool = True) -> str:
    """Whose turn it is, or how the board ended and (`has_reason`) why, in words for a seat or
    (None) a spectator."""
    seat = None if viewer is None else board.seats[viewer]
    if board.state == "cancelled":
        return "the game is cancelled"
    if board.state == "sleeping":
        return "the game is asleep"
    if board.state == "invited":
        is_asked = seat is not None and not seat.accepted
        return "will you play?" if is_asked else "it starts when everybody has accepted"
    outcome = board.outcome
    if board.state == "over" and outcome is not None:
        reason = name_player(board, outcome.reason).removeprefix("a draw ")
        result = f"{_describe_result_for(board, outcome, seat)} ({board.ply})"
        return f"{result}: {reason}" if has_reason else result
    if viewer in board.position.to_move:
        return f"it is your move ({board.next_ply})"
    to_move = board.join_userids(board.position.to_move)
    return f"it is {to_move}'s turn ({board.next_ply})" if to_move else "chance decides"


def _describe_result_for(board: Board, outcome: Outcome, seat: Seat | None) -> str:
    """Who won, as that seat or (None) a spectator reads it."""
    if len(outcome.winners) == len(board.seats):
        return "the game is drawn"
    winners = {board.seats[winner].player: board.seats[winner].userid for winner in outcome.winners}
    if seat is not None and winners.pop(seat.player, ""):
        return f"you share the win with {join_names([*winners.values()])}" if winners else "you won"
    return f"{join_names([*winners.values()])} {'won' if len(winners) == 1 else 'share the win'}"


def format_options(options: Mapping[str, Value]) -> str:
    """Options as one would type them."""
    return " ".join(
        f"-{name}" if value is True else f"-{name}={value}" for name, value in options.items()
    )


def _list_proposals(board: Board, viewer: int | None) -> list[Proposal]:
    """What is proposed, as the viewer is told."""
    own = None if viewer is None else board.seats[viewer].player
    return [
        Proposal(
            proposer=board.seats[by[0]].userid,
            what=_PROPOSED[kind],
            missing=board.join_userids(board.position.playing - set(by)),
            is_own=board.seats[by[0]].player == own,
            is_asked=viewer in board.position.playing and viewer not in by,
        )
        for kind, by in board.proposals.items()
    ]


def _describe_seats(board: Board, viewer: int | None, *, in_words: bool) -> list[str]:
    """A line a seat: userid and name, seat name, rank or whose turn; in columns unless
    `in_words`."""
    position = board.position
    names, to_move, playing = position.seat_names, position.to_move, position.playing
    is_running = board.state == "running"
    people = [format_name(seat.userid, seat.preferences) for seat in board.seats]
    width = max(map(len, people))
    name_width = max(len(name) for name in names)
    lines = []
    for seat, player in zip(board.seats, people, strict=True):
        notes = []
        if seat.seat == viewer:
            notes.append("you")
        if is_running and seat.seat in to_move:
            notes.append("to move")
        if is_running and seat.seat not in playing:
            notes.append("out")
        if board.outcome is not None:
            notes.append(_describe_rank(board.outcome, seat.seat))
        if board.state == "invited":
            notes.append("accepted" if seat.accepted else "no answer yet")
        if in_words:
            lines.append(f"{player}: {', '.join([names[seat.seat], *notes])}.")
            continue
        line = f"  {player:<{width}}  {names[seat.seat]:<{name_width}}  {', '.join(notes)}"
        lines.append(line.rstrip())
    return lines


def _find_next_first(board: Board) -> str:
    """Who would move first in a rematch; "" when one player has all seats."""
    next_first = board.seats[1 % len(board.seats)]
    return "" if next_first.player == board.seats[0].player else next_first.userid


def _describe_rank(outcome: Outcome, seat: int) -> str:
    """What the outcome is for a seat: won, lost, draw; 1st, 2nd, 3rd ... of three or more."""
    rank, seats = outcome.ranks[seat], len(outcome.ranks)
    if len(outcome.winners) == seats:
        return "draw"
    if seats == 2:
        return "won" if rank == 1 else "lost"
    return f"{rank}{_ORDINALS.get(rank, 'th')}"
