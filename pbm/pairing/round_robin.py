"""Round robins and leagues: groups in which everybody meets everybody, and the final."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from pbm.pairing.berger import schedule
from pbm.pairing.game_points import concede, games_of
from pbm.pairing.record import Entrant, Game, Record, Stage
from pbm.pairing.tie_breaks import Standing, rank_by_points
from pbm.rules.phrases import Listing, phrase


def pair_groups(record: Record, *, has_final: bool) -> Iterator[Game]:
    """Yield the boards of all groups or divisions that can begin now, then those of the final."""
    groups = sorted({entrant.division for entrant in record.entrants})
    for group in groups:
        members = [each for each in record.entrants if each.division == group]
        yield from _pair(record, members, "main", group)
    if len(groups) > 1 and has_final and _is_finished(record):
        yield from _pair(record, find_finalists(record), "final", 0)


def _is_finished(record: Record) -> bool:
    """Whether the groups have played all."""
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
    """Count the rounds of a group of so many players."""
    options = record.options
    return len(schedule(tuple(range(players)), options.seats, options.boards, options.rounds))


def _pair(record: Record, members: Sequence[Entrant], stage: Stage, group: int) -> Iterator[Game]:
    """Yield the boards of a group that are not made yet: all of them or, where players have only so
    many boards at a time, those that both sides have time for."""
    options = record.options
    made = {
        (game.round, game.table)
        for game in record.games
        if game.stage == stage and game.group == group
    }
    busy = Counter(number for game in record.open_games for number in game.seats)
    gone = {each.number for each in members if each.left is not None}
    annulled = {number for number in gone if not games_of(record, number)}
    rounds = schedule(
        tuple(each.number for each in members), options.seats, options.boards, options.rounds
    )
    for round, tables in enumerate(rounds, 1):
        for table, seats in enumerate(tables, 1):
            players = {*seats}
            if (round, table) in made or annulled & players or players <= gone:
                continue
            game = Game(
                id=0,
                round=round,
                table=table,
                seats=seats,
                stage=stage,
                group=group,
                reason=_give_reason(record, round, seats, members),
            )
            if gone & players:
                yield _forfeit(record, game, gone & players)
            elif not options.together or all(busy[number] < options.together for number in seats):
                busy.update(seats)
                yield game


def _forfeit(record: Record, game: Game, gone: Collection[int]) -> Game:
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
