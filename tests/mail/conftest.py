"""Fixtures for the tests of mails."""

import subprocess
from pathlib import Path

import pytest

from pbm.store.engine import Store
from tests.harness.mail_room import Room


@pytest.fixture
def room(sqlite_store: Store) -> Room:
    """A mail handler with ann and bob on board 1."""
    room = Room(sqlite_store)
    with room.kept() as session:
        room.player(session, "ann")
        room.player(session, "bob")
        room.says(session, "cradle challenge ann bob", "ann@example.org", vouched=True)
    return room


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a self-signed certificate for localhost."""
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout",
            str(folder / "key.pem"),
            "-out",
            str(folder / "cert.pem"),
        ],
        check=True,
        capture_output=True,
    )
    return folder
