"""Accounts from signup to signoff: who is told, at which address, and what a code is good for."""

from __future__ import annotations

import pytest
from sqlalchemy import insert, select

from pbm.features.accounts.tables import signups
from pbm.store.tables import players
from tests.conversations.test_strangers import rows_of, secrets_of
from tests.harness.conversation import Conversation

SPARE = "ann@spare.example"
OFFICE = "ann@office.example"
VOID = "this code is wrong, expired, already used or replaced by a newer one"


def confirmed(talk: Conversation, who: str, subject: str) -> None:
    """Somebody sends back the code that has come."""
    mail = talk.receives(who, "[pbm] confirm this address")
    talk.replies(mail, f"confirm {mail.line('Code: ')}")
    talk.receives(who, subject)


@pytest.mark.postgresql
def test_signup_guides_to_the_first_game(talk: Conversation) -> None:
    """Each mail ends with what to send next."""
    talk.mails("ann", f"signup Ann {talk.password('ann')}")
    code = talk.receives("ann", "[pbm] confirm this address", "with the word yes")
    talk.replies(code, f"Hello,\n\nconfirm {code.line('Code: ')}\n\nBest wishes\nAnn")
    welcome = talk.receives("ann", "[pbm] welcome, Ann", "cradle challenge Ann OTHER", "games")
    assert "help tutorial" in welcome.text


def test_a_userid_with_other_letters_is_answered_with_one_from_the_address(
    talk: Conversation,
) -> None:
    """The words of the line may be passwords, also in the place of the userid."""

    def answers(password: str) -> str:
        talk.mails("joerg", f"signup J\u00f6rg {password}")
        mail = talk.any_mail("joerg")
        assert mail.subject.startswith("[pbm] not done: a userid has 2 to 20 letters")
        return mail.line("signup ")

    assert answers(talk.password("joerg")) == "joerg PASSWORD"
    assert answers("joerg") == "USERID PASSWORD"
    talk.signup("joerg")
    assert answers(talk.password("joerg")) == "joerg2 PASSWORD"


def test_signup_with_several_addresses(talk: Conversation) -> None:
    """The sender's own gets a code; the others only when that has come back."""
    ann = talk.password("ann")
    talk.mails("ann", f"signup ann {ann} {SPARE} ann@example.org, <{OFFICE}>")
    first = talk.receives("ann", "[pbm] confirm this address")
    talk.nothing_more()
    talk.replies(first, f"confirm {first.line('Code: ')}")
    talk.receives("ann", "[pbm] welcome, ann")
    spare = talk.receives(SPARE, "[pbm] confirm this address")
    talk.receives(OFFICE, "[pbm] confirm this address")
    talk.mails("ann", "list")
    talk.receives("ann", "[pbm] boards being played")
    talk.mails(SPARE, f"confirm {spare.line('Code: ').upper()}.")
    for who in ("ann", SPARE):
        mail = talk.receives(who, "[pbm] addresses of ann", f"{OFFICE}  (not confirmed yet)")
        assert f"  {SPARE}" in mail.lines


def test_signup_with_three_addresses_at_most(talk: Conversation) -> None:
    many = " ".join(f"a{n}@spare.example" for n in range(4))
    talk.mails("ann", f"signup ann {talk.password('ann')} {many}")
    talk.receives(
        "ann",
        "[pbm] not done: sign up with at most 3 addresses and add the others later",
        "add ann PASSWORD NAME@EXAMPLE.ORG",
    )


