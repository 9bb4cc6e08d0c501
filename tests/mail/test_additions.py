"""What programs add around a writer's words is left out, in whatever language; words of people
that look like it stay."""

import pytest

from pbm.mail.letter import Letter, Machine, read_letter
from pbm.mail.own_words import extract_own_lines
from tests.harness.samples import mail

BANNERS = (
    "[You don't often get email from ann@example.com. Learn why this is important at "
    "https://aka.ms/LearnAboutSenderIdentification ]",
    "ATTENTION : ce courriel provient de l'extérieur. Ne cliquez pas sur les liens.",
    "ACHTUNG! Diese E-Mail kommt von außerhalb. Klicken Sie nicht auf Anhänge.",
    "*** EXTERNÍ ZPRÁVA *** Tato zpráva přišla mimo organizaci.",
    "【注意】このメールは外部の送信者から届いています。リンクを開く前に内容をご確認ください。",
    "UWAGA: Wiadomość pochodzi z zewnątrz organizacji. Nie otwieraj załączników.",
    "WARNING: This message came from outside the company\nand may hold unsafe attachments.",
)
APPS = (
    "Kirim dari iPad saya",
    "Sent from my Galaxy S23 Ultra",
    "Mendapatkan Outlook untuk Android<https://aka.ms/AAb9ysg>",
    "Gauti „Outlook“, skirta „iOS“<https://aka.ms/o0ukef>",
    "Skickat från min Xperia",
    "iPad-ê min hat şandin",
    "Poslano z iPhonom",
    "Verzonden met Proton Mail voor iOS.",
    "Sent from Superhuman iOS <https://sprh.mn/?vip=ann@example.com>",
    "Sent from my mobile phone",
    "Odesláno z mobilního telefonu",
    "Enviado desde mi teléfono móvil",
    "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "Sent from Thunderbird for Android",
)
DISCLAIMERS = (
    "The contents of this message are confidential and intended for the addressee only.",
    "Diese Nachricht kann vertrauliche Informationen enthalten. Wenn Sie nicht der richtige "
    "Empfänger sind,\nlöschen Sie bitte diese E-Mail.",
    "Ce message et ses pièces jointes sont confidentiels et destinés à leur destinataire.",
    "Este correo y sus adjuntos son confidenciales y para uso exclusivo del destinatario.",
    "Neste e-mail e nos anexos há informação confidencial do destinatário.",
    "Aukro Ltd. Registered in Scotland No. SC123456. Registered office: 2 Hill Road, Leith.",
    "Musterhaus GmbH, Amtsgericht München, Handelsregister HRB 12345, Geschäftsführerin A. Muster",
    "Please consider the environment before you print this e-mail message.",
    "This e-mail was checked for viruses by a mail gateway of our organisation.",
)
PEOPLE = (
    "My phone fell into the lake, so I write from a friend's house.",
    "I got your message at the office, see you at six!",
    "Did you see the new iPhone?",
    "What a move! I have to print that position.",
    "I will be in Vienna until 7 December.",
    "Sent you a postcard from Rome!",
)


def read(*lines: str, subject: str = "Re: [cradle 17] ann - bob") -> Letter:
    return read_letter(
        mail(*lines, subject=subject),
        envelope_from="ann@example.com",
        servers=["pbm@games.example"],
    )


@pytest.mark.parametrize("banner", BANNERS)
def test_a_gateways_banner_is_not_the_writers(banner: str) -> None:
    for between in ("\n\n", "\n________________________________\n\n", "\n\n--------\n\n"):
        own = extract_own_lines(f"{banner}{between}b1,c1\n\nGood luck\n\n> b1,c1\n")
        assert own.lines == ("b1,c1", "", "Good luck")


def test_nor_is_one_without_a_blank_line_below_it() -> None:
    text = f"{BANNERS[0]}\nb1,c1\nGood luck\n\n> b1,c1\n"
    assert extract_own_lines(text).lines == ("b1,c1", "Good luck")


