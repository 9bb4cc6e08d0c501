"""Positions of variants: playing, endings, picture, words, notation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, ClassVar, NamedTuple, Self

from pbm.rules.boards.squares import cached_grid
from pbm.rules.chess.movement_tables import LONG, SHORT, cells_in
from pbm.rules.chess.typed_words import (
    ask_which,
    build_refusal,
    parse_words,
    read_castling,
    read_letters,
    tell_apart,
    write_move,
)
from pbm.rules.chess.variants.generation import PASS, VariantMoves, generate
from pbm.rules.chess.variants.men_tables import DRAW, EMPTY, KING, PAWN, WALL, WIN, MenTables
from pbm.rules.chess.variants.playing import (
    MOVER,
    OTHER,
    Ending,
    find_end,
    is_repetition_ruled,
    play,
)
from pbm.rules.chess.variants.reader import spell_fen
from pbm.rules.chess.variants.start import SHOGI, Equipment
from pbm.rules.chess.variants.state import State
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.picture import LABEL, Canvas
from pbm.rules.drawing.scene import Entry, Mark, Panel, Piece, Scene, mark_told, marks_on
from pbm.rules.drawing.scene_text import TextLayout
from pbm.rules.errors import AmbiguousMove, IllegalMove, InvalidMove
from pbm.rules.families.two_player import TwoPlayerPosition
from pbm.rules.phrases import Listing, Phrase, change_values, combine, join_phrases, phrase
from pbm.rules.typed import listing, quoted

_SHOGI_MOVE = re.compile(
    r"\s*(?:\d{1,3}\s*\.+\s*)?(?P<man>\+?[A-Za-z]|)(?P<start>[1-9][a-i])?(?P<sign>[-x*']?)(?P<end>[1-9][a-i])(?P<more>\+?)=?(?!\w)"
)
"""A move as shogi has it, whose squares are counted from the top right: P-7f, P*3d, 7g7f+."""


def draw_empty(equipment: Equipment) -> Scene:
    """Return the empty board of a variant."""
    tables = equipment.tables
    return grid_scene(
        cached_grid(tables.width, tables.height),
        equipment.look,
        tables.columns,
        tables.rows,
        tables.names,
        equipment.shades,
    )


@dataclass(frozen=True, slots=True)
class VariantPosition(TwoPlayerPosition):
    """A position of a variant; `rest` is its state after board and side."""

    equipment: ClassVar[Equipment]
    layout: ClassVar[TextLayout | None] = TextLayout(across=3)
    turns_board = True
    moves_once = True
    rest: tuple[Any, ...] = ()
    generation_cache: list[VariantMoves] = field(
        default_factory=list, init=False, compare=False, repr=False
    )

    @property
    def tables(self) -> MenTables:
        """The movement tables of the variant."""
        return self.equipment.tables

    @property
    def state(self) -> State:
        """The state of the game."""
        return State(self.board, self.side, *self.rest)

    @property
    def generated(self) -> VariantMoves:
        """The legal moves and what was found with them."""
        if not self.generation_cache:
            self.generation_cache.append(generate(self.tables, self.state))
        return self.generation_cache[0]

    @property
    def fen(self) -> str:
        """The position in FEN."""
        return spell_fen(self.tables, self.state)

    @property
    def checked(self) -> bool:
        """Whether the side to move is in check."""
        return self.generated.checked

    def duty(self, seat: int) -> str:
        """Return that the seat is in check, or that it must capture."""
        if self.checked:
            return phrase("you are in check")
        moves = self.generated.moves
        is_bound = bool(moves) and self.tables.rules.must_capture
        must = is_bound and "x" in self.describe(seat, moves[0], seat)
        return phrase("you must capture") if must else ""

    @property
    def key(self) -> str | None:
        if is_repetition_ruled(self.tables) or not self.tables.rules.recurring:
            return None
        return str(self.state.history[-1])

    @property
    def claim(self) -> str:
        rules = self.tables.rules
        moves = rules.idle_moves
        if self.outcome or not moves or "nMoveRule" in rules.said or self.state.idle < 2 * moves:
            return ""
        return phrase(
            "each side has made {moves} moves without a capture or another that counts", moves=moves
        )

    def count_material(self) -> float:
        """Return the first side's lead in pawns' worth of men; negated where the aim is to lose
        them."""
        worth, hands = self.equipment.worth, self.state.hands
        ahead = sum(worth.get(sign, 0.0) for sign in self.board)
        ahead += sum(worth[letter] for letter in hands[0])
        ahead -= sum(worth[letter] for letter in hands[1])
        return ahead * self.equipment.material_sign

    def is_capture(self, move: str) -> bool:
        """Whether a legal move goes to where a man stands."""
        start, end, _ = self.tables.ends[move]
        return start >= 0 and start != end and self.board[end] != EMPTY

    def moves(self) -> Sequence[str]:
        return () if self.outcome else self.generated.moves

    # Playing

    def advance(self, move: str) -> Self:
        if move not in self.generated.moves:
            raise build_refusal(self, move)
        after = self._after(move)
        if gone := self.find_gone(move, after):
            made, after = after, replace(after, news=(self._tell_gone(gone),))
            after.generation_cache.extend(made.generation_cache)
        return after.settle()

    def find_gone(self, move: str, after: Self) -> list[str]:
        """Return where men have left the board that the move does not name: one captured in
        passing, or all that an explosion takes."""
        if move.partition("/")[0] in (SHORT, LONG):
            return []
        start, boards = self.tables.ends[move][0], (self.board, after.board)
        return [
            name
            for cell, (name, was, now) in enumerate(zip(self.tables.names, *boards, strict=True))
            if was != now == EMPTY and cell != start and was != WALL
        ]

    def _tell_gone(self, gone: Sequence[str]) -> Phrase:
        if self.tables.rules.blast:
            return phrase("what stood on {places} explodes", places=Listing(gone))
        return phrase(
            "{colour} captures {places}", colour=self.colour(self.side), places=Listing(gone)
        )

    def settle(self) -> Self:
        """Return the position, ended if its rules end the game in it."""
        ending = find_end(self.tables, self.state, self.generated)
        return self.end_as(ending) if ending else self

    def _after(self, move: str) -> Self:
        """Return the position after a legal move, without asking whether the game is over."""
        state, generated = play(self.tables, self.state, move)
        return self.with_state(state, generated)

    def with_state(self, state: State, generated: VariantMoves | None = None) -> Self:
        """Return the position with another state."""
        after = type(self)(
            self.options,
            state.board,
            state.side,
            state.turn,
            self.swapped,
            None,
            None,
            (),
            tuple(state[2:]),
        )
        if generated:
            after.generation_cache.append(generated)
        return after

    def end_as(self, ending: Ending) -> Self:
        """Return the position with that ending."""
        side = self.side
        names = {MOVER: self.colour(side), OTHER: self.colour(1 - side)}
        pieces = {f"{{{slot}}}": title for slot, title in self.equipment.titles.items()}
        reason = change_values(ending.reason, lambda value: names.get(value) or pieces[value])
        if ending.value == DRAW:
            return self.end_in_draw(reason)
        return self.win(side if ending.value == WIN else 1 - side, reason)

    # Notation

    @property
    def _notation(self) -> Notation:
        return Notation(self.equipment, self.state, self.moves())

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        return parse_words(
            self, self._turn_squares(text) if self.equipment.style == SHOGI else text
        )

    def _turn_squares(self, text: str) -> str:
        """Return a text with its first move as our boards count: Pc4 for P-7f, P@f6 for P*3d, c3c4
        for 7g7f."""
        move, names = _SHOGI_MOVE.match(text), list[str]()
        if not move or not (move["man"] or move["start"]):
            return text
        for file, rank in filter(None, move.group("start", "end")):
            column, row = (
                self.tables.width - int(file),
                self.tables.height - "abcdefghi".index(rank),
            )
            if column < 0 or row < 1:
                return text
            names.append(f"{self.tables.columns[column]}{row}")
        sign = "@" if move["sign"] in ("*", "'") else ""
        return f"{move['man'].upper()}{sign}{''.join(names)}{move['more']}{text[move.end() :]}"

    def read_letters(self, text: str, seat: int, language: str) -> str:
        return read_letters(self, text, seat, language, self.tables.columns)

    @property
    def letters(self) -> tuple[tuple[str, str], ...]:
        return self.equipment.letters

    @property
    def men(self) -> tuple[tuple[str, str], ...]:
        return self.equipment.men

    def read(self, word: str) -> str:
        sample = self.example
        if sample != "-":
            sample = listing([self.mark_letters(self._notation.write(sample)), sample], "or")
        return self._notation.read(word, sample)

    def notation(self, move: str) -> str:
        """Return a legal move as records have it, without its effect."""
        return self._notation.write(move)

    def write_plainly(self, move: str) -> str:
        """Return the move in notation that can be read without a question."""
        return self._notation.write_plainly(move)

    def write_origin(self, move: str) -> str:
        """Return a legal move with the letter of its man and both cells."""
        return self._notation.write_origin(move)

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        if seat < 0:
            return TwoPlayerPosition.describe(self, seat, move, viewer)
        after = self._after(move)
        sign = "" if not after.checked else "+" if after.generated.moves else "#"
        return write_move(self, seat, move, "" if move.endswith("+") else sign)

    def suggest(self, seat: int) -> str:
        return write_move(self, seat, min(self.legal_moves(seat), key=self._rate_as_example))

    def _rate_as_example(self, move: str) -> tuple[bool, int, str]:
        """Return the distance from the centre of a move's target; drops and castling come last."""
        tables = self.tables
        start, end, more = tables.ends[move]
        row, column = divmod(max(end, 0), tables.width)
        off = abs(2 * row + 1 - tables.height) + abs(2 * column + 1 - tables.width)
        return start < 0 or bool(more), off, move

    def steps(self, seat: int, move: str) -> tuple[str, ...]:
        bare, slash, gate = move.partition("/")
        if slash:
            return (bare, f"/{gate}")
        start, end, more = self.tables.ends[move]
        names = self.tables.names
        if start == -1:
            return (more, names[end])
        if start < 0:
            return (move,)
        return (names[start], names[end], *([more] if more else []))

    # The scene and the picture

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        tables = self.tables
        marks = marks_on(tables.names, self._marked_cells(last))
        if not self.outcome and self.checked:
            king = self.board.find(tables.royal[self.side]) if tables.royal[self.side] else -1
            marks += (Mark((tables.names[king],), "check"),) if king >= 0 else ()
        scene = replace(
            draw_empty(self.equipment),
            pieces=self._pieces(),
            marks=marks,
            panels=self.panels(),
            style=self.equipment.style,
        )
        return mark_told(scene, self.news) if last else scene

    def _pieces(self) -> tuple[Piece, ...]:
        tables, notation = self.tables, Notation(self.equipment, self.state, ())
        pieces = list[Piece]()
        for cell, sign in enumerate(self.board):
            if sign == WALL:
                pieces.append(Piece(tables.names[cell], "wall", label="*"))
            elif sign != EMPTY:
                label, kind = notation.letter_at(cell), notation.name_at(cell)
                pieces.append(Piece(tables.names[cell], kind, int(sign.islower()), label=label))
        return tuple(pieces)

    def panels(self) -> tuple[Panel, ...]:
        rules, state = self.tables.rules, self.state
        panels = list[Panel]()
        if rules.drops or rules.seirawan_gating:
            panels += [self._hand(side, hand) for side, hand in enumerate(state.hands)]
        if rules.check_counting:
            for side, count in enumerate(state.checks):
                panels.append(
                    Panel(phrase("checks to give"), (Entry(str(max(count, 0)), "", side),), side)
                )
        return tuple(panels)

    def _hand(self, side: int, hand: str) -> Panel:
        may_drop = side == self.side and not self.outcome and self.tables.rules.drops
        return Panel(
            phrase("in hand"),
            tuple(
                Entry(
                    self.mark_letters(letter),
                    self.equipment.name_of(letter),
                    side,
                    len(list(like)),
                    letter if may_drop else "",
                )
                for letter, like in groupby(hand)
            ),
            side,
        )

    def notes(self, viewer: int | None = None) -> tuple[str, ...]:
        state, names, notes = self.state, self.tables.names, list[str]()
        if state.castles:
            pairs = [
                phrase("{king} with {rook}", king=names[king], rook=names[rook])
                for king, rook in state.castles
            ]
            notes.append(phrase("Castling that is still possible: {pairs}.", pairs=Listing(pairs)))
        if state.passed:
            cells = Listing(names[one] for one in state.passed)
            notes.append(phrase("Capture in passing: {places}.", places=cells))
        for side, gates in enumerate(state.gates):
            if gates:
                notes.append(
                    phrase(
                        "Men of {side} that have not moved: {places}.",
                        side=self.colour(side),
                        places=Listing(names[cell] for cell in cells_in(gates)),
                    )
                )
        if state.limit:
            notes.append(
                phrase(
                    "The count is at {counted} of {limit} turns.",
                    counted=state.counted,
                    limit=state.limit,
                )
            )
        return tuple(notes)

    def sign(self, piece: Piece) -> str:
        return piece.label.lower() if piece.seat else piece.label

    @property
    def seat_signs(self) -> Sequence[str]:
        letter = self.tables.letter_of.get(KING) or next(iter(self.tables.slot_of))
        return letter, letter.lower()

    def _marked_cells(self, last: Sequence[str]) -> set[int]:
        """Return the cells that moves go from and to; castling marks where king and rook now
        stand."""
        cells = set[int]()
        for move in last:
            bare = move.partition("/")[0]
            if bare in (SHORT, LONG):
                cells.update(self.tables.castle(0, 2 * (bare == SHORT) - 1, 1 - self.side))
                continue
            start, end, _ = self.tables.ends[move]
            cells |= {cell for cell in (start, end) if cell >= 0}
        return cells

    def caption(self, canvas: Canvas) -> None:
        TwoPlayerPosition.caption(self, canvas)
        if legend := self.equipment.legend:
            canvas.paragraph(legend, LABEL, hyphens=False)

    def note(self) -> str:
        parts, state, rules = list[str](), self.state, self.tables.rules
        if rules.drops or rules.seirawan_gating:
            parts.append(self.tell_hands(state.hands))
        if rules.check_counting:
            left = [
                combine("{side} {number}", side=self.colour(side), number=max(number, 0))
                for side, number in enumerate(state.checks)
            ]
            parts.append(phrase("checks to give: {left}", left=join_phrases(", ", left)))
        if not self.outcome and self.checked:
            parts.append(phrase("{side} is in check", side=self.colour(self.side)))
        return join_phrases("; ", parts)


