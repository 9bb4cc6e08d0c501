"""Press by mail: it arrives once, exactly where it was sent, and nowhere else."""

from __future__ import annotations

import json

import pytest

from tests.harness.conversation import Conversation

POWERS = ("ann", "eve", "fred", "gerd", "ivo", "rita", "tom")
SECRET = "Galicia stays empty"


def begin(talk: Conversation, options: str = "") -> None:
    """A board of seven, Austria first."""
    talk.signup(*POWERS, "carl")
    talk.challenge("dip", *POWERS, options=options)


def press(talk: Conversation, who: str, readers: str, text: str = SECRET) -> None:
    """Send press."""
    talk.mails(who, f"dip press 1 {who} {talk.password(who)} to {readers}", text)


def read(talk: Conversation, who: str, head: str) -> str:
    """The text of the one mail that somebody receives, below that subject."""
    return " ".join(talk.receives(who, f"[dip 1] {head}").text.split())


def test_press_arrives_once_where_it_was_sent_and_nowhere_else(talk: Conversation) -> None:
    begin(talk)
    talk.mails("carl", f"dip watch 1 carl {talk.password('carl')}")
    talk.any_mail("carl")
    press(talk, "eve", "germany, ger and fra", f"{SECRET}.\nA MUN - TYR\nA PAR - BUR")
    assert "This went to France and Germany and to nobody else" in read(
        talk, "eve", "press to France and Germany"
    )
    for who in ("fred", "gerd"):
        mail = talk.receives(who, "[dip 1] press from England (eve)")
        assert "England (eve) writes to France and Germany:" in mail.text
        assert "> A MUN - TYR" in mail.text
    talk.nothing_more()
    talk.replies(mail, "press to england\nAgreed.")
    assert "> Agreed." in talk.receives("eve", "[dip 1] press from Germany (gerd)").text
    assert talk.any_mail("gerd")
    for who, line in (
        ("carl", "dip show 1"),
        ("carl", "dip export 1"),
        ("ann", f"dip showas ann {talk.password('ann')} 1"),
        ("ann", f"dip press 1 ann {talk.password('ann')}"),
        ("ann", f"dip export 1 ann {talk.password('ann')}"),
    ):
        talk.mails(who, line)
        for mail in talk.everything():
            assert SECRET.encode() not in mail.raw, line
            assert b"Agreed" not in mail.raw, line
    talk.mails("gerd", f"dip press 1 gerd {talk.password('gerd')}")
    listed = read(talk, "gerd", "press")
    assert "England to France and Germany" in listed
    assert "You to England" in listed


def test_press_that_has_no_reader_goes_to_nobody(talk: Conversation) -> None:
    begin(talk)
    for readers, reason in (
        ("atlantis and france", "one of the powers is unknown, and nothing was sent"),
        ("england", "England is your own power, and nothing was sent"),
        ("", "say who is to read it"),
    ):
        press(talk, "eve", readers)
        said = " ".join(talk.any_mail("eve").text.split()).replace("Not done: ", "")
        assert reason.lower() in said.lower()
        assert "atlantis" not in said
    press(talk, "eve", "all", "")
    assert "the text is missing" in talk.any_mail("eve").text.lower()
    talk.mails("eve", f"dip chat 1 eve {talk.password('eve')} {SECRET}")
    assert "say who is to read it" in " ".join(talk.any_mail("eve").text.split())
    press(talk, "eve", "all")
    assert "to Austria, France, Germany, Italy, Russia and Turkey" in " ".join(
        talk.any_mail("eve").text.split()
    )
    for who in POWERS:
        if who != "eve":
            talk.receives(who, "[dip 1] press from England (eve)")


def test_grey_press_names_nobody(talk: Conversation) -> None:
    begin(talk, "-press=grey")
    press(talk, "eve", "grey france")
    mail = talk.receives("fred", "[dip 1] press from somebody", "Somebody writes")
    assert b"eve" not in mail.raw
    assert "England (" not in mail.text
    assert "without your name" in talk.any_mail("eve").text
    press(talk, "eve", "france")
    talk.receives("fred", "[dip 1] press from England (eve)")
    talk.any_mail("eve")


@pytest.mark.parametrize(
    ("kind", "readers", "reason"),
    [
        ("white", "grey france", "grey press needs a board with -press=grey"),
        ("public", "france", "it goes to all or to nobody"),
        ("none", "all", "without press"),
    ],
)
def test_a_board_allows_its_kind_of_press_alone(
    talk: Conversation, kind: str, readers: str, reason: str
) -> None:
    begin(talk, f"-press={kind}")
    press(talk, "eve", readers)
    assert reason in " ".join(talk.any_mail("eve").text.split())
    talk.mails("eve", f"dip propose 1 eve {talk.password('eve')}", SECRET)
    mails = talk.everything()
    assert len(mails) == len(POWERS)
    others = [mail for mail in mails if not mail.address.startswith("eve")]
    assert all((SECRET.encode() in mail.raw) is (kind != "none") for mail in others)


def test_a_learner_asks_the_house(talk: Conversation) -> None:
    begin(talk, "-teach")
    press(talk, "eve", "house", "")
    assert "The house would order" in talk.any_mail("eve").text
    talk.nothing_more()


def test_press_is_in_the_record_once_the_end_is_settled(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    talk.challenge("dip", "ann", "bob", options="-press=grey -years=1")
    for who, readers in (("ann", "france"), ("bob", "grey austria")):
        press(talk, who, readers, f"{SECRET}, says {who}")
    talk.everything()
    while True:
        for who in ("ann", "bob"):
            talk.mails(who, f"dip ready 1 {who} {talk.password(who)}")
        mails = talk.everything()
        if any("The game is over" in mail.text for mail in mails):
            break
    talk.mails("carl", "dip export 1")
    text = talk.any_mail("carl").text
    record = json.loads(text[text.index("{") : text.rindex("}") + 1])
    assert [(line["from"], line["to"]) for line in record["press"]] == [
        ("Austria", ["France"]),
        (None, ["Austria"]),
    ]


def test_words_that_are_no_order_are_never_offered_to_everybody(talk: Conversation) -> None:
    talk.signup(*POWERS)
    first = talk.challenge("dip", *POWERS)[POWERS.index("fred")]
    for body in ("press to gremany\nLet us attack Austria.", "a par goes to burgundy please"):
        talk.replies(first, body)
        answer = talk.any_mail("fred")
        assert "press to austria" in answer.text, body
        assert "chat" not in answer.text, body
    assert "A PAR (Paris) may hold" in " ".join(answer.text.split())
    talk.nothing_more()
