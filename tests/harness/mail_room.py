"""A server without sockets: one mail goes in, its effects are seen, nothing is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import func, insert, select, update

from pbm.config import Config, Server
from pbm.core.authenticate import PasswordChecks, authenticate
from pbm.core.command import Sender
from pbm.core.notices import BoardUpdate, Notice
from pbm.core.parser import read_line
from pbm.core.secrets import Secrets
from pbm.core.storing import load
from pbm.core.submit import Submission, send_nothing
from pbm.mail.execute import execute_mail
from pbm.mail.read import IncomingMail, read_mail
from pbm.mail.services import MailServices, open_services
from pbm.mail.verify import verify_mail
from pbm.store import inbound_queue
from pbm.store.engine import Store
from pbm.store.rows import Query
from pbm.store.tables import InboundRow, addresses, inbound, metadata, moves, outbound, players
from pbm.store.transaction import Session
from tests.harness.mail import in_time

SERVER = "pbm@games.example"
NOW = 1772452800.0
PASSWORD = "Sesame-open"


class _Undone(Exception):
    """Rolls a session back."""


@dataclass
class Room:
    """What mails are executed with, on a database."""

    store: Store
    config: Config = field(default_factory=lambda: Config(server=Server(SERVER)))
    now: float = NOW
    ours: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        count = iter(range(1, 1_000_000))
        self.secrets = Secrets((b"k" * 32,), lambda size: next(count).to_bytes(size, "big"))
        self.services = open_services(self.config, self.secrets)
        self.hash = self.secrets.hash_password(PASSWORD)

    @contextmanager
    def kept(self) -> Iterator[Session]:
        """A session that is committed."""
        with self.store.writing() as session:
            yield session

    @contextmanager
    def tried(self) -> Iterator[Session]:
        """A session that is rolled back."""
        with suppress(_Undone), self.store.writing() as session:
            yield session
            raise _Undone

    def player(self, session: Session, name: str, *where: str, **preferences: str) -> int:
        """Register a player with confirmed addresses. Return the number."""
        row = {
            "userid": name,
            "name": name,
            "password": self.hash,
            "state": "active",
            "preferences": json.dumps(preferences),
            "created": self.now,
            "seen": self.now,
        }
        number = session.execute(insert(players).values(row).returning(players.c.id)).scalar_one()
        for address in where or (f"{name}@example.org",):
            session.execute(
                insert(addresses).values(
                    player_id=number, address=address.lower(), confirmed=self.now
                )
            )
        return int(number)

    def moved(self, session: Session, name: str, address: str) -> None:
        """Replace a player's address."""
        number = session.execute(select(players.c.id).where(players.c.name == name)).scalar_one()
        session.execute(
            update(addresses).where(addresses.c.player_id == number).values(address=address.lower())
        )

    def says(
        self, session: Session, line: str, address: str, text: str = "", *, vouched: bool = False
    ) -> list[Notice]:
        """Execute a command as if it came from that address, which may be vouched for."""
        command = read_line(line, Sender(address, vouched=vouched), text)
        checks = PasswordChecks(self.secrets, self.config)
        command = authenticate(session, command, checks, self.now)
        submission = Submission((command,), self.now, send_nothing)
        return self.services.service.submit(session, submission, self.now).notices

    def proves(self, player: int) -> str:
        """A reply address that proves its player's mails."""
        return SERVER.replace(
            "@", f"+{self.secrets.make_player_token(player, self.hash, self.now)}@"
        )

    def takes(
        self, session: Session, raw: bytes, envelope: str | None, recipient: str = SERVER
    ) -> list[dict[str, Any]]:
        """Journal a mail and execute it in bounded time. Return the mails that go out."""
        number = session.execute(
            insert(inbound)
            .values(
                received=self.now,
                via="smtp",
                envelope_from=envelope,
                recipient=recipient,
                raw=raw,
                state="waiting",
            )
            .returning(inbound.c.id)
        ).scalar_one()
        query = Query(InboundRow, select(inbound).where(inbound.c.id == number))
        mail = session.one(query)

        def handle() -> list[dict[str, Any]]:
            job = prepare(self.services, session, mail)
            assert inbound_queue.claim(session, number) is not None
            return execute_mail(self.services, session, job, self.now)

        rows = in_time(handle)
        self.last = session.one(query)
        return rows

    @staticmethod
    def played(session: Session) -> list[str]:
        """The moves on all boards."""
        return [str(move) for move in session.execute(select(moves.c.move)).scalars()]

    @staticmethod
    def sent(session: Session) -> int:
        """The number of mails in the outbox."""
        return int(session.execute(select(func.count()).select_from(outbound)).scalar_one())

    @staticmethod
    def legal(session: Session, number: int) -> tuple[str, ...]:
        """The legal moves on a board."""
        board = load(session, number)
        return tuple(board.position.legal_moves(min(board.position.to_move)))


@cache
def example() -> BoardUpdate:
    """What a real mail about a board says."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pbm.db"
        path.touch()
        store = Store(f"sqlite:///{path}")
        metadata.create_all(store.engine)
        room = Room(store)
        with room.tried() as session:
            room.player(session, "ann")
            room.player(session, "bob")
            notices = room.says(
                session, "cradle challenge ann bob", "ann@example.org", vouched=True
            )
        store.close()
    return next(n.content for n in notices if isinstance(n.content, BoardUpdate))


# A mail from its row to its answers, without a worker.


def prepare(services: MailServices, session: Session, row: InboundRow) -> IncomingMail:
    """Read and verify a mail."""
    return verify_mail(services, session, read_mail(services, row))
