"""Diplomacy: seven powers negotiate and move at the same time, with sealed orders.

Rules: docs/rules/diplomacy.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pbm.games.dip.advice import advise
from pbm.games.dip.dip_state import (
    MAPS,
    MOST_SHARING,
    READY,
    WAIT,
    DipState,
    PhaseRecord,
    choose_map,
)
from pbm.games.dip.setting import SET, apply_setting, describe_setting, read_setting, tell_setting
from pbm.games.dip.view import (
    build_scene,
    describe_units,
    draw_position,
    list_judged,
    load_state,
    store_state,
    write_notes,
)
from pbm.games.dip.votes import VOTE, read_vote
from pbm.rules import (
    Game,
    GameInfo,
    IllegalMove,
    InvalidMove,
    Option,
    OptionError,
    Picture,
    Position,
    Value,
)
from pbm.rules.diplomacy.board import GameMap
from pbm.rules.diplomacy.equations import Paradox
from pbm.rules.diplomacy.maps import find_map
from pbm.rules.diplomacy.order_reader import read_typed_order
from pbm.rules.diplomacy.orders import (
    Build,
    Convoy,
    Disband,
    Given,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    read_order,
)
from pbm.rules.diplomacy.phases import DiplomacyRules, PhaseState, PlayedPhase, Stage, play, set_up
from pbm.rules.drawing.scene import Scene
from pbm.rules.game import ANONYMOUS, ENDED, LATE, TAKEOVER
from pbm.rules.help_page import read_help
from pbm.rules.lessons import Lesson
from pbm.rules.phrases import Phrase, SeatName, combine, make_phrase, phrase, phrase_number
from pbm.rules.typed import left_of, listing, quoted

# The pictures that explain Diplomacy on its page: how orders succeed and fail.

_WEST = ("bre", "pic", "par", "gas", "bur", "mar", "bel", "ruh", "mun", "pie", "tyr", "boh", "kie")
_ALL = ("ready",) * 7
_INTO_BURGUNDY = ("a par - bur", "a mun - ruh", "a ber - mun", *_ALL)
LESSONS = (
    Lesson(
        phrase(
            "Paris and Munich were both ordered to Burgundy, one against one. Neither is stronger, "
            "so that both stay where they were, and Burgundy remains empty."
        ),
        ("a par - bur", "a mun - bur", *_ALL),
        area=_WEST,
    ),
    Lesson(
        phrase(
            "The same with the support of Marseilles: two against one. Paris has moved to "
            "Burgundy, and Munich stays. A unit can support a move only to where it could go "
            "itself."
        ),
        ("a par - bur", "a mar s a par - bur", "a mun - bur", *_ALL),
        area=_WEST,
        cannot=("a mar s f kie - den",),
    ),
    Lesson(
        phrase(
            "The same once more, but an army from Piedmont attacks Marseilles. It gets nowhere, "
            "and yet cuts the support: one against one again, and nobody moves."
        ),
        (
            *("a ven - pie", *_ALL),
            *("a par - bur", "a mar s a par - bur", "a mun - bur", "a pie - mar", *_ALL),
        ),
        area=_WEST,
    ),
    Lesson(
        phrase(
            "Munich, supported from the Ruhr, has taken Burgundy: the French army there is "
            "dislodged. It retreats to an empty neighbour, though not to Munich, from where the "
            "attack came, or it disbands."
        ),
        (*_INTO_BURGUNDY, "a mun - bur", "a ruh s a mun - bur", *_ALL),
        area=_WEST,
        can=("a bur r par", "a bur r gas", "a bur d"),
        cannot=("a bur r mun", "a bur r mar"),
    ),
    Lesson(
        phrase(
            "A convoy: the fleet in the North Sea carries the army from Yorkshire to Belgium in "
            "one move, and stays where it is. Were the fleet dislodged, the army would not move."
        ),
        (
            *("f lon - nth", "a lvp - yor", *_ALL),
            *("f nth c a yor - bel", "a yor - bel", *_ALL),
        ),
        area=("edi", "yor", "lon", "nth", "eng", "bel", "hol", "hel", "pic", "lvp", "wal"),
    ),
)


_SEPARATORS = ";\n,"
_WORDS = {"ready": READY, "done": READY, "wait": WAIT}
PHASE_ENDED = "{season} {year}, {stage}: {orders}"
"""The message of the news that a phase has ended."""
_PARADOXES = {
    "szykman": Paradox.SZYKMAN,
    "allhold": Paradox.ALL_HOLD,
    "rules1982": Paradox.RULES_1982,
    "rules2000": Paradox.RULES_2000,
}


@dataclass(frozen=True, slots=True)
class DipPosition(DipState):
    """A position of Diplomacy, with the orders that lead to the next."""

    def legal_moves(self, seat: int) -> Sequence[str]:
        """Return the orders that a seat can give, also those that it has given; words and votes."""
        if seat not in self.to_move | self.may_revise:
            return ()
        words = [READY] if seat in self.to_move else []
        words += [WAIT] if seat not in self.waiting and self.count_due(seat) else []
        return [*self.list_possible(seat), *words, *self.list_votes(seat)]

    def suggest(self, seat: int) -> str:
        """Return an order to a unit that has none yet."""
        ordered = {text.split()[1] for text in self.orders[seat] if " " in text}
        moves = [move for move in self.list_possible(seat) if move.split()[1:2] != []]
        open_ = [move for move in moves if move.split()[1] not in ordered] or moves
        steps = [move for move in open_ if " - " in move and " s " not in move] or open_
        return (steps or list(self.legal_moves(seat)))[0]

    def advise(self, seat: int) -> Sequence[str]:
        """Return the orders of a computer player for all that the seat has to decide, and
        `ready`."""
        possible = {*self.list_possible(seat)}
        advised = [str(order).lower() for order in advise(self.state, self.seat_names[seat])]
        orders = [text for text in advised if text in possible]
        return orders if len(orders) >= self.count_due(seat) else [*orders, READY]

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        """Return the first order of a text, and the others; `;`, commas and lines separate them."""
        if seat not in self.to_move | self.may_revise:
            raise IllegalMove(self._not_on_the_move(seat))
        rest = left_of(text, 0)
        ends = [at for sign in _SEPARATORS if (at := rest.find(sign)) >= 0]
        end = min(ends, default=len(rest))
        first, left = rest[:end].strip(), left_of(rest, end)
        if not first:
            raise InvalidMove(phrase("an order is missing: one looks like this: A PAR - BUR"))
        word = _WORDS.get(first.lower())
        if word is not None:
            return word, left
        if f"{first.lower()} ".startswith(VOTE):
            return read_vote(first[len(VOTE) :], self.seat_names, self.playing), left
        if first.lower() in self.list_possible(seat):
            return first.lower(), left
        order = read_typed_order(first, self.state, self.seat_names[seat])
        return str(order).lower(), left

    def play(self, seat: int, move: str) -> Position:
        """Return the position after an order, or after somebody has taken over a vacant seat."""
        if move.startswith(SET):
            return self._set(seat, move)
        if move != TAKEOVER or seat not in self.vacant | self.playing:
            return Position.play(self, seat, move)
        return replace(
            self,
            gone=_leave_out(seat, self.gone),
            held=self.held - {seat},
            missed=(*self.missed[:seat], 0, *self.missed[seat + 1 :]),
            orders=(*self.orders[:seat], (), *self.orders[seat + 1 :]),
            votes=(*self.votes[:seat], "", *self.votes[seat + 1 :]),
            ready=self.ready - {seat},
            waiting=self.waiting - {seat},
            late=self.late - {seat},
            news=(phrase("{seat_name} has a new player", seat_name=self.seat_name(seat)),),
        )

    def read_setting(self, seat: int, text: str) -> str:
        """Return the move by which a master sets the units or centres of a seat."""
        return read_setting(text, self.state, self.seat_names[seat])

    def _set(self, seat: int, move: str) -> Position:
        """Return the position with other units or centres of a power: all orders of the phase are
        void."""
        name = self.seat_names[seat]
        return replace(
            self,
            state=apply_setting(self.state, name, move),
            orders=((),) * self.players,
            ready=frozenset(),
            waiting=frozenset(),
            late=frozenset(),
            news=(
                phrase(
                    "{setting}; all orders are to be given again", setting=tell_setting(name, move)
                ),
            ),
            _phase=None,
        ).finish()

    def apply(self, seat: int, move: str) -> Position:
        """Return the position after one order, or after the phase if it was the last that was
        missing."""
        is_end = move in (LATE, ENDED) and seat in self.to_move  # the server says so, no player
        if not is_end and move not in self.legal_moves(seat):
            raise self._refuse(seat, move)
        if move == WAIT:
            after = replace(self, waiting=self.waiting | {seat}, ready=self.ready - {seat}, news=())
        elif move == LATE:
            after = replace(self, late=self.late | {seat}, waiting=self.waiting - {seat}, news=())
        elif move in (READY, ENDED):
            after = replace(self, ready=self.ready | {seat}, waiting=self.waiting - {seat}, news=())
        elif move.startswith(VOTE):
            vote = "" if move == f"{VOTE}none" else move
            votes = (*self.votes[:seat], vote, *self.votes[seat + 1 :])
            after = replace(self, votes=votes, held=self.held - {seat}, news=())
            if after.voted is not None:
                after = replace(after, news=(after.voted[1],))
            return after
        else:
            own = (*self.orders[seat], move)
            orders = (*self.orders[:seat], own, *self.orders[seat + 1 :])
            after = replace(self, orders=orders, news=())
        if not is_end:
            after = replace(after, held=self.held - {seat})
        return after.finish()

    def _refuse(self, seat: int, move: str) -> IllegalMove | InvalidMove:
        """Return the refusal of a move that is not listed."""
        if move in (READY, LATE, ENDED):
            return IllegalMove(phrase("your orders are complete already"))
        if move == WAIT:
            is_free = not self.count_due(seat)
            return IllegalMove(
                phrase("you have nothing to order in this phase")
                if is_free
                else phrase("you hold the phase open already: ready ends that")
            )
        if move.startswith(VOTE) and move == (self.votes[seat] or f"{VOTE}none"):
            return IllegalMove(phrase("that is your vote already"))
        if move.startswith(VOTE):
            return IllegalMove(
                phrase("a draw is one of all survivors here: vote draw (-draw=any allows others)")
            )
        order = read_typed_order(move, self.state, self.seat_names[seat])
        return InvalidMove(
            phrase("{move} is recorded as {order}", move=quoted(move), order=str(order).lower())
        )

    def finish(self) -> DipPosition:
        """Return the position after the phase, and after those that nobody has anything to order
        in, if no orders are missing."""
        position = self
        if position.has_waited:
            return replace(position, news=(phrase("nobody has come to go on with the game"),))
        while not position.to_move and not position.is_over:
            leaving = position.find_leaving(position.late)
            if position.waits and not position.held and position.leaves_too_few(leaving):
                return position.wait_for(leaving)
            position = position.adjudicate(is_first=position is self)
        return position

    def wait_for(self, leaving: frozenset[int]) -> DipPosition:
        """Return the position in which the phase waits, with its orders, for these powers or for
        players who take them over."""
        names = listing([self.seat_name(seat) for seat in sorted(leaving)])
        waits = phrase("the phase waits for {powers}, or for players who take over", powers=names)
        return replace(
            self, turn=self.turn + 1, held=leaving, late=self.late - leaving, news=(waits,)
        )

    def adjudicate(self, *, is_first: bool) -> DipPosition:
        """Return the position after this phase, with the orders that have been given."""
        given = [
            Given(str(name), order)
            for seat, name in enumerate(self.seat_names)
            for order in self.list_orders(seat)
        ]
        played = play(self.state, given)
        judged = tuple((each.power, str(each.order), each.result.value) for each in played.judged)
        record = PhaseRecord(self.state.name, judged)
        after = replace(
            self,
            state=played.state,
            turn=self.turn + 1,
            orders=((),) * self.players,
            ready=frozenset(),
            waiting=frozenset(),
            late=frozenset(),
            held=frozenset(),
            latest=(record,) if is_first else (*self.latest, record),
            _phase=None,
        )
        news = tuple(_tell(self.state, played))
        news = news if is_first else (*self.news, *news)
        return replace(after, news=news)._disorder(self)

    def _disorder(self, before: DipPosition) -> DipPosition:
        """Return the position with the powers in civil disorder that gave no orders in time
        again."""
        if before.state.stage is not Stage.MOVEMENT:
            return self
        missed = tuple(
            count + 1 if seat in before.late and not before.orders[seat] else 0
            for seat, count in enumerate(self.missed)
        )
        leaving = before.find_leaving(before.late)
        names = [seat for seat in sorted(self.playing) if seat in leaving]
        news = [
            phrase("{seat_name} is in civil disorder", seat_name=self.seat_name(seat))
            for seat in names
        ]
        together = [tuple(names)] if self.waits and names else [(seat,) for seat in names]
        gone = (*self.gone, *together)
        return replace(self, missed=missed, gone=gone, news=(*self.news, *news))

    def resign(self, seat: int) -> Position:
        """Return the position without that seat: its power is in civil disorder."""
        if seat not in self.playing or self.is_over:
            raise IllegalMove(phrase("only a power that is still in the game can resign"))
        orders = (*self.orders[:seat], (), *self.orders[seat + 1 :])
        gone = (*self.gone, (seat,))
        news = (phrase("{seat_name} is in civil disorder", seat_name=self.seat_name(seat)),)
        held = self.held - {seat}
        return replace(self, gone=gone, orders=orders, held=held, news=news).finish()

    def uncovered(self) -> DipPosition:
        return replace(self, all_shown=True)

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        """Describe an order as its power reads it; for others that there was one, and whether the
        power's orders are complete with it."""
        if move.startswith(SET):
            return phrase("(set: {what})", what=describe_setting(move))
        if self.sees(viewer, seat):
            return move if move in _WORDS or move.startswith(VOTE) else move.upper()
        if move == TAKEOVER:
            return phrase("(takes over)")
        is_order = move not in (*_WORDS, LATE, ENDED) and not move.startswith(VOTE)
        orders = (*self.orders[seat], move) if is_order else self.orders[seat]
        after = replace(
            self,
            orders=(*self.orders[:seat], orders, *self.orders[seat + 1 :]),
            ready=self.ready | {seat} if move in (READY, LATE, ENDED) else self.ready,
            waiting=self.waiting | {seat} if move == WAIT else self.waiting,
        )
        if after.is_awaited(seat):
            return phrase("(sealed)")
        return phrase("(sealed, orders complete)")

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        """Return the powers with their units and centres, the orders of the last phase, and one's
        own."""
        return draw_position(self, viewer)

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        """Return the map with the units, and the orders of the last phase as arrows."""
        return build_scene(self, viewer)

    def describe_pieces(self, scene: Scene) -> Sequence[str]:
        return describe_units(self, scene)

    def list_judged(self) -> Sequence[tuple[str, Sequence[str]]]:
        return list_judged(self)

    def list_orderable(self, seat: int) -> Sequence[tuple[str, str, Sequence[str]]]:
        """Return the units with their orders; nothing where less is due than could be ordered."""
        if seat not in self.to_move | self.may_revise:
            return ()
        possible, given = dict[str, list[str]](), dict[str, str]()
        for move in self.list_possible(seat):
            possible.setdefault(self.steps(seat, move)[0], []).append(move)
        for order in self.list_orders(seat):
            text = str(order).lower()
            given[self.steps(seat, text)[0]] = text
        if len(possible) != self.count_due(seat):
            return ()
        return [(unit, given.get(unit, ""), moves) for unit, moves in possible.items()]

    def find_phase(self, news: Sequence[str]) -> str:
        return next((said for said in news if getattr(said, "message", "") == PHASE_ENDED), "")

    def notes(self, viewer: int | None = None) -> tuple[str, ...]:
        return write_notes(self)

    def words(
        self,
        viewer: int | None = None,
        last: Sequence[str] = (),
        *,
        is_stopped: bool = False,
        is_short: bool = False,
    ) -> str:
        """Return the board in sentences, without a list of moves."""
        return Position.words(self, viewer, last, is_stopped=is_stopped, is_short=is_short)

    def steps(self, seat: int, move: str) -> tuple[str, ...]:
        """Return the unit, the verb, and the places in the order."""
        if move in (*_WORDS, TAKEOVER, LATE, ENDED) or move.startswith((VOTE, SET)):
            return (move,)
        return tuple(_list_steps(read_order(move.upper(), self.game_map)))

    def dump(self) -> list[Any]:
        latest = [[record.phase, [list(each) for each in record.judged]] for record in self.latest]
        return [
            self.turn,
            store_state(self.state),
            [list(each) for each in self.orders],
            sorted(self.ready),
            sorted(self.waiting),
            sorted(self.late),
            list(self.missed),
            [seats[0] if len(seats) == 1 else list(seats) for seats in self.gone],
            latest,
            list(self.votes),
            *([sorted(self.held)] if self.held else ()),
        ]


