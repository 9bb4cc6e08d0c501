"""Round robins and leagues: groups in which everybody meets everybody, and the final."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations

from msgspec.structs import replace

from pbm.pairing.game_points import concede, games_of
from pbm.pairing.record import Entrant, EventGame, Options, Record, Stage
from pbm.pairing.tie_breaks import Standing, rank_by_points
from pbm.rules.phrases import Listing, phrase


def pair_groups(record: Record, *, has_final: bool) -> Iterator[EventGame]:
    """Yield the boards of all groups or divisions that can begin now, then those of the final."""
    groups = sorted({entrant.division for entrant in record.entrants})
    for group in groups:
        members = [each for each in record.entrants if each.division == group]
        yield from _pair(record, members, "main", group)
    if len(groups) > 1 and has_final and _is_finished(record):
        yield from _pair(record, find_finalists(record), "final", 0)


def _is_finished(record: Record) -> bool:
    return not any(game.is_open for game in record.games if game.stage == "main") and not any(
        True
        for group in sorted({entrant.division for entrant in record.entrants})
        for _ in _pair(
            record, [each for each in record.entrants if each.division == group], "main", group
        )
    )


def find_finalists(record: Record) -> list[Entrant]:
    """Return those who play the final: the first of each group who have not left, or, once it has
    begun, those who began it."""
    begun = {number for game in record.games if game.stage == "final" for number in game.seats}
    if begun:
        return [each for each in record.entrants if each.number in begun]
    chosen = []
    for group in sorted({entrant.division for entrant in record.entrants}):
        rows = [row for row in rank_group(record, group) if not row.left]
        chosen += [record.entrant(row.number) for row in rows[: record.options.advance]]
    return sorted(chosen, key=lambda entrant: entrant.number)


def rank_group(record: Record, group: int, stage: Stage = "main") -> tuple[Standing, ...]:
    """Return the standings of a group, a division or the final."""
    games = [game for game in record.games if game.stage == stage and game.group == group]
    if stage == "final":
        return rank_by_points(record, find_finalists(record), games)
    members = [each for each in record.entrants if each.division == group]
    return rank_by_points(record, members, games)


def count_group_rounds(record: Record, *, has_final: bool) -> int:
    """Count the rounds of the largest group and of the final."""
    options = record.options
    sizes = Counter(entrant.division for entrant in record.entrants)
    groups = [*sizes.values()]
    if len(groups) > 1 and has_final:
        final = min(options.advance * len(groups), len(record.entrants))
        return count_schedule(record, max(groups)) + count_schedule(record, final)
    return count_schedule(record, max(groups, default=0))


def count_schedule(record: Record, players: int) -> int:
    """Count the rounds of a group of that size."""
    options = record.options
    return len(schedule(tuple(range(players)), options.seats, options.boards, options.rounds))


def _pair(
    record: Record, members: Sequence[Entrant], stage: Stage, group: int
) -> Iterator[EventGame]:
    """Yield the boards of a group that are not made yet: all of them or, where players have only so
    many boards at a time, those that both sides have time for."""
    options = record.options
    made = {
        (game.round, game.table)
        for game in record.games
        if game.stage == stage and game.group == group
    }
    busy = Counter(
        number
        for *_, players in {
            (game.stage, game.group, game.round, game.table, frozenset(game.seats))
            for game in record.open_games
        }
        for number in players
    )
    gone = {each.number for each in members if each.left is not None}
    annulled = {number for number in gone if not games_of(record, number)}
    rounds = _schedule(tuple(each.number for each in members), options)
    for round, tables in enumerate(rounds, 1):
        for table, seats in enumerate(tables, 1):
            players = {*seats}
            if (round, table) in made or annulled & players or players <= gone:
                continue
            games = [
                EventGame(
                    id=0,
                    round=round,
                    table=table,
                    seats=turned,
                    stage=stage,
                    group=group,
                    leg=leg,
                    reason=_give_reason(record, round, turned, members),
                )
                for leg, turned in options.list_legs(seats)
            ]
            if gone & players:
                yield from (_forfeit(record, game, gone & players) for game in games)
            elif not options.together or all(busy[number] < options.together for number in seats):
                busy.update(seats)
                yield from games


def _forfeit(record: Record, game: EventGame, gone: Collection[int]) -> EventGame:
    """Return a board that is not made because players left before it."""
    names = Listing([record.name_of(number) for number in sorted(gone)])
    note = phrase("{players} had left before it began.", players=names)
    return replace(game, how="forfeit", points=concede(game, gone), note=note)


def _give_reason(
    record: Record, round: int, seats: Sequence[int], members: Sequence[Entrant]
) -> str:
    """Return why these players meet, as a sentence."""
    if len(seats) == 2:
        first, second = seats
        return phrase(
            "Everybody meets everybody; round {round} of the Berger table for {players} has start "
            "numbers {first} ({one}, who moves first) and {second} ({two}).",
            round=round,
            players=len(members),
            first=first,
            one=record.name_of(first),
            second=second,
            two=record.name_of(second),
        )
    names = ", ".join(record.name_of(number) for number in seats)
    return phrase(
        "Round {round} brings together {players}, who have met each other least, in new seats.",
        round=round,
        players=names,
    )


# Who meets whom in a round robin: Berger tables for two seats, balanced tables for more.

Table = tuple[int, ...]
"""Numbers in the order of the seats."""


def _schedule(numbers: tuple[int, ...], options: Options) -> list[list[Table]]:
    """Return the tables of each round; teams meet once, on all boards at a time."""
    boards = 1 if options.members else options.boards
    return schedule(numbers, options.seats, boards, options.rounds)


@lru_cache(maxsize=64)
def schedule(numbers: tuple[int, ...], seats: int, boards: int, rounds: int) -> list[list[Table]]:
    """Return the tables of each round. For two seats everybody meets everybody on `boards`
    boards; for more, there are `rounds` rounds (0: as many as a table has seats), and nobody meets
    others or takes a seat more often than can be helped."""
    if len(numbers) < seats:
        return []
    if seats == 2:
        single = berger(numbers)
        reverse: list[list[Table]] = [[table[::-1] for table in tables] for tables in single]
        return [tables for n in range(boards) for tables in (reverse if n % 2 else single)]
    return balance(numbers, seats, rounds or seats * boards)


def berger(numbers: Sequence[int]) -> list[list[Table]]:
    """Return the rounds of a round robin after the Berger tables (FIDE Handbook C.05, annex 1), the
    player with the first move before the other; who would meet nobody is left out."""
    players: list[int | None] = [*numbers] + [None] * (len(numbers) % 2)
    count = len(players)
    circle, last = players[:-1], players[-1]
    rounds: list[list[Table]] = []
    for n in range(count - 1):
        place = n * count // 2 % (count - 1)
        head = circle[place]
        pairs = [(last, head) if n % 2 else (head, last)]
        for step in range(1, count // 2):
            pairs.append(
                (circle[(place + step) % (count - 1)], circle[(place - step) % (count - 1)])
            )
        rounds.append(
            [(one, other) for one, other in pairs if one is not None and other is not None]
        )
    return rounds


def balance(numbers: Sequence[int], seats: int, rounds: int) -> list[list[Table]]:
    """Return rounds of tables with three seats or more. Where the number of players is no multiple
    of the seats, those sit out who have done so least."""
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[tuple[int, int]] = Counter()
    out: Counter[int] = Counter()
    result = []
    for n in range(rounds):
        turned = [*numbers[n % len(numbers) :], *numbers[: n % len(numbers)]]
        resting = sorted(turned, key=lambda number: out[number])[: len(turned) % seats]
        out.update(resting)
        playing = [number for number in turned if number not in resting]
        tables = []
        for table in _separate(playing, seats, met):
            tables.append(_sit(table, sat))
            met.update(tuple(sorted(pair)) for pair in combinations(table, 2))  # type: ignore[misc]
            sat.update((number, seat) for seat, number in enumerate(tables[-1]))
        result.append(tables)
    return result


def _separate(playing: Sequence[int], seats: int, met: Counter[tuple[int, int]]) -> list[list[int]]:
    """Return tables whose players have met as seldom as possible: dealt out, then improved by
    swaps."""
    tables = [list(playing[n :: len(playing) // seats]) for n in range(len(playing) // seats)]

    def cost(table: Sequence[int]) -> int:
        return sum(met[min(pair), max(pair)] ** 2 for pair in combinations(table, 2))

    is_better = True
    while is_better:
        is_better = False
        for one, other in combinations(tables, 2):
            for first in range(seats):
                for second in range(seats):
                    before = cost(one) + cost(other)
                    one[first], other[second] = other[second], one[first]
                    if cost(one) + cost(other) < before:
                        is_better = True
                    else:
                        one[first], other[second] = other[second], one[first]
    return tables


def _sit(table: Sequence[int], sat: Counter[tuple[int, int]]) -> Table:
    """Return the players of a table in the order of seats: each where it has sat least. Above six
    seats one after the other chooses."""

    def cost(order: Sequence[int]) -> int:
        return sum((sat[number, seat] + 1) ** 2 for seat, number in enumerate(order))

    if len(table) <= 6:
        return min(permutations(table), key=cost)
    left, order = list(table), []
    for seat in range(len(table)):
        order.append(min(left, key=lambda number: sat[number, seat]))
        left.remove(order[-1])
    return tuple(order)
