"""How an event begins, what is to be played next, and whether all has been played."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from pbm.pairing.game_points import adjudicate
from pbm.pairing.kinds import get_kind
from pbm.pairing.record import Entrant, EventGame, Record, draw_lot
from pbm.rules.phrases import join_phrases, phrase, phrase_number


def begin(record: Record) -> Record:
    """Return the record with start numbers by rating (lots decide between equals), divisions or
    groups. Those who left before take no part."""
    kind = get_kind(record.options.kind)
    record = replace(record, entrants=record.present)
    by_rating = sorted(
        record.present, key=lambda each: (-each.rating, draw_lot(record, each.number, "start"))
    )
    seeded = kind.seed(record, by_rating)
    entrants = (replace(each, number=place) for place, each in enumerate(seeded, 1))
    return replace(kind.begin(record), entrants=tuple(entrants))


def admit(record: Record, name: str, rating: int, now: float) -> Entrant:
    """Return a new entrant, with the next start number. After the beginning it joins the round that
    is paired next and has no points for those before."""
    return Entrant(
        number=max((each.number for each in record.entrants), default=0) + 1,
        name=name,
        rating=rating,
        entered=now,
        joins=max((game.round for game in record.games), default=0) + 1,
    )


def leave(record: Record, number: int, now: float, why: str) -> Record:
    """Return the record after an entrant has left. In a round robin and a league, who has finished
    less than half of all boards is taken out of the tables, with all results; otherwise results
    stay and the boards that are open are won by the opponents. At tables of three seats or more
    results stay and open boards go on."""
    return get_kind(record.options.kind).leave(record, number, now, why)


# What is to be played next, and whether all has been played.


def can_start(record: Record) -> str:
    """Return why the event cannot begin, as a clause; empty if it can."""
    needed, count = get_kind(record.options.kind).count_needed(record.options), len(record.present)
    if count >= needed:
        return ""
    return phrase_number(
        "it needs {needed} players, and {count} has entered",
        "it needs {needed} players, and {count} have entered",
        count,
        needed=needed,
    )


def find_late_problem(record: Record) -> str:
    """Return why nobody can enter any more, as a clause; empty if one can."""
    if record.ended is not None:
        return phrase("the event is over")
    return get_kind(record.options.kind).find_late_problem(record) if record.games else ""


def pair_next(record: Record, now: float) -> tuple[EventGame, ...]:
    """Return the games to add: boards to be made, and byes. Nothing while what is open comes
    first."""
    if record.ended is not None:
        return ()
    first = max((game.id for game in record.games), default=0) + 1
    return tuple(
        replace(game, id=id, begun=now, ended=None if game.is_open else now)
        for id, game in enumerate(get_kind(record.options.kind).pair(record), first)
    )


def is_over(record: Record, now: float, games: Collection[EventGame] | None = None) -> bool:
    """Whether nothing is left to be played. A ladder and a tour last until their end. `games` are
    those that `pair_next` would add, where that has been asked before."""
    left = pair_next(record, now) if games is None else games
    return get_kind(record.options.kind).is_over(record, now, left)


def complete(record: Record, now: float) -> Record:
    """Return the record of an event whose time has run out, with the boards that never began: they
    are decided like unfinished ones where its kind can be completed so."""
    if not get_kind(record.options.kind).can_complete(record.options):
        return record
    while games := pair_next(record, now):
        record = adjudicate(record.with_games(games), now)
    return record


def count_rounds(record: Record) -> int:
    """Count the rounds of which the event consists at the most; 0: it is not played in rounds."""
    return get_kind(record.options.kind).count_rounds(record)


def explain_pairing(
    record: Record, number: int, round: int | None = None, opponent: int | None = None
) -> str:
    """Return why an entrant has the opponents, or this opponent, of a round, of the last one if
    none is named; a sentence or more."""
    own = [game for game in record.games if number in game.seats]
    if not own:
        entrant = record.entrant(number)
        if entrant.left is not None:
            return phrase(
                "{player} has left the event and is not paired any more.", player=entrant.name
            )
        return phrase("{player} has not been paired yet.", player=entrant.name)
    if round is None:
        round = max(game.round for game in own)
    chosen = [game for game in own if game.round == round and opponent in (None, *game.seats)]
    if not chosen:
        return phrase(
            "{player} was not paired in round {round}.",
            player=record.name_of(number),
            round=round,
        )
    texts: list[str] = []
    for game in chosen:
        why = join_phrases(" ", [*filter(None, (game.reason, game.note))])
        if game.board:
            texts.append(
                phrase(
                    "Round {round}, board {board}: {why}",
                    round=game.round,
                    board=game.board,
                    why=why,
                )
            )
        else:
            texts.append(phrase("Round {round}, {why}", round=game.round, why=why))
    return join_phrases(" ", texts)
