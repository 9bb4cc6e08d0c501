"""Votes in a game of Diplomacy: for a draw, for a power's victory, or to concede. They are secret,
and stand until they are changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from pbm.rules import InvalidMove
from pbm.rules.phrases import SeatName, phrase
from pbm.rules.typed import listing

VOTE = "vote "
"""The beginning of such a move."""
_DRAW, _SOLO, _CONCEDE, _NONE = "draw", "solo", "concede", "none"
_KINDS = phrase(
    "a vote is one of these: vote draw, vote solo POWER, vote concede, or vote none to take it back"
)
_FILLERS = frozenset({"for", "a", "of", "and", "to", "the", "by", "vote"})


def list_votes(
    names: Sequence[str], playing: Collection[int], *, has_shares: bool
) -> Iterator[str]:
    """Yield every vote that a power may cast; with `has_shares` also draws of some survivors."""
    own = [names[seat].lower() for seat in sorted(playing)]
    yield from (VOTE + _DRAW, VOTE + _CONCEDE, VOTE + _NONE)
    yield from (f"{VOTE}{_SOLO} {name}" for name in own)
    if has_shares:
        for count in range(2, len(own)):
            for sharing in combinations(own, count):
                yield f"{VOTE}{_DRAW} {' '.join(sharing)}"


def read_vote(text: str, names: Sequence[str], playing: Collection[int]) -> str:
    """Return the vote typed after `vote`, in recorded form. Refuse any other text."""
    kind, *rest = [*text.lower().replace("-", " ").split(), ""]
    own = [names[seat].lower() for seat in sorted(playing)]
    words = [word for word in rest if word and word not in _FILLERS]
    if kind not in (_DRAW, _SOLO, _CONCEDE, _NONE):
        raise InvalidMove(_KINDS)
    found = set[str]()
    for word in words:
        named = [name for name in own if name.startswith(word)]
        if len(named) != 1:
            people = listing([SeatName(names[seat], seat) for seat in sorted(playing)])
            raise InvalidMove(
                phrase("a vote names powers that are still in the game: {own}", own=people)
            )
        found |= {*named}
    sharing = [name for name in own if name in found]
    if kind == _DRAW and len(sharing) != 1:
        is_whole = len(sharing) in (0, len(own))
        return VOTE + _DRAW + ("" if is_whole else f" {' '.join(sharing)}")
    if kind == _SOLO and len(sharing) == 1:
        return f"{VOTE}{_SOLO} {sharing[0]}"
    if kind in (_CONCEDE, _NONE) and not sharing:
        return VOTE + kind
    raise InvalidMove(_KINDS)


def count_votes(
    votes: Mapping[int, str], names: Sequence[str], playing: Collection[int]
) -> tuple[frozenset[int], str] | None:
    """Return the powers that win or share a draw by the votes of all that still play, and why; None
    while they do not agree."""
    if len(playing) < 2:
        return None
    cast = {seat: votes.get(seat, "") for seat in playing}
    first = cast[min(playing)]
    if first.startswith(VOTE + _DRAW) and set(cast.values()) == {first}:
        named = first.removeprefix(VOTE + _DRAW).split()
        sharing = frozenset(s for s in playing if not named or names[s].lower() in named)
        who = listing([SeatName(names[seat], seat) for seat in sorted(sharing)])
        return sharing, phrase("a draw of {powers}, for which all have voted", powers=who)
    winners = [
        seat
        for seat in playing
        if all(
            cast[other] in (VOTE + _CONCEDE, f"{VOTE}{_SOLO} {names[seat].lower()}")
            for other in playing
            if other != seat
        )
    ]
    if len(winners) == 1:
        winner = SeatName(names[winners[0]], winners[0])
        return frozenset(winners), phrase("all others concede to {power}", power=winner)
    return None
