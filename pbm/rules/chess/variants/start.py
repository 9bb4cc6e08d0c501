"""The first position of a variant, from the FEN of its section."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from pbm.rules.chess.variants.generation import generate
from pbm.rules.chess.variants.men_tables import (
    EMPTY,
    KING,
    LOSS,
    MOST_COLUMNS,
    PAWN,
    WALL,
    WIN,
    MenTables,
    VariantRules,
    name_slot,
)
from pbm.rules.chess.variants.moves_in_betza import BetzaWay, read_betza
from pbm.rules.chess.variants.state import PROMOTED_PAWN, State
from pbm.rules.drawing.grid_scene import CHEQUERED, CROSSINGS, PLAIN
from pbm.rules.phrases import Phrase, PieceText, combine, join_phrases, make_phrase, phrase
from pbm.rules.piece_letters import MEN, list_rivals
from pbm.rules.piece_letters import PAWN as PAWN_NAME

_LONGEST = 500
_MAN = re.compile(r"(\+?)([A-Za-z])(~?)|([0-9]+)|(\*)")
_CHECKS = re.compile(r"([0-9]{1,2})\+([0-9]{1,2})")
_BOTH = 2


class FenError(ValueError):
    """A FEN that cannot be the first position; its text says why."""


def read_board(rules: VariantRules, text: str) -> tuple[str, str]:
    """Return the signs of a board in FEN, and the former kinds of its promoted men."""
    rows = text.split("/")
    if len(rows) != rules.rows:
        raise FenError(f"it has {len(rows)} rows, and the board has {rules.rows}")
    board, under = [], []
    for row in reversed(rows):
        signs, was = _read_row(rules, row)
        if len(signs) != rules.columns:
            raise FenError(f"{row} has {len(signs)} columns, and the board has {rules.columns}")
        board.append(signs)
        under.append(was)
    return "".join(board), "".join(under)


def _read_row(rules: VariantRules, row: str) -> tuple[str, str]:
    slots, signs, was, at = rules.slots, "", "", 0
    while at < len(row):
        match = _MAN.match(row, at)
        if match is None:
            raise FenError(f"{row[at]} is not a man, a number, / or *")
        at = match.end()
        plus, letter, pawn, number, wall = match.groups()
        if wall:
            signs, was = signs + WALL, was + EMPTY
        elif number:
            count = min(int(number[:3]), rules.columns + 1)
            signs, was = signs + EMPTY * count, was + EMPTY * count
        else:
            slot = slots.get(letter.upper())
            if slot is None:
                raise FenError(f"{letter} is no piece of this variant")
            below = PROMOTED_PAWN if pawn else EMPTY
            if plus:
                higher = rules.promoted.get(slot)
                if not higher:
                    raise FenError(f"{letter} is not promoted, so +{letter} is no piece")
                below = letter.upper()
                raised = rules.letters[higher]
                letter = raised.lower() if letter.islower() else raised
            signs, was = signs + letter, was + below
    return signs, was


def split_fen(rules: VariantRules) -> tuple[str, str, list[str]]:
    """Return the board, the hands and the other fields of the FEN of a section."""
    if len(rules.start) > _LONGEST:
        raise FenError(f"it is longer than {_LONGEST} characters")
    fields = rules.start.split()
    if not fields:
        raise FenError("it is empty")
    board, bracket, hands = fields[0].partition("[")
    if bracket and not hands.endswith("]"):
        raise FenError("the bracket of the hands is not closed")
    return board, hands.rstrip("]").replace("-", ""), fields[1:]


def list_walls(rules: VariantRules) -> int:
    """Return the cells of the first position that are walls, as bits."""
    board, _ = read_board(rules, split_fen(rules)[0])
    return sum(1 << cell for cell, sign in enumerate(board) if sign == WALL)


def read_start(tables: MenTables) -> State:
    """Return the first state."""
    state = read_state(tables.rules)
    facing = tables.rules.facing_kings and _kings_face(tables, state.board)
    state = state._replace(facing=facing)
    mark = state.fingerprint() * 2 + generate(tables, state).in_check
    return state._replace(history=(mark,))


def read_state(rules: VariantRules) -> State:
    """Return the first state, as far as the FEN gives it. FenError if it is no position."""
    placed, held, fields = split_fen(rules)
    board, under = read_board(rules, placed)
    king = rules.letters.get(KING, "")
    if king and (board.count(king) > 1 or board.count(king.lower()) > 1):
        raise FenError("a side has more than one king")
    hands = ["", ""]
    for sign in held:
        if sign.upper() not in rules.slots:
            raise FenError(f"{sign} is no piece of this variant")
        hands[sign.islower()] += sign.upper()
    side = 0
    if fields:
        if fields[0] not in ("w", "b"):
            raise FenError(f"{fields[0]} is not a side: w or b")
        side = "wb".index(fields[0])
    more = fields[1:]
    if more and _CHECKS.fullmatch(more[0]):  # nobody castles, and checks are counted or named
        more = ["-", "-", *more]
    rights = "-" if not more or more[0].isdigit() else more.pop(0)
    passed = "-" if not more or more[0].isdigit() else more.pop(0)
    if passed != "-":
        raise FenError("a first position has no cell for capturing in passing")
    castles, gates = _read_rights(rules, board, rights)
    checks = (0, 0)
    if rules.check_counting:
        checks = _read_checks(more)
    elif more and _CHECKS.fullmatch(more[0]):
        more = more[1:]  # nothing counts them
    if not all(re.fullmatch(r"[0-9]{1,4}", one) for one in more[:_BOTH]) or len(more) > _BOTH:
        raise FenError(f"{' '.join(more)[:40]} is not two numbers")
    return State(
        board,
        side,
        "" if under.count(EMPTY) == len(under) else under,
        ("".join(sorted(hands[0])), "".join(sorted(hands[1]))),
        castles,
        gates=gates,
        checks=checks,
        idle=int(more[0]) if more else 0,
    )


def _kings_face(tables: MenTables, board: str) -> bool:
    white, black = (board.find(sign) for sign in tables.royal)
    path = tables.rook_lines[white].get(1 << black) if min(white, black) >= 0 else None
    return path is not None and not any(
        path >> cell & 1 and sign != EMPTY for cell, sign in enumerate(board)
    )


def _read_checks(more: list[str]) -> tuple[int, int]:
    """Return the checks that each side needs."""
    match = _CHECKS.fullmatch(more[0]) if more else None
    if match is None:
        return (1, 1)
    more.pop(0)
    return int(match[1]), int(match[2])


def _read_rights(
    rules: VariantRules, board: str, text: str
) -> tuple[tuple[tuple[int, int], ...], tuple[int, int]]:
    """Return castling that is possible, and the cells behind whose men pieces may enter."""
    width = rules.columns
    castles, gates = set[tuple[int, int]](), [0, 0]
    for letter in text.replace("-", ""):
        side = int(letter.islower())
        row = rules.rows - 1 - rules.castling_row if side else rules.castling_row
        first = row * width
        king = _find_king(rules, board, side, first)
        rook = _find_rook(rules, board, side, first, letter.upper())
        if rook is None:
            raise FenError(f"{letter} is no right to castle")
        if rules.gating:
            if _is_of(board[rook], side):
                gates[side] |= 1 << rook
            if letter.upper() in "KQ" and king >= 0:
                gates[side] |= 1 << king
            elif letter.upper() not in "KQ":
                continue
        if rules.castling and king >= 0 and _is_rook(rules, board[rook], side) and king != rook:
            castles.add((king, rook))
    return tuple(sorted(castles)), (gates[0], gates[1])


def _is_of(sign: str, side: int) -> bool:
    return sign.isalpha() and sign.islower() == bool(side)


def _is_rook(rules: VariantRules, sign: str, side: int) -> bool:
    if not _is_of(sign, side):
        return False
    return rules.slots[sign.upper()] in rules.castling_rooks[side]


def _find_king(rules: VariantRules, board: str, side: int, first: int) -> int:
    """Return the cell of what castles as a king; -1 if it is not there."""
    letter = rules.letters.get(rules.castling_king[side], "")
    sign = letter.lower() if side else letter
    row = range(first, first + rules.columns)
    kings = [cell for cell in row if letter and board[cell] == sign]
    if len(kings) == 1:
        return kings[0]
    home = first + rules.castling_king_column
    return home if home in kings else -1


def _find_rook(rules: VariantRules, board: str, side: int, first: int, letter: str) -> int | None:
    """Return the cell that a letter of the castling rights means."""
    last = rules.columns - 1
    if letter == "K" and rules.castling:
        for column in range(min(rules.castling_rook_right, last), -1, -1):
            if _is_rook(rules, board[first + column], side) or not column:
                return first + column
    if letter == "Q" and rules.castling:
        for column in range(rules.castling_rook_left, last + 1):
            if _is_rook(rules, board[first + column], side) or column == last:
                return first + column
    column = ord(letter) - ord("A")
    return first + column if 0 <= column <= last else first if letter in "KQ" else None


# What a variant is played with besides its rules: names of pieces and sides, the look of the
# board, what pieces are worth.

NO_MOVE = "-"
CHESS, SHOGI, XIANGQI = "chess", "shogi", "xiangqi"
SEATS: Mapping[str, tuple[str, str]] = {
    CHESS: ("white", "black"),
    SHOGI: ("black", "white"),
    XIANGQI: ("red", "black"),
}
_LOOKS = {CHESS: CHEQUERED, SHOGI: PLAIN, XIANGQI: CROSSINGS}
FOOT = (PAWN, "shogiPawn", "soldier")
_USUAL = {"knight", "bishop", "rook", "queen", KING, PAWN}
_XIANGQI_KINDS = {
    "king": "general",
    "fers": "advisor",
    "rook": "chariot",
    "wazir": "advisor",
}
"""The slots of xiangqi's men that it calls otherwise."""
_STEP, _RIDE, _ASLANT, _HOP, _LAME = 0.38, 3.2, 0.65, 1.6, 0.7
"""Values in pawns of a step, and the additions for a ride, a slanting ride, a hop over a man, and a
step that can be blocked."""


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
        """The style of the board in the scene."""
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
    def signs(self) -> dict[str, tuple[str, ...]]:
        """How the men are written that are on the board or can come there, by slot: the letter, or
        `+` and what they are promoted from."""
        rules, state = self.rules, read_state(self.rules)
        under = state.under or EMPTY * len(state.board)
        signs = (
            was if was.isalpha() else sign for sign, was in zip(state.board, under, strict=True)
        )
        plain = {rules.slots[sign.upper()] for sign in signs if sign.isalpha()}
        plain |= {rules.slots[letter] for hand in state.hands for letter in hand}
        for side in range(2):
            if plain & rules.promotion_pawns[side]:
                plain |= rules.promotion_pieces[side]
        written = {slot: (letter,) for letter, slot in self.slots.items() if slot in plain}
        for letter, slot in self.slots.items():
            after = rules.promoted.get(slot, "")
            if slot in plain and after and after not in plain:
                written[after] = (*written.get(after, ()), f"+{letter}")
        return {slot: written[slot] for slot in self.slots.values() if slot in written}

    @cached_property
    def unfamiliar(self) -> tuple[str, ...]:
        """The slots of the men that somebody who knows chess does not know."""
        rules = self.rules
        return tuple(
            slot
            for slot in self.signs
            if (slot not in _USUAL or (slot == KING and rules.king_moves))
            and (slot != "commoner" or self.titles[slot] != KING)
        )

    @cached_property
    def letters(self) -> tuple[tuple[str, str], ...]:
        """The letters of pieces in moves, by their names, where other languages have others:
        without the pawns, unless they are dropped."""
        if self.style != CHESS:
            return ()
        return tuple((name, one) for name, one in self.men if self.rules.drops or name != PAWN_NAME)

    @cached_property
    def men(self) -> tuple[tuple[str, str], ...]:
        """The letters of all pieces by their names."""
        return tuple((str(self.name_of(letter)), letter) for letter in self.slots)

    @cached_property
    def legend(self) -> str:
        """The letters of the pieces on a board as text, with their names, where some are none of
        chess; "" where all are, or where the letters are those of another family."""
        names = {sign: self.titles[slot] for slot, signs in self.signs.items() for sign in signs}
        if self.style != CHESS or {*map(str, names.values())} <= {*MEN}:
            return ""
        return join_phrases(
            ", ",
            [
                combine("{letter}={piece}", letter=PieceText(letter, self.letters), piece=name)
                for letter, name in sorted(names.items(), key=lambda named: named[1] != "king")
            ],
        )

    @cached_property
    def titles(self) -> dict[str, Phrase]:
        """The name of each slot's piece."""
        return {slot: self.name_of(letter) for letter, slot in self.slots.items()}

    def name_promoted(self, letter: str) -> Phrase:
        """Return the name of a piece that was promoted from the one with that letter."""
        plain = Phrase(self.name_of(letter).removesuffix(" general"))
        return phrase("promoted {piece}", piece=plain)

    def name_of(self, letter: str) -> Phrase:
        """Return the name of a piece."""
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
        """The value of each sign for White, in pawns; Black's men are negative."""
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
    drop = ""
    if rules.drops and held:
        letter = next((one for one in held if one.islower() == bool(side)), held[0]).upper()
        drop = f"{letter}@" + _find_empty(rules, board, side)
    if drop and rules.must_drop:
        return drop
    return _find_step(rules, board, side) or drop or _find_first(rules)


