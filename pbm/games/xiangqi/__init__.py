"""Xiangqi, Chinese chess.

Rules: docs/rules/xiangqi.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from pbm.rules import AmbiguousMove, GameInfo, IllegalMove
from pbm.rules.boards.squares import cached_grid
from pbm.rules.boards.stone_groups import move_sign
from pbm.rules.chess.chess_game import ChessLikeGame
from pbm.rules.chess.movement_tables import EMPTY, MovementTables, cells_in, tables
from pbm.rules.chess.position import ChessLikePosition, generate
from pbm.rules.chess.variant import Kind, Rules
from pbm.rules.drawing.grid_scene import CROSSINGS, grid_scene
from pbm.rules.drawing.scene import Panel, Scene, Stroke, remark
from pbm.rules.drawing.scene_text import TextLayout
from pbm.rules.families.two_player import TWO
from pbm.rules.help_page import read_help
from pbm.rules.phrases import combine, phrase
from pbm.rules.typed import listing

PALACE = ("...###...",) * 3
CAMP = ("." * 9,) * 7 + PALACE
HOME = ("." * 9,) * 5 + ("#" * 9,) * 5
RULES = Rules(
    setup=(
        "rheakaehr",
        ".........",
        ".c.....c.",
        "p.p.p.p.p",
        ".........",
        ".........",
        "P.P.P.P.P",
        ".C.....C.",
        ".........",
        "RHEAKAEHR",
    ),
    kinds={
        "K": Kind(phrase("general"), "W", zone=CAMP, royal_attack="fR"),
        "A": Kind(phrase("advisor"), "F", zone=CAMP),
        "E": Kind(phrase("elephant"), "nA", zone=HOME),
        "H": Kind(phrase("horse"), "nN"),
        "R": Kind(phrase("chariot"), "R"),
        "C": Kind(phrase("cannon"), "mRcpR"),
        "P": Kind(phrase("soldier"), "fWisW"),
    },
    marked_rows=(5, 6, 7, 8, 9),
    rows="0123456789",
    stalemate="loss",
    idle=60,
    recurring=3,
    recalls=True,
)
CROSSING = "RHCP"
"""The kinds that can cross the river."""
_CELLS = re.compile(r"([a-i][0-9])[-x]?([a-i][0-9])")
_MAN_TO_CELL = re.compile(r"([kgaebhnrcps])([a-i][0-9])?[-x]?([a-i][0-9])")
_PLAYERS = re.compile(r"([kgaebhnrcps])([1-9+-])([-+=.])([1-9])")
_TANDEM = re.compile(r"([-+])([kgaebhnrcps])([-+=.].*)")
_CHINESE = str.maketrans(
    "帥帅將将仕士相象馬马傌車车俥炮砲包兵卒前後后進进退平一二三四五六七八九",
    "kkkkaaeehhhrrrcccpp+--++-=123456789",
)
"""Moves as they are written in Chinese: 炮二平五 is C2=5, 前馬進三 +H+3."""
_SAME = str.maketrans("nbgsNBGS", "hekpHEKP")


COLUMNS = phrase("columns 1 to 9 are i to a for red")


@cache
def river_scene() -> Scene:
    """Return the scene of the empty board: its points, palaces, and the river that few lines
    cross."""
    of = tables(RULES)
    palaces = frozenset(cells_in(of.movers["K"].fits | of.movers["k"].fits))
    banks = frozenset(range(4 * 9, 6 * 9))
    board = cached_grid(of.width, of.height)
    points = grid_scene(
        board, CROSSINGS, of.columns, of.rows, of.names, (("palace", palaces), ("bank", banks))
    )
    sides = ((3.5, 0.5), (5.5, 2.5)), ((5.5, 0.5), (3.5, 2.5))
    return replace(
        points,
        lines=tuple(
            (one, other)
            for one, other in points.lines
            if one[0] in "ai" or {one[1], other[1]} != {"4", "5"}
        ),
        strokes=tuple(
            Stroke(((x, y + down), (to_x, to_y + down)), "palace")
            for down in (0, 7)
            for (x, y), (to_x, to_y) in sides
        ),
    )


class XiangqiPosition(ChessLikePosition):
    """A position of xiangqi."""

    __slots__ = ()
    rules = RULES
    style = "xiangqi"
    layout = TextLayout(empty={"palace": "+", "bank": "-"})

    @property
    def dead_position(self) -> str:
        if any(sign in CROSSING for sign in self.board.upper()):
            return ""
        return phrase("nobody has a piece left that can cross the river")

    def make_move(self, move: str) -> XiangqiPosition:
        after, end = ChessLikePosition.make_move(self, move), self.tables.ends[move][1]
        if self.board[end] == EMPTY:
            return after
        # The notation of the field does not say that a move captures.
        taken = phrase(
            "{colour} captures the {piece} on {place}",
            colour=self.colour(self.side),
            piece=self.rules.kinds[self.kind_at(end)].name,
            place=self.tables.names[end],
        )
        return after.with_news((taken,))

    def end_by_repetition(self) -> XiangqiPosition:
        time = phrase("the position occurred for the third time")
        sides = (self.side, 1 - self.side)
        if guilty := [side for side in sides if self.checks_always(side)]:
            always = phrase(
                "{why} and {side} has always given check", why=time, side=self.colour(guilty[0])
            )
        elif guilty := [side for side in sides if chases_always(self, side)]:
            always = phrase(
                "{why} and {side} has always chased a piece", why=time, side=self.colour(guilty[0])
            )
        return self.win(1 - guilty[0], always) if len(guilty) == 1 else self.end_in_draw(time)

    # Notation

    def read(self, word: str) -> str:
        low = word.translate(_CHINESE).lower().rstrip("!?#")
        if match := _CELLS.fullmatch(low):
            move = f"{match[1]}{match[2]}"
            if move in self.moves():
                return move
            number = self.tables.number
            raise IllegalMove(
                combine(
                    "{low}: {move_fault}",
                    low=low,
                    move_fault=self.find_move_fault(number[match[1]], number[match[2]]),
                )
            )
        if match := _MAN_TO_CELL.fullmatch(low):
            kind, start, end = match.groups()
            return self._read_cells(low, kind.translate(_SAME).upper(), start or "", end)
        if tandem := _TANDEM.fullmatch(low):
            low = f"{tandem[2]}{tandem[1]}{tandem[3]}"
        form = _PLAYERS.fullmatch(low)
        if not form:
            raise self.refuse_word(word)
        kind, column, how, to = form.groups()
        wanted = f"{kind.translate(_SAME).upper()}{column}{'=' if how == '.' else how}{to}"
        found_moves = [move for move in self.moves() if wanted in self._spellings(move)]
        if not found_moves:
            raise IllegalMove(
                phrase(
                    "{low}: no move of yours is {wanted}; {why}",
                    low=low,
                    wanted=wanted,
                    why=self._why(wanted),
                )
            )
        return self._choose(low, found_moves)

    def _read_cells(self, low: str, kind: str, start: str, end: str) -> str:
        """Return the legal move of a piece to a cell, from one if it is given: Hc2, Hb0c2."""
        number = self.tables.number
        found_moves = [
            move
            for move in self.moves()
            if move.startswith(start)
            and move.endswith(end)
            and self.kind_at(number[move[:2]]) == kind
        ]
        if not found_moves:
            name = self.rules.kinds[kind].name
            why = phrase("no {name} of yours can go to {end}", name=name, end=end)
            raise IllegalMove(combine("{low}: {why}", low=low, why=why))
        return self._choose(low, found_moves)

    def _choose(self, low: str, moves: Sequence[str]) -> str:
        """Return the only one of these moves, or ask which one is meant."""
        if len(moves) == 1:
            return moves[0]
        choices = listing([f"{self.notation(move)} ({move})" for move in moves], "or")
        raise AmbiguousMove(
            phrase("{word}: which one? Send {choices}", word=low, choices=choices), tuple(moves)
        )

    def _why(self, wanted: str) -> str:
        """Return a possible fault of a move in players' notation."""
        letter, column = wanted[0], wanted[1]
        cells = [c for c, s in enumerate(self.board) if s != EMPTY and self._is_own(c)]
        cells = [c for c in cells if self.kind_at(c) == letter]
        name = self.rules.kinds[letter].name
        if column.isdigit() and not any(self._column(c) == column for c in cells):
            return phrase(
                "you have no {name} on your column {column}, counted from your right",
                name=name,
                column=column,
            )
        if self.checked:
            return phrase("you are in check")
        return phrase("the {name} cannot go there, or your general would be in check", name=name)

    def _column(self, cell: int) -> str:
        """Return the number of a column as the side to move counts, from its right."""
        return str(cell % 9 + 1 if self.side else 9 - cell % 9)

    def _tail(self, start: int, end: int) -> str:
        """Return how a move goes, without which piece it is."""
        rows = (end // 9 - start // 9) * (-1 if self.side else 1)
        if not rows:
            return f"={self._column(end)}"
        straight = start % 9 == end % 9
        return f"{'+' if rows > 0 else '-'}{abs(rows) if straight else self._column(end)}"

    def _in_line(self, start: int) -> list[int]:
        """Return the own pieces of that kind on that column, the front one first."""
        sign = self.board[start]
        cells = range(start % 9, len(self.board), 9)
        pieces = [cell for cell in cells if self.board[cell] == sign]
        return pieces if self.side else pieces[::-1]

    def _spellings(self, move: str) -> set[str]:
        """Return the ways players may write a legal move: by column, or as front or rear."""
        start, end, _ = self.tables.ends[move]
        tail, kind, line = self._tail(start, end), self.kind_at(start), self._in_line(start)
        spellings = {f"{kind}{self._column(start)}{tail}"}
        if len(line) == 2:
            spellings.add(f"{kind}{'-' if line.index(start) else '+'}{tail}")
        return spellings

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        return self.notation(move)

    def notation(self, move: str) -> str:
        """Return a legal move as players write it; its cells if they have no plain way."""
        start, end, _ = self.tables.ends[move]
        kind, line = self.kind_at(start), self._in_line(start)
        tail = self._tail(start, end)
        if len(line) == 1 or kind in "AE":
            return f"{kind}{self._column(start)}{tail}"
        lines = {
            self._column(c)
            for c, s in enumerate(self.board)
            if s == self.board[start] and len(self._in_line(c)) > 1
        }
        if len(line) > 2 or len(lines) > 1:
            return move
        return f"{kind}{'-' if line.index(start) else '+'}{tail}"

    @property
    def empty_scene(self) -> Scene:
        return river_scene()

    def panels(self) -> tuple[Panel, ...]:
        return remark(COLUMNS)

    def note(self) -> str:
        note = ChessLikePosition.note(self)
        return note or combine(
            "{signs}; {columns}", signs=phrase("+ palace, - banks of the river"), columns=COLUMNS
        )


class Xiangqi(ChessLikeGame):
    """The game."""

    position = XiangqiPosition
    info = GameInfo(
        name="xiangqi",
        title="Xiangqi",
        version=1,
        players=TWO,
        seats={2: ("red", "black")},
        summary="Chinese chess: leave the general no way out",
        help=read_help(__name__),
        aliases=("chinesechess",),
        features=frozenset({"paired"}),
        family="kings",
        length="long",
    )
    variants = ("Xiangqi",)

    def is_first(self, first: ChessLikePosition, fen: str) -> bool:
        """Return the same, with the letters of Western and of Chinese programs; red is w or r."""
        board, _, more = fen.translate(_SAME).partition(" ")
        return super().is_first(first, f"{board} {more.replace('r', 'w', 1)}".rstrip())


XiangqiPosition.game = Xiangqi()
GAMES = (XiangqiPosition.game,)


# Decides who chased a piece all the time before a position of xiangqi recurred.
#
# Rules: docs/rules/xiangqi.md.

NEITHER = "KP"
"""The kinds that cannot chase and (soldiers on their own side) cannot be chased."""


def chases_always(position: ChessLikePosition, side: int) -> bool:
    """Whether a side threatened one and the same piece after each of its moves since the position
    first occurred."""
    tables = position.tables
    chased: set[int] | None = None
    for mover, board, origin in _since(position):
        if mover == side:
            now = {origin[cell] for cell in threatened(tables, board, side)}
            chased = now if chased is None else chased & now
            if not chased:
                return False
    return bool(chased)


def _since(position: ChessLikePosition) -> Iterator[tuple[int, str, dict[int, int]]]:
    """Yield each move since the position first occurred: its side, the board after it, and the
    first place of each piece. Nothing was captured in between."""
    first = position.history.index(position.history[-1])
    moves = position.line[first - len(position.history) + 1 :]
    board, origin = list(position.board), {cell: cell for cell in range(len(position.board))}
    for number, move in enumerate(moves):
        start, end, _ = position.tables.ends[move]
        board[start], board[end] = EMPTY, board[start]
        origin[end] = origin[start]
        yield (position.side + number) % 2, "".join(board), dict(origin)


def threatened(tables: MovementTables, board: str, side: int) -> Iterator[int]:
    """Yield the cells of the pieces that a side chases, as if it were on the move."""
    for move in generate(tables, board, side).moves:
        start, end, _ = tables.ends[move]
        hunter, hunted = board[start].upper(), board[end].upper()
        if hunted == EMPTY or hunter in NEITHER or hunted == "K":
            continue
        if hunted == "P" and not _is_over(tables, end, 1 - side):
            continue
        if hunter == hunted and _takes(tables, board, 1 - side, end, start):
            continue
        taken = move_sign(board, start, end)
        if (hunted == "R" and hunter in "HC") or not _is_taken(tables, taken, 1 - side, end):
            yield end


def _is_over(tables: MovementTables, cell: int, side: int) -> bool:
    """Whether a soldier of a side has crossed the river."""
    return (cell < tables.size // 2) == bool(side)


def _takes(tables: MovementTables, board: str, side: int, start: int, end: int) -> bool:
    """Whether a side could move from a cell to another."""
    return tables.text[""][start][1 << end] in generate(tables, board, side).moves


def _is_taken(tables: MovementTables, board: str, side: int, cell: int) -> bool:
    """Whether a side could take the piece on a cell."""
    return any(tables.ends[move][1] == cell for move in generate(tables, board, side).moves)
