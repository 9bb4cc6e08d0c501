"""The state of a game of Diplomacy: the phase, the sealed orders, the seats with orders to give,
and the end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

from pbm.games.dip.votes import VOTE, count_votes, list_votes
from pbm.rules import NOBODY, Outcome, Position, Value
from pbm.rules.diplomacy.board import GameMap
from pbm.rules.diplomacy.maps import find_map
from pbm.rules.diplomacy.order_choices import count_due_orders, list_power_orders
from pbm.rules.diplomacy.orders import Order, Waive, read_order
from pbm.rules.diplomacy.phases import PhaseState, Stage
from pbm.rules.game import ENDED
from pbm.rules.outcome import outcome_of
from pbm.rules.phrases import phrase, phrase_number

MAPS: Mapping[int, tuple[str, ...]] = {
    7: ("standard", "fleetrome", "colonial"),
    2: ("franceaustria",),
    3: ("western",),
    5: ("ancmed",),
    10: ("modern",),
    34: ("chaos",),
}
"""The maps for each number of players, the usual ones first."""
READY, WAIT = "ready", "wait"
"""The moves that end a seat's orders, and that hold the phase open although all are given."""
MOST_MISSED = 2
"""The movements in a row without any order after which a power is in civil disorder."""
FEW = 12
"""The most powers that colours alone tell apart."""
HOLD = 48
"""The hours for which a phase is held open where several powers would be in civil disorder."""
MOST_SHARING = 10
"""The most powers of which any group can share a draw: each group is a vote of its own."""


@dataclass(frozen=True, slots=True)
class PhaseRecord:
    """A phase that was adjudicated: its name, and each power's orders with their results."""

    phase: str
    judged: tuple[tuple[str, str, str], ...]