def find_later_example(rules: VariantRules) -> str:
    """Return a step of the first position for when all pieces have been dropped."""
    placed, _, fields = split_fen(rules)
    board, _ = read_board(rules, placed)
    return _find_step(rules, board, int(bool(fields) and fields[0] == "b"))


def _find_step(rules: VariantRules, board: str, side: int) -> str:
    columns, best = rules.columns, ""
    for slot, cell, to in _list_steps(rules, board, side):
        step = _name(columns, cell) + _name(columns, to)
        best = best or step
        if (to > cell) != bool(side) and slot in FOOT:
            return step
    return best


def find_short_example(equipment: Equipment, end: str = "") -> str:
    """Return a step of a piece of the first position as its letter and where it goes, with this
    end; "" where each such square is reached by two. It is a knight's where there is one."""
    rules, letters = equipment.rules, equipment.letters
    if not rules.checking or (rules.must_drop and rules.must_drop_piece == "*"):
        return ""
    placed, _, fields = split_fen(rules)
    board, _ = read_board(rules, placed)
    every = list(_list_steps(rules, board, int(bool(fields) and fields[0] == "b")))
    steps = [
        (slot, begin, to)
        for slot, begin, to in every
        if slot not in FOOT and equipment.titles[slot] != PAWN_NAME
        if all(way.reach == 1 for way in read_betza(rules.betza(slot)) if way.moves)
    ]
    steps.sort(key=lambda step: step[0] == rules.slots.get("N"))
    reached = [(slot, to) for slot, _, to in steps]
    for slot, begin, to in reversed(steps):
        (sign, *_) = equipment.signs[slot]
        if reached.count((slot, to)) == 1 and sign.isalpha():
            cells = [_name(rules.columns, each) for each in (begin, to)]
            text = f"{sign}{cells[1]}{end}"
            if not letters:
                return text
            others = {equipment.signs[other][0] for other, _, goal in every if goal == to}
            rivals = others & list_rivals(sign, letters)
            return PieceText(text, letters, f"{sign}{''.join(cells)}{end}", "".join(rivals))
    return ""


def _list_steps(rules: VariantRules, board: str, side: int) -> Iterator[tuple[str, int, int]]:
    """Yield steps of the men of a side to empty cells, as slots and the two cells."""
    columns = rules.columns
    for cell, sign in enumerate(board):
        if not sign.isalpha() or sign.islower() != bool(side):
            continue
        slot = rules.slots[sign.upper()]
        for way in read_betza(rules.betza(slot)):
            for x, y in way.steps if way.moves and not way.hops and not way.lame else ():
                column = cell % columns + (-x if side else x)
                row = cell // columns + (-y if side else y)
                if not (0 <= column < columns and 0 <= row < rules.rows):
                    continue
                to = row * columns + column
                if board[to] == EMPTY and _fits(rules, slot, side, row, column):
                    yield slot, cell, to


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


def _rate(way: BetzaWay) -> float:
    """Return the value of a way of moving, in pawns."""
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
