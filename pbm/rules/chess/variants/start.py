"""The first position of a variant, from the FEN of its section."""

from __future__ import annotations

import re

from pbm.rules.chess.variants.generation import generate
from pbm.rules.chess.variants.men_tables import EMPTY, WALL, MenTables
from pbm.rules.chess.variants.playing import PROMOTED_PAWN
from pbm.rules.chess.variants.rule_set import KING, VariantRules
from pbm.rules.chess.variants.state import State

_LONGEST = 500
_MAN = re.compile(r"(\+?)([A-Za-z])(~?)|([0-9]+)|(\*)")
_CHECKS = re.compile(r"([0-9]{1,2})\+([0-9]{1,2})")
_BOTH = 2


class FenError(ValueError):
    """A FEN that cannot be the first position; its text says why."""


def read_board(rules: VariantRules, text: str) -> tuple[str, str]:
    """Return the signs of a board in FEN, and what its promoted men were."""
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
    """Return the first state, as far as it is said. FenError if the FEN is not that of a
    position."""
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
