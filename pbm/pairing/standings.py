"""The standings of an event of any kind, and why somebody has a place."""

from __future__ import annotations

from pbm.pairing.game_points import show_points
from pbm.pairing.record import Record, Stage
from pbm.pairing.round_robin import rank_group
from pbm.pairing.tie_breaks import TITLES, Break, Standing, choose_breaks, rank_by_points

__all__ = ["TITLES", "Break", "Standing", "choose_breaks", "explain_place", "standings"]


def standings(
    record: Record, group: int | None = None, stage: Stage = "main"
) -> tuple[Standing, ...]:
    """The rows from the first place to the last: of one group, division or stage or, without
    `group`, of all groups one after another."""
    kind = record.options.kind
    if kind == "swiss":
        return rank_by_points(record, record.entrants, record.games)
    if group is not None or stage == "final":
        return rank_group(record, group or 0, stage)
    groups = sorted({entrant.division for entrant in record.entrants})
    return tuple(row for each in groups for row in rank_group(record, each))


def explain_place(record: Record, number: int) -> str:
    """Why an entrant has this place: the points, and each tie-break with its sum."""
    row = next(row for row in standings(record) if row.number == number)
    rows = [each for each in standings(record) if each.group == row.group]
    level = [each for each in rows if each.points == row.points and each.number != number]
    text = [f"{row.name} has place {row.place} with {_count(row.points, 'point')}."]
    if not level:
        text.append("Nobody else has as many.")
        return " ".join(text)
    names = ", ".join(each.name for each in level)
    text.append(f"As many: {names}. What decides, in this order:")
    text += [f"{each.title}: {each.sum}." for each in row.breaks]
    return " ".join(text)


def _count(points: float, word: str) -> str:
    return f"{show_points(points)} {word}" + ("" if points in (0.5, 1) else "s")
