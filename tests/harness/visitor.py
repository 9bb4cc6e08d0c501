"""A browser without a screen, and what it visits: pages without a server, or a club's."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import smtplib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from urllib.parse import quote, unquote, urlencode, urljoin, urlsplit

from sqlalchemy import func, select
from starlette.routing import Route

from pbm.config import Config, Limits, Players, Web
from pbm.config import load as load_config
from pbm.core.authenticate import PasswordChecks, authenticate
from pbm.core.board import Board
from pbm.core.command import Sender
from pbm.core.links import make_address_stop_link, make_seat_link, make_stop_link
from pbm.core.parser import read_line
from pbm.core.player import ALL, BOARDS, EVENTS, find_player, get_player
from pbm.core.storing import load
from pbm.core.storing import load as load_board
from pbm.core.submit import Submission, send_nothing
from pbm.daemon.keys import load_secrets
from pbm.games import get_game
from pbm.mail.compose import build_service
from pbm.store import reads
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.tables import boards
from pbm.web.routes import Endpoints, build_app
from pbm.web.site import Site
from tests.harness.conversation import Clock, Server
from tests.harness.databases import create_database
from tests.harness.servers import ServerProcess

HOST = "https://club.example"


@dataclass(slots=True)
class Form:
    """A form of a page: where it goes, and its fields with the values they begin with."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)


class Page(HTMLParser):
    """An answer, parsed."""

    def __init__(self, url: str, status: int, headers: dict[str, str], text: str) -> None:
        super().__init__()
        self.url = url
        self.status = status
        self.headers = headers
        self.text = text
        self.links: dict[str, str] = {}
        self.forms: list[Form] = []
        self.words: list[str] = []
        self._silent = 0
        self._area = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note links, by label or URL, and the fields of forms."""
        values = {name: value or "" for name, value in attrs}
        if tag in ("style", "script"):
            self._silent += 1
        if tag == "a" and "href" in values:
            label = values.get("aria-label", "").rpartition(" ")[2]  # "black pawn a6"
            self.links[values["href"].removesuffix("#board")] = label
        if tag == "form":
            self.forms.append(Form(values.get("action", ""), values.get("method", "get")))
        is_field = tag in ("input", "textarea") and values.get("type") != "checkbox"
        if is_field and self.forms and "name" in values:
            self.forms[-1].fields[values["name"]] = values.get("value", "")
        if tag == "textarea":
            self._area = values.get("name", "")

    def handle_endtag(self, tag: str) -> None:
        """Text counts again after a style or a field."""
        if tag == "textarea":
            self._area = ""
        if tag in ("style", "script"):
            self._silent -= 1

    def handle_data(self, data: str) -> None:
        """Note what a reader sees, and what a field begins with."""
        if self._area:
            self.forms[-1].fields[self._area] += data
        if not self._silent:
            self.words.append(data)

    @property
    def says(self) -> str:
        """What a reader sees, in one line."""
        return " ".join(" ".join(self.words).split())

    @property
    def steps(self) -> dict[str, str]:
        """The links that add a step to a move: the last step of each, and its URL."""
        added = {}
        for url in self.links:
            query = urlsplit(url).query
            pieces = [unquote(piece[2:]) for piece in query.split("&") if piece.startswith("m=")]
            before = [unquote(p[2:]) for p in urlsplit(self.url).query.split("&") if p[:2] == "m="]
            if len(pieces) > len(before):
                added[pieces[-1]] = url
        return added

    def form(self, do: str) -> Form:
        """The form that does something."""
        return next(form for form in self.forms if form.fields.get("do") == do)


class Visitor:
    """A browser in front of a server's pages, in this thread."""

    def __init__(self, config: Config, server: Server, clock: Clock) -> None:
        self._writer = CommitThread(server.store)
        self._writer.start()
        secrets = load_secrets(server.store)
        service = build_service(config, secrets)
        self.changes = 0
        self.language = ""
        """What the browser asks for with every page."""
        site = Site(config, server.store, self._writer, secrets, service, clock, self._changed)
        self._app = build_app(site)
        self.routes = Endpoints(site).routes()

    def _changed(self) -> None:
        self.changes += 1

    def close(self) -> None:
        """End the writer."""
        self._writer.stop()

    def get(self, url: str, **headers: str) -> Page:
        """Follow a link."""
        return self._request("GET", url, b"", headers)

    def follow(self, page: Page, url: str) -> Page:
        """Follow a link of a page."""
        return self.get(urljoin(page.url, url))

    def send(self, page: Page, form: Form, **fields: str) -> Page:
        """Fill in a form and send it; the page that the answer leads to."""
        answer = self.post(urljoin(page.url, form.action), {**form.fields, **fields})
        if answer.status == 303:
            return self.get(urljoin(answer.url, answer.headers["location"]))
        return answer

    def post(self, url: str, fields: Mapping[str, str]) -> Page:
        """Send fields as a form does, or a mail program with its one click. Return the answer
        itself."""
        kind = {"content-type": "application/x-www-form-urlencoded"}
        return self._request("POST", url, urlencode(fields).encode(), kind)

    def _request(self, method: str, url: str, body: bytes, headers: dict[str, str]) -> Page:
        asked = {"accept_language": self.language} if self.language else {}
        return asyncio.run(self._ask(method, url, body, asked | headers))

    async def _ask(self, method: str, url: str, body: bytes, headers: dict[str, str]) -> Page:
        parts = urlsplit(urljoin(HOST + "/", url))
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "https",
            "path": unquote(parts.path),
            "raw_path": quote(parts.path).encode(),
            "root_path": "",
            "query_string": parts.query.encode(),
            "headers": [
                (name.replace("_", "-").lower().encode(), value.encode())
                for name, value in headers.items()
            ],
            "client": ("192.0.2.1", 1234),
            "server": ("club.example", 443),
        }
        sent: list[dict[str, object]] = []

        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, object]) -> None:
            sent.append(message)

        await self._app(scope, receive, send)  # type: ignore[arg-type]
        start, *rest = sent
        names = {name.decode(): value.decode() for name, value in start["headers"]}  # type: ignore[attr-defined]
        text = b"".join(bytes(message.get("body", b"")) for message in rest)  # type: ignore[call-overload]
        return Page(parts.geturl(), int(str(start["status"])), names, text.decode(errors="replace"))