@pytest.mark.postgresql
def test_three_codes_a_week_go_to_an_address(talk: Conversation) -> None:
    """Whoever else asks, and by whatever command: signup, add, change address."""
    talk.signup("eve")
    eve = talk.password("eve")
    talk.mails("eve", f"add eve {eve} victim@example.com")
    talk.receives("eve", "[pbm] addresses of eve")
    talk.receives("victim@example.com", "[pbm] confirm this address")
    talk.clock.advance(days=3)
    talk.mails("eve", f"change address eve {eve} victim@example.com")
    talk.receives("eve", "[pbm] addresses of eve")
    talk.receives("victim@example.com", "[pbm] confirm this address")
    mal = talk.password("mal")
    talk.mails("mal", f"signup mal {mal} victim@example.com")
    talk.receives("victim@example.com", "[pbm] confirm this address")
    talk.mails("mal", f"signup mel {talk.password('mel')} victim@example.com")
    talk.nothing_more()  # a limit is told to nobody's address
    talk.mails("eve", f"add eve {eve} victim@example.com")
    talk.receives("eve", "[pbm] addresses of eve")
    talk.nothing_more()
    talk.clock.advance(days=5)
    talk.mails("eve", f"add eve {eve} victim@example.com")
    talk.receives("eve", "[pbm] addresses of eve")
    talk.receives("victim@example.com", "[pbm] confirm this address")


def test_a_code_out_of_a_quote_is_none(talk: Conversation) -> None:
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    code = talk.receives("ann", "[pbm] confirm this address")
    talk.replies(code, "Thank you, I am glad to be here!")
    talk.receives("ann", "[pbm] one more step to open your account")
    talk.mails("ann", f"Re: {code.subject}", f"confirm {code.line('Code: ')}")
    talk.receives("ann", "[pbm] welcome, ann")


@pytest.mark.postgresql
def test_a_code_opens_an_account_with_the_password_of_its_own_signup(talk: Conversation) -> None:
    """A later signup of the address takes a code of its own, and voids the earlier one."""
    first, second = talk.secret("Sesame-first"), talk.secret("Sesame-second")
    talk.mails("ann", f"signup ann {first}")
    void = talk.receives("ann", "[pbm] confirm this address", "sent Mon 02 Mar 2026, 12:00 UTC")
    assert "no longer works" not in void.text
    talk.clock.advance(seconds=3600)
    talk.mails("ann", f"signup ann {second}")
    code = talk.receives(
        "ann",
        "[pbm] confirm this address",
        "sent Mon 02 Mar 2026, 13:00 UTC",
        "The code of your signup of Mon 02 Mar 2026, 12:00 UTC no longer works.",
    )
    talk.replies(void, f"confirm {void.line('Code: ')}")
    talk.receives("ann", f"[pbm] not done: {VOID}")
    talk.replies(void, "yes")
    talk.receives("ann", f"[pbm] not done: {VOID}")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    talk.receives("ann", "[pbm] welcome, ann")
    talk.mails("ann", f"set ann {first}")
    talk.receives("ann", "[pbm] not done: wrong userid or password")
    talk.mails("ann", f"set ann {second}")
    talk.receives("ann", "[pbm] preferences of ann")


@pytest.mark.parametrize("answered", [0, 1])
@pytest.mark.parametrize("forged", ["bob", "eve"])
def test_a_forged_signup_never_opens_the_account_of_who_signs_up_himself(
    talk: Conversation, forged: str, answered: int
) -> None:
    """Eve signs bob up with a password of hers, in a mail that looks like his, or from her own
    address; then he signs up. Whichever code he sends back, hers opens nothing."""
    eves, bobs = talk.secret("Sesame-eves"), talk.password("bob")
    talk.mails(forged, f"signup bob {eves} bob@example.org", envelope="eve@example.org")
    mails = [talk.receives("bob", "[pbm] confirm this address")]
    talk.mails("bob", f"signup bob {bobs}")
    mails.append(talk.receives("bob", "[pbm] confirm this address", "somebody else wrote one"))
    talk.replies(mails[answered], f"confirm {mails[answered].line('Code: ')}")
    talk.receives("bob", "[pbm] welcome, bob" if answered else f"[pbm] not done: {VOID}")
    talk.mails("eve", f"set bob {eves}")
    refused = talk.any_mail("eve")
    assert refused.subject == "[pbm] how to play board games by mail"
    if answered:
        talk.mails("bob", f"set bob {bobs}")
        talk.receives("bob", "[pbm] preferences of bob")


