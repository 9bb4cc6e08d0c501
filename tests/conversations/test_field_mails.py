"""Replies as mail programs, phones, gateways and people send them, each to a board of its own: what
acts, and what reaches the opponent. The cases lie beside a checkout; without them nothing is
tried."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.harness.conversation import SERVER, Conversation
from tests.harness.mail import Mail

CASES = Path(__file__).parents[3] / "shared/findings/cases/mail2"
DATE = "Thu, 26 Nov 2026 09:30:00 +0100"
_NEVER = ("ZZQ", "pbm+", "@games.example")
"""What no mail to the opponent may show, not even the first time."""


@cache
def list_cases() -> list[dict[str, Any]]:
    """The cases of the index; none where it is not there."""
    index = CASES / "index.json"
    return list(json.loads(index.read_text("utf-8"))) if index.is_file() else []


def fill(raw: bytes, mail: Mail, who: str, talk: Conversation) -> bytes:
    """The template of a mail as a reply of that player to a mail of ours."""
    rich = mail.message.get_body(("html",))
    shown = str(rich.get_content()) if rich is not None else f"<pre>{html.escape(mail.text)}</pre>"
    quoted = "\n".join(f"> {line}".rstrip() for line in mail.lines)
    talk.sent += 1
    words = {
        "FROM": mail.address,
        "TO": mail.reply_to,
        "NAME": "Ann Keller",
        "SUBJ": mail.subject,
        "DATE": DATE,
        "MID": f"{talk.sent}.{mail.address}",
        "ID": mail.message_id,
        "Q": quoted,
        "TEXT": mail.text,
        "HTML": shown,
        "A": who,
        "N": "1",
        "PW": talk.password(who),
        "PLAIN": SERVER,
        "QPTO": mail.reply_to.replace("=", "=3D"),
        "B64": base64.b64encode(mail.text.encode()).decode(),
    }
    for name, value in words.items():
        raw = raw.replace(f"@@{name}@@".encode(), value.encode())
    return raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


class Trial:
    """One case: who received what when its mail was sent."""

    def __init__(self, talk: Conversation, case: dict[str, Any]) -> None:
        self.talk, self.case = talk, case
        self.raw = (CASES / case["file"]).read_bytes()
        talk.signup("ann", "bob")
        if case["lang"] != "en":
            talk.proves("ann", f"set language={case['lang']}")
            talk.everything()
        waits = case["setup"] == "wait"
        order = ("bob", "ann") if waits else ("ann", "bob")
        latest = talk.challenge(case["game"], *order)
        latest = talk.plays(case["before"].split(), *order, latest=latest)
        if case["say"]:
            talk.replies(latest[order.index("bob")], f"chat {case['say']}")
            said = {mail.address: mail for mail in talk.everything()}
            latest[order.index("ann")] = said["ann@example.org"]
        if case["setup"] == "offer":
            talk.replies(latest[order.index("bob")], "draw")
            latest = sorted(talk.everything(), key=lambda mail: order.index(mail.address[:3]))
        self.mail = latest[order.index("ann")]
        talk.everything()

    def send(self, raw: bytes) -> tuple[list[Mail], list[Mail]]:
        """The mails to the sender and to the opponent that this one leads to."""
        words = {"@@FROM@@": self.mail.address, "@@TO@@": self.mail.reply_to}
        sender, recipient = self.case["env_from"], self.case["rcpt"]
        for word, value in {**words, "@@PLAIN@@": SERVER}.items():
            sender, recipient = sender.replace(word, value), recipient.replace(word, value)
        raw = fill(raw, self.mail, "ann", self.talk)
        for each in recipient.split(", "):
            self.talk.server.take(sender, each, raw)
        arrived = self.talk.everything()
        own = [mail for mail in arrived if not mail.address.startswith("bob")]
        return own, [mail for mail in arrived if mail.address.startswith("bob")]

    def log(self) -> str:
        """The moves and the state of the board, as the opponent sees them."""
        self.talk.proves("bob", "chess show 1")
        return self.talk.any_mail("bob").text


def find_fault(trial: Trial) -> str:
    """What is wrong with what became of a case; "" for nothing."""
    want = trial.case["expect"]
    before = trial.log()
    own, other = trial.send(trial.raw)
    written = "\n".join(mail.text for mail in other)
    told = " ".join("\n".join(mail.text for mail in own).split())
    has_acted = is_changed(before, trial.log())
    lost = [word for word in want.get("has", ()) if word not in " ".join(written.split())]
    if has_acted and want.get("move") and f"played {want['move']}" not in written:
        return "another move was played"
    leak = leaked(want.get("leak", ()), written)
    if leak and (leak in _NEVER or not is_learned(trial, want["leak"])):
        return f"{leak!r} reached the opponent"
    if want.get("act") == "offer" and own and other:
        return ""
    if has_acted and want["want"] in ("act", "act-or-help"):
        return f"lost: {lost}" if any(word not in told for word in lost) else ""
    faults = {
        "act": "not done",
        "act-or-help": ""
        if (len(own) == 1 and not other) or "silence" in trial.case["right"]
        else "neither done nor answered",
        "help": "" if len(own) == 1 and not other else "not answered once",
        "chat": "" if other and not lost else f"lost: {lost}",
        "machine": "" if len(own) <= 1 and not other else "passed on",
        "machine-wait": "" if len(other) <= 1 else "passed on",
        "told": "" if own and not other else "nobody was told",
        "no-act": "passed on" if want.get("b") == [0, 0] and other else "",
    }
    return faults.get(want["want"], "") or ("acted" if has_acted else "")


def is_changed(before: str, after: str) -> bool:
    """Whether a board has changed: the facts about it, or whether a draw is offered."""
    facts = [
        [line for line in text.split("\n") if line.startswith("[") or "draw" in line]
        for text in (before, after)
    ]
    return facts[0] != facts[1]


def leaked(words: Sequence[str], text: str) -> str:
    """The first of these words that the text has."""
    return next((word for word in words if word in text), "")


def is_learned(trial: Trial, leak: list[str]) -> bool:
    """Whether what was passed on the first time is left out the second time."""
    latest = trial.talk.challenge("chess", "ann", "bob")
    trial.mail = latest[0]
    _, other = trial.send(trial.raw)
    return not leaked(leak, "\n".join(mail.text for mail in other))


@pytest.mark.long
@pytest.mark.in_process
@pytest.mark.parametrize("case", list_cases(), ids=lambda case: case["file"].removesuffix(".eml"))
def test_a_mail_of_the_field(talk: Conversation, case: dict[str, Any]) -> None:
    assert not find_fault(Trial(talk, case))
