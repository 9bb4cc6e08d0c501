"""From one season of a league to the next: who moves up, who moves down, who stays."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from pbm.pairing.record import Entrant, Record
from pbm.pairing.round_robin import rank_group
from pbm.rules.phrases import phrase


@dataclass(frozen=True, slots=True)
class LeagueMove:
    """A player who stays in the league, between two seasons. Division 0 is the highest."""

    name: str
    before: int
    after: int
    reason: str


def next_season(record: Record) -> Record:
    """Return the next season, before it begins: who has not left enters again. Its secret and its
    dates are still to be set."""
    entrants = [
        replace(entrant, number=n, division=division, entered=0, joins=1)
        for n, (entrant, division, _) in enumerate(_arrange(record), 1)
    ]
    return replace(
        record,
        secret="",
        commitment="",
        season=record.season + 1,
        ended=None,
        entrants=tuple(entrants),
        games=(),
    )


def list_movements(record: Record) -> tuple[LeagueMove, ...]:
    """Return where everybody plays in the next season, and why."""
    return tuple(
        LeagueMove(entrant.name, entrant.division, division, reason)
        for entrant, division, reason in _arrange(record)
    )


def _arrange(record: Record) -> list[tuple[Entrant, int, str]]:
    """Return the players in the order of the next season's divisions. The first of each division
    change places with the last of the one above; then places that have become free are filled from
    below."""
    divisions, exchange = record.options.divisions, record.options.exchange
    places = [
        [record.entrant(row.number) for row in rank_group(record, division) if not row.left]
        for division in range(divisions)
    ]
    reasons: dict[int, str] = {each.number: phrase("stays") for each in record.present}
    arranged: list[list[Entrant]] = [[] for _ in range(divisions)]
    for division, members in enumerate(places):
        count = min(exchange, len(members) // 2)
        up = members[:count] if division > 0 else []
        down = members[len(members) - count :] if division < divisions - 1 and count else []
        for place, each in enumerate(members, 1):
            if each in up:
                arranged[division - 1].append(each)
                reasons[each.number] = phrase(
                    "place {place} of {count} moves up", place=place, count=len(members)
                )
            elif each in down:
                reasons[each.number] = phrase(
                    "place {place} of {count} moves down", place=place, count=len(members)
                )
            else:
                arranged[division].append(each)
        if down:
            arranged[division + 1] = down
    order = [each for members in arranged for each in members]
    targets = {each.number: n for n, members in enumerate(arranged) for each in members}
    result = []
    for place, each in enumerate(order):
        division = place * divisions // len(order)
        if division < targets[each.number]:
            reasons[each.number] = phrase("a place above has become free")
        elif division > targets[each.number]:
            reasons[each.number] = phrase("the divisions are of equal size")
        result.append((each, division, reasons[each.number]))
    return result
