"""Whether bots that think slow mail: the calm p99 of other players' moves, without and with boards
that wait for `mcts`.

    python -m tools.bench.thinking --harness FOLDER [--boards 50] [--rounds 3]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import select, update

from pbm.core.house_players import enrol, find_waiting
from pbm.store.engine import Store
from pbm.store.tables import players, seats
from tools.bench.seed import seed
from tools.bench.server import load, running, write_mails

_MAILS, _WARM, _RATE = 400, 100, 40
_SIZE = 1_000, 2_000, 100
"""Boards, moves and players of the database."""


def measure(harness: Path, work: Path, waiting: int) -> float:
    """Return the p99, in milliseconds from sending to the last result, of calm moves beside so many
    boards that wait for `mcts` from the beginning to the end."""
    work.mkdir()
    url = f"sqlite:///{work}/pbm.db"
    seed(url, *_SIZE)
    write_mails(work / "mails.jsonl", range(1, _WARM + _MAILS + 1), _SIZE)
    store = Store(url)
    seat_bots(store, range(_SIZE[0] - waiting + 1, _SIZE[0] + 1))
    with running(work, url) as server:
        measured = load(harness, server, work, _WARM, _MAILS, rate=_RATE)
    with store.reading() as session:
        left = len(find_waiting(session, waiting + 1))
    store.close()
    if waiting and not left:
        raise SystemExit("the boards that waited for mcts are done too early: name more of them")
    shutil.rmtree(work)
    return float(measured["ms_send_to_last"]["p99"])


def seat_bots(store: Store, boards: Sequence[int]) -> None:
    """Give both seats of these boards to bots, `mcts` the one on the move. Nobody is mailed about
    them: the harness has no relay between its warm-up and what it measures, and after a mail that
    finds none the server rests."""
    with store.writing() as session:
        enrol(session, time.time())
        for seat, name in enumerate(("mcts", "random")):
            bot = session.execute(select(players.c.id).where(players.c.name == name)).scalar_one()
            chosen = seats.c.board_id.in_(boards) & (seats.c.seat == seat)
            session.execute(update(seats).where(chosen).values(player_id=bot))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure both in turn and print the medians."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.thinking")
    parser.add_argument("--harness", type=Path, required=True)
    parser.add_argument("--boards", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    found: dict[int, list[float]] = {0: [], options.boards: []}
    with tempfile.TemporaryDirectory(prefix="pbm-thinking-") as folder:
        for number in range(options.rounds):
            for waiting in found:
                work = Path(folder, f"{number}-{waiting}")
                found[waiting].append(measure(options.harness, work, waiting))
    alone, beside = map(statistics.median, found.values())
    sys.stdout.write(
        f"calm p99: {alone:.1f} ms alone, {beside:.1f} ms beside {options.boards} boards that wait "
        f"for mcts: {beside / alone:.2f} times\n"
    )


if __name__ == "__main__":
    main()
