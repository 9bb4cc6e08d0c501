"""Positions of variants: playing, endings, picture, words, notation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, ClassVar, Self

from pbm.rules.boards.squares import cached_grid
from pbm.rules.chess.generate import LONG, SHORT
from pbm.rules.chess.movement_tables import cells_in
from pbm.rules.chess.typed_words import find_letters, parse_words, read_letters
from pbm.rules.chess.variants.endings import MOVER, OTHER, Ending, find_end, is_repetition_ruled
from pbm.rules.chess.variants.equipment import CHESS, Equipment
from pbm.rules.chess.variants.generation import GeneratedMoves, generate
from pbm.rules.chess.variants.men_tables import EMPTY, WALL, MenTables
from pbm.rules.chess.variants.notation import Notation
from pbm.rules.chess.variants.playing import play
from pbm.rules.chess.variants.rule_set import DRAW, KING, WIN
from pbm.rules.chess.variants.spelling import spell_fen
from pbm.rules.chess.variants.state import State
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.scene import Entry, Mark, Panel, Piece, Scene, mark_told, marks_on
from pbm.rules.drawing.scene_text import TextLayout
from pbm.rules.errors import InvalidMove, MoveError
from pbm.rules.families.two_player import TwoPlayerPosition
from pbm.rules.phrases import Listing, Phrase, change_values, combine, join_phrases, phrase
from pbm.rules.typed import listing, quoted


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
    generation_cache: list[GeneratedMoves] = field(
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
    def generated(self) -> GeneratedMoves:
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
        """Return by how many pawns' worth of men the first side is ahead, or behind where the aim
        is to lose them."""
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
            raise self._refuse(move)
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

    def with_state(self, state: State, generated: GeneratedMoves | None = None) -> Self:
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

    def _refuse(self, move: str) -> MoveError:
        try:
            canonical = self.read(move)
        except MoveError as error:
            return error
        return InvalidMove(
            phrase("{move} is written {canonical}", move=quoted(move), canonical=canonical)
        )

    # Notation

    @property
    def _notation(self) -> Notation:
        return Notation(self.equipment, self.state, self.moves())

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        return parse_words(self, text)

    def read_letters(self, text: str, seat: int, language: str) -> str:
        if self.equipment.style != CHESS:
            return text
        equipment = self.equipment
        letters = find_letters(language, {equipment.name_of(one): one for one in equipment.slots})
        return read_letters(self, text, seat, letters, self.tables.columns)

    def read(self, word: str) -> str:
        sample = self.example
        if sample != "-":
            sample = listing([self._notation.write(sample), sample], "or")
        return self._notation.read(word, sample)

    def notation(self, move: str) -> str:
        """Return a legal move as records have it, without its effect."""
        return self._notation.write(move)

    def write_plainly(self, move: str) -> str:
        """Return the same as it is read without a question."""
        return self._notation.write_plainly(move)

    def write_origin(self, move: str) -> str:
        """Return a legal move with the letter of its man and both cells."""
        return self._notation.write_origin(move)

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        if seat < 0:
            return TwoPlayerPosition.describe(self, seat, move, viewer)
        after = self._after(move)
        sign = "" if not after.checked else "+" if after.generated.moves else "#"
        text = self.write_plainly(move)
        return text if text.endswith("+") else text + sign

    def suggest(self, seat: int) -> str:
        move = min(self.legal_moves(seat), key=self._rate_as_example)
        return self.write_plainly(move)

    def _rate_as_example(self, move: str) -> tuple[bool, int, str]:
        """Return how far from the centre a move ends, drops and castling last."""
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
                    letter,
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
