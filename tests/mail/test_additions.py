"""What programs add around a writer's words is told by its shape and by what earlier mails had."""

import pytest

from pbm.mail.additions import (
    digest_beginning,
    digest_endings,
    measure_banner,
    measure_ending,
)
from pbm.mail.letter import Letter, Machine, read_letter
from tests.harness.mail import mail

SENDER = "ann@example.com"
BANNERS = (
    "[You don't often get email from ann@example.com. Learn why this is important at "
    "https://aka.ms/LearnAboutSenderIdentification ]",
    "Some people who received this don't often get email from ann@example.com.",
    "ATTENTION : ce courriel provient de l'extérieur. Ne cliquez pas sur les liens.",
    "ACHTUNG! Diese E-Mail kommt von außerhalb. Klicken Sie nicht auf Anhänge.",
    "*** EXTERNÍ ZPRÁVA *** Tato zpráva přišla mimo organizaci.",
    "【注意】このメールは外部の送信者から届いています。リンクを開く前に内容をご確認ください。",
    "UWAGA: Wiadomość pochodzi z zewnątrz organizacji. Nie otwieraj załączników.",
    "WARNING: This message came from outside the company\nand may hold unsafe attachments.",
    "[EXTERN]",
)
PEOPLE = (
    "Hi Bob",
    "Sorry for the wait: I was ill",
    "WOW: what a move",
    "My phone fell into the lake, so I write from a friend's house.",
    "I got your message at the office, see you at six!",
    "(I am in a hurry)",
    "WAIT! I am not sure about this one",
    "[don't play this yet, still thinking]",
    "ATTENTION: I might take my last message back, if you let me, so do not answer it",
)
OWN = ["e4", "", "Good luck"]
APP = ["", "Sent from my Galaxy S23"]


def read(*lines: str, subject: str = "Re: [cradle 17] ann - bob") -> Letter:
    raw = mail(*lines, subject=subject)
    return read_letter(raw, envelope_from=SENDER)


@pytest.mark.parametrize("banner", BANNERS)
def test_a_banner_has_a_shape(banner: str) -> None:
    lines = banner.split("\n")
    for between in (["", ""], ["", "________________", ""], ["--------", ""]):
        assert measure_banner([*lines, *between, *OWN], SENDER) == len(lines) + len(between)
    assert not measure_banner(lines, SENDER)


def test_so_has_what_stands_between_rules() -> None:
    rule = "***************"
    assert measure_banner([rule, "", "Watch out", "", rule, "", *OWN], SENDER) == 6
    assert measure_banner(["[EXTERN]", *OWN], SENDER) == 1


@pytest.mark.parametrize("words", PEOPLE)
def test_words_of_people_have_none(words: str) -> None:
    assert not measure_banner([words, "", *OWN], SENDER)


def test_nor_have_the_tags_of_a_record() -> None:
    assert not measure_banner(['[Event "Club"]', '[Result "1-0"]', "", "1. e4 e5 1-0"], SENDER)


def test_what_earlier_mails_ended_with_is_an_ending() -> None:
    earlier = [digest_endings(["Nf3", *APP]), digest_endings(["d4", "Hi", *APP, "", "ACME Ltd."])]
    assert measure_ending([*OWN, *APP], earlier[:1]) == (1, 1)
    assert measure_ending([*OWN, *APP, "", "ACME Ltd."], earlier) == (2, 1)
    assert measure_ending(OWN, earlier) == (0, 0)
    assert measure_ending([*OWN, *APP], [earlier[0]] * 3) == (1, 3)


@pytest.mark.parametrize(
    "line",
    [
        "e4",
        "resign",
        "aufgeben",
        "destroyer a1 to a2",
        "if e5 then Nf3",
        "if any then resign",
        "chess show 3",
        "17 ann secret pass",
        "mine",
    ],
)
def test_what_may_act_belongs_to_no_ending(line: str) -> None:
    earlier = [digest_endings(["d4", line])]
    assert measure_ending(["Hi", line], earlier) == (0, 0)


def test_the_first_line_belongs_to_no_ending() -> None:
    assert digest_endings(["Thanks!"]) == []
    assert measure_ending(["Hi"], [digest_endings(["d4", "Hi"])]) == (0, 0)


def test_a_beginning_is_a_paragraph_with_more_below_it() -> None:
    words = "This mail came from outside."
    assert digest_beginning([words, "", *OWN]) == digest_beginning([words, "---------", "d4"])
    for lines in ([words], ["Hi Bob", "", "e4"], ["e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O", "", "Hi"]):
        assert not digest_beginning(lines)


@pytest.mark.parametrize("words", ["Uscita dall'ufficio", "Tự động trả lời", "Recall", "Ei luettu"])
def test_words_above_our_subject_are_a_programs(words: str) -> None:
    """Unless the mail quotes ours, as people's replies do."""
    subject = f"{words}: [cradle 17] ann - bob"
    assert read("12/7", subject=subject).machine is Machine.SOFT
    assert read("12/7", "", "> Your move?", subject=subject).machine is Machine.NO
    assert read("Thanks").machine is Machine.NO


def test_a_reaction_is_a_programs() -> None:
    """It has a sign, its writer's name and the program's link."""
    link = "<https://www.google.com/gmail/about/>"
    assert read("🎉", "", "Ann hat über Gmail reagiert", link, "", "> Hi").mark == "a reaction"
    for lines in (("👍",), ("👍", "", "Ann did not see that"), ("👍", "Hello", link)):
        assert read(*lines, "", "> Your move?").machine is Machine.NO


@pytest.mark.parametrize(
    "kind",
    ['text/plain; protected-headers="v1"', 'text/plain; charset=utf-8; hp-legacy-display="1"'],
)
def test_a_header_shown_to_old_programs_is_not_the_writers(kind: str) -> None:
    head = ("MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=b")
    legacy = ("--b", f"Content-Type: {kind}", "", "Subject: Re: resign", "From: Ann", "")
    below = ("--b", "Content-Type: text/plain", "", "b1,c1", "--b--")
    for parts in ((*legacy, *below), (*legacy, "b1,c1", "--b--")):
        raw = mail(*parts, headers=head)
        letter = read_letter(raw, envelope_from="ann@example.com")
        assert letter.own_lines == ("b1,c1",)


@pytest.mark.parametrize("blank", ["\u200b", "\ufeff \u00a0", "\u2060\n\u200e", "\u00ad"])
def test_a_part_of_invisible_characters_is_blank(blank: str) -> None:
    raw = mail(
        *("--b", "Content-Type: text/plain; charset=utf-8", "", blank),
        *("--b", "Content-Type: text/html; charset=utf-8", "", "<p>b1,c1</p>", "--b--"),
        headers=("MIME-Version: 1.0", "Content-Type: multipart/alternative; boundary=b"),
    )
    assert read_letter(raw, envelope_from="ann@example.com").own_lines == ("b1,c1",)


def test_orders_are_no_ending_however_often_they_come() -> None:
    """A unit that holds for years is ordered to each time."""
    lines = ["dip move 1", "A VIE H", "F STP/SC - BOT", "a par s a bur"]
    earlier = [digest_endings(lines), digest_endings(lines)]
    assert measure_ending(lines, earlier) == (0, 0)
