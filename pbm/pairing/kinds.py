"""The kinds of events: the options of each, who may enter, how it begins, is paired, ends and
ranks, and what it explains."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from pbm.pairing.game_points import concede, count_meetings, games_of, show_points
from pbm.pairing.knockout import Tree, pair_knockout, rank_knockout
from pbm.pairing.record import Entrant, EventGame, Options, Record, Stage
from pbm.pairing.round_robin import count_group_rounds, pair_groups, rank_group
from pbm.pairing.rungs import rank_ladder
from pbm.pairing.swiss.history import is_large_round, pair_swiss
from pbm.pairing.tie_breaks import Standing, rank_by_points
from pbm.pairing.tours import rank_tour
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
    for_teams       teams take part, each entered by its captain
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
    for_teams: ClassVar[bool] = False

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

    def pair(self, record: Record) -> Iterator[EventGame]:
        """Yield the games that can begin now, and byes."""
        yield from ()

    def is_large_round(self, record: Record) -> bool:
        """Whether its next round takes long to pair."""
        return False

    def is_over(self, record: Record, now: float, games: Collection[EventGame]) -> bool:
        """Whether nothing is left to be played, when these games can still be added."""
        return not record.open_games and not games

    def can_complete(self, options: Options) -> bool:
        """Whether boards that never began are decided like unfinished ones when the time has run
        out, so that somebody wins a knockout."""
        return options.adjudication != "operator"

    def count_rounds(self, record: Record) -> int:
        """Return how many rounds it has at the most; 0: it is not played in rounds."""
        return 0

    def compute_share(self, record: Record, game: EventGame, rounds: int) -> float:
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


# What round robins and leagues have in common: groups in which everybody meets everybody.


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

    def pair(self, record: Record) -> Iterator[EventGame]:
        yield from pair_groups(record, has_final=self.has_final)

    def count_rounds(self, record: Record) -> int:
        return count_group_rounds(record, has_final=self.has_final)

    def compute_share(self, record: Record, game: EventGame, rounds: int) -> float:
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
                "whoever leaves before half of their boards are over leaves no results; after that "
                "the results count, and the open boards are lost"
            )
        ]


# A round robin: everybody meets everybody, in one group or in several with a final.


class RoundRobin(GroupKind):
    """A round robin."""

    name = "roundrobin"
    title = phrase("round robin")
    options = GroupKind.options | {"groups", "advance"}
    has_final = True

    def count_needed(self, options: Options) -> int:
        return options.groups * options.seats

    def seed(self, record: Record, by_rating: Sequence[Entrant]) -> Sequence[Entrant]:
        groups = record.options.groups
        return [
            replace(each, division=_deal(place, groups)) for place, each in enumerate(by_rating)
        ]

    def rank_all(self, record: Record) -> tuple[Standing, ...]:
        """Return everybody in one order: the players of the final, then those who had the same
        place in different groups share one."""
        rows = self.rank(record, None, "main", None)
        if len({row.group for row in rows}) == 1:
            return tuple(dataclasses.replace(row, place=place) for place, row in enumerate(rows, 1))
        final = self.rank(record, None, "final", None)
        finalists = {row.number for row in final}
        others = sorted(
            (row for row in rows if row.number not in finalists),
            key=lambda row: (row.place, row.group),
        )
        places = [row.place for row in others]
        return final + tuple(
            dataclasses.replace(row, place=len(final) + places.index(row.place) + 1)
            for row in others
        )

    def title_group(self, group: int) -> str:
        return phrase("Group {number}", number=group + 1)

    def name_group(self, options: Options, group: int) -> str:
        return phrase("group {number}", number=group + 1) if options.groups > 1 else ""

    def describe(self, options: Options) -> str:
        kind = phrase("double round robin") if options.boards == 2 else self.title
        if options.groups > 1:
            groups = options.groups
            return phrase("{kind} in {groups} groups with a final", kind=kind, groups=groups)
        return kind

    def list_rules(self, options: Options) -> list[str]:
        if options.groups == 1:
            return []
        first = options.advance
        return [phrase("the first {count} of each group play the final", count=first)]


def _deal(place: int, groups: int) -> int:
    """Return the group of a place in the order of ratings: to and fro, for groups of equal
    strength."""
    lap, step = divmod(place, groups)
    return groups - 1 - step if lap % 2 else step


# A Swiss: in each round players with as many points meet.


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
        those who entered; never more than can be paired without players meeting twice."""
        count = len(record.entrants)
        rounds = record.options.rounds or max(1, (count - 1).bit_length())
        return min(rounds, count - 1 + count % 2)

    def pair(self, record: Record) -> Iterator[EventGame]:
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


# Knockouts: who loses a match is out, or after a second one.


