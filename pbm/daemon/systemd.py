"""The supervisor, such as systemd: it passes listening sockets and expects notifications of
readiness and life (sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3))."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass

_FIRST = 3
_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Supervisor:
    """Who watches over this process.

    address  the datagram socket where it listens; "" = nobody does
    pulse    seconds between two signs of life; 0 = none are wanted
    sockets  (name, listening socket) in the order in which they were handed over
    """

    address: str = ""
    pulse: float = 0.0
    sockets: tuple[tuple[str, socket.socket], ...] = ()

    def tell(self, *lines: str) -> None:
        """Send assignments such as READY=1; without a supervisor they are lost."""
        if self.address:
            abstract = self.address.startswith("@")
            name = "\0" + self.address[1:] if abstract else self.address
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
                link.settimeout(_SECONDS)
                with contextlib.suppress(OSError):
                    link.sendto("\n".join(lines).encode(), name)

    def sort_listeners(self, wanted: Sequence[str]) -> dict[str, list[socket.socket]]:
        """Return the sockets of each kind, smtp, lmtp and web: by their names; those of other
        names, in order, for the kinds that are `wanted` and have none. ValueError for one that is
        left over."""
        by_kind: dict[str, list[socket.socket]] = {"smtp": [], "lmtp": [], "web": []}
        others = []
        for name, listening in self.sockets:
            if name in by_kind:
                by_kind[name].append(listening)
            else:
                others.append((name, listening))
        free = [kind for kind in wanted if not by_kind[kind]]
        for number, (name, listening) in enumerate(others):
            if number >= len(free):
                raise ValueError(f"the socket {name!r} has no use: name it smtp, lmtp or web")
            by_kind[free[number]].append(listening)
        return by_kind


def find_supervisor(environment: MutableMapping[str, str]) -> Supervisor:
    """Return the supervisor that the environment names. Its variables are taken out: they are for
    this process, not for its children."""
    address = environment.pop("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@"):
        address = ""
    pulse = _parse_number(environment.pop("WATCHDOG_USEC", "")) / 2_000_000
    if environment.pop("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        pulse = 0.0
    return Supervisor(address, pulse, tuple(_take_sockets(environment)))


def _take_sockets(environment: MutableMapping[str, str]) -> list[tuple[str, socket.socket]]:
    names = environment.pop("LISTEN_FDNAMES", "").split(":")
    count = _parse_number(environment.pop("LISTEN_FDS", ""))
    if environment.pop("LISTEN_PID", "") != str(os.getpid()):
        return []
    sockets = []
    for number in range(count):
        os.set_inheritable(_FIRST + number, False)
        name = names[number] if number < len(names) else ""
        sockets.append((name, socket.socket(fileno=_FIRST + number)))
    return sockets


def _parse_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0
