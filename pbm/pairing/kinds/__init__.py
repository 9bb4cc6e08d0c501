"""The kinds of events there are: each is one object, and this is the only place that names them."""

from __future__ import annotations

from collections.abc import Mapping

from pbm.pairing.kinds.kind import EventKind
from pbm.pairing.kinds.knockout import DoubleKnockout, Knockout
from pbm.pairing.kinds.ladder import Ladder
from pbm.pairing.kinds.league import League
from pbm.pairing.kinds.round_robin import RoundRobin
from pbm.pairing.kinds.swiss import Swiss
from pbm.pairing.kinds.tour import Tour

__all__ = ["KINDS", "EventKind", "get_kind"]

KINDS: Mapping[str, EventKind] = {
    kind.name: kind
    for kind in (
        RoundRobin(),
        Swiss(),
        Knockout(),
        DoubleKnockout(),
        League(),
        Ladder(),
        Tour(),
    )
}


def get_kind(name: str) -> EventKind:
    """Return the kind of that name. ValueError if there is none."""
    try:
        return KINDS[name]
    except KeyError:
        raise ValueError(f"there is no kind of event {name!r}") from None
