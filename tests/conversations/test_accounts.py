"""Accounts from signup to signoff: who is told, at which address, and what a code is good for."""

from __future__ import annotations

import pytest

from tests.conversations.conversation import Conversation

SPARE = "ann@spare.example"
OFFICE = "ann@office.example"


def confirmed(house: Conversation, who: str, subject: str) -> None:
    """Somebody sends back the code that has come."""
    mail = house.receives(who, "[pbm] confirm this address")
    house.replies(mail, f"confirm {mail.line('Code: ')}")
    house.receives(who, subject)


@pytest.mark.postgresql
def test_signup_guides_to_the_first_game(house: Conversation) -> None:
    """Each mail ends with what to send next."""
    house.mails("ann", f"signup Ann {house.password('ann')}")
    code = house.receives("ann", "[pbm] confirm this address", "reply with the word confirm")
    house.replies(code, f"Hello,\n\nconfirm {code.line('Code: ')}\n\nBest wishes\nAnn")
    welcome = house.receives("ann", "[pbm] welcome, Ann", "cradle challenge Ann OTHER", "games")
    assert "help tutorial" in welcome.lines[-3]


def test_signup_with_several_addresses(house: Conversation) -> None:
    """The sender's own gets a code; the others only when that has come back."""
    ann = house.password("ann")
    house.mails("ann", f"signup ann {ann} {SPARE} ann@example.org, <{OFFICE}>")
    first = house.receives("ann", "[pbm] confirm this address")
    house.nothing_more()
    house.replies(first, f"confirm {first.line('Code: ')}")
    house.receives("ann", "[pbm] welcome, ann")
    spare = house.receives(SPARE, "[pbm] confirm this address")
    house.receives(OFFICE, "[pbm] confirm this address")
    house.mails("ann", "list")
    house.receives("ann", "[pbm] boards being played")
    house.mails(SPARE, f"confirm {spare.line('Code: ').upper()}.")
    for who in ("ann", SPARE):
        mail = house.receives(who, "[pbm] addresses of ann", f"{OFFICE}  (not confirmed yet)")
        assert f"  {SPARE}" in mail.lines


def test_signup_with_three_addresses_at_most(house: Conversation) -> None:
    many = " ".join(f"a{n}@spare.example" for n in range(4))
    house.mails("ann", f"signup ann {house.password('ann')} {many}")
    house.receives(
        "ann",
        "[pbm] not done: sign up with at most 3 addresses and add the others later",
        "add ann PASSWORD NAME@EXAMPLE.ORG",
    )


@pytest.mark.postgresql
def test_three_codes_a_week_go_to_an_address(house: Conversation) -> None:
    """Whoever asks, and by whatever command: signup, add, change address, forgot."""
    house.signup("ann", "eve")
    eve = house.password("eve")
    house.mails("eve", f"add eve {eve} victim@example.com")
    house.receives("eve", "[pbm] addresses of eve")
    house.receives("victim@example.com", "[pbm] confirm this address")
    house.clock.advance(days=3)
    house.mails("eve", f"change address eve {eve} victim@example.com")
    house.receives("eve", "[pbm] addresses of eve")
    house.receives("victim@example.com", "[pbm] confirm this address")
    mal = house.password("mal")
    house.mails("mal", f"signup mal {mal} victim@example.com")
    house.receives("victim@example.com", "[pbm] confirm this address")
    house.mails("mal", f"signup mel {house.password('mel')} victim@example.com")
    house.receives(
        "mal",
        "[pbm] not done: 3 codes have gone to this address in the last seven days: use one "
        "of them, or try again in a week",
    )
    house.mails("eve", f"add eve {eve} victim@example.com")
    house.receives("eve", "[pbm] addresses of eve")
    for _ in range(4):
        house.mails("eve", "forgot ann")
        house.receives("eve", "[pbm] a code is on its way")
    for _ in range(2):  # and one when she signed up
        house.receives("ann", "[pbm] a code for a new password")
    house.nothing_more()
    house.clock.advance(days=5)
    house.mails("eve", f"add eve {eve} victim@example.com")
    house.receives("eve", "[pbm] addresses of eve")
    house.receives("victim@example.com", "[pbm] confirm this address")


def test_a_code_out_of_a_quote_is_none(house: Conversation) -> None:
    house.mails("ann", f"signup ann {house.password('ann')}")
    code = house.receives("ann", "[pbm] confirm this address")
    house.replies(code, "Thank you, I am glad to be here!")
    house.receives("ann", "[pbm] how to play board games by mail")
    house.mails("ann", f"Re: {code.subject}", f"confirm {code.line('Code: ')}")
    house.receives("ann", "[pbm] welcome, ann")


