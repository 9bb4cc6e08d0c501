"""Space Fighters: two to four fleets fight for coloured corner stations and a walled central one.

It imports `pbm.rules` only; dice come in as answers of chance."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import combinations
from textwrap import wrap
from typing import Any, ClassVar, NamedTuple

from pbm.rules import (
    CHANCE,
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    Canvas,
    Chance,
    Game,
    GameInfo,
    IllegalMove,
    InvalidMove,
    MoveError,
    Outcome,
    Picture,
    Position,
    Value,
    outcome_of,
    picture,
    roll,
)
from pbm.rules.floors import FloorPlan, bits
from pbm.rules.squares import Grid
from pbm.rules.typed import SEPARATORS, left_of, listing, quoted

GRID = Grid(13, 13)
COLOURS = ("red", "blue", "green", "yellow")
SEATS = {2: ("red", "green"), 3: ("red", "blue", "green"), 4: COLOURS}
PLAN = FloorPlan(
    GRID,
    joined={
        "red": ("a12", "b12", "a13", "b13"),
        "blue": ("l12", "m12", "l13", "m13"),
        "green": ("l1", "m1", "l2", "m2"),
        "yellow": ("a1", "b1", "a2", "b2"),
    },
    rooms=[
        (
            ("f6", "g6", "h6", "f7", "g7", "h7", "f8", "g8", "h8"),
            (("g8", "g9"), ("g6", "g5"), ("f7", "e7"), ("h7", "i7")),
        )
    ],
    renamed={"g7": "star"},
)
BIT, NAMES, NUMBER, ADJACENT = PLAN.bit, PLAN.names, PLAN.number, PLAN.adjacent
STAR = NUMBER["star"]
COLOURED = tuple(NUMBER[colour] for colour in COLOURS)
STATIONS = (*COLOURED, STAR)
STATION_MASK = sum(BIT[place] for place in STATIONS)
TILES = PLAN.places & ~STATION_MASK
"""The tiles any ship may stand on: neither star nor coloured stations."""

SETUP, DEPLOY, FIGHTERS, CONTROLS = range(4)
"""What a team does next: its set-up, or the first kind of order that is still open to it."""
PRICE = {"f": 25, "c": 100}
MOST = {"f": 7, "c": 5}
SHIP = {"f": "fighter", "c": "control ship"}

_SETUP = re.compile(
    r"(set-?\s?up[\s:]+)?([a-z]\d{1,3})[\s,]+([a-z]\d{1,3})[\s,]+([a-z]\d{1,3})(?![a-z0-9])"
)
_BUY = re.compile(r"buy\s+(?:a\s+)?([fc])(?:ighter|ontrol(?:\s+ship)?)?")
_DEPLOY = re.compile(r"deploy\s+([fc])(?:ighter|ontrol(?:\s+ship)?)?\s+(?:to\s+)?([a-z]+\d*)")
_GO = re.compile(r"([a-wyz]+\d*)\s*([-x])\s*([a-z]+\d*)")
_FORM = "a set-up is 'setup FIGHTER FIGHTER CONTROLSHIP' with a tile for each"


def _place(word: str) -> int:
    place = PLAN.place(word)
    if place is not None:
        return place
    if GRID.looks_like_cell(word):
        raise InvalidMove(f"{quoted(word)} is off the board: columns are a to m, rows 1 to 13")
    raise InvalidMove(f"{quoted(word)} is no tile and no station (red, blue, green, yellow, star)")


def _names(mask: int) -> list[str]:
    return [NAMES[place] for place in bits(mask)]


def _mask(names: Sequence[str]) -> int:
    return sum(BIT[NUMBER[name]] for name in names)


@cache
def _within(source: int, steps: int) -> int:
    """The places at most that many steps away on an empty board."""
    return PLAN.reach(source, steps, PLAN.places)


@lru_cache(maxsize=2048)
def _sorties(source: int, die: int, foes: int, own: int) -> tuple[str, ...]:
    """The moves of a fighter, `foes` and `own` being the ships on tiles within the die."""
    reached = PLAN.reach(source, die, TILES & ~foes) & TILES & ~own
    here = NAMES[source]
    return tuple(
        [f"{here}-{there}" for there in _names(reached & ~foes)]
        + [f"{here}x{there}" for there in _names(reached & foes)]
    )


@lru_cache(maxsize=2048)
def _cruises(source: int, steps: int, ships: int) -> tuple[str, ...]:
    """The moves of a control ship, `ships` being those within its reach."""
    reached = PLAN.reach(source, steps, PLAN.places & ~ships) & ~ships
    return tuple([f"{NAMES[source]}-{there}" for there in _names(reached)])


@cache
def _setups(home: int) -> tuple[str, ...]:
    """The set-ups beside a station: the fighters' tiles by row and column, then the third one."""
    tiles = _names(ADJACENT[home])
    return tuple(
        f"setup {one} {two} {control}"
        for one, two in combinations(tiles, 2)
        for control in tiles
        if control not in (one, two)
    )