# Moves of variants as people write them: `Nf3`, `exd5`, `e8=Q`, `P@e5`, `Sb7+`, `O-O/He1`,
# `pass`.
#
# Canonical moves are two squares and what is behind them, a drop, castling or `pass`; everything
# else is parsed and, by `describe`, written.

_CASTLING = re.compile(r"([o0]-?[o0](?:-?[o0])?)(?:/?([a-z])@?([a-l][0-9]{1,2}))?\+*")
_TAIL = re.compile(r"(?:e\.?p\.?|[#!?.]|mate)+$", re.IGNORECASE)
_CELL = r"[a-l][0-9]{1,2}"
_DROP = re.compile(rf"(\+?)([a-z]?)[@*']({_CELL})\+*")
_MOVE = re.compile(
    rf"(\+?[a-z])??([a-l]?)([0-9]{{0,2}})[-x:]?({_CELL})(?:[=/(]?([a-z])\)?|([-+=]))?(\+*)"
)


class VariantReading(NamedTuple):
    """The meaning of a word: a kind ("" for any), the first cell as far as given, the last cell,
    and the rest."""

    kind: str
    column: str
    row: str
    end: str
    more: str


class Notation:
    """Reads and writes the moves of one position."""

    def __init__(self, equipment: Equipment, state: State, moves: Sequence[str]) -> None:
        self.equipment, self.tables = equipment, equipment.tables
        self.state, self.moves = state, moves

    # Writing

    def letter_at(self, cell: int) -> str:
        """Return the notation of the man on a cell: its letter, or + and its letter before
        promotion."""
        was = self.state.under[cell] if self.state.under else EMPTY
        return f"+{was}" if was.isalpha() else self.state.board[cell].upper()

    def name_at(self, cell: int) -> Phrase:
        """Return the name of the man on a cell."""
        letter = self.letter_at(cell)
        if letter.startswith("+"):
            return self.equipment.name_promoted(letter[1])
        return self.equipment.name_of(letter)

    def write(self, move: str) -> str:
        """Return a legal move in algebraic notation, without check and mate signs."""
        if move == PASS:
            return PASS
        bare, slash, gate = move.partition("/")
        if bare in (SHORT, LONG):
            return f"{bare.upper()}/{gate.capitalize()}" if slash else bare.upper()
        tables = self.tables
        start, end, more = tables.ends[move]
        if start < 0:
            return move
        names, sign = tables.names, self.state.board[start]
        is_pawn = tables.men[sign].slot == PAWN
        takes = "x" if self._takes(start, end) else ""
        origin = self._origin(move, start, end)
        if is_pawn:
            text = f"{names[start][0]}x{names[end]}" if takes else names[end]
            if start == end or (not takes and names[start][0] != names[end][0]):
                text = names[start] + names[end]
        else:
            text = f"{self.letter_at(start)}{origin}{takes}{names[end]}"
        if not more:
            return f"{text}=" if self._may_promote(start, move) else text
        if more in "+-":
            return text + more
        sign = "/" if self._is_gating(start, more) else "="
        return f"{text}{sign}{more.upper()}"

    def _may_promote(self, start: int, move: str) -> bool:
        """Whether the moving man could promote as well, so that a word without a sign is
        ambiguous."""
        size = len(move) + 1
        return any(
            len(other) == size
            and other.startswith(move)
            and not (other[-1].isdigit() or self._is_gating(start, other[-1]))
            for other in self.moves
        )

    def write_plainly(self, move: str) -> str:
        """Return the move in notation that can be read without a question: both cells of a
        capture by a pawn that could, in lower case, be another man's."""
        text = self.write(move)
        if text[:1].islower() and "x" in text and text[:1].upper() in self.tables.slot_of:
            try:
                self.read(text, "")
            except AmbiguousMove:
                return self.tables.names[self.tables.ends[move][0]] + text[1:]
        return text

    def write_origin(self, move: str) -> str:
        """Return the same with both cells of a man that moves."""
        start, end, _ = self.tables.ends[move]
        if start < 0:
            return self.write(move)
        head, letter = self.write(move), self.letter_at(start)
        takes = "x" if self._takes(start, end) else ""
        tail = head[head.rindex(self.tables.names[end]) + len(self.tables.names[end]) :]
        return f"{letter}{self.tables.names[start]}{takes}{self.tables.names[end]}{tail}"

    def _is_gating(self, start: int, more: str) -> bool:
        gates = self.state.gates[self.state.side] if self.tables.rules.seirawan_gating else 0
        return more.isalpha() and bool(gates >> start & 1)

    def _enters(self, move: str) -> bool:
        """Whether a piece enters behind the man that moves."""
        start, _, more = self.tables.ends[move]
        return start >= 0 and self._is_gating(start, more)

    def _takes(self, start: int, end: int) -> bool:
        if start == end:
            return False
        if self.state.board[end] != EMPTY:
            return True
        man = self.tables.men[self.state.board[start]]
        is_aslant = (end - start) % self.tables.width != 0
        return end in self.state.passed and (man.slot != PAWN or is_aslant)

    def _origin(self, move: str, start: int, end: int) -> str:
        """Return the column, the row or both of a cell, as far as needed to tell its man from
        others."""
        names, letter = self.tables.names, self.letter_at(start)
        others = {
            names[other]
            for other, to, _ in map(self.tables.ends.__getitem__, self.moves)
            if to == end and other not in (-1, -2, start) and self.letter_at(other) == letter
        }
        return tell_apart(names[start], others)

    # Reading

    def read(self, word: str, sample: str) -> str:
        """Return the legal move that a word without blanks means."""
        if word in self.moves:
            return word
        bare = _TAIL.sub("", word) or word
        low = bare.lower()
        if low in (PASS, "--"):
            return self._require(PASS, word)
        if self.tables.rules.castling and (side := read_castling(low)):
            return self._require(side, word)
        if castling := _CASTLING.fullmatch(low):
            long = low.partition("/")[0].count("o") + low.partition("/")[0].count("0") > 2
            gate = f"/{castling[2]}{castling[3]}" if castling[2] else ""
            return self._require((LONG if long else SHORT) + gate, word)
        if drop := _DROP.fullmatch(low):
            letter = drop[2] or self.tables.letter_of.get(PAWN, "P").lower()
            return self._require(f"{drop[1]}{letter.upper()}@{drop[3]}", word)
        if not bare.isascii() or not (match := _MOVE.fullmatch(low)):
            raise InvalidMove(
                phrase(
                    "{word} is not a move; a move looks like {sample}",
                    word=quoted(word),
                    sample=sample,
                )
            )
        readings = list(self._readings(bare, match))
        if self._begins_with_man(bare) and any(self._matching(readings[0])):
            readings = readings[:1]
        return self._choose(word, readings)

    def _begins_with_man(self, bare: str) -> bool:
        """Whether a word begins with a man's letter, a capital before small letters."""
        return bare[:1].isupper() and not bare.isupper() and bare[0] in self.tables.slot_of

    def _require(self, move: str, word: str) -> str:
        if move in self.moves:
            return move
        raise IllegalMove(
            combine("{word}: {why_not}", word=quoted(word), why_not=self._why_not(move))
        )

    def _why_not(self, move: str) -> str:
        if move == PASS:
            return phrase("nobody passes here")
        if move.startswith(SHORT):
            return phrase("castling is not possible now")
        start, end, what = self.tables.ends[move]
        if start != -1:
            return phrase("there is no such square")
        if what[-1] not in self.state.hands[self.state.side]:
            return phrase("you have no {what} in hand", what=what[-1])
        if self.state.board[end] != EMPTY:
            return phrase("{name} is not empty", name=self.tables.names[end])
        return phrase("it may not be dropped there now")

    def _readings(self, bare: str, match: re.Match[str]) -> Iterator[VariantReading]:
        """Yield the readings of a word. A capital before small letters is a man if the game has one
        of that letter, and else a column; a small letter may be either."""
        kind, column, row, end, promotion, sign, plus = match.groups()
        more = promotion or sign or ""
        if sign == "+" or (plus and not more):  # a trailing + says check, or promotes
            more = "?+"
        first = bare[:1]
        lettered = bool(kind) and first.isalpha()
        is_piece = self._begins_with_man(bare)
        if kind is None and column and row and first.isupper() and first in self.tables.slot_of:
            yield VariantReading(first, "", row, end, more)
        if kind is None and column and not row and first.islower():
            yield VariantReading(PAWN, column, "", end, more)
        if kind is None and not column and not row:
            yield VariantReading(PAWN, "", "", end, more)
        if kind is None:
            if row or (column and first.isupper() and not is_piece):
                yield VariantReading("", column, row, end, more)
            if column and not row:
                yield VariantReading(column.upper(), "", "", end, more)
            return
        yield VariantReading(kind.upper(), column, row, end, more)
        if lettered and first.islower() and not column:
            yield VariantReading(PAWN, kind, row, end, more)

    def _choose(self, word: str, readings: list[VariantReading]) -> str:
        matches = list(dict.fromkeys(m for one in readings for m in self._matching(one)))
        plain = [move for move in matches if not move.endswith("+")]
        if len(matches) == 2 and len(plain) == 1 and word.endswith("+"):
            matches = [move for move in matches if move not in plain]
        if len(matches) > 1 and len(alone := [m for m in matches if not self._enters(m)]) == 1:
            matches = alone  # nothing comes in unless it is said
        if not matches:
            matches = list(filter(None, map(self._as_castling, readings)))[:1]
        if len(matches) == 1:
            return matches[0]
        if not matches:
            raise IllegalMove(
                combine("{word}: {why}", word=quoted(word), why=self._explain(readings))
            )
        choices = {move: self.write(move) for move in matches}
        ends = {self.tables.ends[move][:2] for move in matches}
        letters = self.equipment.letters
        raise ask_which(word, choices, letters, promotes=len(ends) == 1)

    def _matching(self, reading: VariantReading) -> Iterator[str]:
        """Yield the legal moves that fit a reading."""
        tables = self.tables
        pawns = {PAWN, *tables.rules.promotion_pawns[self.state.side]}
        for move in self.moves:
            start, end, more = tables.ends[move]
            if start < 0 or tables.names[end] != reading.end:
                continue
            slot = tables.men[self.state.board[start]].slot
            if reading.kind == PAWN and slot not in pawns:
                continue
            if reading.kind not in ("", PAWN, self.letter_at(start)):
                continue
            if reading.column and not tables.names[start].startswith(reading.column):
                continue
            if reading.row and tables.names[start][1:] != reading.row:
                continue
            if self._fits(reading.more, more, slot):
                yield move

    def _as_castling(self, reading: VariantReading) -> str:
        """Return legal castling written as a move of the king, where he goes or onto his rook, with
        the piece behind him that enters; "" for anything else."""
        names, side = self.tables.names, self.state.side
        for king, rook in self.state.castles:
            if self.state.board[king].islower() != bool(side):
                continue
            if reading.kind not in ("", self.letter_at(king)):
                continue
            if f"{reading.column}{reading.row}" not in ("", names[king]):
                continue
            king_to, _ = self.tables.castle(king, rook, side)
            gate = f"/{reading.more}{names[king]}" if reading.more.isalpha() else ""
            move = f"{SHORT if rook > king else LONG}{gate}"
            if reading.end in (names[king_to], names[rook]) and move in self.moves:
                return move
        return ""

    def _fits(self, typed: str, more: str, slot: str) -> bool:
        """Whether the rest of a word fits the rest of the move."""
        if typed in ("", more):
            return True
        if typed == "?+":
            return more in ("", "+")
        if typed == "=":
            return not more
        promoted = self.tables.rules.promoted.get(slot, "")
        return more == "+" and typed == self.tables.letter_of.get(promoted, "").lower()

    def _explain(self, readings: list[VariantReading]) -> str:
        """Return why no legal move fits."""
        if not readings:
            return phrase("no man of yours can go there")
        reading = readings[0]
        tables, side = self.tables, self.state.side
        if reading.end not in tables.number:
            return phrase("there is no square {end}", end=reading.end)
        start = tables.number.get(reading.column + reading.row)
        if start is not None:
            sign = self.state.board[start]
            if not sign.isalpha():
                return phrase("{name} is empty", name=tables.names[start])
            if sign.islower() != bool(side):
                return phrase("the man on {name} is not yours", name=tables.names[start])
            return phrase(
                "the {called} on {name} cannot go there",
                called=self.name_at(start),
                name=tables.names[start],
            )
        if reading.kind in ("", PAWN):
            return phrase("no man of yours can go to {end}", end=reading.end)
        is_named = reading.kind in tables.slot_of
        name = self.equipment.name_of(reading.kind) if is_named else reading.kind
        return phrase("no {name} of yours can go to {end}", name=name, end=reading.end)