def test_signup_once_more_sends_the_code_once_more(house: Conversation) -> None:
    """To the address that waits for it, and once a day: the first mail may have been lost. No
    password is compared, and that of the first signup stays."""
    ann = house.password("ann")
    house.mails("ann", f"signup ann {ann}")
    house.receives("ann", "[pbm] confirm this address")
    house.mails("ann", f"signup ann {ann}")
    house.nothing_more()
    house.clock.advance(days=1)
    house.mails("eve", f"signup ann {ann}")
    house.receives("eve", "[pbm] not done: this userid is taken: choose another")
    house.mails("ann", f"signup ann {house.secret('Sesame-other')}")
    confirmed(house, "ann", "[pbm] welcome, ann")
    house.mails("ann", f"set ann {ann}")
    house.receives("ann", "[pbm] preferences of ann")


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
def test_nobody_signs_up_as_the_server_or_its_operator(house: Conversation, userid: str) -> None:
    house.mails("eve", f"signup {userid} {house.password('eve')}")
    house.receives("eve", "[pbm] not done: this userid is taken: choose another")


def test_the_servers_address_is_no_players(house: Conversation) -> None:
    """With a subaddress neither: the server would write to itself."""
    house.signup("ann")
    ann, eve = house.password("ann"), house.password("eve")
    for line in (
        f"add ann {ann} PBM@example.net",
        f"change address ann {ann} pbm+ann@EXAMPLE.net",
        f"signup eve {eve} eve@example.org pbm@example.net",
    ):
        house.mails("ann", line)
        house.receives("ann", "[pbm] not done: one of the addresses is this server's own")


@pytest.mark.postgresql
def test_a_userid_whose_address_nobody_confirmed_is_free_again(house: Conversation) -> None:
    """After the week for which the code holds."""
    house.mails("ann", f"signup ann {house.password('ann')}")
    house.receives("ann", "[pbm] confirm this address")
    zoe = house.password("zoe")
    house.clock.advance(days=6)
    house.mails("zoe", f"signup Ann {zoe}")
    house.receives("zoe", "[pbm] not done: this userid is taken: choose another")
    house.clock.advance(days=2)
    house.mails("zoe", f"signup Ann {zoe}")
    confirmed(house, "zoe", "[pbm] welcome, Ann")
    house.mails("zoe", f"set ann {zoe}")
    house.receives("zoe", "[pbm] preferences of Ann")


@pytest.mark.config(players={"confirm_addresses": False})
def test_a_private_server_confirms_nothing(house: Conversation) -> None:
    ann = house.password("ann")
    house.mails("ann", f"signup ann {ann} ann@example.org {SPARE}")
    for who in ("ann", SPARE):
        house.receives(who, "[pbm] welcome, ann")
    house.mails("ann", f"change address ann {ann} {OFFICE}")
    house.receives(OFFICE, "[pbm] addresses of ann")
    for who in ("ann", SPARE):
        house.receives(who, "[pbm] the addresses of ann changed", "forgot ann")


@pytest.mark.postgresql
def test_add_and_remove(house: Conversation) -> None:
    house.signup("ann")
    ann = house.password("ann")
    house.mails("ann", f"add ann {ann} {SPARE}")
    house.receives("ann", "[pbm] addresses of ann", f"{SPARE}  (not confirmed yet)")
    confirmed(house, SPARE, "[pbm] addresses of ann")
    house.receives("ann", "[pbm] addresses of ann")
    house.mails(SPARE, f"remove ann {ann} ann@example.org")
    house.receives(SPARE, "[pbm] addresses of ann")
    house.receives("ann", "[pbm] the addresses of ann changed")
    house.mails(SPARE, f"remove ann {ann} {SPARE}")
    house.receives(
        SPARE,
        "[pbm] not done: you cannot remove your last confirmed address: add another one first",
    )


def test_an_account_has_five_addresses(house: Conversation) -> None:
    house.signup("ann")
    ann = house.password("ann")
    many = " ".join(f"a{n}@spare.example" for n in range(5))
    house.mails("ann", f"add ann {ann} {many}")
    house.receives("ann", "[pbm] not done: an account has at most 5 addresses")


@pytest.mark.postgresql
def test_change_address(house: Conversation) -> None:
    """The old address is told at once, and dropped once the new one is proven."""
    house.signup("ann")
    ann = house.password("ann")
    house.mails("ann", f"change address ann {ann} {SPARE}")
    house.receives(
        "ann",
        "[pbm] addresses of ann",
        f"{SPARE}  (not confirmed yet)",
        "the others are removed",
        "change password ann PASSWORD NEWPASSWORD",
    )
    house.mails("ann", "list")
    house.receives("ann", "[pbm] boards being played")
    confirmed(house, SPARE, "[pbm] addresses of ann")
    house.mails("ann", "list")
    house.receives("ann", "[pbm] how to play board games by mail")
    house.mails("ann", f"set ann {ann}")
    house.receives(SPARE, "[pbm] preferences of ann")


