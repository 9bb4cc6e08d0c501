"""What a variant is played with besides its rules: names of pieces and sides, the look of the
board, what pieces are worth."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pbm.rules.chess.variants.generation import generate
from pbm.rules.chess.variants.men_tables import EMPTY, MenTables
from pbm.rules.chess.variants.moves_in_betza import Way, read_betza
from pbm.rules.chess.variants.rule_set import LOSS, MOST_COLUMNS, PAWN, WIN, VariantRules
from pbm.rules.chess.variants.slots import name_slot
from pbm.rules.chess.variants.start import list_walls, read_board, read_start, split_fen
from pbm.rules.drawing.grid_scene import CHEQUERED, CROSSINGS, PLAIN
from pbm.rules.phrases import Phrase, make_phrase, phrase

NO_MOVE = "-"
CHESS, SHOGI, XIANGQI = "chess", "shogi", "xiangqi"
SEATS: Mapping[str, tuple[str, str]] = {
    CHESS: ("white", "black"),
    SHOGI: ("black", "white"),
    XIANGQI: ("red", "black"),
}
_LOOKS = {CHESS: CHEQUERED, SHOGI: PLAIN, XIANGQI: CROSSINGS}
_XIANGQI_KINDS = {
    "king": "general",
    "fers": "advisor",
    "rook": "chariot",
    "wazir": "advisor",
}
"""The slots of xiangqi's men that it calls otherwise."""
_STEP, _RIDE, _ASLANT, _HOP, _LAME = 0.38, 3.2, 0.65, 1.6, 0.7
"""What a step is worth in pawns, and by how much more or less a ride, a slanting ride, a hop over a
man, and a step that can be blocked."""


class Equipment:
    """What one variant is played with.

    rules   its rules
    names   the names of its pieces by letter, where they are not those of their slots
    style   how its field draws the men: chess, shogi or xiangqi
    """

    def __init__(self, rules: VariantRules, style: str, names: Mapping[str, str]) -> None:
        self.rules, self.style, self._names = rules, style, names

    @cached_property
    def tables(self) -> MenTables:
        """The movement tables, built when the first position is."""
        return MenTables(self.rules, list_walls(self.rules))

    @property
    def look(self) -> str:
        """How the scene shows the board."""
        return _LOOKS[self.style]

    @property
    def seats(self) -> tuple[str, str]:
        """The names of the sides."""
        return SEATS[self.style]

    @property
    def shades(self) -> tuple[tuple[str, frozenset[int]], ...]:
        """The cells with a colour of their own: the goals, and palaces."""
        tables = self.tables
        goal = tables.flags[0] | tables.flags[1]
        is_small = 0 < goal.bit_count() <= tables.size // 4
        marked = goal if is_small else tables.diagonals
        cells = frozenset(cell for cell in range(tables.size) if marked >> cell & 1)
        return (("goal" if is_small else "palace", cells),) if cells else ()

    @cached_property
    def slots(self) -> dict[str, str]:
        """The slot of each letter."""
        return self.rules.slots

    @cached_property
    def titles(self) -> dict[str, Phrase]:
        """What the piece of each slot is called."""
        return {slot: self.name_of(letter) for letter, slot in self.slots.items()}

    def name_promoted(self, letter: str) -> Phrase:
        """Return what a piece is called that was promoted from that of the letter."""
        plain = Phrase(self.name_of(letter).removesuffix(" general"))
        return phrase("promoted {piece}", piece=plain)

    def name_of(self, letter: str) -> Phrase:
        """Return what a piece is called."""
        if letter in self._names:
            return make_phrase(self._names[letter])
        slot = self.slots[letter]
        if self.style == XIANGQI and slot in _XIANGQI_KINDS:
            return Phrase(_XIANGQI_KINDS[slot])
        if slot == "commoner" and (slot in self.rules.extinction_pieces or letter == "K"):
            return Phrase("king")
        return name_slot(slot, letter)

    @cached_property
    def worth(self) -> dict[str, float]:
        """What each sign counts for White, in pawns; men of Black count against."""
        worth = dict[str, float]()
        for letter, slot in self.slots.items():
            ways = read_betza(self.rules.betza(slot))
            value = 1.0 if slot == PAWN else max(0.5, sum(map(_rate, ways)))
            worth[letter], worth[letter.lower()] = value, -value
        for letter in ("K",) if "king" in self.rules.letters else ():
            if self.slots.get(letter) == "king":
                worth["K"] = worth["k"] = 0.0
        return worth

    @cached_property
    def example(self) -> str:
        """A move as people could write it, without a position: two squares."""
        return find_example(self.rules)

    @property
    def material_sign(self) -> int:
        """Whether men are good to have: -1 where the aim is to lose them."""
        rules = self.rules
        return -1 if WIN in (rules.extinction, rules.checkmate) or rules.stalemate == WIN else 1

    @property
    def is_decisive(self) -> bool:
        """Whether nothing but a result for one side ends the game."""
        rules = self.rules
        return not rules.idle_moves and not rules.recurring and rules.stalemate in (WIN, LOSS)


