"""A ladder: players challenge those above them, for as long as it stands."""

from __future__ import annotations

from collections.abc import Collection

from pbm.pairing.kinds.kind import EventKind
from pbm.pairing.record import Game, Options, Record, Stage
from pbm.pairing.rungs import rank_ladder
from pbm.pairing.tie_breaks import Standing
from pbm.rules.phrases import phrase


class Ladder(EventKind):
    """A ladder."""

    name = "ladder"
    title = phrase("ladder")
    options = EventKind.options | {"reach", "answer", "decay"}
    usual_days = None
    has_challenges = True
    takes_late = True

    def count_needed(self, options: Options) -> int:
        return 0

    def find_late_problem(self, record: Record) -> str:
        return ""

    def is_over(self, record: Record, now: float, games: Collection[Game]) -> bool:
        return record.ends is not None and now >= record.ends and not record.open_games

    def rank(
        self, record: Record, group: int | None, stage: Stage, now: float | None
    ) -> tuple[Standing, ...]:
        """Return the rows of the moment `now`, by default that of the ladder's last change."""
        return rank_ladder(record, _find_last_change(record) if now is None else now)

    def list_rules(self, options: Options) -> list[str]:
        answer, idle = f"{options.answer:g}", f"{options.decay:g}"
        return [
            phrase(
                "you may challenge whoever is at most {rungs} rungs above you; who declines a "
                "challenge, or does not answer it in {answer} days, loses it; {idle} days without "
                "a board cost a rung",
                rungs=options.reach,
                answer=answer,
                idle=idle,
            )
        ]


def _find_last_change(record: Record) -> float:
    times = [record.begins, record.ended or 0]
    times += [entrant.left or entrant.entered for entrant in record.entrants]
    times += [game.ended or game.begun for game in record.games]
    return max(times)
