"""A line is a move only as a whole: by mail, in a reply, queued, planned, submitted and on a form,
on boards that hide something and on others."""

from __future__ import annotations

import pytest

from pbm.store import reads
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Visitor

BEGUN = {
    "battleship": ("h5-h8 f6-f8 b7-c7", "a1-a4 c1-c3 e7-e8"),
    "darkchess": (),
    "chess": (),
    "hex": (),
}
MOVES = {
    "battleship": ("b5", "b6"),
    "darkchess": ("e4", "d4"),
    "chess": ("e4", "d4"),
    "hex": ("d4", "e5"),
}
LINES = (
    "{} or {}?",
    "{} or {}",
    "{}?",
    "{}, what do you think?",
    "{}, good luck, or not",
    "{} if you agree",
    "not {}",
    "{} {}",
)


def begin(talk: Conversation, game: str) -> list[Mail]:
    """A board on which ann is on the move, and the last mail to each."""
    talk.signup("ann", "bob")
    options = "-fleet=short -size=8" if game == "battleship" else ""
    latest = talk.challenge(game, "ann", "bob", options=options)
    for seat, fleet in ((1, BEGUN[game][0]), (0, BEGUN[game][1])) if BEGUN[game] else ():
        talk.replies(latest[seat], fleet)
        latest = [talk.any_mail("ann"), talk.any_mail("bob")]
    return latest


def count_entries(talk: Conversation) -> int:
    """The entries in the log of board 1."""
    with talk.server.store.reading() as session:
        return len(list(reads.find_log(session, 1)))


@pytest.mark.parametrize("game", MOVES)
def test_by_mail_and_in_replies(talk: Conversation, game: str) -> None:
    mine, _ = begin(talk, game)
    before = count_entries(talk)
    for line in LINES:
        typed = line.format(*MOVES[game])
        is_played = line == "{}, good luck"  # in a reply, where it can mean nothing else
        if not is_played:
            talk.replies(mine, typed)
        talk.mails("ann", f"{game} move 1 ann {talk.password('ann')} {typed}")
        talk.mails("ann", f"{game} submit 1 ann {talk.password('ann')} {typed}")
        talk.mails("ann", f"{game} queue 1 ann {talk.password('ann')} {typed}")
        for _ in range(3 if is_played else 4):
            mail = talk.any_mail("ann")
            assert "not done" in mail.subject, mail
        talk.mails("ann", f"{game} confirm 1 ann {talk.password('ann')}")
        assert "you have not submitted a move" in talk.any_mail("ann").text
        assert (count_entries(talk), talk.waiting("bob")) == (before, 0), typed
    talk.replies(mine, f"{MOVES[game][0]}, good luck\nWhat do you think?")
    assert "> good luck\n> What do you think?" in talk.any_mail("bob").text
    assert "ou played" in talk.any_mail("ann").text
    assert count_entries(talk) == before + 1


@pytest.mark.parametrize("game", MOVES)
def test_queued_and_planned(talk: Conversation, game: str) -> None:
    """What cannot be a move is refused at once; what may be one in another position is tried when
    its turn comes, and not played in part."""
    mine, yours = begin(talk, game)
    for line in ("c5 or c6?", "c5?", "hello there", "thank you!"):
        talk.replies(yours, f"queue {line}")
        assert "Not done: only moves can be queued" in talk.any_mail("bob").text
    talk.replies(yours, "if any then c5 or c6")
    talk.any_mail("bob")
    before = count_entries(talk)
    talk.replies(mine, MOVES[game][0])
    assert talk.any_mail("bob").text.startswith("Your move in ")
    assert "It is bob's turn" in talk.any_mail("ann").text
    assert count_entries(talk) == before + 1


@pytest.mark.config(limits={"unproved_a_day": 0})
@pytest.mark.parametrize("game", ["chess", "hex"])
def test_previews(talk: Conversation, game: str) -> None:
    begin(talk, game)
    for line in LINES:
        talk.mails("ann", f"{game} preview 1 {line.format(*MOVES[game])}")
        is_of_both = line == "{} {}" and game == "hex"  # a move of each player
        wanted = "preview: d4 e5" if is_of_both else "not done"
        assert wanted in talk.any_mail("ann").subject, line


@pytest.mark.config(web={"url": HOST})
def test_on_a_form(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    _, yours = talk.challenge("darkchess", "ann", "bob")
    page = visitor.get(yours.line("On the web: "))
    for line in ("e5?", "e5 or d5?", "hello there"):
        answer = visitor.send(page, page.form("queue"), move=line)
        assert "Not done: only moves can be queued" in answer.says, line
