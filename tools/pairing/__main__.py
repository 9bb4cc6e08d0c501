"""`python -m tools.pairing --rounds 10000` pairs so many rounds of random Swiss events, and
compares each with an independent engine: the pairs, the colours, the bye and the tables.

`--seasons 1000` plays so many whole seasons of all kinds instead, with 20 % silent and 5 %
withdrawing players. `--large 1000` times the rounds of a Swiss with so many players."""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from pbm.pairing.game_points import score_ranks
from pbm.pairing.record import Options, write_json
from pbm.pairing.rounds import begin, pair_next
from tools.pairing.seasons import announce
from tools.pairing.swiss_rounds import compare_rounds
from tools.pairing.whole_seasons import play_season


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.pairing", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--players", type=int, default=40, help="at the most, in an event")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seasons", type=int, default=0)
    parser.add_argument("--large", type=int, default=0, metavar="PLAYERS")
    options = parser.parse_args(arguments)
    if options.large:
        return time_rounds(options.seed, options.large)
    if options.seasons:
        return play_seasons(options.seed, options.seasons)
    return compare(options.seed, options.rounds, options.players)


def time_rounds(seed: int, players: int) -> int:
    """Pair nine rounds of a large Swiss, and print the seconds of processor time of each."""
    rng = random.Random(seed)
    options = Options(kind="swiss", game="chess", rounds=9)
    record = begin(announce(options, players, seed))
    for round in range(1, 10):
        began = time.process_time()
        games = pair_next(record, float(round))
        sys.stdout.write(f"round {round}: {time.process_time() - began:.2f} s\n")
        ratings = {each.number: each.rating for each in record.entrants}
        decided = []
        for game in games:
            strengths = [rng.gauss(ratings[number], 250) // 60 for number in game.seats]
            points = score_ranks([-int(each) for each in strengths])
            decided.append(game if game.is_bye else replace(game, points=points, how="played"))
        record = record.with_games(decided)
    return 0


def play_seasons(first: int, count: int) -> int:
    """Play whole seasons; an assertion that fails ends the program."""
    kinds: Counter[str] = Counter()
    gone: Counter[str] = Counter()
    games: Counter[str] = Counter()
    began = time.monotonic()
    for seed in range(first, first + count):
        record = play_season(seed)
        kinds[record.options.kind] += 1
        gone.update(entrant.why or "stayed" for entrant in record.entrants)
        games.update(game.how for game in record.games)
        if sum(kinds.values()) % 100 == 0:
            sys.stdout.write(f"{sum(kinds.values())} ")
            sys.stdout.flush()
    sys.stdout.write(
        f"\nseasons: {dict(kinds)}\nplayers: {dict(gone)}\nboards: {dict(games)}\n"
        f"({time.monotonic() - began:.0f} s)\n"
    )
    return 0


def compare(first: int, rounds: int, players: int) -> int:
    """Pair rounds beside the oracle until one differs."""
    compared = impossible = 0
    began, seed = time.monotonic(), first
    with tempfile.TemporaryDirectory() as folder:
        while compared < rounds:
            for each in compare_rounds(seed, Path(folder), players):
                compared += 1
                impossible += each.ours is None
                if each.ours != each.theirs:
                    sys.stdout.write(
                        f"seed {seed}, round {each.round}\nours   {each.ours}\n"
                        f"theirs {each.theirs}\n{write_json(each.record)}"
                    )
                    return 1
            seed += 1
    sys.stdout.write(
        f"{compared:,} rounds of {seed - first:,} events are equal; in {impossible} of them "
        f"no pairing exists ({time.monotonic() - began:.0f} s)\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
