"""Programs that answer our mails, and bounces that nobody sent."""

from __future__ import annotations

from collections.abc import Callable

from pbm.features.accounts.tables import signups
from pbm.store.tables import addresses, outbound
from tests.conversations.test_echoes import AWAY, ECHOES, written
from tests.harness.conversation import SERVER, Conversation
from tests.harness.mail import Mail
from tests.mail.test_bounce import dsn
from tools.attacks.catalogue import Run, attack, column, count, counted, served


@attack("H4", "silencing a player by forged bounces")
def bounces(run: Run) -> str:
    """Send reports that name ann, to the plain address, to invented and to foreign envelope tokens,
    on four days; one names twenty addresses. A genuine one counts, which shows that the rest
    could."""
    talk = run.talk()
    talk.signup("ann", "bob")
    local, _, host = SERVER.partition("@")
    is_own = outbound.c.recipient.startswith("bob") & (outbound.c.content == "welcome")
    (own,) = column(talk, outbound.c.envelope_from, is_own)
    forms = [
        SERVER,
        *(f"{local}+d{n}-{'a' * 16}@{host}" for n in (1, 2, 3, 999)),
        f"{local}+{own.partition('+')[2].replace('d', 'd9', 1)}",
        f"{local}+u1-{'a' * 16}@{host}",
        f"{local}+b1-0-1-{'a' * 16}@{host}",
    ]
    for day in (0,) if run.short else range(4):
        if day:
            served(talk).restart(float(day))
        for number, form in enumerate(run.some(forms, 8)):
            for sender in ("", "mailer-daemon@mx.example"):
                raw = dsn("ann@example.org", enclosed=f"Subject: {day}-{number}-{sender}")
                served(talk).take(sender, form, _fresh(raw, f"{day}.{number}.{len(sender)}"))
    assert column(talk, addresses.c.bounce_score, addresses.c.address == "ann@example.org") == [0]
    served(talk).take("", own, _fresh(dsn("bob@example.org"), "genuine"))
    scores = column(talk, addresses.c.bounce_score, addresses.c.address == "bob@example.org")
    assert scores == [2], scores
    talk.everything()
    talk.mails("bob", "forgot ann")
    assert any("a code for" in mail.subject for mail in talk.everything())
    return "none counted, a genuine one does; ann still gets her mail"


def _fresh(raw: bytes, name: str) -> bytes:
    """Return the mail with a Message-ID of its own."""
    return raw.replace(b"<1@example.com>", f"<{name}@mx.example>".encode())


@attack("H5", "one command that mails somebody hundreds of times")
def messages(run: Run) -> str:
    talk = run.talk(limits={"mails_a_day": 0, "errors_a_day": 0})
    talk.signup("bob", "eve")
    eve = talk.password("eve")
    for line in run.some(["bob " * 230, "bob " * 30, "BOB bob Bob,bob", "bob,bob bob"] * 10, 8):
        talk.mails("eve", f"message eve {eve} {line}".strip(), f"Hello {run.tries}")
    got = [mail for mail in talk.everything() if mail.address == "bob@example.org"]
    assert len(got) <= 30, len(got)
    return f"bob got {len(got)} mails for {run.tries} commands with {run.tries * 73} names in all"


@attack("H6", "an endless loop with a program that bears no mark and varies its words")
def loop(run: Run) -> str:
    """Answer every mail it gets: of a board, of none, and what the limits say."""
    talk = run.talk(limits={"errors_a_day": 6} if run.short else {})
    talk.signup("ann", "bob")
    opening = talk.challenge("cradle", "ann", "bob")
    talk.mails("bob", "help")
    page = talk.any_mail("bob")
    rounds = {
        "ann": _answering(talk, run, "ann", opening[0]),
        "bob": _answering(talk, run, "bob", page),
        "zoe": _answering(talk, run, "zoe", None),
    }
    assert all(0 < rounds[who] <= 7 for who in ("ann", "bob")), rounds
    assert rounds["zoe"] <= 2, rounds
    return "silence after " + ", ".join(f"{count} rounds" for count in rounds.values())


def _answering(talk: Conversation, run: Run, who: str, mail: Mail | None) -> int:
    """Return the rounds until there is silence."""
    for number in range(200):
        run.tries += 1
        words = f"Dear {'very ' * (number % 7)}much customer, ticket T-{number * 7919}, {number}"
        text = f"{words}\nwe will come back to you within {number} days."
        if mail is None:
            talk.mails(who, f"{words}", text)
        else:
            talk.replies(mail, text)
        if not talk.waiting(who):
            return number
        while talk.waiting(who):
            mail = talk.any_mail(who)
    return 200


@attack("M5", "programs that send our text back, and so confirm a signup")
def echoes(run: Run) -> str:
    talk = run.talk(limits={"errors_a_day": 0, "strangers_an_hour": 0, "signups_a_day": 0})
    forms: dict[str, Callable[[Mail], str]] = {**ECHOES, **_MORE}
    for number, form in enumerate(run.some(sorted(forms), 6)):
        name = f"echo{number}"
        talk.mails(name, f"signup {name} {talk.password(name)}")
        code = talk.receives(name, "[pbm] confirm this address")
        raw = written(code, forms[form](code)).replace(b"ann@", f"{name}@".encode())
        raw = raw.replace(b"<answer@", f"<answer{number}@".encode())
        served(talk).take(f"{name}@example.org", code.reply_to, raw)
        talk.everything()
    assert count(talk, addresses, addresses.c.confirmed.is_not(None)) == 0
    assert counted(talk, "nothing") == 0
    assert count(talk, signups) == run.tries
    return "nobody is confirmed"


def _quoted(code: Mail, mark: str) -> str:
    return "\n".join(f"{mark}{line}" for line in code.lines)


_MORE: dict[str, Callable[[Mail], str]] = {
    "the text twice": lambda code: code.text * 2,
    "upside down": lambda code: "\n".join(reversed(code.lines)),
    "capitals": lambda code: code.text.upper(),
    "quoted twice": lambda code: _quoted(code, "> > "),
    "a bar": lambda code: f"{AWAY}\n\n{_quoted(code, '| ')}",
    "tabs": lambda code: _quoted(code, "\t"),
    "one word a line": lambda code: "\n".join(code.text.split()),
    "wrapped": lambda code: code.text.replace(" ", "\n", 40),
    "a ticket": lambda code: f"[#1234] We have got your mail:\n{code.text}",
    "html marks": lambda code: f"<p>{code.text}</p>",
}
