"""Positions of chess-like games: playing a move, endings, picture, parsing.

Notation is up to the classes derived from `ChessLikePosition`."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import ClassVar, TypeVar

from pbm.rules.boards.squares import cached_grid
from pbm.rules.boards.stone_groups import fingerprint
from pbm.rules.chess.movement_tables import EMPTY, LONG, SHORT, MovementTables, Mover, tables
from pbm.rules.chess.typed_words import build_refusal, parse_words
from pbm.rules.chess.variant import Rules
from pbm.rules.drawing.grid_scene import PLAIN, grid_scene
from pbm.rules.drawing.scene import Entry, Mark, Panel, Piece, Scene, mark_told, marks_on
from pbm.rules.errors import InvalidMove
from pbm.rules.families.repetition import History
from pbm.rules.families.two_player import TwoPlayerPosition
from pbm.rules.phrases import Listing, join_phrases, phrase
from pbm.rules.typed import quoted

P = TypeVar("P", bound="ChessLikePosition")
_TIMES = {
    3: phrase("the position occurred for the third time"),
    4: phrase("the position occurred for the fourth time"),
    5: phrase("the position occurred for the fifth time"),
}


@dataclass(frozen=True, slots=True)
class ChessLikePosition(TwoPlayerPosition):
    """A position of such a game.

    passed   the cell that a pawn has just passed, if it can be captured there en passant
    rooks    the cells of the rooks with which their kings may still castle
    hands    the pieces in hand of each side, letters in order
    idle     the moves of both sides since the last progress
    history  a mark for each position since the last irreversible move: twice its fingerprint, plus
             1 if the side to move is in check
    line     the moves since the first of these positions, if the rules need them
    """

    rules: ClassVar[Rules]
    look: ClassVar[str] = PLAIN
    """How the scene shows the board; see `grid_scene`."""
    turns_board = True
    style: ClassVar[str] = "chess"
    """How the scene shows the pieces; see `Scene`."""
    passed: int = -1
    rooks: tuple[int, ...] = ()
    hands: tuple[str, str] = ("", "")
    idle: int = 0
    history: History = ()
    line: tuple[str, ...] = ()
    generation_cache: list[GeneratedMoves] = field(
        default_factory=list, init=False, compare=False, repr=False
    )
    """The legal moves, cached on first use."""

    @property
    def tables(self) -> MovementTables:
        """The tables of the rules."""
        return tables(self.rules)

    @property
    def generated(self) -> GeneratedMoves:
        """The legal moves and what was computed with them."""
        if not self.generation_cache:
            self.generation_cache.append(
                generate(self.tables, self.board, self.side, self.passed, self.rooks, self.hands)
            )
        return self.generation_cache[0]

    @property
    def checked(self) -> bool:
        """Whether the side to move is in check."""
        return self.generated.checked

    def moves(self) -> Sequence[str]:
        return self.generated.moves

    def duty(self, seat: int) -> str:
        """Return that the seat is in check."""
        return phrase("you are in check") if self.checked else ""

    def as_start(self: P) -> P:
        """Return the position as the first of a game."""
        place = (self.board, self.side, self.passed, self.rooks, self.hands)
        return replace(self, history=(mark(*place, self.checked),))

    # Playing

    def advance(self: P, move: str) -> P:
        if move not in self.generated.moves:
            raise build_refusal(self, move)
        after = self.make_move(move)
        if self.passed >= 0 and self.tables.ends[move][1] == self.passed:
            after = after.with_news(self._tell_passed(after.board, move))
        return after.end_if_decided()

    def with_news(self: P, news: tuple[str, ...]) -> P:
        """Return the position with that news."""
        if not news:
            return self
        after = replace(self, news=news)
        after.generation_cache.extend(self.generation_cache)
        return after

    def _tell_passed(self, board: str, move: str) -> tuple[str, ...]:
        """Return as news where a move captures in passing, if it does; `board` is that after it."""
        start, names = self.tables.ends[move][0], self.tables.names
        both = enumerate(zip(self.board, board, strict=True))
        gone = [c for c, (was, now) in both if was != EMPTY and now == EMPTY and c != start]
        return self.tell_captured(names[gone[0]]) if gone else ()

    def tell_captured(self, name: str) -> tuple[str, ...]:
        """Return as news that the side to move captures on the cell of that name."""
        return (phrase("{colour} captures {places}", colour=self.colour(self.side), places=name),)

    def make_move(self: P, move: str) -> P:
        """Return the position after a legal move, without checking whether the game is over."""
        all_of, rules, side = self.tables, self.rules, self.side
        row, hands, rooks, passed, onward = list(self.board), self.hands, self.rooks, -1, False
        start, end, more = all_of.ends[move]
        if start >= 0:
            sign, taken = row[start], row[end]
            row[start] = EMPTY
            letter = sign.upper()
            if letter == rules.in_passing:
                if end == self.passed:
                    victim = end + all_of.width if side else end - all_of.width
                    taken, row[victim] = row[victim], EMPTY
                elif abs(end - start) == 2 * all_of.width:
                    passed = (start + end) // 2
            if more:
                letter = rules.kinds[letter].becomes if more == "+" else more.upper()
                sign = letter.lower() if side else letter
            row[end] = sign
            onward = taken != EMPTY or letter in rules.onward or (more != "" and more != "+")
            if taken != EMPTY and rules.drops:
                hands = self._with(taken)
            moved = letter == rules.royal
            rooks = tuple(
                r for r in rooks if r not in (start, end) and not (moved and self._is_own(r))
            )
        elif start == -1:
            row[end] = more.lower() if side else more
            own = hands[side].replace(more, "", 1)
            hands = (hands[0], own) if side else (own, hands[1])
        else:
            king = self.board.index(all_of.royal[side])
            rook = next(r for r in rooks if self._is_own(r) and (r > king) is (move == SHORT))
            _, king_to, rook_to = castle(all_of, king, rook)
            row[king] = row[rook] = EMPTY
            row[king_to], row[rook_to] = self.board[king], self.board[rook]
            rooks = tuple(r for r in rooks if not self._is_own(r))
        board = "".join(row)
        generated = generate(all_of, board, 1 - side, passed, rooks, hands)
        if not generated.passes:  # nothing can capture it, so it makes no difference
            passed = -1
        now = mark(board, 1 - side, passed, rooks, hands, generated.checked)
        anew = onward and not rules.drops
        history = (now,) if anew else (*self.history, now)
        line = (*self.line, move) if rules.recalls and not anew else ()
        idle = 0 if onward else self.idle + 1
        after = type(self)(
            self.options,
            board,
            1 - side,
            self.turn + 1,
            False,
            None,
            None,
            (),
            passed,
            rooks,
            hands,
            idle,
            history,
            line,
        )
        after.generation_cache.append(generated)
        return after

    def _is_own(self, cell: int) -> bool:
        return (self.board[cell] < "a") is not bool(self.side)

    def _with(self, taken: str) -> tuple[str, str]:
        """Return the hands after a piece was captured."""
        letter = taken.upper()
        letter = self.rules.kinds[letter].bare or letter
        own = "".join(sorted(self.hands[self.side] + letter))
        return (self.hands[0], own) if self.side else (own, self.hands[1])

    # Endings

    def end_if_decided(self: P) -> P:
        """Return the position, ended if the game is decided."""
        rules, side = self.rules, self.side
        who, other = self.colour(side), self.colour(1 - side)
        if rules.exposed and self.tables.royal[side] not in self.board:
            return self.win(
                1 - side,
                phrase(
                    "{other} has taken the {name}", other=other, name=rules.kinds[rules.royal].name
                ),
            )
        if not self.generated.moves:
            if self.checked:
                return self.win(1 - side, phrase("{who} is checkmated", who=who))
            if rules.stalemate == "draw":
                return self.end_in_draw(phrase("stalemate: {who} has no legal move", who=who))
            return self.win(
                side ^ (rules.stalemate == "loss"), phrase("{who} has no legal move", who=who)
            )
        if self.dead_position:
            return self.end_in_draw(self.dead_position)
        if self.history.count(self.history[-1]) >= rules.recurring:
            return self.end_by_repetition()
        if rules.idle and self.idle >= 2 * rules.idle:
            idle = phrase("{quiet} moves of each side without a capture", quiet=rules.idle)
            if rules.onward:
                idle = phrase(
                    "{quiet} moves of each side without a capture or a pawn move", quiet=rules.idle
                )
            return self.end_in_draw(idle)
        return self

    @property
    def dead_position(self) -> str:
        """Why nobody can win any more; "" while somebody can."""
        return ""

    def end_by_repetition(self: P) -> P:
        """Return the position, ended because it has occurred too often."""
        return self.end_in_draw(_TIMES[self.rules.recurring])

    def checks_always(self, side: int) -> bool:
        """Whether every move of a side has given check since the position first occurred."""
        end, first = len(self.history) - 1, self.history.index(self.history[-1])
        return all(mark & 1 for mark in self.history[end - (side == self.side) : first : -2])

    # Parsing

    @property
    def men(self) -> tuple[tuple[str, str], ...]:
        """The letters of all pieces by their names."""
        return tuple((str(kind.name), letter) for letter, kind in self.rules.kinds.items())

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        return parse_words(self, text)

    @abstractmethod
    def read(self, word: str) -> str:
        """Return the legal move that a typed word without blanks means."""

    def notation(self, move: str) -> str:
        """Return a legal move as it is usually written, without its effect."""
        return move

    def suggest(self, seat: int) -> str:
        return self.notation(TwoPlayerPosition.suggest(self, seat))

    def kind_at(self, cell: int) -> str:
        """Return the letter of the kind of piece on a cell."""
        return self.board[cell].upper()

    def letter_of(self, letter: str) -> str:
        """Return how a kind of piece is written."""
        return self.rules.kinds[letter].shown or letter

    @property
    def sample(self) -> str:
        """A move as refusals show one: in notation, or as the server writes it."""
        move = self.example
        if move == "-":
            return move
        notation = self.mark_letters(self.notation(move))
        return phrase("{notation} or {move}", notation=notation, move=move)

    def refuse_word(self, word: str) -> InvalidMove:
        """Return the refusal of a word that is no move."""
        return InvalidMove(
            phrase(
                "{word} is not a move; a move looks like {sample}",
                word=quoted(word),
                sample=self.sample,
            )
        )

    def find_move_fault(self, start: int, end: int) -> str:
        """Return why the piece on a cell cannot go to another."""
        names, sign = self.tables.names, self.board[start]
        if sign == EMPTY:
            return phrase("{name} is empty", name=names[start])
        if not self._is_own(start):
            return phrase(
                "the piece on {name} is {colour}'s, not yours",
                name=names[start],
                colour=self.colour(1 - self.side),
            )
        name = self.rules.kinds[sign.upper()].name
        if self.board[end] != EMPTY and self._is_own(end):
            return phrase("your own piece stands on {name}", name=names[end])
        at = PreparedBoard(self.tables, self.board, self.side)
        if not at.targets_of(1 << start, self.tables.movers[sign]) >> end & 1:
            return phrase(
                "the {name} on {name_2} cannot go to {name_3}",
                name=name,
                name_2=names[start],
                name_3=names[end],
            )
        royal = self.rules.kinds[self.rules.royal].name
        return (
            phrase("you are in check")
            if self.checked
            else phrase("your {royal} would be in check", royal=royal)
        )

    # The scene and the picture

    @property
    def empty_scene(self) -> Scene:
        """The scene of the empty board."""
        of = self.tables
        return grid_scene(
            cached_grid(of.width, of.height), self.look, of.columns, of.rows, of.names
        )

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        names = self.tables.names
        marks = marks_on(names, self.marked_cells(last))
        royal = self.board.find(self.tables.royal[self.side])
        if royal >= 0 and not self.outcome and self.checked:
            marks += (Mark((names[royal],), "check"),)
        scene = self.build_scene(self.board, marks)
        return mark_told(scene, self.news) if last else scene

    def build_scene(self, board: str, marks: tuple[Mark, ...]) -> Scene:
        """Return the scene with the pieces of `board`, which is what a viewer sees, and these
        marks."""
        return replace(
            self.empty_scene,
            pieces=self.scene_pieces(board),
            marks=marks,
            panels=self.panels(),
            style=self.style,
        )

    def scene_pieces(self, board: str) -> tuple[Piece, ...]:
        """Return the pieces of a board in the scene."""
        all_of = self.tables
        return tuple(
            Piece(
                name,
                all_of.rules.kinds[sign.upper()].name,
                int(sign.islower()),
                label=self.letter_of(sign.upper()),
            )
            for name, sign in zip(all_of.names, board, strict=True)
            if sign.isalpha()
        )

    def panels(self) -> tuple[Panel, ...]:
        """Return the panels beside the board: the hands."""
        kinds, drops, over = self.rules.kinds, self.rules.drops, self.outcome
        return tuple(
            Panel(
                phrase("in hand"),
                tuple(
                    Entry(
                        self.mark_letters(letter),
                        kinds[letter].name,
                        side,
                        len(list(like)),
                        letter.lower() + drops if side == self.side and not over else "",
                    )
                    for letter, like in groupby(hand)
                ),
                side,
            )
            for side, hand in enumerate(self.hands if drops else ())
        )

    def notes(self, viewer: int | None = None) -> tuple[str, ...]:
        return self.describe_rights(self.rooks, self.passed)

    def describe_rights(self, rooks: Sequence[int], passed: int) -> tuple[str, ...]:
        """Return which rooks may still castle, and where a pawn can be captured in passing."""
        names, notes = self.tables.names, list[str]()
        if rooks:
            places = Listing(names[cell] for cell in sorted(rooks))
            notes.append(phrase("Rooks that may still castle: {places}.", places=places))
        if passed >= 0:
            notes.append(phrase("Capture in passing: {places}.", places=names[passed]))
        return tuple(notes)

    def sign(self, piece: Piece) -> str:
        return piece.label.lower() if piece.seat else piece.label

    @property
    def seat_signs(self) -> Sequence[str]:
        royal = self.rules.royal
        return royal, royal.lower()

    def marked_cells(self, last: Sequence[str]) -> set[int]:
        """Return the cells that moves go from and to; castling marks where king and rook now
        stand."""
        all_of, cells = self.tables, set[int]()
        for move in last:
            start, end, _ = all_of.ends[move]
            cells |= {cell for cell in (start, end) if cell >= 0}
            if move in (LONG, SHORT) and self.rules.castling:
                row = 0 if self.side else all_of.size - all_of.width
                cells |= {row + column for column in self.rules.castling[move == SHORT]}
        return cells

    def note(self) -> str:
        parts: list[str] = []
        if self.rules.drops:
            parts.append(self.tell_hands(self.hands))
        if not self.outcome and self.checked:
            parts.append(phrase("{side} is in check", side=self.colour(self.side)))
        return join_phrases("; ", parts)


def mark(
    board: str, side: int, passed: int, rooks: tuple[int, ...], hands: tuple[str, str], check: bool
) -> int:
    """Return the number that stands for a position in the history."""
    return fingerprint(f"{board}{side}{passed}{rooks}{hands}") * 2 + check


# Generates the legal moves of a board without trying any of them.
#
# Each enemy piece that bears on the royal piece forms a line: the cells between, how many of
# them must be occupied for an attack (none; one for a piece that hops) and how many are. A move
# is legal if it leaves no line with exactly that number, or captures the piece at its end: so
# pins, checks, blocks, horses whose leg is freed and screens of cannons are all one test.

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


class PreparedBoard:
    """A board prepared for one side: `mine` (bit, sign), `foe` masks by sign, masks of cells."""

    __slots__ = ("board", "foe", "mine", "occupied", "other", "own", "royal", "side", "tables")

    def __init__(self, tables: MovementTables, board: str, side: int) -> None:
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
    tables: MovementTables,
    board: str,
    side: int,
    passed: int = -1,
    rooks: tuple[int, ...] = (),
    hands: tuple[str, str] = ("", ""),
) -> GeneratedMoves:
    """Return the legal moves of a side. `passed` is the cell that an enemy piece has just passed,
    where it may be captured en passant; `rooks` are those with which either side may still
    castle."""
    generated, at, rules = GeneratedMoves(), PreparedBoard(tables, board, side), tables.rules
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


def _safe(at: PreparedBoard, bit: int, targets: int) -> int:
    """Return the targets of the royal piece that are not attacked."""
    safe, without = 0, at.occupied ^ bit
    while targets:
        low = targets & -targets
        if not at.is_attacked(low.bit_length() - 1, without, low):
            safe |= low
        targets ^= low
    return safe


def _passing(at: PreparedBoard, passed: int) -> Iterator[int]:
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


def castle(tables: MovementTables, king: int, rook: int) -> tuple[str, int, int]:
    """Return the notation of castling with that rook, and where king and rook go."""
    short = rook > king
    row = king - king % tables.width
    king_to, rook_to = tables.rules.castling[short]
    return (SHORT if short else LONG), row + king_to, row + rook_to


def _castling(at: PreparedBoard, rooks: tuple[int, ...]) -> Iterator[str]:
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


def _droppable(at: PreparedBoard, letter: str, lines: list[Line], hands: tuple[str, str]) -> int:
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


def _mating(at: PreparedBoard, mover: Mover, free: int, hands: tuple[str, str]) -> int:
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


# Positions of the family in FEN, the Forsyth-Edwards notation of chess programs.


def fen(position: ChessLikePosition) -> str:
    """Return the position: board, side to move, castling rights, en passant cell, idle moves, move
    number."""
    all_of, width = position.tables, position.tables.width
    rows = [position.board[at : at + width] for at in range(0, all_of.size, width)]
    board = "/".join(
        re.sub(r"\.+", lambda empty: str(len(empty[0])), row) for row in reversed(rows)
    )
    passed = all_of.names[position.passed] if position.passed >= 0 else "-"
    side, number = "wb"[position.side], position.turn // 2 + 1
    return f"{board} {side} {castling(position)} {passed} {position.idle} {number}"


def castling(position: ChessLikePosition) -> str:
    """Return the castling rights: KQkq, or the columns of inner rooks."""
    letters = ""
    for side, rook_sign in enumerate("Rr"):
        board, width = position.board, position.tables.width
        king = board.find(position.tables.royal[side])
        own = [rook for rook in position.rooks if board[rook] == rook_sign]
        for rook in sorted(own, reverse=True):
            row = range(king - king % width, king - king % width + width)
            beyond = row[: rook - row[0]] if rook < king else row[rook - row[0] + 1 :]
            outer = all(board[cell] != rook_sign for cell in beyond)
            letter = "q" if rook < king else "k"
            letter = letter if outer else position.tables.columns[rook % width]
            letters += letter if side else letter.upper()
    return letters or "-"


def shows(position: ChessLikePosition, text: str) -> bool:
    """Whether a FEN shows this position, taken as a first position: board, side to move and
    castling rights, given as KQkq or by the columns of the rooks. Empty hands may be named."""
    ours = fen(position).split()
    fields = text.split()
    board, side, rights = [*fields, *("", "w", "-")[len(fields) :]][:3]
    if (re.sub(r"\[-*\]", "", board), side) != (ours[0], ours[1]):
        return False
    columns = sorted(
        position.tables.columns[rook % position.tables.width].upper()
        if position.board[rook] == "R"
        else position.tables.columns[rook % position.tables.width]
        for rook in position.rooks
    )
    return not position.rules.castling or sorted(rights) in (sorted(ours[2]), columns)
