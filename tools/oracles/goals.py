"""Games of a goal: OpenSpiel where it has the game, else the plain second implementation.

Breakthrough. OpenSpiel's seat 0 is black, on top and going down; its rows are turned round here.
Lines of Action. OpenSpiel ends a game as drawn when a board is there for the second time, whoever
is on the move (the printed rules know no such draw, tournaments one at the third time): a game is
left where a board recurs. It lets who has moved win when both sides are joined, as ours without
-draw does.
Corridor. OpenSpiel knows no draw by repetition: a game is left where ours ends by it. Its rows
count from the top. It warns that its Quoridor has known issues; for two players none has shown
here.
Halma. The second implementation knows no draw by repetition."""

from collections.abc import Callable

import pyspiel

from pbm.games.corridor import CorridorPosition
from pbm.games.halma import HalmaPosition
from pbm.games.linesofaction import LinesOfActionPosition
from pbm.rules import Position
from pbm.rules.boards.stone_groups import fingerprint
from pbm.rules.families.repetition import count_repetitions
from tools.oracles import Row
from tools.oracles.plain import Halma
from tools.oracles.spiel import Spiel


def breakthrough(columns: int, rows: int) -> Callable[[], Spiel]:
    def name(state: pyspiel.State, action: int) -> str:
        text = str(state.action_to_string(state.current_player(), action))
        move = "".join(str(rows + 1 - int(c)) if c.isdecimal() else c for c in text)
        return f"{move[:2]}{'x' if move.endswith('*') else '-'}{move[2:4]}"

    return lambda: Spiel(f"breakthrough(rows={rows},columns={columns})", name)


def lines_of_action() -> Spiel:
    return Spiel(
        "lines_of_action",
        lambda state, action: str(state.action_to_string(state.current_player(), action)),
    )


def no_board_again(position: Position) -> bool:
    assert isinstance(position, LinesOfActionPosition)
    other = fingerprint(f"{position.board}{1 - position.side}")
    return count_repetitions(position.history) == 1 and other not in position.history


def corridor(size: int, walls: int) -> Callable[[], Spiel]:
    def name(state: pyspiel.State, action: int) -> str:
        text = str(state.action_to_string(state.current_player(), action))
        if text[-1] in "hv":
            return f"{text[0]}{size - int(text[1:-1])}{text[-1]}"
        return f"{text[0]}{size + 1 - int(text[1:])}"

    return lambda: Spiel(f"quoridor(board_size={size},wall_count={walls})", name)


def not_repeated(position: Position) -> bool:
    assert isinstance(position, CorridorPosition | HalmaPosition)
    return count_repetitions(position.history) < 3


ROWS = (
    Row("breakthrough", "OpenSpiel", breakthrough(8, 8)),
    Row("breakthrough", "OpenSpiel", breakthrough(5, 6), {"columns": 5, "rows": 6}),
    Row("linesofaction", "OpenSpiel", lines_of_action, within=no_board_again),
    Row("corridor", "OpenSpiel", corridor(9, 10), within=not_repeated),
    Row("corridor", "OpenSpiel", corridor(5, 4), {"size": "5", "walls": 4}, within=not_repeated),
    Row("halma", "second", lambda: Halma(16), within=not_repeated),
    Row("halma", "second", lambda: Halma(8), {"size": "8"}, within=not_repeated),
    Row("halma", "second", lambda: Halma(10), {"size": "10"}, within=not_repeated),
)
