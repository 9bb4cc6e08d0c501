"""Places, and the sum behind every tie-break."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, takewhile

from pbm.pairing.game_points import show_points
from pbm.pairing.record import Entrant, EventGame, Record, draw_lot
from pbm.rules.phrases import Listing, combine, join_phrases, phrase

# Rounds as tie-breaks see them, played and unplayed, after FIDE's tie-break regulations: as in
# force from 2012 to 2022 (Handbook C.02.13.15 to 16), or since 2024 (C.07, article 16).
#
# In a Swiss an unplayed round counts as one against a virtual opponent. By the former edition, this
# one had the same points when the round began, got what is left of the point, and drew all rounds
# that follow; for the player's opponents, each unplayed round counts half a point. By the later one
# this one has the player's own points; for the opponents a round counts what it gave, and only
# rounds that a player asked to miss, and after which none was available to play, count as drawn. In
# a round robin a forfeit counts as played.


@dataclass(frozen=True, slots=True)
class Round:
    """What one round was for one player."""

    opponent: int | None
    result: float
    is_played: bool
    virtual: float = 0
    """The points of the virtual opponent of an unplayed round."""
    is_waived: bool = False
    """Whether the player asked to miss it: without an opponent and without a win."""


def list_rounds(record: Record, number: int, games: Sequence[EventGame]) -> list[Round]:
    """Return the finished rounds of a player in a table for two seats a board."""
    own = [game for game in games if number in game.seats and not game.is_open]
    if record.options.kind != "swiss":
        return [
            Round(next(each for each in game.seats if each != number), game.points_of(number), True)
            for game in own
            if len(game.seats) == 2
        ]
    options, last = record.options, count_finished(games)
    by_round = {game.round: game for game in own}
    rounds = []
    before = 0.0
    for n in range(1, last + 1):
        game = by_round.get(n)
        result = game.points_of(number) if game else 0.0
        if game is not None and game.is_played:
            opponent = next(each for each in game.seats if each != number)
            rounds.append(Round(opponent, result, True))
        else:
            virtual = before + (options.win - result) + options.draw * (last - n)
            is_waived = (game is None or game.is_bye) and result < options.win
            rounds.append(Round(None, result, False, virtual, is_waived))
        before += result
    if options.edition == "2024":  # the virtual opponent has the player's own points
        return [each if each.is_played else replace(each, virtual=before) for each in rounds]
    return rounds


def count_finished(games: Sequence[EventGame]) -> int:
    """Return the number of rounds of a Swiss that are finished."""
    unfinished = [game.round for game in games if game.is_open]
    last = max((game.round for game in games), default=0)
    return min(unfinished) - 1 if unfinished else last


def score_for_others(record: Record, points: float, rounds: Sequence[Round]) -> float:
    """Return what a player's points count in the tie-breaks of opponents."""
    if record.options.kind != "swiss":
        return points
    draw = record.options.draw
    if record.options.edition == "2012":
        return points + sum(draw - round.result for round in rounds if not round.is_played)
    waived = takewhile(lambda round: round.is_waived, reversed(rounds))
    return points + sum(draw - round.result for round in waived)


TITLES = {
    "buchholz": "Buchholz",
    "cut1": phrase("Buchholz cut 1"),
    "median": phrase("Median Buchholz"),
    "sonneborn": "Sonneborn-Berger",
    "direct": phrase("Direct encounter"),
    "progressive": phrase("Progressive score"),
    "wins": phrase("Wins"),
    "lots": phrase("Lots"),
    "reached": phrase("Reached"),
    "legs": phrase("Events"),
}
SWISS = ("buchholz", "median", "sonneborn", "direct", "wins", "lots")
SWISS_2024 = ("cut1", "buchholz", "sonneborn", "progressive", "direct", "wins", "lots")
GROUP = ("sonneborn", "direct", "wins", "lots")
NAMED = ("cut1", "buchholz", "median", "sonneborn", "progressive", "direct", "wins")
"""Those that the maker of an event may name."""
TABLES = ("wins", "lots")


