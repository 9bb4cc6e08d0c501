"""Press by mail: it arrives once, exactly where it was sent, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbm.games import get_game
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

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


ANSWERS = (
    "Agreed.",
    "Agreed. I'll support you into Belgium.",
    "yes",
    "Sure!\nF KIE - HOL\nA BER - KIE",
    "Why should I?",
    "I will move to Holland, you to Norway\nG",
    "ok, but what about France?",
    "thanks",
)


def test_words_in_reply_to_a_letter_are_offered_to_its_writer(talk: Conversation) -> None:
    """They go to nobody unasked, whatever they say, and a yes sends all of them."""
    begin(talk)
    press(talk, "eve", "germany and france")
    letter = [mail for mail in talk.everything() if mail.address.startswith("gerd")][-1]
    for words in ANSWERS:
        talk.replies(letter, words)
        answer = talk.any_mail("gerd")
        assert "nothing was sent, and nothing ordered" in " ".join(answer.text.split()), words
        offered = answer.text.partition("reply with the word yes:\n")[2]
        lines = ["press to england", *words.split("\n")]
        assert offered.startswith("".join(f"    {line}\n" for line in lines)), words
        talk.nothing_more()
    talk.replies(answer, "yes")
    assert "> thanks" in talk.receives("eve", "[dip 1] press from Germany (gerd)").text
    assert "to nobody else" in read(talk, "gerd", "press to England")
    talk.nothing_more()
    talk.replies(letter, "F KIE - HOL")
    assert "You ordered F KIE - HOL." in talk.any_mail("gerd").text
    press(talk, "eve", "grey germany")
    talk.everything()
    for who in POWERS:
        talk.mails(who, f"dip propose 1 {who} {talk.password(who)}")
    ended = [mail for mail in talk.everything() if mail.address.startswith("gerd")][-1]
    talk.replies(letter, "It was our secret pact that did it.")
    answer = talk.any_mail("gerd")
    assert answer.lines.count("    press to england") == 1
    talk.nothing_more()
    talk.replies(ended, "It was our secret pact that did it.")
    answer = talk.any_mail("gerd")
    at = answer.lines.index("    press to POWER")
    assert answer.lines[at + 1] == "    It was our secret pact that did it."
    assert "reply with the word yes" not in answer.text
    talk.nothing_more()


def test_no_yes_sends_a_letter_to_a_power_that_stands_as_an_example(talk: Conversation) -> None:
    begin(talk)
    press(talk, "eve", "grey france")
    answer = talk.any_mail("eve")
    assert "press is signed" in " ".join(answer.text.replace("on board 1 ", "").split())
    assert "reply with the word yes" not in answer.text
    talk.mails("eve", f"dip press 1 eve {talk.password('eve')} to master", SECRET)
    assert "reply with the word yes" not in talk.any_mail("eve").text
    talk.nothing_more()


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
    talk.replies(first, "a par goes to burgundy please")
    answer = talk.any_mail("fred")
    assert "chat" not in answer.text
    assert "press" not in answer.text
    assert answer.lines[answer.lines.index("    a par goes to burgundy") + 1] == "    please"
    talk.nothing_more()
    talk.replies(answer, "yes")
    told = " ".join(talk.any_mail("fred").text.split())
    assert "You ordered A PAR - BUR" in told
    assert "'please' cannot be read as an order" in told
    talk.nothing_more()
    for line in ("let us meet in burgundy next year", "could the clocks ever be a nuisance?"):
        talk.replies(answer, line)
        answer = talk.any_mail("fred")
        assert "press to POWER" in answer.text
        assert "chat" not in answer.text
        talk.nothing_more()


LETTERS: list[tuple[str, list[str]]] = [
    ("press to russia:\nI move\nF EDI - NWG\nand you stay out of Norway.", ["Russia"]),
    ("PRESS TO RUSSIA:\nF STP/SC - BOT\nF EDI - NTH", ["Russia"]),
    (
        "press france & turkey, gerd and the ital:\nF LON - ENG",
        ["France", "Germany", "Italy", "Turkey"],
    ),
    ("press to fred\nF LON - NTH\nA LVP - YOR", ["France"]),
    ("presse an Frankreich\nF LON - NTH", []),
    ("prensa para france y ivo\nF LON - NTH", ["France", "Italy"]),
    ("press to rusia\nI propose:\nF LON - ENG", []),
    ("press to russia and atlantis\nF LON - ENG", []),
    ("press to russia please\nA LVP - EDI", []),
    ("press to russia: let us both attack\nA LVP - EDI", []),
    ("press to england\nA LVP - EDI", []),
    ("pres to france\nF LON - ENG", []),
    ("chat to france\nF LON - ENG", []),
    ("to france:\nF LON - ENG", []),
    ("To: rusia & turkey\nF LON - ENG", []),
    ("France, Turkey:\nF LON - ENG", []),
    ("Dear Russia,\nF EDI - NWG\nA MOS - STP\nYours, England", []),
    ("an Frankreich:\nF LON - ENG", []),
    ("England to France:\nF LON - ENG", []),
    ("To whom it may concern,\nF LON - ENG", []),
    ("Cher gerd,\nF EDI - NWG", []),
    ("Hallo Sultan!\nF EDI - NWG", []),
    ("Hi everybody\nF EDI - NWG", []),
    ("My dear Turkey\nF EDI - NWG", []),
    ("Secret, for russia and germans\nF EDI - NWG", []),
    ("A Rusia:\nF EDI - NWG", []),
    ("To the French:\nF EDI - NWG", []),
]
MAY_BEGIN_LETTERS = (
    "Russia -- F EDI-NWG then?",
    "France, here is what I propose:",
    "Proposal to Italy:",
    "PS for Germany:",
    "My orders for Russia to support:",
    "What I'd like to see from Russia next turn:",
    "I told Russia:",
    "as agreed with russia:",
    "To keep France out of it:",
    "An army for France:",
    "Your majesty,",
    "Kaiser!",
    "Frenchie,",
    "Ciao Italia,",
    "Gentlemen,",
)
HEADINGS = (
    "For England:",
    "Orders:",
    "Spring 1901:",
    "Here are my orders:",
    "Orders for spring 1901",
    "England's orders",
    "Hi,",
    "Thanks!",
    "A MUN - BUR as agreed with Germany",
)
SHARED = Path(__file__).parents[3] / "shared/findings/cases/games/press.jsonl"
"""More letters, where they lie beside a checkout; `fred` plays on none of their boards."""


def send_letter(talk: Conversation, first: Mail, body: str) -> tuple[Mail, list[str]]:
    """Reply as England; the answer, and the powers that the letter reached, of which each must have
    all of it."""
    talk.replies(first, body)
    mails = {mail.address.partition("@")[0]: mail for mail in talk.everything()}
    answer = mails.pop("eve")
    for mail in mails.values():
        assert mail.subject.endswith("press from England (eve)")
        for line in body.splitlines()[1:]:
            assert f"> {line}" in mail.lines
    names = get_game("dip").setup(7).seat_names
    seats = {each: names[at] for at, each in enumerate(("ann", "eve", "fred", *POWERS[3:]))}
    return answer, sorted(seats.get(each, "France") for each in mails)


def test_a_letter_is_sent_or_comes_back_and_holds_no_orders(talk: Conversation) -> None:
    begin(talk)
    talk.mails("eve", f"dip move 1 eve {talk.password('eve')} A LVP - WAL")
    first = talk.any_mail("eve")
    for body, readers in LETTERS:
        answer, reached = send_letter(talk, first, body)
        assert reached == readers, body
        if readers:
            continue
        for line in body.splitlines()[1:]:
            assert f"    {line}" in answer.lines, body
        assert any(line.startswith("    press to ") for line in answer.lines), body
    talk.mails("eve", f"dip showas eve {talk.password('eve')} 1")
    assert "Your orders: A LVP - WAL." in " ".join(talk.any_mail("eve").text.split())


@pytest.mark.skipif(not SHARED.exists(), reason="no letters lie beside this checkout")
def test_letters_of_others_are_sent_or_come_back(talk: Conversation) -> None:
    people = ["zoe" if each == "fred" else each for each in POWERS]
    talk.signup(*people)
    first = talk.challenge("dip", *people)[1]
    for case in map(json.loads, SHARED.read_text("utf-8").splitlines()):
        answer, reached = send_letter(talk, first, case["body"].strip())
        assert reached == case["to"], case
        assert "you ordered" not in answer.subject, case


def test_a_letter_that_came_back_is_sent_as_the_answer_has_it(talk: Conversation) -> None:
    """Its lines are the writer's, although they stand in the mail that is answered."""
    begin(talk)
    talk.mails("eve", f"dip showas eve {talk.password('eve')} 1")
    first = talk.any_mail("eve")
    talk.replies(first, "Dear Rusia and tom,\n\nI mean to order\nF EDI - NWG\n\nYours, England")
    answer = talk.any_mail("eve")
    at = answer.lines.index("    press to russia and turkey")
    offered = [line.strip() for line in answer.lines[at : at + 5]]
    quoted = [f"> {line}" for line in answer.lines]
    talk.replies(answer, "\n".join([*offered, "", "On that day pbm wrote:", *quoted]))
    for who in ("rita", "tom"):
        lines = talk.receives(who, "[dip 1] press from England (eve)").lines
        assert "> I mean to order" in lines
        assert "> F EDI - NWG" in lines
    talk.any_mail("eve")
    talk.replies(answer, "\n".join(["Why did this come back?", *answer.lines]))
    assert "press to" in talk.any_mail("eve").text
    talk.replies(answer, "\n".join(["What is this?", *answer.lines]))
    assert "a program that lets people play" in " ".join(talk.any_mail("eve").text.split())
    talk.nothing_more()


