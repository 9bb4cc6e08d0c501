"""A game's package breaks, goes or changes its rules while boards are being played: the others play
on, and so do these as soon as they can."""

from __future__ import annotations

import pytest

from pbm.games import expect
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.packages import Packages, nim

MISSING = (
    "nim cannot be played at the moment: the operator has been told, and the clocks are stopped"
)
CUT = "nim cannot be played at the moment: the operator has been told ..."
"""The same in a subject."""
UNFIT = "board 1 is on hold for the operator: its moves do not fit the current rules of Nim"


@pytest.fixture
def begun(talk: Conversation, packages: Packages) -> tuple[Conversation, list[Mail]]:
    """Ann has taken three of nine stones, bob is to move; both play Cradle, too."""
    packages.install("nim", nim())
    talk.signup("ann", "bob")
    mails = talk.challenge("nim", "ann", "bob")
    talk.challenge("cradle", "ann", "bob")
    return talk, talk.plays(["take-3"], "ann", "bob", latest=mails)


def _others_play_on(talk: Conversation) -> None:
    talk.mails("ann", f"cradle move 2 ann {talk.password('ann')} a2,b2,c2,c3")
    talk.receives("ann", "[cradle 2] bob to move (2), you played a2,b2,c2,c3")
    talk.receives("bob", "[cradle 2] your move (2), ann played a2,b2,c2,c3")
    talk.mails("ann", "games")
    assert "cradle" in talk.any_mail("ann").text
    talk.mails("ann", "help")
    assert "challenge" in talk.any_mail("ann").text