def test_codes_that_others_had_sent_keep_nobody_from_signing_up(talk: Conversation) -> None:
    eve = talk.secret("Sesame-eves")
    for number in range(4):
        talk.mails("eve", f"signup bob{number} {eve} bob@example.org")
    for _ in range(3):
        talk.receives("bob", "[pbm] confirm this address", "confirm only what you wrote yourself")
    talk.nothing_more()
    talk.mails("bob", f"signup bob {talk.password('bob')}")
    confirmed(talk, "bob", "[pbm] welcome, bob")


@pytest.mark.postgresql
def test_an_unconfirmed_userid_is_free_for_whoever_confirms_first(talk: Conversation) -> None:
    zoe = talk.password("zoe")
    talk.mails("eve", f"signup Zoe {talk.secret('Sesame-eves')}")
    code = talk.receives("eve", "[pbm] confirm this address")
    talk.mails("zoe", f"signup zoe {zoe}")
    confirmed(talk, "zoe", "[pbm] welcome, zoe")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    talk.receives("eve", "[pbm] not done: this userid is taken: choose another")
    talk.mails("zoe", f"set zoe {zoe}")
    talk.receives("zoe", "[pbm] preferences of zoe")


@pytest.mark.postgresql
def test_a_signup_costs_no_hash_and_keeps_no_password_in_clear(talk: Conversation) -> None:
    """argon2 works for whoever has proved an address; until then the password is encrypted with
    the code, which is stored as a digest alone."""
    secrets = secrets_of(talk)
    before, ann = secrets.argon2_hashes, talk.password("ann")
    talk.mails("ann", f"signup ann {ann}")
    code = talk.receives("ann", "[pbm] confirm this address")
    assert secrets.argon2_hashes == before
    with talk.server.store.reading() as session:
        (row,) = session.execute(select(signups)).mappings()
    assert ann not in str(dict(row))
    assert code.line("Code: ") not in str(dict(row))
    talk.replies(code, "yes")
    talk.receives("ann", "[pbm] welcome, ann")
    assert secrets.argon2_hashes == before + 1
    assert rows_of(talk, signups) == 0


@pytest.mark.postgresql
def test_a_code_confirms_what_its_own_mail_asked_for(talk: Conversation) -> None:
    """A later command takes a code of its own, an address that was removed is not confirmed, and
    whoever changes the password ends what others may have asked for with the old one."""
    talk.signup("ann")
    ann, new = talk.password("ann"), talk.secret("Sesame-anew")
    talk.mails("ann", f"change address ann {ann} {SPARE}")
    talk.receives("ann", "[pbm] addresses of ann")
    old = talk.receives(SPARE, "[pbm] confirm this address", "to this address alone")
    talk.mails("ann", f"change address ann {ann} {OFFICE}")
    talk.receives("ann", "[pbm] addresses of ann")
    talk.receives(OFFICE, "[pbm] confirm this address")
    talk.replies(old, "yes")
    talk.receives(SPARE, f"[pbm] not done: {VOID}")
    talk.mails("ann", f"add ann {ann} {SPARE}")
    talk.receives("ann", "[pbm] addresses of ann")
    added = talk.receives(SPARE, "[pbm] confirm this address", "to this address too")
    talk.mails("ann", f"remove ann {ann} {SPARE}")
    talk.receives("ann", "[pbm] addresses of ann")
    talk.replies(added, "yes")
    talk.receives(SPARE, f"[pbm] not done: {VOID}")
    talk.clock.advance(days=7)
    talk.mails("ann", f"change address ann {ann} {SPARE}")
    talk.receives("ann", "[pbm] addresses of ann", "somebody knows your password")
    stolen = talk.receives(SPARE, "[pbm] confirm this address")
    talk.mails("ann", f"change password ann {ann} {new}")
    talk.receives("ann", "[pbm] your password is changed")
    talk.replies(stolen, "yes")
    talk.any_mail(SPARE)
    talk.mails("ann", f"set ann {new}")
    talk.receives("ann", "[pbm] preferences of ann")