class Team(NamedTuple):
    """What a team has: masks of its ships in space, the numbers in reserve, resources."""

    fighters: int
    controls: int
    spare_fighters: int
    spare_controls: int
    resources: int

    def supplied(self, kind: str, ships: int) -> Team:
        """The team with so many ships of a kind more in reserve."""
        if kind == "f":
            return self._replace(spare_fighters=self.spare_fighters + ships)
        return self._replace(spare_controls=self.spare_controls + ships)

    def put(self, kind: str, source: int, target: int) -> Team:
        """The team with a ship of a kind taken from the place of one bit and put on the other."""
        if kind == "f":
            return self._replace(fighters=self.fighters & ~source | target)
        return self._replace(controls=self.controls & ~source | target)

    def owned(self, kind: str) -> int:
        """Its ships of a kind, in space and in reserve."""
        if kind == "f":
            return self.fighters.bit_count() + self.spare_fighters
        return self.controls.bit_count() + self.spare_controls

    def income(self, home: int) -> int:
        """What the stations it owns earn at `end`: 10 its own, 5 another coloured one, 20 the
        central one."""
        worth = {home: 10, STAR: 20}
        return sum(worth.get(place, 5) for place in bits(self.controls & STATION_MASK))


GONE = Team(0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class SpaceFightersPosition(Position):
    """A moment of the game.

    seat     whose turn it is; `phase` the first kind of order still open to it
    dice     the fighter die and the control die as they show, as far as they are rolled
    left     the teams that are out, in the order of leaving
    moved    the fighters that have moved and not fought this turn
    spent    the fighters that have fought and the control ships that have moved this turn
    fight    source, target and then the attacker's die while a fight is being rolled
    """

    game: ClassVar[Game]

    players: int
    seat: int
    turn: int
    phase: int
    dice: tuple[int, ...]
    teams: tuple[Team, ...]
    left: tuple[int, ...] = ()
    bought: bool = False
    moved: int = 0
    spent: int = 0
    fight: tuple[int, ...] = ()
    news: tuple[str, ...] = field(default=(), compare=False)
    _listed: tuple[str, ...] | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def options(self) -> Mapping[str, Value]:
        """There are none."""
        return {}

    @property
    def to_move(self) -> frozenset[int]:
        """The team on the move, or chance while dice are to be rolled."""
        if self._over:
            return NOBODY
        if self.fight or (self.phase != SETUP and len(self.dice) < 2):
            return CHANCE_TO_MOVE
        return SEAT_TO_MOVE[self.seat]

    @property
    def playing(self) -> frozenset[int]:
        """The teams that are not out."""
        return frozenset(range(self.players)) - frozenset(self.left)

    @property
    def outcome(self) -> Outcome | None:
        """The last team left wins; the first to leave is last."""
        if not self._over:
            return None
        (winner,) = self.playing
        groups = [[winner], *([leaver] for leaver in reversed(self.left))]
        return outcome_of(groups, f"{self.seat_names[winner]} is the last team left")

    @property
    def standing(self) -> tuple[float, ...]:
        """What its ships cost, its resources, and five turns' income."""
        return tuple(
            team.resources
            + PRICE["f"] * team.owned("f")
            + PRICE["c"] * team.owned("c")
            + 5.0 * team.income(self._home(number))
            for number, team in enumerate(self.teams)
        )

    @property
    def chance(self) -> Chance | None:
        """Both movement dice at the start of a turn; attacker, then defender in a fight."""
        if self.to_move != CHANCE_TO_MOVE:
            return None
        if self.fight:
            second = len(self.fight) == 3
            return roll(8 if second and self._kind(self.fight[1]) == "c" else 6)
        return roll(8 if self.dice else 6)

    # Who stands where.

    @property
    def _over(self) -> bool:
        return len(self.left) == self.players - 1

    def _home(self, team: int) -> int:
        return NUMBER[self.seat_names[team]]

    def _ships(self) -> int:
        mask = 0
        for team in self.teams:
            mask |= team.fighters | team.controls
        return mask

    def _foes(self) -> int:
        team = self.teams[self.seat]
        return self._ships() & ~team.fighters & ~team.controls

    def _kind(self, place: int) -> str:
        return "c" if any(team.controls & BIT[place] for team in self.teams) else "f"

    def _holder(self, place: int) -> int | None:
        for number, team in enumerate(self.teams):
            if (team.fighters | team.controls) & BIT[place]:
                return number
        return None

    def _holding(self, place: int) -> str:
        """`red's fighter`: what stands on an occupied place."""
        names = (*self.seat_names, "nobody")
        holder = self._holder(place)
        return f"{names[-1 if holder is None else holder]}'s {SHIP[self._kind(place)]}"

    @property
    def _control_steps(self) -> int:
        """The control die is read as 4 when it shows more."""
        return min(self.dice[1], 4)

    # Legal moves.

    def legal_moves(self, seat: int) -> Sequence[str]:
        """Every order of that team in the order of the turn: deployments, fighters, control ships,
        purchases, end."""
        if seat not in self.to_move:
            return ()
        if seat == CHANCE:
            return self.chance.outcomes if self.chance else ()
        if self._listed is None:
            moves = _setups(self._home(seat)) if self.phase == SETUP else tuple(self._orders())
            object.__setattr__(self, "_listed", moves)
        return self._listed or ()

    def _orders(self) -> list[str]:
        team, ships, foes = self.teams[self.seat], self._ships(), self._foes()
        own = ships & ~foes
        found: list[str] = []
        if self.phase == DEPLOY:
            for kind in "fc":
                vacant = self._ports(kind) & ~ships
                found += [f"deploy {kind} {there}" for there in _names(vacant)]
        if self.phase != CONTROLS:
            die = self.dice[0]
            besieged = [place for place in STATIONS if foes & BIT[place]]
            for source in bits(team.fighters & ~self.spent):
                if not self.moved & BIT[source]:
                    near = _within(source, die) & TILES
                    found += _sorties(source, die, foes & near, own & near)
                for place in besieged:
                    if ADJACENT[place] & BIT[source]:
                        found.append(f"{NAMES[source]}x{NAMES[place]}")
        for source in bits(team.controls & ~self.spent):
            steps = self._control_steps
            found += _cruises(source, steps, ships & _within(source, steps))
        found += [f"buy {kind}" for kind in "fc" if not self._no_sale(kind)]
        found.append("end")
        return found

    def _ports(self, kind: str) -> int:
        """The places to which the team on the move may deploy a ship of that kind, occupied ones
        included; none without such a ship in reserve."""
        team, home = self.teams[self.seat], self._home(self.seat)
        ports = 0
        if kind == "f" and team.spare_fighters:
            for place in bits(team.controls):
                ports |= ADJACENT[place]
            if not self._foes() & BIT[home]:
                ports |= ADJACENT[home]
            ports &= TILES
        if kind == "c" and team.spare_controls:
            for place in bits(team.controls & STATION_MASK):
                ports |= ADJACENT[place]
            ports = ports & TILES | BIT[home]
        return ports

    def _no_sale(self, kind: str) -> str:
        """Why the team on the move cannot buy a ship of that kind; empty when it can."""
        team = self.teams[self.seat]
        if self.bought:
            return "one ship a turn at most, and you have bought one this turn"
        if team.owned(kind) >= MOST[kind]:
            return f"supply: a team owns at most {MOST[kind]} {SHIP[kind]}s, reserve included"
        if team.resources < PRICE[kind]:
            return f"supply: a {SHIP[kind]} costs {PRICE[kind]}, you have {team.resources}"
        return ""

    # Playing.

    def apply(self, seat: int, move: str) -> Position:
        """The position after one order; InvalidMove or IllegalMove with the reason otherwise."""
        if move not in self.legal_moves(seat):
            raise self._refusal(move)
        if move == "end":
            return self._end()
        word, _, rest = move.partition(" ")
        team = self.teams[seat]
        if word == "setup":
            one, two, control = (BIT[NUMBER[name]] for name in rest.split())
            team = team._replace(fighters=one | two, controls=team.controls | control)
            return self._with(team)._next_setup()
        if word == "buy":
            team = team.supplied(rest, 1)._replace(resources=team.resources - PRICE[rest])
            return self._with(team, bought=True)._settled()
        if word == "deploy":
            kind, name = rest.split()
            return self._with(team.supplied(kind, -1).put(kind, 0, BIT[NUMBER[name]]))._settled()
        here, fights, there = move.partition("x")
        if fights:
            fight = (NUMBER[here], NUMBER[there])
            return replace(self, phase=FIGHTERS, fight=fight, news=())
        here, _, there = move.partition("-")
        source, target = BIT[NUMBER[here]], BIT[NUMBER[there]]
        if team.fighters & source:
            team = team.put("f", source, target)
            return self._with(team, phase=FIGHTERS, moved=self.moved | target)._settled()
        team = team.put("c", source, target)
        return self._with(team, phase=CONTROLS, spent=self.spent | target)._settled()

    def answer(self, outcome: str) -> Position:
        """The position after a die of the turn's start or of a fight; the attacker wins ties."""
        pips = int(outcome)
        if not self.fight:
            return replace(self, dice=(*self.dice, pips), news=())
        if len(self.fight) == 2:
            return replace(self, fight=(*self.fight, pips), news=())
        source, target, attack = self.fight
        won = attack >= pips
        news = (
            f"{self._holding(source)} from {NAMES[source]} rolls {attack}, "
            f"{self._holding(target)} on {NAMES[target]} {pips}: "
            + ("the defender is destroyed" if won else "the fighter goes back to the reserve"),
        )
        team, moved = self.teams[self.seat], self.moved & ~BIT[source]
        if not won:
            team = team.put("f", BIT[source], 0).supplied("f", 1)
            return self._with(team, fight=(), moved=moved, news=news)._settled()
        stand = BIT[source if target in STATIONS else target]
        shot = tuple(
            other.put("f", BIT[target], 0).put("c", BIT[target], 0) for other in self.teams
        )
        after = replace(self, teams=shot, fight=(), moved=moved, spent=self.spent | stand)
        return after._with(team.put("f", BIT[source], stand), news=news)._settled()

    def resign(self, seat: int) -> Position:
        """The position without that team; on its own turn the next one rolls, and a fight that is
        being rolled with it is off. IllegalMove for a team that is out."""
        if seat not in self.playing or self._over:
            raise IllegalMove("only a team that still plays can resign")
        why = f"{self.seat_names[seat]} leaves: its ships are gone, its stations neutral"
        after = replace(self, news=())._without(seat, why)
        if after._over:
            return replace(after, fight=())
        if seat == self.seat:
            return after._next_setup() if self.phase == SETUP else after._next_turn()._settled()
        off = self.fight and self._holder(self.fight[1]) == seat
        return (replace(after, fight=()) if off else after)._settled()

    def _with(self, team: Team, **changes: Any) -> SpaceFightersPosition:
        """This position with another state of the team on the move and without news."""
        teams = (*self.teams[: self.seat], team, *self.teams[self.seat + 1 :])
        return replace(self, **{"teams": teams, "news": (), **changes})

    def _without(self, number: int, why: str) -> SpaceFightersPosition:
        """This position after a team left, with its reserve and resources."""
        teams = (*self.teams[:number], GONE, *self.teams[number + 1 :])
        return replace(self, teams=teams, left=(*self.left, number), news=(*self.news, why))

    def _end(self) -> SpaceFightersPosition:
        team, name = self.teams[self.seat], self.seat_names[self.seat]
        income = team.income(self._home(self.seat))
        team = team._replace(resources=team.resources + income)
        news = (f"{name} earns {income} and has {team.resources} resources",) if income else ()
        return self._with(team, news=news)._next_turn()._settled()

    def _next_setup(self) -> SpaceFightersPosition:
        """The set-up of the next team that still plays, or the first turn."""
        later = [team for team in self.playing if team > self.seat]
        if later:
            return self._turn_of(min(later), SETUP)
        return self._turn_of(min(self.playing), DEPLOY)._settled()

    def _next_turn(self) -> SpaceFightersPosition:
        following = (self.seat + 1) % self.players
        while following in self.left:
            following = (following + 1) % self.players
        return self._turn_of(following, DEPLOY)

    def _turn_of(self, seat: int, phase: int) -> SpaceFightersPosition:
        return SpaceFightersPosition(
            self.players, seat, self.turn + 1, phase, (), self.teams, self.left, news=self.news
        )

    def _settled(self) -> SpaceFightersPosition:
        """This position without the teams that are out; when the one on the move is, the turn has
        passed on without income."""
        for number, team in enumerate(self.teams):
            if team.fighters or team.controls or number in self.left or self._over:
                continue
            if self._holder(self._home(number)) is not None:
                why = "no ship in space and an enemy in its own station"
            elif team.spare_fighters or team.spare_controls or team.resources >= PRICE["f"]:
                continue
            else:
                why = "no ship in space or reserve and no resources to buy one"
            after = self._without(number, f"{self.seat_names[number]} is out: {why}")
            if number == self.seat and not after._over:
                after = after._next_turn()
            return after._settled()
        return self

    # Typed orders.

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        """The first order of a list, and the others. Understands any case and blanks, long names
        of ships, cells of stations, and `-` for `x` where the target holds an enemy."""
        if len(text) > 2000:
            raise InvalidMove("that is more text than the orders of a turn")
        text = left_of(text, 0).lower()
        if (match := _SETUP.match(text)) and (match[1] or self.phase == SETUP):
            *fighters, control = (_place(word) for word in match.groups()[1:])
            names = [NAMES[place] for place in (*sorted(fighters), control)]
            return f"setup {' '.join(names)}", left_of(text, match.end())
        first = re.split("[,;]", text, maxsplit=1)[0]
        if not first:
            raise InvalidMove("an order is missing; 'end' ends the turn")
        return self._order(first.strip(SEPARATORS), seat), left_of(text, len(first))

    def _order(self, text: str, seat: int) -> str:
        if text in ("end", "end turn"):
            return "end"
        if match := _BUY.fullmatch(text):
            return f"buy {match[1]}"
        if match := _DEPLOY.fullmatch(text):
            return f"deploy {match[1]} {NAMES[_place(match[2])]}"
        if text.startswith("deploy"):
            raise InvalidMove(
                f"{quoted(text)}: write 'deploy f c1' for a fighter, "
                "'deploy c c1' for a control ship"
            )
        if match := _GO.fullmatch(text):
            source, target = _place(match[1]), _place(match[3])
            fights = match[2] == "x" or (
                self._holder(source) == seat
                and self._kind(source) == "f"
                and self._holder(target) not in (None, seat)
            )
            return f"{NAMES[source]}{'x' if fights else '-'}{NAMES[target]}"
        if text.startswith("set"):
            raise InvalidMove(f"{quoted(text)}: {_FORM}, as 'setup c1 a3 c3'")
        raise InvalidMove(
            f"{quoted(text)} is no order; orders look like 'deploy f c1', 'c3-c6', 'c3xd5', "
            "'buy f' and 'end'"
        )

    # Why an order is refused.

    def _refusal(self, move: str) -> MoveError:
        try:
            order, rest = self.parse(move, self.seat)
        except MoveError as error:
            return error
        if rest or order in self.legal_moves(self.seat):
            return InvalidMove(f"{quoted(move)} is not one order as it is stored; write '{order}'")
        reason = self._why_not(order)
        return IllegalMove(reason if reason.startswith(order) else f"{order}: {reason}")

    def _why_not(self, order: str) -> str:
        word, _, rest = order.partition(" ")
        if self.phase == SETUP:
            return self._why_no_setup(rest.split() if word == "setup" else [])
        if word == "setup":
            return "wrong phase: the set-up is over"
        if word == "buy":
            return self._no_sale(rest)
        if word == "deploy":
            return self._why_no_deployment(rest[0], NUMBER[rest[2:]])
        here, there = re.split("[-x]", order)
        source, target = NUMBER[here], NUMBER[there]
        holder = self._holder(source)
        if holder is None:
            return f"no ship is on {here}"
        if holder != self.seat:
            return f"not yours: {here} holds {self._holding(source)}"
        if source == target:
            return "a ship that moves leaves its place"
        if self._kind(source) == "c":
            return self._why_no_cruise(order, source, target)
        if self.phase == CONTROLS:
            return "wrong phase: fighters act before the first control ship order of a turn"
        if self.spent & BIT[source]:
            return f"the fighter on {here} has fought and does nothing more this turn"
        return self._why_no_sortie(order, source, target)

    def _why_no_setup(self, names: Sequence[str]) -> str:
        tiles = _names(ADJACENT[self._home(self.seat)])
        beside = f"the tiles beside your station are {listing(tiles)}"
        if not names:
            return f"wrong phase: first set up; {_FORM}; {beside}"
        for name in names:
            if name not in tiles:
                return f"{name} is not beside your station; {beside}"
        return f"a set-up names three different tiles; {beside}"

    def _why_no_deployment(self, kind: str, target: int) -> str:
        home, there = self._home(self.seat), NAMES[target]
        if self.phase != DEPLOY:
            return "wrong phase: ships are deployed before the first fighter or control ship order"
        team = self.teams[self.seat]
        if not (team.spare_fighters if kind == "f" else team.spare_controls):
            return f"supply: no {SHIP[kind]} is in your reserve"
        if target in STATIONS and kind == "f":
            return "fighters never enter a coloured station or the star"
        if target in STATIONS and target != home:
            return f"a control ship is deployed to a tile or into your own station, {NAMES[home]}"
        if self._holder(target) is not None:
            return f"occupied: {there} holds {self._holding(target)}"
        if kind == "c":
            return f"{there} is not adjacent to a station that you own"
        return f"{there} is not adjacent to one of your control ships or stations"

    def _why_no_sortie(self, order: str, source: int, target: int) -> str:
        here, there = NAMES[source], NAMES[target]
        holder, fights = self._holder(target), "x" in order
        if fights and holder in (None, self.seat):
            what = "no ship" if holder is None else self._holding(target)
            return f"only enemies are fought, and {there} holds {what}"
        if target in STATIONS and fights:
            tiles = listing(_names(ADJACENT[target] & TILES))
            return f"out of reach: {there} is attacked from an adjacent tile ({tiles})"
        if self.moved & BIT[source]:
            return f"the fighter on {here} has moved and may only attack a station beside it"
        if target in STATIONS:
            return "fighters never enter a coloured station or the star"
        if holder == self.seat:
            return f"occupied: {there} holds {self._holding(target)}"
        far = self._far(order, source, target, self.dice[0], TILES, self._foes())
        return f"{far}, the fighter die shows {self.dice[0]}"

    def _why_no_cruise(self, order: str, source: int, target: int) -> str:
        if "x" in order:
            return f"control ships do not fight, and {NAMES[source]} holds one"
        if self.spent & BIT[source]:
            return f"the control ship on {NAMES[source]} has moved this turn"
        if self._holder(target) is not None:
            return f"occupied: {NAMES[target]} holds {self._holding(target)}"
        steps = self._control_steps
        far = self._far(order, source, target, steps, PLAN.places, self._ships())
        return f"{far}, the control die allows {steps}"

    def _far(self, order: str, source: int, target: int, die: int, free: int, ships: int) -> str:
        """How many steps an order takes, and what makes the way longer than it looks."""
        way = PLAN.distance(source, target, free & ~ships)
        if way is None:
            return f"{order}: out of reach, every way is closed by ships, walls and stations"
        if (PLAN.distance(source, target, free) or 0) <= die:
            return f"{order} is {way} steps round the ships on the way"
        if max(source, target) < len(GRID):
            (row, column), (to_row, to_column) = divmod(source, 13), divmod(target, 13)
            if abs(row - to_row) + abs(column - to_column) <= die:
                return f"{order} is {way} steps round walls and stations"
        return f"{order} is {way} steps"

    # What people see.

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        """The board, the teams and the dice; the places of the moves `last` are in brackets."""
        marked = {PLAN.place(word) for move in last for word in re.split("[- x]", move)}
        canvas = Canvas()
        PLAN.draw(canvas)
        for place in bits(PLAN.places):
            row, column = PLAN.spot(place)
            holder = self._holder(place)
            char = "*" if place == STAR else "."
            if holder is not None:
                letter = self.seat_names[holder][0]
                char = letter.upper() if self._kind(place) == "c" else letter
            if place in marked:
                canvas.put(row, column - 1, f"[{char}]", picture.LAST)
            if holder is not None or place not in marked:
                role = picture.PLAIN if holder is None else picture.seat(holder)
                canvas.put(row, column, char, role)
        letters = " ".join(name[0] for name in self.seat_names)
        canvas.line()
        canvas.line(f"     fighters {letters} (f), control ships {letters.upper()} (c), star *")
        canvas.line()
        heading = f"{'team':9}{'resources':11}{'reserve':9}{'in space':10}stations owned"
        canvas.line(f"     {heading}", picture.LABEL)
        for number, name in enumerate(self.seat_names):
            row = canvas.height
            canvas.put(row, 3, ">" if number == self.seat and self.to_move else " ")
            canvas.put(row, 5, f"{name:9}", picture.seat(number))
            canvas.put(row, 14, self._account(number))
        canvas.line()
        for caption in self._captions():
            for line in wrap(caption, 72):
                canvas.line(f"     {line}")
        return canvas.picture()

    def _account(self, number: int) -> str:
        team = self.teams[number]
        if number in self.left:
            return f"out of the game, number {self.left.index(number) + 1} to leave"
        owned = _names(team.controls & STATION_MASK)
        reserve = f"{team.spare_fighters}f {team.spare_controls}c"
        space = f"{team.fighters.bit_count()}f {team.controls.bit_count()}c"
        income = f"{' '.join(owned) or 'none'} (+{team.income(self._home(number))})"
        return f"{team.resources:<11}{reserve:9}{space:10}{income}"

    def _captions(self) -> list[str]:
        name = self.seat_names[self.seat]
        if outcome := self.outcome:
            return [f"the game is over: {outcome.reason}"]
        if self.phase == SETUP:
            tiles = listing(_names(ADJACENT[self._home(self.seat)]))
            return [f"{name} sets up two fighters and a control ship on {tiles}"]
        if len(self.dice) < 2:
            return [f"{name} rolls the movement dice"]
        shown, steps = self.dice[1], self._control_steps
        control = f"{shown}" if shown == steps else f"{shown}, read as {steps}"
        team = self.teams[self.seat]
        kinds = ["fighters", "control ships"] if self.phase != CONTROLS else ["control ships"]
        if self.phase == DEPLOY and team.spare_fighters + team.spare_controls:
            kinds.insert(0, "deployments")
        kinds += [f"buy {kind}" for kind in "fc" if not self._no_sale(kind)]
        lines = [
            f"dice of {name}: fighters {self.dice[0]}, control ships {control}",
            f"still open: {', '.join(kinds)}, end",
        ]
        lines += [f"moved, may attack a station: {', '.join(_names(self.moved))}"] * bool(
            self.moved
        )
        lines += [f"done for this turn: {', '.join(_names(self.spent))}"] * bool(self.spent)
        return lines

    def dump(self) -> list[Any]:
        """Masks of ships are written as lists of places."""
        return [
            [self.seat, self.turn, self.phase, list(self.dice), list(self.left), self.bought],
            [[_names(team.fighters), _names(team.controls), *team[2:]] for team in self.teams],
            [_names(self.moved), _names(self.spent), list(self.fight)],
        ]


HELP = """\
Space Fighters, for 2 to 4 teams

Aim
  Be the last team left. Stations earn resources, resources buy ships,
  fighters destroy enemy ships, and an enemy in your own station while you
  have no ship left puts you out.

Board
  13 columns a to m, 13 rows, row 1 at the bottom. Ships step over edges,
  never diagonally. Adjacent tiles share an edge or a corner without a wall
  between them.
  The four coloured stations in the corners are one place each, for one
  control ship: red (a12 to b13), blue (l12 to m13), green (l1 to m2), yellow
  (a1 to b2). Each has five adjacent tiles; a control ship enters and leaves
  by the four that share an edge with it, in one step.
  The central station f6 to h8 has a wall with four doors: g8-g9, g6-g5, f7-e7
  and h7-i7. Its middle tile g7 is the star; only control ships enter it, by
  f7, g6, g8 or h7. The other eight tiles take any ship, and all eight are
  adjacent to the star. Over the wall only the two tiles of a door are
  adjacent.
  A station belongs to the team whose control ship is in it (the central one:
  on the star), else it is neutral. Fighters never enter a coloured station or
  the star.
  Fighters are r b g y, control ships R B G Y, the empty star is *.

Teams
  2 players: red, green. 3: red, blue, green. 4: red, blue, green, yellow. A
  team owns at most 7 fighters and 5 control ships, reserve included. It
  starts with 20 resources, a control ship in its station and two fighters in
  reserve.
  First each team names three of the five tiles adjacent to its station:
    setup c11 c12 b11     fighters on c11 and c12, control ship on b11

Turn
  Two dice are rolled: the fighter die (1 to 6) and the control die (1 to 8,
  read as 4 when it shows more). Then, in this sequence, any of it left out:
  1. deploy ships from the reserve
    deploy f c13    a fighter to a vacant tile adjacent to one of your control
                    ships, to a station you own, or to your own station unless
                    an enemy is in it
    deploy c c13    a control ship to a vacant tile adjacent to a station you
                    own
    deploy c red    or into your own station when it is empty
  2. fighters, each once, up to as many steps as the fighter die shows, over
     own ships, not over enemies, walls, coloured stations or the star
    c3-c6           to a vacant tile
    c3xd5           onto an enemy, and fight it
    c3xyellow       fight the control ship in an adjacent station (f8xstar in
                    the central one), without moving; also after a move
  3. control ships, each once, up to as many steps as the control die allows,
     over nothing at all; empty stations and the star may be passed through
    red-c12         also c12-red, g8-star, a4-c4
  4. end            earns 10 for your own station, 5 for any other coloured
                    one, 20 for the central one
  At any point, one ship a turn, into the reserve: buy f (25), buy c (100).
  Several orders are separated by commas. The turn stays open until "end".
  A "-" is read as "x" when a fighter goes for an enemy. Any cell of a station
  may stand for its name, g7 for the star. The game has no options.

Fights
  The attacker rolls six sides, a defending fighter six, a control ship eight.
  The attacker wins ties. A beaten defender is destroyed (it may be bought
  again) and the attacker stands on its tile; in front of a station it stays
  where it was, and the station is neutral. A beaten attacker goes to its
  team's reserve. After a fight a fighter does nothing more that turn.

Out of the game
  After each order and each change of turn a team is out when it has no ship
  in space (stations count) and an enemy control ship is in its own station;
  also when it has no ship in space, none in reserve and fewer than 25
  resources. If it was on the move, the turn passes on without income.
  Ranks follow the order of leaving, the last team left wins.
  Who resigns leaves too: ships, reserve and resources are gone, stations
  become neutral, and on its own turn there is no income.

Decided here
  The first order of a fighter ends the deployments, the first of a control
  ship ends the fighters' orders too. Buying ends nothing: a ship that is
  bought before the first fighter moves may be deployed in the same turn, and
  acts. A fighter that has moved fights stations only; other fighters' orders
  may stand between its move and its attack. No ship moves to where it stands.
  A control ship takes one step into a station and one step out of it.
  A fight that is being rolled while the defender's team resigns is off: the
  attacker stays and may still act.

A sample game for two
    > setup c11 c12 b11                         red
    > setup k3 l3 k2                            green
    dice 6 7                                    red
    > deploy f c13, c11-g9, b11-e10, end
    dice 6 3                                    green
    > k3-g5, end
    dice 6 2                                    red
    > g9xg5                                     through two doors, 6 steps
    dice 5 3                                    red wins, stands on g5
    > e10-e8, buy f, end                        25 of its 30
    dice 1 1                                    green
    > deploy f j3, end
    dice 6 4                                    red
    > g5-k3, k3xgreen                           moves, then attacks
    dice 4 4                                    a tie: the station is neutral
    > e8-star, end                              earns 10 and 20
"""


class SpaceFighters(Game):
    """The kind of game."""

    info: ClassVar[GameInfo] = GameInfo(
        name="spacefighters",
        title="Space Fighters",
        version=1,
        players=range(2, 5),
        seats=SEATS,
        summary="fighters and control ships fight for space stations",
        help=HELP,
        features=frozenset({"chance"}),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> Position:
        """Each team with a control ship in its station, two fighters in reserve, 20 resources."""
        teams = tuple(Team(0, BIT[NUMBER[name]], 2, 0, 20) for name in SEATS[players])
        return SpaceFightersPosition(players, 0, 0, SETUP, (), teams)

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> Position:
        """The position that `dump` wrote."""
        (seat, turn, phase, dice, left, bought), teams, (moved, spent, fight) = data
        return SpaceFightersPosition(
            players,
            seat,
            turn,
            phase,
            tuple(dice),
            tuple(Team(_mask(team[0]), _mask(team[1]), *team[2:]) for team in teams),
            tuple(left),
            bought,
            _mask(moved),
            _mask(spent),
            tuple(fight),
        )


SpaceFightersPosition.game = SpaceFighters()
GAMES = (SpaceFightersPosition.game,)