def find_example(rules: VariantRules) -> str:
    """Return a step of a man of the first position, found without tables."""
    placed, held, fields = split_fen(rules)
    board, _ = read_board(rules, placed)
    side = int(bool(fields) and fields[0] == "b")
    columns = rules.columns
    drop = ""
    if rules.drops and held:
        letter = next((one for one in held if one.islower() == bool(side)), held[0]).upper()
        drop = f"{letter}@" + _find_empty(rules, board, side)
    if drop and rules.must_drop:
        return drop
    best = ""
    for cell, sign in enumerate(board):
        if not sign.isalpha() or sign.islower() != bool(side):
            continue
        slot = rules.slots[sign.upper()]
        for way in read_betza(rules.betza(slot)):
            for x, y in way.steps if way.moves and not way.hops and not way.lame else ():
                column = cell % columns + (-x if side else x)
                row = cell // columns + (-y if side else y)
                if 0 <= column < columns and 0 <= row < rules.rows:
                    to = row * columns + column
                    fits = _fits(rules, slot, side, row, column)
                    if board[to] == EMPTY and fits and not best:
                        best = _name(columns, cell) + _name(columns, to)
                    if board[to] == EMPTY and fits and y > 0 and slot in (PAWN, "shogiPawn"):
                        return _name(columns, cell) + _name(columns, to)
    return best or drop or _find_first(rules)


def _find_first(rules: VariantRules) -> str:
    """Return a legal move of the first position; NO_MOVE where there is none."""
    tables = MenTables(rules, list_walls(rules))
    return next(iter(generate(tables, read_start(tables)).moves), NO_MOVE)


def _fits(rules: VariantRules, slot: str, side: int, row: int, column: int) -> bool:
    region = rules.mobility[side].get(slot, 0)
    return not region or bool(region >> row * MOST_COLUMNS + column & 1)


def _find_empty(rules: VariantRules, board: str, side: int) -> str:
    for cell, sign in enumerate(board):
        row, column = divmod(cell, rules.columns)
        if sign == EMPTY and rules.drop_region[side] >> row * MOST_COLUMNS + column & 1:
            return _name(rules.columns, cell)
    return "a1"


def _name(columns: int, cell: int) -> str:
    return "abcdefghijkl"[cell % columns] + str(cell // columns + 1)


def _rate(way: Way) -> float:
    """Return what a way of moving is worth."""
    total = 0.0
    for x, y in way.steps:
        reach = min(way.reach, _RIDE)
        if way.reach > 1 and x and y:
            reach *= _ASLANT
        if way.hops:
            reach = _HOP
        total += reach * (_LAME if way.lame else 1.0)
    share = 1.0 if way.moves and way.captures else 0.5
    return _STEP * total * share * (0.2 if way.first else 1.0)