@pytest.mark.parametrize(
    "userid",
    [
        "operator",
        "Admin",
        "postmaster",
        "root",
        "abuse",
        "mailer-daemon",
        "webmaster",
        "noreply",
        "server",
        "house",
        "event",
        "events",
        "everybody",
        "level1",
        "Level5",
        "pbm",
    ],
)
def test_nobody_signs_up_as_the_server_or_its_operator(talk: Conversation, userid: str) -> None:
    talk.mails("eve", f"signup {userid} {talk.password('eve')}")
    talk.receives("eve", "[pbm] not done: this userid is taken: choose another")


def test_the_servers_address_is_no_players(talk: Conversation) -> None:
    """With a subaddress neither: the server would write to itself."""
    talk.signup("ann")
    ann, eve = talk.password("ann"), talk.password("eve")
    for line in (
        f"add ann {ann} PBM@example.net",
        f"change address ann {ann} pbm+ann@EXAMPLE.net",
        f"signup eve {eve} eve@example.org pbm@example.net",
    ):
        talk.mails("ann", line)
        talk.receives("ann", "[pbm] not done: one of the addresses is this server's own")


@pytest.mark.postgresql
def test_a_userid_whose_address_nobody_confirmed_is_free_again(talk: Conversation) -> None:
    """An account of an earlier version, which waited for its code: whoever confirms has it."""
    row = {"userid": "ann", "name": "ann", "password": "!", "state": "active", "created": 1.0}
    with talk.server.store.writing() as session:
        session.execute(insert(players).values(**row, seen=1.0))
    zoe = talk.password("zoe")
    talk.mails("zoe", f"signup Ann {zoe}")
    confirmed(talk, "zoe", "[pbm] welcome, Ann")
    talk.mails("zoe", f"set ann {zoe}")
    talk.receives("zoe", "[pbm] preferences of Ann")


def test_a_code_expires_after_a_week(talk: Conversation) -> None:
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    code = talk.receives("ann", "[pbm] confirm this address", "for 7 days")
    talk.clock.advance(days=7.1)
    talk.replies(code, f"confirm {code.line('Code: ')}")
    talk.receives("ann", f"[pbm] not done: {VOID}")


@pytest.mark.config(players={"confirm_addresses": False})
def test_a_private_server_confirms_nothing(talk: Conversation) -> None:
    ann = talk.password("ann")
    talk.mails("ann", f"signup ann {ann} ann@example.org {SPARE}")
    for who in ("ann", SPARE):
        talk.receives(who, "[pbm] welcome, ann")
    talk.mails("ann", f"change address ann {ann} {OFFICE}")
    talk.receives(OFFICE, "[pbm] addresses of ann")
    for who in ("ann", SPARE):
        talk.receives(who, "[pbm] the addresses of ann changed", "forgot ann")


@pytest.mark.postgresql
def test_add_and_remove(talk: Conversation) -> None:
    talk.signup("ann")
    ann = talk.password("ann")
    talk.mails("ann", f"add ann {ann} {SPARE}")
    talk.receives("ann", "[pbm] addresses of ann", f"{SPARE}  (not confirmed yet)")
    confirmed(talk, SPARE, "[pbm] addresses of ann")
    talk.receives("ann", "[pbm] addresses of ann")
    talk.mails(SPARE, f"remove ann {ann} ann@example.org")
    talk.receives(SPARE, "[pbm] addresses of ann")
    talk.receives("ann", "[pbm] the addresses of ann changed")
    talk.mails(SPARE, f"remove ann {ann} {SPARE}")
    talk.receives(
        SPARE,
        "[pbm] not done: you cannot remove your last confirmed address: add another one first",
    )


