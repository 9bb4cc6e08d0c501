"""Whatever a person writes above, between or below the lines of a quote: each word is in a mail to
whom it is meant for, or named to its writer, and nothing acts but the one line that certainly
does."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from pbm.store.tables import mail_ends
from tests.conversations.test_written_mails import squeeze, state, write
from tests.conversations.written_mails import GMAIL, OUTLOOK, Written, plain, rich
from tests.harness.conversation import UNLIMITED, Conversation
from tests.harness.mail import Mail

_EXAMPLES = 12
_COMMON = re.findall(
    r"\S+",
    "the and you we not if yes no or my your game move board draw resign stop undo white "
    "black queen knight pawn e4 Nf3 und der nicht zug bien pero nada wachten iPhone Outlook "
    "mail message office holiday Bob ann sorry 17 2026 09:12 12/7 ¡vale! (perhaps) “really” 👍 "
    "https://club.example/page ",
)
_word = st.one_of(
    st.sampled_from(_COMMON), st.text("aeioulmnrstbdgkpvwzäéñß", min_size=5, max_size=9)
)
_sentence = st.builds(
    lambda words, end: " ".join(words).capitalize() + end,
    st.lists(_word, min_size=2, max_size=9),
    st.sampled_from((".", "!", "?", "", "...", ",", ":", ";", " :-)")),
)
_paragraph = st.lists(_sentence, min_size=1, max_size=3).map("\n".join)
_text = st.lists(_paragraph, min_size=1, max_size=2).map("\n\n".join)
_place = st.one_of(st.just(""), _text)


def compose(form: str, above: str, between: str, below: str) -> str:
    """A reply in a form, with texts at those places around a quote and within it."""
    if form == "marked":
        parts = (above, f"{GMAIL}@@Q1@@", between, "@@Q23@@", below)
        return plain("\n\n".join(filter(None, parts)))
    if form == "unmarked":
        parts = (above, f"{OUTLOOK}@@TEXT1@@", between, "@@TEXT23@@", below)
        return plain("\n\n".join(filter(None, parts)))
    heads = {
        "blockquote": ("<div>On Thu, Nov 26, 2026 pbm wrote:</div><blockquote>", "</blockquote>"),
        "rule": ("<hr><div><b>From:</b> pbm<br><b>Sent:</b> Thursday</div>", ""),
    }
    begin, end = heads[form]
    quote = f"{begin}@@HTML1@@{in_html(between)}@@HTML23@@{end}"
    return rich(f"<html><body>{in_html(above)}{quote}{in_html(below)}</body></html>")


def in_html(text: str) -> str:
    """A text as programs write it in HTML."""
    lines = text.split("\n") if text else []
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in lines)


def prepare(talk: Conversation, setup: str) -> Mail:
    """Ann's mail of that kind."""
    if setup == "list":
        talk.proves("ann", "mine")
    elif setup == "event":
        talk.proves("ann", "event new swiss chess --rounds=3 --begins=2026-04-20")
    elif setup == "chat":
        latest = talk.challenge("chess", "bob", "ann")
        talk.replies(latest[0], "chat Is it raining there?")
    else:
        order = ("ann", "bob") if setup == "turn" else ("bob", "ann")
        return talk.challenge("chess", *order)[order.index("ann")]
    return next(mail for mail in talk.everything() if mail.address.startswith("ann"))


def find_lost(line: str, told: str) -> list[str]:
    """The words of a line that no mail has, but for those that show as dots: they have capitals or
    digits within them, as passwords have."""
    words = (word for word in line.split() if word.isalpha() and word[1:].islower())
    return [word for word in words if word not in told]