@pytest.mark.parametrize("added", [*APPS, *DISCLAIMERS])
def test_what_is_added_below_is_not_the_writers(added: str) -> None:
    for below in (
        "",
        "\n\n> quoted\n",
        "\n\nOn 5 Jan 2026 at 10:00, pbm <p@x.example> wrote:\n> q",
    ):
        own = extract_own_lines(f"b1,c1\n\nGood luck\n\n{added}{below}")
        assert own.lines == ("b1,c1", "", "Good luck")
        assert extract_own_lines(f"b1,c1\n\n{added}{below}").lines == ("b1,c1",)


@pytest.mark.parametrize("app", [app for app in APPS if len(app.split()) <= 8])
def test_an_app_may_sign_directly_below_the_text(app: str) -> None:
    for own in (("b1,c1",), ("b1,c1", "Good luck"), ("b1,c1", "", "Good luck")):
        text = "\n".join(own)
        assert extract_own_lines(f"{text}\n{app}").lines == own
        assert extract_own_lines(f"{text}\n{app}\n\n> quoted\n").lines == own
    assert extract_own_lines(f"My iPhone is broken\nb1,c1\n{app}").lines[1] == "b1,c1"
    words = ("b1,c1", "My iPhone is broken", "so I write from Ann's")
    assert extract_own_lines("\n".join(words)).lines == words


def test_nor_where_several_are_added() -> None:
    text = "\n\n".join(["b1,c1", "Thanks!", APPS[1], DISCLAIMERS[0], DISCLAIMERS[5]])
    assert extract_own_lines(text).lines == ("b1,c1", "", "Thanks!")


@pytest.mark.parametrize("words", PEOPLE)
def test_words_of_people_stay(words: str) -> None:
    assert extract_own_lines(f"b1,c1\n\n{words}\n\n> quoted\n").lines == ("b1,c1", "", words)
    assert extract_own_lines(f"{words}\n\nb1,c1\n").lines == (words, "", "b1,c1")


@pytest.mark.parametrize(
    "words",
    [
        "Uscita dall'ufficio",
        "Lugemiskinnitus",
        "Tự động trả lời",
        "Automatinis atsakymas",
        "Okuma bildirimi",
        "Read",
        "Recall",
        "Ei luettu",
        "הודעת היעדרות",
    ],
)
def test_words_above_our_subject_are_a_programs(words: str) -> None:
    """Unless the mail quotes ours, as people's replies do."""
    subject = f"{words}: [cradle 17] ann - bob"
    assert read("12/7", subject=subject).machine is Machine.SOFT
    assert read("12/7", "", "> Your move?", subject=subject).machine is Machine.NO
    assert read("Thanks").machine is Machine.NO


@pytest.mark.parametrize(
    "text",
    [
        "Ik ben met vakantie tot 7 januari.",
        "Olen lomalla 7.1. asti.",
        "Jeg har ferie til mandag den 7. januar.",
        "Estarei de férias até 7 de janeiro.",
        "Je serai absente du bureau jusqu'au 7 janvier.",
        "7月1日まで休暇をいただいております。",
        "Thank you for your mail. I am out of the office\nand return on 7 January.",
    ],
)
def test_a_notice_of_absence_is_a_programs(text: str) -> None:
    """Where it quotes the mail that it answers, as people do, only what says nothing else."""
    assert read(*text.split("\n")).machine is Machine.SOFT
    quoting = read(*text.split("\n"), "Sorry for that!", "", "> Your move?")
    assert quoting.machine is Machine.NO


@pytest.mark.parametrize(
    "lines",
    [
        ("Ann liked your message:", "", "👍"),
        ("Ann a réagi à votre message :", "", "❤️"),
        ("🎉", "", "Ann hat über Gmail reagiert", "<https://www.google.com/gmail/about/>"),
    ],
)
def test_a_reaction_is_a_programs(lines: tuple[str, ...]) -> None:
    assert read(*lines, "", "> Your move?").mark == "a reaction"
    assert read("👍", "", "> Your move?").machine is Machine.NO
    assert read("👍", "", "Sent from my iPhone").machine is Machine.NO


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
