"""A position of Space Truckin' while a move changes it: placing, exchanging and scoring.

Legality is checked before. Rules: docs/rules/spacetruckin.md, "Completed" and "Final scoring"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pbm.games.spacetruckin.tile_set import COLOURS, FACES, FEATURES, GRID, MOST_SHIPS, NONE, TILING
from pbm.games.spacetruckin.truckin_state import TruckinState, kind_on
from pbm.rules import Outcome, outcome_of
from pbm.rules.boards.tiles import Feature


class Table:
    """A position while a move changes it."""

    __slots__ = (
        *("players", "left", "board", "ships", "bag", "busy", "pools", "points", "patterns"),
        *("drawn", "corner", "mover", "turn", "news"),
    )

    def __init__(self, before: TruckinState) -> None:
        self.players, self.left = before.players, before.left
        self.board, self.ships = bytearray(before.board), bytearray(before.ships)
        self.bag, self.busy = bytearray(before.bag), bytearray(before.busy)
        self.pools, self.points = list(before.pools), list(before.points)
        self.patterns = list(before.patterns)
        self.drawn, self.corner = before.drawn, before.corner
        self.mover, self.turn = before.mover, before.turn
        self.news: list[str] = []

    def place(self, cell: int, face: int, segment: int) -> None:
        """Put a tile on a vacant cell, man it when `segment` is not -1, and score."""
        self.board[cell] = face
        for edge, there in enumerate(TILING.across[cell]):
            self.patterns[there] |= TILING.shown(face, edge)
        if segment != NONE:
            self.ships[cell] = 1 + 4 * self.mover + segment
            self.pools[self.mover] -= 1
        self._score_complete((cell, number) for number in range(len(FACES[face].segments)))
        for there in GRID.king[cell]:
            self._score_station(there)

    def exchange(self, puts: Sequence[tuple[int, int]]) -> None:
        """Put two placed tiles where the other was, with their ships, and score."""
        (one, here), (other, there) = puts
        self.board[one], self.board[other] = here, there
        self.ships[one], self.ships[other] = self.ships[other], self.ships[one]
        self.recompute()

    def recompute(self) -> None:
        """Recompute everything derived, and score every complete feature that holds a ship."""
        self.patterns = [TILING.pattern(self.board, cell) for cell in range(81)]
        self.busy = bytearray(81)
        self._score_complete([(cell, ship - 1 & 3) for cell, ship in enumerate(self.ships) if ship])

    def _score_complete(self, parts: Iterable[tuple[int, int]]) -> None:
        """Score the features of these segments that are complete and hold a ship, and mark the
        cells that face one that still does."""
        seen: set[tuple[int, int]] = set()
        for cell, segment in parts:
            if not FACES[self.board[cell]].segments[segment].edges:
                self._score_station(cell)
            elif (cell, segment) not in seen:
                feature = TILING.feature(self.board, cell, segment)
                seen.update(feature.parts)
                manned = self._manned(feature)
                if manned and feature.closed:
                    self._score(feature, manned)
                    manned = []
                for there, number in feature.parts:
                    for edge in FACES[self.board[there]].segments[number].edges:
                        facing, bit = TILING.across[there][edge], 1 << (edge ^ 2)
                        self.busy[facing] = (self.busy[facing] | bit) ^ (0 if manned else bit)

    def _manned(self, feature: Feature) -> list[int]:
        """The cells of a feature with a ship in it."""
        return [
            cell
            for cell, segment in feature.parts
            if self.ships[cell] and self.ships[cell] - 1 & 3 == segment
        ]

    def _score_station(self, cell: int) -> None:
        if self.ships[cell] and kind_on(self.board, self.ships, cell) == "s":
            if not all(self.board[there] for there in GRID.king[cell]):
                return
            border = not {0, 8}.isdisjoint(divmod(cell, 9))
            self._award([cell], 9 + 2 * border, "station", ", on the border" * border)
            self._send_home([cell])

    def _score(self, feature: Feature, manned: Sequence[int]) -> None:
        cell, segment = feature.parts[0]
        kind = FACES[self.board[cell]].segments[segment].kind
        tiles = len({there for there, _ in feature.parts})
        points = (2 if len(feature.parts) == 2 else 2 * tiles) + 2 * feature.wraps
        more = f", {tiles} tiles{' over the border' * feature.wraps}"
        takers = self._award(manned, points, FEATURES[kind], more)
        self._send_home(manned)
        for seat in takers if kind == "p" else ():
            aboard = sum(ship > 0 and ship - 1 >> 2 == seat for ship in self.ships)
            if self.pools[seat] + aboard < MOST_SHIPS:
                self.pools[seat] += 1
                self.news.append(f"{COLOURS[seat]} gets a new ship")

    def _award(self, manned: Sequence[int], points: int, what: str, more: str = "") -> list[int]:
        """Give points to the seats with the most of these ships; returns those seats."""
        fleets = Counter(self.ships[cell] - 1 >> 2 for cell in manned)
        most = max(fleets.values())
        takers = sorted(seat for seat, ships in fleets.items() if ships == most)
        for seat in takers:
            self.points[seat] += points
            cells = "/".join(GRID.names[cell] for cell in manned)
            self.news.append(f"{COLOURS[seat]} takes {points} for the {what} at {cells}{more}")
        return takers

    def _send_home(self, manned: Iterable[int]) -> None:
        for cell in manned:
            self.pools[self.ships[cell] - 1 >> 2] += 1
            self.ships[cell] = 0

    def pass_on(self) -> None:
        """End the turn: the next seat still playing is on the move."""
        self.turn += 1
        following = (*range(self.mover + 1, self.players), *range(self.mover))
        self.mover = next((seat for seat in following if seat not in self.left), self.mover)

    def end_if_empty(self) -> None:
        """Score what is not complete when no tile is left to draw."""
        if not any(self.bag):
            self.score_rest()

    def score_rest(self) -> None:
        """Award the points for what is not complete, as at the end."""
        done: set[tuple[int, int]] = set()
        for cell, ship in enumerate(self.ships):
            kind, part = kind_on(self.board, self.ships, cell), (cell, ship - 1 & 3)
            if kind == "s":
                filled = sum(self.board[there] > 0 for there in GRID.king[cell])
                self._award([cell], 1 + filled, "unfinished station")
            elif kind and part not in done:
                feature = TILING.feature(self.board, *part)
                done.update(feature.parts)
                what = f"unfinished {FEATURES[kind]}"
                self._award(self._manned(feature), len(feature.parts), what)

    def outcome(self) -> Outcome | None:
        """Seats by points; below them those that resigned, the last to do so first."""
        staying = [seat for seat in range(self.players) if seat not in self.left]
        if len(staying) > 1 and (self.drawn != NONE or any(self.bag)):
            return None
        scores = sorted({self.points[seat] for seat in staying}, reverse=True)
        groups = [[seat for seat in staying if self.points[seat] == score] for score in scores]
        counts = [f"{COLOURS[seat]} {self.points[seat]}" for group in groups for seat in group]
        reason = f"no tile is left to draw: {', '.join(counts)}"
        if len(staying) == 1:
            reason = f"{COLOURS[staying[0]]} is the last seat left"
        return outcome_of([*groups, *([seat] for seat in reversed(self.left))], reason)
