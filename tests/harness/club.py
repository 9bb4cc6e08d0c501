"""A server with web pages for a test: `pbm serve` in a folder of its own, players, boards, and the
links of their seats."""

from __future__ import annotations

import re
import smtplib
import time
from collections.abc import Mapping
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from sqlalchemy import func, select

from pbm.config import Config, load
from pbm.core.authenticate import authenticate
from pbm.core.board import Board
from pbm.core.command import Sender
from pbm.core.links import make_seat_link
from pbm.core.parser import read_line
from pbm.core.password_checks import PasswordChecks
from pbm.core.player import get_player
from pbm.core.storing import load as load_board
from pbm.core.submit import Submission, send_nothing
from pbm.daemon.keys import load_secrets
from pbm.mail.postbox import build_service
from pbm.store import reads
from pbm.store.engine import Store
from pbm.store.tables import boards
from tests.harness.databases import create_database
from tests.harness.server_process import ServerProcess

_PATIENCE = 60.0


class Club:
    """A running server; `folder` holds all of its state, unless the URL of a database is given."""

    def __init__(
        self,
        folder: Path,
        limits: str = "",
        database: str = "",
        *,
        confirms: bool = False,
        web: str = "",
    ) -> None:
        path = folder / "pbm.toml"
        path.write_text(
            "[server]\naddress = 'pbm@games.example'\n"
            f"[database]\nurl = '{database or f'sqlite:///{folder}/pbm.db'}'\n"
            f"[relay]\nurl = 'maildir:{folder}/mail'\n"
            "[smtp]\nlisten = '127.0.0.1:0'\n"
            f"[players]\nconfirm_addresses = {str(confirms).lower()}\n"
            f"[limits]\nopen_boards = 0\n{limits}\n"
            "[bots]\nenabled = false\n"
            "[web]\nlisten = '127.0.0.1:0'\nurl = 'http://127.0.0.1:1'\n"
            f"{web}",
            encoding="utf-8",
        )
        create_database(database or f"sqlite:///{folder}/pbm.db")
        root = Path(__file__).parents[2]
        self._server = ServerProcess(path, PYTHONPATH=f"{root}:{root / 'tests' / 'plugin'}")
        self.log = folder / "log"
        self.config: Config = load(str(path), {})
        self._server.await_ready()
        self.port = self._server.port()
        self.url = f"http://{self._server.places['web']}"
        self.store = Store(self.config.database.url)
        self._secrets = load_secrets(self.store)
        self._service = build_service(self.config, self._secrets)

    def close(self) -> None:
        """Stop the server."""
        self.store.close()
        self._server.end()

    def submit(self, line: str) -> None:
        """Do what the operator types."""
        now = time.time()
        command = read_line(line, Sender(via="terminal", operator=not line.startswith("signup")))
        checks = PasswordChecks(self._secrets, self.config)
        with self.store.reading() as session:
            command = authenticate(session, command, checks, now)
        with self.store.writing() as session:
            result = self._service.submit(session, Submission((command,), now, send_nothing), now)
        assert not result.is_refused, (line, result.notices)

    def signup(self, *names: str) -> None:
        """Open accounts."""
        for name in names:
            self.submit(f"signup {name} Sesame-{name} {name}@example.org")

    def challenge(self, game: str, *names: str, options: str = "") -> int:
        """Start a board; its number."""
        self.submit(f"{game} challenge {' '.join(names)} {options}".strip())
        with self.store.reading() as session:
            number = int(session.execute(select(func.max(boards.c.id))).scalar_one())
            board = load_board(session, number)
        for seat in board.seats if board.state == "invited" else ():
            if not seat.accepted:
                self.submit(f"{game} accept {number} {seat.userid}")
        return number

    def links(self, board: int) -> list[str]:
        """The links of the seats, in order."""
        with self.store.reading() as session:
            links = []
            for seat in reads.find_seats(session, board):
                player = get_player(session, seat.player_id)
                assert player is not None
                addresses = reads.find_addresses(session, player.id)
                link = make_seat_link(self._secrets, board, seat.seat, player.password, addresses)
                links.append(f"{self.url}/s/{link}")
        return links

    def home(self, name: str) -> str:
        """The link of a player's own pages, from the answer to a mail of that player's."""
        mail = EmailMessage()
        mail["From"], mail["To"] = f"{name}@example.org", self.config.server.address
        mail["Subject"] = f"mine {name} Sesame-{name}"
        with smtplib.SMTP("127.0.0.1", self.port, timeout=_PATIENCE) as client:
            client.send_message(mail)
        return self.mailed_link(f"{name}@example.org", "u")

    def mailed_link(self, address: str, folder: str) -> str:
        """The link that a mail brings to an address, by the first part of its path."""
        mails = Path(self.config.relay.url.partition(":")[2])
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            for path in mails.rglob("new/*"):
                sent = message_from_bytes(path.read_bytes(), policy=policy.default)
                body = sent.get_body(("plain",)) if address in str(sent["To"]) else None
                text = body.get_content() if body else ""
                if found := re.search(rf"http://\S+(/{folder}/[a-z0-9-]+)", text):
                    return self.url + found[1]
            time.sleep(0.1)
        raise AssertionError(f"{address} gets no mail with such a link")

    def load(self, board: int) -> Board:
        """A board as it is now."""
        with self.store.reading() as session:
            return load_board(session, board)

    def state(self, board: int) -> tuple[str, frozenset[int]]:
        """The state of a board, and who is to move."""
        with self.store.reading() as session:
            row = reads.find_board(session, board)
        assert row is not None
        return row.state, frozenset(int(seat) for seat in row.to_move.split(",") if seat)


def options_for(game: str) -> str:
    """Options that make a game short, where it has any."""
    return _SHORT.get(game, "")


_SHORT: Mapping[str, str] = {
    "amazons": "-size=6",
    "atarigo": "-size=7",
    "ataxx": "-size=5",
    "battleship": "-size=8 -fleet=short",
    "breakthrough": "-columns=5 -rows=6",
    "cephalopod": "-columns=3 -rows=3",
    "clobber": "-columns=4 -rows=4",
    "connect6": "-size=9",
    "corridor": "-size=5 -walls=3",
    "cradle": "-size=3",
    "cyclone": "-length=5",
    "dotsandboxes": "-rows=3 -columns=3",
    "fanorona": "-size=5x5",
    "fivepairs": "-size=9",
    "gameofy": "-side=5",
    "go": "-size=5",
    "gomoku": "-size=9",
    "gonnect": "-size=5",
    "halma": "-size=8",
    "havannah": "-side=4",
    "hex": "-size=5",
    "hexxagon": "-size=4",
    "kalah": "-pits=4 -seeds=3",
    "konane": "-size=6",
    "modernreversi": "-size=6",
    "morris": "-men=6",
    "pegs": "-size=6",
    "reversi": "-size=6",
    "sumito": "-goal=1",
    "yavalath": "-side=4",
}
