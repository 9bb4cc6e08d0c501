"""A name server of the tests on loopback, over UDP and TCP."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections import defaultdict
from collections.abc import Iterable

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

_LARGEST = 512
"""Octets of a reply over UDP; longer ones are asked for again over TCP."""


class NameServer:
    """Answers from records like `games.test. MX 10 mail.games.test.`, and knows nothing else.
    What is asked about a name in `silent` gets no answer."""

    def __init__(
        self,
        records: Iterable[str],
        address: str = "127.0.0.1",
        port: int = 0,
        silent: Iterable[str] = (),
    ) -> None:
        self._records: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for record in records:
            name, kind, value = record.split(None, 2)
            self._records[name.lower()].append((kind, value))
        self._silent = {f"{name}." for name in silent}
        self.asked: list[str] = []
        self._stream = socket.create_server((address, port))
        self.host, self.port = self._stream.getsockname()
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.bind((self.host, self.port))
        self._threads = [
            threading.Thread(target=run, daemon=True)
            for run in (self._serve_datagrams, self._serve_streams)
        ]
        for thread in self._threads:
            thread.start()

    def _serve_datagrams(self) -> None:
        while True:
            wire, peer = self._datagrams.recvfrom(4096)
            if not wire:
                return
            reply = self._answer(dns.message.from_wire(wire))
            if reply is None:
                continue
            octets = reply.to_wire()
            if len(octets) > _LARGEST:
                reply.answer.clear()
                reply.flags |= dns.flags.TC
                octets = reply.to_wire()
            self._datagrams.sendto(octets, peer)

    def _serve_streams(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._stream.accept()
                with connection, connection.makefile("rwb") as file:
                    size = file.read(2)
                    if not size:
                        return
                    query = dns.message.from_wire(file.read(int.from_bytes(size, "big")))
                    reply = self._answer(query)
                    if reply is not None:
                        octets = reply.to_wire()
                        file.write(len(octets).to_bytes(2, "big") + octets)

    def _answer(self, query: dns.message.Message) -> dns.message.Message | None:
        [question] = query.question
        name = question.name.to_text().lower()
        kind = dns.rdatatype.to_text(question.rdtype)
        self.asked.append(f"{name} {kind}")
        if name in self._silent:
            return None
        reply = dns.message.make_response(query)
        reply.flags |= dns.flags.RA
        if name not in self._records:
            reply.set_rcode(dns.rcode.NXDOMAIN)
        values = [value for each, value in self._records.get(name, ()) if each == kind]
        if values:
            reply.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *values))
        return reply

    def stop(self) -> None:
        """End it: an empty datagram and an empty connection wake the threads."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"", (self.host, self.port))
        socket.create_connection((self.host, self.port)).close()
        for thread in self._threads:
            thread.join()
        self._datagrams.close()
        self._stream.close()


def format_txt(name: str, text: str) -> str:
    """A TXT record of any length."""
    pieces = [text[at : at + 200] for at in range(0, len(text), 200)]
    return f"{name}. TXT " + " ".join(f'"{piece}"' for piece in pieces)
