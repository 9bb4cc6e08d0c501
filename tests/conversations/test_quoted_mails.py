"""What our mails say never acts where it is quoted, marked or not, in whatever language: nothing
starts, ends, asks or sends anything."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest
from sqlalchemy import func, select, update

from pbm.store.tables import boards, outbound
from tests.harness.conversation import SERVER, Conversation
from tests.harness.mail import Mail

# What mail programs write above an unmarked quote: the author, the date, the reader, the subject.
HEADS = {
    "icelandic": ("Frá: pbm <{}>", "Sent: mánudagur, 2. mars 2026 12:00", "Til: Ann", "Efni: {}"),
    "estonian": ("Saatja: pbm <{}>", "Kuupäev: 02.03.2026", "Adressaat: Ann", "Teema: {}"),
    "irish": ("Ó: pbm <{}>", "Seolta: 2 Márta 2026 12:00", "Chuig: Ann", "Ábhar: {}"),
    "georgian": ("გამგზავნი: pbm <{}>", "გაგზავნილია: 02.03.2026", "ვის: Ann", "თემა: {}"),
    "armenian": ("Ումից: pbm <{}>", "Ուղարկվել է: 02.03.2026", "Ում: Ann", "Թեմա: {}"),
    "albanian": ("Nga: pbm <{}>", "Dërguar: e hënë, 2 mars 2026", "Për: Ann", "Tema: {}"),
    "azerbaijani": ("Kimdən: pbm <{}>", "Göndərildi: 02.03.2026", "Kimə: Ann", "Mövzu: {}"),
    "swahili": ("Kutoka: pbm <{}>", "Imetumwa: 2 Machi 2026", "Kwenda: Ann", "Mada: {}"),
    "tamil": ("அனுப்புநர்: pbm", "அனுப்பியது: 02.03.2026", "பெறுநர்: Ann", "பொருள்: {}"),
    "bengali": ("প্রেরক: pbm", "তারিখ: 02.03.2026", "প্রাপক: Ann", "বিষয়: {}"),
    "khmer": ("ពី៖ pbm", "កាលបរិច្ឆេទ: 2026", "ទៅ: Ann <{}>", "ប្រធានបទ: {}"),
    "filipino": ("*Mula kay:* pbm <{}>", "*Ipinadala:* 2 Marso 2026", "*Kay:* Ann", "*Paksa:* {}"),
    "afrikaans": ("Van: Speletjies", "Gestuur: 2 Maart", "Aan: Ann", "Onderwerp: RE: {}"),
}
THANKS = (
    "Thank you, very helpful!",
    "Þakka þér fyrir",
    "Aitäh!",
    "დიდი მადლობა",
    "நன்றி",
    "Asante sana",
)


def headed(head: str) -> Callable[[Mail], str]:
    """An unmarked quote below that header."""

    def quote(mail: Mail) -> str:
        author, date, reader, subject = HEADS[head]
        lines = (author.format(SERVER), date, reader.format(SERVER), subject.format(mail.subject))
        return "\n".join(["", *lines, "", mail.text])

    return quote


def spread(mail: Mail, width: int) -> str:
    """The text of a mail, broken at another width."""
    return "\n".join(part for line in mail.lines for part in textwrap.wrap(line, width) or [""])


BARE: dict[str, Callable[[Mail], str]] = {
    "nothing above": lambda mail: f"\n{mail.text}",
    "a sentence above": lambda mail: f"\nMandag skrev serveren dette\n\n{mail.text}",
    "an attribution above": lambda mail: f"\nLuns 2 mar 2026, <{SERVER}> ysgrif:\n\n{mail.text}",
    "wrapped": lambda mail: f"\n{spread(mail, 50)}",
    "wrapped narrowly": lambda mail: f"\n{spread(mail, 25)}",
    "indented": lambda mail: "\n" + textwrap.indent(mail.text, "      "),
    "in stars": lambda mail: "\n" + "\n".join(f"* {line}" for line in mail.lines),
    "no blank lines": lambda mail: "\n".join(line for line in mail.lines if line.strip()),
    "only its end": lambda mail: "\n" + "\n".join(mail.lines[len(mail.lines) // 2 :]),
    "marks lost where it is wrapped": lambda mail: "\n".join(
        "> " + "\n".join(textwrap.wrap(line, 30)) for line in mail.lines
    ),
    "as a table": lambda mail: "\n".join(f"  {line}  " for line in mail.lines if line.strip()),
}
QUOTES = {**{name: headed(name) for name in HEADS}, **BARE}


def ask(talk: Conversation) -> dict[str, Mail]:
    """Mails of ours that hold lines which are commands."""
    talk.signup("ann", "bob")
    talk.mails("cat", f"signup cat {talk.password('cat')}")
    code = talk.any_mail("cat")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    mails = {"welcome": talk.any_mail("cat")}
    talk.proves("bob", "hex seek")
    talk.everything()
    for topic in ("help", "help commands", "help tutorial", "seeks", "games", "all show ann"):
        talk.proves("ann", topic)
        mails[topic] = talk.any_mail("ann")
    return mails


def count_boards(talk: Conversation) -> int:
    with talk.server.store.reading() as session:
        return int(session.execute(select(func.count()).select_from(boards)).scalar_one())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("quote", QUOTES.values(), ids=QUOTES)
def test_a_quote_below_thanks_does_nothing(
    talk: Conversation, quote: Callable[[Mail], str]
) -> None:
    for number, (name, mail) in enumerate(ask(talk).items()):
        who = "cat" if name == "welcome" else "ann"
        talk.mails(
            who,
            f"Re: {mail.subject}",
            f"{THANKS[number % len(THANKS)]}\n{quote(mail)}",
            to=mail.reply_to,
            In_Reply_To=mail.message_id,
        )
        for answer in talk.everything():
            says = f"{name}: {answer}"
            assert answer.address.startswith(who), says
            assert "there was no command in your mail" in answer.subject, says
        talk.clock.advance(seconds=180)
        assert count_boards(talk) == 0


def reply_in_html(talk: Conversation, mail: Mail, own: str, quoted: str) -> None:
    """A reply whose only part is HTML, with the quote in elements of no known class."""
    talk.sent += 1
    head = (
        f"From: {mail.address}",
        f"To: {mail.reply_to}",
        f"Subject: Re: {mail.subject}",
        f"Message-ID: <{talk.sent}.{mail.address}>",
        f"In-Reply-To: {mail.message_id}",
        "MIME-Version: 1.0",
        "Content-Type: text/html; charset=utf-8",
        "",
        f"<html><body><p>{own}</p>",
    )
    raw = "\r\n".join([*head, quoted, "</body></html>", ""])
    talk.server.take(mail.address, mail.reply_to, raw.encode())


def test_a_quote_in_html_does_nothing(talk: Conversation) -> None:
    for mail in ask(talk).values():
        lines = [line.replace("<", "&lt;") for line in mail.lines]
        for form in ("<p>{}</p>", "<div>{}</div>", "<table><tr><td>{}</td></tr></table>", "{}<br>"):
            quoted = "\r\n".join(form.format(line) for line in lines)
            reply_in_html(talk, mail, "Thank you", f"<div class='x1'>{quoted}</div>")
            for answer in talk.everything():
                assert "there was no command in your mail" in answer.subject, answer
    assert count_boards(talk) == 0


@pytest.mark.parametrize("quote", ["icelandic", "nothing above", "wrapped", "indented"])
def test_nor_when_the_reply_names_no_mail(talk: Conversation, quote: str) -> None:
    for name, mail in ask(talk).items():
        who = "cat" if name == "welcome" else "ann"
        text = f"Thank you!\n{QUOTES[quote](mail)}"
        talk.mails(who, f"Re: {mail.subject}", text, to=mail.reply_to)
        talk.mails(who, f"Re: {mail.subject}", text)
        for answer in talk.everything():
            assert "there was no command in your mail" in answer.subject, f"{name}: {answer}"
    assert count_boards(talk) == 0


@pytest.mark.config(retention={"mails_days": 1, "rows_days": 60})
@pytest.mark.parametrize("quote", ["icelandic", "nothing above", "indented"])
def test_nor_when_its_text_is_gone(talk: Conversation, quote: str) -> None:
    """What our mails say to everybody is known without them."""
    mails = ask(talk)
    talk.passes(days=3)
    talk.everything()
    for name in ("welcome", "help", "help tutorial"):
        mail = mails[name]
        text = f"Thank you!\n{QUOTES[quote](mail)}"
        talk.mails(
            mail.address.partition("@")[0],
            f"Re: {mail.subject}",
            text,
            to=mail.reply_to,
            In_Reply_To=mail.message_id,
        )
        for answer in talk.everything():
            assert "there was no command in your mail" in answer.subject, f"{name}: {answer}"
    assert count_boards(talk) == 0


@pytest.mark.parametrize(
    "form",
    [
        "{line}",
        "{line}\n\n{marked}",
        "{line}\nThank you!\n\n{marked}",
        "Hello,\n\n{line}\n\n{marked}",
        "{line}\n{unmarked}",
        "{line}\n\nGracias\n{unmarked}",
        "{marked}\n\n{line}",
        "{marked}\n\n{line}\nThank you!",
    ],
)
def test_a_line_that_the_writer_copies_is_the_writers_own(talk: Conversation, form: str) -> None:
    talk.mails("cat", f"signup cat {talk.password('cat')}")
    code = talk.any_mail("cat")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    welcome = talk.any_mail("cat")
    marked = "\n".join(f"> {line}".rstrip() for line in welcome.lines)
    text = form.format(line="cradle challenge cat level1", marked=marked, unmarked=welcome.text)
    talk.mails(
        "cat",
        f"Re: {welcome.subject}",
        text,
        to=welcome.reply_to,
        In_Reply_To=welcome.message_id,
    )
    (answer,) = talk.everything()
    assert answer.subject in (  # level1 plays where the daemon has made it
        "[pbm] not done: there is no player with the userid in place 2",
        "[cradle 1] new board: cat, level1",
    )


def test_the_example_of_a_board_is_a_move_where_it_is_typed(talk: Conversation) -> None:
    """And what is quoted below it, or below a comment, is neither a move nor a comment."""
    talk.signup("ann", "bob")
    mine, yours = talk.challenge("cradle", "ann", "bob")
    move = mine.example
    text = f"{move}\nGood luck to you!\n{mine.text}"
    talk.mails("ann", f"Re: {mine.subject}", text, to=mine.reply_to, In_Reply_To=mine.message_id)
    yours = talk.any_mail("bob")
    assert f"ann played {move}" in yours.text
    assert yours.text.count("Good luck to you!") == 1
    assert "> New game" not in yours.text
    assert "Reply with your move" not in "".join(x for x in yours.lines if x.startswith("> "))
    assert "Neither done" not in talk.any_mail("ann").text


@pytest.mark.parametrize("quote", ["georgian", "nothing above", "indented", "wrapped"])
def test_an_offer_or_code_is_not_answered_by_its_quote(talk: Conversation, quote: str) -> None:
    """Nothing ends, is accepted or confirmed by what our mail said."""
    talk.signup("ann", "bob")
    mine, _ = talk.challenge("hex", "ann", "bob")
    talk.replies(mine, "d4")
    _, yours = (talk.any_mail(who) for who in ("ann", "bob"))
    talk.replies(yours, "propose")
    asked = [talk.any_mail(who) for who in ("ann", "bob")]
    text = f"Let me think.\n{QUOTES[quote](asked[0])}"
    talk.mails("ann", "Re: hex", text, to=asked[0].reply_to, In_Reply_To=asked[0].message_id)
    for answer in talk.everything():
        assert "agreed" not in answer.text
        assert "resigned" not in answer.text
        lines = answer.text.partition("> Not passed on")[0].splitlines()
        passed_on = [line for line in lines if line.startswith("> ")]
        assert passed_on == ["> Let me think."]
    talk.mails("cat", f"signup cat {talk.password('cat')}")
    code = talk.any_mail("cat")
    talk.mails(
        "cat",
        f"Re: {code.subject}",
        f"Who are you?\n{QUOTES[quote](code)}",
        to=code.reply_to,
        In_Reply_To=code.message_id,
    )
    assert not [mail for mail in talk.everything() if "welcome" in mail.subject]


def test_the_same_words_as_the_other_wrote_are_the_writers_own(talk: Conversation) -> None:
    """Where the mail that is answered is known, words in later ones do not count."""
    talk.signup("ann", "bob")
    mine, _ = talk.challenge("hex", "ann", "bob")
    talk.replies(mine, "resign")
    over = [talk.any_mail(who) for who in ("ann", "bob")]
    for mail, other in zip(over, ("bob", "ann"), strict=True):
        talk.replies(mail, "Thanks, what a nice game!\nAgain next week?")
        answers = {answer.address.partition("@")[0]: answer for answer in talk.everything()}
        assert "> Thanks, what a nice game!\n> Again next week?" in answers[other].text


@pytest.mark.parametrize("head", ["icelandic", "tamil", "filipino"])
def test_words_below_an_unmarked_quote_are_named(talk: Conversation, head: str) -> None:
    """They do not act and nobody gets them; what our mail says is not named."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    below = "resign\nSee you at the club on Sunday!"
    talk.mails(
        "ann",
        f"Re: {mail.subject}",
        f"e4\nGood luck!\n{headed(head)(mail)}\n{below}",
        to=mail.reply_to,
        In_Reply_To=mail.message_id,
    )
    own = talk.any_mail("ann")
    assert f"Not passed on: {' / '.join(below.splitlines())}" in " ".join(own.text.split())
    told = talk.any_mail("bob")
    assert "Good luck!" in told.text
    assert "Sunday" not in told.text