@pytest.mark.sampled(4)
@pytest.mark.in_process
@pytest.mark.config(limits=UNLIMITED)
@pytest.mark.parametrize("form", ["marked", "unmarked", "blockquote", "rule"])
@pytest.mark.parametrize("setup", ["turn", "wait", "chat", "list", "event"])
def test_each_word_arrives_or_is_named(talk: Conversation, setup: str, form: str) -> None:
    talk.signup("ann", "bob")
    boards = [0]

    @settings(
        max_examples=_EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],  # to shrink takes minutes
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(_place, _place, _place)
    def check(above: str, between: str, below: str) -> None:
        mail = prepare(talk, setup)
        boards[0] += setup not in ("list", "event")
        before = state(talk, boards[0]) if boards[0] else []
        first = "e4\n" if setup == "turn" else ""
        case = Written("", compose(form, first + above, between, below))
        talk.clock.advance(seconds=300)
        with talk.server.store.writing() as session:
            session.execute(delete(mail_ends))  # the same lines end many of these mails
        talk.server.take(mail.address, mail.reply_to, write(case, mail, talk))
        mails = talk.everything()
        text, told = "".join(mail.text for mail in mails), squeeze(*mails)
        after = state(talk, boards[0]) if boards[0] else []
        if setup == "turn":
            assert '[Ply "1"]' in after, after
        else:
            assert before == after
        lines = f"{above}\n{between}\n{below}".split("\n")
        lost = [line for line in lines if find_lost(line, told)]
        is_about_a_line = any(
            re.search("not done:|your question| of 2 done|open boards", mail.subject)
            for mail in mails
        )
        if re.search(r"(?m)^ {4}\.\.\.$|[:/] \.\.\.(?: /|$)", text):
            lost = []  # there is more, which may be a password, or is long
        if is_about_a_line:
            del lost[:1]
        assert not lost, (lost, text, [*map(str, mails)])

    check()


_MANY = "\n".join(f"The heron at mill {letter * 4} has a nest of twigs." for letter in "abcdefgh")


@pytest.mark.in_process
@pytest.mark.parametrize(
    ("setup", "form", "above", "between", "words"),
    [
        ("list", "blockquote", "Thanks!", "A heron sits on the roof", "A heron sits on the roof"),
        ("list", "blockquote", "", "A heron sits on the roof", "A heron sits on the roof"),
        ("list", "marked", "", "I answer here:", "I answer here:"),
        ("event", "marked", "The hall was cold.\nevents", "", "The hall was cold."),
        ("list", "marked", _MANY, "", "at mill hhhh"),
        ("chat", "unmarked", "", "A heron sits on the roof", "A heron sits on the roof"),
    ],
)
def test_words_at_odd_places_are_named(
    talk: Conversation, setup: str, form: str, above: str, between: str, words: str
) -> None:
    talk.signup("ann", "bob")
    mail = prepare(talk, setup)
    talk.server.take(
        mail.address,
        mail.reply_to,
        write(Written("", compose(form, above, between, "")), mail, talk),
    )
    told = squeeze(talk.any_mail("ann"))
    assert words in told.partition("Not passed on:")[2], told


@pytest.mark.in_process
@pytest.mark.config(retention={"mails_days": 1, "rows_days": 60})
@pytest.mark.parametrize("language", ["en", "nl"])
def test_so_are_words_within_an_unmarked_quote_of_a_mail_that_is_gone(
    talk: Conversation, language: str
) -> None:
    """The copy does not name half of our mail for it."""
    talk.signup("ann", "bob")
    talk.proves("ann", f"set language={language}")
    talk.everything()
    mail = prepare(talk, "turn")
    talk.passes(days=3)
    talk.everything()
    case = Written("", compose("unmarked", "e4\nGood luck!", "A heron sits on the roof", ""))
    talk.server.take(mail.address, mail.reply_to, write(case, mail, talk))
    told = squeeze(talk.any_mail("ann")).partition(":")[2]
    assert "> Good luck!" in talk.any_mail("bob").text
    named = told[: told.index(" [Game ")].split(" / ")
    assert any("A heron sits on the roof" in line for line in named)
    assert len(named) < 6, named
