"""A Swiss: in each round players with as many points meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbm.pairing.kinds.kind import EventKind, explain_points
from pbm.pairing.record import Game, Options, Record, Stage
from pbm.pairing.swiss.history import is_large_round, pair_swiss
from pbm.pairing.tie_breaks import Standing, rank_by_points
from pbm.rules.phrases import phrase


class Swiss(EventKind):
    """A Swiss, paired by FIDE's Dutch system."""

    name = "swiss"
    title = phrase("Swiss")
    options = EventKind.options | {"rounds", "tiebreak"}
    has_byes = True
    has_reports = True
    is_in_rounds = True
    takes_late = True

    def find_late_problem(self, record: Record) -> str:
        last = max(game.round for game in record.games)
        late = 2 * last >= record.options.rounds
        if not late:
            return ""
        return phrase("half of the rounds have been paired, so it is too late to enter")

    def begin(self, record: Record) -> Record:
        return replace(record, options=replace(record.options, rounds=self.fit_rounds(record)))

    def fit_rounds(self, record: Record) -> int:
        """Return the rounds that are announced or, if none are, as many as find a sole winner among
        those who entered; never so many that players would have to meet twice."""
        count = len(record.entrants)
        rounds = record.options.rounds or max(1, (count - 1).bit_length())
        return min(rounds, count - 1 + count % 2)

    def pair(self, record: Record) -> Iterator[Game]:
        yield from pair_swiss(record)

    def is_large_round(self, record: Record) -> bool:
        return is_large_round(record)

    def can_complete(self, options: Options) -> bool:
        """Refuse to complete: the pairings of its rounds would follow from nothing that was
        played."""
        return False

    def count_rounds(self, record: Record) -> int:
        return record.options.rounds

    def rank(
        self, record: Record, group: int | None, stage: Stage, now: float | None
    ) -> tuple[Standing, ...]:
        return rank_by_points(record, record.entrants, record.games)

    def explain_place(self, row: Standing, rows: Sequence[Standing]) -> str:
        return explain_points(row, rows)

    def list_rules(self, options: Options) -> list[str]:
        if not options.rounds:
            return []
        return [phrase("{rounds} rounds, paired by FIDE's Dutch system", rounds=options.rounds)]
