"""Forged signups: strangers get few mails an hour, and newcomers still get in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from pbm.config import Config, Database, Limits
from pbm.config import Server as Address
from pbm.core.player import find_player
from pbm.store.mail_outcome import NoAnswer
from pbm.store.tables import inbound
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.servers import InProcess

HOUR = 3600
FORGED = 150
A_QUARTER = Limits().strangers_an_hour // 4


class Club:
    """A server that strangers write to from wherever a test says."""

    def __init__(self, config: Config) -> None:
        self.clock = Clock()
        self.server = InProcess(config, self.clock)
        self.people = Conversation(self.server, self.clock, confirms=True)

    def signs_up(self, address: str, peer: str = "") -> None:
        """Somebody, or whoever forges that address, signs up from a client at that peer."""
        userid = address.partition("@")[0]
        self.server.peer = peer
        self.people.mails(address, f"signup {userid} {self.people.password(userid)}")

    def find_last_reason(self) -> str:
        """Why the last mail was not answered."""
        query = select(inbound.c.no_answer).order_by(inbound.c.id.desc()).limit(1)
        with self.server.store.reading() as session:
            return str(session.value(query))

    def count_mailed(self) -> int:
        """The mails that have gone out since it was asked last."""
        return len(self.people.everything())


@pytest.fixture(params=["sqlite", "postgresql"])
def club(request: pytest.FixtureRequest) -> Iterator[Club]:
    url = request.getfixturevalue(f"{request.param}_url")
    made = Club(Config(server=Address(address=SERVER), database=Database(url)))
    yield made
    made.server.close()


def test_a_flood_from_one_peer_leaves_the_door_open(club: Club) -> None:
    """One client signs up 150 people of as many domains; somebody else then comes."""
    for number in range(FORGED):
        club.signs_up(f"victim{number}@v{number}.example", "192.0.2.1")
    assert club.count_mailed() == A_QUARTER
    club.signs_up("kim@example.org", "198.51.100.7")
    club.people.receives("kim", "[pbm] confirm this address")


def test_a_flood_from_one_network_is_one_source(club: Club) -> None:
    for number in range(FORGED):
        club.signs_up(f"victim{number}@v{number}.example", f"2001:db8:1:2::{number:x}")
    assert club.count_mailed() == A_QUARTER


def test_a_flood_from_everywhere_comes_to_no_more_than_an_hour_has(club: Club) -> None:
    for number in range(FORGED):
        club.signs_up(f"victim{number}@v{number}.example", f"192.0.2.{number}")
    assert club.count_mailed() == Limits().strangers_an_hour


@pytest.mark.long
def test_a_flood_through_the_own_mail_server_is_bounded_by_domain(club: Club) -> None:
    """The server sees no client then: half an hour's mails go to any one domain."""
    for number in range(FORGED):
        club.signs_up(f"victim{number}@victim.example")
    assert club.count_mailed() == 2 * A_QUARTER
    club.signs_up("kim@example.org")
    club.people.receives("kim", "[pbm] confirm this address")


def test_whoever_was_turned_away_gets_in_an_hour_later(club: Club) -> None:
    """However much is forged in that hour too. The mail that was turned away says why."""
    for number in range(FORGED):
        club.signs_up(f"victim{number}@v{number}.example")
    club.signs_up("kim@example.org")
    assert club.count_mailed() == 3 * A_QUARTER
    assert club.find_last_reason() == NoAnswer.STRANGERS_SPENT
    club.clock.advance(seconds=HOUR)
    for number in range(FORGED, 2 * FORGED):
        club.signs_up(f"victim{number}@v{number}.example")
    assert club.count_mailed() == 3 * A_QUARTER
    club.signs_up("kim@example.org")
    club.people.receives("kim", "[pbm] confirm this address")


