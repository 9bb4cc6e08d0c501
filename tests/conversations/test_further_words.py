"""Words behind a command that it does not take: they are used, named or refused, never dropped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbm.core.feature import list_verbs
from tests.conversations import test_attention, test_silenced
from tests.conversations.test_passwords import UNLIMITED
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

LINES = {
    **test_attention.LINES,
    "yes show": "show {board}",
    "yes preview": "tictactoe preview {board} a1",
    "yes watch": "tictactoe watch {watched} {me}",
    "yes export": "export {over}",
    "yes master": "master {board} {me}",
    "yes takeover": "takeover {board} {me}",
    "no vacation": "vacation {me} 2026-03-05 2026-03-08",
    "no find": "find ann",
    "no message": "message {me} bob",
}
SEARCHES = {"search", "ask"}
"""They take any words, and say what they found by them."""
FURTHER = "zzqx wibble"


def by_password(talk: Conversation, line: str) -> None:
    talk.mails("eve", line.format(me=f"eve {talk.password('eve')}"))


def by_reply(talk: Conversation, line: str) -> None:
    talk.proves("eve", " ".join(line.format(me="").split()))


def write(verb: str, name: str) -> str:
    """A line of a verb that a board, an offer or nothing is made for."""
    given = test_silenced.LINES.get(name, "") if f"yes {name}" == verb else ""
    return LINES[verb] if verb not in test_attention.LINES else given or LINES[verb]


def is_heard(mail: Mail) -> bool:
    """Whether a mail says what became of the words."""
    return FURTHER.split()[0] in mail.text or "ot done" in f"{mail.subject} {mail.text}"


@pytest.mark.in_process
@pytest.mark.config(limits={**UNLIMITED, "notices_a_day": 0, "news_a_day": 0})
@pytest.mark.parametrize("proof", [by_reply, pytest.param(by_password, marks=pytest.mark.long)])
def test_no_word_behind_a_command_is_dropped(
    talk: Conversation, proof: Callable[[Conversation, str], None]
) -> None:
    """Each verb, in a line that it takes, with two words more."""
    talk.signup("bob", "eve", "vic", "kim")
    for made in ("team new rooks", "club new rooks", "event new roundrobin tictactoe"):
        talk.proves("eve", made)
    talk.everything()
    dropped = []
    for verb in list_verbs():
        key = f"{verb.game} {verb.name}"
        if verb.name in test_attention.ENDS | SEARCHES:
            continue
        line = write(key, verb.name)
        for name, number in test_silenced.set_up(talk, line).items():
            line = line.replace(f"{{{name}}}", number)
        proof(talk, f"{line} {FURTHER}")
        mails = talk.everything()
        if not mails or not any(map(is_heard, mails)):
            dropped.append((line, [mail.text for mail in mails]))
    assert dropped == []


def test_a_claim_that_nobody_asks_for_is_no_further_word(talk: Conversation) -> None:
    """Userid and password stand behind most commands, so people write them behind all."""
    talk.signup("ann", "bob")
    talk.mails("ann", f"seeks ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] open offers", "Nobody is looking for a game right now.")


def test_a_yes_sends_the_line_without_them(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "rating bob chess now")
    asked = talk.any_mail("ann")
    assert "    chess rating bob\n" in asked.text
    talk.replies(asked, "yes")
    assert talk.any_mail("ann").subject == "[pbm] ratings of bob"


def test_please_and_thanks_are_no_words(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    for line in ("who bob please", "who bob thanks", "who bob por favor", "who bob bitte"):
        talk.proves("ann", line)
        talk.receives("ann", "[pbm] bob", "here since")
    talk.proves("ann", "help s'il te plaît")
    talk.receives("ann", "[pbm] help")
    mine, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mine, "time 3 please")
    for who in ("ann", "bob"):
        assert "gave bob 3 more days" in talk.any_mail(who).text
    talk.replies(mine, "preview d4, please")
    talk.receives("ann", "[chess 1] preview: d4")


@pytest.mark.parametrize("line", ["message bob hello there", "broadcast hello to all"])
def test_a_text_on_the_line_is_sent_by_a_yes(talk: Conversation, line: str) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", line)
    asked = talk.any_mail("ann")
    assert "the word yes" in asked.text
    assert talk.waiting("bob") == 0
    talk.replies(asked, "yes")
    assert "hello" in talk.any_mail("bob").text
    assert "hello" in talk.any_mail("ann").text


def test_a_day_has_no_other_words(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mine, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mine, "pause until monday evening at the lake")
    assert "say until which day" in talk.any_mail("ann").text
    talk.replies(mine, "pause until the 14th of March please")
    for who in ("ann", "bob"):
        assert "until 2026-03-14" in talk.any_mail(who).text
