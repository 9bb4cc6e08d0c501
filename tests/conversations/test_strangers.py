"""What a From that proves nothing may cause: no check that tells a password, nothing in anybody's
name, no answer but to the address itself, and no work that delays others."""

from __future__ import annotations

import pytest
from sqlalchemy import Table, func, select

from pbm.core.secrets import Secrets
from pbm.store.tables import boards, moves
from tests.harness.conversation import Conversation
from tests.harness.mail import has_name
from tests.harness.servers import InProcess, Sockets

WRONG = "[pbm] not done: wrong userid or password"


def secrets_of(talk: Conversation) -> Secrets:
    """The keys of the server under test, and what it remembers."""
    server = talk.server
    assert isinstance(server, InProcess | Sockets)
    return server.secrets


def rows_of(talk: Conversation, table: Table) -> int:
    with talk.server.store.reading() as session:
        return int(session.execute(select(func.count()).select_from(table)).scalar_one())


@pytest.mark.parametrize("recipient", ["pbm+u1-aaaaaaaaaaaaaaaa@example.net", "pbm@example.net"])
def test_words_of_a_comment_tell_no_password(talk: Conversation, recipient: str) -> None:
    """Neither with an invented token nor with a forged From: eve's second account sees nothing of
    the comment, whether ann's password is in it or not, and nothing was verified."""
    talk.signup("ann", "eve", "mal")
    right, wrong = talk.password("ann"), talk.secret("Sesame-none")
    for who in ("eve", "ann"):
        before = secrets_of(talk).argon2_checks
        seen = []
        for words in (right, wrong):
            talk.mails(who, "tictactoe challenge --unrated eve mal", words, to=recipient)
            mails = talk.everything()
            assert not any(word in mail.text for mail in mails for word in (right, wrong))
            seen.append(sorted((mail.address, len(mail.text)) for mail in mails))
        assert seen[0] == seen[1]
        assert secrets_of(talk).argon2_checks == before


def test_a_signup_checks_no_password(talk: Conversation) -> None:
    """A `multiple` of signup and set with the same guess gives no guess away uncounted."""
    talk.signup("ann", "eve")
    secrets = secrets_of(talk)
    secrets._proofs.clear()
    before = secrets.argon2_checks
    talk.mails("eve", f"signup ann {talk.password('ann')}")
    talk.receives("eve", "[pbm] not done: this userid is taken: choose another")
    assert secrets.argon2_checks == before
    assert not secrets._proofs


@pytest.mark.config(limits={"failures_a_day": 4})
def test_every_wrong_password_counts_whatever_the_mail(talk: Conversation) -> None:
    """Also in mails of many lines, of which a few are verified at all."""
    talk.signup("ann", "eve")
    secrets = secrets_of(talk)
    for number in range(4):
        lines = [f"set ann {talk.secret(f'Sesame-{number}-{line}')}" for line in range(20)]
        before = secrets.argon2_checks
        talk.mails("eve", "multiple", "\n".join(lines))
        assert talk.any_mail("eve").subject == "[pbm] 0 of 20 done"
        assert secrets.argon2_checks <= before + 4
    talk.receives("ann", "[pbm] too many wrong passwords")
    talk.mails("eve", f"set ann {talk.password('ann')} name=Owned")
    talk.receives("eve", WRONG)


def test_who_is_not_known_has_nothing_looked_up(talk: Conversation) -> None:
    """One answer of a few lines a day, and no board is replayed for it."""
    talk.signup("ann", "bob")
    talk.challenge("cradle", "ann", "bob")
    talk.mails("zoe", "multiple", "\n".join(f"show 1#{number}" for number in range(10)))
    talk.receives("zoe", "[pbm] how to play board games by mail")
    talk.mails("zoe", "cradle show 1")
    talk.nothing_more()
    with talk.server.store.reading() as session:
        assert session.execute(select(func.count()).select_from(moves)).scalar_one() == 0


def test_a_mail_of_pages_has_an_end(talk: Conversation) -> None:
    """50 records in a mail: the answer stays within bounds, and says which lines were not done."""
    talk.signup("ann", "bob")
    talk.challenge("cradle", "ann", "bob")
    talk.mails("ann", "multiple", "cradle export 1\nhelp commands\n" * 25)
    mail = talk.any_mail("ann")
    assert "the answer is full" in mail.text
    assert len(mail.raw) < 150_000


def test_a_mail_with_eves_password_tells_nothing_of_ann(talk: Conversation) -> None:
    """From names ann, one line holds eve's password: the answer is eve's alone, without ann's
    userid and board."""
    talk.signup("ann", "bob", "eve")
    talk.challenge("cradle", "ann", "bob")
    talk.mails("ann", "multiple", f"set eve {talk.password('eve')}\ncradle move b1\nset\nall show")
    mail = talk.any_mail("eve")
    assert mail.subject == "[pbm] 1 of 4 done"
    assert not has_name(mail.text, "ann")
    assert "1 USERID" not in mail.text
    talk.nothing_more()


def test_no_password_is_verified_in_a_transaction(talk: Conversation) -> None:
    """A word that may be a password is verified first, outside; the mail is then executed once
    more. Whether it is one or not, no answer shows it."""
    talk.signup("ann", "bob")
    opening = talk.challenge("cradle", "ann", "bob")
    for word in (talk.password("ann"), "sesamseed"):
        secrets_of(talk)._proofs.clear()
        talk.replies(opening[0], word)
        mail = talk.any_mail("ann")
        assert mail.subject.startswith("[cradle 1] not done: ")
        assert word not in mail.text
    assert rows_of(talk, boards) == 1