def test_a_newcomer_for_whom_the_own_mail_server_vouches_gets_in(
    sqlite_url: str,
) -> None:
    config = Config(
        server=Address(address=SERVER, trusts="mx.example.net", trusted_peers=("127.0.0.0/8",)),
        database=Database(sqlite_url),
    )
    club = Club(config)
    for number in range(FORGED):
        club.signs_up(f"victim{number}@v{number}.example")
    assert club.count_mailed() == 3 * A_QUARTER
    club.people.mails(
        "kim",
        f"signup kim {club.people.password('kim')}",
        Authentication_Results="mx.example.net; dmarc=pass header.from=example.org",
    )
    club.people.receives("kim", "[pbm] confirm this address")
    club.server.close()


FORGERIES = [
    "help",
    "games",
    "list",
    "What a lovely day {number}",
    "forgot ann",
    "forgot bob",
    "forgot nobody{number}",
    "signup kim{number} Sesame-{number}",
    "signup ann x",
    "confirm 1234-5678-{number}",
    "set ann Sesame-wrong{number} own=no",
    "add ann Sesame-wrong{number} eve@evil.example",
    "tictactoe challenge ann bob",
    "tictactoe move 1 a1",
    "message bob",
    "chess show {number}",
    "invite vic{number}@v.example",
    "undo {number}",
]
"""One of each kind of mail that somebody may forge, or is refused."""
MOST = Limits().unproved_a_day


@pytest.mark.parametrize("victim", ["ann@example.org", "zoe@example.org"])
def test_forged_mails_bring_few_to_whom_they_name(club: Club, victim: str) -> None:
    """300 of every kind, from a player's address or nobody's: ten a day go there, the limits' own
    mails and codes included, and whoever else they name gets no more. Each mail has an outcome."""
    club.people.signup("ann", "bob")
    for number in range(300):
        line = FORGERIES[number % len(FORGERIES)].format(number=number)
        club.server.peer = f"192.0.2.{number}"
        club.people.mails(victim, line, envelope="eve@evil.example")
    got = [mail.address for mail in club.people.everything()]
    assert 0 < got.count(victim) <= MOST
    assert max(map(got.count, got)) <= MOST
    with club.server.store.reading() as session:
        query = select(inbound.c.id).where(inbound.c.code == "")
        assert session.value(query) is None
        answered = select(inbound.c.id).where(inbound.c.no_answer == NoAnswer.UNPROVED_SPENT)
        assert session.value(answered) is not None


def test_forged_mails_keep_no_code_from_who_asks_for_it(club: Club) -> None:
    """Nor an answer to what proves who wrote it."""
    club.people.signup("ann", "bob")
    opening = club.people.challenge("tictactoe", "ann", "bob")
    for number in range(50):
        club.people.mails("ann", "games" if number % 2 else "list", envelope="eve@evil.example")
    assert club.count_mailed() == MOST - 3 - 1  # the code of the signup
    club.people.mails("ann", "forgot ann")
    club.people.receives("ann", "[pbm] a code for a new password")
    for _ in range(20):
        club.people.replies(opening[0], "z9")
        assert club.people.any_mail("ann").subject.startswith("[tictactoe 1] not done: ")
    club.people.replies(opening[0], "a1")
    club.people.receives("ann", "[tictactoe 1] bob to move (2), you played a1")


def test_a_limit_is_not_mailed_to_an_address_that_is_nobodys(club: Club) -> None:
    for number in range(30):
        club.people.mails("kim", f"signup kim{number} {club.people.password(f'kim{number}')}")
    mails = club.people.everything()
    assert len(mails) == MOST
    assert {mail.subject for mail in mails} == {"[pbm] confirm this address"}


def test_a_forgotten_password_brings_a_code_and_nothing_else(club: Club) -> None:
    club.people.signup("ann", "bob")
    club.people.mails("ann", "forgot ann")
    club.people.receives("ann", "[pbm] a code for a new password")
    club.people.nothing_more()
    club.people.mails("ann", "forgot bob")
    club.people.receives("ann", "[pbm] a code is on its way")
    club.people.receives("bob", "[pbm] a code for a new password")
    club.people.mails("ann", "forgot nobody")
    club.people.receives("ann", "[pbm] a code is on its way")
    club.people.nothing_more()