def test_boards_of_a_game_that_does_not_load_wait(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    talk, (_, to_bob) = begun
    packages.install("nim", None)
    talk.replies(to_bob, "take-1")
    talk.receives("bob", f"[nim 1] not done: {CUT}", MISSING, "Nothing has changed.")
    for line in ("nim show 1", "nim challenge ann bob", "help nim", "nim ratings"):
        talk.mails("ann", line)
        mail = talk.any_mail("ann")
        assert "traceback" not in mail.text.lower()
    talk.mails("ann", f"nim resign 1 ann {talk.password('ann')}")
    talk.receives("ann", f"[nim 1] not done: {CUT}", MISSING)
    talk.mails("bob", "all show bob")
    talk.receives("bob", "[pbm] open boards of bob", "1 nim cannot go on ann bob*")
    talk.mails("bob", "all show bob next")
    talk.receives("bob", "[pbm] next boards of bob", "No next boards of bob.")
    _others_play_on(talk)
    packages.install("nim", nim())
    talk.replies(to_bob, "take-1")
    talk.receives("bob", "[nim 1] ann to move (3), you played take-1")
    talk.receives("ann", "[nim 1] your move (3), bob played take-1")


def test_boards_of_a_game_that_is_gone_wait(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    talk, (_, to_bob) = begun
    packages.remove("nim")
    talk.replies(to_bob, "take-1")
    talk.receives("bob", f"[nim 1] not done: {CUT}", MISSING)
    expect(["nim"])  # as a server does that starts without it
    talk.mails("ann", "nim show 1")
    talk.receives("ann", f"[nim 1] not done: {CUT}", MISSING)
    talk.proves("ann", "nim challenge ann bob")
    talk.receives("ann", f"[pbm] not done: {CUT}", MISSING)
    _others_play_on(talk)


def test_a_player_may_leave_while_a_game_is_missing(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    """A board that nobody can resign is cancelled; so is one on which nobody has moved."""
    talk, _ = begun
    packages.install("nim", None)
    talk.mails("ann", f"signoff ann {talk.password('ann')}")
    mail = talk.receives("ann", "[pbm] close your account?", "would be resigned: 1, 2")
    talk.replies(mail, f"confirm {mail.line('Code: ')}")
    talk.receives("ann", "[pbm] goodbye, ann")
    talk.receives("bob", "[nim 1] cancelled (1)", "ann left.")
    talk.receives("bob", "[cradle 2] cancelled (0)")
    packages.install("nim", nim())
    talk.mails("bob", "nim show 1")
    talk.receives("bob", "[nim 1] cancelled (1)", "ann  cancel")


def test_nothing_runs_out_while_a_game_is_missing(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    talk, (_, to_bob) = begun
    talk.mails("bob", f"cradle resign 2 bob {talk.password('bob')}")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.passes(days=6.8)
    packages.remove("nim")
    expect(["nim"])
    talk.passes(days=60)
    assert not talk.waiting("ann")
    assert not talk.waiting("bob")
    packages.install("nim", nim())
    talk.passes(days=1)
    talk.receives("bob", "[nim 1] reminder: your move (2)")
    talk.passes(days=13)
    talk.everything()
    talk.replies(to_bob, "take-1")
    talk.receives("bob", "[nim 1] ann to move (3), you played take-1")
    talk.receives("ann", "[nim 1] your move (3), bob played take-1")


def test_boards_go_on_by_a_later_version(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    talk, (_, to_bob) = begun
    packages.install("nim", nim(version=2))
    talk.mails("bob", "nim show 1")
    talk.receives("bob", "[nim 1] bob to move (2)", "6 stones", "take-3")
    talk.replies(to_bob, "take-2")
    _, to_bob = (talk.any_mail("ann"), talk.any_mail("bob"))
    assert to_bob.subject == "[nim 1] ann to move (3), you played take-2"
    packages.install("nim", nim(version=1))
    talk.mails("bob", "nim show 1#1 1")
    talk.receives("bob", "[pbm] board 1", "6 stones", "4 stones")


def test_boards_that_later_rules_do_not_fit_wait(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    talk, (_, to_bob) = begun
    packages.install("nim", nim(version=2, most=2))
    talk.replies(to_bob, "take-1")
    talk.receives(
        "bob", f"[nim 1] not done: {UNFIT.partition(':')[0]} ...", UNFIT, "Nothing has changed."
    )
    talk.mails("ann", "nim show 1")
    talk.receives("ann", f"[nim 1] not done: {UNFIT.partition(':')[0]} ...", UNFIT)
    talk.mails("ann", "all show ann")
    talk.receives("ann", "[pbm] open boards of ann", "1 nim cannot go on ann bob*")
    talk.mails("ann", "all show ann next")
    talk.receives("ann", "[pbm] next boards of ann", "2 cradle")
    talk.proves("bob", "nim challenge bob ann")
    talk.receives("bob", "[nim 3] new board: bob, ann")
    talk.receives("ann", "[nim 3] new board: bob, ann")
    _others_play_on(talk)
    packages.install("nim", nim(version=3))
    talk.replies(to_bob, "take-1")
    talk.receives("bob", "[nim 1] ann to move (3), you played take-1")
    talk.receives("ann", "[nim 1] your move (3), bob played take-1")


def test_nobody_loses_on_time_on_a_board_that_waits(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    talk, (_, to_bob) = begun
    talk.mails("bob", f"cradle resign 2 bob {talk.password('bob')}")
    talk.any_mail("ann")
    talk.any_mail("bob")
    packages.install("nim", nim(version=2, most=2))
    talk.passes(days=60)
    assert not talk.waiting("ann")
    assert not talk.waiting("bob")
    packages.install("nim", nim(version=3))
    talk.passes(days=1)
    talk.receives("bob", "[nim 1] reminder: your move (2)")
    talk.replies(to_bob, "take-1")
    talk.receives("bob", "[nim 1] ann to move (3), you played take-1")
    talk.receives("ann", "[nim 1] your move (3), bob played take-1")


def test_a_board_keeps_its_rules_where_the_game_says_how(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    talk, (_, to_bob) = begun
    options = ", options=(*Nim.info.options, Option('most', 'int', 'to take', 2, 1, 3))"
    methods = (
        "    def upgrade(self, options, version):\n"
        "        return {**options, 'most': 3} if version < 2 else options\n"
    )
    packages.install("nim", nim(version=2, info=options, methods=methods))
    talk.replies(to_bob, "take-3")
    talk.receives("bob", "[nim 1] ann to move (3), you played take-3", "most=3")
    to_ann = talk.receives("ann", "[nim 1] your move (3), bob played take-3")
    talk.replies(to_ann, "take-3")
    talk.receives("ann", "[nim 1] ann won (3)")
    talk.receives("bob", "[nim 1] ann won (3)")


def test_the_position_is_only_a_cache(begun: tuple[Conversation, list[Mail]]) -> None:
    talk, (_, to_bob) = begun
    with talk.server.store.writing() as session:
        session.driver.execute("UPDATE boards SET position = 'broken' WHERE id = 1")
    talk.replies(to_bob, "take-1")
    talk.receives("bob", "[nim 1] ann to move (3), you played take-1", "5 stones")
    talk.receives("ann", "[nim 1] your move (3), bob played take-1")


EARLIER = """\
import pbm_nimbefore

class Position(NimPosition):
    __slots__ = ()

    def dump(self):
        return [{"stones": self.stones}, self.seat, self.turn, self.left]

class Game(Nim):
    position = Position
    info = replace(Nim.info, version=2)
    earlier = (pbm_nimbefore.GAME,)

    def start(self, players, options):
        return Nim.load(self, players, options, [options["heap"], 0, 0, []])

    def load(self, players, options, data):
        stones, *rest = data
        return Nim.load(self, players, options, [stones["stones"], *rest])

Position.game = GAME = Game()
"""


def test_boards_are_finished_side_by_side_under_the_version_they_began_with(
    begun: tuple[Conversation, list[Mail]], packages: Packages
) -> None:
    """Version 1 takes up to three stones, version 2 stores positions in another way."""
    talk, (_, to_bob) = begun
    packages.add("nimbefore", nim(version=1))
    packages.install("nim", nim().partition("@dataclass")[0] + EARLIER)
    talk.proves("bob", "nim challenge bob ann")
    talk.receives("ann", "[nim 3] new board: bob, ann")
    to_bob_3 = talk.receives("bob", "[nim 3] new board: bob, ann")
    talk.replies(to_bob, "take-3")
    to_ann = talk.receives("ann", "[nim 1] your move (3), bob played take-3")
    talk.receives("bob", "[nim 1] ann to move (3), you played take-3")
    talk.replies(to_bob_3, "take-2")
    talk.receives("ann", "[nim 3] your move (2), bob played take-2")
    talk.receives("bob", "[nim 3] ann to move (2), you played take-2")
    assert _stored(talk, 1) == (1, '["nim",1,2,{"heap":9},3,0,2,[]]')
    assert _stored(talk, 3) == (2, '["nim",2,2,{"heap":9},{"stones":7},1,1,[]]')
    talk.mails("ann", "all show ann")
    assert "cannot go on" not in talk.any_mail("ann").text
    talk.replies(to_ann, "take-3")
    talk.receives("ann", "[nim 1] ann won (3)")
    talk.receives("bob", "[nim 1] ann won (3)")
    assert _stored(talk, 1)[0] == 1


def _stored(talk: Conversation, board: int) -> tuple[int, str]:
    """The version and the position of a board as the database has them."""
    with talk.server.store.reading() as session:
        row = session.driver.execute(
            f"SELECT version, position FROM boards WHERE id = {board}"  # noqa: S608
        ).fetchone()
    return row[0], row[1]