def test_where_nobody_is_to_know_who_plays_no_userid_names_a_power(talk: Conversation) -> None:
    begin(talk, "-anonymous")
    answers = set()
    for who in ("fred", "nobody", "tmo"):
        press(talk, "eve", who)
        answers.add(talk.any_mail("eve").text)
        talk.nothing_more()
    (text,) = answers
    assert "press 1 eve PASSWORD to POWER" in text


def test_orders_below_a_letter_or_a_doubt_are_asked_for(talk: Conversation) -> None:
    begin(talk)
    talk.mails("eve", f"dip move 1 eve {talk.password('eve')} A LVP - WAL")
    first = talk.any_mail("eve")
    for body in (
        "This is how I see it now\nF EDI - NWG\nor is it better that we stay where we are?",
        "Should I do this?\nF EDI - NWG\nF LON - NTH",
        "show me the board please\nF EDI - NWG\nF LON - NTH",
        "I would like a draw\nF EDI - NWG\nF LON - NTH",
    ):
        talk.replies(first, body)
        answer = talk.any_mail("eve")
        assert "nothing was ordered" in " ".join(answer.text.split()), body
        assert "    F EDI - NWG" in answer.lines
        talk.nothing_more()
    talk.replies(answer, "F EDI - NWG\nF LON - NTH")
    said = " ".join(talk.any_mail("eve").text.split())
    assert "Your orders: A LVP - WAL, F EDI - NWG, F LON - NTH." in said
    for line in MAY_BEGIN_LETTERS:
        talk.replies(first, f"{line}\nF EDI H\nF LON H")
        answer = talk.any_mail("eve")
        assert "nothing was ordered" in " ".join(answer.text.split()), line
        assert answer.lines.count("    F EDI H") == answer.lines.count("    F LON H") == 1, line
    talk.replies(answer, "yes")
    assert "You ordered F EDI H, F LON H." in talk.any_mail("eve").text
    for line in HEADINGS:
        talk.replies(first, f"{line}\nF EDI H")
        said = " ".join(talk.any_mail("eve").text.split())
        assert "You ordered F EDI H." in said, line
        assert line.rstrip(",!") in said.partition("Not taken: ")[2], line
    talk.replies(first, "F EDI H\nFrance, would you like this?\nF LON H")
    assert "nothing was ordered" in " ".join(talk.any_mail("eve").text.split())
    talk.replies(first, "F EDI H\npress to russia\nF LON H is what I do")
    said = " ".join(talk.any_mail("eve").text.split())
    assert "You ordered F EDI H." in said
    assert "Not taken: the letter that begins with 'press to russia'" in said
    talk.nothing_more()


