"""Random Swiss events, round by round, beside the oracle."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace
from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import TrfParser

from pbm.pairing.game_points import concede
from pbm.pairing.record import EventGame, Options, Record
from pbm.pairing.rounds import admit, begin, leave, pair_next
from pbm.pairing.swiss.bracket import NoPairingError
from pbm.pairing.swiss.history import list_contestants, pair_round
from pbm.pairing.trf import write_trf
from tools.pairing.seasons import announce, finish


@dataclass(frozen=True)
class Comparison:
    """A round as paired here and there, and the record before it."""

    record: Record
    round: int
    ours: list[tuple[int, ...]] | None
    theirs: list[tuple[int, ...]] | None


def compare_rounds(seed: int, folder: Path, most: int = 40) -> Iterator[Comparison]:
    """Yield all rounds of one random event: 2 to `most` players, byes on demand, forfeits, late
    entries, players who leave."""
    rng = random.Random(seed)
    count = rng.randint(2, rng.choice([8, 16, most]))
    rounds = rng.randint(1, max(1, min(count - 1, 11)))
    record = begin(announce(Options(kind="swiss", game="chess", rounds=rounds), count, seed))
    restless = rng.choice([0, 0, 0.02, 0.1])
    for round in range(1, record.options.rounds + 1):
        record = disturb(record, rng, round, restless)
        if len(record.present) < 2:
            return
        theirs = ask_oracle(record, folder)
        games = pair_next(record, float(round))
        ours: list[tuple[int, ...]] | None = None
        if theirs is not None or can_pair(record, round):
            ours = [game.seats for game in games if round not in away(record, game)]
        yield Comparison(record, round, ours, theirs)
        record = record.with_games(games)
        for game in record.open_games:
            if rng.random() < restless:
                loser = rng.choice(game.seats)
                points = concede(game, {loser})
                record = record.with_games([replace(game, how="forfeit", points=points)])
            else:
                record = finish(record, game, rng, float(round))


def can_pair(record: Record, round: int) -> bool:
    """Whether the absolute criteria leave a pairing."""
    present = [each for each in record.present if each.joins <= round and round not in each.away]
    try:
        pair_round(list_contestants(record, present, round))
    except NoPairingError:
        return False
    return True


def away(record: Record, game: EventGame) -> tuple[int, ...]:
    """Return the rounds that the first player of a game asked to miss."""
    return record.entrant(game.seats[0]).away


def disturb(record: Record, rng: random.Random, round: int, restless: float) -> Record:
    """Disturb a round before it begins: some leave, some ask for a bye, some come late."""
    for entrant in record.present:
        if rng.random() < restless / 2:
            record = leave(record, entrant.number, float(round), "withdrew")
        elif rng.random() < restless:
            record = record.with_entrants([replace(entrant, away=(*entrant.away, round))])
    if 1 < round < 4 and rng.random() < restless:
        late = admit(record, f"late{round}", rng.randrange(1200, 2000), float(round))
        record = record.with_entrants([late])
    return record


# py4swiss, which pairs as bbpPairings 5 does, asked for the next round of a record. It reads the
# record as a TRF, so that scores, colours and floats are worked out by it as well.


def ask_oracle(record: Record, folder: Path) -> list[tuple[int, ...]] | None:
    """Return the seats of each board of the next round in the order of the tables, one number for
    the bye; None if it finds no pairing."""
    path = folder / "record.trf"
    path.write_text(write_trf(record), encoding="utf-8")
    try:
        pairings = DutchEngine.generate_pairings(TrfParser.parse(path))
    except PairingError:
        return None
    return [(each.white, each.black) if each.black else (each.white,) for each in pairings]
