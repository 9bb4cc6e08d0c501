"""The conformance suite: what a move changes on the board, and neither its text nor the news tells.

Of each place on which something else stands after a move this says whether it is *named* (by the
text of the move, by a step that composes it, or by a value or word of the news) and *marked* in the
scene of that move. Listed are:

- a place from which something has left the board, unless the news names it or the text is written
  as a capture (`x`, `:`, `*`) and names it; a stone that takes the place of another, as all moves
  of clobber do, need not be written so where the text itself names the place
- a place to which something has come, or on which it has changed, that nothing names
- either that is not marked

What moves is told by where it ends: a piece that has left a place and stands on a named (marked)
one, like the knight of `Nf3`, is not listed for where it came from. Castling names its rook. Seeds
that are sown (that is, places with more of them than before) follow from the rule. Of a game with
hidden things each seat looks at its own pieces alone; where several orders are carried out
together, the lines of the text board name places, too. A move with which another game of a match
begins sets the whole board up, which the news says."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from pbm.rules.chance import CHANCE
from pbm.rules.drawing.scene import Scene, find_told
from pbm.rules.game import Position

_CASTLING = re.compile(r"\bO-O", re.IGNORECASE)
_CAPTURE = re.compile(r"[x:*]")
_WORD = re.compile(r"[a-z0-9]+")

Standing = Counter[tuple[int | None, str]]
"""How many pieces of each owner and kind stand on a place."""


def find_untold(before: Position, seat: int, move: str, after: Position) -> Iterable[str]:
    """Return what a move changes on the board that is not told: to somebody in a game with hidden
    things, to anybody in others, whose seats may count places each from its own side."""
    views = [
        [*_Change(before, seat, move, after, viewer).list_faults()]
        for viewer in range(before.players)
    ]
    if any(views) and _begins_again(after):
        return ()
    if "hidden" in before.game.info.features:
        return [fault for faults in views for fault in faults]
    return min(views, key=len)


def has_more_pieces(before: Position, seat: int, move: str, after: Position) -> bool:
    """Whether a move from a place of the seat's leaves it with more pieces than it had."""
    was, now = before.scene(seat), after.scene(seat)
    own = {piece.place for piece in was.pieces if piece.seat == seat}
    steps = before.steps(seat, move)
    if len(steps) < 2 or steps[0] not in own:
        return False
    there, here = (
        sum(piece.count for piece in scene.pieces if piece.seat == seat) for scene in (was, now)
    )
    return here > there


def _begins_again(position: Position) -> bool:
    """Whether the board stands as at its beginning."""
    start = position.game.setup(position.players, position.options)
    return position.scene(0).pieces == start.scene(0).pieces


