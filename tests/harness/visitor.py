"""A visitor of the web pages: follows links and sends forms, without JavaScript."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import quote, unquote, urlencode, urljoin, urlsplit

from pbm.config import Config
from pbm.daemon.keys import load_secrets
from pbm.mail.postbox import build_service
from pbm.store.group_commit import Writer
from pbm.web.routes import Endpoints, build_app
from pbm.web.site import Site
from tests.harness.conversation import Clock, Server

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
            self.links[values["href"]] = values.get("aria-label", "")
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
        self._writer = Writer(server.store)
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
        """Send fields as a form does, or a mail program with its one click; the answer itself."""
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
