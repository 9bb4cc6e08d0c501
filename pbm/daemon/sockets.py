"""Listening sockets, from the configuration or the supervisor, and the certificate for STARTTLS."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import socket
import ssl
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import structlog

from pbm.config import Config, ConfigError
from pbm.daemon.startup import read_expiry

log = structlog.get_logger()
SOCKET_MODE = 0o660
"""The mode of socket files: a mail server connects as a member of the group."""


async def listen(
    address: str | socket.socket, session: Callable[[], asyncio.BaseProtocol]
) -> tuple[asyncio.AbstractServer, str]:
    """Listen at a configured address or on a socket of the supervisor, with a session for each
    connection. Return the server and its bound address."""
    loop = asyncio.get_running_loop()
    if isinstance(address, socket.socket):
        bound = address.getsockname()
        if address.family == socket.AF_UNIX:
            return await loop.create_unix_server(session, sock=address), f"unix:{bound}"
        host = f"[{bound[0]}]" if ":" in bound[0] else bound[0]
        return await loop.create_server(session, sock=address), f"{host}:{bound[1]}"
    if address.startswith("unix:"):
        unix = await loop.create_unix_server(session, address[5:])
        os.chmod(address[5:], SOCKET_MODE)
        return unix, address
    host, _, port = address.rpartition(":")
    server = await loop.create_server(session, host.strip("[]") or None, int(port))
    return server, f"{host}:{server.sockets[0].getsockname()[1]}"


class Certificate:
    """The certificate that STARTTLS offers. OSError or ValueError when it cannot be used.

    context  what a session uses
    expires  when it ends
    """

    def __init__(self, certificate: str, key: str) -> None:
        self._certificate, self._key = certificate, key or None
        self._changed = os.stat(certificate).st_mtime_ns
        self.context = self._load()
        self.expires = read_expiry(certificate)

    def _load(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self._certificate, self._key)
        return context

    def refresh(self) -> None:
        """Load the certificate if it has been renewed; new sessions use it. One that cannot be used
        changes nothing: its key may come a moment later."""
        with contextlib.suppress(OSError, ValueError):
            changed = os.stat(self._certificate).st_mtime_ns
            if changed == self._changed:
                return
            expires = read_expiry(self._certificate)
            self._load()  # what fits together is put into the context that sessions have
            self.context.load_cert_chain(self._certificate, self._key)
            self._changed, self.expires = changed, expires
            log.info("certificate renewed", expires=f"{datetime.fromtimestamp(expires, UTC):%F}")


def load_certificate(config: Config) -> Certificate | None:
    """Return the certificate of [smtp]; None if there is none. ConfigError when it cannot be
    used."""
    if not config.smtp.certificate:
        return None
    try:
        return Certificate(config.smtp.certificate, config.smtp.key)
    except OSError as error:
        raise ConfigError(f"[smtp] certificate cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"[smtp] certificate cannot be used: {error}") from None


def find_fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the factory of uvloop, which is faster, if it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


# The supervisor, such as systemd: it passes listening sockets and expects notifications of
# readiness and life (sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3)).

_FIRST = 3
_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Supervisor:
    """The program that supervises this process.

    address  the datagram socket where it listens; "" = nobody does
    pulse    seconds between two signs of life; 0 = none are wanted
    sockets  (name, listening socket) in the order received
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
        """Return the sockets of each kind, smtp, lmtp and web, by their names. Sockets with other
        names go, in order, to the `wanted` kinds that have none. ValueError for one left over."""
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
    """Return the supervisor named in the environment, and remove its variables, which are not for
    this process's children."""
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


# How much memory a process may have, and has.

_MIB = 1 << 20


def limit_memory(mib: int, *, for_good: bool = True) -> None:
    """Limit this process's memory to `mebibytes` beyond its present use; 0 = no limit. Unless
    `for_good`, a child process can lift the limit with `lift_limit`."""
    if not mib:
        return
    with contextlib.suppress(OSError, ValueError):  # no Linux, or a lower limit holds already
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
        most = pages * resource.getpagesize() + mib * _MIB
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most if for_good else hard))


def lift_limit() -> None:
    """Remove a limit that is not for good."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def measure_memory(pid: int) -> int:
    """Return the MiB that a process has in memory; 0 when unknown."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * resource.getpagesize() // _MIB
