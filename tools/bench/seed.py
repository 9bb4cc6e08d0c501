"""Fill a database with boards that are being played, or over, for benchmarks of growth:

    python -m tools.bench.seed --boards 1000000 --moves 10000000 --players 100000 --url URL

Players are p0, p1, ... with the password `secret` and an address at bench.invalid; board N is a
game of Cradle between p(N mod P) and the next one, with real moves: `pbm admin check` passes.
With `--over 0.5` the last half of the boards ended, by a resignation after those moves, and has
changed the ratings."""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Table, insert

from pbm.core.log import build_key
from pbm.core.secrets import Secrets, compute_commitment
from pbm.games import get_game
from pbm.ratings import NEW, Rating, compute_chances, rate
from pbm.store.engine import Store
from pbm.store.tables import (
    addresses,
    boards,
    moves,
    players,
    rating_changes,
    ratings,
    seats,
)
from tests.harness.databases import create_database

_CHUNK = 20_000
_TEMPLATES = 40


@dataclass(frozen=True, slots=True)
class Opening:
    """Some moves of a game that is not over, and the position after them; then what comes of it
    when the seat on the move resigns: the position, its key in the log, ranks and reason."""

    moves: tuple[str, ...]
    position: str
    resigned: str
    key: str
    ranks: tuple[int, ...]
    reason: str


SIZE = 3
"""Of a board of Cradle, for games of up to 25 moves."""


def choose_size(length: int) -> int:
    """Return the size of a board of Cradle on which random games go on for so many moves."""
    return SIZE if length <= 25 else 5


def openings(length: int) -> list[Opening]:
    """Return random games of Cradle, `length` moves long."""
    made: list[Opening] = []
    rng = random.Random(7)
    while len(made) < _TEMPLATES:
        position = get_game("cradle").setup(2, {"size": choose_size(length)})
        played: list[str] = []
        while len(played) < length and position.to_move:
            (seat,) = position.to_move
            played.append(rng.choice(position.legal_moves(seat)))
            position = position.play(seat, played[-1])
        if len(played) == length and position.to_move:
            given_up = position.resign(length % 2)
            assert given_up.outcome is not None
            assert not given_up.news
            made.append(
                Opening(
                    tuple(played),
                    position.encode(),
                    given_up.encode(),
                    build_key(given_up),
                    tuple(given_up.outcome.ranks),
                    given_up.outcome.reason,
                )
            )
    return made


def seed(url: str, count: int, moves_in_all: int, people: int, over: float = 0.0) -> None:
    """Migrate the database and fill it; it should be empty. That share of the boards, the last
    ones, is over."""
    create_database(url)
    store = Store(url)
    now = time.time()
    length = moves_in_all // count if count else 0
    played = openings(length)
    running = count - int(count * over)
    secret = bytes(32)
    hashed = Secrets((secret,), bytes).hash_password("secret")
    _fill(
        store,
        players,
        (
            {
                "userid": f"p{n}",
                "name": f"p{n}",
                "password": hashed,
                "state": "active",
                "created": now,
                "seen": now,
            }
            for n in range(people)
        ),
    )
    _fill(
        store,
        addresses,
        (
            {"player_id": n + 1, "address": f"p{n}@bench.invalid", "confirmed": now}
            for n in range(people)
        ),
    )
    _fill(
        store,
        boards,
        (
            {
                "game": "cradle",
                "version": 1,
                "options": json.dumps({"size": choose_size(length)}),
                "players": 2,
                "ply": length,
                "turn_ply": length,
                "asked": 0,
                "undos": 0,
                "rated": True,
                "secret": secret,
                "commitment": compute_commitment(secret),
                "created": now,
                "moved": now,
                "nag_days": 7.0,
                "forfeit_days": 21.0,
                **_state(played[n % _TEMPLATES], now, is_over=n >= running),
            }
            for n in range(count)
        ),
    )
    _fill(
        store,
        seats,
        (
            {
                "board_id": n + 1,
                "seat": seat,
                "player_id": (n + seat) % people + 1,
                "accepted": True,
                "moved": length > seat,
                "rank": played[n % _TEMPLATES].ranks[seat] if n >= running else None,
            }
            for n in range(count)
            for seat in (0, 1)
        ),
    )
    _fill(
        store,
        moves,
        (
            {
                "board_id": n + 1,
                "number": ply + 1,
                "ply": ply + 1,
                "kind": "move",
                "seat": ply % 2,
                "move": move,
                "words": "",
                "news": "",
                "comment": "",
                "at": now,
                "key": "",
            }
            for n in range(count)
            for ply, move in enumerate(played[n % _TEMPLATES].moves)
        ),
    )
    _fill(
        store,
        moves,
        (
            {
                "board_id": n + 1,
                "number": length + 1,
                "ply": length,
                "kind": "resign",
                "seat": length % 2,
                "move": "resign",
                "words": "",
                "news": "",
                "comment": "",
                "at": now,
                "key": played[n % _TEMPLATES].key,
            }
            for n in range(running, count)
        ),
    )
    rated: dict[int, dict[str, Any]] = {}
    _fill(
        store,
        rating_changes,
        (
            row
            for n in range(running, count)
            for row in _rated(rated, n, people, played[n % _TEMPLATES].ranks, now)
        ),
    )
    _fill(store, ratings, (rated[player] for player in sorted(rated)))
    store.close()


