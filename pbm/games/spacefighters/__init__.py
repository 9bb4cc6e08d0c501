"""Space Fighters: two to four fleets fight for four corner stations and a walled central one.

Rules: docs/rules/spacefighters.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, ClassVar

from pbm.games.spacefighters.battle import (
    BIT,
    CONTROLS,
    DEPLOY,
    FIGHTERS,
    GONE,
    NAMES,
    NUMBER,
    PRICE,
    SEATS,
    SETUP,
    STATIONS,
    FightersState,
    Team,
    choose_colours,
    mask_of,
    names_of,
)
from pbm.games.spacefighters.orders import build_refusal, orders, read, setups
from pbm.games.spacefighters.view import build_scene, draw_position
from pbm.rules import CHANCE, Game, GameInfo, IllegalMove, Option, Picture, Position, Value
from pbm.rules.drawing.scene import Scene
from pbm.rules.help_page import read_help
from pbm.rules.lessons import Lesson
from pbm.rules.phrases import phrase, tell_roll

# The pictures that explain the game on its page: moments of one game.

_BEGINNING = (
    *("setup c11 c12 b11", "setup k3 l3 k2"),
    *("6", "7", "deploy f c13", "c11-g9", "b11-e10", "end"),
    *("6", "3", "k3-g5", "end"),
    *("6", "2"),
)
_FIGHT = (*_BEGINNING, "g9xg5", "5", "3")
_STATION = (
    *(*_FIGHT, "e10-e8", "buy f", "end"),
    *("1", "1", "deploy f j3", "end"),
    *("6", "4", "g5-k3", "k3xgreen", "4", "4"),
)
_END = (
    *(*_STATION, "e8-e4", "end", "1", "1", "end"),
    *("6", "8", "k3xk2", "6", "1", "e4-g2", "end", "1", "1", "end"),
    *("6", "8", "k2xj3", "6", "1", "g2-k2", "end", "1", "1", "end"),
    *("6", "8", "j3xl3", "6", "1", "k2-green"),
)
LESSONS = (
    Lesson(
        phrase(
            "Red has rolled six steps for fighters. The one on g9 may go through two doors of the "
            "central station, round the star, and fight on g5: g9xg5. It cannot enter the star, "
            "and the wall lets it through at the doors alone."
        ),
        _BEGINNING,
        can=("g9xg5", "g9-g8"),
        cannot=("g9-star",),
    ),
    Lesson(
        phrase(
            "The attacker rolled 5 and the defender 3: green's fighter is destroyed, and red's "
            "stands in its place. A tie would have been enough. A beaten attacker goes to its "
            "reserve. This fighter does nothing more this turn."
        ),
        _FIGHT,
        cannot=("g5-g4",),
    ),
    Lesson(
        phrase(
            "Later, the same fighter went to k3 and from there attacked the control ship in "
            "green's station. The dice showed 4 and 4, so that the attacker won. It stays on k3, "
            "and the station is neutral: green earns nothing for it."
        ),
        _STATION,
    ),
    Lesson(
        phrase(
            "Red has destroyed green's last ship in space, and a control ship of red enters "
            "green's own station. So green is out, whatever is left in its reserve, and red has "
            "won."
        ),
        _END,
    ),
)


@dataclass(frozen=True, slots=True)
class SpaceFightersPosition(FightersState):
    """A position of Space Fighters, with the orders that lead to the next."""

    _orders: tuple[str, ...] | None = field(default=None, init=False, compare=False, repr=False)

    def legal_moves(self, seat: int) -> Sequence[str]:
        """Return every order of that team in the order of the turn: deployments, fighters, control
        ships, purchases, end."""
        if seat not in self.to_move:
            return ()
        if seat == CHANCE:
            return self.chance.outcomes if self.chance else ()
        if self._orders is None:
            moves = setups(self.home(seat)) if self.phase == SETUP else tuple(orders(self))
            object.__setattr__(self, "_orders", moves)
        return self._orders or ()

    def apply(self, seat: int, move: str) -> Position:
        """Return the position after one order; raise InvalidMove or IllegalMove with the reason
        otherwise."""
        if move not in self.legal_moves(seat):
            raise build_refusal(self, move)
        if move == "end":
            return self._end()
        word, _, rest = move.partition(" ")
        team = self.teams[seat]
        if word == "setup":
            one, two, control = (BIT[NUMBER[name]] for name in rest.split())
            team = team._replace(fighters=one | two, controls=team.controls | control)
            return self._with(team)._next_setup()
        if word == "buy":
            team = team.with_reserve(rest, 1)._replace(resources=team.resources - PRICE[rest])
            return self._with(team, bought=True)._remove_defeated()
        if word == "deploy":
            kind, name = rest.split()
            return self._with(
                team.with_reserve(kind, -1).put(kind, 0, BIT[NUMBER[name]])
            )._remove_defeated()
        here, fights, there = move.partition("x")
        if fights:
            fight = (NUMBER[here], NUMBER[there])
            return replace(self, phase=FIGHTERS, fight=fight, news=())
        here, _, there = move.partition("-")
        source, target = BIT[NUMBER[here]], BIT[NUMBER[there]]
        if team.fighters & source:
            team = team.put("f", source, target)
            return self._with(team, phase=FIGHTERS, moved=self.moved | target)._remove_defeated()
        team = team.put("c", source, target)
        return self._with(team, phase=CONTROLS, spent=self.spent | target)._remove_defeated()

    def suggest(self, seat: int) -> str:
        """Return the next order of a whole turn: all that does not make the outlook worse, in the
        order of the turn, fights behind the other orders of fighters."""
        return suggest_order(self) if self.phase != SETUP else Position.suggest(self, seat)

    def answer(self, outcome: str) -> Position:
        """Return the position after a die of the turn's start or of a fight; the attacker wins
        ties."""
        pips = int(outcome)
        if not self.fight:
            return replace(self, dice=(*self.dice, pips), news=())
        if len(self.fight) == 2:
            return replace(self, fight=(*self.fight, pips), news=())
        source, target, attack = self.fight
        won = attack >= pips
        news = (
            phrase(
                "{attacker} from {source} rolls {attack}, {defender} on {target} {pips}: {result}",
                attacker=self.holding(source),
                source=NAMES[source],
                attack=attack,
                defender=self.holding(target),
                target=NAMES[target],
                pips=pips,
                result=phrase("the defender is destroyed")
                if won
                else phrase("the fighter goes back to the reserve"),
            ),
        )
        team, moved = self.teams[self.seat], self.moved & ~BIT[source]
        if not won:
            team = team.put("f", BIT[source], 0).with_reserve("f", 1)
            return self._with(team, fight=(), moved=moved, news=news)._remove_defeated()
        stand = BIT[source if target in STATIONS else target]
        shot = tuple(
            other.put("f", BIT[target], 0).put("c", BIT[target], 0) for other in self.teams
        )
        after = replace(self, teams=shot, fight=(), moved=moved, spent=self.spent | stand)
        return after._with(team.put("f", BIT[source], stand), news=news)._remove_defeated()

    def resign(self, seat: int) -> Position:
        """Return the position without that team; on its own turn the next one rolls, and a fight
        that is being rolled with it is off. IllegalMove for a team that is out."""
        if seat not in self.playing or self.is_over:
            raise IllegalMove(phrase("only a team that is still in the game can resign"))
        why = phrase(
            "{colour} leaves: its ships are gone, its stations neutral", colour=self.seat_name(seat)
        )
        after = replace(self, news=())._eliminate(seat, why)
        if after.is_over:
            return replace(after, fight=())
        if seat == self.seat:
            return (
                after._next_setup()
                if self.phase == SETUP
                else after._next_turn()._remove_defeated()
            )
        off = self.fight and self.holder_of(self.fight[1]) == seat
        return (replace(after, fight=()) if off else after)._remove_defeated()

    def _with(self, team: Team, **changes: Any) -> SpaceFightersPosition:
        """Return this position with another state of the team on the move and without news."""
        teams = (*self.teams[: self.seat], team, *self.teams[self.seat + 1 :])
        return replace(self, **{"teams": teams, "news": (), **changes})

    def _eliminate(self, number: int, why: str) -> SpaceFightersPosition:
        """Return the position after a team left with its reserve and resources."""
        teams = (*self.teams[:number], GONE, *self.teams[number + 1 :])
        return replace(self, teams=teams, left=(*self.left, number), news=(*self.news, why))

    def _end(self) -> SpaceFightersPosition:
        team, name = self.teams[self.seat], self.seat_name(self.seat)
        income = team.income(self.home(self.seat))
        team = team._replace(resources=team.resources + income)
        news = (
            (
                phrase(
                    "{name} earns {income} and has {resources} resources",
                    name=name,
                    income=income,
                    resources=team.resources,
                ),
            )
            if income
            else ()
        )
        return self._with(team, news=news)._next_turn()._remove_defeated()

    def _next_setup(self) -> SpaceFightersPosition:
        """Return the set-up of the next team that still plays, or the first turn."""
        later = [team for team in self.playing if team > self.seat]
        if later:
            return self._turn_of(min(later), SETUP)
        return self._turn_of(min(self.playing), DEPLOY)._remove_defeated()

    def _next_turn(self) -> SpaceFightersPosition:
        following = (self.seat + 1) % self.players
        while following in self.left:
            following = (following + 1) % self.players
        return self._turn_of(following, DEPLOY)

    def _turn_of(self, seat: int, phase: int) -> SpaceFightersPosition:
        return SpaceFightersPosition(
            self.players,
            seat,
            self.turn + 1,
            phase,
            (),
            self.teams,
            self.left,
            options=self.options,
            news=self.news,
        )

    def _remove_defeated(self) -> SpaceFightersPosition:
        """Return the position without the teams that are out; if the team on the move is, the turn
        passes on without income."""
        for number, team in enumerate(self.teams):
            if team.fighters or team.controls or number in self.left or self.is_over:
                continue
            colour = self.seat_name(number)
            if self.holder_of(self.home(number)) is not None:
                why = phrase(
                    "{colour} is out: no ship in space and an enemy in its own station",
                    colour=colour,
                )
            elif team.spare_fighters or team.spare_controls or team.resources >= PRICE["f"]:
                continue
            else:
                why = phrase(
                    "{colour} is out: no ship in space or reserve and no resources to buy one",
                    colour=colour,
                )
            after = self._eliminate(number, why)
            if number == self.seat and not after.is_over:
                after = after._next_turn()
            return after._remove_defeated()
        return self

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        """Return the first order of a list, and the others."""
        return read(self, text, seat)

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        """Say who rolls and for what."""
        if seat != CHANCE:
            return move
        if self.fight:
            roller = self.holder_of(self.fight[len(self.fight) - 2])
            return tell_roll(self.seat_name(self.seat if roller is None else roller), move)
        colour = self.seat_name(self.seat)
        if self.dice:
            return tell_roll(colour, phrase("{dice} for control ships", dice=move))
        return tell_roll(colour, phrase("{dice} for fighters", dice=move))

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        """Return the board, the teams and the dice, the same for everybody."""
        return draw_position(self, last)

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        """Return what `picture` shows as a scene."""
        return build_scene(self, last)

    def dump(self) -> list[Any]:
        """Write the position, masks of ships as lists of places."""
        return [
            [self.seat, self.turn, self.phase, list(self.dice), list(self.left), self.bought],
            [[names_of(team.fighters), names_of(team.controls), *team[2:]] for team in self.teams],
            [names_of(self.moved), names_of(self.spent), list(self.fight)],
        ]


class SpaceFighters(Game):
    """The kind of game."""

    info: ClassVar[GameInfo] = GameInfo(
        name="spacefighters",
        title="Space Fighters",
        version=1,
        players=range(2, 5),
        seats=SEATS,
        summary="fighters and control ships fight for space stations",
        help=read_help(__name__),
        options=(
            Option(
                "colors",
                "text",
                "each team's colour, and so its corner, in seat order",
                pattern="a list like blue,yellow of red, blue, green, yellow, all different",
            ),
            Option("pass_own", "flag", "control ships pass over ships of their own team"),
        ),
        features=frozenset({"chance"}),
        family="war",
        length="long",
    )

    def list_lessons(self) -> Sequence[Lesson]:
        return LESSONS

    def start(self, players: int, options: Mapping[str, Value]) -> Position:
        """Return each team with a control ship in its station, two fighters in reserve, 20
        resources."""
        names = choose_colours(players, options.get("colors"))
        teams = tuple(Team(0, BIT[NUMBER[name]], 2, 0, 20) for name in names)
        return SpaceFightersPosition(players, 0, 0, SETUP, (), teams, options=options)

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> Position:
        """Return the position that `dump` wrote."""
        (seat, turn, phase, dice, left, bought), teams, (moved, spent, fight) = data
        return SpaceFightersPosition(
            players,
            seat,
            turn,
            phase,
            tuple(dice),
            tuple(Team(mask_of(team[0]), mask_of(team[1]), *team[2:]) for team in teams),
            tuple(left),
            bought,
            mask_of(moved),
            mask_of(spent),
            tuple(fight),
            options=options,
        )


SpaceFightersPosition.game = SpaceFighters()
GAMES = (SpaceFightersPosition.game,)


# The order that an example of a turn goes on with.

END = "end"


def suggest_order(position: FightersState) -> str:
    """Return the best order for the first ship that has one that does not make the outlook worse,
    in the order of the turn; a fight, whose dice would interrupt the turn, once no fighter moves.
    `end` when there is none."""
    seat, now, fight = position.seat, _rate(position, position.seat), ""
    for choices in _list_by_ship(position):
        if fight and not _is_of_fighter(position, choices[0]):
            break
        rated = {order: _rate(position.play(seat, order), seat) for order in choices}
        best = max(choices, key=lambda order: rated[order])
        if rated[best] < now:
            continue
        if "x" not in best:
            return best
        fight = fight or best
    return fight or END


def _list_by_ship(position: FightersState) -> Iterator[list[str]]:
    """Yield the orders of each ship, deployed, moved or bought, in the order of the turn."""
    orders = [order for order in position.legal_moves(position.seat) if order != END]
    for _ship, group in groupby(orders, key=_find_ship):
        yield [*group]


def _find_ship(order: str) -> str:
    """Return the key that distinguishes a ship's orders from others': its kind, or its place."""
    word, _, rest = order.partition(" ")
    return f"{word} {rest[:1]}" if rest else word.replace("x", "-").partition("-")[0]


def _is_of_fighter(position: FightersState, order: str) -> bool:
    place = NUMBER.get(_find_ship(order))
    return place is not None and position.kind_on(place) == "f"


def _rate(position: Position, seat: int) -> float:
    """Return a team's lead over the next one."""
    outlook = position.outlook or ()
    others = [value for number, value in enumerate(outlook) if number != seat]
    return outlook[seat] - max(others)
