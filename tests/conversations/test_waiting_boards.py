"""A game's package breaks, goes or changes its rules while boards are being played: the others play
on, and so do these as soon as they can."""

from __future__ import annotations

import pytest

from pbm.games import expect
from tests.conversations.conversation import Conversation
from tests.conversations.mail import Mail
from tests.packages import Packages, nim

MISSING = (
    "nim cannot be played at the moment: the operator has been told, and the clocks are stopped"
)
UNFIT = "board 1 is on hold for the operator: its moves do not fit the current rules of Nim"


@pytest.fixture
def begun(house: Conversation, packages: Packages) -> tuple[Conversation, list[Mail]]:
    """Ann has taken three of nine stones, bob is to move; both play Cradle, too."""
    packages.install("nim", nim())
    house.signup("ann", "bob")
    mails = house.challenge("nim", "ann", "bob")
    house.challenge("cradle", "ann", "bob")
    return house, house.plays(["take-3"], "ann", "bob", latest=mails)


def _others_play_on(house: Conversation) -> None:
    house.mails("ann", f"cradle move 2 ann {house.password('ann')} a2,b2,c2,c3")
    house.receives("ann", "[cradle 2] bob to move (2), you played a2,b2,c2,c3")
    house.receives("bob", "[cradle 2] your move (2), ann played a2,b2,c2,c3")
    house.mails("ann", "games")
    assert "cradle" in house.any_mail("ann").text
    house.mails("ann", "help")
    assert "challenge" in house.any_mail("ann").text