def test_the_press_of_a_cancelled_board_stays_with_those_who_had_it(talk: Conversation) -> None:
    begin(talk)
    press(talk, "eve", "germany")
    talk.everything()
    talk.mails("tom", f"dip decline 1 tom {talk.password('tom')}")
    assert any("cancelled" in mail.text for mail in talk.everything())
    for who, line in (
        ("carl", "dip export 1"),
        ("carl", "dip show 1"),
        ("ann", f"dip export 1 ann {talk.password('ann')}"),
        ("ann", f"dip press 1 ann {talk.password('ann')}"),
    ):
        talk.mails(who, line)
        mail = talk.any_mail(who)
        assert SECRET not in mail.text, line
    for who in ("eve", "gerd"):
        talk.mails(who, f"dip press 1 {who} {talk.password(who)}")
        assert SECRET in " ".join(talk.any_mail(who).text.split()), who


@pytest.mark.parametrize(
    ("language", "shown", "line"),
    [
        ("de", "ann (Österreich)", "presse an Frankreich"),
        ("de", "ann (Österreich)", "An Frankreich:"),
        ("fr", "ann (Autriche)", "press to Türkei, France"),
        ("nl", "ann (Oostenrijk)", "press to france"),
        ("es", "ann (Austria)", "press to Francia"),
    ],
)
def test_powers_have_the_names_of_the_readers_language_and_are_read_by_them(
    talk: Conversation, language: str, shown: str, line: str
) -> None:
    talk.signup(*POWERS)
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    mail = talk.challenge("dip", *POWERS)[0]
    assert shown in " ".join(mail.text.split())
    if "Türkei" in line:  # a name of another language is nobody's
        talk.replies(mail, f"{line}\n{SECRET}")
        assert "Angleterre" in talk.any_mail("ann").text
        line = "press to france"
    talk.replies(mail, f"{line}\n{SECRET}")
    answer = talk.any_mail("ann")
    if line.startswith("An"):
        talk.replies(mail, answer.text.partition("Schick stattdessen:\n")[2].partition("\n\n")[0])
        talk.any_mail("ann")
    assert SECRET in talk.receives("fred", "[dip 1] press from Austria (ann)").text
