"""Outgoing mail is well formed whatever it says, and nothing that somebody typed becomes a
header."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from pbm.config import Config, Server, Web
from pbm.core.notices import NoCommand, Notice, Refused, Stranger, Thread
from pbm.core.outgoing import OutgoingMail
from pbm.core.refusal import RefusalCode
from pbm.core.secrets import Secrets, read_token
from pbm.features.accounts.notices import ResetCode
from pbm.features.finding.notices import Digest, HelpPage, WaitingBoard
from pbm.features.talk.chat import Broadcast, Chat, Message
from pbm.mail.compose import Composer, build_outbound_row
from pbm.mail.paged_mail import finish_mail, has_page
from pbm.mail.render import quote
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN, Canvas, seat
from tests.harness.mail import draw_nothing
from tests.harness.mail_room import example

SERVER = "pbm@games.example"
SECRETS = Secrets((b"k" * 32,), lambda size: b"e" * size)
COMPOSER = Composer(Config(server=Server(SERVER)), SECRETS)
NOW = 1772452800.0
HOSTILE = "\r\n\x00\x0b\x0c\x1b\x1c\x85\u2028\u2029\ud800\u202e\u200b\t\x7f\ufeff<>\"'&=?:"
TEXT = st.text(
    st.one_of(st.sampled_from(HOSTILE), st.characters(exclude_categories=["Cs"])), max_size=400
)
"""Without halves of characters, which neither a mail nor the database can hold."""
ONCE = (
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Auto-Submitted",
    "MIME-Version",
    "Content-Type",
)
WAITING = WaitingBoard(
    Thread("hex", 17, 0, 3, 0, ("ann", "bob")),
    "your move",
    status="your move 3",
    others="bob",
    within="",
    end=NOW,
)
KNOWN = {
    *(name.lower() for name in ONCE),
    "reply-to",
    "in-reply-to",
    "references",
    "x-auto-response-suppress",
    "list-unsubscribe",
    "list-unsubscribe-post",
    "content-transfer-encoding",
}


def parsed(raw: bytes) -> EmailMessage:
    """The mail as a program reads it, after what holds of every mail of ours."""
    assert raw.isascii()
    assert b"\0" not in raw
    assert raw.count(b"\r") == raw.count(b"\n") == raw.count(b"\r\n")
    assert all(len(line) < 998 for line in raw.split(b"\r\n"))
    head = raw.partition(b"\r\n\r\n")[0]
    names = [line.partition(b":")[0].decode() for line in head.split(b"\r\n") if line[:1] != b" "]
    assert {name.lower() for name in names} <= KNOWN
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    lower = [name.lower() for name in names]
    for name in ONCE:
        assert lower.count(name.lower()) == 1, name
    return message


def text(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def board(
    *,
    headline: str = "your move (5)",
    event: str = "bob played c1",
    comment: str = "",
    writer: str = "bob",
    userid: str = "ann",
    colours: tuple[str, ...] = (),
    is_answer: bool = False,
) -> Notice:
    """A mail about a board to the player on the move."""
    canvas = Canvas()
    canvas.line("a  b", LABEL)
    for column, text, role in ((0, "x", seat(0)), (1, " <", PLAIN), (3, "o", LAST)):
        canvas.put(1, column, text, role)
    real = example()
    view = structs.replace(
        real.view, board=17, picture=canvas.picture(), colours=colours, userid=userid, names=userid
    )
    content = structs.replace(
        real,
        view=view,
        headline=headline,
        lead=[event],
        comments=[(f"{writer} writes", comment)] if comment else [],
    )
    thread = Thread("cradle", 17, 0, 5, 0, ("ann", "bob"))
    return Notice(content, player=2, thread=thread, is_answer=is_answer)


@settings(max_examples=300, deadline=None)
@given(TEXT, TEXT, TEXT, TEXT, st.sampled_from(("picture", "text")), st.booleans())
def test_nothing_that_was_typed_becomes_a_header(
    subject: str, comment: str, writer: str, recipient: str, mail: str, answer: bool
) -> None:
    notice = board(
        headline=subject,
        event=writer or "x",
        comment=comment,
        writer=writer,
        userid=writer,
        is_answer=answer,
    )
    prefers = {"mail": mail, "subject": "news"}
    raw = COMPOSER.compose(notice, recipient, 9, NOW, "<1@example.org>", preferences=prefers)
    message = parsed(finish_mail(raw, draw_nothing) if has_page(raw) else raw)
    assert message["From"] == f"pbm <{SERVER}>"
    lines = text(message).split("\n")
    assert all(line.replace("\u200d", "").replace("\u200c", "").isprintable() for line in lines)


@settings(max_examples=100, deadline=None)
@given(TEXT, TEXT, TEXT)
def test_texts_without_a_board(topic: str, page: str, writer: str) -> None:
    refused = Refused(code=RefusalCode.NO_SUCH_TOPIC, game="", reason=page or "x", send=[topic])
    for notice in (
        Notice(HelpPage(topic=topic, text=page), player=1, is_answer=True),
        Notice(Message(userid="ann", writer=writer, text=page), player=1),
        Notice(refused, is_answer=True),
    ):
        parsed(finish_mail(COMPOSER.compose(notice, "ann@example.org", 9, NOW), draw_nothing))


def test_a_comment_arrives_whole() -> None:
    """Letters of every kind, an emoji of several parts, and lines that look like headers."""
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    comment = f"Grüße, ἀλλά 你好 {family}\n\nBcc: eve@example.org\n.\nFrom me"
    message = parsed(COMPOSER.compose(board(comment=comment), "ann@example.org", 9, NOW))
    assert text(message).count(quote(comment)) == 1
    assert f"> Grüße, ἀλλά 你好 {family}\n>\n> Bcc: eve@example.org\n> .\n> From me\n" in text(
        message
    )
    assert message["Bcc"] is None


def test_the_token_stands_in_reply_to_and_what_it_names_in_message_id() -> None:
    message = parsed(COMPOSER.compose(board(), "ann@example.org", 9, NOW))
    token = read_token(message["Reply-To"].partition("+")[2].partition("@")[0])
    assert token is not None
    assert (token.open, SECRETS.is_genuine(token)) == ("b17-0-5", True)
    assert message["Message-ID"] == f"<{token.open}-{SECRETS.hide_number(9)}@games.example>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    sender = COMPOSER.build_envelope_sender(9)
    back = read_token(sender.partition("+")[2].partition("@")[0])
    assert back is not None
    assert (SECRETS.reveal_number(back.number), SECRETS.is_genuine(back)) == (9, True)


@pytest.mark.parametrize(
    ("notice", "line", "named"),
    [
        (
            Notice(Digest(userid="ann", rows=[WAITING], example="17 a1"), player=2),
            "set digest=no",
            "u2",
        ),
        (
            Notice(Broadcast(userid="ann", writer="bob", text="x"), player=2),
            "set broadcasts=no",
            "u2",
        ),
        (
            Notice(
                Chat(game="cradle", board=17, writer="bob", text="x", seated=False, userid="ann"),
                player=2,
                thread=Thread("cradle", 17, None, 5, 0, ("ann", "bob")),
            ),
            "cradle unwatch 17",
            "u2",
        ),
    ],
)
def test_unsubscribing_leads_to_the_preference(notice: Notice, line: str, named: str) -> None:
    message = parsed(COMPOSER.compose(notice, "ann@example.org", 9, NOW))
    found = str(message["List-Unsubscribe"])
    where, _, subject = found.removeprefix("<mailto:").removesuffix(">").partition("?subject=")
    token = read_token(where.partition("+")[2].partition("@")[0])
    assert token is not None
    assert (token.open, SECRETS.is_genuine(token, now=NOW)) == (named, True)
    assert unquote(subject) == line


@pytest.mark.parametrize("url", ["", "http://games.example", "https://games.example/"])
def test_all_mails_but_codes_can_be_stopped(url: str) -> None:
    """By a link where mail programs can reach one, each of its own kind; none tells an address."""
    composer = Composer(Config(server=Server(SERVER), web=Web(url=url)), SECRETS)
    links = set()
    for notice, line in (
        (Notice(Stranger(), is_answer=True), "stop"),
        (Notice(HelpPage(topic="pbm", text="x"), player=1, is_answer=True), "stop everything"),
        (board(), "stop boards"),
        (Notice(Digest(userid="ann", rows=[WAITING], example="17 a1"), player=1), "set digest=no"),
    ):
        message = parsed(composer.compose(notice, "ann@example.org", 9, NOW))
        found = str(message["List-Unsubscribe"])
        assert unquote(found).endswith(f"?subject={line}>")
        link = re.match("<(https://games.example/stop/[a-z0-9-]+)>, <mailto:", found)
        is_one_click = message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert (link is not None) is is_one_click is url.startswith("https")
        links.add(link and link[1])
    assert len(links) == (4 if url.startswith("https") else 1)
    code = ResetCode(userid="ann", code="abcd-efgh-2345", days=7, asked="now")
    message = parsed(composer.compose(Notice(code, player=1), "ann@example.org", 9, NOW))
    assert message["List-Unsubscribe"] is None


def test_long_lines_are_encoded() -> None:
    notice = Notice(HelpPage(topic="x", text="y" * 5000), player=1, is_answer=True)
    message = parsed(COMPOSER.compose(notice, "ann@example.org", 9, NOW))
    assert "y" * 5000 in text(message).replace("\n", "")


def test_mails_of_boards_go_out_before_others_and_those_to_strangers_last() -> None:
    def precedence(notice: Notice) -> int:
        mail = OutgoingMail(
            notice, "ann@example.org", 9, NOW, "", None, "", {}, sender="pbm@localhost", due=NOW
        )
        return int(build_outbound_row(COMPOSER, mail)["precedence"])

    own = board()
    assert own.thread is not None
    watched = structs.replace(own, thread=structs.replace(own.thread, seat=None))
    others = Notice(NoCommand(userid="ann"), is_answer=True)
    assert [precedence(each) for each in (own, watched, others)] == [0, 1, 2]


@pytest.mark.parametrize("name", ["Chess Club", "King's Club, Bath", "Schachfreunde Köln", ""])
def test_mails_come_from_the_club(name: str) -> None:
    composer = Composer(Config(server=Server(SERVER, name=name)), SECRETS)
    mail = parsed(composer.compose(Notice(Stranger(), is_answer=True), "ann@example.org", 1, NOW))
    (sender,) = mail["From"].addresses
    assert (sender.display_name, sender.addr_spec) == (name or "pbm", SERVER)
