"""The checks of scenes and steps detect faults: each test plants one in a game that conforms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from pbm_poolside import GAME, PoolsidePosition

from pbm.rules.composition import Composition
from pbm.rules.drawing.scene import (
    Entry,
    Label,
    Mark,
    Panel,
    Piece,
    Place,
    Region,
    Scene,
    Stroke,
)
from pbm.rules.testing import Nonconforming, check
from tests.rules.nim import NimPosition
from tests.rules.testing.test_conformance import refused_for, with_fault

HEAP = Scene((Place("heap", 1.0, (0, 0)),))
FAULTS = {
    "a scene shows something": Scene(),
    "places have different names": Scene(HEAP.places * 2),
    "'Heap' names a place": Scene((Place("Heap", 1.0, (0, 0)),)),
    "heap has a shape": Scene((Place("heap", ((0, 0), (1, 1)), (0, 0)),)),
    "is a point": Scene((Place("heap", 1.0, (0, float("nan"))),)),
    "'pile' is a place": replace(HEAP, pieces=(Piece("pile", "stone"),)),
    "'hole' is a place": replace(HEAP, marks=(Mark(("heap", "hole"), "last"),)),
    "'edge' is a place": replace(HEAP, lines=(("heap", "edge"),)),
    "'row' is a place": replace(HEAP, regions=(Region("row", "1", ("row",)),)),
    "is named": replace(HEAP, regions=(Region("row", "1", ()),)),
    "has a kind": replace(HEAP, pieces=(Piece("heap", ""),)),
    "is counted": replace(HEAP, pieces=(Piece("heap", "stone", count=0),)),
    "'\u2654' is plain ASCII": replace(HEAP, pieces=(Piece("heap", "king", label="\u2654"),)),
    "is on one place to three": replace(HEAP, marks=(Mark((), "last"),)),
    "'' is plain ASCII": replace(HEAP, labels=(Label("", (0, 0)),)),
    "is plain ASCII": replace(HEAP, panels=(Panel("", (Entry("\n"),)),)),
    "belongs to one there is": replace(HEAP, pieces=(Piece("heap", "stone", 7),)),
    "a stroke has points": replace(HEAP, strokes=(Stroke((), "wall"),)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_scene_that_is_none(fault: str) -> None:
    def scene(self: NimPosition, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        return FAULTS[fault]

    assert fault in refused_for(with_fault(scene=scene))


def test_a_scene_of_something_that_is_not_stored() -> None:
    seen: list[int] = []

    def scene(self: NimPosition, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        seen.append(1)
        return replace(HEAP, pieces=(Piece("heap", "stone", count=len(seen)),))

    assert "a decoded position has its scene" in refused_for(with_fault(scene=scene))


def test_moves_of_the_same_steps() -> None:
    def steps(self: NimPosition, seat: int, move: str) -> tuple[str, ...]:
        return ("heap",)

    assert "'take-2' and 'take-1' differ" in refused_for(with_fault(steps=steps))


def test_a_step_that_nobody_could_click() -> None:
    def steps(self: NimPosition, seat: int, move: str) -> tuple[str, ...]:
        return ("", move)

    assert "has steps" in refused_for(with_fault(steps=steps))


def test_a_step_that_nothing_shows() -> None:
    def steps(self: NimPosition, seat: int, move: str) -> tuple[str, ...]:
        return ("heap", move[-1])

    assert "'1' is a place or in a panel" in refused_for(with_fault(steps=steps))


def test_a_move_that_cannot_be_composed() -> None:
    def compose(self: NimPosition, seat: int, chosen: Sequence[str] = ()) -> Composition:
        made = NimPosition.compose(self, seat, chosen)
        return replace(made, next=made.next[1:])

    assert "'take-1' can be composed" in refused_for(with_fault(compose=compose))


def test_a_move_composed_of_other_steps() -> None:
    def compose(self: NimPosition, seat: int, chosen: Sequence[str] = ()) -> Composition:
        made = NimPosition.compose(self, seat, chosen)
        return replace(made, steps=("take", *made.steps)) if made.move else made

    assert "is composed of its steps" in refused_for(with_fault(compose=compose))


def test_a_bid_that_others_see(monkeypatch: pytest.MonkeyPatch) -> None:
    real = PoolsidePosition.scene

    def scene(self: PoolsidePosition, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        bids = tuple(Entry(str(bid)) for bid in self.bids)
        return replace(shown := real(self, viewer, last), panels=(*shown.panels, Panel("", bids)))

    monkeypatch.setattr(PoolsidePosition, "scene", scene)
    with pytest.raises(Nonconforming, match="scenes are equal"):
        check(GAME)
