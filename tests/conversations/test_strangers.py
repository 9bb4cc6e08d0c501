"""What a From that proves nothing may cause: no check that tells a password, nothing in anybody's
name, no answer but to the address itself, and no work that delays others."""

from __future__ import annotations

import pytest
from sqlalchemy import Table, func, select

from pbm.core.model.secrets import Secrets
from pbm.store.tables import boards, moves
from tests.conversations.conversation import Conversation
from tests.conversations.servers import InProcess, Sockets

WRONG = "[pbm] not done: wrong userid or password"


def secrets_of(house: Conversation) -> Secrets:
    """The keys of the server under test, and what it remembers."""
    server = house.server
    assert isinstance(server, InProcess | Sockets)
    return server.secrets


def rows_of(house: Conversation, table: Table) -> int:
    with house.server.store.reading() as session:
        return int(session.execute(select(func.count()).select_from(table)).scalar_one())


@pytest.mark.parametrize("recipient", ["pbm+u1-aaaaaaaaaaaaaaaa@example.net", "pbm@example.net"])
def test_words_of_a_comment_tell_no_password(house: Conversation, recipient: str) -> None:
    """Neither with an invented token nor with a forged From: eve's second account sees nothing of
    the comment, whether ann's password is in it or not, and nothing was verified."""
    house.signup("ann", "eve", "mal")
    right, wrong = house.password("ann"), house.secret("Sesame-none")
    for who in ("eve", "ann"):
        before = secrets_of(house).argon2_checks
        seen = []
        for words in (right, wrong):
            house.mails(who, "tictactoe challenge --unrated eve mal", words, to=recipient)
            mails = house.everything()
            assert not any(word in mail.text for mail in mails for word in (right, wrong))
            seen.append(sorted((mail.address, len(mail.text)) for mail in mails))
        assert seen[0] == seen[1]
        assert secrets_of(house).argon2_checks == before


def test_a_signup_checks_no_password(house: Conversation) -> None:
    """A `multiple` of signup and set with the same guess gives no guess away uncounted."""
    house.signup("ann", "eve")
    secrets = secrets_of(house)
    secrets._proofs.clear()
    before = secrets.argon2_checks
    house.mails("eve", f"signup ann {house.password('ann')}")
    house.receives("eve", "[pbm] not done: this userid is taken: choose another")
    assert secrets.argon2_checks == before
    assert not secrets._proofs


@pytest.mark.config(limits={"failures_a_day": 4})
def test_every_wrong_password_counts_whatever_the_mail(house: Conversation) -> None:
    """Also in mails of many lines, of which a few are verified at all."""
    house.signup("ann", "eve")
    secrets = secrets_of(house)
    for number in range(4):
        lines = [f"set ann {house.secret(f'Sesame-{number}-{line}')}" for line in range(20)]
        before = secrets.argon2_checks
        house.mails("eve", "multiple", "\n".join(lines))
        assert house.any_mail("eve").subject == "[pbm] 0 of 20 done"
        assert secrets.argon2_checks <= before + 4
    house.receives("ann", "[pbm] too many wrong passwords")
    house.mails("eve", f"set ann {house.password('ann')} name=Owned")
    house.receives("eve", WRONG)


def test_who_is_not_known_has_nothing_looked_up(house: Conversation) -> None:
    """One answer of a few lines a day, and no board is replayed for it."""
    house.signup("ann", "bob")
    house.challenge("cradle", "ann", "bob")
    house.mails("zoe", "multiple", "\n".join(f"show 1#{number}" for number in range(10)))
    house.receives("zoe", "[pbm] how to play board games by mail")
    house.mails("zoe", "cradle show 1")
    house.nothing_more()
    with house.server.store.reading() as session:
        assert session.execute(select(func.count()).select_from(moves)).scalar_one() == 0


def test_a_mail_of_pages_has_an_end(house: Conversation) -> None:
    """50 records in a mail: the answer stays within bounds, and says which lines were not done."""
    house.signup("ann", "bob")
    house.challenge("cradle", "ann", "bob")
    house.mails("ann", "multiple", "cradle export 1\nhelp commands\n" * 25)
    mail = house.any_mail("ann")
    assert "the answer is full" in mail.text
    assert len(mail.raw) < 150_000


def test_a_mail_with_eves_password_tells_nothing_of_ann(house: Conversation) -> None:
    """From names ann, one line holds eve's password: the answer is eve's alone, without ann's
    userid and board."""
    house.signup("ann", "bob", "eve")
    house.challenge("cradle", "ann", "bob")
    house.mails(
        "ann", "multiple", f"set eve {house.password('eve')}\ncradle move b1\nset\nall show"
    )
    mail = house.any_mail("eve")
    assert mail.subject == "[pbm] 1 of 4 done"
    assert "ann" not in mail.text
    assert "1 USERID" not in mail.text
    house.nothing_more()


def test_no_password_is_verified_in_a_transaction(house: Conversation) -> None:
    """A word that a refusal would quote is verified first, outside; the mail is then executed once
    more and the word is masked, or quoted when it is none."""
    house.signup("ann", "bob")
    opening = house.challenge("cradle", "ann", "bob")
    for word, is_quoted in ((house.password("ann"), False), ("sesamseed", True)):
        secrets_of(house)._proofs.clear()
        house.replies(opening[0], word)
        mail = house.any_mail("ann")
        assert mail.subject.startswith("[cradle 1] not done: ")
        assert (word in mail.text) is is_quoted
    assert rows_of(house, boards) == 1
