"""The standings of an event of any kind, and why somebody has a place."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.pairing.game_points import show_points
from pbm.pairing.kinds import get_kind
from pbm.pairing.record import EventGame, Leg, Record, Stage
from pbm.pairing.tie_breaks import Standing
from pbm.pairing.tours import make_leg
from pbm.rules.phrases import phrase


def standings(
    record: Record, group: int | None = None, stage: Stage = "main", now: float | None = None
) -> tuple[Standing, ...]:
    """Return the rows from the first place to the last: of one group, division or stage or, without
    `group`, of all groups one after another. A ladder's are those of the moment `now`, by default
    that of its last change."""
    return get_kind(record.options.kind).rank(record, group, stage, now)


def rank_all(record: Record) -> tuple[Standing, ...]:
    """Return the prize list: everybody in one order. In groups with a final its players come first;
    then those who had the same place in different groups share one. Divisions follow one
    another."""
    return get_kind(record.options.kind).rank_all(record)


def leg_of(record: Record, now: float = 0) -> Leg:
    """Return an event that is over as a leg of a tour."""
    return make_leg(record, rank_all(record), now)


def explain_place(record: Record, number: int, now: float | None = None) -> str:
    """Return why an entrant has this place: the points, and each tie-break with its sum."""
    rows = standings(record, now=now)
    row = next((row for row in rows if row.number == number), None)
    if row is None:
        return phrase("{player} has no place.", player=record.name_of(number))
    return get_kind(record.options.kind).explain_place(row, rows)


# The crosstable of an event: everybody's results against everybody, or round by round.


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text, the ids of the games that it stands for, and the text of each."""

    text: str
    games: tuple[int, ...] = ()
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CrossRow:
    """One player's row."""

    place: int
    number: int
    name: str
    cells: tuple[Cell, ...]
    points: float


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Rows in the order of places. Columns are places in a round robin for two seats, else
    rounds."""

    columns: tuple[str, ...]
    rows: tuple[CrossRow, ...]


def crosstable(record: Record, group: int | None = None, stage: Stage = "main") -> Crosstable:
    """Return the crosstable of one group, division or stage; `group` may be left out where there is
    only one."""
    rows = standings(record, group or 0, stage)
    games = [
        game
        for game in record.games
        if game.stage == stage and (group is None or game.group == group)
    ]
    if get_kind(record.options.kind).meets_all and record.options.seats == 2:
        columns = tuple(str(row.place) for row in rows)
        cells = [[_meet(games, row.number, other.number) for other in rows] for row in rows]
    else:
        last = max((game.round for game in games), default=0)
        columns = tuple(str(n) for n in range(1, last + 1))
        places = {row.number: row.place for row in rows}
        cells = [[_play(games, places, row.number, n) for n in range(1, last + 1)] for row in rows]
    return Crosstable(
        columns,
        tuple(
            CrossRow(row.place, row.number, row.name, tuple(line), row.points)
            for row, line in zip(rows, cells, strict=True)
        ),
    )


def _meet(games: list[EventGame], number: int, other: int) -> Cell:
    """Return the boards of two players: one result behind the other."""
    if number == other:
        return Cell("*")
    own = [game for game in games if {number, other} <= {*game.seats}]
    marks = tuple(_mark(game, number) for game in own)
    return Cell("".join(marks), tuple(game.id for game in own), marks)


def _play(games: list[EventGame], places: dict[int, int], number: int, round: int) -> Cell:
    """Return the boards of one player in a round: the result, with the opponents' places before it
    and, for two seats, w or b for who moved first: 3w1."""
    own = [game for game in games if number in game.seats and game.round == round]
    texts = []
    for game in own:
        others = [str(places[seat]) for seat in game.seats if seat != number and seat in places]
        colour = ""
        if len(game.seats) == 2:
            colour = "w" if game.seats[0] == number else "b"
        texts.append("/".join(others) + colour + _mark(game, number) if others else _bye(game))
    return Cell(" ".join(texts), tuple(game.id for game in own), tuple(texts))


def _bye(game: EventGame) -> str:
    return "bye" + (show_points(game.points[0]) if game.points else "")


def _mark(game: EventGame, number: int) -> str:
    """Return a result: 1, ½, 0; + and - for forfeits, a dot while the board is open, x if
    annulled."""
    if game.how == "annulled":
        return "x"
    if game.is_open:
        return "."
    points = game.points_of(number)
    if game.how == "forfeit" and len(game.seats) == 2:
        return "+" if points else "-"
    return show_points(points)
