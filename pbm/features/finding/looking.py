"""Commands that read: boards, lists of boards, standings and games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.intents import find_known, name_panel
from pbm.core.log_view import BoardLog
from pbm.core.notices import BoardShown, BoardsShown, Notice, PlaceShown, Thread
from pbm.core.player import Player, find_player, find_similar_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.refusal_texts import correct_line, refuse_unknown_player
from pbm.core.storing import find_title, load
from pbm.core.view import (
    address_to_seat,
    build_headline,
    build_view,
    describe_state,
    summarize_boards,
)
from pbm.core.words import FILTERS, find_named_game, parse_board_number, parse_number
from pbm.features.finding.archive import Wanted, describe, find_boards, write_next_line
from pbm.features.finding.game_page import rewind
from pbm.features.finding.notices import BoardList, Standings
from pbm.features.finding.players import find_waiting_boards
from pbm.features.finding.rows import find_boards_of_players, find_newest_boards
from pbm.features.ratings.rows import find_standings
from pbm.locale.intents import split_words
from pbm.rules.drawing.scene import Panel, Region, Scene
from pbm.rules.drawing.sentences import list_panel
from pbm.rules.drawing.surroundings import describe_surroundings, find_places
from pbm.rules.examples import find_example
from pbm.rules.phrases import Listing, phrase

if TYPE_CHECKING:
    from pbm.store.tables import BoardRow


_MOST = 100
_MOST_SHOWN = 10
_MAY_BE_PASSWORD = 1000
"""Numbers from this on could be a password, and are not repeated."""
_OPEN = ("running", "invited")
_CLOSED = ("over", "cancelled")
_TITLES = {
    "": phrase("open boards"),
    "active": phrase("active boards"),
    "next": phrase("next boards"),
    "inactive": phrase("inactive boards"),
    "all": phrase("all boards"),
}
_STATES = {"": _OPEN, "active": _OPEN, "next": _OPEN, "inactive": _CLOSED, "all": _OPEN + _CLOSED}


def list_boards(call: Call) -> list[Notice]:
    """List the boards being played, newest first, at most a hundred."""
    names = [call.command.game] if call.command.game else []
    for word in call.command.words:
        name = find_named_game(word)
        if not name:
            raise Refusal(
                RefusalCode.NO_SUCH_GAME, phrase("there is no game with that name"), "games", "list"
            )
        names.append(name)
    return [
        _build_page(
            call,
            phrase("boards being played"),
            names,
            _find_newest(call, ("running",), names),
        )
    ]


def _find_newest(
    context: Context, states: Sequence[str], games: Sequence[str]
) -> Sequence[BoardRow]:
    """Return the newest boards in these states, of these games or of all: one more than a page
    holds."""
    return find_newest_boards(context.session, states, games, _MOST + 1)


def _build_page(call: Call, title: str, games: Sequence[str], rows: Sequence[BoardRow]) -> Notice:
    lines = summarize_boards(call.session, rows[:_MOST])
    return call.answer(
        BoardList(title=title, games=", ".join(games), rows=lines, more=len(rows) > _MOST)
    )


def _split_filter(words: Sequence[str]) -> tuple[list[str], str]:
    """Return the words that are no filters, and the last filter or ""."""
    kept = [word for word in words if word.lower() not in FILTERS]
    filters = [word.lower() for word in words if word.lower() in FILTERS]
    return kept, filters[-1] if filters else ""


def _find_players(call: Call, words: Sequence[str]) -> list[Player]:
    """Return the players with these userids. Refuse a word that is no userid."""
    players = []
    for word in words:
        player = find_player(call.session, word)
        if player is None:
            similar = find_similar_player(call.session, word) if call.knows_sender else ""
            right = correct_line(call, word, similar) if similar else ""
            raise refuse_unknown_player(
                call,
                word,
                right or call.command.form,
                "list",
                "games",
                problem=phrase("there is no player or filter with that name"),
            )
        players.append(player)
    return players


def game_boards(call: Call) -> list[Notice]:
    """List the boards of a game or of some players, filtered."""
    words, chosen = _split_filter(call.command.words)
    return [_list_boards(call, _find_players(call, words), chosen, call.command.game)]


def all_show(call: Call) -> list[Notice]:
    """List the boards of some players in all games."""
    words, chosen = _split_filter(call.command.words)
    if not words:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT, phrase("the userid is missing"), "all show {user}"
        )
    return [_list_boards(call, _find_players(call, words[:4]), chosen, "")]


def _list_boards(call: Call, people: Sequence[Player], chosen: str, game: str) -> Notice:
    games = [game] if game else []
    title = _TITLES[chosen]
    if not people:
        return _build_page(call, title, games, _find_newest(call, _STATES[chosen], games))
    title = phrase(
        "{boards} of {people}", boards=title, people=Listing([each.userid for each in people])
    )
    if chosen == "next":
        lines = summarize_boards(call.session, _sort_by_urgency(call, people, chosen, game))
        return call.answer(BoardList(title=title, games=game, rows=lines, urgent=len(lines) > 1))
    rows = find_boards_of_players(
        call.session,
        [player.id for player in people],
        _STATES[chosen],
        game,
        only_open=_STATES[chosen] is _OPEN,
        most=_MOST + 1,
        covered=_is_own(call, people),
    )
    return _build_page(call, title, games, rows)


def _is_own(call: Call, people: Sequence[Player]) -> bool:
    """Whether a list of these players' boards contains only the sender's own. Other lists leave out
    private boards, and boards that hide who plays."""
    me = call.player or (call.senders[0] if len(call.senders) == 1 else None)
    return me is not None and all(player.id == me.id for player in people)


def _sort_by_urgency(
    call: Call, people: Sequence[Player], chosen: str, game: str
) -> list[BoardRow]:
    """Return the boards on which it is one of these players' turn, the most urgent first."""
    ends: dict[int, float] = {}
    for player in people:
        for row in find_waiting_boards(call, player):
            ends[row.board] = min(row.end, ends.get(row.board, math.inf))
    rows = find_boards_of_players(
        call.session,
        [player.id for player in people],
        _STATES[chosen],
        game,
        only_open=True,
        most=len(ends),
        among=ends,
        covered=_is_own(call, people),
    )
    return sorted(rows, key=lambda row: (ends[row.id], row.id))


