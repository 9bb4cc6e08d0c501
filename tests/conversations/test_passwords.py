"""Passwords in all the wrong places: none is repeated in a mail, kept in the database or passed on,
and whoever guesses learns nothing."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select

from pbm.core.feature import list_verbs
from pbm.store.tables import metadata
from tests.harness.conversation import Conversation
from tests.harness.databases import all_rows
from tests.harness.mail import Mail

PASSWORDS = ("271828", "<Pa$$w0rd!>")
UNLIMITED = dict.fromkeys(
    (
        "mails_a_day",
        "failures_a_day",
        "unproved_a_day",
        "signups_a_day",
        "open_boards",
        "errors_a_day",
        "looks_a_day",
        "looks_bytes_a_day",
        "look_seconds_a_day",
    ),
    0,
)

MISPLACED = """\
cradle move ann {p} 1 b1,c1
cradle move 1 {p} ann b1
cradle move {p} ann 1 b1,c1
cradle move {p} 1 ann b1,c1
cradle move ann 1 {p} {p}
cradle move 1 ann {p} {p}
cradle move 1 ann {p} {p} b1,c1,d1,d2
cradle move 1 ann {p} b1,c1,{p}
cradle move 1 {p}
cradle move {p}
cradle {p} move 1 ann b1
{p} cradle move 1 ann b1
{p} move 1 ann b1
{p}
1 {p} ann b1
1 ann b1 {p}
cradle 1 {p} ann b1
cradle queue 1 ann {p} {p} b1
cradle submit 1 ann {p} {p}
cradle resign {p} ann 1
cradle resign ann {p} 1
cradle resing 1 ann {p}
cradle preview 1 {p}
cradle preview 1 {p} b1
cradle preview 1 ann {p} b1
cradle preview new {p}
cradle preview new 2 -size={p}
cradle show {p}
cradle show 1 {p}
cradle show 1#{p}
cradle show ann {p}
cradle showas ann {p} {p}
cradle showas {p} ann 1
cradle games {p}
cradle games ann {p}
all show {p}
all show ann {p}
list {p}
help {p}
cradle challenge ann {p}
cradle challenge ann {p} bob
cradle challenge {p}
cradle challenge ann bob -size={p}
cradle challenge ann bob -size {p}
cradle challenge ann bob {p} -size=3
message ann bob {p}
message {p} ann bob
message ann {p} {p}
broadcast {p} ann
set {p} ann own=no
set ann {p} {p}
set ann {p} {p}=yes
set ann {p} zone={p}
signup {p} ann
signup {p} {p}
signup ann {p}
signup ann {p} {p}
change password {p} ann new-word
change password ann {p}
change password ann new-word {p}
change {p} password ann
add ann {p} {p}
remove ann {p} {p}
change address ann {p} {p}
forgot ann {p}
confirm {p}
confirm ann {p}
confirm 1 ann {p}
cradle confirm 1 ann {p}
cradle chat 1 {p} ann hello
cradle chat 1 ann {p} my password is {p}
cradle watch 1 {p} ann
cradle accept 1 ann {p} {p}
cradle undo 1 {p} ann
cradle accept 1 {p} ann
signoff {p} ann
delete {p}
sigoff ann {p}"""

REPLIES = """\
{p}
b1,c1 {p}
move {p}
move 1 {p} b1
ann {p}
move {p} ann
queue {p}
queue b1,c1 {p}
submit {p}
{p} ann 1 b1
resing {p}
b1,c1,d1,d9 {p}
set {p}
message bob {p}"""


@pytest.fixture(params=PASSWORDS)
def password(request: pytest.FixtureRequest, talk: Conversation) -> str:
    """ann's password; bob plays with her on board 1."""
    word = talk.secret(str(request.param))
    talk.mails("ann", f"signup ann {word}")
    code = talk.receives("ann", "[pbm] confirm this address")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    talk.receives("ann", "[pbm] welcome, ann")
    talk.signup("bob")
    return word


def everything(talk: Conversation) -> str:
    """All that is stored but mails that wait, as one text."""
    found = []
    with talk.server.store.reading() as session:
        for table in metadata.sorted_tables:
            for row in all_rows(session, select(table)):
                found += [
                    value.decode("latin-1") if isinstance(value, bytes) else str(value)
                    for value in row
                ]
    return "\n".join(found)


def drained(talk: Conversation) -> list[Mail]:
    """All that has come for anybody; `check_outgoing` has looked for passwords in it."""
    talk._collect()
    mails = [mail for waiting in talk._unread.values() for mail in waiting]
    talk._unread.clear()
    return mails


