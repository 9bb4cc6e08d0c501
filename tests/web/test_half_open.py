"""A flood of visitors who connect and ask nothing, from one address or through the proxy, on a real
server: whoever asks for a page gets it."""

from __future__ import annotations

import http.client
import socket
from contextlib import ExitStack, closing

import pytest

from tests.harness.visitor import Club

_CROWD = 260


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2"])
def test_the_others_are_served(club: Club, address: str) -> None:
    host, _, port = club.url.removeprefix("http://").partition(":")
    with ExitStack() as stack:
        for _ in range(_CROWD):
            visitor = socket.create_connection((host, int(port)), 60, source_address=(address, 0))
            stack.enter_context(closing(visitor))
            visitor.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        for _ in range(3):
            asked = http.client.HTTPConnection(host, int(port), timeout=60)
            with closing(asked):
                asked.request("GET", "/")
                answer = asked.getresponse()
                assert (answer.status, b"pbm@" in answer.read()) == (200, True)