def history(call: Call) -> list[Notice]:
    """List the boards of a game that have ended, newest first, all or those of some players."""
    if call.command.words:
        wanted = Wanted(call.command.game, _find_players(call, call.command.words[:4]))
        rows, more = find_boards(call, wanted)
        title, game = describe(wanted), wanted.game
        line = write_next_line(wanted) if more else ""
        return [call.answer(BoardList(title=title, games=game, rows=rows, more=more, next=line))]
    games = [call.command.game] if call.command.game else []
    return [
        _build_page(
            call,
            phrase("finished boards"),
            games,
            _find_newest(call, ("over",), games),
        )
    ]


def standings(call: Call) -> list[Notice]:
    """List wins, ties and losses on rated boards, for the players who won most."""
    if not call.command.game:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("name a game: each has its own standings"),
            "GAME standings",
            *([] if call.command.sender.board else ["games"]),
        )

    rows = [
        (row.userid, (row.won, row.boards - row.won - row.lost, row.lost))
        for row in find_standings(call.session, call.command.game, _MOST)
    ]
    return [call.answer(Standings(game=call.command.game, rows=rows))]


def show(call: Call) -> list[Notice]:
    """Show boards as a spectator sees them, at any past position, or list players' open boards."""
    token = call.command.sender.token
    words = [word for word in call.command.words if not _is_words_flag(word)]
    if not words and token is not None and token.kind == "b":
        words = [str(token.number)]
    if not words:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("the number of the board is missing"),
            call.command.form,
        )
    boards, places = _split_boards(words)
    if not boards and token is not None and token.kind == "b" and not call.command.game:
        here = _load_board(call, token.number)
        if has_places(here, places):
            return show_places(call, here, None, places)
    if not boards:
        return game_boards(call)
    return _show_all(call, boards, places, None)


def show_as(call: Call) -> list[Notice]:
    """Show boards as the player may see them, sent to the confirmed addresses only."""
    words, chosen = _split_filter(call.command.words)
    if not words:
        return [_list_boards(call, [call.me], chosen, call.command.game)]
    boards, places = _split_boards(words)
    token = call.command.sender.token
    if not boards and token is not None and token.kind == "b":
        boards = [(token.number, None)]
    return _show_all(call, boards, places, call.me)


def _show_all(
    call: Call,
    boards: Sequence[tuple[int, int | None]],
    places: Sequence[str],
    player: Player | None,
) -> list[Notice]:
    """Show the boards, or the named places of the only one, to a player, or a spectator (None)."""
    boards = list(dict.fromkeys(boards))
    if places and len(boards) == 1:
        ((number, ply),) = boards
        board = _load_board(call, number)
        viewer = board.find_seat(player).seat if player is not None else None
        if ply is not None:
            board = rewind(board, BoardLog(call, board, upto=ply), ply)
        return show_places(call, board, viewer, places)
    if places:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("a board is a number, for instance 17 or 17#4"),
            call.command.form,
        )
    shown, missing, refused = list[BoardShown](), list[str](), None
    for number, ply in boards[:_MOST_SHOWN]:
        try:
            shown.append(_show_board(call, number, ply, player))
        except Refusal as refusal:
            if number >= _MAY_BE_PASSWORD:
                raise
            refused = refused or refusal
            missing.append(phrase("board {board}: {problem}", board=number, problem=refusal.text))
    if refused is not None and not shown:
        raise refused
    return _answer_with(call, shown, missing)


