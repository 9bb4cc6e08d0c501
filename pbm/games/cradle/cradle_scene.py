"""What stands where on a board of Cradle, for pictures and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbm.games.cradle.cradle_tables import SHAPES
from pbm.rules import Value
from pbm.rules.boards.triangles import TriangleBoard
from pbm.rules.drawing.scene import Panel, Piece, Scene, counters, marks_on
from pbm.rules.drawing.sentences import describe_pieces, join_runs
from pbm.rules.drawing.triangle_scene import triangle_scene
from pbm.rules.phrases import Phrase, phrase


def build_scene(
    board: TriangleBoard,
    options: Mapping[str, Value],
    *,
    heights: Sequence[int],
    tops: Sequence[int],
    levels: Sequence[int],
    used: Sequence[int],
    last: Sequence[str],
) -> Scene:
    """Return the scene of a position, with the moves `last` marked. `heights` and `tops` are those
    of the cells, `levels` has the pieces of each level, `used` those of each shape."""
    panels: list[Panel] = []
    if limit := options.get("num_each"):
        left = [int(limit) - count for count in used]
        panels.append(counters(phrase("left in the supply"), map(Phrase, SHAPES), left))
    if options["must_reduce"]:
        cells = [len(heights), *(4 * pieces for pieces in levels)]
        names = [
            phrase("board"),
            *(phrase("level {number}", number=number) for number in range(1, len(cells))),
        ]
        panels.append(counters(phrase("cells per level"), names, cells))
    marked = {board.number[name] for move in last for name in move.split(",")}
    return replace(
        triangle_scene(board),
        pieces=tuple(
            Piece(name, "piece", height=height - 1, label=str(height), body=top)
            for name, height, top in zip(board.names, heights, tops, strict=True)
            if height
        ),
        marks=marks_on(board.names, marked),
        panels=tuple(panels),
    )


def describe_stacks(scene: Scene) -> Sequence[str]:
    """Return the pieces in words, the highest first."""
    bodies: dict[tuple[int, int], list[str]] = {}
    for piece in scene.pieces:
        bodies.setdefault((-piece.height - 1, piece.body), []).append(piece.place)
    return [
        phrase(
            "Piece of height {height} on {places}.",
            height=-height,
            places=join_runs(scene, places),
        )
        for (height, _), places in sorted(bodies.items(), key=lambda item: (item[0][0], item[1]))
    ] or describe_pieces(scene, ())
