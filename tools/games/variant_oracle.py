"""Variants of chess held against Fairy-Stockfish in random games: legal moves, checks, endings.

python -m tools.games.variant_oracle 2000 [SECTION ...] compares so many positions of each."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import pyffish

from pbm.rules.chess.variants import reader
from pbm.rules.chess.variants.generation import VariantMoves, generate
from pbm.rules.chess.variants.men_tables import MenTables, VariantRules
from pbm.rules.chess.variants.playing import Ending, find_end, play
from pbm.rules.chess.variants.reader import TEXT, spell_move
from pbm.rules.chess.variants.start import list_walls, read_start
from pbm.rules.chess.variants.state import State
from pbm.rules.chess.variants.variant_game import TwoBoardGame, make_card
from pbm.rules.chess.variants.variant_position import VariantPosition

_LONGEST = 120
_VALUES = {"win": 1, "loss": -1, "draw": 0}
_DRAWS = {"nMoveRule", "nFoldRule", "nFoldValue", "perpetualCheckIllegal", "countingRule"}
_PREFIX = "pbm-"


class Compared(NamedTuple):
    """How many positions agreed, and how many games ended."""

    positions: int
    endings: int


@cache
def _load_shelf() -> frozenset[str]:
    """Have the oracle read the file of the shelf, and return what it knows by itself."""
    known = frozenset(pyffish.variants())
    pyffish.load_variant_config(rename(TEXT, set(), prefix=_PREFIX))
    return known


def rename(text: str, left: set[str], *, prefix: str) -> str:
    """Return a file with a prefix before the names of its sections, but for parents that are
    `left`."""

    def head(match: re.Match[str]) -> str:
        parent = match[2] or ""
        parent = parent if parent in left or not parent else prefix + parent
        return f"[{prefix}{match[1]}{':' if parent else ''}{parent}]"

    return re.sub(r"(?m)^\[([^\]:]+)(?::([^\]]+))?\]", head, text)


def find_oracle(section: str) -> str:
    """Return the name under which the oracle plays a section of the shelf: its own game of that
    name, or else the one it has read."""
    return section if section in _load_shelf() else _PREFIX + section


class Comparison:
    """Random games of one variant, in step with the oracle."""

    def __init__(self, rules: VariantRules, oracle: str, seed: int) -> None:
        self.rules, self.oracle = rules, oracle
        self.tables = MenTables(rules, list_walls(rules))
        self.rng = random.Random(f"{rules.name} {seed}")
        self.line = list[str]()
        self.endings = 0
        self.start = pyffish.start_fen(oracle)

    @property
    def place(self) -> tuple[str, str, list[str]]:
        """The position as the oracle takes it."""
        return self.oracle, self.start, self.line

    def _require(self, holds: bool, says: str) -> None:
        """Fail with what differs, and where, unless it holds."""
        if not holds:
            fen = pyffish.get_fen(*self.place)
            raise AssertionError(f"{self.rules.name}: {fen} after {self.line[-4:]}: {says}")

    def run(self, positions: int) -> Compared:
        """Compare so many positions. AssertionError says what differs."""
        compared = 0
        while compared < positions:
            state = read_start(self.tables)
            generated, self.line = generate(self.tables, state), []
            for _ in range(min(_LONGEST, positions - compared)):
                compared += 1
                ended = self._compare(state, generated)
                if ended:
                    self.endings += 1
                    break
                move = self.rng.choice(generated.moves)
                self.line = [*self.line, spell_move(self.tables, state, move, generated.moves)]
                state, generated = play(self.tables, state, move)
        return Compared(compared, self.endings)

    def _compare(self, state: State, generated: VariantMoves) -> bool:
        """Compare one position; whether the game is over."""
        ending = find_end(self.tables, state, generated)
        theirs = set(pyffish.legal_moves(*self.place))
        if not theirs:
            ended, value = pyffish.is_immediate_game_end(*self.place)
            if ended:
                self._require(_agrees(ending, value), f"{ending}, not {value}")
                return True
        ours = {spell_move(self.tables, state, move, generated.moves) for move in generated.moves}
        self._require(ours == theirs, f"more {ours - theirs}, less {theirs - ours}")
        self._require(len(ours) == len(generated.moves), "a move is listed twice")
        in_check = bool(pyffish.gives_check(*self.place))
        self._require(in_check == generated.checked, f"check is {generated.checked}")
        if not theirs:
            value = pyffish.game_result(*self.place)
            self._require(_agrees(ending, value), f"{ending}, not {value}")
            return True
        return self._compare_draw(ending)

    def _compare_draw(self, ending: Ending | None) -> bool:
        """Compare endings that do not depend on there being moves: now and then where we see
        none."""
        is_asked = ending is not None or self.rng.random() < 0.1
        ended, value = pyffish.is_optional_game_end(*self.place) if is_asked else (False, 0)
        if not ended:
            self._require(ending is None, f"it goes on, and ends here: {ending}")
            return False
        if ending is None:
            self._require(not self.rules.said & _DRAWS, f"it ends with {value}, and goes on here")
        else:
            self._require(_agrees(ending, value), f"{ending}, not {value}")
        return True


class TwoBoardComparison:
    """Random games of a variant on two boards, each position held against the oracle by its FEN,
    with what is in hand."""

    def __init__(self, rules: VariantRules, oracle: str, seed: int) -> None:
        self.rules, self.oracle = rules, oracle
        self.game = TwoBoardGame(rules, make_card(rules))
        self.rng = random.Random(f"{rules.name} {seed}")

    def run(self, positions: int) -> Compared:
        """Compare so many positions. AssertionError says what differs."""
        compared = endings = 0
        while compared < positions:
            position = self.game.start(4, {})
            for _ in range(min(2 * _LONGEST, positions - compared)):
                compared += 1
                self._compare(position.board)
                seat = position.seat
                after = position.apply(seat, self.rng.choice(position.legal_moves(seat)))
                if after.outcome:
                    self._compare_end(after.boards[seat // 2])
                    endings += 1
                    break
                position = after
        return Compared(compared, endings)

    def _compare(self, board: VariantPosition) -> None:
        """Compare the moves of the side to move on a board, and whether it is in check."""
        theirs = set(pyffish.legal_moves(self.oracle, board.fen, []))
        moves = board.generated.moves
        ours = {spell_move(board.tables, board.state, move, moves) for move in moves}
        if ours != theirs:
            raise AssertionError(f"{board.fen}: more {ours - theirs}, less {theirs - ours}")
        if bool(pyffish.gives_check(self.oracle, board.fen, [])) != board.checked:
            raise AssertionError(f"{board.fen}: check is {board.checked}")

    def _compare_end(self, board: VariantPosition) -> None:
        """Compare how a board has ended where that is seen in its last position."""
        ended, value = pyffish.is_immediate_game_end(self.oracle, board.fen, [])
        if not ended and not pyffish.legal_moves(self.oracle, board.fen, []):
            ended, value = True, pyffish.game_result(self.oracle, board.fen, [])
        if not ended:
            return
        ranks = board.outcome.ranks if board.outcome else (1, 1)
        ours = (ranks[1 - board.side] > ranks[board.side]) - (
            ranks[1 - board.side] < ranks[board.side]
        )
        if ours != (value > 0) - (value < 0):
            raise AssertionError(f"{board.fen}: {board.outcome}, not {value}")


def _agrees(ending: Ending | None, value: int) -> bool:
    return ending is not None and _VALUES[ending.value] == (value > 0) - (value < 0)


def compare(section: str, positions: int, seed: int = 0) -> Compared:
    """Compare positions of a section of the shelf."""
    rules, oracle = reader.read_shelf()[section], find_oracle(section)
    kind = TwoBoardComparison if rules.two_boards else Comparison
    return kind(rules, oracle, seed).run(positions)


def main(positions: int, sections: Iterable[str]) -> int:
    """Compare so many positions of each section, name what differs, and go on. The status is 1 if
    anything did."""
    found = Compared(0, 0)
    differing = list[str]()
    for section in sections:
        try:
            compared = compare(section, positions)
        except AssertionError as error:
            differing.append(section)
            print(f"{section} differs: {error}", flush=True)
            continue
        found = Compared(*map(sum, zip(found, compared, strict=True)))
        print(f"{section} {compared.positions:,} positions, {compared.endings} endings", flush=True)
    print(f"{found.positions:,} positions, {found.endings:,} endings, {len(differing)} differ")
    return int(bool(differing))


if __name__ == "__main__":
    _positions, *_names = sys.argv[1:]
    sys.exit(main(int(_positions), _names or reader.read_shelf()))
