"""What a mail tells its reader to reply is done, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import unquote

import pytest

from pbm.locale import LANGUAGES
from tests.harness.conversation import Conversation
from tests.harness.languages import say
from tests.harness.mail import Mail
from tests.mail.test_picture_page import Page, both

ANN, BOB = "ann", "bob"
_ALSO = "You can also reply: {words}"
_REFUSED = ("Not done: {reason}", "Not done: I could not find a command in your mail.")

Scene = Callable[[Conversation], tuple[str, Mail]]
"""Plays until somebody has a mail of a kind; who, and that mail."""


def _begin(talk: Conversation, *lines: tuple[str, str], options: str = "") -> dict[str, Mail]:
    """A new board, and what these people reply to their latest mail; the latest mails of both."""
    latest = dict(zip((ANN, BOB), talk.challenge("chess", ANN, BOB, options=options), strict=True))
    for who, line in lines:
        talk.replies(latest[who], line)
        for mail in talk.everything():
            latest[mail.address.partition("@")[0]] = mail
    return latest


def _account(line: str) -> Scene:
    def play(talk: Conversation) -> tuple[str, Mail]:
        talk.proves(ANN, line)
        mail = talk.any_mail(ANN)
        talk.everything()
        return ANN, mail

    return play


def _board(who: str, *lines: tuple[str, str], options: str = "") -> Scene:
    return lambda talk: (who, _begin(talk, *lines, options=options)[who])


SCENES: dict[str, Scene] = {
    "to move": _board(ANN),
    "challenged": _board(BOB),
    "later": _board(ANN, (ANN, "e4"), (BOB, "e5")),
    "a draw is proposed": _board(BOB, (ANN, "e4"), (BOB, "e5"), (ANN, "draw")),
    "an undo is asked for": _board(BOB, (ANN, "e4"), (BOB, "e5"), (ANN, "undo")),
    "won": _board(ANN, (ANN, "e4"), (BOB, "e5"), (ANN, "Nf3"), (BOB, "resign")),
    "lost": _board(BOB, (ANN, "e4"), (BOB, "e5"), (ANN, "Nf3"), (BOB, "resign")),
    "invited": _board(BOB, options="--ask"),
    "submitted": _board(ANN, (ANN, "submit e4")),
    "previewed": _board(ANN, (ANN, "preview e4")),
    "chat": _board(BOB, (ANN, "chat Hello!")),
    "queued": _board(BOB, (BOB, "queue e5")),
    "planned": _board(BOB, (BOB, "if e4 then e5")),
    "refused": _board(ANN, (ANN, "Qh5")),
    "no move": _board(ANN, (ANN, "xyzzy")),
    "help": _account("help"),
    "own boards": _account("mine"),
    "games": _account("games short"),
    "offers": _account("seeks"),
    "an offer": _account("hex seek"),
    "an event": _account("event new roundrobin hex --name=Spring"),
    "a message": lambda talk: (BOB, _write(talk)),
}


def _write(talk: Conversation) -> Mail:
    talk.proves(ANN, f"message {BOB}", "Hello!")
    talk.any_mail(ANN)
    return talk.any_mail(BOB)


def list_told(mail: Mail, language: str) -> Iterator[str]:
    """What the mail tells its reader to reply: the links of its page, and the words it lists."""
    for link in Page(both(mail.raw)[1]).links:
        where, _, line = unquote(link).partition("&body=")
        if line and where.startswith(f"mailto:{mail.reply_to}?"):
            yield line
    _, found, rest = mail.text.partition(say(language, _ALSO, words="\0").partition("\0")[0])
    if found:
        words = " ".join(rest.partition("\n\n")[0].split())
        yield from words.rstrip(".").split(", ")


@pytest.mark.in_process
@pytest.mark.sampled(4)
@pytest.mark.config(limits=dict.fromkeys(("open_boards", "mails_a_day", "notices_a_day"), 0))
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_mail_tells_to_reply_is_done(talk: Conversation, language: str) -> None:
    talk.signup(ANN, BOB)
    for who in (ANN, BOB):
        talk.proves(who, f"set language={language}")
    talk.everything()
    refused = tuple(say(language, each, reason="\0").partition("\0")[0] for each in _REFUSED)
    tried = set[tuple[str, str]]()
    for name, scene in SCENES.items():
        who, mail = scene(talk)
        talk.everything()
        for line in dict.fromkeys(list_told(mail, language)):
            tried.add((name, line))
            further = "e4" if name == "submitted" else "Hello!"
            talk.replies(mail, f"{line}{further}" if line[-1].isspace() else line)
            answers = [each for each in talk.everything() if each.address.startswith(f"{who}@")]
            assert answers, f"{name}: {line!r} brings nothing"
            for each in answers:
                assert not each.text.lstrip().startswith(refused), f"{name}: {line!r}\n{each}"
            talk.clock.advance(seconds=3700)
            mail = scene(talk)[1]
            talk.everything()
    assert {name for name, _ in tried} >= {"to move", "won", "invited", "an event"}
