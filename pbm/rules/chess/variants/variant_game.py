"""Games made of sections of variants."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple, Self

from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.boards.stone_groups import fingerprint
from pbm.rules.chance import NOBODY, SEAT_TO_MOVE
from pbm.rules.chess.variants.help_text import write_help
from pbm.rules.chess.variants.men_tables import EMPTY, WALL, VariantRules
from pbm.rules.chess.variants.move_diagrams import describe_moves
from pbm.rules.chess.variants.moves_in_betza import BetzaWay, Step, read_betza
from pbm.rules.chess.variants.playing import find_letter_in_hand
from pbm.rules.chess.variants.reader import read_rules, spell_fen
from pbm.rules.chess.variants.start import CHESS, SHOGI, XIANGQI, Equipment, read_start
from pbm.rules.chess.variants.state import State
from pbm.rules.chess.variants.variant_position import VariantPosition, draw_empty
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.picture import Picture
from pbm.rules.drawing.scene import (
    Label,
    Mark,
    Panel,
    Piece,
    Scene,
    join_scenes,
    mark_told,
    marks_on,
    shifted,
    turn,
)
from pbm.rules.drawing.scene_text import TextLayout, draw_scene
from pbm.rules.drawing.sentences import describe_pieces
from pbm.rules.errors import AmbiguousMove, IllegalMove, InvalidMove, RecordError, VariantError
from pbm.rules.families.two_player import TWO, TwoPlayerGame
from pbm.rules.formats import bpgn, pgn
from pbm.rules.game import Game, Position
from pbm.rules.game_info import GameInfo
from pbm.rules.lessons import Lesson
from pbm.rules.options import Value
from pbm.rules.outcome import Outcome, Played
from pbm.rules.phrases import Listing, SeatName, combine, pack, phrase, tell_end, unpack
from pbm.rules.serialization import load_fields
from pbm.rules.typed import quoted

_LONG, _SHORT = 64, 36
"""Boards of at least that many cells make long games, of at most that many short ones."""


class Card(NamedTuple):
    """How a variant is introduced.

    name      the game word
    title     the name as people write it
    aliases   other words for it
    summary   one line for the list of games
    style     chess, shogi or xiangqi: how it looks, and under which name lists gather it
    names     the names of its pieces by letter
    about     what the game is about, in a sentence or two, with which its help page begins
    """

    name: str
    title: str
    aliases: tuple[str, ...]
    summary: str
    style: str = CHESS
    names: Mapping[str, str] = {}
    about: str = ""


def make_card(rules: VariantRules) -> Card:
    """Return the card of a section that nobody has introduced."""
    word = re.sub(r"[^a-z0-9]", "", rules.name.lower())
    digits = re.match(r"[0-9]*", word)
    lead = digits[0] if digits else ""
    name = word[len(lead) :] + lead if lead else word
    if not re.fullmatch(r"[a-z][a-z0-9]*", name):
        raise VariantError(rules.name, "", "its name has no letter")
    style = _find_style(rules)
    title = rules.name if lead else rules.name[:1].upper() + rules.name[1:]
    size = {"columns": rules.columns, "rows": rules.rows}
    summary = phrase("a variant of chess on {columns} by {rows} squares", **size)
    if style == SHOGI:
        summary = phrase("a variant of shogi on {columns} by {rows} squares", **size)
    elif style == XIANGQI:
        summary = phrase("a variant of xiangqi on {columns} by {rows} squares", **size)
    about = rules.sections[-1].values.get("about", "")
    return Card(name, title, (word,) if lead else (), summary, style, about=about)


def _find_style(rules: VariantRules) -> str:
    slots = rules.letters.keys()
    if slots & {"gold", "silver", "lance", "shogiKnight"} and rules.captures_to_hand:
        return SHOGI
    if slots & {"soldier"} and slots & {"cannon", "janggiCannon", "horse", "elephant"}:
        return XIANGQI if "pawn" not in slots else CHESS
    return CHESS


def find_version(rules: VariantRules) -> int:
    """Return a number that changes with the rules of a section: boards that began under others are
    replayed, and wait for the operator where that fails."""
    parts = []
    for one in fields(rules):
        if one.name == "sections":
            continue
        value = getattr(rules, one.name)
        both = value if isinstance(value, list) else [value]
        parts.append((one.name, [_order(part) for part in both]))
    return 1 + fingerprint(repr(parts)) % 1_000_000


def _order(value: object) -> object:
    """Return the same in an order that does not change from one process to the next."""
    if isinstance(value, frozenset):
        return sorted(value)
    return sorted(value.items()) if isinstance(value, dict) else value


class VariantGame(TwoPlayerGame):
    """A game whose rules are a section of variants.

    section      the name of the section, which engines know it by
    is_on_shelf  whether it comes with the server
    """

    record_format = "pgn"

    def __init__(self, rules: VariantRules, card: Card | None = None) -> None:
        self.is_on_shelf = card is not None
        self.version = 1 if card else find_version(rules)
        card = card or make_card(rules)
        self.rules, self.card, self.section = rules, card, rules.name
        self.equipment = Equipment(rules, card.style, card.names)
        body: dict[str, Any] = {
            "__doc__": f"A position of {card.title}.",
            "__module__": VariantPosition.__module__,
            "__slots__": (),
            "equipment": self.equipment,
            "game": self,
        }
        self.position_kind: type[VariantPosition] = type(
            "VariantPosition", (VariantPosition,), body
        )

    @cached_property
    def info(self) -> GameInfo:  # type: ignore[override]
        """The description of the game."""
        rules, card = self.rules, self.card
        cells = rules.columns * rules.rows
        return GameInfo(
            name=card.name,
            title=card.title,
            version=self.version,
            players=TWO,
            seats={2: self.equipment.seats},
            summary=card.summary,
            help=write_help(self.equipment, card.title, card.about),
            aliases=card.aliases,
            features=frozenset({"paired"}),
            family="kings",
            length="long" if cells >= _LONG else "short" if cells <= _SHORT else "medium",
            is_decisive=self.equipment.is_decisive,
            variant_of=card.style,
        )

    def write_help(self, say: Callable[[str], str]) -> str:
        return write_help(self.equipment, self.card.title, self.card.about, say)

    @cached_property
    def _first(self) -> VariantPosition:
        tables = self.equipment.tables
        state = read_start(tables)
        return self.position_kind({}, state.board, state.side, rest=tuple(state[2:]))

    def list_lessons(self) -> tuple[Lesson, ...]:
        return tuple(draw_lessons(self.equipment))

    def start(self, players: int, options: Mapping[str, Value]) -> VariantPosition:
        return self._first

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> VariantPosition:
        return load_fields(self.position_kind, options, data)

    # Records

    def record(self, played: Played) -> str:
        """Return the game in PGN, with the tags Variant and FEN."""
        words = pgn.write_moves(self._first, played)
        fen = spell_fen(self.equipment.tables, self._first.state)
        tags = {"Variant": self.card.title, "SetUp": "1", "FEN": fen}
        return pgn.pgn(played, words, more=tags, first=self._first.side)

    def is_recorded(self, tags: Mapping[str, str]) -> bool:
        names = (self.card.name, self.card.title, self.section, *self.card.aliases)
        variant = _plain(tags.get("Variant", ""))
        return bool(variant) and "GameType" not in tags and variant in map(_plain, names)

    def read_record(self, text: str) -> Played:
        """Return the game in a PGN record."""
        record = pgn.read(text)
        if "Variant" in record.tags and not self.is_recorded(record.tags):
            raise RecordError(
                phrase(
                    "Variant {tag} is not {title}",
                    tag=quoted(record.tags["Variant"]),
                    title=self.card.title,
                )
            )
        fen = record.tags.get("FEN", "")
        own = spell_fen(self.equipment.tables, self._first.state)
        if fen and _bare(fen) not in (_bare(own), _bare(self.rules.start)):
            raise RecordError(
                phrase("the game begins with a position of its own (FEN), not the first one")
            )
        return pgn.replay(record, self._first, _read_word, white=self._first.side)


def _bare(fen: str) -> tuple[str, ...]:
    """Return the board and the side of a FEN."""
    fields = fen.split()
    return (re.sub(r"\[.*\]", "", fields[0]), *fields[1:2]) if fields else ()


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _read_word(position: Position, word: str, seat: int) -> str:
    """Return the move that a word of a record means; if a player would be asked which one, the move
    that is written exactly so."""
    try:
        return pgn.parse_word(position, word, seat)
    except AmbiguousMove:
        spellings = (word.rstrip("!?"), word.rstrip("+#!?"))
        for move in position.legal_moves(seat):
            if isinstance(position, VariantPosition) and position.notation(move) in spellings:
                return move
        raise


# Positions of variants on two boards with four players, as of bughouse: a captured man goes to
# the hand of the capturer's partner, and the boards take turns.

BOARDS = "AB"
"""The names of the boards. Seats 0 and 1 play on A, seats 2 and 3 on B, White first."""
_TEAMS = ((0, 3), (1, 2))
"""The seats that play together: White on one board and Black on the other."""
_GAP = 3
"""The distance between the boards."""
_WIDEST = 10
"""The most columns that leave room in a text for three characters each."""
_BOARD = re.compile(r"\s*[0-9]{0,3}([ABab])[.:]+\s*")


class BoardOfTwo(VariantPosition):
    """A position on one of the boards.

    number  0 for A, 1 for B
    """

    __slots__ = ()
    number: ClassVar[int]

    def colour(self, side: int) -> SeatName:
        seat = 2 * self.number + side
        return SeatName(name_seat(self.colours[side], self.number), seat)

    def receive(self, side: int, letters: str) -> Self:
        """Return the position with pieces added to the hand of a side."""
        state = self.state
        hands = list(state.hands)
        hands[side] = "".join(sorted(hands[side] + letters))
        following = state._replace(hands=(hands[0], hands[1]))
        mark = following.fingerprint() * 2 + (state.history[-1] & 1)
        after = self.with_state(following._replace(history=(*state.history[:-1], mark)))
        return after if after.moves() else after.settle()


def name_seat(colour: str, board: int) -> str:
    """Return the name of a seat: its colour and its board."""
    return f"{colour} {BOARDS[board]}"


def find_captured(before: State, after: State) -> Iterator[tuple[str, str]]:
    """Yield the men that a move has captured, each as it was before promotion."""
    other = 1 - before.side
    for cell, sign in enumerate(before.board):
        if sign in (EMPTY, WALL) or sign.islower() != bool(other):
            continue
        if after.board[cell] != sign:
            yield sign, before.under[cell] if before.under else EMPTY


@dataclass(frozen=True, slots=True)
class TwoBoardPosition(Position):
    """A position on both boards.

    boards  those of A and B
    turn    the number of turns that have ended; board A is on the move in even ones
    gone    the seat that resigned, or None
    """

    players = 4
    moves_once = True
    options: Mapping[str, Value]
    boards: tuple[BoardOfTwo, BoardOfTwo]
    turn: int = 0
    gone: int | None = None
    outcome: Outcome | None = None
    news: tuple[str, ...] = field(default=(), compare=False)

    @property
    def board(self) -> BoardOfTwo:
        """The board on the move."""
        return self.boards[self.turn % 2]

    @property
    def seat(self) -> int:
        """The seat on the move."""
        return 2 * (self.turn % 2) + self.board.side

    @property
    def to_move(self) -> frozenset[int]:
        return NOBODY if self.outcome else SEAT_TO_MOVE[self.seat]

    @property
    def playing(self) -> frozenset[int]:
        if self.gone is None:
            return frozenset(range(4))
        return frozenset(_TEAMS[self.gone in _TEAMS[0]])

    @property
    def colours(self) -> tuple[str, ...]:
        return self.board.colours * 2

    @property
    def key(self) -> str | None:
        first, second = (board.key for board in self.boards)
        return None if first is None or second is None else f"{self.turn % 2} {first} {second}"

    @property
    def claim(self) -> str:
        return "" if self.outcome else self.board.claim

    @property
    def outlook(self) -> tuple[float, ...]:
        """Each side's lead in pawns' worth of men, on both boards together."""
        ahead = self.boards[0].count_material() - self.boards[1].count_material()
        return ahead, -ahead, -ahead, ahead

    # Playing

    def legal_moves(self, seat: int) -> Sequence[str]:
        return self.board.moves() if seat in self.to_move else ()

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        number = seat // 2
        named = _BOARD.match(text[:40])
        if named is None:
            return self.boards[number].parse(text, seat)
        if named[1].upper() != BOARDS[number]:
            raise InvalidMove(phrase("you play on board {board}", board=BOARDS[number]))
        return self.boards[number].parse(text[named.end() :], seat)

    @property
    def letters(self) -> tuple[tuple[str, str], ...]:
        return self.board.equipment.letters

    def read_letters(self, text: str, seat: int, language: str) -> str:
        named = _BOARD.match(text[:40])
        begin = named.end() if named else 0
        return text[:begin] + self.boards[seat // 2].read_letters(text[begin:], seat, language)

    def apply(self, seat: int, move: str) -> TwoBoardPosition:
        before, other = self.board, self.boards[1 - self.turn % 2]
        after = before.advance(move)
        side, letters = 1 - before.side, ""
        for sign, was in find_captured(before.state, after.state):
            letters += find_letter_in_hand(before.tables, sign, was)
        news = list[str]()
        if gone := before.find_gone(move, after):
            places = Listing(_prefix(self.turn % 2) + name for name in gone)
            colour = self.seat_name(seat)
            news.append(phrase("{colour} captures {places}", colour=colour, places=places))
        if letters and not after.outcome:
            other = other.receive(side, letters)
            news += (self._tell_handed(letter, side) for letter in letters)
        boards = (after, other) if self.turn % 2 == 0 else (other, after)
        ended = [(board.number, board.outcome) for board in boards if board.outcome]
        outcome = _end_both(*ended[0]) if ended else self.outcome
        return replace(self, boards=boards, turn=self.turn + 1, news=tuple(news), outcome=outcome)

    def _tell_handed(self, letter: str, side: int) -> str:
        seat = 2 * (1 - self.turn % 2) + side
        return phrase(
            "{player} has one more {piece} in hand",
            player=self.seat_name(seat),
            piece=self.board.equipment.name_of(letter),
        )

    def resign(self, seat: int) -> TwoBoardPosition:
        if self.outcome or seat not in range(4):
            raise IllegalMove(phrase("only a player who is still in the game can resign"))
        reason = phrase("{seat_name} resigns", seat_name=self.seat_name(seat))
        winner = min(_TEAMS[seat in _TEAMS[0]])
        return replace(self, gone=seat, news=(), outcome=Outcome(_rank(winner), reason))

    # Notation

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        return self.boards[seat // 2].describe(seat, move, viewer)

    def suggest(self, seat: int) -> str:
        return self.boards[seat // 2].suggest(self.boards[seat // 2].side)

    def steps(self, seat: int, move: str) -> tuple[str, ...]:
        board, prefix = self.boards[seat // 2], _prefix(seat // 2)
        number = board.tables.number
        return tuple(
            prefix + step if step in number else step for step in board.steps(board.side, move)
        )

    # The scene, the picture, the words

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        pieces, marks, panels = list[Piece](), list[Mark](), list[Panel]()
        for number, board in enumerate(self.boards):
            prefix, first = _prefix(number), 2 * number
            shown = board.told(()).scene(None, self._find_last(number, last))
            pieces += [
                replace(
                    piece,
                    place=prefix + piece.place,
                    seat=None if piece.seat is None else first + piece.seat,
                )
                for piece in shown.pieces
            ]
            marks += [
                replace(mark, places=tuple(prefix + place for place in mark.places))
                for mark in shown.marks
                if mark.role == "last" or not self.outcome
            ]
            panels += self._list_panels(number, shown.panels)
        empty = lay_boards(self.board.equipment, is_turned=viewer in _TEAMS[1])
        scene = replace(
            empty,
            pieces=tuple(pieces),
            marks=tuple(marks),
            panels=tuple(panels),
            style=self.board.equipment.style,
        )
        return mark_told(scene, self.news) if last else scene

    def _list_panels(self, number: int, panels: Sequence[Panel]) -> Iterator[Panel]:
        """Yield the panels beside a board, with its seats."""
        is_on_move = not self.outcome and number == self.turn % 2
        for panel in panels:
            yield Panel(
                phrase("on board {board}, {what}", board=BOARDS[number], what=panel.title),
                tuple(
                    replace(
                        entry,
                        seat=None if entry.seat is None else 2 * number + entry.seat,
                        name=entry.name if is_on_move else "",
                    )
                    for entry in panel.entries
                ),
                None if panel.seat is None else 2 * number + panel.seat,
            )

    def _find_last(self, number: int, last: Sequence[str]) -> list[str]:
        """Return those of the last moves that were played on a board."""
        first = self.turn - len(last)
        tables = self.boards[number].tables
        return [
            move
            for at, move in enumerate(last, first)
            if at % 2 == number and (move in tables.ends or not any(map(str.isdigit, move)))
        ]

    def sign(self, piece: Piece) -> str:
        return piece.label.lower() if piece.seat and piece.seat % 2 else piece.label

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        across = 3 if self.board.tables.width <= _WIDEST else 2
        canvas = draw_scene(self.scene(viewer, last), TextLayout(across=across), self.sign)
        canvas.line()
        for number, board in enumerate(self.boards):
            is_on_move = not self.outcome and number == self.turn % 2
            board.caption_sides(canvas, board.side if is_on_move else None, 2 * number)
        if self.outcome:
            canvas.paragraph(tell_end(self.outcome.reason))
        return canvas.picture(self.letters)

    def describe_pieces(self, scene: Scene) -> Sequence[str]:
        lines = list[str]()
        for number, board in enumerate(self.boards):
            first, *more = describe_pieces(board.scene(), board.colours)
            lines += [_put_on_board(number, first), *more]
        return lines

    def notes(self, viewer: int | None = None) -> tuple[str, ...]:
        return tuple(
            _put_on_board(number, note)
            for number, board in enumerate(self.boards)
            for note in board.notes()
        )

    def dump(self) -> list[Any]:
        over = self.outcome and [self.outcome.ranks, pack(self.outcome.reason)]
        return [[board.dump() for board in self.boards], self.turn, self.gone, over]


def load(
    kind: type[TwoBoardPosition],
    kinds: Sequence[type[BoardOfTwo]],
    options: Mapping[str, Value],
    data: list[Any],
) -> TwoBoardPosition:
    """Return the position whose `dump()` was `data`."""
    boards, turn_number, gone, over = data
    first, second = (
        load_fields(one, options, dumped) for one, dumped in zip(kinds, boards, strict=True)
    )
    outcome = Outcome(tuple(over[0]), unpack(over[1])) if over else None
    return kind(options, (first, second), turn_number, gone, outcome)


@lru_cache(maxsize=32)
def lay_boards(equipment: Equipment, *, is_turned: bool) -> Scene:
    """Return both empty boards side by side, as partners sitting beside each other see them: A from
    White's side and B from Black's, or (`is_turned`) the other way round."""
    empty, tables, scenes = draw_empty(equipment), equipment.tables, list[Scene]()
    width, height = tables.width, tables.height
    for number, letter in enumerate(BOARDS):
        left = number * (width + _GAP)
        board = empty
        if is_turned != bool(number):
            board = shifted(turn(empty), width, height, "")
        board = shifted(board, left, 0.0, _prefix(number))
        name = Label(letter, (left + width / 2, -1.5))
        scenes.append(replace(board, labels=(name, *board.labels)))
    return join_scenes(scenes)


def _put_on_board(board: int, sentence: str) -> str:
    return phrase("On board {board}: {sentence}", board=BOARDS[board], sentence=sentence)


def _prefix(board: int) -> str:
    return f"{BOARDS[board].lower()} "


def _rank(winner: int) -> tuple[int, ...]:
    """Return the ranks when the side of a seat has won."""
    own = next(team for team in _TEAMS if winner in team)
    return tuple(1 if seat in own else 3 for seat in range(4))


def _end_both(number: int, ended: Outcome) -> Outcome:
    """Return how the game ends that has ended so on one of its boards."""
    if len(set(ended.ranks)) == 1:
        return Outcome((1, 1, 1, 1), ended.reason)
    return Outcome(_rank(2 * number + ended.ranks.index(1)), ended.reason)


# Games made of sections of variants that are played on two boards by four players.

_PLAYERS = range(4, 5)


class TwoBoardGame(Game):
    """A game on two boards, each played by the rules of a section.

    single  the game on one of the boards
    """

    record_format = bpgn.FORMAT

    def __init__(self, rules: VariantRules, card: Card | None = None) -> None:
        self.single = single = VariantGame(rules, card)
        self.rules, self.card, self.section = single.rules, single.card, single.section
        self.equipment = single.equipment
        self.board_kinds = tuple(self._build_kind(number) for number in (0, 1))
        body: dict[str, Any] = {
            "__doc__": f"A position of {self.card.title}.",
            "__module__": TwoBoardPosition.__module__,
            "__slots__": (),
            "game": self,
        }
        self.position_kind: type[TwoBoardPosition] = type(
            "TwoBoardPosition", (TwoBoardPosition,), body
        )

    def _build_kind(self, number: int) -> type[BoardOfTwo]:
        return type(
            "BoardOfTwo",
            (BoardOfTwo,),
            {
                "__doc__": f"A position on one board of {self.card.title}.",
                "__module__": BoardOfTwo.__module__,
                "__slots__": (),
                "equipment": self.equipment,
                "game": self.single,
                "number": number,
            },
        )

    @cached_property
    def info(self) -> GameInfo:  # type: ignore[override]
        """The description of the game."""
        names = [name_seat(colour, board) for board in (0, 1) for colour in self.equipment.seats]
        return replace(
            self.single.info,
            players=_PLAYERS,
            seats={4: tuple(names)},
            features=frozenset({"turned", "partners"}),
            length="long",
        )

    def write_help(self, say: Callable[[str], str]) -> str:
        return write_help(self.equipment, self.card.title, self.card.about, say)

    @cached_property
    def _first(self) -> TwoBoardPosition:
        single = self.single.start(2, {})
        boards = [
            kind({}, single.board, single.side, rest=single.rest) for kind in self.board_kinds
        ]
        return self.position_kind({}, (boards[0], boards[1]))

    def list_lessons(self) -> tuple[Lesson, ...]:
        return self.single.list_lessons()

    def start(self, players: int, options: Mapping[str, Value]) -> TwoBoardPosition:
        return self._first

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> Position:
        return load(self.position_kind, self.board_kinds, options, data)

    def record(self, played: Played) -> str:
        """Return the game in BPGN, with the tag Variant."""
        words = pgn.write_moves(self._first, played)
        return bpgn.write(played, words, {"Variant": self.card.title})

    def is_recorded(self, tags: Mapping[str, str]) -> bool:
        return self.single.is_recorded(tags)

    def read_record(self, text: str) -> Played:
        """Return the game in a BPGN record."""
        return bpgn.read(text, self.setup())


# Pictures of how pieces move, for the page of a variant: a piece in the middle of a small board,
# with the squares that it goes to marked.

_REACH = 3
"""The number of squares shown on each side of the piece."""
_HURDLE = 2
"""The distance of the man to be hopped over."""


def draw_lessons(equipment: Equipment) -> Iterator[Lesson]:
    """Yield a picture of each piece but those that everybody knows."""
    rules = equipment.rules
    for slot in equipment.unfamiliar:
        ways = read_betza(rules.betza(slot))
        if ways:
            letters, how = ", ".join(equipment.signs[slot]), describe_moves(rules, slot)
            name = equipment.titles[slot]
            caption = combine("{letter} ({piece}): {how}.", letter=letters, piece=name, how=how)
            yield Lesson(caption, (), _draw(equipment, equipment.signs[slot][0], ways))


def _draw(equipment: Equipment, sign: str, ways: tuple[BetzaWay, ...]) -> Scene:
    grid = cached_grid(2 * _REACH + 1, 2 * _REACH + 1)
    goals, taken, hurdles = set[Step](), set[Step](), set[Step]()
    for way in ways:
        for step in way.steps:
            reached = _reach(way, step)
            goals.update(reached)
            if way.hops:
                hurdles.add((_HURDLE * step[0], _HURDLE * step[1]))
            if not way.moves:
                taken.update(reached)
    for way in ways:
        if way.moves:
            taken -= {one for step in way.steps for one in _reach(way, step)}
    goals -= hurdles
    names = grid.names
    name = equipment.name_promoted(sign[1:]) if sign.startswith("+") else equipment.name_of(sign)
    pieces = [Piece(names[_find(grid, (0, 0))], name, 0, label=sign)]
    pieces += [_place(equipment, names[_find(grid, one)], 0) for one in sorted(hurdles)]
    pieces += [_place(equipment, names[_find(grid, one)], 1) for one in sorted(taken - hurdles)]
    empty = grid_scene(grid, equipment.look)
    marks = marks_on(names, [_find(grid, one) for one in sorted(goals)])
    return replace(empty, pieces=tuple(pieces), marks=marks, style=equipment.style)


def _reach(way: BetzaWay, step: Step) -> list[Step]:
    """Return where a way leads in one direction, on the squares that are shown."""
    first, last = (_HURDLE + 1, _REACH) if way.hops else (1, min(way.reach, _REACH))
    if way.hops == "g":
        last = first
    steps = [(step[0] * number, step[1] * number) for number in range(first, last + 1)]
    return [one for one in steps if max(map(abs, one)) <= _REACH]


def _find(grid: Grid, step: Step) -> int:
    """Return the cell so far from the middle."""
    return (_REACH + step[1]) * grid.width + _REACH + step[0]


def _place(equipment: Equipment, name: str, side: int) -> Piece:
    """Return a man that is hopped over or taken."""
    letter = next((one for one, slot in equipment.slots.items() if "awn" in slot), "")
    letter = letter or next(iter(equipment.slots))
    return Piece(name, equipment.name_of(letter), side, label=letter)


# Games of a whole file of variants.


def make_game(rules: VariantRules, card: Card | None = None) -> VariantGame | TwoBoardGame:
    """Return the game that rules describe. Without a card, VariantError if it cannot have a name,
    or is over in its first position."""
    game = TwoBoardGame(rules, card) if rules.two_boards else VariantGame(rules, card)
    if card is None:
        _check_first_position(game)
    return game


def _check_first_position(game: VariantGame | TwoBoardGame) -> None:
    """Refuse a game that has ended before its first move: on two boards both begin alike."""
    single = game.single if isinstance(game, TwoBoardGame) else game
    if over := single.start(2, {}).settle().outcome:
        why = f"the game is over before the first move: {over.reason}"
        raise VariantError(game.section, "startFen", why)


def read_variant_file(text: str) -> tuple[list[VariantGame | TwoBoardGame], list[VariantError]]:
    """Return the games that the sections of a file describe, and the faults of those left out."""
    rules, faults = read_rules(text)
    games = list[VariantGame | TwoBoardGame]()
    for section in rules.values():
        try:
            games.append(make_game(section))
        except VariantError as fault:
            faults.append(fault)
    return games, faults
