"""How an event begins: start numbers, groups, divisions; and who enters later, or leaves."""

from __future__ import annotations

from msgspec.structs import replace

from pbm.pairing.kinds import get_kind
from pbm.pairing.lots import draw_lot
from pbm.pairing.record import Entrant, Record


def begin(record: Record) -> Record:
    """Return the record with start numbers by rating (lots decide between equals), divisions or
    groups. Those who left before take no part."""
    kind = get_kind(record.options.kind)
    record = replace(record, entrants=record.present)
    by_rating = sorted(
        record.present, key=lambda each: (-each.rating, draw_lot(record, each.number, "start"))
    )
    seeded = kind.seed(record, by_rating)
    entrants = (replace(each, number=place) for place, each in enumerate(seeded, 1))
    return replace(kind.begin(record), entrants=tuple(entrants))


def admit(record: Record, name: str, rating: int, now: float) -> Entrant:
    """Return a new entrant, with the next start number. After the beginning it joins the round that
    is paired next and has no points for those before."""
    return Entrant(
        number=max((each.number for each in record.entrants), default=0) + 1,
        name=name,
        rating=rating,
        entered=now,
        joins=max((game.round for game in record.games), default=0) + 1,
    )


def leave(record: Record, number: int, now: float, why: str) -> Record:
    """Return the record after an entrant has left. In a round robin and a league, who has finished
    less than half of all boards is taken out of the tables, with all results; otherwise results
    stay and the boards that are open are won by the opponents. At tables of three seats or more
    results stay and open boards go on."""
    return get_kind(record.options.kind).leave(record, number, now, why)
