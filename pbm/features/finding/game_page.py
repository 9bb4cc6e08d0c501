"""The help page of a game: its author's text, with sections in the same order on all pages, the
board at the beginning, the options, and how to play without the drawing."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from msgspec import Struct

from pbm.core.board import Board, find_deadline, format_end
from pbm.core.context import Context
from pbm.core.log import replay
from pbm.core.log_view import BoardLog, LogPhase, MoveLine
from pbm.core.notices import BoardView, Figure
from pbm.core.options import format_options
from pbm.core.refusal import RefusalCode
from pbm.core.view import build_headline, build_view
from pbm.locale import ENGLISH, translate
from pbm.locale.pages import GAMES, find_translated, mark_untranslated
from pbm.locale.words import name_verb
from pbm.rules import Game, MoveError, Position
from pbm.rules.drawing.scene import Scene
from pbm.rules.examples import begin
from pbm.rules.lessons import Lesson, play_lesson
from pbm.rules.phrases import phrase, wrap
from pbm.rules.typed_moves import respell

_COLUMNS = 78
_MOST_USERIDS = 10
"""The most userids in a line; for more players it has dots between them."""
_CAPITAL = "A-ZÀ-ÖØ-ÞŒŸẞ"
_HEADING = rf"[{_CAPITAL}][{_CAPITAL}' ]+"
_ALONE = re.compile(_HEADING)
_IN_LINE = re.compile(rf"({_HEADING})\. (.+)")
_AIM, _BOARD, _TURN, _EXAMPLES, _END, _WRITING, _COMMANDS, _OPTIONS, _WORDS, _KNOWN, _NOTES = range(
    11
)
_PLACES = {
    "AIM": _AIM,
    "TWO BOARDS": _BOARD,
    "SIZES": _BOARD,
    "BOARD": _BOARD,
    "PIECES": _BOARD,
    "DIAGRAMS": _BOARD,
    "TEAMS": _BOARD,
    "THE TILES": _BOARD,
    "WHAT YOU SEE": _BOARD,
    "READING THE BOARD": _BOARD,
    "EXAMPLES": _EXAMPLES,
    "THE END": _END,
    "AGREEING WHAT IS DEAD": _END,
    "RESIGNING": _END,
    "WRITING MOVES": _WRITING,
    "COMMANDS": _COMMANDS,
    "OPTIONS": _OPTIONS,
    "WITHOUT THE DRAWING": _WORDS,
    "KNOWN": _KNOWN,
    "NOTES": _NOTES,
    "DECIDED HERE": _NOTES,
}
"""The places of sections, by heading. All other sections are about a turn."""
_MADE: Mapping[str, str] = {
    "BOARD": phrase("BOARD"),
    "EXAMPLES": phrase("EXAMPLES"),
    "COMMANDS": phrase("COMMANDS"),
    "OPTIONS": phrase("OPTIONS"),
    "WITHOUT THE DRAWING": phrase("WITHOUT THE DRAWING"),
}
"""Headings of sections written by this module."""
# TRANSLATORS: goes on with the text of the section WRITING MOVES of a game: "the cell:"
_REPLY = phrase("In your reply to the board's mail, write on the first line")
_MARKS = re.compile(r"[^a-z0-9 ]+(?=[a-z0-9])")
"""Marks between the places of a move."""
_NUMBERED = re.compile(r"\d\. ")
"""How an item of a numbered list begins."""
_MOVES_TRIED = 60
_LONGEST_DRAWING = 24
"""The most lines of a lesson's drawing in characters."""
_EXAMPLE = re.compile(r"^ +(?:\S+ )?> +(\S.*?)(?: {2,}.*)?$", re.MULTILINE)
_VALUES = {"flag": "", "int": "=n", "float": "=n"}
"""How an option is written, by its kind."""


