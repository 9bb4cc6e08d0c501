"""What a move takes away far from where it goes is in the mail, with its place."""

from __future__ import annotations

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

_APPROACH = (
    "e12-e11, m-e12",
    "e1-e2, m-e1",
    "e11-e9",
    "e2-e4",
    "e9-e8",
    "f1-f2",
    "e8-e7",
    "f2-f1",
    "e7-e6",
    "f1-f2",
    "e6-e5",
)


def test_the_blow_that_ends_a_game_is_told_and_marked(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("spacecradles", "ann", "bob")
    latest = talk.plays(_APPROACH, "ann", "bob", latest=latest)
    talk.replies(latest[1], "e4-e5")
    blow = "Red's drone on e5 slides north to e11 and hits red's mothership on e12: both are taken."
    for player in ("ann", "bob"):
        _require_blow(talk.any_mail(player), blow)
    # Later the board is read from the database, and shows the same.
    talk.mails("ann", "spacecradles show 1")
    _require_blow(talk.any_mail("ann"), "(red's drone on e5 slides north to e11")


def _require_blow(mail: Mail, said: str) -> None:
    """Check that a mail says what happened and that its board has a star on e12."""
    assert said in " ".join(mail.text.split())
    assert "* taken" in " ".join(mail.text.split())
    assert any(line.split()[:2] == ["12", "*"] for line in mail.text.splitlines())
