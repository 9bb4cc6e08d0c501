"""How an event begins: start numbers, groups, divisions; and who enters later."""

from __future__ import annotations

from msgspec.structs import replace

from pbm.pairing.lots import draw_lot
from pbm.pairing.record import Entrant, Record


def begin(record: Record) -> Record:
    """The record with start numbers by rating (lots decide between equals), divisions or groups.
    Those who left before take no part. The first season of a league divides by rating; later ones
    keep the order that `next_season` made, with new players at its end."""
    record = replace(record, entrants=record.present)
    by_rating = sorted(
        record.present, key=lambda each: (-each.rating, draw_lot(record, each.number, "start"))
    )
    options, count = record.options, len(by_rating)
    if options.kind == "league" and record.season == 1:
        by_rating = [
            replace(each, division=place * options.divisions // count)
            for place, each in enumerate(by_rating)
        ]
    elif options.kind == "league":
        by_rating = [
            replace(each, division=place * options.divisions // count)
            for place, each in enumerate(sorted(record.present, key=lambda each: each.number))
        ]
        by_rating.sort(key=lambda each: -each.rating)
    elif options.kind == "roundrobin":
        by_rating = [
            replace(each, division=_deal(place, options.groups))
            for place, each in enumerate(by_rating)
        ]
    by_rating.sort(key=lambda each: each.division if options.kind == "league" else 0)
    if options.kind == "swiss":
        record = replace(record, options=replace(options, rounds=count_swiss_rounds(record)))
    entrants = (replace(each, number=place) for place, each in enumerate(by_rating, 1))
    return replace(record, entrants=tuple(entrants))


def count_swiss_rounds(record: Record) -> int:
    """The rounds that are announced or, if none are, as many as find a sole winner among those who
    entered; never so many that players would have to meet twice."""
    count = len(record.entrants)
    rounds = record.options.rounds or max(1, (count - 1).bit_length())
    return min(rounds, count - 1 + count % 2)


def _deal(place: int, groups: int) -> int:
    """The group of a place in the order of ratings: to and fro, for groups of equal strength."""
    lap, step = divmod(place, groups)
    return groups - 1 - step if lap % 2 else step


def admit(record: Record, name: str, rating: int, now: float) -> Entrant:
    """A new entrant, with the next start number. After the beginning it joins the round that is
    paired next and has no points for those before."""
    return Entrant(
        number=max((each.number for each in record.entrants), default=0) + 1,
        name=name,
        rating=rating,
        entered=now,
        joins=max((game.round for game in record.games), default=0) + 1,
    )
