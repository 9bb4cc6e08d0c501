"""Players as their mail servers bring them: each mail is sent again until it is accepted, now and
then once more after that, as copies from another queue are; lost connections are tried again."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field

from pbm.games import get_game
from pbm.rules import Position
from tests.faults.relay import Relay

_SECONDS = 5.0


class NotAccepted(Exception):
    """No 250 came: refused for now, or the connection was lost."""


async def submit(port: int, sender: str, text: bytes) -> None:
    """Bring one mail to a daemon's port; NotAccepted unless it answers 250 to the final dot."""
    try:
        async with asyncio.timeout(_SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                await _expect(reader, b"2")
                for line in (
                    b"EHLO mta.example",
                    b"MAIL FROM:<%s>" % sender.encode(),
                    b"RCPT TO:<pbm@game.example>",
                ):
                    writer.write(line + b"\r\n")
                    await _expect(reader, b"2")
                writer.write(b"DATA\r\n")
                await _expect(reader, b"3")
                writer.write(text + b"\r\n.\r\n")
                await _expect(reader, b"2")
            finally:
                writer.close()
    except (OSError, TimeoutError) as error:
        raise NotAccepted(type(error).__name__) from None


async def _expect(reader: asyncio.StreamReader, kind: bytes) -> None:
    while True:
        line = await reader.readline()
        if not line.startswith(kind):
            raise NotAccepted(line.decode("ascii", "replace").strip() or "closed")
        if line[3:4] != b"-":
            return


@dataclass
class Table:
    """One board as its players know it: who sits there, the position, the moves accepted."""

    number: int
    names: tuple[str, str]
    position: Position
    moves: list[str] = field(default_factory=list)


class Population:
    """Plays random games of Cradle on boards that were seeded; the next move is made when a result
    of the last one has come. `accepted` counts 250s, `ids` the mails that were accepted at least
    once."""

    def __init__(self, ports: list[int], relay: Relay, tables: int, people: int, seed: int) -> None:
        self.ports = ports
        self._relay = relay
        self.unanswered: list[str] = []
        self._random = random.Random(seed)
        self.accepted = 0
        self.refused = 0
        self.ids: set[str] = set()
        self._sent = 0
        start = get_game("cradle").setup(2, {"size": 4})
        self.tables = [
            Table(number + 1, (f"p{number % people}", f"p{(number + 1) % people}"), start)
            for number in range(tables)
        ]
        self.stopping = False

    async def play(self) -> None:
        """Play on all boards until `stopping`; a move that was begun is brought to its 250."""
        await asyncio.gather(*(self._table(table) for table in self.tables))

    async def _table(self, table: Table) -> None:
        while not self.stopping and table.position.to_move:
            (seat,) = table.position.to_move
            move = self._random.choice(table.position.legal_moves(seat))
            await self._move(table, seat, move)
            table.position = table.position.play(seat, move)
            table.moves.append(move)
            if not await self._answered(table):
                self.unanswered.append(f"move {len(table.moves)} on board {table.number}")
                return

    async def _answered(self, table: Table) -> bool:
        """Whether a result of the last move comes within five minutes."""
        ply = len(table.moves)
        wanted = (table.number, ply + 1 if table.position.to_move else ply)
        for _ in range(6000):
            if wanted in self._relay.places:
                return True
            await asyncio.sleep(0.05)
        return False

    async def _move(self, table: Table, seat: int, move: str) -> None:
        self._sent += 1
        name = table.names[seat]
        key = f"<{table.number}.{len(table.moves)}.{self._sent}@mta.example>"
        text = "\r\n".join(
            [
                f"From: {name}@game.example",
                "To: pbm@game.example",
                f"Subject: cradle move#{len(table.moves) + 1} {table.number} {name} secret {move}",
                f"Message-ID: {key}",
                "",
                "",
            ]
        ).encode()
        copies = 1 + (self._random.random() < 0.1)
        while copies:
            try:
                await submit(self._random.choice(self.ports), f"{name}@game.example", text)
            except NotAccepted:
                self.refused += 1
                await asyncio.sleep(self._random.uniform(0.02, 0.2))
            else:
                self.accepted += 1
                self.ids.add(key)
                copies -= 1
