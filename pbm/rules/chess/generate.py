"""Generates the legal moves of a board without trying any of them.

Each enemy piece that bears on the royal piece forms a line: the cells between, how many of them
must be occupied for an attack (none; one for a piece that hops) and how many are. A move is legal
if it leaves no line with exactly that number, or captures the piece at its end: so pins, checks,
blocks, horses whose leg is freed and screens of cannons are all one test."""

from __future__ import annotations

from collections.abc import Iterator

from pbm.rules.chess.movement_tables import EMPTY, Mover, Tables

LONG, SHORT = "o-o-o", "o-o"
"""Castling to the left and to the right."""
Line = tuple[int, int, int, int]
"""The cells between, how many must be occupied for an attack, how many are, the attacker's bit."""


class GeneratedMoves:
    """The legal moves, whether the royal piece is attacked, and whether one of the moves captures
    en passant."""

    __slots__ = ("checked", "moves", "passes")

    def __init__(self) -> None:
        self.moves: list[str] = []
        self.checked = False
        self.passes = False


class Board:
    """A board prepared for one side: `mine` (bit, sign), `foe` masks by sign, masks of cells."""

    __slots__ = ("board", "foe", "mine", "occupied", "other", "own", "royal", "side", "tables")

    def __init__(self, tables: Tables, board: str, side: int) -> None:
        self.tables, self.board, self.side = tables, board, side
        self.mine: list[tuple[int, str]] = []
        self.foe: dict[str, int] = {}
        own = other = 0
        mine, foe = self.mine, self.foe
        for bit, sign in zip(tables.one, board, strict=True):
            if sign == EMPTY:
                continue
            if (sign < "a") != side:  # capitals come before small letters
                mine.append((bit, sign))
                own |= bit
            else:
                foe[sign] = foe.get(sign, 0) | bit
                other |= bit
        self.own, self.other, self.occupied = own, other, own | other
        self.royal = board.find(tables.royal[side])

    def is_attacked(self, cell: int, occupied: int, gone: int = 0) -> bool:
        """Whether the other side, without the pieces that are `gone`, attacks a cell if these cells
        are occupied."""
        movers = self.tables.movers
        for sign, mask in self.foe.items():
            mover = movers[sign]
            sources, how = mover.threats[cell]
            near = mask & sources & ~gone
            while near:
                bit = near & -near
                path, need = how[bit]
                if (occupied & path).bit_count() == need:
                    return True
                near ^= bit
            if mover.royal_attack:
                sources, how = mover.royal_attack[cell]
                if mask & sources and not occupied & how[mask & sources][0]:
                    return True
        return False

    def lines(self) -> list[Line]:
        """Return the lines to the royal piece that are an attack, or that one move could turn into
        one."""
        lines: list[Line] = []
        movers, occupied, royal = self.tables.movers, self.occupied, self.royal
        for sign, mask in self.foe.items():
            mover = movers[sign]
            for sources, how in (
                (mover.threats[royal], mover.royal_attack[royal])
                if mover.royal_attack
                else (mover.threats[royal],)
            ):
                near = mask & sources
                while near:
                    bit = near & -near
                    path, need = how[bit]
                    count = (occupied & path).bit_count()
                    if -2 < count - need < 2:
                        lines.append((path, need, count, bit))
                    near ^= bit
        return lines

    def targets_of(self, bit: int, mover: Mover) -> int:
        """Return the cells that a piece can reach if only the pieces in its way matter."""
        cell, occupied = bit.bit_length() - 1, self.occupied
        targets, parts = mover.captures[cell]
        for relevant, part in parts:
            targets |= part[occupied & relevant]
        if mover.moves is mover.captures:
            return targets & ~self.own
        takes = targets & self.other
        targets, parts = mover.moves[cell]
        for relevant, part in parts:
            targets |= part[occupied & relevant]
        return takes | targets & ~occupied


def generate(
    tables: Tables,
    board: str,
    side: int,
    passed: int = -1,
    rooks: tuple[int, ...] = (),
    hands: tuple[str, str] = ("", ""),
) -> GeneratedMoves:
    """Return the legal moves of a side. `passed` is the cell that an enemy piece has just passed,
    where it may be captured en passant; `rooks` are those with which either side may still
    castle."""
    generated, at, rules = GeneratedMoves(), Board(tables, board, side), tables.rules
    lines = at.lines() if at.royal >= 0 and not rules.exposed else []
    generated.checked = any(need == count for _, need, count, _ in lines)
    add, movers, plain = generated.moves.append, tables.movers, tables.text[""]
    royal, empty, zone = tables.royal[side], ~at.occupied, tables.zones[side]
    for bit, sign in at.mine:
        mover = movers[sign]
        targets = at.targets_of(bit, mover)
        if not targets:
            continue
        cell = bit.bit_length() - 1
        if sign == royal and not rules.exposed:
            targets = _safe(at, bit, targets)
        elif lines:
            targets &= _allowed(lines, bit, empty)
        if mover.kind.becomes:
            promoting = targets if rules.optional and bit & zone else targets & zone
            for suffix in mover.suffixes if promoting else ():
                texts, left = tables.text[suffix][cell], promoting
                while left:
                    low = left & -left
                    add(texts[low])
                    left ^= low
            targets &= ~mover.stuck if rules.optional else ~zone
        texts = plain[cell]
        while targets:
            low = targets & -targets
            add(texts[low])
            targets ^= low
    if passed >= 0:
        for start in _passing(at, passed):
            add(plain[start][1 << passed])
            generated.passes = True
    if rooks and at.royal >= 0 and not generated.checked:
        generated.moves.extend(_castling(at, rooks))
    for letter in dict.fromkeys(hands[side]):
        texts, left = tables.drop[letter], _droppable(at, letter, lines, hands)
        while left:
            low = left & -left
            add(texts[low])
            left ^= low
    return generated


