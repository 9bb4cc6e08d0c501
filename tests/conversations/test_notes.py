"""Notes: private remarks at a position, which nobody but their writer ever sees."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from pbm.store.tables import notes
from tests.harness.conversation import Conversation


@pytest.mark.postgresql
def test_only_the_writer_sees_a_note(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("hex", "ann", "bob")
    latest = talk.plays(["d4"], "ann", "bob", latest=latest)
    talk.mails("ann", f"hex note 1 ann {talk.password('ann')}", "He likes the corner.\ne5")
    talk.receives(
        "ann",
        "[hex 1] noted",
        "Your notes on this board, which only you can see:",
        "  (1) He likes the corner.\n      e5\n",
    )
    talk.replies(latest[1], "e5")
    mail = talk.receives(
        "ann",
        "[hex 1] your move (3), bob played e5",
        "Your notes, which only you can see:\n  (1) He likes the corner.\n      e5\n",
    )
    other = talk.receives("bob", "[hex 1] ann to move (3), you played e5")
    talk.replies(mail, "note Take c3?")
    talk.receives("ann", "[hex 1] noted", "  (2) Take c3?\n")
    talk.mails("ann", f"hex showas ann {talk.password('ann')} 1#1")
    shown = talk.any_mail("ann")
    assert "He likes the corner" in shown.text
    assert "Take c3" not in shown.text
    talk.replies(other, "note")
    talk.receives("bob", "[hex 1] no notes", "You have no notes on this board.")
    for line in ("hex show 1", f"hex showas bob {talk.password('bob')} 1"):
        talk.mails("bob", line)
        assert "corner" not in talk.any_mail("bob").text
    talk.replies(mail, "hex export 1")
    record = talk.receives("ann", "[hex 1] record", ";B[d4]C[He likes the corner. e5]")
    found = json.loads(record.text[record.text.index("\n{") : record.text.rindex("}") + 1])
    assert [(note["ply"], note["text"]) for note in found["notes"]] == [
        (1, "He likes the corner.\ne5"),
        (2, "Take c3?"),
    ]
    talk.replies(other, "hex export 1")
    assert "corner" not in talk.receives("bob", "[hex 1] record").text
    talk.replies(mail, "note none")
    assert "Take c3" not in talk.receives("ann", "[hex 1] notes", "He likes the corner.").text


def test_a_note_in_a_game_of_chess_is_a_comment_in_pgn(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("chess", "ann", "bob")
    talk.replies(latest[1], "note The usual {e4}?")
    talk.receives("bob", "[chess 1] noted")
    latest = talk.plays(["e4", "e5", "Nf3"], "ann", "bob", latest=latest)
    talk.replies(latest[1], "note Nc6 next.")
    talk.receives("bob", "[chess 1] noted")
    talk.replies(latest[1], "chess export 1")
    talk.receives("bob", "[chess 1] record", "{The usual {e4)?} 1. e4 e5 2. Nf3 {Nc6 next.} *")


def test_a_note_in_a_game_of_go_is_a_comment_in_sgf(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("go", "ann", "bob")
    latest = talk.plays(["d4", "q16"], "ann", "bob", latest=latest)
    talk.replies(latest[1], "note The corner [mine]")
    talk.receives("bob", "[go 1] noted")
    talk.replies(latest[1], "go export 1")
    assert "C[The corner [mine\\]" in talk.receives("bob", "[go 1] record").text
    talk.replies(latest[0], "go export 1")
    assert "corner" not in talk.receives("ann", "[go 1] record").text


def test_notes_go_with_the_account(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("hex", "ann", "bob")
    talk.replies(latest[0], "note Mine alone.")
    talk.receives("ann", "[hex 1] noted")
    talk.mails("ann", f"signoff ann {talk.password('ann')}")
    mail = talk.any_mail("ann")
    talk.replies(mail, f"confirm {mail.line('Code: ')}")
    talk.receives("ann", "[pbm] goodbye, ann")
    talk.any_mail("bob")
    with talk.server.store.reading() as session:
        assert session.execute(select(notes.c.text)).scalars().all() == []


@pytest.mark.config(limits={"notes": 1})
def test_there_are_only_so_many(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("hex", "ann", "bob")
    talk.replies(latest[0], "note One.")
    talk.receives("ann", "[hex 1] noted")
    talk.replies(latest[0], "note Two.")
    talk.receives("ann", "[hex 1] not done: you have already made 1 note on this board")