@dataclass(slots=True)
class Phase:
    """Data shared by the positions of a phase, computed once: for each seat the number of orders
    that it must give and those that it can give, the seats still playing, and drawings that are the
    same for everybody."""

    dues: tuple[int, ...]
    playing: frozenset[int]
    moves: dict[int, tuple[str, ...]] = field(default_factory=dict)
    drawn: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DipState(Position):
    """A position of Diplomacy, without the moves that change it.

    state      the board at the beginning of the phase
    orders     for each seat what it has ordered in this phase, in order; the later counts
    ready      the seats that give no more orders: units without one hold
    waiting    the seats that hold the phase open
    late       the seats whose orders ended because their time was up
    missed     for each seat the movements in a row in which it was late and had ordered nothing
    gone       the seats that have resigned or missed too much, in order, together those that left
               at the same moment: their powers are in civil disorder
    votes      what each seat has voted, "" for nothing
    latest     the phases that were adjudicated since the one before this
    held       the seats that the phase waits for because too few would be left without them: they
               may order, or somebody else may take them over
    all_shown  whether everybody sees the orders, because the board ended other than by its rules
    """

    takes_orders: ClassVar[bool] = True
    ending: ClassVar[str] = ENDED
    waits: ClassVar[bool] = True
    """Whether a board waits for players rather than being won by the last who is there."""

    players: int
    options: Mapping[str, Value]
    state: PhaseState
    turn: int = 0
    orders: tuple[tuple[str, ...], ...] = ()
    ready: frozenset[int] = frozenset()
    waiting: frozenset[int] = frozenset()
    late: frozenset[int] = frozenset()
    missed: tuple[int, ...] = ()
    gone: tuple[tuple[int, ...], ...] = ()
    latest: tuple[PhaseRecord, ...] = ()
    votes: tuple[str, ...] = ()
    held: frozenset[int] = frozenset()
    news: tuple[str, ...] = field(default=(), compare=False)
    all_shown: bool = field(default=False, compare=False)
    _phase: Phase | None = field(default=None, compare=False, repr=False)
    _awaited: frozenset[int] | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def phase(self) -> Phase:
        """Data shared by the positions of this phase."""
        if self._phase is None:
            dues = tuple(count_due_orders(self.state, name) for name in self.seat_names)
            object.__setattr__(self, "_phase", Phase(dues, self._list_alive()))
        assert self._phase is not None  # noqa: S101 (for mypy)
        return self._phase

    @property
    def game_map(self) -> GameMap:
        """The map that is played on."""
        return self.state.game_map

    @property
    def seat_names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.game_map.powers)

    @property
    def is_crowded(self) -> bool:
        """Whether there are more powers than colours alone tell apart."""
        return self.players > FEW

    @property
    def teaches(self) -> bool:
        """Whether the powers may ask the house."""
        return bool(self.options.get("teach", False))

    @property
    def grace(self) -> int:
        """The hours in which late orders are taken where several powers would be in civil disorder,
        or where too few would be left."""
        if not self.waits or self.held:
            return 0
        leaving = self.find_leaving(self.to_move)
        is_held = len(leaving) > 1 or (bool(leaving) and self.leaves_too_few(leaving))
        return HOLD if is_held else 0

    @property
    def press(self) -> str:
        """The kind of press that the powers may write."""
        return str(self.options.get("press", "white"))

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(each.adjective for each in self.game_map.powers)

    @property
    def playing(self) -> frozenset[int]:
        """The powers that have a unit or a centre, but for those that have resigned."""
        return self.phase.playing.difference(self.in_disorder)

    @property
    def in_disorder(self) -> tuple[int, ...]:
        """The powers in civil disorder, in the order in which their players left."""
        return tuple(seat for seats in self.gone for seat in seats)

    @property
    def vacant(self) -> frozenset[int]:
        """The powers in civil disorder that still have a unit or a centre, and those that the
        phase waits for."""
        return NOBODY if self.is_over else self.phase.playing - (self.playing - self.held)

    def find_leaving(self, late: Collection[int]) -> frozenset[int]:
        """Return the powers that would be in civil disorder if the orders of these seats, which are
        late, were the last of the phase."""
        if self.state.stage is not Stage.MOVEMENT:
            return NOBODY
        least = int(self.options.get("disorder", MOST_MISSED)) - 1
        away = {seat for seat in late if not self.orders[seat] and self.missed[seat] >= least}
        return self.playing.intersection(away)

    def leaves_too_few(self, away: Collection[int]) -> bool:
        """Whether the game cannot go on without these powers: fewer than two are left, or several
        go at once and fewer are left than are in civil disorder."""
        left = self.playing.difference(away)
        out = self.phase.playing - left
        return len(left) < 2 or (len(away) > 1 and len(left) < len(out))

    @property
    def has_waited(self) -> bool:
        """Whether the phase has waited in vain for powers without which the game cannot go on."""
        is_waiting = bool(self.held) and self.leaves_too_few(self.held)
        return is_waiting and not any(map(self.is_awaited, self.playing))

    @property
    def ordering(self) -> tuple[int, ...]:
        """The powers that are there: none that the phase waits for, and none that is late without
        an order."""
        there = self.playing - self.held
        return tuple(seat for seat in sorted(there) if self.orders[seat] or seat not in self.late)

    @property
    def is_deserted(self) -> bool:
        """Whether the phase has waited in vain, and fewer than two powers are there to draw."""
        return self.has_waited and len(self.ordering) < 2

    def _list_alive(self) -> frozenset[int]:
        """Return the powers that have a unit or a centre."""
        alive = {unit.power for unit in self.state.units} | {*self.state.owners.values()}
        alive |= {each.unit.power for each in self.state.dislodged}
        return frozenset(seat for seat, name in enumerate(self.seat_names) if name in alive)

    @property
    def to_move(self) -> frozenset[int]:
        """The seats whose orders are not complete, and those that wait."""
        if self._awaited is None:
            seats = NOBODY if self.is_over else frozenset(filter(self.is_awaited, self.playing))
            object.__setattr__(self, "_awaited", seats)
        return self._awaited or NOBODY

    @property
    def may_revise(self) -> frozenset[int]:
        """The other seats that still play: they may vote, and change their orders until all orders
        are complete."""
        return NOBODY if self.is_over else self.playing - self.to_move

    def is_awaited(self, seat: int) -> bool:
        """Whether the phase waits for a seat."""
        due = self.count_due(seat)
        if not due or seat in self.ready | self.late:
            return False
        return seat in self.waiting or len(self.list_orders(seat)) < due

    def count_due(self, seat: int) -> int:
        """Return the number of orders that a seat has to give in this phase."""
        return self.phase.dues[seat]

    def list_orders(self, seat: int) -> list[Order]:
        """Return the orders of a seat that count: of several to a unit the last, and in winter the
        last ones, as many as are due."""
        kept = dict[str, Order]()
        for number, text in enumerate(self.orders[seat]):
            order = _read(text, self.game_map)
            key = f"{number}" if isinstance(order, Waive) else order.province
            kept.pop(key, None)
            kept[key] = order
        return list(kept.values())[-self.count_due(seat) :] if kept else []

    def list_possible(self, seat: int) -> tuple[str, ...]:
        """Return every order that a seat can give in this phase, in recorded form."""
        moves = self.phase.moves
        if seat not in moves:
            orders = list_power_orders(self.state, self.seat_names[seat])
            moves[seat] = tuple(str(order).lower() for order in orders)
        return moves[seat]

    def sees(self, viewer: int | None, seat: int) -> bool:
        """Whether a viewer may see what a seat has ordered in this phase."""
        return self.all_shown or viewer == seat

    @property
    def is_over(self) -> bool:
        """Whether a power has won, all others have left, too few are there, all have voted for an
        end, or the last year is over."""
        has_ended = bool(self.state.winner) or self.is_alone or self.has_run_out
        return has_ended or self.has_waited or self.voted is not None

    @property
    def is_alone(self) -> bool:
        """Whether all but one have left, and nobody is waited for."""
        return len(self.playing) < 2 and not self.held

    @property
    def voted(self) -> tuple[frozenset[int], str] | None:
        """Who wins or draws by the votes of all that play, and why; None while they differ."""
        if sum(not self.votes[seat] for seat in self.playing) > 1:
            return None  # the winner alone need not vote
        return count_votes(dict(enumerate(self.votes)), self.seat_names, self.playing)

    def list_votes(self, seat: int) -> tuple[str, ...]:
        """Return every vote that a seat may cast: all but the one that stands."""
        has_shares = self.options.get("draw", "survivors") == "any"
        votes = list_votes(self.seat_names, self.playing, has_shares=has_shares)
        standing = self.votes[seat] or f"{VOTE}none"
        return tuple(vote for vote in votes if vote != standing)

    @property
    def has_run_out(self) -> bool:
        """Whether the last year of the game is over."""
        return self.state.year >= self.game_map.year + int(self.options["years"])

    @property
    def outcome(self) -> Outcome | None:
        if not self.is_over:
            return None
        names, playing = self.seat_names, self.playing
        if self.state.winner:
            winner = names.index(self.state.winner)
            count = len(self.state.list_centres(self.state.winner))
            reason = phrase(
                "{power} holds {centres} centres", power=self.seat_name(winner), centres=count
            )
            return self._rank({winner}, reason)
        if self.has_waited:
            if self.is_deserted:
                return outcome_of([range(self.players)], phrase("too few players are left"))
            return self._rank(self.ordering, phrase("a draw of those who still order"))
        if len(playing) < 2:
            if not playing:
                return self._rank(playing, phrase("nobody is left"))
            left = self.seat_name(min(playing))
            return self._rank(playing, phrase("only {power} is left", power=left))
        if self.voted is not None:
            return self._rank(*self.voted)
        reason = phrase_number(
            "a draw of all survivors after {count} year",
            "a draw of all survivors after {count} years",
            int(self.options["years"]),
        )
        return self._rank(playing, reason)

    def _rank(self, first: Iterable[int], reason: str) -> Outcome:
        """Return an outcome in which some seats share the first rank; then come those that still
        play, those that were eliminated, and those that have left, the first to do so last."""
        ranked = [*first]
        playing = [seat for seat in sorted(self.playing) if seat not in ranked]
        gone = [[seat for seat in seats if seat not in ranked] for seats in reversed(self.gone)]
        others = {*range(self.players)}.difference(ranked, playing, self.in_disorder)
        return outcome_of([ranked, playing, sorted(others), *gone], reason)


@lru_cache(maxsize=4096)
def _read(text: str, game_map: GameMap) -> Order:
    return read_order(text.upper(), game_map)


def choose_map(players: int, options: Mapping[str, Value]) -> GameMap | None:
    """Return the map of the options, or the usual one for that many players; None where they
    differ."""
    name = str(options.get("map", MAPS[players][0] if players in MAPS else ""))
    return find_map(name) if name in MAPS.get(players, ()) else None
