"""What is to be played next, and whether all has been played."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from pbm.pairing.game_points import adjudicate
from pbm.pairing.knockout import Tree, pair_knockout
from pbm.pairing.record import Game, Record
from pbm.pairing.round_robin import count_group_rounds, pair_groups


def can_start(record: Record) -> str:
    """Why the event cannot begin, as a clause; empty if it can."""
    options, count = record.options, len(record.present)
    needed = {
        "roundrobin": options.groups * options.seats,
        "league": options.divisions * options.seats,
        "ladder": 0,
        "tour": 0,
    }.get(options.kind, 2)
    if count >= needed:
        return ""
    return f"it needs {needed} players, and {count} have entered"


def can_enter(record: Record, now: float) -> str:
    """Why nobody can enter any more, as a clause; empty if one can."""
    if record.ended is not None:
        return "the event is over"
    if record.options.kind in ("ladder", "tour") or not record.games:
        return ""
    if record.options.kind == "league":
        return "the season has begun: enter the next one"
    if record.options.kind == "swiss":
        last = max(game.round for game in record.games)
        late = 2 * last >= record.options.rounds
        return "half of the rounds have been paired, so it is too late to enter" if late else ""
    return "the event has begun"


def pair_next(record: Record, now: float) -> tuple[Game, ...]:
    """The games to add: boards to be made, and byes. Nothing while what is open comes first."""
    if record.ended is not None:
        return ()
    first = max((game.id for game in record.games), default=0) + 1
    return tuple(
        replace(game, id=id, begun=now, ended=None if game.is_open else now)
        for id, game in enumerate(_pair(record), first)
    )


def _pair(record: Record) -> Iterator[Game]:
    match record.options.kind:
        case "roundrobin" | "league":
            yield from pair_groups(record)
        case "knockout" | "doubleknockout":
            yield from pair_knockout(record)
        case "swiss":
            from pbm.pairing.swiss.history import pair_swiss  # seldom needed

            yield from pair_swiss(record)


def is_over(record: Record, now: float, games: Collection[Game] | None = None) -> bool:
    """Whether nothing is left to be played. A ladder and a tour last until their end. `games` are
    those that `pair_next` would add, where that has been asked before."""
    if record.options.kind in ("ladder", "tour"):
        return record.ends is not None and now >= record.ends and not record.open_games
    return not record.open_games and not (pair_next(record, now) if games is None else games)


def complete(record: Record, now: float) -> Record:
    """The record of an event whose time has run out, with the boards that never began: they are
    decided like unfinished ones, so that somebody wins a knockout. Not where the operator decides,
    and not the rounds of a Swiss, whose pairings would follow from nothing that was played."""
    if record.options.kind == "swiss" or record.options.adjudication == "operator":
        return record
    while games := pair_next(record, now):
        record = adjudicate(record.with_games(games), now)
    return record


def count_rounds(record: Record) -> int:
    """Of how many rounds the event consists at the most; 0: it is not played in rounds."""
    match record.options.kind:
        case "roundrobin" | "league":
            return count_group_rounds(record)
        case "swiss":
            return record.options.rounds
        case "knockout":
            return Tree(record).depth
        case "doubleknockout":
            return 2 * Tree(record).depth + 1
    return 0