class Knockout(EventKind):
    """A knockout."""

    name = "knockout"
    title = phrase("knockout")
    options = EventKind.options | {"boards"}
    is_in_rounds = True
    is_drawable = False

    def pair(self, record: Record) -> Iterator[EventGame]:
        yield from pair_knockout(record)

    def count_rounds(self, record: Record) -> int:
        return Tree(record).depth

    def rank(
        self, record: Record, group: int | None, stage: Stage, now: float | None
    ) -> tuple[Standing, ...]:
        return rank_knockout(record)


class DoubleKnockout(Knockout):
    """A knockout in which who has lost once plays on in a second half."""

    name = "doubleknockout"
    title = phrase("double knockout")

    def count_rounds(self, record: Record) -> int:
        return 2 * Tree(record).depth + 1


# A league: divisions in which everybody meets everybody, season after season.


class League(GroupKind):
    """A league."""

    name = "league"
    title = phrase("league")
    options = GroupKind.options | {"divisions", "exchange", "every"}

    def count_needed(self, options: Options) -> int:
        return options.divisions * options.seats

    def find_late_problem(self, record: Record) -> str:
        return phrase("the season has begun: enter the next one")

    def seed(self, record: Record, by_rating: Sequence[Entrant]) -> Sequence[Entrant]:
        """Divide by rating in the first season; later ones keep the order that `next_season` made,
        with new players at its end."""
        order = by_rating
        if record.season > 1:
            order = sorted(record.present, key=lambda each: each.number)
        divided = [
            replace(each, division=place * record.options.divisions // len(order))
            for place, each in enumerate(order)
        ]
        if record.season > 1:
            divided.sort(key=lambda each: -each.rating)
        return sorted(divided, key=lambda each: each.division)

    def rank_all(self, record: Record) -> tuple[Standing, ...]:
        """Return everybody in one order: division after division."""
        rows = self.rank(record, None, "main", None)
        return tuple(dataclasses.replace(row, place=place) for place, row in enumerate(rows, 1))

    def title_group(self, group: int) -> str:
        return phrase("Division {number}", number=group + 1)

    def name_group(self, options: Options, group: int) -> str:
        return phrase("division {number}", number=group + 1) if options.divisions > 1 else ""

    def list_rules(self, options: Options) -> list[str]:
        rules = [_describe_divisions(options)]
        if options.every:
            days = f"{options.every:g}"
            rules.append(
                phrase("a new season begins every {days} days, for all who stay", days=days)
            )
        return rules


def _describe_divisions(options: Options) -> str:
    """Return how a league divides its players, as a clause."""
    if options.divisions == 1:
        return phrase("one division")
    return phrase_number(
        "{divisions} divisions; the first and the last of each move up and down",
        "{divisions} divisions; the first {count} and the last {count} of each move up and down",
        options.exchange,
        divisions=options.divisions,
    )


# A ladder: players challenge those above them, for as long as it stands.


class EndlessKind(EventKind):
    """An event that goes on, whoever takes part, until the time at which it ends."""

    def count_needed(self, options: Options) -> int:
        return 0

    def find_late_problem(self, record: Record) -> str:
        return ""

    def is_over(self, record: Record, now: float, games: Collection[EventGame]) -> bool:
        return record.ends is not None and now >= record.ends and not record.open_games


class Ladder(EndlessKind):
    """A ladder."""

    name = "ladder"
    title = phrase("ladder")
    options = EventKind.options | {"reach", "answer", "decay"}
    usual_days = None
    has_challenges = True
    takes_late = True

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


# A tour: points over several events.


class Tour(EndlessKind):
    """A tour. It has no boards of its own: who plays in its events takes part."""

    name = "tour"
    title = phrase("tour")
    options = frozenset()
    usual_days = 364.0
    has_boards = False
    seats_many = True

    def rank(
        self, record: Record, group: int | None, stage: Stage, now: float | None
    ) -> tuple[Standing, ...]:
        return rank_tour(record)


# The kinds of events there are: each is one object, and this is the only place that names them.


class TeamKind(EventKind):
    """An event of teams, which hold a seat together or meet on several boards."""

    for_teams = True
    has_reports = False

    def describe(self, options: Options) -> str:
        if options.members:
            return phrase("{kind} on {boards} boards", kind=self.title, boards=options.boards)
        return super().describe(options)

    def list_rules(self, options: Options) -> list[str]:
        rules = super().list_rules(options)
        if options.members:
            rules.append(
                phrase(
                    "the strongest of two teams meet on the first board, and so on, with colours "
                    "in turn; each board counts"
                )
            )
        return rules


class TeamLeague(TeamKind, League):
    """A league of teams."""

    name = "teamleague"
    title = phrase("league of teams")


class TeamKnockout(TeamKind, Knockout):
    """A knockout of teams."""

    name = "teamknockout"
    title = phrase("knockout of teams")


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
        TeamLeague(),
        TeamKnockout(),
    )
}


def get_kind(name: str) -> EventKind:
    """Return the kind of that name. ValueError if there is none."""
    try:
        return KINDS[name]
    except KeyError:
        raise ValueError(f"there is no kind of event {name!r}") from None
