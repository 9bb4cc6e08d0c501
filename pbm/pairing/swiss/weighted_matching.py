"""Perfect matchings of the greatest weight in complete graphs: Edmonds' blossoms with duals.

One tree is grown at a time, from a vertex that has no partner yet. Weights may be integers of any
size, so that a list of criteria, each more important than all that follow, is one weight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

OUTER, INNER = 1, 2
"""Labels in the tree: reached by a matched edge, or by one that is not."""


class Matching:
    """Pairs vertices, an even number of them, so that the sum of the weights is greatest."""

    def __init__(
        self,
        weights: Sequence[Sequence[int]],
        hint: Iterable[tuple[int, int]] = (),
        bounds: Sequence[int] = (),
    ) -> None:
        """Match by `weights`, which is symmetric. The pairs of the hint are tried first. The bounds
        of any two vertices add up to twice the weight of their pair or more. Hint and bounds decide
        nothing but how soon the matching is reached."""
        self.weights = [[2 * weight for weight in row] for row in weights]
        self.alive = list(range(len(weights)))
        self.mate = [-1] * len(weights)
        self.blossoms: list[tuple[frozenset[int], int]] = []
        self.dual = [*bounds] or [max(row, default=0) for row in weights]
        for first, second in hint:
            self.join(first, second)
        self.blossoms = _Forest(self).complete()

    def join(self, first: int, second: int) -> None:
        """Match two vertices if both are free and the edge is tight."""
        if self.mate[first] < 0 and self.mate[second] < 0 and self.slack(first, second) == 0:
            self.mate[first], self.mate[second] = second, first

    def slack(self, first: int, second: int) -> int:
        """Return by how much every matching with this pair is lighter, at the least, than the best
        one; doubled."""
        return (
            self.dual[first]
            + self.dual[second]
            - self.weights[first][second]
            + sum(extra for leaves, extra in self.blossoms if first in leaves and second in leaves)
        )

    def fix(self, first: int, second: int) -> None:
        """Keep a pair of the matching, and take it out of the graph."""
        self.alive = [vertex for vertex in self.alive if vertex not in (first, second)]

    def force(self, first: int, second: int) -> bool:
        """Whether a matching as heavy has this pair. If so, that is the matching from now on, and
        the pair is taken out of the graph."""
        if self.mate[first] == second:
            self.fix(first, second)
            return True
        if self.slack(first, second) > 0:
            return False
        if self._exchange(first, second):
            self.fix(first, second)
            return True
        trial = self._without(first, second)
        trial.blossoms = _Forest(trial).complete()
        gained = (
            self.weights[first][second]
            + sum(trial.weights[vertex][trial.mate[vertex]] for vertex in trial.alive) // 2
        )
        if 2 * gained != sum(self.weights[vertex][self.mate[vertex]] for vertex in self.alive):
            return False
        self.alive, self.mate, self.dual = trial.alive, trial.mate, trial.dual
        self.blossoms = trial.blossoms
        self.mate[first], self.mate[second] = second, first
        return True

    def _exchange(self, first: int, second: int) -> bool:
        """Whether a matching as heavy has this pair that differs in two or three pairs only. If so,
        that is the matching from now on; the duals are those of every best matching."""
        weights, mate = self.weights, self.mate
        one, two = mate[first], mate[second]
        lost = weights[first][one] + weights[second][two] - weights[first][second]
        if weights[one][two] == lost:
            self._pair((first, second), (one, two))
            return True
        for third in self.alive:
            fourth = mate[third]
            if third in (first, second, one, two):
                continue
            if weights[one][third] + weights[two][fourth] == lost + weights[third][fourth]:
                self._pair((first, second), (one, third), (two, fourth))
                return True
        return False

    def _pair(self, *pairs: tuple[int, int]) -> None:
        for first, second in pairs:
            self.mate[first], self.mate[second] = second, first

    def _without(self, first: int, second: int) -> Matching:
        """Return the same graph without two vertices, whose partners are free. The blossoms' duals
        are spread over their vertices: they still bound the weights, and what is tight mostly
        stays."""
        trial = object.__new__(Matching)
        trial.weights, trial.dual, trial.mate = self.weights, self.dual[:], self.mate[:]
        trial.alive = [vertex for vertex in self.alive if vertex not in (first, second)]
        trial.mate[self.mate[first]] = trial.mate[self.mate[second]] = -1
        trial.blossoms = []
        for leaves, extra in self.blossoms:
            for vertex in leaves:
                trial.dual[vertex] += extra // 2
        for vertex in trial.alive if self.blossoms else ():
            other = trial.mate[vertex]
            if other >= 0 and trial.slack(vertex, other):
                trial.mate[vertex] = trial.mate[other] = -1
        return trial


class _Forest:
    """Completes a matching, one alternating tree after the other.

    A blossom is an odd cycle shrunk to one vertex: `kids` in their order, the one with the base
    first, and `links`, the edges from each to the next."""

    def __init__(self, matching: Matching) -> None:
        count = len(matching.weights)
        self.matching = matching
        self.count = self.next_blossom = count
        self.top = list(range(count))
        self.base = dict(enumerate(range(count)))
        self.leaves = {vertex: [vertex] for vertex in range(count)}
        self.kids: dict[int, list[int]] = {}
        self.links: dict[int, list[tuple[int, int]]] = {}
        self.extra: dict[int, int] = {}
        self.label: dict[int, int] = {}
        self.entry: dict[int, tuple[int, int]] = {}
        self.queue: list[int] = []
        self.gap: list[int | None] = []
        self.nearest: list[int] = []

    def complete(self) -> list[tuple[frozenset[int], int]]:
        """Match all vertices, and return the blossoms that have duals, with these."""
        mate, alive = self.matching.mate, self.matching.alive
        for vertex in alive:
            if mate[vertex] < 0:
                for other in alive:
                    if mate[other] < 0 and other != vertex:
                        self.matching.join(vertex, other)
                        if mate[vertex] >= 0:
                            break
        for vertex in alive:
            if mate[vertex] < 0:
                self._grow_tree(vertex)
        return [
            (frozenset(self.leaves[each]), extra) for each, extra in self.extra.items() if extra
        ]

    def _grow_tree(self, root: int) -> None:
        """Find a path to another free vertex, along which the matching grows by one pair."""
        self.label, self.entry, self.queue = {}, {}, []
        self.gap = [None] * self.count
        self.nearest = [-1] * self.count
        self._mark_outer(self.top[root])
        while True:
            while self.queue:
                if self._scan(self.queue.pop()):
                    return self._dissolve()
            if self._adjust():
                return self._dissolve()

    def _mark_outer(self, blossom: int) -> None:
        self.label[blossom] = OUTER
        self.queue += self.leaves[blossom]

    def _scan(self, vertex: int) -> bool:
        """Follow the tight edges of an outer vertex, and note how near the others are. Whether
        the matching has grown."""
        matching, top, label, gap = self.matching, self.top, self.label, self.gap
        dual, row = matching.dual, matching.weights[vertex]
        own = dual[vertex]
        for other in matching.alive:
            slack = own + dual[other] - row[other]
            near = gap[other]
            if (slack and near is not None and slack >= near) or top[other] == top[vertex]:
                continue
            if near is None or slack < near:
                gap[other], self.nearest[other] = slack, vertex
            if slack == 0:
                mark = label.get(top[other])
                if mark == OUTER:
                    self._shrink(vertex, other)
                elif mark is None and self._extend(vertex, other):
                    return True
        return False

    def _extend(self, vertex: int, other: int) -> bool:
        """Add a blossom and its partner to the tree, or match it if it has none. Whether the
        matching has grown."""
        inner = self.top[other]
        base = self.base[inner]
        partner = self.matching.mate[base]
        if partner < 0:
            self._augment(vertex, other)
            return True
        self.label[inner], self.entry[inner] = INNER, (vertex, other)
        outer = self.top[partner]
        self.entry[outer] = (base, partner)
        self._mark_outer(outer)
        return False

    def _adjust(self) -> bool:
        """Change the duals of the tree until something happens. Whether the matching has grown."""
        matching, top, label, gap, nearest = (
            self.matching,
            self.top,
            self.label,
            self.gap,
            self.nearest,
        )
        least: int | None = None
        event = -1
        for vertex in matching.alive:
            blossom = top[vertex]
            mark = label.get(blossom)
            if mark == INNER:
                continue
            if mark == OUTER and nearest[vertex] >= 0 and top[nearest[vertex]] == blossom:
                self._find_nearest(vertex)
            near = gap[vertex]
            if near is None:
                continue
            if mark == OUTER:
                near //= 2
            if least is None or near < least:
                least, event = near, vertex
        for blossom, mark in label.items():
            if mark == INNER and blossom >= self.count:
                near = self.extra[blossom] // 2
                if least is None or near < least:
                    least, event = near, blossom
        assert least is not None, "a complete graph of an even number of vertices"  # noqa: S101
        if least:
            self._shift(least)
        if event >= self.count:
            self._expand(event)
            return False
        if label.get(top[event]) == OUTER:
            self._shrink(nearest[event], event)
            return False
        return self._extend(nearest[event], event)

    def _find_nearest(self, vertex: int) -> None:
        """Find the outer vertex, of another blossom, that is nearest to an outer one."""
        matching, top = self.matching, self.top
        row, own, blossom = matching.weights[vertex], matching.dual[vertex], top[vertex]
        best: int | None = None
        self.nearest[vertex] = -1
        for other in matching.alive:
            if top[other] != blossom and self.label.get(top[other]) == OUTER:
                slack = own + matching.dual[other] - row[other]
                if best is None or slack < best:
                    best, self.nearest[vertex] = slack, other
        self.gap[vertex] = best

    def _shift(self, delta: int) -> None:
        """Lower the duals of outer vertices, raise those of inner ones."""
        dual, gap = self.matching.dual, self.gap
        for vertex in self.matching.alive:
            mark = self.label.get(self.top[vertex])
            near = gap[vertex]
            if mark == OUTER:
                dual[vertex] -= delta
                if near is not None:
                    gap[vertex] = near - 2 * delta
            elif mark == INNER:
                dual[vertex] += delta
            elif near is not None:
                gap[vertex] = near - delta
        for blossom, mark in self.label.items():
            if blossom >= self.count:
                self.extra[blossom] += 2 * delta if mark == OUTER else -2 * delta

    def _path(self, vertex: int) -> list[int]:
        """Return the blossoms from the one of an outer vertex up to the root of the tree."""
        path = [self.top[vertex]]
        while path[-1] in self.entry:
            path.append(self.top[self.entry[path[-1]][0]])
        return path

    def _shrink(self, vertex: int, other: int) -> None:
        """Make one blossom of the cycle that an edge between outer vertices closes."""
        down, up = self._path(vertex), self._path(other)
        while len(down) > 1 and len(up) > 1 and down[-2] == up[-2]:
            down.pop()
            up.pop()
        if down[-1] != up[-1]:
            raise AssertionError("a tree has one root")
        down.reverse()
        up.pop()
        blossom, self.next_blossom = self.next_blossom, self.next_blossom + 1
        kids = down + up
        links = [self.entry[kid] for kid in down[1:]] + [(vertex, other)]
        for kid in up:
            outside, inside = self.entry[kid]
            links.append((inside, outside))
        self.kids[blossom], self.links[blossom], self.extra[blossom] = kids, links, 0
        self.base[blossom] = self.base[kids[0]]
        self.leaves[blossom] = [leaf for kid in kids for leaf in self.leaves[kid]]
        if kids[0] in self.entry:
            self.entry[blossom] = self.entry[kids[0]]
        for kid in kids:
            if self.label.pop(kid) == INNER:
                self.queue += self.leaves[kid]
            self.entry.pop(kid, None)
        self.label[blossom] = OUTER
        for leaf in self.leaves[blossom]:
            self.top[leaf] = blossom

    def _open(self, blossom: int) -> None:
        """Make a blossom's kids blossoms of their own."""
        for kid in self.kids.pop(blossom):
            for leaf in self.leaves[kid]:
                self.top[leaf] = kid
        del self.links[blossom], self.leaves[blossom], self.extra[blossom], self.base[blossom]

    def _expand(self, blossom: int) -> None:
        """Open an inner blossom; the kids between its entry and its base stay in the tree."""
        kids, links = self.kids[blossom], self.links[blossom]
        del self.label[blossom]
        outside, inside = self.entry.pop(blossom)
        self._open(blossom)
        place = kids.index(self.top[inside])
        self.label[kids[place]], self.entry[kids[place]] = INNER, (outside, inside)
        forwards = place % 2 == 1
        mark = OUTER
        while place % len(kids):
            if forwards:
                link = links[place]
                place = (place + 1) % len(kids)
            else:
                place -= 1
                link = links[place][::-1]
            self.entry[kids[place]] = link
            if mark == OUTER:
                self._mark_outer(kids[place])
            else:
                self.label[kids[place]] = INNER
            mark = INNER + OUTER - mark

    def _dissolve(self) -> None:
        """Open, after a tree has grown, the blossoms without a dual of their own."""
        pending = {blossom for blossom in self.top if blossom >= self.count}
        while pending:
            blossom = pending.pop()
            if self.extra[blossom] == 0:
                pending |= {kid for kid in self.kids[blossom] if kid >= self.count}
                self._open(blossom)

    def _augment(self, vertex: int, other: int) -> None:
        """Match a free vertex with an outer one, and change partners from there to the root."""
        mate = self.matching.mate
        self._rebase(self.top[other], other)
        mate[other] = vertex
        while True:
            outer = self.top[vertex]
            self._rebase(outer, vertex)
            mate[vertex] = other
            if outer not in self.entry:
                return
            inner = self.top[self.entry[outer][0]]
            vertex, other = self.entry[inner]
            self._rebase(inner, other)
            mate[other] = vertex

    def _rebase(self, blossom: int, vertex: int) -> None:
        """Rearrange a blossom so that all its vertices but one have partners within it."""
        if self.base[blossom] == vertex:
            return
        kids, links = self.kids[blossom], self.links[blossom]
        place = next(place for place, kid in enumerate(kids) if vertex in self.leaves[kid])
        kids, links = kids[place:] + kids[:place], links[place:] + links[:place]
        self.kids[blossom], self.links[blossom] = kids, links
        self._rebase(kids[0], vertex)
        for place in range(1, len(kids), 2):
            first, second = links[place]
            self._rebase(kids[place], first)
            self._rebase(kids[place + 1], second)
            self.matching.mate[first], self.matching.mate[second] = second, first
        self.base[blossom] = vertex
