"""Replies of mail programs, phones, gateways and people: the move that is certain is played, words
arrive or are named, and nothing else happens."""

from __future__ import annotations

import html
import re

import pytest

from tests.conversations.test_field_mails import fill
from tests.conversations.written_mails import WRITTEN, Written
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


def _cut(text: str, border: str, thirds: str) -> str:
    """Thirds of a text, cut behind that border."""
    pieces = re.split(f"({border})", text.replace("\r", ""))
    pieces = [*map("".join, zip(pieces[::2], [*pieces[1::2], ""], strict=True))]
    ends = [len(pieces) * third // 3 for third in range(4)]
    first, last = int(thirds[0]) - 1, int(thirds[-1])
    return "".join(pieces[ends[first] : ends[last]]).rstrip("\n")


def write(case: Written, mail: Mail, talk: Conversation) -> bytes:
    """The mail as it is sent in reply to one of ours."""
    rich = mail.message.get_body(("html",))
    shown = str(rich.get_content()) if rich is not None else f"<pre>{html.escape(mail.text)}</pre>"
    quoted = "\n".join(f"> {line}".rstrip() for line in mail.lines)
    raw = case.mail
    blocks = "</h1>|</pre>|</p>|<br>"
    for name, text, border in (
        ("Q", quoted, "\n"),
        ("TEXT", mail.text, "\n"),
        ("HTML", shown, blocks),
    ):
        for thirds in ("1", "2", "3", "12", "23"):
            raw = raw.replace(f"@@{name}{thirds}@@", _cut(text, border, thirds))
    return fill(raw.encode(), mail, "ann", talk)


def begin(talk: Conversation, setup: str) -> Mail:
    """Ann's mail of a board in that state."""
    order = ("bob", "ann") if setup == "wait" else ("ann", "bob")
    latest = talk.challenge("chess", *order)
    if setup == "offer":
        latest = talk.plays(["e4", "e5", "Nf3", "Nc6"], *order, latest=latest)
    if setup in ("offer", "chat"):
        said = "draw" if setup == "offer" else "chat Were your holidays pleasant?"
        talk.replies(latest[1], said)
        latest = [mail for mail in talk.everything() if mail.address.startswith("ann")]
        return latest[0]
    return latest[order.index("ann")]


def state(talk: Conversation, number: int) -> list[str]:
    """The facts about a board, and whether a draw is offered."""
    talk.proves("bob", f"chess show {number}")
    shown = talk.any_mail("bob").lines
    return [line for line in shown if line.startswith("[") or "draw" in line]


def squeeze(*mails: Mail) -> str:
    """What these mails say, in one line without marks."""
    texts = ("\n".join(line.removeprefix("> ") for line in mail.lines) for mail in mails)
    return " ".join(" ".join(texts).split())


def find_faults(talk: Conversation, case: Written) -> list[str]:
    """What is wrong with what becomes of that mail."""
    mail = begin(talk, case.setup)
    before = state(talk, 1)
    talk.server.take(mail.address, mail.reply_to, write(case, mail, talk))
    arrived = talk.everything()
    mine = squeeze(*(each for each in arrived if each.address.startswith("ann")))
    other = squeeze(*(each for each in arrived if each.address.startswith("bob")))
    faults = [f"to bob: {words!r}" for words in case.hidden if words in _own_part(other)]
    faults += [f"not to bob: {words!r}" for words in case.has if words not in other]
    faults += [f"lost: {words!r}" for words in case.own if words not in f"{other} {mine}"]
    has_acted = before != state(talk, 1)
    played = case.plays or case.may
    if has_acted and not (played and f"played {played}" in other):
        faults.append("another act")
    if case.plays and not has_acted:
        faults.append("not played")
    if not arrived and not case.silent:
        faults.append("no answer")
    for words in case.learned if not faults else ():
        mail = begin(talk, case.setup)
        talk.everything()
        talk.server.take(mail.address, mail.reply_to, write(case, mail, talk))
        again = squeeze(*(each for each in talk.everything() if each.address.startswith("bob")))
        faults += [f"again to bob: {words!r}"] if words in again else []
    return faults


def _own_part(told: str) -> str:
    """What somebody writes, without what the server says above and below."""
    return told.partition("writes:")[2].partition("Reply with")[0]


@pytest.mark.sampled(3)
@pytest.mark.in_process
@pytest.mark.parametrize("case", WRITTEN, ids=lambda case: case.name)
def test_a_written_mail(talk: Conversation, case: Written) -> None:
    talk.signup("ann", "bob")
    if case.lang != "en":
        talk.proves("ann", f"set language={case.lang}")
        talk.everything()
    faults = find_faults(talk, case)
    assert not faults, faults