def test_an_account_has_five_addresses(talk: Conversation) -> None:
    talk.signup("ann")
    ann = talk.password("ann")
    many = " ".join(f"a{n}@spare.example" for n in range(5))
    talk.mails("ann", f"add ann {ann} {many}")
    talk.receives("ann", "[pbm] not done: an account has at most 5 addresses")


@pytest.mark.postgresql
def test_change_address(talk: Conversation) -> None:
    """The old address is told at once, and dropped once the new one is proven."""
    talk.signup("ann")
    ann = talk.password("ann")
    talk.mails("ann", f"change address ann {ann} {SPARE}")
    talk.receives(
        "ann",
        "[pbm] addresses of ann",
        f"{SPARE}  (not confirmed yet)",
        "the others are removed",
        "change password ann PASSWORD NEWPASSWORD",
    )
    talk.mails("ann", "list")
    talk.receives("ann", "[pbm] boards being played")
    confirmed(talk, SPARE, "[pbm] addresses of ann")
    talk.mails("ann", "list")
    talk.receives("ann", "[pbm] how to play board games by mail")
    talk.mails("ann", f"set ann {ann}")
    talk.receives(SPARE, "[pbm] preferences of ann")


def test_change_address_from_the_new_one(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails(SPARE, f"change address ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] addresses of ann", "somebody knows your password")
    confirmed(talk, SPARE, "[pbm] addresses of ann")


def test_change_address_to_several_one_of_them_old(talk: Conversation) -> None:
    talk.signup("ann")
    ann = talk.password("ann")
    talk.mails("ann", f"add ann {ann} {SPARE}")
    talk.receives("ann", "[pbm] addresses of ann")
    confirmed(talk, SPARE, "[pbm] addresses of ann")
    talk.receives("ann", "[pbm] addresses of ann")
    talk.mails("ann", f"change address ann {ann} {SPARE} {OFFICE}")
    for who in ("ann", SPARE):
        talk.receives(who, "[pbm] addresses of ann")
    confirmed(talk, OFFICE, "[pbm] addresses of ann")
    mail = talk.receives(SPARE, "[pbm] addresses of ann")
    assert "ann@example.org" not in mail.text


@pytest.mark.postgresql
def test_change_password(talk: Conversation) -> None:
    talk.signup("ann")
    new = talk.secret("Sesame-anew")
    talk.mails("ann", f"change password ann {talk.password('ann')} {new}")
    talk.receives("ann", "[pbm] your password is changed", "forgot ann")
    talk.mails("ann", f"set ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] not done: wrong userid or password")
    talk.mails("ann", f"set ann {new}")
    talk.receives("ann", "[pbm] preferences of ann")


def test_a_reply_does_not_stand_for_the_password_where_the_account_changes(
    talk: Conversation,
) -> None:
    talk.signup("ann")
    talk.mails("ann", "help")
    mail = talk.receives("ann", "[pbm] help")
    for line in (
        "change password Sesame-anew",
        "signoff",
        f"change address {SPARE}",
        f"add {SPARE}",
        "remove ann@example.org",
    ):
        talk.replies(mail, line)
        answer = talk.any_mail("ann")
        assert "is missing" in answer.subject
    talk.mails("ann", f"set ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] preferences of ann")


@pytest.mark.postgresql
def test_forgot(talk: Conversation) -> None:
    """The code stands once in the place of the old password, for a week."""
    talk.signup("ann", "bob")
    talk.mails("bob", "forgot ann")
    neutral = talk.receives("bob", "[pbm] a code is on its way")
    code = talk.receives("ann", "[pbm] a code for a new password").line("change password ann ")
    code = talk.secret(code.split()[0])
    talk.mails("bob", "forgot nobody")
    assert talk.receives("bob", "[pbm] a code is on its way").text == neutral.text
    new = talk.secret("Sesame-anew")
    talk.mails("ann", f"change password ann {code} {new}")
    talk.receives("ann", "[pbm] your password is changed")
    talk.mails("ann", f"change password ann {code} {talk.secret('Sesame-thrice')}")
    talk.receives("ann", "[pbm] not done: wrong userid or password")
    talk.mails("ann", f"set ann {new}")
    talk.receives("ann", "[pbm] preferences of ann")


def test_a_code_for_a_password_opens_nothing_else_and_ends(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "forgot ann")
    line = talk.receives("ann", "[pbm] a code for a new password").line("change password ann ")
    code = talk.secret(line.split()[0])
    for wrong in (f"set ann {code} own=no", f"signoff ann {code}"):
        talk.mails("ann", wrong)
        talk.receives("ann", "[pbm] not done: wrong userid or password")
    talk.mails("ann", f"confirm {code}")
    talk.receives("ann", f"[pbm] not done: {VOID}")
    talk.clock.advance(days=7.1)
    talk.mails("ann", f"change password ann {code} {talk.secret('Sesame-anew')}")
    talk.receives("ann", "[pbm] not done: wrong userid or password")


@pytest.mark.postgresql
def test_nobody_keeps_another_from_a_new_password(talk: Conversation) -> None:
    """Requests from elsewhere bring three mails a week at most, whose codes work all that time.
    Each with an own address in From brings one, ten a day at most, forged or not."""
    talk.signup("ann", "bob")
    for _ in range(6):
        talk.mails("bob", "forgot ann")
        talk.receives("bob", "[pbm] a code is on its way")
    codes = [_receives_reset(talk) for _ in range(3)]
    talk.clock.advance(days=2)
    for _ in range(5):
        talk.mails("ann", "forgot ann", envelope="bob@example.org")
        codes.append(_receives_reset(talk))
    talk.clock.advance(days=4.9)
    new = talk.secret("Sesame-anew")
    talk.mails("ann", f"change password ann {codes[1]} {new}")
    talk.receives("ann", "[pbm] your password is changed")
    for code in (codes[0], codes[-1]):
        talk.mails("ann", f"change password ann {code} {talk.secret('Sesame-thrice')}")
        talk.receives("ann", "[pbm] not done: wrong userid or password")
    talk.mails("ann", f"set ann {new}")
    talk.receives("ann", "[pbm] preferences of ann")


def _receives_reset(talk: Conversation) -> str:
    """The code that ann is sent for a new password."""
    mail = talk.receives("ann", "[pbm] a code for a new password", "for 7 days")
    return talk.secret(mail.line("change password ann ").split()[0])


@pytest.mark.postgresql
def test_signoff_without_boards(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", f"signoff ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] goodbye, ann")
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] not done: this userid is taken: choose another")