@pytest.mark.config(limits=UNLIMITED)
def test_nothing_that_is_typed_in_the_wrong_place_is_repeated(
    talk: Conversation, password: str
) -> None:
    """Each line alone, as a line of a list, and as the first line of an answer."""
    opening = talk.challenge("cradle", "ann", "bob")
    for number, line in enumerate(MISPLACED.split("\n")):
        if number % 5 == 0:
            talk.challenge("cradle", "ann", "bob")
        typed = line.replace("{p}", password)
        talk.mails("ann", typed)
        assert drained(talk), typed
        if number % 4 == 0:
            talk.mails("ann", "multiple", f"list\n{typed}\nlist")
            assert drained(talk), typed
    for line in REPLIES.split("\n"):
        talk.replies(opening[0], line.replace("{p}", password))
        assert drained(talk), line
    assert password not in everything(talk)


OPEN = [
    f"{game}{verb.name}{board}"
    for verb in list_verbs()
    if not verb.needs_password
    for game in (["hex ", ""] if verb.game == "maybe" else ["hex " * (verb.game == "yes")])
    for board in (["", " 1"] if game else [""])
]
"""Every command that takes no password."""


@pytest.mark.config(limits=UNLIMITED)
def test_nor_behind_a_command_that_takes_none(talk: Conversation, password: str) -> None:
    """In what is kept of a mail the operator reads it, and the player by mydata."""
    talk.challenge("hex", "ann", "bob")
    for line in OPEN:
        for behind in (f"ann {password}", password):
            talk.mails("ann", f"{line} {behind}", "Hello")
    talk.mails("ann", f"mydata ann {password}")
    assert drained(talk)
    assert password not in everything(talk)


def test_nor_in_a_text(talk: Conversation, password: str) -> None:
    """What goes along is dropped where it holds the password of the line, or comes without
    proof; a phone may have begun it with a capital, or ended it with small letters."""
    talk.challenge("cradle", "ann", "bob")
    for subject, body in (
        (f"cradle chat 1 ann {password}", f"my password is {password}"),
        (f"message ann {password} bob", f"({password})"),
        (f"broadcast ann {password}", f'I have "{password}" as password'),
        ("cradle challenge ann bob", f"{password}"),
        (f"cradle propose 1 ann {password}", f"{password}, says ann"),
        (
            "multiple",
            f"cradle reject 1 bob {talk.password('bob')}\n  psst: {password}\n"
            f"cradle undo 1 ann {password}",
        ),
    ):
        talk.mails("ann", subject, body)
        assert drained(talk)
        capitals = body.replace(password, password.swapcase(), 1)
        talk.mails("ann", subject, capitals)
        assert drained(talk)
    assert password.lower() not in everything(talk).lower()


@pytest.mark.postgresql
def test_wrong_userid_and_wrong_password_are_the_same_mail(talk: Conversation) -> None:
    """The same bytes but for dates, numbers of mails and the keyed tags."""
    talk.signup("ann", "bob")
    talk.challenge("cradle", "ann", "bob")
    wrong = talk.secret("Sesame-wrong")
    for line in (
        "cradle move 1 {} {} b1,c1,d1,d2",
        "cradle resign 1 {} {}",
        "set {} {} own=no",
        "message {} {} bob",
        "signoff {} {}",
        "change password {} {} " + talk.secret("Sesame-new"),
        "cradle showas {} {} 1",
        "cradle queue 1 {} {} none",
        "cradle chat 1 {} {} hello",
    ):
        seen = []
        for who in ("bob", "nobody", "bobby", "ann"):
            talk.mails("ann", line.format(who, wrong))
            mail = talk.any_mail("ann")
            raw = mail.raw.decode().replace(mail.message_id, "ID").replace(mail.in_reply_to, "THAT")
            raw = re.sub(r"Date: .*", "", raw)
            seen.append(re.sub(r"pbm\+[a-z0-9-]+@", "pbm+TOKEN@", raw))
        assert len(set(seen)) == 1, line
        talk.mails("zoe", line.format("ann", wrong))
        talk.any_mail("zoe")
        talk.clock.advance(days=1)


def test_a_stranger_gets_the_same_whatever_is_right(talk: Conversation) -> None:
    """Also when the password is right: the answer goes to the player."""
    talk.signup("ann", "bob")
    talk.challenge("cradle", "ann", "bob")
    ann = talk.password("ann")
    talk.mails("zoe", f"cradle move 1 ann {ann} b1,c1,d1,d2")
    talk.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    talk.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
    talk.mails("zoe", f"cradle move 1 ann {ann} b1,c1,d1,d2")
    talk.receives("ann", "[cradle 1] not done: it is bob's turn")