def _allowed(lines: list[Line], bit: int, empty: int) -> int:
    """Return where a piece may go so that no line is an attack afterwards."""
    allowed = -1
    for path, need, count, attacker in lines:
        left = count - 1 if bit & path else count
        if left == need:
            allowed &= path & empty | attacker
        elif left + 1 == need:
            allowed &= ~(path & empty)
    return allowed


def _safe(at: Board, bit: int, targets: int) -> int:
    """Return the targets of the royal piece that are not attacked."""
    safe, without = 0, at.occupied ^ bit
    while targets:
        low = targets & -targets
        if not at.is_attacked(low.bit_length() - 1, without, low):
            safe |= low
        targets ^= low
    return safe


def _passing(at: Board, passed: int) -> Iterator[int]:
    """Yield the cells from which a piece may capture the one that passed `passed`."""
    tables, side = at.tables, at.side
    letter = tables.rules.in_passing
    sign = letter.lower() if side else letter
    sources, _ = tables.movers[sign].threats[passed]
    ahead = passed + tables.width if side else passed - tables.width
    victim = 1 << ahead
    for bit, own in at.mine:
        if own == sign and bit & sources:
            occupied = at.occupied ^ bit ^ victim | 1 << passed
            if tables.rules.exposed or not at.is_attacked(at.royal, occupied, victim):
                yield bit.bit_length() - 1


def castle(tables: Tables, king: int, rook: int) -> tuple[str, int, int]:
    """Return the notation of castling with that rook, and where king and rook go."""
    short = rook > king
    row = king - king % tables.width
    king_to, rook_to = tables.rules.castling[short]
    return (SHORT if short else LONG), row + king_to, row + rook_to


def _castling(at: Board, rooks: tuple[int, ...]) -> Iterator[str]:
    tables, king = at.tables, at.royal
    exposed = tables.rules.exposed
    for rook in rooks:
        if not at.own >> rook & 1:
            continue
        name, king_to, rook_to = castle(tables, king, rook)
        others = at.occupied ^ 1 << king ^ 1 << rook
        ways = [*_between(king, king_to), *_between(rook, rook_to)]
        if any(others >> cell & 1 for cell in ways):
            continue
        without = at.occupied ^ 1 << king
        if exposed or not (
            any(at.is_attacked(cell, without) for cell in _between(king, king_to))
            or at.is_attacked(king_to, others | 1 << king_to | 1 << rook_to)
        ):
            yield name


def _between(start: int, end: int) -> range:
    """Return the cells of a row from one to another, both included."""
    return range(min(start, end), max(start, end) + 1)


def _droppable(at: Board, letter: str, lines: list[Line], hands: tuple[str, str]) -> int:
    """Return the cells where a piece in hand may be dropped."""
    tables, side = at.tables, at.side
    sign = letter.lower() if side else letter
    mover = tables.movers[sign]
    free = tables.full & ~at.occupied & ~mover.stuck & mover.fits
    for path, need, count, _ in lines:
        if count == need:
            free &= path
        elif count + 1 == need:
            free &= ~path
    if mover.kind.single:
        for bit, own in at.mine:
            if own == sign:
                free &= ~tables.column[bit.bit_length() - 1]
    if letter == tables.rules.no_mate:
        free &= ~_mating(at, mover, free, hands)
    return free


def _mating(at: Board, mover: Mover, free: int, hands: tuple[str, str]) -> int:
    """Return the cells where dropping a piece would mate."""
    tables, other = at.tables, 1 - at.side
    sources, how = mover.threats[at.board.find(tables.royal[other])]
    mating, near = 0, free & sources
    while near:
        bit = near & -near
        path, need = how[bit]
        if (at.occupied & path).bit_count() == need:
            cell = bit.bit_length() - 1
            board = f"{at.board[:cell]}{mover.sign}{at.board[cell + 1 :]}"
            if not generate(tables, board, other, hands=hands).moves:
                mating |= bit
        near ^= bit
    return mating