def test_change_address_from_the_new_one(house: Conversation) -> None:
    house.signup("ann")
    house.mails(SPARE, f"change address ann {house.password('ann')}")
    house.receives("ann", "[pbm] addresses of ann", "somebody knows your password")
    confirmed(house, SPARE, "[pbm] addresses of ann")


def test_change_address_to_several_one_of_them_old(house: Conversation) -> None:
    house.signup("ann")
    ann = house.password("ann")
    house.mails("ann", f"add ann {ann} {SPARE}")
    house.receives("ann", "[pbm] addresses of ann")
    confirmed(house, SPARE, "[pbm] addresses of ann")
    house.receives("ann", "[pbm] addresses of ann")
    house.mails("ann", f"change address ann {ann} {SPARE} {OFFICE}")
    for who in ("ann", SPARE):
        house.receives(who, "[pbm] addresses of ann")
    confirmed(house, OFFICE, "[pbm] addresses of ann")
    mail = house.receives(SPARE, "[pbm] addresses of ann")
    assert "ann@example.org" not in mail.text


@pytest.mark.postgresql
def test_change_password(house: Conversation) -> None:
    house.signup("ann")
    new = house.secret("Sesame-anew")
    house.mails("ann", f"change password ann {house.password('ann')} {new}")
    house.receives("ann", "[pbm] your password is changed", "forgot ann")
    house.mails("ann", f"set ann {house.password('ann')}")
    house.receives("ann", "[pbm] not done: wrong userid or password")
    house.mails("ann", f"set ann {new}")
    house.receives("ann", "[pbm] preferences of ann")


def test_a_reply_does_not_stand_for_the_password_where_the_account_changes(
    house: Conversation,
) -> None:
    house.signup("ann")
    house.mails("ann", "help")
    mail = house.receives("ann", "[pbm] help")
    for line in (
        "change password Sesame-anew",
        "signoff",
        f"change address {SPARE}",
        f"add {SPARE}",
        "remove ann@example.org",
    ):
        house.replies(mail, line)
        answer = house.any_mail("ann")
        assert "is missing" in answer.subject
    house.mails("ann", f"set ann {house.password('ann')}")
    house.receives("ann", "[pbm] preferences of ann")


@pytest.mark.postgresql
def test_forgot(house: Conversation) -> None:
    """The code stands once in the place of the old password, for a day."""
    house.signup("ann", "bob")
    house.mails("bob", "forgot ann")
    neutral = house.receives("bob", "[pbm] a code is on its way")
    code = house.receives("ann", "[pbm] a code for a new password").line("change password ann ")
    code = house.secret(code.split()[0])
    house.mails("bob", "forgot nobody")
    assert house.receives("bob", "[pbm] a code is on its way").text == neutral.text
    new = house.secret("Sesame-anew")
    house.mails("ann", f"change password ann {code} {new}")
    house.receives("ann", "[pbm] your password is changed")
    house.mails("ann", f"change password ann {code} {house.secret('Sesame-thrice')}")
    house.receives("ann", "[pbm] not done: wrong userid or password")
    house.mails("ann", f"set ann {new}")
    house.receives("ann", "[pbm] preferences of ann")


def test_a_code_for_a_password_opens_nothing_else_and_ends(house: Conversation) -> None:
    house.signup("ann")
    house.mails("ann", "forgot ann")
    house.receives("ann", "[pbm] a code is on its way")
    line = house.receives("ann", "[pbm] a code for a new password").line("change password ann ")
    code = house.secret(line.split()[0])
    for wrong in (f"set ann {code} own=no", f"signoff ann {code}"):
        house.mails("ann", wrong)
        house.receives("ann", "[pbm] not done: wrong userid or password")
    house.mails("ann", f"confirm {code}")
    house.receives("ann", "[pbm] not done: this code is wrong, expired or already used")
    house.clock.advance(days=1.1)
    house.mails("ann", f"change password ann {code} {house.secret('Sesame-anew')}")
    house.receives("ann", "[pbm] not done: wrong userid or password")


@pytest.mark.postgresql
def test_signoff_without_boards(house: Conversation) -> None:
    house.signup("ann")
    house.mails("ann", f"signoff ann {house.password('ann')}")
    house.receives("ann", "[pbm] goodbye, ann")
    house.mails("ann", f"signup ann {house.password('ann')}")
    house.receives("ann", "[pbm] not done: this userid is taken: choose another")


