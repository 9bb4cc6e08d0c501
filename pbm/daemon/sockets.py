"""Listening sockets, from the configuration or the supervisor, and the certificate for STARTTLS."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
from collections.abc import Callable
from datetime import UTC, datetime

import structlog

from pbm.config import Config, ConfigError
from pbm.daemon.certificates import read_expiry

log = structlog.get_logger()
SOCKET_MODE = 0o660
"""A mail server connects to a socket file as a member of its group."""


async def listen(
    address: str | socket.socket, session: Callable[[], asyncio.BaseProtocol]
) -> tuple[asyncio.AbstractServer, str]:
    """Listen at a configured address or on a socket of the supervisor, with a session for each
    connection; the server and the address that it is bound to."""
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
        """Take the certificate that has been renewed meanwhile; sessions that begin get it. One
        that cannot be used changes nothing: its key may come a moment later."""
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
    """Return the certificate of [smtp]; None without one. ConfigError when it cannot be used."""
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