@pytest.mark.postgresql
def test_signoff_with_open_boards(talk: Conversation) -> None:
    """A code first: it resigns what is open and declines what has not begun."""
    talk.signup("ann", "bob")
    ann = talk.password("ann")
    talk.plays(["a2,b2,c2,c3"], "ann", "bob", latest=talk.challenge("cradle", "ann", "bob"))
    talk.proves("bob", "hex challenge bob ann --ask")
    talk.receives("bob", "[hex 2] invitation: bob, ann")
    talk.receives("ann", "[hex 2] invitation: bob, ann")
    talk.mails("ann", f"delete ann {ann}")
    mail = talk.receives("ann", "[pbm] close your account?", "would be resigned: 1, 2")
    talk.mails("ann", f"set ann {ann}")
    talk.receives("ann", "[pbm] preferences of ann")
    talk.replies(mail, f"confirm {mail.line('Code: ')}")
    talk.receives("ann", "[pbm] goodbye, ann")
    talk.receives("bob", "[cradle 1] bob won (1)", "ann resigned.")
    talk.receives("bob", "[hex 2] cancelled (0)", "ann declined.")
    talk.mails("ann", f"cradle move 1 ann {ann} b1,c1,d1,d2")
    talk.receives("ann", "[pbm] how to play board games by mail")