@pytest.mark.postgresql
def test_signoff_with_open_boards(house: Conversation) -> None:
    """A code first: it resigns what is open and declines what has not begun."""
    house.signup("ann", "bob")
    ann = house.password("ann")
    house.plays(["a2,b2,c2,c3"], "ann", "bob", latest=house.challenge("cradle", "ann", "bob"))
    house.proves("bob", "hex challenge bob ann --ask")
    house.receives("bob", "[hex 2] invitation: bob, ann")
    house.receives("ann", "[hex 2] invitation: bob, ann")
    house.mails("ann", f"delete ann {ann}")
    mail = house.receives("ann", "[pbm] close your account?", "would be resigned: 1, 2")
    house.mails("ann", f"set ann {ann}")
    house.receives("ann", "[pbm] preferences of ann")
    house.replies(mail, f"confirm {mail.line('Code: ')}")
    house.receives("ann", "[pbm] goodbye, ann")
    house.receives("bob", "[cradle 1] bob won (1)", "ann resigned.")
    house.receives("bob", "[hex 2] cancelled (0)", "ann declined.")
    house.mails("ann", f"cradle move 1 ann {ann} b1,c1,d1,d2")
    house.receives("ann", "[pbm] how to play board games by mail")


def test_preferences(house: Conversation) -> None:
    house.signup("ann", "bob")
    ann = house.password("ann")
    house.mails("ann", f"set ann {ann} own=no broadcasts=no zone=europe/rome name=Ann_Lee")
    house.receives(
        "ann",
        "[pbm] preferences of ann changed",
        "own=no",
        "broadcasts=no",
        "zone=Europe/Rome",
        "name=Ann Lee",
    )
    house.challenge("cradle", "ann", "bob")
    house.mails("ann", f"cradle move 1 ann {ann} b1,c1,d1,d2")
    house.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
    house.mails("ann", f"cradle move 1 ann {ann} b1,c1,d1,d2")
    house.receives("ann", "[cradle 1] not done: it is bob's turn")
    house.mails("ann", f"cradle propose 1 ann {ann}")
    house.receives("ann", "[cradle 1] bob to move (2), you proposed a draw")
    house.receives("bob", "[cradle 1] your move (2), ann proposed a draw")


def test_a_name_stands_where_a_player_is_introduced(house: Conversation) -> None:
    house.signup("ann", "bob")
    ann = house.password("ann")
    house.mails("ann", f"set ann {ann} name=Ann_Smith")
    house.receives("ann", "[pbm] preferences of ann changed", "Changed: name=Ann Smith.")
    for mail in house.challenge("cradle", "ann", "bob"):
        assert "\n  ann (Ann Smith)  first" in mail.text
        assert "\n  bob              second" in mail.text
        assert mail.fact("Players") == "ann bob"
    house.mails("bob", "rating ann")
    house.receives("bob", "[pbm] ratings of ann", "Ratings of ann (Ann Smith), with")
    house.mails("ann", f"hex seek ann {ann}")
    house.any_mail("ann")
    house.mails("bob", "seeks")
    house.receives("bob", "[pbm] open offers", "by ann (Ann Smith)")
    for name, why in (
        ("bob", "that name is another player's userid"),
        ("B)_(you", "name must be up to 40 letters"),
        (ann, "choose another name: everybody sees it"),
        ("ann@example.org", "name must be up to 40 letters"),
        ("x" * 41, "name must be up to 40 letters"),
    ):
        house.mails("ann", f"set ann {ann} name={name}")
        assert why in house.any_mail("ann").subject
    house.mails("ann", f"set ann {ann} name=none")
    house.receives("ann", "[pbm] preferences of ann changed", "Changed: name=none.")


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
    house: Conversation, typed: str, instead: str
) -> None:
    house.signup("ann")
    house.mails("ann", f"set ann {house.password('ann')} {typed}")
    mail = house.any_mail("ann")
    assert f"\n    set ann PASSWORD {instead}\n" in mail.text
    house.mails("ann", f"set ann {house.password('ann')} {instead}")
    house.receives("ann", "[pbm] preferences of ann changed", f"Changed: {instead}.")


def test_own_moves_in_a_list_are_in_the_transcript(house: Conversation) -> None:
    house.signup("ann", "bob")
    ann = house.password("ann")
    house.challenge("cradle", "ann", "bob")
    house.mails("ann", f"set ann {ann} own=no")
    house.receives("ann", "[pbm] preferences of ann changed")
    house.mails("ann", f"mult move ann {ann}", "cradle 1 b1,c1,d1,d2")
    house.receives("ann", "[pbm] 1 of 1 done", "cradle move 1 ann ******** b1,c1,d1,d2", "Done.")
    house.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
