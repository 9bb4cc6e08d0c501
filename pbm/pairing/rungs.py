"""Ladders: who stands on which rung follows from the entries, the challenges and the time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbm.pairing.record import DAY, Entrant, EventGame, Record
from pbm.pairing.tie_breaks import Break, Standing
from pbm.rules.phrases import phrase


@dataclass(frozen=True, slots=True)
class Rung:
    """A player on a ladder; rung 1 is the highest."""

    rung: int
    number: int
    name: str
    since: float
    reason: str


def list_rungs(record: Record, now: float) -> tuple[Rung, ...]:
    """Return the ladder as it stands. A challenger who wins takes the rung of the defender, who
    moves down with all between them; nothing else moves up but what others leave."""
    order: list[int] = []
    reasons: dict[int, tuple[float, str]] = {}
    for time, _, number, what, other in sorted(_list_events(record, now)):
        if what == "enter":
            order.append(number)
            is_first = time <= record.begins
            how = phrase("by rating when the ladder began")
            if not is_first:
                how = phrase("entered on the lowest rung")
            reasons[number] = (time, how)
        elif number not in order:
            continue
        elif what == "leave":
            order.remove(number)
        elif what == "win" and other in order and order.index(number) > order.index(other):
            order.remove(number)
            order.insert(order.index(other), number)
            reasons[number] = (
                time,
                phrase("won the challenge to {player}", player=record.name_of(other)),
            )
            reasons[other] = (
                time,
                phrase("lost the rung to {player}", player=record.name_of(number)),
            )
        elif what == "decay" and order[-1] != number:
            place = order.index(number)
            order[place], order[place + 1] = order[place + 1], number
            days = f"{record.options.decay:g}"
            sank = phrase("sank after {days} days without a challenge or a defence", days=days)
            reasons[number] = (time, sank)
    return tuple(
        Rung(place, number, record.name_of(number), *reasons[number])
        for place, number in enumerate(order, 1)
    )


Event = tuple[float, int, int, str, int]
"""When; the order among events of one moment; who; what; the other player or 0."""


def _list_events(record: Record, now: float) -> Iterator[Event]:
    for entrant in record.entrants:
        entered = _get_entry(record, entrant)
        if entered > now:
            continue
        yield entered, 0, entrant.number, "enter", 0
        if entrant.left is not None and entrant.left <= now:
            yield entrant.left, 2, entrant.number, "leave", 0
        if record.options.decay > 0:
            for time in _list_decays(record, entrant, now):
                yield time, 3, entrant.number, "decay", 0
    for game in record.games:
        if game.ended is not None and game.ended <= now and game.how != "annulled":
            defender, challenger = game.seats
            if game.points_of(challenger) > game.points_of(defender):
                yield game.ended, 1, challenger, "win", defender


def _get_entry(record: Record, entrant: Entrant) -> float:
    """Return when somebody stepped on the ladder: not before it began."""
    return max(entrant.entered, record.begins)


def _list_decays(record: Record, entrant: Entrant, now: float) -> Iterator[float]:
    """Yield the moments at which a player sinks: whenever `decay` days have passed without a
    board."""
    step = record.options.decay * DAY
    spans = [(_get_entry(record, entrant), _get_entry(record, entrant))]
    spans += sorted(
        (game.begun, now if game.ended is None else game.ended)
        for game in record.games
        if entrant.number in game.seats and game.begun <= now
    )
    spans.append((now, now))
    quiet = spans[0][1]
    for begun, ended in spans[1:]:
        time = quiet + step
        while time < begun or (time <= now and begun == now == ended):
            yield time
            time += step
        quiet = max(quiet, ended)


def can_challenge(record: Record, challenger: int, defender: int, now: float) -> str:
    """Return why a challenge is not possible, as a clause; empty if it is."""
    places = {rung.number: rung.rung for rung in list_rungs(record, now)}
    for number in (challenger, defender):
        if number not in places:
            return phrase("{player} is not on the ladder", player=record.name_of(number))
    distance = places[challenger] - places[defender]
    reach, other = record.options.reach, record.name_of(defender)
    if challenger == defender:
        return phrase("a challenge is for somebody else")
    if distance < 0:
        return phrase("{player} is below you: challenge somebody above", player=other)
    if distance > reach:
        return phrase(
            "{player} is {distance} rungs above you: the ladder is climbed by at most {reach} at "
            "a time",
            player=other,
            distance=distance,
            reach=reach,
        )
    for game in record.open_games:
        if game.seats[1] == challenger:
            opponent = record.name_of(game.seats[0])
            return phrase("your challenge to {player} comes first", player=opponent)
        if challenger in game.seats:
            opponent = record.name_of(game.seats[1])
            return phrase("your board against {player} comes first", player=opponent)
        if defender in game.seats:
            return phrase("{player} has another challenge to play first", player=other)
    return ""


def challenge(record: Record, challenger: int, defender: int, now: float) -> EventGame:
    """Return the board of a challenge; the defender moves first."""
    places = {rung.number: rung.rung for rung in list_rungs(record, now)}
    count = max((game.id for game in record.games), default=0)
    return EventGame(
        id=count + 1,
        round=count + 1,
        table=1,
        seats=(defender, challenger),
        reason=phrase(
            "{challenger}, on rung {from_rung}, challenged {defender} on rung {to_rung}.",
            challenger=record.name_of(challenger),
            from_rung=places[challenger],
            defender=record.name_of(defender),
            to_rung=places[defender],
        ),
        begun=now,
    )


def rank_ladder(record: Record, now: float) -> tuple[Standing, ...]:
    """Return the rungs as standings; those who have left are not among them."""
    rows = []
    for rung in list_rungs(record, now):
        own = [
            game
            for game in record.games
            if rung.number in game.seats and not game.is_open and game.how != "annulled"
        ]
        results = [game.points_of(rung.number) for game in own]
        wins, losses = results.count(1.0), results.count(0.0)
        rows.append(
            Standing(
                place=rung.rung,
                number=rung.number,
                name=rung.name,
                points=sum(results),
                played=len(own),
                wins=wins,
                draws=len(own) - wins - losses,
                losses=losses,
                breaks=(Break("reached", -float(rung.rung), rung.reason),),
                left=False,
                group=0,
            )
        )
    return tuple(rows)
