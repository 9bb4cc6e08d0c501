"""Where mail comes in by itself: sockets of the configuration or handed over, and the certificate.

What is said over them is up to `pbm.mail.incoming.smtp`."""

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
    where: str | socket.socket, session: Callable[[], asyncio.BaseProtocol]
) -> tuple[asyncio.AbstractServer, str]:
    """Listen at an address of the configuration, or on a socket that was handed over: a session
    for each connection. The server, and where it is bound."""
    loop = asyncio.get_running_loop()
    if isinstance(where, socket.socket):
        bound = where.getsockname()
        if where.family == socket.AF_UNIX:
            return await loop.create_unix_server(session, sock=where), f"unix:{bound}"
        host = f"[{bound[0]}]" if ":" in bound[0] else bound[0]
        return await loop.create_server(session, sock=where), f"{host}:{bound[1]}"
    if where.startswith("unix:"):
        unix = await loop.create_unix_server(session, where[5:])
        os.chmod(where[5:], SOCKET_MODE)
        return unix, where
    host, _, port = where.rpartition(":")
    server = await loop.create_server(session, host.strip("[]") or None, int(port))
    return server, f"{host}:{server.sockets[0].getsockname()[1]}"


def tls_of(config: Config) -> ssl.SSLContext | None:
    """What STARTTLS uses; None without a certificate. ConfigError when it cannot be read."""
    if not config.smtp.certificate:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(config.smtp.certificate, config.smtp.key or None)
    except OSError as error:
        raise ConfigError(f"[smtp] certificate cannot be read: {error.strerror}") from None
    return context
