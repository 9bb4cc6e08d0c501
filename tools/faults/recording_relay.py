"""A relay that accepts, refuses temporarily, hangs and drops connections at random. It keeps every
text it received, even those whose 250 never arrived."""

from __future__ import annotations

import asyncio
import random
import re
import time

_ID = re.compile(rb"^Message-ID: (\S+)", re.M)
_PLACE = re.compile(rb"^Message-ID: <b(\d+)-\d+-(\d+)-", re.M)
_BOUNDARY = b"--=_pbm_pictured_"
"""Around the parts of a mail with a board: its text, and its page, which has the picture only when
that was drawn in time and is left out while the server is too busy."""


class Relay:
    """`taken` has the times at which each Message-ID arrived; `different` are ids that came with
    two texts, their pictures aside, `places` the boards and plies of results. For ids in `unsure`
    the sender may have missed the 250."""

    def __init__(self, seed: int, *, faults: bool = True) -> None:
        self._random = random.Random(seed)
        self.faults = faults
        self.taken: dict[bytes, list[float]] = {}
        self.texts: dict[bytes, bytes] = {}
        self.different: set[bytes] = set()
        self.unsure: set[bytes] = set()
        self.places: set[tuple[int, int]] = set()

    async def start(self) -> int:
        """Listen; the port."""
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
        found = _PLACE.search(text)
        if found is not None:
            self.places.add((int(found[1]), int(found[2])))
