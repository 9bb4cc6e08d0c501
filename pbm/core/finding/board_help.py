"""Help in a reply to a board's mail: what can be written there, the legal moves, the rules."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from pbm.core.finding import help_pages
from pbm.core.finding.list_notices import HelpPage
from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.seat import Seat
from pbm.core.kernel.boards.storing import load
from pbm.core.kernel.boards.view import find_thread, is_analysable
from pbm.core.kernel.context import Context
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.talk import Question
from pbm.core.kernel.language.titles import find_title
from pbm.core.kernel.notices.boards import BoardHelp
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import prefers_words
from pbm.locale import Page
from pbm.rules.phrases import phrase
from pbm.store import reads

_MOST_MOVES = 150
_CHAT = ("chat TEXT", phrase("write to the others"))
_PRESS = ("press to all", phrase("write to all, or to the powers named, the text below"))
_RULES = ("rules", phrase("how the game is played"))
_OVER = (("rematch", phrase("play again with the seats swapped")), _CHAT, _RULES)
_ANALYSE = ("analyse", phrase("the three turns that changed the most"))
_INVITED = (("accept", phrase("play")), ("decline", phrase("do not play")), _CHAT, _RULES)
_ORDERING = [
    ("ready", phrase("no more orders: your other units hold")),
    ("wait", phrase("keep the phase open until its deadline")),
]
_PLAYING = (("draw", phrase("offer a draw")), ("resign", phrase("give up the game")))


def find_board_help(call: Call) -> list[Notice]:
    """Return the help that a player asks for in a reply to a mail about a board; none where the
    words ask for another page, or nobody proves to play there."""
    command = call.command
    if command.game or not command.sender.board or call.player is None:
        return []
    topic = " ".join(command.words).lower().rstrip(".?!")
    if topic not in ("", *Question) or call.asleep:
        return []
    row = reads.find_board(call.session, command.sender.board)
    if row is None or row.state == "sleeping":
        return []
    board = load(call.session, row.id, lock=False)
    if all(seat.player != call.player.id for seat in board.seats):
        return []
    if topic == Question.BOARD:
        call.command = replace(command, words=(str(board.id),), board=board.id)
        return call.do_as("showas")
    if topic == Question.RULES:
        write = partial(_write_rules, board.game.info.name, wants_words(call))
        return [call.answer(HelpPage(topic=board.game.info.name, text=Page(write)))]
    return [_build_help(call, board, board.find_seat(call.player))]


def _write_rules(game: str, in_words: bool, language: str) -> str:
    """Return the page of a game in a language."""
    return help_pages.find_page(game, in_words=in_words, language=language)[1]


def wants_words(context: Context) -> bool:
    """Whether whoever asks prefers boards in words."""
    return context.player is not None and prefers_words(context.player.preferences)


def _build_help(call: Call, board: Board, seat: Seat) -> Notice:
    is_on_move = board.state == "running" and seat.seat in board.position.to_move
    position = board.position
    moves = position.legal_moves(seat.seat) if is_on_move else ()
    shown = [position.describe(seat.seat, move, seat.seat) for move in moves[:_MOST_MOVES]]
    content = BoardHelp(
        game=board.game.info.name,
        board=board.id,
        title=find_title(board.game.info.name),
        words=_list_words(call, board, seat, shown[0] if shown else ""),
        to_move="" if is_on_move or board.is_over else board.join_userids(position.to_move),
        moves=shown,
        count=len(moves),
    )
    return replace(call.answer(content), thread=find_thread(board, seat.seat))


def _list_words(context: Context, board: Board, seat: Seat, example: str) -> list[tuple[str, str]]:
    """Return what can be written at the board as it stands, each with what it does."""
    if board.is_over:
        rematch, *others = _OVER
        analyse = [_ANALYSE] if is_analysable(context.config, board) else []
        return [rematch, *analyse, *others]
    if board.state == "invited":
        return [*(_INVITED[2:] if seat.accepted else _INVITED)]
    words = list[tuple[str, str]]()
    if any(seat.seat not in by for by in board.proposals.values()):
        words += [
            ("accept", phrase("agree to what is proposed")),
            ("reject", phrase("do not agree")),
        ]
    takes_orders = board.position.takes_orders
    if takes_orders:
        words += (
            [(example, phrase("an order")), ("moves", phrase("the orders you can give"))]
            if example
            else []
        )
        words += _ORDERING
    elif example:
        words += [(example, phrase("a move")), ("moves", phrase("your legal moves"))]
    else:
        words += [("queue MOVE", phrase("a move for when your turn comes"))]
    if takes_orders and seat.moved:
        pass  # orders are replaced, not taken back
    elif seat.moved:
        words += [("undo", phrase("ask to take back your last move"))]
    else:
        words += [("decline", phrase("do not play; allowed until you move"))]
    press = board.position.press
    talk = [] if press == "none" else [_PRESS] if press else [_CHAT]
    return [*words, *_PLAYING, *talk, _RULES]
