"""Events played out with random results, for tests and for `python -m tools.populations.events`."""

import random
from collections.abc import Callable

from msgspec.structs import replace

from pbm.pairing.game_points import score_ranks
from pbm.pairing.record import DAY, Entrant, EventGame, Options, Record, commit
from pbm.pairing.rounds import begin, is_over, leave, pair_next

NAMES = ("ann", "bob", "cyd", "dee", "eve", "fay", "gus", "hal", "ida", "jon")


def announce(options: Options, count: int, seed: int = 1) -> Record:
    """Return an event with entrants of different ratings, before it begins."""
    rng = random.Random(seed)
    secret = rng.randbytes(32).hex()
    return Record(
        event=seed,
        name=f"Event {seed}",
        options=options,
        secret=secret,
        commitment=commit(secret),
        begins=DAY,
        ends=100 * DAY,
        entrants=tuple(
            Entrant(
                number=n + 1,
                name=NAMES[n] if n < len(NAMES) else f"player{n}",
                rating=rng.randrange(1200, 2000),
            )
            for n in range(count)
        ),
    )


def decide(record: Record, game: EventGame, rng: random.Random) -> tuple[float, ...]:
    """Draw random points for a board; the higher rated win more often."""
    strengths = [rng.gauss(record.entrant(number).rating, 250) for number in game.seats]
    if len(strengths) == 2 and abs(strengths[0] - strengths[1]) < 60:
        return 0.5, 0.5
    order = sorted(strengths, reverse=True)
    return score_ranks([order.index(strength) for strength in strengths])


def finish(record: Record, game: EventGame, rng: random.Random, now: float) -> Record:
    """Return the record after a board has ended."""
    return record.with_games(
        [replace(game, points=decide(record, game, rng), how="played", ended=now)]
    )


def play(
    record: Record,
    rng: random.Random,
    leaving: float = 0,
    watch: Callable[[Record, tuple[EventGame, ...]], None] = lambda record, games: None,
) -> Record:
    """Return an event from its beginning to its end: boards end in random order, and after each a
    player leaves with the chance `leaving`."""
    record, now = begin(record), DAY
    while True:
        games = pair_next(record, now)
        watch(record, games)
        record = record.with_games(games)
        if is_over(record, now):
            return replace(record, ended=now)
        if record.open_games:
            record = finish(record, rng.choice(record.open_games), rng, now)
        now += DAY / 100
        if rng.random() < leaving and len(record.present) > 2:
            record = leave(record, rng.choice(record.present).number, now, "withdrew")
