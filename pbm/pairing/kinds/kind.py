"""A kind of event: its options, who may enter, how it begins, pairs, ends, ranks and explains."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar

from msgspec.structs import replace

from pbm.pairing.game_points import concede, games_of, show_points
from pbm.pairing.record import Entrant, Game, Options, Record, Stage
from pbm.pairing.tie_breaks import Standing
from pbm.rules.phrases import combine, join_phrases, phrase, phrase_number

Part = tuple[str, int | None, Stage]
"""A table of an event: its title, the group or None for all, and the stage."""


class EventKind(ABC):
    """A kind of event. Each overrides that in which it differs.

    name            what commands and records call it
    title           what people call it
    options         the options it has besides those of all events
    usual_days      the days from its beginning to its end where none is named; None: no end
    usual_rounds    the rounds for which its usual clock leaves time
    has_boards      it is played on boards of its own
    has_byes        players may ask not to be paired in a round
    has_challenges  its boards are made by challenges, and its players stand on rungs
    has_reports     FIDE's report can hold it where two sit at a board
    is_in_rounds    its rounds share the time
    meets_all       everybody meets everybody of the same group
    is_drawable     unfinished boards may be left to the operator
    seats_many      three or more may sit at a board
    takes_late      players may enter after it has begun
    """

    name: ClassVar[str]
    title: ClassVar[str]
    options: ClassVar[frozenset[str]] = frozenset({"tour"})
    usual_days: ClassVar[float | None] = 84.0
    usual_rounds: ClassVar[int] = 5
    has_boards: ClassVar[bool] = True
    has_byes: ClassVar[bool] = False
    has_challenges: ClassVar[bool] = False
    has_reports: ClassVar[bool] = False
    is_in_rounds: ClassVar[bool] = False
    meets_all: ClassVar[bool] = False
    is_drawable: ClassVar[bool] = True
    seats_many: ClassVar[bool] = False
    takes_late: ClassVar[bool] = False

    # Beginning and entering

    def count_needed(self, options: Options) -> int:
        """Return how many players it needs to begin."""
        return 2

    def find_late_problem(self, record: Record) -> str:
        """Return why nobody can enter once there are games, as a clause; "" if one can."""
        return phrase("the event has begun")

    def seed(self, record: Record, by_rating: Sequence[Entrant]) -> Sequence[Entrant]:
        """Return the entrants in the order of their start numbers, with their groups."""
        return by_rating

    def begin(self, record: Record) -> Record:
        """Return the record with the options that the number of entrants decides."""
        return record

    # Pairing and ending

    def pair(self, record: Record) -> Iterator[Game]:
        """Yield the games that can begin now, and byes."""
        yield from ()

    def is_large_round(self, record: Record) -> bool:
        """Whether its next round takes long to pair."""
        return False

    def is_over(self, record: Record, now: float, games: Collection[Game]) -> bool:
        """Whether nothing is left to be played, when these games can still be added."""
        return not record.open_games and not games

    def can_complete(self, options: Options) -> bool:
        """Whether boards that never began are decided like unfinished ones when the time has run
        out, so that somebody wins a knockout."""
        return options.adjudication != "operator"

    def count_rounds(self, record: Record) -> int:
        """Return how many rounds it has at the most; 0: it is not played in rounds."""
        return 0

    def compute_share(self, record: Record, game: Game, rounds: int) -> float:
        """Return the share of the event's time after which a game is adjudicated."""
        return min(game.round / rounds, 1.0) if rounds else 1.0

    def leave(self, record: Record, number: int, now: float, why: str) -> Record:
        """Return the record after an entrant has left: results stay, and the boards that are open
        are won by the opponents. At tables of three seats or more open boards go on."""
        entrant = replace(record.entrant(number), left=now, why=why)
        record = record.with_entrants([entrant])
        if record.options.seats > 2:
            return record
        return record.with_games(
            replace(
                game,
                how="forfeit",
                points=concede(game, {number}),
                note=phrase("{player} left.", player=entrant.name),
                ended=now,
            )
            for game in games_of(record, number)
            if game.is_open
        )

    # Ranking and explaining

    @abstractmethod
    def rank(
        self, record: Record, group: int | None, stage: Stage, now: float | None
    ) -> tuple[Standing, ...]:
        """Return the rows from the first place to the last, as for `standings`."""

    def rank_all(self, record: Record) -> tuple[Standing, ...]:
        """Return everybody in one order."""
        return self.rank(record, None, "main", None)

    def explain_place(self, row: Standing, rows: Sequence[Standing]) -> str:
        """Return why a player has this place: the sum that decides it."""
        return phrase(
            "{player} has place {place}: {sum}.",
            player=row.name,
            place=row.place,
            sum=row.breaks[0].sum,
        )

    def list_parts(self, record: Record) -> list[Part]:
        """Return the tables that it has."""
        return [("", None, "main")]

    def name_group(self, options: Options, group: int) -> str:
        """Return what the group of a game is called where there are several: division 2; or ""."""
        return ""

    def describe(self, options: Options) -> str:
        """Return the kind in words: a knockout, best of 3."""
        if options.boards > 1:
            return phrase("{kind}, best of {boards}", kind=self.title, boards=options.boards)
        return self.title

    def list_rules(self, options: Options) -> list[str]:
        """Return how it is played, as clauses: what only this kind has."""
        return []

    def list_last_rules(self) -> list[str]:
        """Return the clauses that follow those of all events."""
        return []


def explain_points(row: Standing, rows: Sequence[Standing]) -> str:
    """Return why a player has this place: the points, and each tie-break with its sum."""
    count = 1 if row.points in (0.5, 1) else 2
    text: list[str] = [
        phrase_number(
            "{player} has place {place} with {points} point.",
            "{player} has place {place} with {points} points.",
            count,
            player=row.name,
            place=row.place,
            points=show_points(row.points),
        )
    ]
    level = [
        each
        for each in rows
        if each.group == row.group and each.points == row.points and each.number != row.number
    ]
    if not level:
        return join_phrases(" ", [*text, phrase("Nobody else has as many.")])
    text.append(phrase("As many: {players}.", players=", ".join(each.name for each in level)))
    text.append(phrase("What decides, in this order:"))
    text += [combine("{title}: {sum}.", title=each.title, sum=each.sum) for each in row.breaks]
    return join_phrases(" ", text)
