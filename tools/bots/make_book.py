"""Make the opening book: python -m tools.bots.make_book [GAME[:WORK[:POSITIONS]] ...]

The search of `mcts` thinks about the first positions of a game, with so much work each (playouts or
positions), those first that are likely to occur: the start, what follows the moves that it likes
itself, and what follows the next best, which others may play. Of moves about as good as the best
one the book has a few.

All it found is appended to `--results`. What is there is not thought about again: the program can
be stopped and continued, and asked for more. It prints the book, `pbm/bots/book.txt`, of all that
is there."""

from __future__ import annotations

import argparse
import heapq
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pbm.bots.searches import AlphaBeta, Search
from pbm.bots.turns import Line, Place, Replies, Searcher, build_search, identify
from pbm.games import get_game
from pbm.rules import Position

WORK, POSITIONS = 10_000, 12
TURNS = 8
"""The book ends after so many turns."""
MOST = 4
"""Moves that the book has for a position."""
OTHERS = 2
"""Moves that it does not play, but to which it looks for a reply."""
SURPRISE = 0.2
"""How often one of those is played."""
MARGIN = 0.01
"""A move that gets so much less than the best is not as good. Alpha-beta knows it exactly of moves
that get 0.016 less, in the first turns."""
VISITED = 0.25
"""Nor is one to which a tree search came back so much less often."""
BEST = 9
"""How often the best move is played, compared with the others."""


def think(position: Position, work: int, seed: str) -> Replies:
    """Return the moves for a position."""
    (seat,) = position.to_move
    moves = position.legal_moves(seat)
    if len(moves) == 1:
        return {moves[0]: BEST}
    search = build_search(position, random.Random(seed))
    search.run(lambda: search.work >= work)
    ranked = list(rank(search))
    kept = [(move, weight) for move, weight in ranked if weight][:MOST]
    others = [(move, 0) for move, weight in ranked if not weight][:OTHERS]
    return dict(kept + others)


def rank(search: Searcher) -> Iterator[tuple[str, int]]:
    """Yield the moves of a search, the best first, with how often they are played: those that a
    tree search came back to, or those that get about as much as the best."""
    if isinstance(search, Search):
        visits = {move: node.visits for move, node in search.root.children.items()}
        for move, _ in search.list_values():
            near = visits[move] / max(visits.values())
            yield move, round(BEST * near) if near >= VISITED else 0
    elif isinstance(search, AlphaBeta):
        for move, loss in search.list_losses():
            yield move, max(1, round(BEST * (1 - loss / MARGIN))) if loss < MARGIN else 0


def grow(
    name: str, known: Mapping[Line, Replies], work: int, count: int
) -> Iterator[tuple[Line, Replies]]:
    """Yield what the book has for `count` positions of a game, the likeliest first."""
    waiting: list[tuple[float, Line, Position]] = [(-1.0, (), get_game(name).setup(2))]
    seen = set[Place]()
    while waiting and len(seen) < count:
        likely, line, position = heapq.heappop(waiting)
        place = identify(position)
        if place in seen or position.outcome is not None or position.turn >= TURNS:
            continue
        seen.add(place)
        replies = known.get(line) or think(position, work, f"{name}/{'/'.join(line)}")
        yield line, replies
        (seat,) = position.to_move
        total, others = sum(replies.values()), [*replies.values()].count(0)
        for move, weight in replies.items():
            share = weight / total * (1 - SURPRISE) if weight else SURPRISE / others
            after = position.play(seat, move)
            heapq.heappush(waiting, (likely * share, (*line, move), after))


def load_results(path: Path) -> Mapping[str, dict[Line, Replies]]:
    """Return what was found so far, of each game."""
    found: dict[str, dict[Line, Replies]] = defaultdict(dict)
    for row in path.read_text().splitlines() if path.exists() else ():
        name, line, replies = json.loads(row)
        found[name][tuple(line)] = replies
    return found


def build_book(found: Mapping[str, Mapping[Line, Replies]]) -> str:
    """Return the text of the book. What nothing follows is left out unless it is played."""
    games = {}
    for name, known in found.items():
        lines = {
            (*line, move): weight
            for line, replies in known.items()
            for move, weight in replies.items()
            if weight or (*line, move) in known
        }
        games[name] = lines
    return write_book(games)


def write_book(games: Mapping[str, Mapping[Line, int]]) -> str:
    """Return the text that has these lines."""
    rows: list[str] = []
    for name, lines in sorted(games.items()):
        rows.append(f"[{name}]")
        below: dict[Line, list[Line]] = defaultdict(list)
        for line in sorted(lines, key=lambda line: -lines[line]):
            below[line[:-1]].append(line)
        waiting = below[()][::-1]
        while waiting:
            line = waiting.pop()
            rows.append(f"{' ' * (len(line) - 1)}{line[-1]} {lines[line]}")
            waiting += below[line][::-1]
    return "\n".join(rows) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Think and print the book."""
    parser = argparse.ArgumentParser(prog="python -m tools.bots.make_book")
    parser.add_argument("games", nargs="*", metavar="GAME[:WORK[:POSITIONS]]")
    parser.add_argument("--results", type=Path, default=Path("book.jsonl"))
    options = parser.parse_args(arguments)
    found = load_results(options.results)
    with options.results.open("a") as file:
        for asked in options.games:
            name, *numbers = asked.split(":")
            work, count = [*map(int, numbers), *(WORK, POSITIONS)[len(numbers) :]]
            began = time.process_time()
            for line, replies in grow(name, found[name], work, count):
                if line not in found[name]:
                    found[name][line] = replies
                    file.write(json.dumps([name, line, replies]) + "\n")
                    file.flush()
            sys.stderr.write(f"{name} {time.process_time() - began:.0f} s\n")
    sys.stdout.write(build_book(found))


if __name__ == "__main__":
    main()
