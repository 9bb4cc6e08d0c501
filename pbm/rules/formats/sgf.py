"""Game records in SGF (FF[4], red-bean.com/sgf), the format of go programs, also used for othello,
hex and others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pbm.rules.boards.squares import Grid
from pbm.rules.chance import CHANCE
from pbm.rules.families.two_player import STONES, SWAP
from pbm.rules.outcome import Played

GO, OTHELLO, GOMOKU, LINES_OF_ACTION, HEX, AMAZONS = 1, 2, 4, 9, 11, 18
"""The numbers that SGF gives games (property GM)."""

_HEADERS = ("Event", "Site", "Date")
_COLUMNS = 78
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def point(column: int, down: int) -> str:
    """Return a point by its column from the left and its row from the top, both from 0."""
    return _LETTERS[column] + _LETTERS[down]


def point_on(grid: Grid, name: str) -> str:
    """Return a named cell of a board as a point."""
    row, column = divmod(grid.number[name], grid.width)
    return point(column, grid.height - 1 - row)


def setup_of(grid: Grid, board: str) -> dict[str, list[str]]:
    """Return the stones of an initial board, for `setup`: X is black."""
    setup: dict[str, list[str]] = {"AB": [], "AW": []}
    for name, stone in zip(grid.names, board, strict=True):
        if stone in STONES:
            setup["AB" if stone == STONES[0] else "AW"].append(point_on(grid, name))
    return setup


def stone_turns(
    played: Played, at: Callable[[str], str], *, swap: str = ""
) -> tuple[list[tuple[str, str]], bool]:
    """Return the turns of a game in which the sides alternately put stones, and whether it was
    swapped. Colours are those on the board; a swap is left out, or written as `swap`."""
    turns: list[tuple[str, str]] = []
    count = 0
    for _, move in played.moves:
        if move != SWAP:
            turns.append(("BW"[count % 2], at(move)))
            count += 1
        elif swap:
            turns.append(("BW"[count % 2], swap))
    return turns, count < len(played.moves)


def escape(text: str) -> str:
    """Return a text as a property value on one line, with backslashes and closing brackets
    escaped."""
    return " ".join(text.replace("\\", "\\\\").replace("]", "\\]").split())


def result(played: Played, *, swapped: bool = False, margin: str = "") -> str:
    """Return the result as SGF writes it: `B+R`, `W+T`, `B+3.5` with a `margin`, `W+`, `0` for a
    draw; "" while the game is in progress. `swapped` if seat 0 has White."""
    if played.outcome is None:
        return ""
    if len(played.outcome.winners) != 1:
        return "0"
    cause = {"resignation": "R", "time forfeit": "T"}.get(played.headers.get("Termination", ""))
    return f"{'BW'[played.outcome.winners[0] ^ swapped]}+{cause or margin}"


def sgf(
    game: int,
    size: int,
    turns: Iterable[tuple[str, str]],
    played: Played,
    *,
    swapped: bool = False,
    margin: str = "",
    setup: Mapping[str, Sequence[str]] | None = None,
    more: Mapping[str, str] | None = None,
) -> str:
    """Return the record of one game with its comments. `turns` are ("B" or "W", point or "" for a
    pass), `swapped` and `margin` as in `result`, `setup` the points of the initial board under AB
    and AW, `more` further properties of the root."""
    root = {"FF": "4", "CA": "UTF-8", "GM": str(game), "SZ": str(size), **(more or {})}
    seats = ("White", "Black")[:: -1 if swapped else 1]  # the headers of the first and second seat
    for name, header in zip(("PB", "PW", "EV", "PC", "DT"), (*seats, *_HEADERS), strict=True):
        root |= {name: played.headers[header]} if header in played.headers else {}
    root |= {"DT": root["DT"].replace(".", "-")} if "DT" in root else {}
    over = result(played, swapped=swapped, margin=margin)
    root |= {"RE": over} if over else {}
    parts = ["(;", *(f"{name}[{escape(value)}]" for name, value in root.items())]
    for name, points in (setup or {}).items():
        parts += [name] if points else []
        parts += [f"[{one}]" for one in points]
    comments = played.comments_by_turn()
    parts += [f"C[{escape(comments[0])}]"] if 0 in comments else []
    written = list(turns)
    left_out = sum(seat != CHANCE for seat, _ in played.moves) - len(written)
    for number, (colour, at) in enumerate(written, 1 + left_out):
        parts.append(f";{colour}[{at}]")
        parts += [f"C[{escape(comments[number])}]"] if number in comments else []
    lines = [""]
    for part in [*parts, ")"]:  # a line may break between two properties or values
        if lines[-1] and len(lines[-1]) + len(part) > _COLUMNS:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines) + "\n"
