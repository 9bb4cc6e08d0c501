"""Whatever mail a person answers, and whatever the first line is, every word below it is found in a
mail to somebody."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.harness.conversation import UNLIMITED, Conversation
from tests.harness.mail import Mail

_BELOW = "We saw a kingfisher at Zo{n} yesterday.\nPlease greet Zo{n} from all of us!"
_WORDS = "Lovely evening here"
_FIRST = {
    "a move": "e4",
    "a refused move": "e9",
    "two moves": "e4 or d4",
    "a command": "mine",
    "one without its words": "time",
    "one with a text": "note good bishop",
    "an act": "resign",
    "a refused command": "show 99999",
    "no command": "showw 99999",
    "yes": "yes",
    "no": "no",
    "thanks": "Thank you.",
    "stop": "stop",
    "a greeting": "Hello!",
    "a question": "whose turn is it?",
    "a wish": "I forgot my password",
    "words": _WORDS,
    "nothing": "",
}
_ORDERS = {"e4": "F LON - NTH", "e9": "A MUN - XYZ", "e4 or d4": "F LON - NTH or ENG"}
_SEVEN = ("ann", "bob", "cyd", "dan", "eve", "flo", "gus")


def _find(talk: Conversation, who: str = "ann") -> Mail:
    """The first unread mail of somebody."""
    return next(each for each in talk.everything() if each.address.startswith(who))


def _start(talk: Conversation, *moves: str) -> list[Mail]:
    return talk.plays(moves, "ann", "bob", latest=talk.challenge("chess", "ann", "bob"))


def _after(talk: Conversation, line: str, *moves: str, by: int = 1) -> Mail:
    """Ann's mail after one of the players has replied with a line."""
    talk.replies(_start(talk, *moves)[by], line)
    return _find(talk)


def _proved(talk: Conversation, line: str, who: str = "ann", text: str = "") -> Mail:
    talk.proves(who, line, text)
    return _find(talk)


def _invitation(talk: Conversation) -> Mail:
    talk.proves("bob", f"invite kim{talk.sent}@example.org chess")
    return _find(talk, "kim")


def _list(talk: Conversation) -> Mail:
    _start(talk)
    return _proved(talk, "mine")


def _entered(talk: Conversation) -> Mail:
    talk.replies(_proved(talk, _EVENT), "event enter 1")
    return _find(talk)


def _orders(talk: Conversation) -> Mail:
    return _proved(talk, f"dip challenge {' '.join(_SEVEN)}")


def _letter(talk: Conversation) -> Mail:
    talk.proves("ann", f"dip challenge {' '.join(_SEVEN)}")
    talk.replies(_find(talk, "bob"), "press to austria\nShall we meet in Burgundy?")
    return _find(talk)


_EVENT = "event new swiss chess --rounds=3 --begins=2026-03-20"
_KINDS: dict[str, Callable[[Conversation], Mail]] = {
    "board": lambda talk: _start(talk)[0],
    "board of the other": lambda talk: _start(talk)[1],
    "own move": lambda talk: _start(talk, "e4")[0],
    "chat": lambda talk: _after(talk, "chat Good luck!"),
    "end": lambda talk: _after(talk, "resign", "e4"),
    "draw": lambda talk: _after(talk, "draw", "e4"),
    "undo": lambda talk: _after(talk, "undo", "e4", "e5"),
    "refusal": lambda talk: _after(talk, "e9", by=0),
    "help": lambda talk: _after(talk, "help", by=0),
    "note": lambda talk: _after(talk, "note good bishop", by=0),
    "invitation": _invitation,
    "challenge": lambda talk: _proved(talk, "chess challenge bob ann --ask", "bob"),
    "event": lambda talk: _proved(talk, _EVENT),
    "entered event": _entered,
    "list": _list,
    "settings": lambda talk: _proved(talk, "set"),
    "no command": lambda talk: _proved(talk, "abracadabra"),
    "offer": lambda talk: _proved(talk, "chess seek"),
    "message": lambda talk: _proved(talk, "message ann", "bob", "See you on Sunday."),
    "letter": _letter,
    "orders": _orders,
}


@pytest.mark.sampled(3)
@pytest.mark.in_process
@pytest.mark.config(limits=UNLIMITED)
@pytest.mark.parametrize("kind", _KINDS)
def test_every_word_is_heard(talk: Conversation, kind: str) -> None:
    talk.signup(*_SEVEN)
    silent = []
    for name, first in _FIRST.items():
        mail = _KINDS[kind](talk)
        if kind in ("letter", "orders"):
            first = _ORDERS.get(first, first)
        talk.clock.advance(seconds=30)
        below = _BELOW.format(n="".join(chr(ord("a") + int(digit)) for digit in str(talk.sent)))
        talk.replies(mail, f"{first}\n{below}".lstrip())
        mails = talk.everything()
        told = " ".join(" ".join(each.text.replace("\n>", "\n").split()) for each in mails)
        is_said = "To send it, reply with the word chat before it." in told
        assert not (is_said and kind in ("letter", "orders"))  # there is no such word
        for words in [*below.split("\n"), *([_WORDS] if first == _WORDS else [])]:
            if words.rstrip(".!") not in told:
                silent.append(f"{words!r} below {name}: {[*map(str, mails)]}")
    assert not silent, "\n".join(silent)


def test_a_no_to_an_invitation_that_says_more_is_answered(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", "invite kim@example.org chess")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("kim"), "No, thanks.\nGive my love to your mother!")
    told = talk.receives("kim", "[pbm] you have refused the invitation", "Give my love")
    assert "Not passed on" in told.text
    talk.proves("ann", "invite lou@example.org chess")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("lou"), "No, thanks.")  # the only mail to somebody who wants none


def test_a_refused_command_in_a_new_mail_names_the_text_below_it(talk: Conversation) -> None:
    talk.signup("ann")
    move = f"chess move 99 ann {talk.password('ann')} e4"
    talk.mails("ann", move, "Was this the board with two queens?")
    talk.receives("ann", "[pbm] not done: there is no board with that number", "two queens?")
    talk.mails("ann", "hex challenge ann nobody", "A word that nobody has proved.")
    told = talk.any_mail("ann")
    assert "Not passed on: ..." in told.text
    assert "nobody has proved" not in told.text


def test_a_word_that_may_be_a_password_hides_no_other(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.replies(_start(talk)[0], "e9\nWritten on my iPhone beside the lake.")
    told = _find(talk)
    assert "Not passed on: Written on my ... beside the lake." in told.text