def test_a_player_adds_no_more_addresses_of_strangers_than_others_sign_up(club: Club) -> None:
    """The codes for new addresses count too, and whoever gets none is told."""
    club.people.signup("ann")
    ann, added = club.people.password("ann"), 0
    for number in range(A_QUARTER + 3):
        address = f"victim{number}@v{number}.example"
        club.people.mails("ann", f"add ann {ann} {address}")
        answer = club.people.any_mail("ann")
        if "too many codes go to new addresses" in answer.text:
            continue
        added += 1
        club.people.mails("ann", f"remove ann {ann} {address}")
        club.people.any_mail("ann")
    assert added == A_QUARTER
    assert club.count_mailed() == A_QUARTER
    club.clock.advance(seconds=HOUR)
    club.people.mails("ann", f"add ann {ann} ann@work.example")
    club.people.any_mail("ann")
    club.people.receives("ann@work.example", "[pbm] confirm this address")


def guess(club: Club, peers: list[str], *, userid: str = "") -> int:
    """Somebody tries a wrong password from each of these peers, at one account or at some that do
    not exist; how many of them argon2 verified."""
    before = club.server.secrets.argon2_checks
    for number, peer in enumerate(peers):
        club.server.peer = peer
        password = club.people.secret(f"Sesame-guess{number}")
        name = userid or f"nobody{number}"
        club.people.mails(f"eve{number}@e{number}.example", f"cradle move 1 {name} {password} b1")
    club.people.everything()
    return club.server.secrets.argon2_checks - before


def forget(club: Club, userid: str) -> None:
    """Let the server forget that it has verified a password, as after a restart."""
    with club.server.store.reading() as session:
        player = find_player(session, userid)
    assert player is not None
    club.server.secrets.remember(player.id, "", "")


@pytest.mark.long
def test_strangers_have_few_passwords_verified(club: Club) -> None:
    """As many an hour as get mails, and a quarter from one peer. A right one that comes from
    elsewhere is verified all the same, and one that is remembered counts from anywhere."""
    club.people.signup("ann", "bob")
    club.people.challenge("cradle", "ann", "bob")
    ann, bob = club.people.password("ann"), club.people.password("bob")
    forget(club, "ann")
    forget(club, "bob")
    assert guess(club, ["192.0.2.1"] * FORGED) == A_QUARTER
    assert club.find_last_reason() == NoAnswer.STRANGERS_SPENT
    club.server.peer = "198.51.100.7"
    club.people.mails("ann@work.example", f"cradle move 1 ann {ann} b1,c1,d1,d2")
    club.people.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    club.people.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
    club.server.peer = "192.0.2.1"
    club.people.mails("ann@work.example", f"set ann {ann}")
    club.people.receives("ann", "[pbm] preferences of ann")
    club.people.mails("bob@work.example", f"set bob {bob}")
    assert not club.people.waiting("bob")
    assert club.find_last_reason() == NoAnswer.STRANGERS_SPENT
    club.clock.advance(seconds=HOUR)
    club.people.mails("bob@work.example", f"set bob {bob}")
    club.people.receives("bob", "[pbm] preferences of bob")


@pytest.mark.parametrize("userid", ["ann", ""])
def test_nobody_sees_by_a_flood_which_userids_exist(club: Club, userid: str) -> None:
    """As many passwords are verified for one that exists as for others."""
    club.people.signup("ann")
    forget(club, "ann")
    everywhere = [f"192.0.2.{number}" for number in range(FORGED)]
    assert guess(club, everywhere, userid=userid) == Limits().strangers_an_hour


def test_a_guess_that_argon2_need_not_verify_counts_too(club: Club) -> None:
    """While the right password is remembered, every other one is known to be wrong: guesses are
    counted for the account as always."""
    club.people.signup("ann")
    assert guess(club, ["192.0.2.1"] * FORGED, userid="ann") == A_QUARTER
    club.people.mails("ann", f"set ann {club.people.password('ann')}")
    subject = club.people.any_mail("ann").subject
    assert "too many wrong passwords" in subject
    club.people.everything()
