"""What round robins and leagues have in common: groups in which everybody meets everybody."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec.structs import replace

from pbm.pairing.game_points import count_meetings, games_of
from pbm.pairing.kinds.kind import EventKind, Part, explain_points
from pbm.pairing.record import Game, Record, Stage
from pbm.pairing.round_robin import count_group_rounds, pair_groups, rank_group
from pbm.pairing.tie_breaks import Standing
from pbm.rules.phrases import phrase


class GroupKind(EventKind):
    """An event of groups.

    has_final  the first of several groups play a final
    """

    options = EventKind.options | {"rounds", "boards", "seats", "together", "tiebreak"}
    usual_rounds = 1
    has_reports = True
    meets_all = True
    seats_many = True
    has_final: ClassVar[bool] = False

    def pair(self, record: Record) -> Iterator[Game]:
        yield from pair_groups(record, has_final=self.has_final)

    def count_rounds(self, record: Record) -> int:
        return count_group_rounds(record, has_final=self.has_final)

    def compute_share(self, record: Record, game: Game, rounds: int) -> float:
        """Return the share of a board: all begin at once, and have the whole time, or half of it
        where a final follows."""
        return 0.5 if record.options.groups > 1 and game.stage == "main" else 1.0

    def leave(self, record: Record, number: int, now: float, why: str) -> Record:
        """Return the record after an entrant has left. Who has finished less than half of all
        boards is taken out of the tables, with all results."""
        own = games_of(record, number)
        done = [game for game in own if not game.is_open and not game.is_bye]
        stage = "final" if any(game.stage == "final" for game in own) else "main"
        is_early = 2 * len(done) < count_meetings(record, number, stage) and stage == "main"
        if record.options.seats > 2 or not is_early:
            return super().leave(record, number, now, why)
        entrant = replace(record.entrant(number), left=now, why=why)
        note = phrase("{player} left before half of the boards were finished.", player=entrant.name)
        return record.with_entrants([entrant]).with_games(
            replace(game, how="annulled", note=note, ended=game.ended or now) for game in own
        )

    def rank(
        self, record: Record, group: int | None, stage: Stage, now: float | None
    ) -> tuple[Standing, ...]:
        if group is not None or stage == "final":
            return rank_group(record, group or 0, stage)
        groups = sorted({entrant.division for entrant in record.entrants})
        return tuple(row for each in groups for row in rank_group(record, each))

    def explain_place(self, row: Standing, rows: Sequence[Standing]) -> str:
        return explain_points(row, rows)

    @abstractmethod
    def title_group(self, group: int) -> str:
        """Return what the table of a group is called: Division 2."""

    def list_parts(self, record: Record) -> list[Part]:
        groups = sorted({entrant.division for entrant in record.entrants})
        parts: list[Part] = [(self.title_group(group), group, "main") for group in groups]
        if len(parts) == 1:
            parts = [("", None, "main")]
        if any(game.stage == "final" for game in record.games):
            parts.append((phrase("Final"), None, "final"))
        return parts

    def list_last_rules(self) -> list[str]:
        return [
            phrase(
                "the results of a player who leaves before half of their boards are over do not "
                "count; after that they do, and the open boards are lost"
            )
        ]
