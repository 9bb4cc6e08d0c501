"""Notices that one player causes another, by mails and by clicks: their number has an end."""

from __future__ import annotations

import re
import time
from base64 import encodebytes
from html import escape, unescape
from urllib.parse import unquote

from msgspec.structs import replace

from pbm.config import Config, Server, Trust, Web
from tests.core.test_own_links import WRITTEN
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Form, Page, Visitor
from tools.attacks.catalogue import Run, attack, served

_MOST = 31
"""Mails to somebody of which one player is the cause, with the summary of the rest."""
_OPEN = {"chats_an_hour": 0, "mails_a_day": 0, "open_boards": 0}


class _Now(Clock):
    """The time of the daemon."""

    def __call__(self) -> float:
        return time.time()


def _visit(run: Run, talk: Conversation) -> Visitor:
    """Return a browser in front of the daemon's pages."""
    config = replace(
        Config(), server=Server(address=SERVER), trust=Trust(newcomer=0), web=Web("", HOST)
    )
    visitor = Visitor(config, served(talk), _Now())
    run.callback(visitor.close)
    return visitor


def _find_form(page: Page, act: str) -> Form | None:
    return next((form for form in page.forms if form.fields.get("do") == act), None)


@attack("clicks", "notices caused by clicks, without end", in_suite=True)
def clicks(run: Run) -> str:
    """Every form of a seat's page is sent over and over, against somebody who has accepted
    nothing."""
    talk = run.talk(limits=_OPEN, web={"url": HOST})
    talk.signup("eve", "bob", "carl")
    mails = talk.challenge("hex", "eve", "bob")
    talk.mails("carl", f"hex watch 1 carl {talk.password('carl')}")
    talk.everything()
    visitor = _visit(run, talk)
    link = mails[0].line("On the web: ")
    acts = ("chat", "propose", "undo", "accept", "reject", "cancel", "vacation")
    ends = ("resign", "undo")
    for number in run.some(range(400), 60):
        page = visitor.get(link)
        for act in acts if number < 300 else ends:
            form = _find_form(page, act)
            rest = ("off", "2030-01-01 2030-01-02")[number % 2]
            if form is not None:
                visitor.send(page, form, text=f"Boo {number}", sure="yes", rest=rest)
    got = talk.everything()
    heard = {who: sum(mail.address.startswith(who) for mail in got) for who in ("bob", "carl")}
    assert 10 < max(heard.values()) <= _MOST, heard
    return f"bob got {heard['bob']} mails, carl, who watches, {heard['carl']}"


