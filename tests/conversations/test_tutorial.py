"""The tutorial, played line by line as it stands on its page."""

from __future__ import annotations

import re

from pbm.features.finding.help import find_page
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

LINE = re.compile(r" *(?P<mark>>|bob>|reply>) (?P<typed>.+)")


def test_every_line_of_the_tutorial(talk: Conversation) -> None:
    """No line is refused, and the game ends."""
    lines = [found for found in map(LINE.fullmatch, find_page("tutorial")[1].splitlines()) if found]
    assert len(lines) >= 15
    latest: Mail | None = None
    number = "17"
    subjects = []
    for line in lines:
        who = "bob" if line["mark"] == "bob>" else "ann"
        typed = line["typed"].replace(" 17", f" {number}")
        typed = typed.replace(" secret", f" {talk.password('ann')}")
        typed = typed.replace(" sesame", f" {talk.password('bob')}")
        if line["mark"] == "reply>":
            assert latest is not None
            talk.replies(latest, typed)
        else:
            talk.mails(who, typed)
        answer = talk.any_mail(who)
        if answer.subject == "[pbm] confirm this address":
            talk.replies(answer, f"confirm {answer.line('Code: ')}")
            answer = talk.any_mail(who)
        if answer.subject.startswith("[cradle ") and "new board" in answer.subject:
            number = answer.fact("Board")
        other = "ann" if who == "bob" else "bob"
        talk._collect()
        arrived = talk._unread.pop(f"{other}@example.org", [])
        mine = [answer] if who == "ann" else arrived
        latest = next((mail for mail in mine if "+" in mail.reply_to), latest)
        assert "not done" not in answer.subject, f"{typed}: {answer}"
        subjects.append(answer.subject)
    assert f"[cradle {number}] ann won (3)" in subjects
    assert subjects[-1] == "[pbm] goodbye, ann"
