"""Games of capture and blockade: OpenSpiel, Fairy-Stockfish, abalone-boai and fanorona-aec where
they have the game, else a plain second implementation.

Amazons and morris. OpenSpiel makes several actions of what is one move here. Its morris ends as
drawn after a number of moves in all: games are left before that, and before ours are drawn for want
of captures. It has no board but the usual one.
Hnefatafl. pyhnefatafl, which wants an older numpy and so is not played here, was found to differ
in one thing: to it the king is captured also when he himself moves between four hostile squares.
Sumito. abalone-boai knows neither an end nor a draw: the goal is counted here from its score.
Fanorona. fanorona-aec ends as drawn after 44 turns, which is lifted here, and has no move for a
piece that stops but the one to end the turn, which ours plays by itself when nothing else is left.
When all pieces of a side are gone it calls the side on the move the winner, as it is asked before
the turn is ended. It only looks for captures of the moving piece while a capture may go on."""

import re
from collections.abc import Callable, Iterable

import abalone.enums
import abalone.game
import pyspiel
from env.fanorona_move import END_TURN_ACTION, FanoronaMove, MoveType
from env.fanorona_state import FanoronaState
from env.utils import Piece

from pbm.rules import Position
from tools.oracles import Row
from tools.oracles.apart import BRANDUBH, HNEFATAFL, Jumps, Siege
from tools.oracles.fairy import Fairy
from tools.oracles.spiel import Spiel
from tools.oracles.territory import FAIRY, SECOND, SPIEL, of


class Several:
    """A game of OpenSpiel in which a move of ours is several actions, see `actions`."""

    state: pyspiel.State
    actions: dict[str, tuple[int, ...]]

    def play(self, move: str) -> None:
        for action in self.actions[move]:
            self.state.apply_action(action)

    def ranks(self) -> tuple[int, ...] | None:
        if not self.state.is_terminal():
            return None
        return (1, 2) if self.state.returns()[0] > 0 else (2, 1)


class SpielAmazons(Several):
    """Amazons of OpenSpiel: from, to and arrow are actions of their own."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.state = pyspiel.load_game(f"amazons(board_size={size})").new_initial_state()

    def name(self, text: str) -> str:
        row, column = text[text.index("(") + 1 : text.index(")")].split(",")
        return f"{'abcdefghij'[int(column) - 1]}{self.size + 1 - int(row)}"

    def moves(self) -> Iterable[str]:
        self.actions = {}
        for start in self.state.legal_actions():
            first = self.name(self.state.action_to_string(start))
            chosen = self.state.child(start)
            for end in chosen.legal_actions():
                head = f"{first}-{self.name(chosen.action_to_string(end))}/"
                moved = chosen.child(end)
                for arrow in moved.legal_actions():
                    move = head + self.name(moved.action_to_string(arrow))
                    self.actions[move] = (start, end, arrow)
        return self.actions


def amazon(move: str) -> str:
    """Read what Fairy-Stockfish writes: d1d7,d7g7."""
    start, end, _, arrow = re.findall(r"[a-z][0-9]+", move)
    return f"{start}-{end}/{arrow}"


def clobber(columns: int, rows: int) -> Callable[[], Spiel]:
    def name(state: pyspiel.State, action: int) -> str:
        return "-".join(re.findall(r"[a-z][0-9]+", str(state.action_to_string(action))))

    return lambda: Spiel(f"clobber(rows={rows},columns={columns})", name)


ROWS_OF_POINTS = {7: "adg", 6: "bdf", 5: "cde", 4: "abcefg", 3: "cde", 2: "bdf", 1: "adg"}
POINTS = [f"{column}{row}" for row, columns in ROWS_OF_POINTS.items() for column in columns]
"""The points in the order of OpenSpiel, from the top."""


class SpielMorris(Several):
    """Nine men's morris of OpenSpiel: taking a man is an action of its own."""

    def __init__(self) -> None:
        self.state = pyspiel.load_game("nine_mens_morris").new_initial_state()

    @staticmethod
    def name(text: str) -> str:
        return "-".join(POINTS[int(word)] for word in text.split() if word.isdecimal())

    def moves(self) -> Iterable[str]:
        self.actions = {}
        seat = self.state.current_player()
        for action in self.state.legal_actions():
            move = self.name(self.state.action_to_string(action))
            after = self.state.child(action)
            if after.is_terminal() or after.current_player() != seat:
                self.actions[move] = (action,)
            else:
                for taken in after.legal_actions():
                    name = self.name(after.action_to_string(taken))
                    self.actions[f"{move}x{name}"] = (action, taken)
        return self.actions


def before_draws(position: Position) -> bool:
    return position.turn < 190 and getattr(position, "idle", 0) < 100


STEPS = {"NE": (1, 1), "E": (0, 1), "SE": (-1, 0), "SW": (-1, -1), "W": (0, -1), "NW": (1, 0)}