@dataclass(frozen=True, slots=True)
class Break:
    """A tie-break of a player: its value, and the sum that makes it."""

    name: str
    value: float
    sum: str

    @property
    def title(self) -> str:
        """As people call it."""
        return TITLES[self.name]


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings."""

    place: int
    number: int
    name: str
    points: float
    played: int
    wins: int
    draws: int
    losses: int
    breaks: tuple[Break, ...]
    left: bool
    group: int


def choose_breaks(record: Record) -> tuple[str, ...]:
    """Return the names of the tie-breaks of an event in their order."""
    options = record.options
    if options.breaks:
        return options.breaks
    if options.seats > 2:
        return TABLES
    if options.kind != "swiss":
        return GROUP
    return SWISS_2024 if options.edition == "2024" else SWISS


def rank_by_points(
    record: Record, members: Sequence[Entrant], games: Sequence[EventGame]
) -> tuple[Standing, ...]:
    """Return the members of a group by their points in these games and then by the tie-breaks."""
    table = _Table(record, members, games)
    order = [member.number for member in members]
    for name in ("points", *choose_breaks(record)):
        order = table.refine(order, name)
    return tuple(table.build_row(place, number) for place, number in enumerate(order, 1))


class _Table:
    """Computes the columns of one table. `_ties` are the groups that the columns so far leave
    level."""

    def __init__(
        self, record: Record, members: Sequence[Entrant], games: Sequence[EventGame]
    ) -> None:
        self.record = record
        self.members = {member.number: member for member in members}
        self.games = [game for game in games if game.how != "annulled"]
        self.rounds = {number: list_rounds(record, number, self.games) for number in self.members}
        self.points = {
            number: sum(game.points_of(number) for game in self.games) for number in self.members
        }
        self.others = {
            number: score_for_others(record, self.points[number], rounds)
            for number, rounds in self.rounds.items()
        }
        self.breaks: dict[int, list[Break]] = {number: [] for number in self.members}
        gone = [number for number, member in self.members.items() if self._is_annulled(member)]
        self.ties: list[list[int]] = [
            [number for number in self.members if number not in gone],
            gone,
        ]

    def _is_annulled(self, member: Entrant) -> bool:
        """Whether a player has left, and nothing that counts remains; such rows come last."""
        return member.left is not None and not any(
            member.number in game.seats for game in self.games
        )

    def refine(self, order: Sequence[int], name: str) -> list[int]:
        """Return the order after one more column, which decides among those still level."""
        refined: list[list[int]] = []
        for tie in self.ties:
            values = {number: self._compute(number, name, tie) for number in tie}
            tie = sorted(tie, key=lambda number: (-values[number], number))
            refined += [list(level) for _, level in groupby(tie, key=lambda n: values[n])]
        self.ties = refined
        return [number for tie in refined for number in tie]

    def _compute(self, number: int, name: str, tie: Sequence[int]) -> float:
        if name == "points":
            return self.points[number]
        compute: Callable[[int, Sequence[int]], Break] = getattr(self, f"_sum_{name}")
        result = compute(number, tie)
        self.breaks[number].append(result)
        return result.value

    def build_row(self, place: int, number: int) -> Standing:
        """Return one row."""
        member = self.members[number]
        finished = [
            game
            for game in self.games
            if number in game.seats and not game.is_open and not game.is_bye
        ]
        wins = sum(1 for game in finished if self._is_win(game, number))
        losses = sum(1 for game in finished if _is_loss(game, number))
        return Standing(
            place=place,
            number=number,
            name=member.name,
            points=self.points[number],
            played=len(finished),
            wins=wins,
            draws=len(finished) - wins - losses,
            losses=losses,
            breaks=tuple(self.breaks[number]),
            left=member.left is not None,
            group=member.division,
        )

    def _is_win(self, game: EventGame, number: int) -> bool:
        """Whether an entrant alone was first at a board; where one has lost what is a draw for the
        other, nobody has won."""
        if game.points is None or game.is_bye:
            return False
        points = game.points_of(number)
        is_half = len(game.seats) == 2 and points == self.record.options.draw
        return game.points.count(points) == 1 and points == max(game.points) and not is_half

    def _name(self, round: Round) -> str:
        if round.opponent is None or not round.is_played:
            return phrase("nobody")
        return self.record.name_of(round.opponent)

    def _opponent_score(self, number: int, round: Round) -> float:
        """Return what an opponent's points count for one's own tie-breaks."""
        if round.opponent is None or not round.is_played:
            return round.virtual
        return self.others[round.opponent]

    def _sum_buchholz(self, number: int, tie: Sequence[int]) -> Break:
        parts = [
            (self._opponent_score(number, round), self._name(round))
            for round in self.rounds[number]
        ]
        return Break("buchholz", sum(part for part, _ in parts), _show_sum(parts))

    def _sort_opponents(self, number: int) -> list[tuple[float, str]]:
        """Return the points of the opponents from what is cut first: the lowest, by the edition of
        2024 the lowest of the rounds that the player asked to miss."""
        parts = sorted(
            (self._opponent_score(number, round), self._name(round), not round.is_waived)
            for round in self.rounds[number]
        )
        if self.record.options.edition == "2024" and parts:
            first = min(parts, key=lambda part: (part[2], part[0]))
            parts.remove(first)
            parts.insert(0, first)
        return [(score, name) for score, name, _ in parts]

    def _sum_cut1(self, number: int, tie: Sequence[int]) -> Break:
        """Return the points of the opponents but for the lowest."""
        parts = self._sort_opponents(number)
        text = _show_sum(parts[1:])
        if parts:
            text = phrase("{sum} (without {part})", sum=text, part=_show_part(parts[0]))
        return Break("cut1", sum(part for part, _ in parts[1:]), text)

    def _sum_progressive(self, number: int, tie: Sequence[int]) -> Break:
        """Return the sum of the player's points after each round."""
        running = [*accumulate(round.result for round in self.rounds[number])]
        text = " + ".join(map(show_points, running)) or "0"
        return Break("progressive", sum(running), f"{text} = {show_points(sum(running))}")

    def _sum_median(self, number: int, tie: Sequence[int]) -> Break:
        """Return the points of the opponents but for the highest and the lowest."""
        parts = self._sort_opponents(number)
        kept = parts[1:-1]
        text = _show_sum(kept)
        if len(parts) > 1:
            text = phrase(
                "{sum} (without {first} and {last})",
                sum=text,
                first=_show_part(parts[0]),
                last=_show_part(parts[-1]),
            )
        return Break("median", sum(part for part, _ in kept), text)

    def _sum_sonneborn(self, number: int, tie: Sequence[int]) -> Break:
        """Return the points of opponents times one's own against them."""
        parts = [
            (self._opponent_score(number, round), round.result, self._name(round))
            for round in self.rounds[number]
            if round.result
        ]
        shown = [
            combine("{result} x {part}", result=show_points(result), part=_show_part((score, name)))
            for score, result, name in parts
        ]
        value = sum(score * result for score, result, _ in parts)
        text = join_phrases(" + ", shown) if shown else "0"
        return Break(
            "sonneborn", value, combine("{parts} = {sum}", parts=text, sum=show_points(value))
        )

    def _sum_direct(self, number: int, tie: Sequence[int]) -> Break:
        """Return the points against those who are level, if all of them have met."""
        is_strict = self.record.options.edition == "2024" and self.record.options.kind == "swiss"
        counted = [
            game
            for game in self.games
            if len(game.seats) == 2 and game.points and (game.is_played or not is_strict)
        ]
        met = {frozenset(game.seats) for game in counted}
        if len(tie) == 1:
            return Break("direct", 0, phrase("nobody is level"))
        missing = Counter(
            one
            for one in tie
            for other in tie
            if one != other and frozenset((one, other)) not in met
        )
        is_ahead = is_strict and number in self._find_ahead(tie, counted, missing)
        if missing and not is_ahead:
            return Break("direct", 0, phrase("not all who are level have met"))
        parts = [
            (game.points_of(number), self.record.name_of(other))
            for game in counted
            if number in game.seats
            for other in game.seats
            if other != number and other in tie
        ]
        text = _show_sum(
            [(points, phrase("against {player}", player=name)) for points, name in parts]
        )
        if missing:
            text = phrase(
                "{sum}; ahead, however those who have not met would have played", sum=text
            )
        return Break("direct", sum(part for part, _ in parts), text)

    def _find_ahead(
        self, tie: Sequence[int], counted: Sequence[EventGame], missing: Mapping[int, int]
    ) -> list[int]:
        """Return those of a tie who come before the rest whatever the missing games had brought, in
        their order (C.07, 6.2)."""
        least = {
            number: sum(game.points_of(number) for game in counted if {*game.seats} <= {*tie})
            for number in tie
        }
        most = {number: least[number] + self.record.options.win * missing[number] for number in tie}
        ahead = list[int]()
        for number in sorted(tie, key=lambda number: -least[number]):
            if any(most[other] >= least[number] for other in tie if other not in (*ahead, number)):
                break
            ahead.append(number)
        return ahead

    def _sum_wins(self, number: int, tie: Sequence[int]) -> Break:
        """Count the boards won at the board: byes and forfeits do not count."""
        names = [
            Listing([self.record.name_of(other) for other in game.seats if other != number])
            for game in self.games
            if game.how in ("played", "adjudicated") and self._is_win(game, number)
        ]
        text = phrase("none")
        if names:
            text = phrase("against {players}", players=join_phrases(", ", names))
        return Break("wins", len(names), text)

    def _sum_lots(self, number: int, tie: Sequence[int]) -> Break:
        """Return a lot from the event's secret, where it is at hand."""
        if len(tie) == 1:
            return Break("lots", 0, phrase("nobody is level"))
        if not self.record.secret:
            return Break("lots", 0, phrase("drawn from the event's secret"))
        lot = draw_lot(self.record, number)
        return Break(
            "lots", 1 - lot / 2**64, phrase("lot {lot}; the lowest is first", lot=f"{lot:016x}")
        )


def _is_loss(game: EventGame, number: int) -> bool:
    """Whether somebody was ahead of an entrant at a board, or nobody got anything there: both have
    lost it."""
    if game.points is None or game.is_bye:
        return False
    return game.points_of(number) < max(game.points) or not max(game.points)


def _show_part(part: tuple[float, str]) -> str:
    return combine("{points} ({name})", points=show_points(part[0]), name=part[1])


def _show_sum(parts: Sequence[tuple[float, str]]) -> str:
    """Show a sum: 3 (ann) + 2½ (bob) = 5½."""
    shown = join_phrases(" + ", [*map(_show_part, parts)]) if parts else "0"
    return combine("{parts} = {sum}", parts=shown, sum=show_points(sum(part[0] for part in parts)))
