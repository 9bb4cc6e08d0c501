"""What an entry costs beside many events, and beside none: `python -m tools.bench.entering`.

An entry is a mail: read, executed, saved, and answered by one that is composed but not sent."""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace
from sqlalchemy import insert, select

from pbm.config import Config, Database, Limits
from pbm.config import Server as Address
from pbm.store.event_tables import entrants, events
from pbm.store.tables import players
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.servers import InProcess

_TERMS = "swiss cradle -size=2 --rounds=3 --begins=2027-03-09 --name=Cup"
_PLAYERS = 60
_ENTERED = 20


def measure(folder: Path, others: int) -> list[float]:
    """Return the milliseconds of each player's entry, in order, beside so many other events."""
    config = Config(
        server=Address(address=SERVER),
        database=Database(f"sqlite:///{folder}/pbm.db"),
        limits=replace(Limits(), mails_a_day=0, strangers_an_hour=0, signups_a_day=0),
    )
    clock = Clock()
    server = InProcess(config, clock)
    talk = Conversation(server, clock, confirms=config.players.confirm_addresses)
    people = [f"p{number:02}" for number in range(1, _PLAYERS + 1)]
    talk.signup("ann", *people)
    talk.proves("ann", f"event new {_TERMS}")
    talk.everything()
    _copy_event(server, others)
    spent = []
    for who in people:
        began = time.perf_counter()
        talk.proves(who, "event enter 1")
        spent.append(1000 * (time.perf_counter() - began))
        talk.receives(who, "[event 1] you have entered Cup")
    server.close()
    return spent


def _copy_event(server: InProcess, count: int) -> None:
    """Make so many more events like the first, each with players who have entered it."""
    with server.store.writing() as session:
        row = dict(session.execute(select(events)).mappings().one())
        numbers = session.execute(select(players.c.id).limit(_ENTERED)).scalars().all()
        for number in range(2, count + 2):
            session.execute(insert(events).values({**row, "id": number, "name": f"Cup {number}"}))
            for start, player in enumerate(numbers, 1):
                entrant = {"event_id": number, "player_id": player, "number": start}
                values = {**entrant, "rating": 1500, "entered": row["created"]}
                session.execute(insert(entrants).values(values))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.bench.entering", description=__doc__)
    parser.add_argument("--events", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args(arguments)
    print("| other events | first entry, ms | median | longest of the others |")
    print("| ---: | ---: | ---: | ---: |")
    for _ in range(given.rounds):
        for others in (0, given.events):
            with tempfile.TemporaryDirectory(prefix="pbm-entering-") as folder:
                first, *rest = measure(Path(folder), others)
            print(f"| {others:,} | {first:.1f} | {statistics.median(rest):.1f} | {max(rest):.1f} |")


if __name__ == "__main__":
    main()