def _state(opening: Opening, now: float, *, is_over: bool) -> dict[str, Any]:
    """Return what is different in boards that are over."""
    length = len(opening.moves)
    if not is_over:
        return {
            "state": "running",
            "position": opening.position,
            "to_move": str(length % 2),
            "number": length,
            "outcome": None,
            "ended": None,
            "look": now + 7 * 86400.0,
        }
    return {
        "state": "over",
        "position": opening.resigned,
        "to_move": "",
        "number": length + 1,
        "outcome": json.dumps([opening.ranks, opening.reason]),
        "ended": now,
        "look": None,
    }


def _rated(
    rated: dict[int, dict[str, Any]], n: int, people: int, ranks: tuple[int, ...], now: float
) -> Iterator[dict[str, Any]]:
    """Yield what board n + 1 did to the ratings of its players, which it changes."""
    seated = [(n + seat) % people + 1 for seat in range(len(ranks))]
    if len(set(seated)) < len(seated):
        return
    before = [_rating(rated.get(player)) for player in seated]
    found = zip(seated, ranks, compute_chances(before), before, rate(before, ranks), strict=True)
    for seat, (player, rank, chance, old, new) in enumerate(found):
        row = rated.setdefault(player, {"boards": 0, "won": 0, "lost": 0})
        is_won = rank == 1
        rated[player] = {
            "player_id": player,
            "game": "cradle",
            "mu": new.mu,
            "sigma": new.sigma,
            "boards": row["boards"] + 1,
            "won": row["won"] + is_won,
            "lost": row["lost"] + (not is_won),
            "updated": now,
        }
        yield {
            "board_id": n + 1,
            "seat": seat,
            "player_id": player,
            "game": "cradle",
            "chance": chance,
            "mu_before": old.mu,
            "sigma_before": old.sigma,
            "mu": new.mu,
            "sigma": new.sigma,
            "at": now,
        }


def _rating(row: dict[str, Any] | None) -> Rating:
    return NEW if row is None else Rating(row["mu"], row["sigma"])


def _fill(store: Store, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    statement = insert(table)
    source: Iterator[dict[str, Any]] = iter(rows)
    while chunk := list(islice(source, _CHUNK)):
        with store.writing() as session:
            session.execute(statement, chunk)


def move_for(board: int, moves_in_all: int, count: int) -> str:
    """Return a legal move on a seeded board (numbered from 1)."""
    length = moves_in_all // count
    position = get_game("cradle").decode(_cached(length)[(board - 1) % _TEMPLATES].position)
    return str(position.legal_moves(length % 2)[0])


_MADE: dict[int, list[Opening]] = {}


def _cached(length: int) -> list[Opening]:
    if length not in _MADE:
        _MADE[length] = openings(length)
    return _MADE[length]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--moves", type=int, default=10_000)
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--over", type=float, default=0.0)
    parser.add_argument("--url", required=True)
    given = parser.parse_args()
    started = time.monotonic()
    seed(given.url, given.boards, given.moves, given.players, given.over)
    print(f"{given.boards} boards, {given.moves} moves in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
