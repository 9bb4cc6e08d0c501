"""Rounds of so many players that they are paired outside the transaction: mail need not wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbm.pairing.record import Game, Record


class LargeRounds:
    """A transaction asks for the games of a round; another one, later, finds them here. They are
    used only if the record of the event is still the one that they were paired from."""

    def __init__(self) -> None:
        self._asked: list[Record] = []
        self._paired: dict[int, tuple[Record, tuple[Game, ...]]] = {}

    @property
    def is_asked(self) -> bool:
        """Whether there is something to pair."""
        return bool(self._asked)

    def find(self, record: Record, now: float) -> tuple[Game, ...] | None:
        """Return the games to add to an event; None when they are still to be paired."""
        from pbm.pairing.next_round import pair_next

        paired = self._paired.pop(record.event, None)
        if paired is not None and paired[0] == record:
            return paired[1]
        if not _is_large(record):
            return pair_next(record, now)
        self._asked.append(record)
        return None

    def pair(self, now: float) -> None:
        """Pair what was asked for."""
        from pbm.pairing.next_round import pair_next

        while self._asked:
            record = self._asked.pop()
            self._paired[record.event] = record, pair_next(record, now)


def _is_large(record: Record) -> bool:
    from pbm.pairing.kinds import get_kind

    return get_kind(record.options.kind).is_large_round(record)
