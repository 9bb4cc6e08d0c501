"""Lines of Action: bring all your pieces together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pbm.rules import Option, Played, Value
from pbm.rules.boards.bitboards import mask_of
from pbm.rules.boards.squares import Grid, cached_grid
from pbm.rules.boards.stone_groups import find_group, move_sign
from pbm.rules.drawing.grid_scene import CHEQUERED
from pbm.rules.drawing.scene import Panel, both_sides, tally
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.repetition import History, count_repetitions, record_position
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.formats import sgf
from pbm.rules.phrases import phrase

HELP = """\
LINES OF ACTION, 2 players, after Claude Soucie

AIM. Bring all your pieces into one group, joined straight or diagonally.

MOVES. Black (X) begins, with the pieces on rows 1 and 8; White (O) has those
on columns a and h. A piece moves in a straight line, also diagonally, exactly
as many squares as there are pieces of both colours on that whole line, itself
included. It may jump over its own colour, but not over the other. It captures
an opposing piece by landing on it; it cannot land on its own.

WRITING MOVES. Both squares; you may leave out the - or x between them:
  > d1-d3
  > G8E6

THE END. The first player with all pieces in one group wins; a single piece is
a group. If one move does that for both sides, the player who moved wins (with
-draw nobody). A player who cannot move loses. When a position occurs for the
third time with the same player to move, the game is drawn. Resigning loses.
"""

SIZE = 8


@cache
def ways() -> tuple[tuple[tuple[int, tuple[tuple[int, int, str, str], ...]], ...], ...]:
    """Return for each square and direction the mask of the whole line, and for each distance from 1
    the target, the mask of the squares between, the notation of the move and of the capture."""
    grid = cached_grid(SIZE, SIZE)
    high = SIZE * SIZE - 1

    def bits(cells: Sequence[int]) -> int:
        return sum(1 << high - cell for cell in cells)

    def way(cell: int, direction: int) -> tuple[int, tuple[tuple[int, int, str, str], ...]]:
        ray, behind = grid.rays[cell][direction], grid.rays[cell][(direction + 4) % 8]
        a = grid.names[cell]
        steps = tuple(
            (to, bits(ray[:n]), f"{a}-{grid.names[to]}", f"{a}x{grid.names[to]}")
            for n, to in enumerate(ray)
        )
        return bits((cell, *ray, *behind)), steps

    return tuple(tuple(way(cell, n) for n in range(8)) for cell in range(SIZE * SIZE))


def is_united(board: str, stone: str) -> bool:
    """Whether the pieces of a colour form one group."""
    near = cached_grid(SIZE, SIZE).king
    return len(find_group(board, board.index(stone), near)) == board.count(stone)


@dataclass(frozen=True, slots=True)
class LinesOfActionPosition(OnSquares, MoveListPosition):
    """A position of Lines of Action; `history` holds the positions since the last capture."""

    moves_once = True
    form = re.compile(r"([a-h][1-8])[-x]?([a-h][1-8])")
    canonicalize = MoveListPosition.canonicalize_capture
    look = CHEQUERED
    kinds = both_sides("man")
    history: History = ()

    @classmethod
    def record(cls, played: Played) -> str:
        """Return the game in SGF, which writes the squares of a move as we do."""
        turns = [("BW"[seat], move.replace("x", ":")) for seat, move in played.moves]
        start = "Scrambled-eggs" if played.options["scrambled"] else "Standard"
        return sgf.sgf(sgf.LINES_OF_ACTION, SIZE, turns, played, more={"SU": start})

    @property
    def geometry(self) -> Grid:
        return cached_grid(SIZE, SIZE)

    @property
    def key(self) -> str:
        return f"{self.board}{self.side}"

    def list_moves(self) -> list[str]:
        board, own, other = self.board, STONES[self.side], STONES[1 - self.side]
        enemies = mask_of(board, other)
        occupied = enemies | mask_of(board, own)
        moves: list[str] = []
        for cell, directions in enumerate(ways()):
            if board[cell] != own:
                continue
            for line, steps in directions:
                count = (occupied & line).bit_count()
                if count > len(steps):
                    continue
                target, between, move, capture = steps[count - 1]
                sign = board[target]
                if sign != own and not between & enemies:
                    moves.append(capture if sign == other else move)
        return moves

    def find_fault(self, move: str) -> str:
        grid = self.geometry
        source, target = re.split("[-x]", move)
        if why := self.find_source_fault(source):
            return why
        start, end = grid.number[source], grid.number[target]
        direction = next((n for n, ray in enumerate(grid.rays[start]) if end in ray), None)
        if direction is None:
            return phrase("{target} is not on a line with {source}", target=target, source=source)
        line, _ = ways()[start][direction]
        count = (line & ~mask_of(self.board, EMPTY)).bit_count()
        distance = grid.rays[start][direction].index(end) + 1
        if distance != count:
            return phrase(
                "that line holds {number} pieces, so it is {number} squares, not {distance}",
                number=count,
                distance=distance,
            )
        if self.board[end] == STONES[self.side]:
            return phrase("your own piece stands on {target}", target=target)
        return phrase("a piece does not jump over the other colour")

    def make_move(self, move: str) -> LinesOfActionPosition:
        number, side = self.geometry.number, self.side
        own, other = STONES[side], STONES[1 - side]
        source, target = number[move[:2]], number[move[3:]]
        board = move_sign(self.board, source, target)
        history = record_position(self.history, f"{board}{1 - side}", final=move[2] == "x")
        after = self.end_turn(board, history=history)
        ours, theirs = is_united(board, own), is_united(board, other)
        if ours and theirs and self.options["draw"]:
            return after.end_in_draw(phrase("both sides are in one group"))
        if ours or theirs:
            winner = side if ours else 1 - side
            return after.win(winner, phrase("{colour} is in one group", colour=self.colour(winner)))
        if count_repetitions(history) >= 3:
            return after.end_in_draw(phrase("the position occurred for the third time"))
        if not after.moves():
            return after.win(side, phrase("{colour} cannot move", colour=self.colour(1 - side)))
        return after

    def panels(self) -> tuple[Panel, ...]:
        return (tally(phrase("pieces"), self.colours, self.counts()),)

    @property
    def remark(self) -> str:
        black, white = self.counts()
        return phrase("pieces: black {black}, white {white}", black=black, white=white)

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> LinesOfActionPosition:
        board = [EMPTY] * (SIZE * SIZE)
        last = SIZE - 1
        for n in range(1, last):
            mixed = STONES[n % 2] if options["scrambled"] else ""
            turned = STONES[(n + 1) % 2] if options["scrambled"] else ""
            board[n], board[last * SIZE + n] = turned or "X", mixed or "X"
            board[n * SIZE], board[n * SIZE + last] = mixed or "O", turned or "O"
        first = "".join(board)
        return cls(options, first, history=record_position((), f"{first}0"))


GAMES = (
    two_player_game(
        LinesOfActionPosition,
        "linesofaction",
        "Lines of Action",
        ("black", "white"),
        "join all your pieces; lines say how far they move",
        HELP,
        Option("scrambled", "flag", "the pieces start alternating around the border"),
        Option("draw", "flag", "a move that joins both sides is a draw"),
        aliases=("loa",),
        family="connection",
    ),
)
