"""Games of territory: OpenSpiel, Fairy-Stockfish and python-ataxx where they have the game, else a
plain second implementation.

Go. OpenSpiel lists a stone that brings back a board and then ends the game as drawn; the printed
rule (positional superko) does not allow it, and it is left out here. It counts all stones as alive:
games are left at the second pass, and a test compares the area. Atari go is its go up to the first
capture.
Modern Reversi. Both let a side pass by a move of its own; here that goes by itself. The boards of
Fairy-Stockfish count rows from the bottom, which the first position makes up for.
Reversi. In Fairy-Stockfish (flipersi) a side that cannot move does not pass: the game is left
there.
Ataxx. python-ataxx has passes as moves, and counts them among the hundred that make a draw."""

from collections.abc import Callable, Iterable

import ataxx
import pyspiel

from pbm.games.go import PLAY, Go
from pbm.rules import Position
from tools.oracles import Oracle, Row
from tools.oracles.apart import HexAtaxx, Octopus, OldReversi
from tools.oracles.fairy import Fairy
from tools.oracles.spiel import Spiel, cell_names


class SpielGo:
    """Go of OpenSpiel; with `atari` the first capture wins and nobody passes."""

    def __init__(self, size: int, *, atari: bool = False) -> None:
        self.size, self.atari = size, atari
        game = pyspiel.load_game(f"go(board_size={size},komi=7.5,max_game_length=4000)")
        self.state = game.new_initial_state()
        self.passes, self.captured = 0, False
        self._find()

    def _find(self) -> None:
        self.actions: dict[str, int] = {}
        for action in [] if self.state.is_terminal() else self.state.legal_actions():
            move = self.state.action_to_string(action)[2:].lower()
            if move == "pass":
                if not self.atari:
                    self.actions[move] = action
            elif not self.state.child(action).is_terminal():  # else it repeats a board
                self.actions[move] = action

    def moves(self) -> Iterable[str]:
        return self.actions

    def stones(self) -> int:
        text = str(self.state).split("\n", 2)[2]
        return text.count("X") + text.count("O")

    def play(self, move: str) -> None:
        before = self.stones()
        self.state.apply_action(self.actions[move])
        self.captured = self.stones() <= before
        self._find()

    def ranks(self) -> tuple[int, ...] | None:
        if not self.atari or (self.actions and not self.captured):
            return None
        return (1, 2) if self.state.current_player() == 1 else (2, 1)


def still_played(position: Position) -> bool:
    assert isinstance(position, Go)
    return position.stage == PLAY


def _named(state: pyspiel.State, action: int) -> str:
    return str(state.action_to_string(action)).split()[0]


class SpielOthello(Spiel):
    """Othello of OpenSpiel, whose passes are played by themselves."""

    def __init__(self) -> None:
        Spiel.__init__(self, "othello", _named)

    def play(self, move: str) -> None:
        Spiel.play(self, move)
        if list(self.moves()) == ["pass"]:
            Spiel.play(self, "pass")


def dropped(size: int, *, upside_down: bool = True) -> Callable[[str], str | None]:
    """Read names of moves like P@d3; anything else is a pass."""

    def name(move: str) -> str | None:
        if not move.startswith("P@"):
            return None
        row = int(move[3:])
        return f"{move[2]}{size + 1 - row if upside_down else row}"

    return name


def nobody_passed(position: Position) -> bool:
    stuck = position.outcome is not None and "." in position.encode().split('"')[-2]
    return not position.news and not stuck


class PythonAtaxx:
    """Ataxx of the package `ataxx`, whose passes are played by themselves."""

    def __init__(self, fen: str = ataxx.FEN_STARTPOS) -> None:
        self.board = ataxx.Board(fen)

    @staticmethod
    def name(move: ataxx.Move) -> str:
        san = str(move)
        return san if len(san) == 2 else f"{san[:2]}-{san[2:]}"

    def moves(self) -> Iterable[str]:
        return {self.name(move) for move in self.board.legal_moves()}

    def play(self, move: str) -> None:
        self.board.makemove(ataxx.Move.from_san(move.replace("-", "")))
        if not self.board.gameover() and self.board.legal_moves() == [ataxx.Move.null()]:
            self.board.makemove(ataxx.Move.null())

    def ranks(self) -> tuple[int, ...] | None:
        results = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1), "*": None}
        return results[self.board.result()]


def few_jumps(position: Position) -> bool:
    return getattr(position, "idle", 0) < 90


class SpielDots(Spiel):
    """Dots and boxes of OpenSpiel: lines are named P1(h,row,column)."""

    def __init__(self, columns: int, rows: int) -> None:
        self._names = cell_names(columns + 1, rows + 1)
        self._wide = columns + 1
        Spiel.__init__(self, f"dots_and_boxes(num_rows={rows},num_cols={columns})", self._line)

    def _line(self, state: pyspiel.State, action: int) -> str:
        way, row, column = str(state.action_to_string(action))[3:-1].split(",")
        dot = int(row) * self._wide + int(column)
        return f"{self._names[dot]}-{self._names[dot + (1 if way == 'h' else self._wide)]}"


def of(oracle: type, *values: object, **more: object) -> Callable[[], Oracle]:
    return lambda: oracle(*values, **more)


SPIEL, FAIRY, SECOND = "OpenSpiel", "Fairy-Stockfish", "second rules"
ROWS = (
    Row("go", SPIEL, of(SpielGo, 5), {"size": 5}, within=still_played),
    Row("go", SPIEL, of(SpielGo, 9), {"size": 9}, within=still_played),
    Row("atarigo", SPIEL, of(SpielGo, 9, atari=True), {}),
    Row("atarigo", SPIEL, of(SpielGo, 6, atari=True), {"size": 6}),
    Row("modernreversi", SPIEL, of(SpielOthello)),
    Row("modernreversi", FAIRY, of(Fairy, "flipello10", dropped(10)), {"size": "10"}, slow=8),
    Row(
        "modernreversi",
        SECOND,
        of(OldReversi, 6, crossed=True, fewer=True),
        {"size": "6", "misere": True},
    ),
    Row("reversi", FAIRY, of(Fairy, "flipersi", dropped(8)), within=nobody_passed, slow=8),
    Row("reversi", SECOND, of(OldReversi, 8)),
    Row("ataxx", "python-ataxx", of(PythonAtaxx), within=few_jumps),
    Row(
        "ataxx",
        "python-ataxx",
        of(PythonAtaxx, ataxx.FEN_4CORNERS),
        {"gaps": "square"},
        within=few_jumps,
    ),
    Row(
        "ataxx",
        "python-ataxx",
        of(PythonAtaxx, ataxx.FEN_4SIDES),
        {"gaps": "diamond"},
        within=few_jumps,
    ),
    Row("hexxagon", SECOND, of(HexAtaxx, 5, holes=True)),
    Row("hexxagon", SECOND, of(HexAtaxx, 4, holes=False), {"size": 4, "full": True}),
    Row("dotsandboxes", SPIEL, of(SpielDots, 5, 5)),
    Row("dotsandboxes", SPIEL, of(SpielDots, 3, 2), {"columns": 3, "rows": 2}),
    Row("cephalopod", SECOND, of(Octopus, 5, 5)),
    Row("cephalopod", SECOND, of(Octopus, 5, 3), {"rows": 3}),
)