def build_game_page(
    game: Game, *, in_words: bool = False, has_drawings: bool = True, language: str = ENGLISH
) -> str:
    """Return the page of a game. The board is `in_words` for readers who want no drawings, and left
    out where pictures stand beside the page. An untranslated page comes in English, and says so."""
    drawing = _draw_start(game, in_words=in_words) if has_drawings else ""
    text, spoken = _find_text(game, language)
    sections = _build_sections(game, text, spoken, drawing, is_drawn=not in_words)
    if not has_drawings:
        sections.pop("EXAMPLES", None)
    if in_words or not has_drawings:
        sections.pop("DIAGRAMS", None)
    page = "\n\n".join(f"{heading}\n{words}".lstrip() for heading, words in sections.values())
    return page if spoken == language else mark_untranslated(page, language)


def list_figures(game: Game, language: str = ENGLISH) -> Iterator[Figure]:
    """Yield the pictures of a game's page in their order: the first position, and the lessons."""
    text, spoken = _find_text(game, language)
    say, name = partial(translate, language=spoken), game.info.name
    start = _draw_start(game, in_words=False)
    sections = _build_sections(game, text, spoken, start, is_drawn=True)
    yield Figure(name, 0, say(start), "")
    diagrams = sections.get("DIAGRAMS", ("", ""))[1]
    for number, lesson in enumerate(game.list_lessons(), 1):
        is_diagram = lesson.scene is not None
        shown = diagrams if is_diagram else _write_lesson(game, lesson, spoken, is_drawn=True)
        yield Figure(name, number, shown, say(lesson.caption))
        diagrams = ""


def _find_text(game: Game, language: str) -> tuple[str, str]:
    """Return the author's text and its language: English if there is none in the requested one."""
    text = find_translated(language, GAMES, game.info.name, game.info.help)
    if not text and language != ENGLISH:
        text = game.write_help(partial(translate, language=language))
    return (text, language) if text else (game.info.help, ENGLISH)


def _draw_start(game: Game, *, in_words: bool) -> str:
    position = begin(game)
    return position.words(0) if in_words else position.picture(0).text


def _write_lesson(game: Game, lesson: Lesson, language: str, *, is_drawn: bool) -> str:
    """Return the caption of a lesson, and below it the position drawn in characters if that is
    wanted, short, and not a list of orders."""
    caption = _fill_prose(translate(lesson.caption, language))
    if not is_drawn:
        return caption
    position = play_lesson(game, lesson)
    drawing = translate(position.picture(None, tuple(lesson.moves[-1:])).text, language)
    lines = drawing.rstrip().split("\n")
    if position.takes_orders or len(lines) > _LONGEST_DRAWING:
        return caption
    return f"{caption}\n\n{drawing.rstrip()}"


def _build_sections(
    game: Game, text: str, language: str, drawing: str, *, is_drawn: bool
) -> dict[str, tuple[str, str]]:
    """Return the title of a game's page, and its sections in the order of all pages, each with its
    heading, by their English headings."""
    say = partial(translate, language=language)
    headings = [heading for heading, _ in split_sections(game.info.help)]
    (_, title), *sections = split_sections(text)
    shown = {heading: say(words) for heading, words in _MADE.items()}
    texts: dict[str, str] = {"AIM": "", "BOARD": ""}
    for heading, (translated, prose) in zip(headings[1:], sections, strict=True):
        if heading == "WRITING MOVES":
            first = prose[0].lower() if language == ENGLISH else prose[0]
            prose = f"{say(_REPLY)} {first}{prose[1:]}"
        shown[heading], texts[heading] = translated, _fill_prose(prose)
    if drawing:
        start = say(phrase("At the beginning:"))
        texts["BOARD"] = f"{texts['BOARD']}\n\n{start}\n\n{say(drawing)}".strip("\n")
    elif not texts["BOARD"]:
        del texts["BOARD"]
    texts["COMMANDS"] = _list_commands(game, texts.get("WRITING MOVES", ""), language)
    texts["OPTIONS"] = "\n".join(f"  {line}" for line in format_options(game, language=language))
    typing = " ".join(say(sentence) for sentence in _describe_typing(game, begin(game)))
    texts["WITHOUT THE DRAWING"] = _fill_prose(typing)
    lessons = [each for each in game.list_lessons() if each.scene is None]
    if lessons:
        written = (_write_lesson(game, each, language, is_drawn=is_drawn) for each in lessons)
        texts["EXAMPLES"] = "\n\n".join(written)
    keys = sorted(texts, key=lambda heading: _PLACES.get(heading, _TURN))
    return {"": ("", _fill_prose(title)), **{key: (shown[key], texts[key]) for key in keys}}


