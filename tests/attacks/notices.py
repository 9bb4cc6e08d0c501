"""Notices that one player causes another, by mails and by clicks: their number has an end."""

from __future__ import annotations

import time

from msgspec.structs import replace

from pbm.config import Config, Server, Web
from tests.attacks.catalogue import Run, attack, served
from tests.conversations.conversation import SERVER, Clock, Conversation
from tests.conversations.visitor import HOST, Form, Page, Visitor

_MOST = 31
"""Mails to somebody of which one player is the cause, with the summary of the rest."""
_OPEN = {"chats_a_day": 0, "mails_a_day": 0, "open_boards": 0, "messages_a_day": 0}


class _Now(Clock):
    """The time of the daemon."""

    def __call__(self) -> float:
        return time.time()


def _visit(run: Run, talk: Conversation) -> Visitor:
    """A browser in front of the daemon's pages."""
    config = replace(Config(), server=Server(address=SERVER), web=Web("", HOST))
    visitor = Visitor(config, served(talk), _Now())
    run.callback(visitor.close)
    return visitor


def _find_form(page: Page, act: str) -> Form | None:
    return next((form for form in page.forms if form.fields.get("do") == act), None)


@attack("clicks", "notices caused by clicks, without end", in_suite=True)
def clicks(run: Run) -> str:
    """Every form of a seat's page, over and over, against somebody who has accepted nothing."""
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
    assert 20 < max(heard.values()) <= _MOST, heard
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
