"""Counts the lines of play of variants against published numbers, those of the tests of
Fairy-Stockfish and of the Chess Programming Wiki.

python -m tools.games.variant_perft [SECTION ...] writes a table in Markdown."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from pbm.rules.chess.variants.generation import VariantMoves, generate
from pbm.rules.chess.variants.men_tables import MenTables
from pbm.rules.chess.variants.playing import find_end, play
from pbm.rules.chess.variants.reader import read_shelf
from pbm.rules.chess.variants.start import list_walls, read_start
from pbm.rules.chess.variants.state import State


class Count(NamedTuple):
    """A published number: how many lines of so many moves there are from a position, or from the
    first one."""

    section: str
    depth: int
    lines: int
    fen: str = ""


PUBLISHED = (
    Count("losalamos", 5, 191846),
    Count("makruk", 4, 273026),
    Count("cambodian", 4, 361793),
    Count("cambodian", 2, 72, "r1s1ks1r/3nm3/pppNpppp/3n4/5P2/PPPPPNPP/8/R1SKMS1R b DEe - 0 5"),
    Count("asean", 4, 273026),
    Count("sittuyin", 3, 580096),
    Count("shatranj", 4, 68122),
    Count("amazon", 4, 318185),
    Count("nightrider", 4, 419019),
    Count("grasshopper", 4, 635298),
    Count("hoppelpoppel", 4, 202459),
    Count("newzealand", 4, 200310),
    Count("racingkings", 4, 296242),
    Count("atomic", 4, 197326),
    Count("atomic", 2, 148, "r4b1r/2kb1N2/p2Bpnp1/8/2Pp3p/1P1PPP2/P5PP/R3K2R b KQ - 0 1"),
    Count("antichess", 4, 153299),
    Count("giveaway", 4, 153299),
    Count("giveaway", 12, 2557, "8/2p5/8/8/8/8/P7/8 w - - 0 1"),
    Count("codrus", 4, 153299),
    Count("codrus", 4, 19, "5bnr/2pp2pp/P4k2/R3Q1P1/8/2N1K3/1P1PP1PP/2B2BNR w - - 1 15"),
    Count("horde", 4, 23310),
    Count("coregal", 4, 195896),
    Count("coregal", 3, 20421, "rn2kb1r/ppp1pppp/6q1/8/2PP2b1/5B2/PP3P1P/R1BQK1NR w KQkq - 1 9"),
    Count("knightmate", 4, 139774),
    Count("losers", 4, 152955),
    Count("3check", 3, 12407, "7r/1p4p1/pk3p2/RN6/8/P5Pp/3p1P1P/4R1K1 w - - 1+3 1 39"),
    Count("crazyhouse", 4, 197281),
    Count("crazyhouse", 2, 75353, "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1"),
    Count("loop", 4, 197281),
    Count("chessgi", 4, 197281),
    Count("pocketknight", 3, 88617),
    Count("placement", 3, 50560),
    Count("seirawan", 4, 782599),
    Count("euroshogi", 4, 380499),
    Count("minishogi", 5, 533203),
    Count("kyotoshogi", 5, 225903),
    Count("torishogi", 4, 103857),
    Count("shogi", 4, 719731),
    Count("yarishogi", 4, 158404),
    Count("capablanca", 4, 805128),
    Count("embassy", 4, 809539),
    Count("janus", 4, 772074),
    Count("modern", 4, 433729),
    Count("courier", 4, 500337),
    Count("grand", 3, 259514),
    Count("janggi", 4, 1065277),
    Count("jesonmor", 3, 27960),
)


def count(published: Count) -> int:
    """Return how many lines there are here."""
    rules = read_shelf()[published.section]
    if published.fen:
        rules = replace(rules, start=published.fen)
    tables = MenTables(rules, list_walls(rules))
    state = read_start(tables)
    return _count(tables, state, generate(tables, state), published.depth)


def _count(tables: MenTables, state: State, generated: VariantMoves, depth: int) -> int:
    """Return the lines from a position: none from where the game is over."""
    if find_end(tables, state, generated):
        return 0
    if depth == 1:
        return len(generated.moves)
    return sum(_count(tables, *play(tables, state, move), depth - 1) for move in generated.moves)


def main(sections: Iterable[str]) -> int:
    """Write the table. The status is 1 if a number differs."""
    wanted, differing = set(sections), 0
    print("| section | position | moves | published | here |\n| --- | --- | ---: | ---: | ---: |")
    for one in PUBLISHED:
        if wanted and one.section not in wanted:
            continue
        found = count(one)
        differing += found != one.lines
        fen = f"`{one.fen}`" if one.fen else "first"
        print(f"| {one.section} | {fen} | {one.depth} | {one.lines:,} | {found:,} |", flush=True)
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
