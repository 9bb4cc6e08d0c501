"""Moderators have some of the operator's acts, by mail, each with a reason that players read."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbm.store.tables import audit
from tests.harness.conversation import Conversation
from tests.harness.databases import all_rows

OPERATOR = "operator@example.org"


@pytest.mark.postgresql
@pytest.mark.config(house={"operator": OPERATOR})
def test_a_moderator_bans_cancels_and_answers_with_a_reason(talk: Conversation) -> None:
    talk.passes(days=0.25)
    talk.appoint("ann", "dora")
    talk.signup("bob", "eve")
    ann, bob = talk.password("ann"), talk.password("bob")
    talk.challenge("tictactoe", "bob", "eve")

    # Nobody else may, nobody may without a reason, against another moderator or a whole domain.
    talk.mails("bob", f"moderate bob {bob} ban eve", "She is rude.")
    talk.receives("bob", "[pbm] not done: only moderators of this server may do this")
    talk.mails("ann", f"moderate ann {ann} ban eve")
    told = talk.any_mail("ann")
    assert told.subject.startswith("[pbm] not done: write in the body of the mail why")
    assert "moderate ann PASSWORD ban USERID|ADDRESS|@DOMAIN" in told.text
    for words, says in (
        ("ban dora", "only the operator may act against a moderator"),
        ("ban @example.org", "only the operator may ban whole domains"),
        (
            "rollback 1 0",
            "a moderator's acts are adjudicate, answer, ban, cancel, deliver, ...",
        ),
        ("cancel x", "NUMBER is a number"),
        ("cancel", "cancel needs NUMBER"),
        ("answer bob", "bob has reported nobody"),
    ):
        talk.mails("ann", f"moderate ann {ann} {words}", "because")
        talk.receives("ann", f"[pbm] not done: {says}")

    talk.mails("ann", f"moderate ann {ann} cancel 1", "It was begun by mistake.")
    talk.receives("ann", "[pbm] done: cancel 1")
    for who in ("bob", "eve"):
        mail = talk.receives(who, "[tictactoe 1] cancelled (0)", "mistake", "moderator")
        assert "operator" not in mail.text
    talk.mails("ann", f"moderate ann {ann} ban eve", "She is rude.")
    talk.receives("ann", "[pbm] done: ban eve")
    talk.receives("eve", "[pbm] your account is banned", "rude")
    talk.mails("bob", f"report bob {bob} eve", "She is rude.")
    talk.receives("bob", "[pbm] your report about eve")
    talk.receives(OPERATOR, "[pbm] bob reports eve")
    talk.mails("ann", f"moderate ann {ann} answer bob", "She is gone. Thank you!")
    talk.receives("ann", "[pbm] done: answer bob")
    talk.receives("bob", "[pbm] your report", "She is gone.")

    with talk.server.store.reading() as session:
        rows = list(all_rows(session, select(audit).order_by(audit.c.id)))
    assert [(row.actor, row.action, row.reason) for row in rows if row.actor != "bob"] == [
        ("moderator ann", "cancel", "It was begun by mistake."),
        ("moderator ann", "ban", "She is rude."),
        ("moderator ann", "answer a report", "She is gone. Thank you!"),
    ]
    talk.passes(days=2)
    for who in (OPERATOR, "ann", "dora"):
        talk.receives(who, "[pbm] what is worth a look")


@pytest.mark.postgresql
def test_the_words_of_a_silenced_player_go_nowhere_and_the_moves_go_on(talk: Conversation) -> None:
    talk.appoint("ann")
    talk.signup("bob", "eve")
    ann, eve = talk.password("ann"), talk.password("eve")
    mails = talk.challenge("tictactoe", "bob", "eve")
    for words, says in (
        ("silence eve 0", "DAYS is a number from 1 to 366"),
        ("silence eve week", "DAYS is a number"),
        ("silence nobody 7", "there is no player with that userid"),
        (
            "silence ann 7",
            "this concerns you yourself: another moderator or the ...",
        ),
        ("unsilence eve", "eve is not silenced"),
    ):
        talk.mails("ann", f"moderate ann {ann} {words}", "because")
        talk.receives("ann", f"[pbm] not done: {says}")
    talk.mails("ann", f"moderate ann {ann} silence eve 7", "She is rude.")
    talk.receives("ann", "[pbm] done: silence eve 7")
    told = (
        "A moderator silenced you until Mon 09 Mar 2026, 12:00 UTC",
        "She is rude.",
        "from a moderator",
    )
    talk.receives("eve", "[pbm] you are silenced", *told)

    # A move arrives without its comment; words alone, in whichever way, do not.
    talk.replies(mails[0], "a1")
    _, board = [talk.any_mail(who) for who in ("bob", "eve")]
    talk.replies(board, "b2\n\nYou old fool!")
    both = [talk.any_mail("eve"), talk.any_mail("eve")]
    assert {mail.subject for mail in both} == {
        "[tictactoe 1] bob to move (3), you played b2",
        "[pbm] your words were not passed on",
    }
    mail = talk.any_mail("bob")
    assert "b2" in mail.text
    assert "fool" not in mail.text
    for subject, body in (
        (f"tictactoe chat 1 eve {eve} fool", ""),
        (f"message eve {eve} bob", "fool"),
        (f"broadcast eve {eve}", "fool"),
        (f"set eve {eve} name=fool", ""),
        (f"event new roundrobin tictactoe eve {eve} --name=fool", "fool"),
    ):
        talk.mails("eve", subject, body)
        refused = talk.any_mail("eve")
        assert "not done: you are silenced until Mon 09 Mar" in refused.subject, subject
        assert "your moves go on" in " ".join(refused.text.split())
    talk.replies(board, "so sorry for what I said before")
    assert "you are silenced" in talk.any_mail("eve").text
    talk.mails("eve", f"tictactoe seek eve {eve}", "fool")
    talk.any_mail("eve")
    talk.mails("bob", f"seeks bob {talk.password('bob')}")
    assert "fool" not in talk.any_mail("bob").text
    talk.mails("eve", f"report eve {eve} bob", "He laughs at me.")
    talk.receives("eve", "[pbm] your report about bob")

    # It ends by itself, or before.
    talk.clock.advance(days=8)
    talk.replies(mail, "chat Hello!")
    talk.any_mail("bob")
    talk.replies(talk.any_mail("eve"), "chat I am back")
    talk.any_mail("eve")
    assert "I am back" in talk.any_mail("bob").text
    talk.mails("ann", f"moderate ann {ann} silence eve 1", "Again.")
    talk.mails("ann", f"moderate ann {ann} unsilence eve", "She has said sorry.")
    for subject in ("[pbm] done: silence eve 1", "[pbm] done: unsilence eve"):
        talk.receives("ann", subject)
    talk.receives("eve", "[pbm] you are silenced", "Again.")
    talk.receives("eve", "[pbm] you are heard again", "said sorry")
    with talk.server.store.reading() as session:
        rows = list(all_rows(session, select(audit).where(audit.c.actor == "moderator ann")))
    assert [row.action for row in rows] == ["silence for 7 days", "silence for 1 day", "unsilence"]


@pytest.mark.postgresql
def test_a_moderator_decides_a_board_that_has_begun(talk: Conversation) -> None:
    talk.appoint("ann")
    talk.signup("bob", "eve")
    ann, bob = talk.password("ann"), talk.password("bob")
    talk.challenge("tictactoe", "bob", "eve")
    for words, says in (
        ("adjudicate 1", "adjudicate needs NUMBER RANKS"),
        ("adjudicate 1 first", "RANKS is one number for each seat"),
        ("adjudicate 1 2,3", "give a rank for each of the 2 seats"),
        ("adjudicate 1 1,2,3", "give a rank for each of the 2 seats"),
        ("adjudicate 9 1,2", "there is no board with that number"),
    ):
        talk.mails("ann", f"moderate ann {ann} {words}", "Eve has left.")
        assert talk.any_mail("ann").subject.startswith(f"[pbm] not done: {says}"), words
    talk.mails("bob", f"moderate bob {bob} adjudicate 1 1,2", "I am better.")
    talk.receives("bob", "[pbm] not done: only moderators of this server may do this")
    talk.mails("ann", f"moderate ann {ann} adjudicate 1 1,2")
    assert talk.any_mail("ann").subject.startswith("[pbm] not done: write in the body")

    talk.mails("ann", f"moderate ann {ann} adjudicate 1 1,2", "Eve has left.")
    talk.receives("ann", "[pbm] done: adjudicate 1 1,2")
    for who in ("bob", "eve"):
        told = talk.any_mail(who)
        assert told.subject.startswith("[tictactoe 1] bob won"), told.subject
        assert "decided: Eve has left." in told.text
    talk.mails("ann", f"moderate ann {ann} adjudicate 1 2,1", "Bob has left.")
    talk.receives("ann", "[pbm] not done: board 1 is over")
    with talk.server.store.reading() as session:
        rows = list(all_rows(session, select(audit)))
    assert [(row.actor, row.action, row.board_id, row.reason) for row in rows] == [
        ("moderator ann", "adjudicate 1,2", 1, "Eve has left.")
    ]
