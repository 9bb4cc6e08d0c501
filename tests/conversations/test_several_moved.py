"""Where several others have moved since one's own turn, the picture numbers what they did."""

from __future__ import annotations

import re

import pytest

from tests.conversations.test_web import link_of
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Visitor

pytestmark = pytest.mark.config(web={"url": HOST})


def play_example(talk: Conversation, mail: Mail, *people: str) -> dict[str, Mail]:
    """The example of a mail is played; the mails that all get of it."""
    example = re.search(r"for instance\s+(\S+?)(?:,\s|\s)", mail.text)
    assert example is not None, mail.text
    talk.replies(mail, example[1])
    return {who: talk.any_mail(who) for who in people}


def test_turns_of_others_are_numbered(talk: Conversation, visitor: Visitor) -> None:
    people = ("ann", "bob", "carl")
    talk.signup(*people)
    mails = dict(zip(people, talk.challenge("cradle", *people, options="-size=3"), strict=True))
    for who in people:
        mails = play_example(talk, mails[who], *people)
    numbers = {
        who: re.findall(r'class="goldtext"[^>]*>([\d ]+)<', visitor.get(link_of(mails[who])).text)
        for who in people
    }
    assert numbers == {"ann": ["1", "2"], "bob": [], "carl": []}
