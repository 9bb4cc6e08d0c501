"""Players behind mail servers, and the relay to which the server sends."""

from __future__ import annotations

import asyncio
import random
import re
import time
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import urlencode

from pbm.games import get_game
from pbm.rules import Position
from tools.bench.seed import SIZE

_ID = re.compile(rb"^Message-ID: (\S+)", re.M)
_PLACE = re.compile(rb"^Message-ID: <b(\d+)-\d+-(\d+)-", re.M)
_BOUNDARY = b"--=_pbm_pictured_"
"""Around the parts of a mail with a board: its text, and its page, which has the picture only when
that was drawn in time and is left out while the server is too busy."""


class Relay:
    """`taken` has the times at which each Message-ID arrived; `different` are ids that came with
    two texts, their pictures aside, `redrawn` those of which only the page with the picture
    differed, `places` the boards and plies of results. For ids in `unsure` the sender may have
    missed the 250."""

    def __init__(self, seed: int, *, faults: bool = True) -> None:
        self._random = random.Random(seed)
        self.faults = faults
        self.taken: dict[bytes, list[float]] = {}
        self.texts: dict[bytes, bytes] = {}
        self.wholes: dict[bytes, bytes] = {}
        self.different: set[bytes] = set()
        self.redrawn: set[bytes] = set()
        self.unsure: set[bytes] = set()
        self.places: set[tuple[int, int]] = set()

    async def start(self) -> int:
        """Listen. Return the port."""
        self._server = await asyncio.start_server(self._session, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def stop(self) -> None:
        """Stop listening."""
        self._server.close()

    def _chance(self, share: float) -> bool:
        return self.faults and self._random.random() < share

    async def _session(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if not self._chance(0.03):
                writer.write(b"220 relay\r\n")
                await self._dialogue(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _dialogue(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line = await reader.readline()
            command = line[:4].upper()
            if not line or command == b"QUIT":
                return
            if command == b"EHLO":
                writer.write(b"250-relay\r\n250 PIPELINING\r\n")
            elif command == b"RCPT" and self._chance(0.03):
                writer.write(b"451 4.3.0 later\r\n")
            elif command == b"DATA":
                writer.write(b"354 go\r\n")
                if not await self._text(reader, writer):
                    return
            else:
                writer.write(b"250 ok\r\n")

    async def _text(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        lines = []
        while (line := await reader.readline()) != b".\r\n":
            if not line:
                return False
            lines.append(line)
        if self._chance(0.02):
            return False
        if self._chance(0.04):
            writer.write(b"451 4.3.0 later\r\n")
            return True
        text = b"".join(lines)
        found = _ID.search(text)
        if found is None:
            writer.write(b"554 no Message-ID\r\n")
            return True
        self._keep(found[1], text)
        if self._chance(0.02):
            self.unsure.add(found[1])
            return False
        if self._chance(0.01):
            await asyncio.sleep(1.0)
        writer.write(b"250 ok\r\n")
        try:
            await writer.drain()
        except ConnectionError:
            self.unsure.add(found[1])
        return True

    def _keep(self, key: bytes, text: bytes) -> None:
        self.taken.setdefault(key, []).append(time.monotonic())
        same = b"".join(text.split(_BOUNDARY)[:2])
        if self.texts.setdefault(key, same) != same:
            self.different.add(key)
        elif self.wholes.setdefault(key, digest := sha256(text).digest()) != digest:
            self.redrawn.add(key)
        found = _PLACE.search(text)
        if found is not None:
            self.places.add((int(found[1]), int(found[2])))


_SECONDS = 30.0
_PLANS = 0.3
"""How often a move comes with a plan."""


class NotAccepted(Exception):
    """There was no 250: a temporary refusal or a lost connection."""


async def submit(port: int, sender: str, text: bytes) -> None:
    """Send a mail to a daemon; NotAccepted unless it answers the final dot with 250."""
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


async def _post(port: int, path: str, form: dict[str, str]) -> int:
    """Send a form to a page; the status of the answer, 0 when there is none."""
    body = urlencode(form).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: games.example\r\nConnection: close\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    try:
        async with asyncio.timeout(_SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(head.encode() + body)
                line = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return 0
    words = line.split()
    return int(words[1]) if len(words) > 1 else 0


@dataclass
class Table:
    """A board as its players know it: seats, position, accepted moves; and with a plan the next
    move of the other player and the answer to it."""

    number: int
    names: tuple[str, str]
    position: Position
    moves: list[str] = field(default_factory=list)
    foreseen: list[str] = field(default_factory=list)


class Population:
    """Plays random games of Cradle on seeded boards, `active` of them at a time, moving when the
    result of the last move has arrived. `accepted` counts 250s, `ids` are the mails accepted at
    least once."""

    def __init__(
        self,
        ports: list[int],
        relay: Relay,
        tables: int,
        people: int,
        seed: int,
        active: int = 12,
        pages: tuple[list[int], dict[tuple[int, int], str]] = ([], {}),
        pause: float = 0.0,
    ) -> None:
        self.ports = ports
        self._web_ports, self._links = pages
        self._pause = pause
        self.clicks = 0
        self._relay = relay
        self.unanswered: list[str] = []
        self._random = random.Random(seed)
        self.accepted = 0
        self.planned = 0
        self.refused = 0
        self.ids: set[str] = set()
        self._sent = 0
        self._late: list[tuple[str, bytes]] = []
        self._active = active
        start = get_game("cradle").setup(2, {"size": SIZE})
        self.tables = [
            Table(number + 1, (f"p{number % people}", f"p{(number + 1) % people}"), start)
            for number in range(tables)
        ]
        self._next = iter(self.tables)
        self.stopping = False
        self.over = False
        self.bringing = 0

    @property
    def progress(self) -> int:
        """Grows with every accepted mail and every result."""
        return self.accepted + len(self._relay.places)

    async def play(self) -> None:
        """Play on all boards until `stopping`; a move that was begun is sent until its 250."""
        await asyncio.gather(*(self._tables() for _ in range(self._active)))

    async def _tables(self) -> None:
        for table in self._next:
            await self._table(table)
            if self.stopping:
                return

    async def _table(self, table: Table) -> None:
        while not self.stopping and table.position.to_move:
            (seat,) = table.position.to_move
            move, *planned = table.foreseen or [self._choose(table.position)]
            table.foreseen = [] if planned else self._foresee(table.position, move)
            plan = " then ".join(table.foreseen)
            await self._move(table, seat, move, f"if {plan}" if plan else "")
            for each in (move, *planned):
                (seat,) = table.position.to_move
                table.position = table.position.play(seat, each)
                table.moves.append(each)
            self.planned += len(planned)
            if not await self._answered(table):
                self.unanswered.append(f"move {len(table.moves)} on board {table.number}")
                return
            await asyncio.sleep(self._pause)

    def _choose(self, position: Position) -> str:
        (seat,) = position.to_move
        return self._random.choice(position.legal_moves(seat))

    def _foresee(self, position: Position, move: str) -> list[str]:
        """Foresee, now and then, the next move of the other player, and the answer that is planned
        to it."""
        if self._random.random() > _PLANS:
            return []
        foreseen = list[str]()
        for played in (move, None):
            (seat,) = position.to_move
            position = position.play(seat, played or foreseen[0])
            if not position.to_move:
                return []
            foreseen.append(self._choose(position))
        return foreseen

    async def _answered(self, table: Table) -> bool:
        """Whether a result of the last move arrives before `over`."""
        ply = len(table.moves)
        wanted = (table.number, ply + 1 if table.position.to_move else ply)
        while wanted not in self._relay.places:
            if self.over:
                return False
            await asyncio.sleep(0.05)
        return True

    async def _move(self, table: Table, seat: int, move: str, plan: str) -> None:
        if self._web_ports and not plan and self._random.random() < 0.5:
            await self._click(table, seat, move)
            return
        self._sent += 1
        self.bringing += 1
        name = table.names[seat]
        key = f"<{table.number}.{len(table.moves)}.{self._sent}@mta.example>"
        text = "\r\n".join(
            [
                f"From: {name}@game.example",
                "To: pbm@game.example",
                f"Subject: cradle move#{len(table.moves) + 1} {table.number} {name} secret {move}",
                f"Message-ID: {key}",
                "",
                plan,
            ]
        ).encode()
        sender = f"{name}@game.example"
        copies = [self._bring(sender, text)]
        if self._random.random() < 0.05:
            copies.append(self._bring(sender, text))
        await asyncio.gather(*copies)
        self.ids.add(key)
        if self._random.random() < 0.05:
            await self._bring(sender, text)
        if self._random.random() < 0.05:
            self._late.append((sender, text))
        if self._late and self._random.random() < 0.04:
            await self._bring(*self._late.pop(self._random.randrange(len(self._late))))
        self.bringing -= 1

    async def _click(self, table: Table, seat: int, move: str) -> None:
        """Play a move on the seat's page, until a page says that it is played."""
        self.bringing += 1
        form = {"do": "move", "number": str(len(table.moves)), "move": move}
        link = self._links[table.number, seat]
        while True:
            status = await _post(self._random.choice(self._web_ports), link, form)
            if status in (303, 409):  # played, now or by a click whose answer was lost
                break
            self.refused += 1
            await asyncio.sleep(self._random.uniform(0.02, 0.2))
        self.clicks += 1
        self.accepted += 1
        self.bringing -= 1

    async def _bring(self, sender: str, text: bytes) -> None:
        """Send a mail until it is accepted."""
        while True:
            try:
                await submit(self._random.choice(self.ports), sender, text)
            except NotAccepted:
                self.refused += 1
                await asyncio.sleep(self._random.uniform(0.02, 0.2))
            else:
                self.accepted += 1
                return
