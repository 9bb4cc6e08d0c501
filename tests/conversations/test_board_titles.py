"""A board that has a title: whoever makes it names it, and it is read wherever the board is."""

from __future__ import annotations

import json

import pytest

from tests.conversations.test_silenced import silence
from tests.harness.conversation import Conversation
from tests.harness.visitor import HOST, Visitor


def shown(talk: Conversation, who: str, line: str) -> str:
    """What somebody reads who sends a line."""
    talk.proves(who, line)
    (mail,) = [mail for mail in talk.everything() if mail.address == f"{who}@example.org"]
    return mail.text


@pytest.mark.parametrize(
    "line",
    [
        'hex challenge ann bob --title="Winter match, first half" --nag=3',
        'hex challenge -size=9 --title="Winter match, first half" ann bob',
        "hex challenge ann bob -title=\u201cWinter match, first half\u201d",
    ],
)
def test_a_title_is_read_where_the_board_is(talk: Conversation, line: str) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", line)
    mails = {mail.address: mail.text for mail in talk.everything()}
    for who in ("ann", "bob"):
        assert 'Hex, board 1, "Winter match, first half"' in mails[f"{who}@example.org"]
    for asked in ("mine", "list", "hex games ann"):
        assert '"Winter match, first half"' in " ".join(shown(talk, "ann", asked).split())
    record = shown(talk, "bob", "hex export 1")
    assert json.loads(record[record.index("{\n") :])["title"] == "Winter match, first half"


def test_a_title_without_quotes_ends_the_line(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "hex challenge ann bob --title=Winter match")
    assert 'board 1, "Winter match"' in talk.everything()[0].text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hex challenge --title=Winter ann bob", "quotes"),
        ("hex challenge bob --title=Winter match", "quotes"),
        ("cradle challenge ann bob --title=Final cat", "quotes"),
        ("hex challenge ann bob --title=", "characters"),
        (f'hex challenge ann bob --title="{"long " * 9}"', "characters"),
    ],
)
def test_nothing_begins_where_the_title_is_in_doubt(
    talk: Conversation, line: str, why: str
) -> None:
    talk.signup("ann", "bob", "cat")
    talk.proves("ann", line)
    (mail,) = talk.everything()
    assert mail.address == "ann@example.org"
    assert why in mail.text
    assert '--title="' in mail.text


def test_a_title_goes_with_an_offer(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", 'hex seek --title="Friday club"')
    talk.everything()
    talk.proves("bob", "hex join 1")
    assert all('board 1, "Friday club"' in mail.text for mail in talk.everything())


def test_a_title_gives_no_reply_address_away(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "games")
    (mail,) = talk.everything()
    token = mail.reply_to.partition("+")[2].partition("@")[0]
    talk.proves("ann", f'hex challenge ann bob --title="{token}"')
    mails = talk.everything()
    assert len(mails) == 2
    assert all('board 1, "(address removed)"' in mail.text for mail in mails)
    assert not any(token in mail.text for mail in mails)


def test_a_silenced_player_names_no_board(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    silence(talk, "ann")
    talk.proves("ann", 'hex challenge ann bob --title="Gadzooks"')
    (mail,) = talk.everything()
    assert mail.address == "ann@example.org"
    assert "silenced" in mail.text
    talk.proves("ann", "hex challenge ann bob")
    assert len(talk.everything()) == 2


def test_an_offer_loses_the_title_of_who_was_silenced_since(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", 'hex seek --title="Gadzooks"')
    talk.everything()
    silence(talk, "ann")
    talk.proves("bob", "hex join 1")
    mails = talk.everything()
    assert mails
    assert not any("Gadzooks" in mail.text for mail in mails)


@pytest.mark.config(web={"url": HOST})
def test_pages_show_the_title_as_it_was_written(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", 'hex challenge ann bob --title="<b>Us & them"')
    mail = next(mail for mail in talk.everything() if mail.address == "ann@example.org")
    record = visitor.get(f"{HOST}/board/1.json")
    assert json.loads(record.text)["title"] == "<b>Us & them"
    for path in ("", "board/1", "game/hex", "player/ann"):
        assert "<q>&lt;b&gt;Us &amp; them</q>" in visitor.get(f"{HOST}/{path}").text
    assert "<q>&lt;b&gt;Us &amp; them</q>" in visitor.get(mail.line("On the web: ")).text