def test_boards_of_a_game_that_does_not_load_wait(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    house, (_, to_bob) = begun
    packages.install("nim", None)
    house.replies(to_bob, "take-1")
    house.receives("bob", f"[nim 1] not done: {MISSING}", "Nothing has changed.")
    for line in ("nim show 1", "nim challenge ann bob", "help nim", "nim ratings"):
        house.mails("ann", line)
        mail = house.any_mail("ann")
        assert "traceback" not in mail.text.lower()
    house.mails("ann", f"nim resign 1 ann {house.password('ann')}")
    house.receives("ann", f"[nim 1] not done: {MISSING}")
    house.mails("bob", "all show bob")
    house.receives("bob", "[pbm] open boards of bob", "1 nim cannot go on ann bob*")
    house.mails("bob", "all show bob next")
    house.receives("bob", "[pbm] next boards of bob", "none")
    _others_play_on(house)
    packages.install("nim", nim())
    house.replies(to_bob, "take-1")
    house.receives("bob", "[nim 1] ann to move (3), you played take-1")
    house.receives("ann", "[nim 1] your move (3), bob played take-1")


def test_boards_of_a_game_that_is_gone_wait(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    house, (_, to_bob) = begun
    packages.remove("nim")
    house.replies(to_bob, "take-1")
    house.receives("bob", f"[nim 1] not done: {MISSING}")
    expect(["nim"])  # as a server does that starts without it
    house.mails("ann", "nim show 1")
    house.receives("ann", f"[nim 1] not done: {MISSING}")
    house.proves("ann", "nim challenge ann bob")
    house.receives("ann", f"[pbm] not done: {MISSING}")
    _others_play_on(house)


def test_a_player_may_leave_while_a_game_is_missing(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    """A board that nobody can resign is cancelled; so is one on which nobody has moved."""
    house, _ = begun
    packages.install("nim", None)
    house.mails("ann", f"signoff ann {house.password('ann')}")
    mail = house.receives("ann", "[pbm] close your account?", "would be resigned: 1, 2")
    house.replies(mail, f"confirm {mail.line('Code: ')}")
    house.receives("ann", "[pbm] goodbye, ann")
    house.receives("bob", "[nim 1] cancelled (1)", "ann left.")
    house.receives("bob", "[cradle 2] cancelled (0)")
    packages.install("nim", nim())
    house.mails("bob", "nim show 1")
    house.receives("bob", "[nim 1] cancelled (1)", "ann  cancel")


def test_nothing_runs_out_while_a_game_is_missing(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    house, (_, to_bob) = begun
    house.mails("bob", f"cradle resign 2 bob {house.password('bob')}")
    house.any_mail("ann")
    house.any_mail("bob")
    house.passes(days=6.8)
    packages.remove("nim")
    expect(["nim"])
    house.passes(days=60)
    assert not house.waiting("ann")
    assert not house.waiting("bob")
    packages.install("nim", nim())
    house.passes(days=1)
    house.receives("bob", "[nim 1] reminder: your move (2)")
    house.passes(days=13)
    house.everything()
    house.replies(to_bob, "take-1")
    house.receives("bob", "[nim 1] ann to move (3), you played take-1")
    house.receives("ann", "[nim 1] your move (3), bob played take-1")


def test_boards_go_on_by_a_later_version(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    house, (_, to_bob) = begun
    packages.install("nim", nim(version=2))
    house.mails("bob", "nim show 1")
    house.receives("bob", "[nim 1] bob to move (2)", "6 stones", "take-3")
    house.replies(to_bob, "take-2")
    _, to_bob = (house.any_mail("ann"), house.any_mail("bob"))
    assert to_bob.subject == "[nim 1] ann to move (3), you played take-2"
    packages.install("nim", nim(version=1))
    house.mails("bob", "nim show 1#1 1")
    house.receives("bob", "[pbm] board 1", "6 stones", "4 stones")


def test_boards_that_later_rules_do_not_fit_wait(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    house, (_, to_bob) = begun
    packages.install("nim", nim(version=2, most=2))
    house.replies(to_bob, "take-1")
    house.receives("bob", f"[nim 1] not done: {UNFIT}", "Nothing has changed.")
    house.mails("ann", "nim show 1")
    house.receives("ann", f"[nim 1] not done: {UNFIT}")
    house.mails("ann", "all show ann")
    house.receives("ann", "[pbm] open boards of ann", "1 nim cannot go on ann bob*")
    house.mails("ann", "all show ann next")
    house.receives("ann", "[pbm] next boards of ann", "2 cradle")
    house.proves("bob", "nim challenge bob ann")
    house.receives("bob", "[nim 3] new board: bob, ann")
    house.receives("ann", "[nim 3] new board: bob, ann")
    _others_play_on(house)
    packages.install("nim", nim(version=3))
    house.replies(to_bob, "take-1")
    house.receives("bob", "[nim 1] ann to move (3), you played take-1")
    house.receives("ann", "[nim 1] your move (3), bob played take-1")


def test_nobody_loses_on_time_on_a_board_that_waits(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    house, (_, to_bob) = begun
    house.mails("bob", f"cradle resign 2 bob {house.password('bob')}")
    house.any_mail("ann")
    house.any_mail("bob")
    packages.install("nim", nim(version=2, most=2))
    house.passes(days=60)
    assert not house.waiting("ann")
    assert not house.waiting("bob")
    packages.install("nim", nim(version=3))
    house.passes(days=1)
    house.receives("bob", "[nim 1] reminder: your move (2)")
    house.replies(to_bob, "take-1")
    house.receives("bob", "[nim 1] ann to move (3), you played take-1")
    house.receives("ann", "[nim 1] your move (3), bob played take-1")


def test_a_board_keeps_its_rules_where_the_game_says_how(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    house, (_, to_bob) = begun
    options = ", options=(*Nim.info.options, Option('most', 'int', 'to take', 2, 1, 3))"
    methods = (
        "    def upgrade(self, options, version):\n"
        "        return {**options, 'most': 3} if version < 2 else options\n"
    )
    packages.install("nim", nim(version=2, info=options, methods=methods))
    house.replies(to_bob, "take-3")
    house.receives("bob", "[nim 1] ann to move (3), you played take-3", "most=3")
    to_ann = house.receives("ann", "[nim 1] your move (3), bob played take-3")
    house.replies(to_ann, "take-3")
    house.receives("ann", "[nim 1] ann won (3)")
    house.receives("bob", "[nim 1] ann won (3)")


def test_the_position_is_only_a_cache(begun: tuple[Conversation, list[Mail]]) -> None:
    house, (_, to_bob) = begun
    with house.server.store.writing() as session:
        session.driver.execute("UPDATE boards SET position = 'broken' WHERE id = 1")
    house.replies(to_bob, "take-1")
    house.receives("bob", "[nim 1] ann to move (3), you played take-1", "5 stones")
    house.receives("ann", "[nim 1] your move (3), bob played take-1")