def _leave_out(seat: int, gone: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of seats that left together, without one seat."""
    left = (tuple(each for each in seats if each != seat) for seats in gone)
    return tuple(seats for seats in left if seats)


def _list_steps(order: Order) -> Iterator[str]:
    """Yield the clicks that compose an order."""
    if isinstance(order, Waive):
        yield "waive"
        return
    yield order.place.lower()
    if isinstance(order, Hold):
        yield "hold"
    elif isinstance(order, Move):
        yield "convoyed" if order.via else "move"
        yield order.to.lower()
    elif isinstance(order, (SupportHold, SupportMove)):
        yield "support"
        yield order.other.lower()
        yield order.to.lower() if isinstance(order, SupportMove) else "hold"
    elif isinstance(order, Convoy):
        yield from ("convoy", order.other.lower(), order.to.lower())
    elif isinstance(order, Retreat):
        yield from ("retreat", order.to.lower())
    elif isinstance(order, Disband):
        yield "disband"
    elif isinstance(order, Build):
        yield f"build {'army' if order.kind == 'A' else 'fleet'}"


def _tell(before: PhaseState, played: PlayedPhase) -> Iterator[str]:
    """Yield what happened in a phase, in sentences."""
    failed = sum(each.result.value != "done" for each in played.judged)
    orders = phrase_number("{count} order", "{count} orders", len(played.judged))
    if failed:
        orders = phrase("{orders}, {failed} failed", orders=orders, failed=failed)
    yield combine(
        PHASE_ENDED,
        season=Phrase(before.season.value),
        year=before.year,
        stage=Phrase(before.stage.value),
        orders=orders,
    )
    for each in played.dislodged:
        yield phrase(
            "the {adjective} {unit} is dislodged from {place}",
            adjective=before.game_map.power(each.unit.power).adjective,
            unit=str(each.unit),
            place=each.by,
        )
    if played.gone:
        units = listing([_name(before, unit) for unit in played.gone])
        yield phrase("off the board: {units}", units=units)
    after, powers = played.state, [each.name for each in before.game_map.powers]
    seats = {name: SeatName(name, seat) for seat, name in enumerate(powers)}
    taken = dict[str, list[str]]()
    for code, owner in after.owners.items():
        if before.owners.get(code) != owner:
            taken.setdefault(owner, []).append(code)
    for power, codes in taken.items():
        yield phrase("{power} takes {centres}", power=seats[power], centres=listing(codes))
    for power in powers:
        had = bool(before.list_units(power) or before.list_centres(power))
        has = bool(after.list_units(power) or after.list_centres(power))
        has |= any(each.unit.power == power for each in after.dislodged)
        if had and not has:
            yield phrase("{power} is eliminated", power=seats[power])


def _name(state: PhaseState, unit: Any) -> str:
    # TRANSLATORS: "Austrian F TRI"; a unit, and the name of its power in place of the adjective
    return phrase(
        "{adjective} {unit}", adjective=state.game_map.power(unit.power).adjective, unit=str(unit)
    )


class Dip(Game):
    """The game."""

    position_kind: type[DipPosition] = DipPosition
    info: ClassVar[GameInfo] = GameInfo(
        name="dip",
        title="Diplomacy",
        version=2,
        players=tuple(MAPS),
        seats={
            players: tuple(each.name for each in find_map(names[0]).powers)
            for players, names in MAPS.items()
        },
        summary="seven powers, secret talks, simultaneous orders",
        help=read_help(__name__),
        options=(
            Option(
                "map",
                "choice",
                "the map; standard, fleetrome and colonial are for seven, each of the others "
                "for its own number",
                choices=tuple(name for names in MAPS.values() for name in names),
            ),
            Option(
                "draw",
                "choice",
                "who shares a draw that is voted: all survivors, or any of them",
                "survivors",
                choices=("survivors", "any"),
            ),
            Option("years", "int", "after this many years the survivors draw", 50, 1, 100),
            Option(
                "disorder",
                "int",
                "civil disorder after this many movements without any order",
                2,
                1,
                20,
            ),
            Option("teach", "flag", "press to house asks what a computer player would order"),
            Option(ANONYMOUS, "flag", "nobody learns who plays until the game has ended"),
            Option(
                "press",
                "choice",
                "who may write to whom: signed, also unsigned, to all alone, nobody",
                "white",
                choices=("white", "grey", "public", "none"),
            ),
            Option(
                "paradox",
                "choice",
                "how paradoxes of convoys are resolved",
                "szykman",
                choices=tuple(_PARADOXES),
            ),
        ),
        features=frozenset({"sealed", "orders"}),
        family="war",
        length="long",
    )

    def list_lessons(self) -> Sequence[Lesson]:
        return LESSONS

    def choose_map(self, players: int, options: Mapping[str, Value]) -> GameMap | None:
        """Return the map of the options; None where that is for another number of players."""
        return choose_map(players, options)

    def start(self, players: int, options: Mapping[str, Value]) -> Position:
        game_map = self.choose_map(players, options)
        if game_map is None:
            fit = next(count for count, names in MAPS.items() if options["map"] in names)
            raise OptionError(
                phrase(
                    "the map {map} is not for {players} players, but for {fit}: with {players}, "
                    "choose {maps}",
                    map=options["map"],
                    players=players,
                    fit=fit,
                    maps=listing(MAPS[players], "or"),
                )
            )
        if options["draw"] == "any" and players > MOST_SHARING:
            raise OptionError(
                phrase(
                    "{option} can be any with at most {most_sharing} players",
                    option=make_phrase("-draw"),
                    most_sharing=MOST_SHARING,
                )
            )
        rules = DiplomacyRules(paradox=_PARADOXES[str(options["paradox"])])
        return self.position_kind(
            *(players, options, set_up(game_map, rules)),
            orders=((),) * players,
            missed=(0,) * players,
            votes=("",) * players,
        )

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> Position:
        turn, state, orders, ready, waiting, late, missed, gone, latest, *later = data
        votes = later[0] if later else [""] * players  # not in positions of 0.2.0
        held = later[1] if len(later) > 1 else ()
        game_map = self.choose_map(players, options)
        if game_map is None:
            raise ValueError(f"no map for {players} players")
        rules = DiplomacyRules(paradox=_PARADOXES[str(options["paradox"])])
        return self.position_kind(
            players,
            options,
            load_state(state, game_map, rules),
            turn,
            tuple(tuple(each) for each in orders),
            frozenset(ready),
            frozenset(waiting),
            frozenset(late),
            tuple(missed),
            tuple(tuple(seats) if isinstance(seats, list) else (seats,) for seats in gone),
            tuple(
                PhaseRecord(phase, tuple(tuple(each) for each in judged))
                for phase, judged in latest
            ),
            tuple(votes),
            frozenset(held),
        )


@dataclass(frozen=True, slots=True)
class FirstPosition(DipPosition):
    """A position of version 1, in which the last power that is not in civil disorder wins."""

    waits: ClassVar[bool] = False


class FirstDip(Dip):
    """Version 1 of the game."""

    position_kind: type[DipPosition] = FirstPosition
    info: ClassVar[GameInfo] = replace(Dip.info, version=1)


FirstPosition.game = FirstDip()
Dip.earlier = (FirstPosition.game,)
DipPosition.game = Dip()
GAMES = (DipPosition.game,)
