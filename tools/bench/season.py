"""How long the mail takes that ends a phase of Diplomacy with seven players:
`python -m tools.bench.season 20` plays so many phases on SQLite. Pictures are left out: a process
of its own draws them, when the mails are sent."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from pbm.config import Config, Database, Players, Server
from pbm.games import get_game
from pbm.store.tables import boards
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.servers import InProcess
from tests.harness.statements import one_row

_POWERS = ("ann", "eve", "fred", "gerd", "ivo", "rita", "tom")


def main(phases: int) -> None:
    """Play, and print what it takes from the last orders of a phase to the seven mails."""
    with tempfile.TemporaryDirectory() as folder:
        config = Config(
            server=Server(address=SERVER),
            database=Database(f"sqlite:///{Path(folder) / 'pbm.db'}"),
            players=Players(pictures=False),
        )
        server = InProcess(config, Clock())
        try:
            taken = _play(Conversation(server, server.clock, confirms=True), phases)
        finally:
            server.close()
    for name, times in zip(
        ("by the clock", "of a processor"), zip(*taken, strict=True), strict=True
    ):
        middle, most = statistics.median(times), max(times)
        sys.stdout.write(f"{middle:.0f} ms {name} at the median, {most:.0f} at most\n")


def _play(talk: Conversation, phases: int) -> list[tuple[float, ...]]:
    """Have seven players order as computer players would; what each last mail took."""
    talk.signup(*_POWERS)
    talk.challenge("dip", *_POWERS)
    taken = list[tuple[float, ...]]()
    while len(taken) < phases:
        with talk.server.store.reading() as session:
            row = one_row(session, boards.select().where(boards.c.id == 1))
        position = get_game("dip").decode(row.position)
        seats = sorted(position.to_move)
        if not seats:
            break
        for seat in seats:
            who = _POWERS[seat]
            body = "\n".join(position.advise(seat))
            begun = time.perf_counter(), time.process_time()
            talk.mails(who, f"dip move 1 {who} {talk.password(who)}", body)
            talk.everything()
            if seat == seats[-1]:
                ended = time.perf_counter(), time.process_time()
                took = (1000 * (end - start) for start, end in zip(begun, ended, strict=True))
                taken.append(tuple(took))
    return taken


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
