"""Listening sockets, from the configuration or the supervisor, and the certificate for STARTTLS."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Callable

from pbm.config import Config, ConfigError

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


def load_tls(config: Config) -> ssl.SSLContext | None:
    """What STARTTLS uses; None without a certificate. ConfigError when it cannot be read."""
    if not config.smtp.certificate:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(config.smtp.certificate, config.smtp.key or None)
    except OSError as error:
        raise ConfigError(f"[smtp] certificate cannot be read: {error.strerror}") from None
    return context


def find_fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The factory of uvloop, which is faster, if it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