def is_heading(line: str) -> bool:
    """Whether a line of a page is a heading."""
    return _ALONE.fullmatch(line) is not None


def split_sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield the title, then the sections of an author's text, as headings and texts: a heading is
    in capitals, on a line of its own or in front of its text."""
    heading, lines, is_first = "", list[str](), True
    for line in text.split("\n"):
        alone = _ALONE.fullmatch(line) if is_first and heading + "".join(lines) else None
        in_line = _IN_LINE.fullmatch(line) if is_first else None
        if alone or in_line:
            yield heading, _join(lines)
            heading, lines = (in_line[1], [in_line[2]]) if in_line else (line, [])
        else:
            lines.append(line)
        is_first = not line
    yield heading, _join(lines)


def _join(lines: Sequence[str]) -> str:
    return textwrap.dedent("\n".join(lines)).strip("\n")


def _fill_prose(text: str) -> str:
    """Return the text with paragraphs wrapped anew. Indented lines and items after a hyphen or a
    number stay as they are."""
    lines, prose, is_item = list[str](), list[str](), False
    for line in [*text.split("\n"), ""]:
        begins = line.startswith("- ") or (not prose and _NUMBERED.match(line) is not None)
        is_item = begins or (is_item and line.startswith("  "))
        if line and not is_item and not line.startswith(" "):
            prose.append(line)
            continue
        lines += wrap(" ".join(prose), _COLUMNS)
        lines.append(line)
        prose = []
    return "\n".join(lines).strip("\n")


def _list_commands(game: Game, examples: str, language: str) -> str:
    """Return how a board is begun, and how a move is sent as a command of its own."""
    info = game.info
    options = [f"[-{option.name}{_VALUES.get(option.kind, '=word')}]" for option in info.options]
    users = [
        f"userid{number}" if number <= min(info.players) else f"[userid{number}]"
        for number in range(1, max(info.players) + 1)
    ]
    if len(users) > _MOST_USERIDS:
        users[_MOST_USERIDS - 2 : -1] = ["..."]
    example = _EXAMPLE.search(f"{examples}\n{info.help}")
    lines = [" ".join([info.name, name_verb("challenge", language), *options, *users])]
    lines += [f"{info.name} move BOARD USERID PASSWORD {example[1]}"] if example else []
    wrap = textwrap.TextWrapper(
        _COLUMNS, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False
    )
    return "\n".join(wrap.fill(line) for line in lines)


def _describe_typing(game: Game, position: Position) -> Iterator[str]:
    """Yield sentences on how to play without seeing the board, with examples from the first
    position."""
    yield phrase("The page help words says how to get the board in words.")
    places = position.scene().places
    if places:
        verb = "showas USERID PASSWORD" if "hidden" in game.info.features else "show"
        place = places[len(places) // 2].name
        place = f"place {place}" if place.isdigit() else place
        line = f"{game.info.name} {verb} 17 {place}"
        yield phrase("To hear what is on one place: {line}.", line=line)
    if example := _find_spoken_move(position):
        move, typed = example
        yield phrase(
            "Moves may be typed without marks: {typed} for {move}.", typed=typed, move=move
        )


def _find_spoken_move(position: Position) -> tuple[str, str] | None:
    """Return a legal move that contains a mark, and the same move typed without it."""
    seat = min(position.to_move)
    for move in islice(position.legal_moves(seat), _MOVES_TRIED):
        spoken = _MARKS.sub(" to ", move)
        if spoken != move:
            try:
                first, left = position.parse(respell(position, seat, spoken, MoveError()), seat)
            except MoveError:
                continue
            if (first, left) == (move, ""):
                return move, spoken
    return None


# A board as a page: the view that mails have, the scene that pictures and clicks are made of,
# and any past position.


class BoardPage(Struct, frozen=True):
    """What a page shows of a board at a ply or (None) at present: the view, the moves, the phases
    of a game of orders, and the deadline of those on the move. The scene and the words are made on
    demand; the view has no picture as text."""

    view: BoardView
    headline: str
    clocks: Sequence[str]
    moves: Sequence[MoveLine]
    phases: Sequence[LogPhase]
    at: int | None
    position: Position
    viewer: int | None
    last: Sequence[str]

    @property
    def earlier(self) -> LogPhase | None:
        """The phase before the one that is shown."""
        return next((each for each in self.phases[::-1] if each.ply < self._here), None)

    @property
    def later(self) -> LogPhase | None:
        """The phase after the one that is shown; None where that is the present one."""
        return next((each for each in self.phases if each.ply > self._here), None)

    @property
    def shown_phase(self) -> LogPhase | None:
        """The phase whose end is shown."""
        return next((each for each in self.phases if each.ply == self.at), None)

    @property
    def _here(self) -> int:
        last = self.phases[-1].ply if self.phases else 0
        return last if self.at is None else self.at

    def build_scene(self) -> Scene:
        """Return the board, with the last moves marked, as the viewer may see it."""
        return self.view.appearance.scene()

    def write_words(self) -> str:
        """Return the board in words."""
        return self.view.appearance.words()


def build_board_page(
    context: Context, board: Board, viewer: int | None, at: int | None
) -> BoardPage:
    """Return the page of a board as a seat, or (None) a spectator, may see it, after `at` moves or
    now. Refuse a ply that the board has not reached."""
    log = BoardLog(context, board, upto=at, is_whole=True)
    if at is not None:
        board = rewind(board, log, at)
    return BoardPage(
        view=build_view(board, viewer, log, is_drawn=False),
        headline=build_headline(board, viewer),
        moves=log.moves(viewer),
        phases=log.phases,
        clocks=() if at is not None else _describe_clocks(context, board, viewer),
        at=at,
        position=log.tell(board),
        viewer=viewer,
        last=log.last_moves,
    )


def _describe_clocks(context: Context, board: Board, viewer: int | None) -> list[str]:
    """Return the deadlines of the seats on the move, in the viewer's zone; only one where the
    orders of several seats are due at the same time."""
    if board.state != "running":
        return []
    preferences = {} if viewer is None else board.seats[viewer].preferences
    ends = {
        seat: find_deadline(board, board.seats[seat])
        for seat in sorted(board.position.to_move)
        if seat >= 0
    }
    if board.position.takes_orders and len(ends) > 1 and len({*ends.values()}) == 1:
        due = next(iter(ends.values()))
        if due is None:
            return []
        return [phrase("Orders are due by {end}.", end=format_end(due, preferences, context.now))]
    return [
        phrase("You have until {end}.", end=format_end(end, preferences, context.now))
        if seat == viewer
        else phrase(
            "{player} has until {end}.",
            player=board.seats[seat].userid,
            end=format_end(end, preferences, context.now),
        )
        for seat, end in ends.items()
        if end is not None
    ]


def rewind(board: Board, log: BoardLog, ply: int) -> Board:
    """Return the board as it was after `ply` moves, with the log up to there. Refuse a ply that the
    board has not reached."""
    if ply > board.ply:
        raise board.make_refusal(
            RefusalCode.NO_SUCH_PLY,
            phrase("board {board} has only had {ply} moves", board=board.id, ply=board.ply),
            f"{board.game.info.name} show {board.id}#{board.ply}",
        )
    position = replay(board.game, len(board.seats), board.options, log.entries)
    ended = position.outcome is not None
    return dataclasses.replace(
        board, position=position, ply=ply, state="over" if ended else "running", agreed=None
    )
