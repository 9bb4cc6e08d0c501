"""Posts of clubs, against a real server of HTTP on this machine: what arrives, what is tried again,
and where nothing goes."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from pbm.config import Clubs, Config
from pbm.mail.outbox import Deferred, Delivered, Envelope, Failed, Outbox, Result
from pbm.mail.webhooks import WebhookCourier
from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.tables import clubs, metadata, outbound
from tests.mail.test_outbox import ANN, Sink, comes

POST = b'Content-Type: application/json; charset=utf-8\r\n\r\n{"text": "[rooks]"}'
ROOKS = Envelope("", "webhook:rooks")


class Page(ThreadingHTTPServer):
    """A page that takes posts; the answer is in the path: /hook/503."""

    def __init__(self) -> None:
        self.got: list[tuple[str, str, bytes]] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Page

    def do_POST(self) -> None:
        """Keep the post, and answer as the path says."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, self.headers["Content-Type"], body))
        self.send_response(int(self.path.rpartition("/")[2]))
        self.send_header("Location", f"{self.server.origin}/elsewhere/200")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def page() -> Iterator[Page]:
    """A page that runs."""
    server = Page()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty database."""
    path = tmp_path / "pbm.db"
    path.touch()
    store = Store(f"sqlite:///{path}")
    metadata.create_all(store.engine)
    yield store
    store.close()


def add_club(store: Store, hook: str) -> None:
    """Add the club rooks, whose news are posted there."""
    row = {"name": "rooks", "created": 0.0, "letter": 0.0, "hook": hook, "hook_news": "results"}
    with store.writing() as session:
        session.execute(insert(clubs).values(row))


def post(store: Store, *allowed: str) -> Result:
    """Deliver a post of the club on a server whose operator allows these."""
    courier = WebhookCourier(Config(clubs=Clubs(webhooks=allowed)), store)
    return asyncio.run(courier.deliver(ROOKS, POST))


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (200, Delivered),
        (204, Delivered),
        (302, Failed),
        (404, Failed),
        (429, Deferred),
        (503, Deferred),
    ],
)
def test_a_post_is_sent_once_and_no_redirection_is_followed(
    store: Store, page: Page, code: int, kind: type[Result]
) -> None:
    add_club(store, f"{page.origin}/hook/{code}")
    assert isinstance(post(store, page.origin), kind)
    assert page.got == [
        (f"/hook/{code}", "application/json; charset=utf-8", b'{"text": "[rooks]"}')
    ]


def test_nothing_goes_where_the_operator_does_not_allow_it(store: Store, page: Page) -> None:
    """Another port, a name of this machine, a list that was made shorter, a club without a hook."""
    add_club(store, f"{page.origin}/hook/200")
    for allowed in ((), ("http://127.0.0.1:9",), (page.origin.replace("http", "https"),)):
        assert isinstance(post(store, *allowed), Failed)
    courier = WebhookCourier(Config(clubs=Clubs(webhooks=(page.origin,))), store)
    gone = asyncio.run(courier.deliver(Envelope("", "webhook:knights"), POST))
    assert isinstance(gone, Failed)
    assert page.got == []


def test_a_name_that_leads_into_a_private_network_gets_nothing(store: Store, page: Page) -> None:
    """Even one that the operator has written: only an address itself is taken for meant."""
    origin = f"http://localhost:{page.server_port}"
    add_club(store, f"{origin}/hook/200")
    result = post(store, origin)
    assert result == Failed("the page is within a private network")
    assert page.got == []


def test_a_page_that_does_not_answer_is_left_alone_for_a_while(store: Store) -> None:
    """The second post is not even tried; the outbox tries both again later."""
    add_club(store, "http://127.0.0.1:9/hook")
    courier = WebhookCourier(
        Config(clubs=Clubs(webhooks=("http://127.0.0.1:9",))), store, monotonic=lambda: 7.0
    )

    async def deliver() -> list[Result]:
        return [await courier.deliver(ROOKS, POST) for _ in range(2)]

    first, second = asyncio.run(deliver())
    assert isinstance(first, Deferred)
    assert not first.relay_down
    assert second == Deferred("the page did not answer")


def test_the_outbox_sends_posts_beside_mails(store: Store, page: Page) -> None:
    """A post goes to the page, unsigned; mails go to the relay, signed; both are noted as sent."""
    add_club(store, f"{page.origin}/hook/200")
    told = json.dumps({"text": "[rooks]\nHex: ann - bob: ann won"}).encode()
    message = b"Content-Type: application/json; charset=utf-8\r\n\r\n" + told
    common = {"envelope_from": "", "state": "waiting", "created": 0.0, "next_attempt": 0.0}
    rows = [
        {**common, "recipient": "webhook:rooks", "message": message},
        {**common, "recipient": ANN, "message": b"Subject: hello\r\n\r\nhello"},
    ]
    with store.writing() as session:
        session.execute(insert(outbound), rows)
    relay = Sink()

    def states() -> list[str]:
        with store.reading() as session:
            return list(session.execute(select(outbound.c.state)).scalars())

    async def send() -> None:
        writer = CommitThread(store)
        writer.start()
        box = Outbox(
            Config(),
            store,
            writer,
            [relay],
            lambda: 100.0,
            lambda *_: None,
            sign=lambda raw: b"DKIM-Signature: x\r\n" + raw,
            webhooks=WebhookCourier(Config(clubs=Clubs(webhooks=(page.origin,))), store),
        )
        task = asyncio.create_task(box.run())
        await comes(lambda: states() == ["sent", "sent"])
        box.stop()
        await task
        writer.stop()

    asyncio.run(send())
    assert relay.got == [(ANN, b"DKIM-Signature: x\r\nSubject: hello\r\n\r\nhello")]
    assert [body for _, _, body in page.got] == [told]
