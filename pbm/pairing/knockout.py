"""Knockouts, single and double: a tree of matches, each the best of several boards, seeded and with
byes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import inf

from pbm.pairing.game_points import HALF, show_points
from pbm.pairing.record import EventGame, Record, Stage
from pbm.pairing.tie_breaks import Break, Standing
from pbm.rules.phrases import phrase, phrase_number

NOBODY, PENDING = 0, -1
"""Instead of a start number: a place that stays empty, and one that is not decided yet."""


@dataclass(frozen=True, slots=True)
class Match:
    """Two places of the tree, and who came out of it how."""

    stage: Stage
    round: int
    number: int
    players: tuple[int, int]
    games: tuple[EventGame, ...]
    winner: int
    loser: int


class Tree:
    """All matches of a knockout, as far as they are decided."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.is_double = record.options.kind == "doubleknockout"
        self.depth = max(1, (len(record.entrants) - 1).bit_length())
        self._games: dict[tuple[str, int, int], list[EventGame]] = {}
        for game in record.games:
            key = (game.stage, game.round, game.group)
            self._games.setdefault(key, []).append(game)
        self._gone = {each.number: each.left for each in record.entrants if each.left is not None}
        self._matches: dict[tuple[str, int, int], Match] = {}

    @cached_property
    def seeds(self) -> list[int]:
        """The start numbers in the order of the tree: the best meet as late as can be."""
        order = [1]
        while len(order) < 1 << self.depth:
            size = 2 * len(order) + 1
            order = [each for seed in order for each in (seed, size - seed)]
        numbers = [entrant.number for entrant in self.record.entrants]
        return [numbers[seed - 1] if seed <= len(numbers) else NOBODY for seed in order]

    def matches(self) -> Iterator[Match]:
        """Yield every match, round by round; those with places that are not decided yet too."""
        for round in range(1, self.depth + 1):
            for number in range(1 << self.depth - round):
                yield self.find("main", round, number)
        if not self.is_double:
            return
        for round in range(1, 2 * self.depth - 1):
            for number in range(self._width(round)):
                yield self.find("losers", round, number)
        first = self.find("final", 1, 0)
        yield first
        if first.winner > 0 and first.winner == first.players[1] and first.loser > 0:
            yield self.find("final", 2, 0)

    def _width(self, round: int) -> int:
        """Return how many matches a round of the lower half has."""
        return 1 << self.depth - 2 - (round - 1) // 2

    def find(self, stage: Stage, round: int, number: int) -> Match:
        """Return one match."""
        key = (stage, round, number)
        if key not in self._matches:
            one, two = self._places(stage, round, number)
            games = tuple(self._games.get((stage, self.count_time(stage, round), number), ()))
            winner, loser = self._decide(one, two, games)
            self._matches[key] = Match(stage, round, number, (one, two), games, winner, loser)
        return self._matches[key]

    def count_time(self, stage: Stage, round: int) -> int:
        """Return a round's number in the order of play: the halves of a double knockout take
        turns."""
        if stage == "losers":
            return round + 1
        if stage == "final":
            return 2 * self.depth + round - 1
        return max(1, 2 * round - 2) if self.is_double else round

    def _places(self, stage: Stage, round: int, number: int) -> tuple[int, int]:
        """Return who plays a match: start numbers, NOBODY or PENDING."""
        if stage == "main":
            if round == 1:
                return self.seeds[2 * number], self.seeds[2 * number + 1]
            return self._winners("main", round - 1, number)
        if stage == "final":
            upper = self.find("main", self.depth, 0)
            if self.depth == 1:
                return upper.winner, upper.loser
            return upper.winner, self.find("losers", 2 * self.depth - 2, 0).winner
        if round == 1:
            return (
                self.find("main", 1, 2 * number).loser,
                self.find("main", 1, 2 * number + 1).loser,
            )
        if round % 2:
            return self._winners("losers", round - 1, number)
        half = round // 2
        crossed = self._width(round) - 1 - number if half % 2 else number
        return (
            self.find("main", half + 1, crossed).loser,
            self.find("losers", round - 1, number).winner,
        )

    def _winners(self, stage: Stage, round: int, number: int) -> tuple[int, int]:
        return (
            self.find(stage, round, 2 * number).winner,
            self.find(stage, round, 2 * number + 1).winner,
        )

    def _decide(self, one: int, two: int, games: tuple[EventGame, ...]) -> tuple[int, int]:
        """Return the winner and the loser of a match."""
        if PENDING in (one, two):
            return PENDING, PENDING
        if NOBODY in (one, two):
            return max(one, two), NOBODY
        points = [sum(game.points_of(number) for game in games) for number in (one, two)]
        order = (one, two) if points[0] > points[1] else (two, one)
        boards = self.record.options.boards
        if max(points) > boards / 2 and points[0] != points[1]:
            return order
        if any(game.is_open for game in games):
            return PENDING, PENDING
        if len(games) >= boards and points[0] != points[1]:
            return order
        if len(games) > boards or any(game.how == "adjudicated" for game in games):
            return min(one, two), max(one, two)
        if one in self._gone or two in self._gone:
            stayed = max(one, two, key=lambda number: self._gone.get(number, inf))
            return stayed, one + two - stayed
        return PENDING, PENDING


def pair_knockout(record: Record) -> Iterator[EventGame]:
    """Yield the boards of all matches that can begin or go on."""
    tree = Tree(record)
    for match in tree.matches():
        is_ready = min(match.players) > 0 and match.winner == PENDING
        if is_ready and not any(game.is_open for game in match.games):
            yield from _make_boards(record, tree, match)


