"""A database with accounts and boards, and a visitor of its pages in this thread."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from sqlalchemy import func, select

from pbm.config import Config, Limits, Players, Web
from pbm.core.authenticate import authenticate
from pbm.core.command import Sender
from pbm.core.links import make_seat_link
from pbm.core.parser import read_line
from pbm.core.password_checks import PasswordChecks
from pbm.core.player import get_player
from pbm.core.storing import load
from pbm.core.submit import Submission, send_nothing
from pbm.daemon.keys import load_secrets
from pbm.games import get_game
from pbm.mail.postbox import build_service
from pbm.store import reads
from pbm.store.engine import Store
from pbm.store.tables import boards
from tests.harness.visitor import Page, Visitor

_NAMES = ("ann", "bob", "carl", "dora")


class Room:
    """A database with accounts, and a visitor."""

    def __init__(self, url: str) -> None:
        self.store = Store(url)
        config = Config(
            players=Players(confirm_addresses=False),
            limits=Limits(open_boards=0),
            web=Web("", "https://club.example"),
        )
        self.config, self.now = config, 1.8e9
        self.secrets = load_secrets(self.store)
        self.service = build_service(config, self.secrets)
        self.visitor = Visitor(config, self, lambda: self.now)  # type: ignore[arg-type]
        for name in _NAMES:
            self.submit(f"signup {name} Sesame-{name} {name}@example.org")

    def submit(self, line: str) -> None:
        """Do what the operator types."""
        command = read_line(line, Sender(via="terminal", operator=not line.startswith("signup")))
        checks = PasswordChecks(self.secrets, self.config)
        with self.store.reading() as session:
            command = authenticate(session, command, checks, self.now)
        with self.store.writing() as session:
            submission = Submission((command,), self.now, send_nothing)
            assert not self.service.submit(session, submission, self.now).is_refused, line

    def link(self, board: int, seat: int) -> str:
        """The path of a seat's page."""
        with self.store.reading() as session:
            row = reads.find_seats(session, board)[seat]
            player = get_player(session, row.player_id)
            assert player is not None
            addresses = reads.find_addresses(session, player.id)
            return f"/s/{make_seat_link(self.secrets, board, seat, player.password, addresses)}"

    def challenge(self, name: str, options: str = "") -> int:
        """Start a board with as few players as the game allows; its number."""
        seats = min(get_game(name).info.seats)
        self.submit(f"{name} challenge {' '.join(_NAMES[:seats])} {options}".strip())
        with self.store.reading() as session:
            number = int(session.execute(select(func.max(boards.c.id))).scalar_one())
            board = load(session, number)
        for seat in board.seats if board.state == "invited" else ():
            if not seat.accepted:
                self.submit(f"{name} accept {number} {seat.userid}")
        return number

    def play(
        self, board: int, dice: Random, most: int, look: Callable[[Page], object]
    ) -> list[int]:
        """Play random moves by clicks, at most so many; the clicks that each took. `look` sees
        every page."""
        clicks: list[int] = []
        while len(clicks) < most:
            with self.store.reading() as session:
                loaded = load(session, board)
            if loaded.state != "running":
                break
            page = self.visitor.get(self.link(board, min(loaded.position.to_move)))
            self.now += 60
            count = 1
            while True:
                look(page)
                can_play = any(each in page.says for each in ("Play this move", "Give this order"))
                if can_play and (not page.steps or dice.random() < 0.5):
                    break
                assert page.steps, page.says
                page = self.visitor.follow(page, dice.choice(sorted(page.steps.values())))
                count += 1
            page = self.visitor.send(page, page.form("move"))
            assert "Played." in page.says, page.says
            clicks.append(count)
        return clicks

    def is_over(self, board: int) -> bool:
        """Whether a board has ended."""
        with self.store.reading() as session:
            return load(session, board).is_over

    def close(self) -> None:
        """Close the database."""
        self.visitor.close()
        self.store.close()