class Boai:
    """Abalone of the package `abalone-boai`, with the goal counted from its score."""

    def __init__(self, start: str, goal: int = 6) -> None:
        self.game = abalone.game.Game(abalone.enums.InitialPosition[start])
        self.goal = goal

    def step(self, cell: str, way: str) -> str:
        up, along = STEPS[way]
        return f"{chr(ord(cell[0]) + up)}{int(cell[1]) + along}"

    def moves(self) -> Iterable[str]:
        self.prefetched: dict[str, tuple[object, object]] = {}
        board = self.game.board
        for marbles in list(self.game.generate_own_marble_lines()):
            for way in STEPS:
                self.game.board = [list(row) for row in board]
                direction = abalone.enums.Direction[way]
                try:
                    self.game.move(marbles, direction)
                except abalone.game.IllegalMoveException:
                    continue
                ends = marbles if isinstance(marbles, tuple) else (marbles,)
                names = [end.name.lower() for end in ends]
                if (
                    len(names) == 2
                ):  # ours begins with the end from which the other is east or below
                    names.sort(key=lambda name: (-ord(name[0]), name[1]))
                move = f"{''.join(names)}-{self.step(names[0], way)}"
                self.prefetched[move] = (marbles, direction)
        self.game.board = board
        return self.prefetched

    def play(self, move: str) -> None:
        self.game.move(*self.prefetched[move])
        self.game.switch_player()

    def ranks(self) -> tuple[int, ...] | None:
        black, white = self.game.get_score()
        if 14 - white >= self.goal:
            return (1, 2)
        return (2, 1) if 14 - black >= self.goal else None


SUFFIX = {MoveType.PAIKA: "", MoveType.APPROACH: "a", MoveType.WITHDRAWAL: "w"}


class Aec:
    """Fanorona of the package `fanorona-aec`."""

    def __init__(self) -> None:
        self.state = FanoronaState()
        self.state.reset()

    def _actions(self) -> dict[str, int]:
        found = {}
        for action in self.state.legal_moves:
            move = FanoronaMove.from_action(action)
            end = move.position.displace(move.direction)
            name = f"{move.position.to_human()}-{end.to_human()}".lower() + SUFFIX[move.move_type]
            found["done" if action == END_TURN_ACTION else name] = action
        return found

    def moves(self) -> Iterable[str]:
        return self._actions()

    def play(self, move: str) -> None:
        self._push(self._actions()[move])
        self.state.half_moves = 0
        if self.state.last_capture and list(self._actions()) == ["done"]:
            self._push(END_TURN_ACTION)

    def _push(self, action: int) -> None:
        move = FanoronaMove.from_action(action)
        if action == END_TURN_ACTION and self.state.last_capture:
            move.position = self.state.last_capture.position
        self.state.push(move)

    def ranks(self) -> tuple[int, ...] | None:
        left = [self.state.piece_exists(piece) for piece in (Piece.WHITE, Piece.BLACK)]
        if not all(left):
            return (1, 2) if left[0] else (2, 1)
        return None


def can_move(position: Position) -> bool:
    """Whether a game is not over for a reason that fanorona-aec does not know."""
    return position.outcome is None or "no piece" in position.outcome.reason


def no_draw(position: Position) -> bool:
    return position.outcome is None or "has pushed" in position.outcome.reason


ROWS = (
    Row("amazons", SPIEL, of(SpielAmazons, 6), {"size": "6"}),
    Row("amazons", SPIEL, of(SpielAmazons, 8), {"size": "8"}),
    Row("amazons", FAIRY, of(Fairy, "amazons", amazon), slow=10),
    Row("clobber", SPIEL, clobber(6, 5)),
    Row("clobber", SPIEL, clobber(8, 8), {"columns": 8, "rows": 8}),
    Row("konane", SECOND, of(Jumps, 8)),
    Row("konane", SECOND, of(Jumps, 6), {"size": "6"}),
    Row("morris", SPIEL, SpielMorris, within=before_draws),
    Row("hnefatafl", SECOND, of(Siege, HNEFATAFL, weak=False)),
    Row("brandubh", SECOND, of(Siege, BRANDUBH, weak=True)),
    Row("sumito", "abalone-boai", of(Boai, "DEFAULT", 1), {"goal": 1}, within=no_draw, slow=10),
    Row(
        "sumito",
        "abalone-boai",
        of(Boai, "BELGIAN_DAISY"),
        {"start": "daisy"},
        within=no_draw,
        slow=10,
    ),
    Row(
        "sumito",
        "abalone-boai",
        of(Boai, "GERMAN_DAISY"),
        {"start": "german"},
        within=no_draw,
        slow=10,
    ),
    Row("fanorona", "fanorona-aec", Aec, within=can_move, slow=4),
)
