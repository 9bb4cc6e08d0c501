"""Points in tournament reports: the systems that a report may name, and whether its players' own
points are those of their games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pbm.pairing.game_points import HALF, show_points, total_of
from pbm.pairing.record import Record

USUAL = {
    **dict.fromkeys(("WW", "BW", "FW", "FPB", "PAB"), 1.0),
    **dict.fromkeys(("WD", "BD", "HPB"), HALF),
    **dict.fromkeys(("WL", "BL", "FL", "ZPB"), 0.0),
}
"""The points of a win, draw and loss with white and black, of forfeits and of byes, by the codes of
JaVaFo."""
_WIN, _DRAW, _LOSS = ("WW", "BW", "FW", "FPB"), ("WD", "BD", "HPB"), ("WL", "BL")
_JAVAFO = {"W": _WIN, "D": _DRAW, "L": _LOSS, **{code: (code,) for code in USUAL}}
_BBP = {
    "BBW": (*_WIN, "PAB"),
    "BBD": _DRAW,
    "BBL": _LOSS,
    "BBZ": ("ZPB",),
    "BBF": ("FL",),
    "BBU": ("PAB",),
}
_FIDE = {
    **{"W": (*_WIN, "PAB"), "D": _DRAW, "L": (*_LOSS, "FL"), "Z": ("ZPB",), "F": ("FPB",)},
    **{"H": ("HPB",), "P": ("PAB",), "A": (), "U": (), "X": ()},
}
_PAIR = re.compile(r"([A-Z]{1,3})\s*[= ]\s*([0-9]{1,2}(?:\.[0-9])?)(?=\s|$)")
_NUMBER = re.compile(r"[0-9]{1,3}(?:\.[0-9])?")
_POINTS = slice(80, 84)
"""The columns in which a player's line has the points."""


def read_points(lines: Iterable[str]) -> dict[str, float]:
    """Return the points of each result by its code: as the lines XXS of JaVaFo, BBW and its like of
    bbpPairings and 162 of TRF26 say, or as usual. ValueError, with a sentence, for what is none."""
    points = dict(USUAL)
    for line in lines:
        code, content = line[:3], line[4:].strip()
        if code in _BBP:
            if not _NUMBER.fullmatch(content):
                raise ValueError(f'The line "{line[:40].strip()}" names no points.')
            points.update(dict.fromkeys(_BBP[code], float(content)))
        elif code in ("XXS", "162"):
            _read_pairs(line, _JAVAFO if code == "XXS" else _FIDE, points)
    return points


def _read_pairs(line: str, known: Mapping[str, tuple[str, ...]], points: dict[str, float]) -> None:
    """Take over the points of one line, such as W=3.0 D=1.0."""
    content = line[4:].strip()
    pairs = _PAIR.findall(content)
    left = _PAIR.sub("", content).strip()
    unknown = [name for name, _ in pairs if name not in known]
    if left or unknown or not pairs:
        what = left or "".join(unknown[:1]) or "nothing"
        raise ValueError(
            f'The line "{line[:40].strip()}" has "{what[:20]}" where points belong, such as '
            f"W=3.0; the results are {', '.join(known)}."
        )
    for name, value in sorted(pairs, key=lambda pair: -len(known[pair[0]])):
        points.update(dict.fromkeys(known[name], float(value)))


def list_differences(text: str, record: Record) -> list[str]:
    """Return a sentence for each player whose own points in a report are others than those of the
    games there."""
    found = []
    for line in text.splitlines():
        told = line[_POINTS].strip()
        if line[:3] != "001" or not _NUMBER.fullmatch(told):
            continue
        entrant = record.entrant(int(line[4:8]))
        points = total_of(record, entrant.number)
        if float(told) != points:
            found.append(
                f"{entrant.name} has {show_points(float(told))} in the report, but "
                f"{show_points(points)} by its games."
            )
    return found