# A database with accounts and boards, and a visitor of its pages in this thread.

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
        """Play random moves by clicks, at most `most`. Return the number of clicks of each. `look`
        sees every page."""
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


# A server with web pages for a test: `pbm serve` in a folder of its own, players, boards, and the
# links of their seats.

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
        has_bots: bool = False,
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
            "[trust]\nnewcomer = 0\n"
            f"[bots]\nenabled = {str(has_bots).lower()}\nseconds = 0.05\n"
            "[web]\nlisten = '127.0.0.1:0'\nurl = 'http://127.0.0.1:1'\n"
            f"{web}",
            encoding="utf-8",
        )
        create_database(database or f"sqlite:///{folder}/pbm.db")
        root = Path(__file__).parents[2]
        self._server = ServerProcess(path, PYTHONPATH=f"{root}:{root / 'tests' / 'plugin'}")
        self.log = folder / "log"
        self.config: Config = load_config(str(path), {})
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

    def reload(self) -> None:
        """Have it read its configuration again."""
        os.kill(self._server.pid, signal.SIGHUP)

    def list_routes(self) -> list[Route]:
        """The routes of its pages."""
        parts = self.config, self.store, CommitThread(self.store), self._secrets, self._service
        return Endpoints(Site(*parts, time.time, lambda: None)).routes()

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
        self.mails(name, f"mine {name} Sesame-{name}")
        return self.mailed_link(f"{name}@example.org", "u")

    def mails(self, name: str, line: str) -> None:
        """A player mails a line."""
        mail = EmailMessage()
        mail["From"], mail["To"] = f"{name}@example.org", self.config.server.address
        mail["Subject"] = line
        with smtplib.SMTP("127.0.0.1", self.port, timeout=_PATIENCE) as client:
            client.send_message(mail)

    def stop_links(self, name: str) -> list[str]:
        """The links in the head of a player's mails that stop those of a kind or all, and that of
        an address that is nobody's."""
        with self.store.reading() as session:
            player = find_player(session, name)
        assert player is not None
        whats = (ALL, BOARDS, EVENTS, "digest")
        links = [make_stop_link(self._secrets, each, player.id, player.binding) for each in whats]
        links.append(make_address_stop_link(self._secrets, "kim@far.example"))
        return [f"{self.url}/stop/{link}" for link in links]

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