class _Change:
    """What a move changes on a board, as a seat sees it."""

    def __init__(
        self, before: Position, seat: int, move: str, after: Position, viewer: int
    ) -> None:
        was, now = before.scene(viewer), after.scene(viewer, (move,))
        hides = "hidden" in before.game.info.features
        self._was, self._now = _stand(was, viewer, hides=hides), _stand(now, viewer, hides=hides)
        names = {place.name for place in was.places} & {place.name for place in now.places}
        self._text = before.describe(seat, move, viewer)
        self._written = _find_names(self._text, names)
        steps = [] if seat == CHANCE else [s for s in before.steps(seat, move) if s in names]
        self._start = steps[0] if len(steps) > 1 else ""
        self._taken = _find_names(_CAPTURE.split(self._text, maxsplit=1)[-1], names)
        if not _CAPTURE.search(self._text):
            self._taken.clear()
        said = find_told(after.news)
        self._news = " ".join(after.news)
        self._told = names & said | _find_names(self._news, names)
        self._named = self._written | names.intersection(steps) | self._told
        if after.takes_orders:
            self._named |= _find_names(after.render(viewer), names)
        self._marked = {name for mark in now.marks for name in mark.places}
        self._marked |= _find_bodies(was, self._named) | _find_bodies(now, self._named)
        self._named |= _find_bodies(was, self._named) | _find_bodies(now, self._named)
        self._changed = sorted(name for name in names if self._was[name] != self._now[name])
        self._sets_up = seat == CHANCE and not any(
            self._was[name] - self._now[name] for name in self._changed
        )

    def list_faults(self) -> Iterator[str]:
        """Yield what is not told, place by place."""
        if self._sets_up:
            return
        gone = self._count_gone()
        named, marked = self._find_movers(self._named), self._find_movers(self._marked)
        for name in self._changed:
            was, now = self._was[name], self._now[name]
            lost, gained = was - now, now - was
            is_sown = not lost and {kind for _, kind in gained} == {"seed"}
            if is_sown or self._follows(name, lost):
                continue
            left = any(gone[owner] > 0 for owner, _ in lost)
            is_told = self._accounts_for(name, is_replaced=bool(gained))
            if left and not is_told and name != self._start:
                yield f"what stood on {name} is gone without a word"
            elif name not in self._named and (gained or lost - named):
                yield f"{name} has changed and nothing names it"
            if name not in self._marked and (left or gained or lost - marked):
                yield f"{name} is not marked"

    def _follows(self, name: str, lost: Standing) -> bool:
        """Whether the notation itself says what changes here: castling, a man that is hit."""
        is_hit = name.endswith("bar") and not lost and "*" in self._text + self._news
        return is_hit or bool(_CASTLING.search(self._text))

    def _count_gone(self) -> Counter[int | None]:
        """Return how many pieces of each owner have left the board without being accounted for."""
        gone, moved = Counter[int | None](), Counter[int | None]()
        for name in self._changed:
            lost, gained = self._was[name] - self._now[name], self._now[name] - self._was[name]
            if not self._accounts_for(name, is_replaced=bool(gained)):
                gone.update(_count_owners(lost))
            elif name in self._told:
                moved.subtract(_count_owners(lost))
            if name in self._told - self._written:
                moved.update(_count_owners(gained))
            else:
                gone.subtract(_count_owners(gained))
        gone.subtract(+moved)  # what the news says to have moved has not also left the board
        return gone

    def _accounts_for(self, name: str, *, is_replaced: bool) -> bool:
        """Whether it is told that what stood on a place left the board."""
        if name in self._told or name in self._taken:
            return True
        is_capture = name in self._named and bool(_CAPTURE.search(self._text))
        return is_replaced and (is_capture or name in self._written)

    def _find_movers(self, places: set[str]) -> Standing:
        """Return what has come to these places and has not left others of them."""
        movers = Standing()
        for name in self._changed:
            if name in places:
                movers.update(self._now[name])
                movers.subtract(self._was[name])
        return +movers


def _find_names(text: str, names: set[str]) -> set[str]:
    """Return the places that a text names. Two may be written together, as in `e2e4`."""
    low = text.lower()
    found = names & {*_WORD.findall(low)}
    parts = names & {*re.findall(r"[a-z][0-9]+", low)}
    return found | parts | {name for name in names if " " in name and name in low}


def _find_bodies(scene: Scene, places: set[str]) -> set[str]:
    """Return the places of what covers several, where one of them is among these."""
    bodies = {(piece.seat, piece.body) for piece in scene.pieces if piece.place in places}
    return {p.place for p in scene.pieces if p.body and (p.seat, p.body) in bodies}


def _stand(scene: Scene, viewer: int, *, hides: bool) -> defaultdict[str, Standing]:
    """Return what stands on each place: all, or what belongs to the viewer."""
    standing = defaultdict[str, Standing](Standing)
    for piece in scene.pieces:
        if not hides or piece.seat == viewer:
            owner = None if piece.kind == "seed" else piece.seat  # seeds change sides as they go
            standing[piece.place][owner, str(piece.kind)] += piece.count
    return standing


def _count_owners(standing: Standing) -> Counter[int | None]:
    total = Counter[int | None]()
    for (owner, _), count in standing.items():
        total[owner] += count
    return total