def _answer_with(call: Call, shown: Sequence[BoardShown], missing: Sequence[str]) -> list[Notice]:
    """Return one answer that shows all the boards, and says which cannot be shown. A reply to an
    answer about one board is about that board, and is the seat's if it goes to a player there."""
    if len(shown) == 1 and not missing:
        view = shown[0].view
        thread = Thread(view.game, view.board, None, view.next_ply, 0, tuple(view.players.split()))
        board = load(call.session, view.board, lock=False)
        answer = replace(call.answer(shown[0]), thread=thread)
        return [_ask_for_turn(board, address_to_seat(call, board, answer, view.next_ply), shown[0])]
    names = Listing(list(dict.fromkeys(str(each.view.board) for each in shown)))
    return [call.answer(BoardsShown(names=names, boards=shown, missing=missing))]


def _ask_for_turn(board: Board, answer: Notice, shown: BoardShown) -> Notice:
    """Return the answer with an example of a reply, and with "it is your move", if it shows the
    present position of a board and goes to the seat on the move."""
    seat = None if answer.thread is None else answer.thread.seat
    if seat is None or shown.at is not None or board.state != "running":
        return answer
    if seat not in board.position.to_move:
        return answer
    view = replace(shown.view, status=describe_state(board, seat))
    example = find_example(board.position, seat)
    return replace(answer, content=replace(shown, view=view, example=example))


def _parse_board(word: str) -> tuple[int, int | None] | None:
    number, mark, ply = word.strip("<>\"',").lstrip("#").partition("#")
    board = parse_board_number(number)
    at = parse_number(ply)
    if not board or (mark and at is None):
        return None
    return board, at


def _split_boards(words: Sequence[str]) -> tuple[list[tuple[int, int | None]], Sequence[str]]:
    """Separate the boards, which come first, from the names of places after them."""
    boards: list[tuple[int, int | None]] = []
    words = [word for word in words if not _is_words_flag(word)]
    for number, word in enumerate(words):
        board = _parse_board(word)
        if board is None:
            return boards, words[number:]
        boards.append(board)
    return boards, ()


def _is_words_flag(word: str) -> bool:
    return word.lower() in ("--words", "-words")


def _load_board(call: Call, number: int) -> Board:
    """Return the board with that number. Refuse a board of another game than the command's."""
    board = load(call.session, number)
    call.require_sight(board)
    name = board.game.info.name
    if call.command.game and call.command.game != name:
        raise Refusal(
            RefusalCode.WRONG_GAME,
            phrase("board {board} is a game of {game}", board=number, game=name),
            f"{name} show {number}",
            board=number,
        )
    return board


def _show_board(call: Call, number: int, ply: int | None, player: Player | None) -> BoardShown:
    board = _load_board(call, number)
    viewer = board.find_seat(player).seat if player is not None else None
    log = BoardLog(call, board, upto=ply)
    if ply is not None:
        board = rewind(board, log, ply)
    in_words = call.wants_words or any(map(_is_words_flag, call.command.words))
    view = build_view(board, viewer, log, in_words=in_words)
    return BoardShown(view=view, headline=build_headline(board, viewer), at=ply)


# One place of a board in words, or a panel beside it: `show 17 d4`, `show 17 row 4`, `show 17 bag`.

_MOST_PLACES = 10


def has_places(board: Board, words: Sequence[str]) -> bool:
    """Whether all the words name places or lines of the board, or the title of a panel."""
    scene = board.shown.scene(None)
    return find_places(scene, words) is not None or bool(_find_panels(board, scene, words))


def _find_panels(board: Board, scene: Scene, words: Sequence[str]) -> list[Panel]:
    """Return the panels with a title, which may be in any language."""
    title = find_known(board).panels.get(" ".join(split_words(" ".join(words))))
    return [panel for panel in scene.panels if title and name_panel(panel.title) == title]


def show_places(call: Call, board: Board, viewer: int | None, words: Sequence[str]) -> list[Notice]:
    """Describe what stands on the named places, and around them, or what a panel contains, as that
    viewer may see it."""
    name = board.game.info.name
    scene = board.shown.scene(viewer)
    if panels := _find_panels(board, scene, words):
        lines = [line for each in panels for line in list_panel(each, board.shown.colours)]
        shown = PlaceShown(game=name, board=board.id, places=" ".join(words).lower(), lines=lines)
        return [address_to_seat(call, board, call.answer(shown))]
    which = find_places(scene, words)
    if which is None:
        examples = [place.name for place in scene.places[:1]]
        examples += [f"{region.kind} {region.name}" for region in scene.regions[:1]]
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "{game} has no such place; places are named like {examples}",
                game=find_title(board.game.info.name),
                examples=Listing(examples, "or"),
            )
            if examples
            else phrase("{game} has no such place", game=find_title(board.game.info.name)),
            *(f"{name} show {board.id} {example}" for example in examples),
        )
    lines = [
        sentence
        for each in which[:_MOST_PLACES]
        for sentence in describe_surroundings(scene, board.shown.colours, each)
    ]
    names = [
        f"{each.kind} {each.name}" if isinstance(each, Region) else each.name for each in which
    ]
    content = PlaceShown(
        game=name, board=board.id, places=", ".join(names[:_MOST_PLACES]), lines=lines
    )
    return [address_to_seat(call, board, call.answer(content))]