@attack("notices", "mails without end, by mails of many lines, before a block and after")
def lists(run: Run) -> str:
    talk = run.talk(limits=_OPEN)
    talk.signup("eve", "bob", "carl")
    talk.challenge("hex", "eve", "bob")
    talk.mails("carl", f"hex watch 1 carl {talk.password('carl')}")
    talk.everything()
    eve = talk.password("eve")
    cycles = [
        f"hex resign 1 eve {eve}\nhex undo 1 eve {eve}\n",
        f"hex chat 1 eve {eve} Boo\n",
        f"hex challenge eve bob --user eve {eve}\n",
        f"hex propose 1 eve {eve}\nhex reject 1 eve {eve}\n",
        f"message eve {eve} bob carl\n Boo\n",
        f"vacation eve {eve} 2030-01-01 2030-01-02\nvacation eve {eve} off\n",
        f"hex seek eve {eve}\nevent new swiss hex eve {eve} --begins=2030-01-01\n",
    ]
    for cycle in run.some(cycles * 4, 7):
        talk.mails("eve", "multiple", cycle * (48 // cycle.count("\n")))
    got = talk.everything()
    heard = {who: sum(mail.address.startswith(who) for mail in got) for who in ("bob", "carl")}
    assert max(heard.values()) <= _MOST, heard
    talk.mails("bob", f"block bob {talk.password('bob')} eve")
    talk.any_mail("bob")
    for cycle in run.some(cycles, 7):
        talk.mails("eve", "multiple", cycle * (48 // cycle.count("\n")))
    after = [mail for mail in talk.everything() if mail.address.startswith("bob")]
    assert not after, after[0]
    return f"bob got {heard['bob']} mails, carl {heard['carl']}; after block, bob got none"


@attack("secrets", "links and reply addresses in text that is passed on", in_suite=True)
def secrets(run: Run) -> str:
    """Put ann's own link and reply address in every text that goes to others, in every writing, and
    in quotes that programs make in their own way; then whatever others may see."""
    talk = run.talk(
        limits=_OPEN | {"notices_a_day": 0, "news_a_day": 0, "announcements_a_day": 0},
        web={"url": HOST},
    )
    talk.signup("ann", "bob")
    mails = talk.challenge("hex", "ann", "bob")
    ann, link = talk.password("ann"), mails[0].line("On the web: ")
    talk.proves("ann", "games ann active")
    own = talk.any_mail("ann")
    words = [link, mails[0].reply_to, own.reply_to, link.rpartition("/")[2]]
    ways = [write(word) for write in WRITTEN.values() for word in words]
    for way in run.some(ways, 24):
        text = f"See {way} !"
        talk.replies(mails[0], f"chat {text}")
        talk.mails("ann", f"message ann {ann} bob", text)
        talk.mails("ann", f"broadcast ann {ann}", text)
        talk.mails("ann", f"hex seek ann {ann}", text)
        talk.mails("ann", f"event new swiss hex ann {ann} --name=Cup-{way.split()[0][:30]}", text)
        talk.mails("ann", f"set ann {ann} name={' '.join(way.split())[:300]}")
        talk.mails("ann", "hex challenge ann bob", text, to=own.reply_to)
        talk.mails("ann", f"report ann {ann} bob", text)
    for number, quote in enumerate(run.some(_QUOTES, 4)):
        served(talk).take("ann@example.org", mails[0].reply_to, quote(mails[0], number))
    talk.replies(mails[0], f"d4\n{link}")
    heard = [mail for mail in talk.everything() if mail.address != "ann@example.org"]
    keys = {word.rpartition("/")[2].partition("@")[0].partition("+")[2] or word for word in words}
    keys = {key.rpartition("/")[2].rpartition("-")[2] for key in keys}
    for mail in heard:
        _require_free(mail.text + mail.subject + mail.raw.decode("latin-1"), keys)
    visitor = _visit(run, talk)
    pages = ["/", "/results.atom", "/board/1", "/board/1.json", "/board/1.txt", "/player/ann"]
    pages += ["/player/ann.atom", "/game/hex", "/events", "/event/1", "/event/1.json"]
    for page in (
        *pages,
        *(mail.line("On the web: ") for mail in heard if "On the web" in mail.text),
    ):
        _require_free(visitor.get(page).text, keys)
    bob = talk.password("bob")
    lines = ["hex show 1", "hex export 1", f"hex showas bob {bob} 1", "seeks", "events", "event 1"]
    lines += ["who ann", "list hex", f"mydata bob {bob}"]
    talk.mails("bob", "multiple", "\n".join(lines))
    for mail in talk.everything():
        _require_free(mail.text, keys)
    assert len(heard) > 20
    return f"none is in the {len(heard)} mails that went to others, on pages, in exports and feeds"


def _require_free(text: str, keys: set[str]) -> None:
    """Require that nobody finds a key in the text, however it is put together."""
    joined = re.sub(r"[\s>\u200b\u00ad=]", "", unquote(unquote(unescape(text)))).lower()
    for key in keys:
        assert key not in joined, f"{key}: {text[-1500:]}"


def _quote_as_html(mail: Mail, number: int) -> bytes:
    """Return a reply in HTML alone, with the mail in tables and without any mark of a quote."""
    rows = "".join(f"<tr><td>{escape(line)}</td></tr>" for line in mail.lines)
    html = f"<p>chat Hello {number}</p><table>{rows}</table><p>{mail.reply_to}</p>"
    return _reply(mail, number, "text/html", html)


def _quote_below(mail: Mail, number: int) -> bytes:
    """Return the text of the mail below the answer, indented and without attribution."""
    text = "\n".join(f"  {line}" for line in mail.lines)
    return _reply(mail, number, "text/plain", f"chat Hello {number}\n{mail.reply_to}\n{text}")


def _quote_in_base64(mail: Mail, number: int) -> bytes:
    """Return the whole mail as base64 within the text."""
    encoded = encodebytes(mail.raw).decode()
    return _reply(mail, number, "text/plain", f"chat Hello {number}\n{encoded}")


def _quote_with_bars(mail: Mail, number: int) -> bytes:
    text = "\n".join(f"| {line}" for line in (*mail.lines, mail.reply_to))
    return _reply(mail, number, "text/plain", f"chat Hello {number}\n{text}")


_QUOTES = (_quote_as_html, _quote_below, _quote_in_base64, _quote_with_bars)


def _reply(mail: Mail, number: int, kind: str, body: str) -> bytes:
    head = [
        "From: ann@example.org",
        f"To: {mail.reply_to}",
        f"Subject: Re: {mail.subject}",
        f"Message-ID: <quote{number}@ann.example>",
        f"In-Reply-To: {mail.message_id}",
        "MIME-Version: 1.0",
        f"Content-Type: {kind}; charset=utf-8",
        "Content-Transfer-Encoding: base64",
    ]
    return ("\r\n".join([*head, "", ""]) + encodebytes(body.encode()).decode()).encode()