def _make_boards(record: Record, tree: Tree, match: Match) -> Iterator[EventGame]:
    """Make as many boards as a match needs at least until it is decided, for members of teams all
    of them; after a level match one."""
    boards, played = record.options.boards, len(match.games)
    best = max(sum(game.points_of(n) for game in match.games) for n in match.players)
    needed = boards if record.options.members else int(boards // 2 + 1 - best + HALF)
    count = min(needed, boards - played) if played < boards else 1
    first = _choose_first(record, match)
    second = sum(match.players) - first
    for leg in range(played + 1, played + 1 + max(1, count)):
        yield EventGame(
            id=0,
            round=tree.count_time(match.stage, match.round),
            table=match.number + 1,
            seats=(first, second) if leg % 2 else (second, first),
            reason=_give_reason(record, tree, match, leg),
            stage=match.stage,
            group=match.number,
            leg=leg,
        )


def _choose_first(record: Record, match: Match) -> int:
    """Return who moves first on the odd boards of a match: who did so on fewer boards before it;
    then the worse seed."""
    if match.games:
        return match.games[0].seats[0]

    def count(number: int) -> int:
        return sum(
            1 if game.seats[0] == number else -1 for game in record.games if number in game.seats
        )

    return min(match.players, key=lambda number: (count(number), -number))


def _give_reason(record: Record, tree: Tree, match: Match, leg: int) -> str:
    """Return why two players meet, as a sentence."""
    one, two = (
        phrase("{player} (seed {seed})", player=record.name_of(n), seed=n) for n in match.players
    )
    boards = record.options.boards
    if leg > boards:
        return phrase_number(
            "{one} and {two} are level after {count} board, and this one decides.",
            "{one} and {two} are level after {count} boards, and this one decides.",
            boards,
            one=one,
            two=two,
        )
    if match.stage == "final" and match.round == 2:
        return phrase(
            "{one} won the upper half and {two} the lower: they play the final again, for it was "
            "the first match that either lost to the other.",
            one=one,
            two=two,
        )
    if match.stage == "final":
        return phrase(
            "{one} won the upper half and {two} the lower: they play the final.", one=one, two=two
        )
    if match.stage == "losers":
        return phrase(
            "{one} and {two} have each lost one match and meet in the lower half.",
            one=one,
            two=two,
        )
    if match.round == 1:
        return phrase(
            "{one} and {two} meet in round 1, for the best seeds are to meet last.",
            one=one,
            two=two,
        )
    return phrase(
        "{one} and {two} came through round {round} side by side in the tree.",
        one=one,
        two=two,
        round=match.round - 1,
    )


def rank_knockout(record: Record) -> tuple[Standing, ...]:
    """Return the winner, then the others by the round in which they were last beaten; those of the
    same round share a place, in the order of their seeds."""
    tree = Tree(record)
    matches = [match for match in tree.matches() if min(match.players) >= 0]
    reached: dict[int, tuple[int, str]] = {}
    won: dict[int, int] = {}
    for match in sorted(matches, key=lambda match: tree.count_time(match.stage, match.round)):
        time = tree.count_time(match.stage, match.round)
        if match.winner > 0 and match.loser > 0:
            won[match.winner] = won.get(match.winner, 0) + 1
            reached[match.loser] = (time, _describe_defeat(record, match))
    last = tree.find("final", 1, 0) if tree.is_double else tree.find("main", tree.depth, 0)
    if tree.is_double and last.winner > 0 and last.winner == last.players[1]:
        last = tree.find("final", 2, 0)
    rows = []
    for entrant in record.entrants:
        time, text = reached.get(entrant.number, (0, phrase("not beaten yet")))
        is_in = entrant.number not in reached or not _is_out(tree, entrant.number, matches)
        if entrant.number == last.winner:
            time, text = 2**20, phrase("won the last match")
        elif is_in and entrant.left is None:
            time, text = 2**19, phrase("still in")
        rows.append((-time, entrant, text))
    rows.sort(key=lambda row: (row[0], row[1].number))
    standings: list[Standing] = []
    for _, level in groupby(rows, key=lambda row: row[0]):
        place = len(standings) + 1
        for time, entrant, text in level:
            own = [
                game
                for game in record.games
                if entrant.number in game.seats and not game.is_open and game.how != "annulled"
            ]
            results = [game.points_of(entrant.number) for game in own]
            standings.append(
                Standing(
                    place=place,
                    number=entrant.number,
                    name=entrant.name,
                    points=float(won.get(entrant.number, 0)),
                    played=len(own),
                    wins=results.count(1.0),
                    draws=results.count(HALF),
                    losses=results.count(0.0),
                    breaks=(Break("reached", float(-time), text),),
                    left=entrant.left is not None,
                    group=0,
                )
            )
    return tuple(standings)


def _is_out(tree: Tree, number: int, matches: list[Match]) -> bool:
    defeats = sum(1 for match in matches if match.loser == number)
    return defeats > (1 if tree.is_double else 0)


def _describe_defeat(record: Record, match: Match) -> str:
    """Return who beat somebody, where and by how much."""
    points = [sum(game.points_of(n) for game in match.games) for n in (match.winner, match.loser)]
    result = " - ".join(show_points(each) for each in points)
    winner = record.name_of(match.winner)
    if match.stage == "main":
        return phrase(
            "lost to {player} in round {round}, {result}",
            player=winner,
            round=match.round,
            result=result,
        )
    if match.stage == "losers":
        return phrase(
            "lost to {player} in round {round} of the lower half, {result}",
            player=winner,
            round=match.round,
            result=result,
        )
    return phrase("lost to {player} in the final, {result}", player=winner, result=result)
