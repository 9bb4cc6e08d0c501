"""Previews: a board after some moves, as a spectator would see it. Nothing is stored or rolled."""

from __future__ import annotations

from msgspec import structs

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.log_view import BoardLog
from pbm.core.kernel.boards.view import build_view, format_options
from pbm.core.kernel.language.board_options import read_terms, suggest_options
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.titles import find_title
from pbm.core.kernel.language.words import parse_number
from pbm.core.kernel.notices.appearance import Appearance
from pbm.core.kernel.notices.boards import NewBoardPreview, Preview
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.play.moves import replace_position, try_moves
from pbm.games import get_game
from pbm.rules import CHANCE_TO_MOVE, OptionError, Position
from pbm.rules.phrases import get_text, phrase


def preview(call: Call) -> list[Notice]:
    """Show a board after some moves, up to the first chance; or, with `new n`, a new board."""
    words = call.command.words
    if words and words[0].lower() == "new":
        return [_show_new_board(call)]
    board = call.load_board(lock=False)
    if board.state != "running":
        raise Refusal(
            RefusalCode.BOARD_OVER if board.is_over else RefusalCode.NOT_STARTED,
            phrase("board {board} is over", board=board.id)
            if board.is_over
            else phrase("board {board} is waiting for its players to accept", board=board.id),
            f"{board.game.info.name} show {board.id}",
            board=board.id,
        )
    if not call.command.rest:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("the move is missing"),
            call.command.form,
            board=board.id,
        )
    if board.is_hidden:
        raise Refusal(
            RefusalCode.HIDDEN,
            phrase(
                "{game} hides things from spectators, so it cannot be previewed",
                game=find_title(board.game.info.name),
            ),
            f"{board.game.info.name} submit {board.id} {{user}} PASSWORD MOVE",
            board=board.id,
        )
    after, asks, played = _try_line(call, board, call.command.rest)
    shown = structs.replace(board, position=after)
    view = build_view(shown, None, BoardLog(call, board), in_words=call.wants_words)
    view = structs.replace(
        view, picture=after.picture(None, played), appearance=Appearance(after, None, played)
    )
    return [call.answer(Preview(view=view, submitted=call.command.rest, asks=asks))]


def _try_line(call: Call, board: Board, text: str) -> tuple[Position, bool, tuple[str, ...]]:
    """Try the moves of one turn, or of several turns one after another, as `try_moves` does."""
    words, played, asks = text.split(), list[str](), False
    language = call.language
    while words and not asks:
        refused: Refusal | None = None
        seat = min(board.position.to_move, default=0)
        for size in range(len(words), 0, -1):
            try:
                after, asks, moves = try_moves(board, seat, " ".join(words[:size]), language)
            except Refusal as refusal:
                refused = refused or refusal
                continue
            board, words = replace_position(board, after), words[size:]
            played += moves
            break
        else:
            raise refused or Refusal(RefusalCode.NOT_A_MOVE, phrase("this is no move"))
    return board.position, asks, tuple(played)


def _show_new_board(call: Call) -> Notice:
    if not call.command.game:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT, phrase("the game is missing"), "GAME preview new 2"
        )
    game = get_game(call.command.game)
    form = f"{game.info.name} preview new {game.info.players[0]}"
    terms = read_terms(game, call.command.words[1:], lambda _: form)
    count = terms.userids[0] if terms.userids else str(game.info.players[0])
    try:
        position = game.setup(parse_number(count) or 99, terms.options)
    except OptionError as error:
        raise Refusal(
            RefusalCode.BAD_OPTION, get_text(error), form, *suggest_options(game)
        ) from None
    return call.answer(
        NewBoardPreview(
            game=game.info.name,
            title=find_title(game.info.name),
            players=position.players,
            options=format_options(terms.options),
            picture=position.picture(),
            appearance=Appearance(position, None),
            colours=position.colours,
            in_words=call.wants_words,
            asks=position.to_move == CHANCE_TO_MOVE,
            userid=call.own_userid,
        )
    )