@pytest.mark.parametrize(
    "below", ["-- \n", "\nOn Mon, 2 Mar 2026, pbm wrote:\n\n{text}\n"], ids=["mark", "quote"]
)
def test_what_stands_below_is_named_where_the_mail_that_is_answered_is_gone(
    talk: Conversation, below: str
) -> None:
    """Below the mark of a signature, and below an unmarked quote."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    with talk.server.store.writing() as session:
        session.execute(update(outbound).values(message=b""))
    talk.mails(
        "ann",
        f"Re: {mail.subject}",
        f"e4\nGood luck!\n{below.format(text=mail.text)}See you on Sunday!",
        to=mail.reply_to,
        In_Reply_To=mail.message_id,
    )
    own = " ".join(talk.any_mail("ann").text.replace("\n>", "").split())
    assert "Not passed on: See you on Sunday!" in own
    told = talk.any_mail("bob")
    assert "Good luck!" in told.text
    assert "Sunday" not in told.text


@pytest.mark.parametrize("above", ["d4", "d4\nHello!", ""])
def test_a_line_typed_behind_the_mark_of_a_quote_is_named_and_does_nothing(
    talk: Conversation, above: str
) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    lines = [f"> {line}" for line in mail.lines]
    lines[4:4] = ["> e4", "> See you at the club on Sunday!"]
    talk.mails(
        "ann",
        f"Re: {mail.subject}",
        "\n".join([above, "", f"On Mon, 2 Mar 2026, {SERVER} wrote:", *lines]),
        to=mail.reply_to,
        In_Reply_To=mail.message_id,
    )
    own = talk.any_mail("ann")
    assert "> Not passed on: e4 / See you at the club on Sunday!\n" in own.text
    assert "e4" not in own.text.partition(">")[0]
    assert all("Sunday" not in mail.text for mail in talk.everything())
    talk.replies(mail, "d4\nHello!" if not above else "chat Hello!")  # nothing was typed there
    assert all("Not passed on" not in mail.text for mail in talk.everything())
