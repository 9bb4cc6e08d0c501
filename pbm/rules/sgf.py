"""Game records in SGF (FF[4], red-bean.com/sgf): the format of go programs, for othello too.

It knows no game but its SGF number and how coordinates are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

GO, OTHELLO, GOMOKU, HEX = 1, 2, 4, 11
"""The numbers that SGF gives games (property GM)."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def point(column: int, down: int) -> str:
    """A point by its column from the left and its row from the top, both from 0."""
    return _LETTERS[column] + _LETTERS[down]


def escaped(text: str) -> str:
    """A text as a property value: backslash and closing bracket escaped, on one line."""
    return " ".join(text.replace("\\", "\\\\").replace("]", "\\]").split())


def sgf(
    game: int,
    size: int,
    turns: Iterable[tuple[str, str]],
    *,
    names: Sequence[str] = (),
    result: str = "",
    setup: Mapping[str, Sequence[str]] | None = None,
    more: Mapping[str, str] | None = None,
) -> str:
    """A record of one game. `turns` are ("B" or "W", point or "" for a pass), `names` those of
    black and white, `result` like `B+3.5` or `W+R`, `setup` points of the first board under AB and
    AW, `more` further properties of the root."""
    root = {"FF": "4", "CA": "UTF-8", "GM": str(game), "SZ": str(size), **(more or {})}
    root |= dict(zip(("PB", "PW"), names, strict=False))
    root |= {"RE": result} if result else {}
    text = "(;" + "".join(f"{name}[{escaped(value)}]" for name, value in root.items())
    for name, points in (setup or {}).items():
        text += name + "".join(f"[{one}]" for one in points) if points else ""
    return text + "".join(f"\n;{colour}[{at}]" for colour, at in turns) + ")\n"