def test_preferences(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    ann = talk.password("ann")
    talk.mails("ann", f"set ann {ann} own=no broadcasts=no zone=europe/rome name=Ann_Lee")
    talk.receives(
        "ann",
        "[pbm] preferences of ann changed",
        "own=no",
        "broadcasts=no",
        "zone=Europe/Rome",
        "name=Ann Lee",
    )
    talk.challenge("cradle", "ann", "bob")
    talk.mails("ann", f"cradle move 1 ann {ann} b1,c1,d1,d2")
    talk.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
    talk.mails("ann", f"cradle move 1 ann {ann} b1,c1,d1,d2")
    talk.receives("ann", "[cradle 1] not done: it is bob's turn")
    talk.mails("ann", f"cradle propose 1 ann {ann}")
    talk.receives("ann", "[cradle 1] bob to move (2), you proposed a draw")
    talk.receives("bob", "[cradle 1] your move (2), ann proposed a draw")


def test_a_name_stands_where_a_player_is_introduced(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    ann = talk.password("ann")
    talk.mails("ann", f"set ann {ann} name=Ann_Smith")
    talk.receives("ann", "[pbm] preferences of ann changed", "Changed: name=Ann Smith.")
    for mail in talk.challenge("cradle", "ann", "bob"):
        assert "\n  ann (Ann Smith)  first" in mail.text
        assert "\n  bob              second" in mail.text
        assert mail.fact("Players") == "ann bob"
    talk.mails("bob", "rating ann")
    talk.receives("bob", "[pbm] ratings of ann", "Ratings of ann (Ann Smith), with")
    talk.mails("ann", f"hex seek ann {ann}")
    talk.any_mail("ann")
    talk.mails("bob", "seeks")
    talk.receives("bob", "[pbm] open offers", "by ann (Ann Smith)")
    for name, why in (
        ("bob", "that name is another player's userid"),
        ("B)_(you", "name must be up to 40 letters"),
        (ann, "choose another name: everybody sees it"),
        ("ann@example.org", "name must be up to 40 letters"),
        ("x" * 41, "name must be up to 40 letters"),
    ):
        talk.mails("ann", f"set ann {ann} name={name}")
        assert why in talk.any_mail("ann").subject
    talk.mails("ann", f"set ann {ann} name=none")
    talk.receives("ann", "[pbm] preferences of ann changed", "Changed: name=none.")


@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        ("zone=Berlin", "zone=Europe/Berlin"),
        ("zone=New York", "zone=America/New_York"),
        ("digest=7pm", "digest=19:00"),
        ("digest=25:00", "digest=07:00"),
        ("off=weekend", "off=sat,sun"),
        ("own=off", "own=no"),
        ("mail=plain", "mail=text"),
        ("broadcasts=false", "broadcasts=no"),
        ("name=<b>", "name=Ann"),
    ],
)
def test_what_to_send_instead_is_what_was_meant(
    talk: Conversation, typed: str, instead: str
) -> None:
    talk.signup("ann")
    talk.mails("ann", f"set ann {talk.password('ann')} {typed}")
    mail = talk.any_mail("ann")
    assert f"\n    set ann PASSWORD {instead}\n" in mail.text
    talk.mails("ann", f"set ann {talk.password('ann')} {instead}")
    talk.receives("ann", "[pbm] preferences of ann changed", f"Changed: {instead}.")


def test_own_moves_in_a_list_are_in_the_transcript(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    ann = talk.password("ann")
    talk.challenge("cradle", "ann", "bob")
    talk.mails("ann", f"set ann {ann} own=no")
    talk.receives("ann", "[pbm] preferences of ann changed")
    talk.mails("ann", f"mult move ann {ann}", "cradle 1 b1,c1,d1,d2")
    talk.receives("ann", "[pbm] 1 of 1 done", "cradle move 1 ann ******** b1,c1,d1,d2", "Done.")
    talk.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
