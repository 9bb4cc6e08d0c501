"""Which own lines of a reply stand in the mail that it answers, and which are the writer's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.mail.answered import AnsweredText, find_quoted, leave_out
from pbm.mail.body import list_texts
from pbm.mail.letter import read_letter
from tests.harness.mail import in_time, mail, multipart

SENT = """Welcome, ann! Your account is ready.

A first game of Cradle against the computer, which answers at once:
    cradle challenge ann level1
See who is looking for an opponent, and which games there are:
    seeks
    games

You will get the board by mail. Reply with your move on the first line."""
SERVER = "pbm@games.example"
ANSWERED = AnsweredText([SENT])


def own_lines(*body: str) -> tuple[str, ...]:
    """The lines that are left of a reply with that body."""
    letter = read_letter(mail(*body, subject="Re: [pbm] welcome, ann"), envelope_from=None)
    quoted = find_quoted(letter, ANSWERED)
    return (leave_out(letter, quoted) if quoted else letter).own_lines


LINES = SENT.split("\n")
QUOTED = {
    "as it is": ["", *LINES],
    "from its middle": LINES[3:],
    "without blank lines": [line for line in LINES if line],
    "in capitals": SENT.upper().split("\n"),
    "joined in pairs": [" ".join(LINES[at : at + 2]) for at in range(0, len(LINES), 2)],
    "on one line": [" ".join(SENT.split())],
    "three words a line": [" ".join(SENT.split()[at : at + 3]) for at in range(0, 60, 3)],
    "in bullets": [f"• {line}" for line in LINES],
    "below a rule of its own": ["~ ~ ~", *LINES],
    "first lines marked": [f"> {line}" for line in LINES[:4]] + LINES[4:],
    "every other line marked": [line if at % 2 else f"> {line}" for at, line in enumerate(LINES)],
    "below an attribution": [f"Ponedjeljak 2.3.2026 u 12:00, <{SERVER}> kaže", "", *LINES],
    "below a folded attribution": ["2.3.2026 12:00", f"pbm <{SERVER}>:", *LINES],
    "below two fields": ["Avsendare: Spel", "Tid: i dag", "", *LINES],
}


@pytest.mark.parametrize("quote", QUOTED.values(), ids=QUOTED)
def test_nothing_is_left_of_a_quote(quote: list[str]) -> None:
    left = own_lines("Hvala lijepa!", *quote)
    assert [line for line in left if line.strip(" ~")] == ["Hvala lijepa!"]


@pytest.mark.parametrize("quote", QUOTED.values(), ids=QUOTED)
def test_a_copied_line_above_a_quote_is_the_writers(quote: list[str]) -> None:
    copied = "cradle challenge ann level1"
    assert copied in own_lines(copied, "", *quote)


@pytest.mark.parametrize(
    "body",
    [
        ("cradle challenge ann level1",),
        ("Hello!", "", "cradle challenge ann level1", "", "Best wishes, Ann"),
        ("seeks", "cradle challenge ann bob"),
        ("set mail=text", "all show ann"),
        ("seeks", "games"),
        ("> A first game of Cradle against the computer:", "", "cradle challenge ann level1"),
        ("Welcome, ann! is a fine greeting, and level1 a strong opponent.",),
    ],
)
def test_lines_that_are_not_a_block_of_the_mail_are_the_writers(body: tuple[str, ...]) -> None:
    wanted = [line for line in body if line and not line.startswith(">")]
    assert [line for line in own_lines(*body) if line] == wanted


def test_words_between_the_lines_of_a_quote_are_the_writers() -> None:
    left = own_lines(*LINES[:5], "This one I understand.", *LINES[5:], "", "seeks #1, please")
    assert [line for line in left if line] == ["This one I understand.", "seeks #1, please"]


def test_a_part_of_a_line_below_a_quote_is_one_too() -> None:
    """Where the writer has cut the rest of it away."""
    left = own_lines(*LINES[:5], "", "Fine.", LINES[7][9:40], "Thank you!")
    assert [line for line in left if line] == ["Fine.", "Thank you!"]


def test_a_header_ends_where_its_lines_stand_further_apart() -> None:
    head = ("From: pbm <pbm@games.example>", "Sent: Monday", "To: Ann", "Subject: [pbm] hello")
    letter = read_letter(mail("Read this: a book", "", *head, "", "resign"), envelope_from=None)
    assert letter.own_lines == ("Read this: a book",)


def test_a_reply_address_belongs_to_what_introduces_a_quote() -> None:
    """Notes has names and values on lines of their own."""
    address = "pbm <pbm+u3-abcdefgh234567ab@games.example>"
    head = (address, "26/11/2026 09:12", "", "To", "ann@example.com", "", "Subject", "hello")
    assert own_lines("Thank you", "", *head, "", *LINES) == ("Thank you",)


@pytest.mark.parametrize(
    "head",
    [
        ("Frá: pbm <pbm@games.example>", "Sent: í gær", "Til: Ann"),
        ("Mittente : X", "Ricevuto : ieri", "Oggetto : R: [pbm] welcome, ann"),
        ("*Saatja:* Mängud", "*Teema:* Re: [pbm] welcome, ann", "*Saaja:* Ann"),
        ("发件 \uff1apbm+u3-abc@games.example", "时间 \uff1a昨天", "标题 \uff1ax"),
        ("Ли: X <x@y.example>", "Вахт: 2.3.2026 12:00", "Мавзӯъ: чизе"),
    ],
)
def test_three_fields_of_which_one_is_ours_begin_a_quote(head: tuple[str, ...]) -> None:
    letter = read_letter(
        mail("Takk!", "", *head, "", "resign", subject="Re: [pbm] welcome, ann"),
        envelope_from=None,
    )
    assert letter.own_lines == ("Takk!",)


@pytest.mark.parametrize(
    "body",
    [
        ("b1,c1", "Plan: attack", "Mood: good"),
        ("Name: Ann", "Colour: red", "Drink: tea", "b1,c1"),
        ("Score: 3:2", "b1,c1"),
        ("See: https://a.example", "And: https://b.example", "Too: https://c.example"),
    ],
)
def test_other_lines_with_a_colon_are_the_writers(body: tuple[str, ...]) -> None:
    assert read_letter(mail(*body), envelope_from=None).own_lines == body


def test_both_texts_of_a_mail_are_read() -> None:
    raw = multipart(
        "multipart/alternative",
        ("Content-Type: text/plain", "plain words"),
        ("Content-Type: text/html", "<p>other words</p><p>play</p>"),
    )
    assert [text.split() for text in list_texts(raw)] == [
        ["plain", "words"],
        ["other", "words", "play"],
    ]


def test_a_reply_of_many_lines_is_read_in_time() -> None:
    answered = AnsweredText(["x1 y2 z3 " * 6000])
    letter = read_letter(mail(*["z3 x1 y2 z3 x1 y9"] * 3000), envelope_from=None)
    in_time(lambda: find_quoted(letter, answered))


@given(st.lists(st.sampled_from([*LINES, "Thanks", "d4", "> x", ""]), max_size=12))
def test_whatever_is_quoted_only_lines_of_the_writer_are_left(body: list[str]) -> None:
    left = own_lines(*body)
    assert set(left) <= {*body}
    assert left.count("Thanks") <= body.count("Thanks")
