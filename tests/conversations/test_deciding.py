"""What waits for moderators is decided by a word, by nobody who is concerned, and can be undone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select, update

from pbm.core.player import Role, find_player
from pbm.store.tables import audit, boards, players
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Visitor

OPERATOR = "operator@example.org"


def moderates(talk: Conversation, who: str, words: str = "", why: str = "") -> Mail:
    """Somebody sends the command, and the answer comes."""
    talk.mails(who, f"moderate {who} {talk.password(who)} {words}".rstrip(), why)
    return talk.any_mail(who)


def find_undo(mail: Mail) -> str:
    """The words that undo what a mail confirms."""
    (line,) = (line.split() for line in mail.text.splitlines() if "moderate undo " in line)
    return " ".join(line[1:])


def find_state(talk: Conversation, who: str) -> tuple[str, bool]:
    """The state of an account, and whether it is silenced."""
    with talk.server.store.reading() as session:
        player = find_player(session, who)
        return (player.state, player.is_silenced(talk.clock.now)) if player else ("gone", False)


def find_board_state(talk: Conversation, number: int) -> str:
    with talk.server.store.reading() as session:
        query = select(boards.c.state).where(boards.c.id == number)
        return str(session.execute(query).scalar())


def reports(talk: Conversation, who: str, whom: str, why: str) -> None:
    talk.mails(who, f"report {who} {talk.password(who)} {whom}", why)
    talk.receives(who, f"[pbm] your report about {whom}")


def joins(talk: Conversation, *people: str) -> None:
    """They sign up, and wait to be approved."""
    for who in people:
        talk.mails(who, f"signup {who} {talk.password(who)}")
        code = talk.receives(who, "[pbm] confirm this address").line("Code: ")
        talk.mails(who, f"confirm {code}")
        assert who in talk.any_mail(who).subject


@pytest.mark.postgresql
def test_a_report_is_decided_by_a_word_in_reply(talk: Conversation) -> None:
    talk.appoint("mia", "max")
    talk.signup("bob", "eve")
    assert "Nothing waits" in moderates(talk, "mia").text
    reports(talk, "bob", "eve", "She calls me names.")
    assert "bob reports eve" in moderates(talk, "mia").text
    case = talk.receives("mia", "[pbm] to be decided: bob reports eve", "She calls me names.")
    assert "moderate mia PASSWORD silence" in case.text

    # Whoever else has the reply address can do nothing with it.
    talk.mails("eve", "Re: yes", "no", to=case.reply_to)
    told = talk.any_mail("eve")
    assert "belongs to another address" in " ".join(told.text.split())

    talk.replies(case, "perhaps")
    assert "is yes or no" in " ".join(talk.any_mail("mia").text.split())
    talk.replies(case, "Yes, I have seen it.\n\nThank you.")
    done = talk.receives("mia", "[pbm] done: yes: bob reports eve")
    told = talk.receives("bob", "[pbm] your report", "agrees with your report about eve")
    assert "I have seen it. Thank you." in " ".join(told.text.split())
    assert "mia" not in told.text
    talk.replies(case, "no")
    assert "does not wait any more" in " ".join(talk.any_mail("mia").text.split())
    assert "Nothing waits" in moderates(talk, "max").text

    # Undone, it waits again; the other moderator decides it by its number, in her language.
    moderates(talk, "mia", find_undo(done), "I had the wrong person in mind.")
    listed = moderates(talk, "max")
    (line,) = (line.strip() for line in listed.text.splitlines() if "moderate no " in line)
    talk.receives("max", "[pbm] to be decided: bob reports eve")
    done = moderates(talk, "max", line.split(" ", 1)[1], "It was a joke.")
    assert done.subject == "[pbm] done: no: bob reports eve"
    talk.receives("bob", "[pbm] your report", "nothing follows from it", "It was a joke.")
    with talk.server.store.reading() as session:
        rows = session.tuples(select(audit.c.actor, audit.c.action).order_by(audit.c.id))
    assert rows == [
        ("bob", "report"),
        ("moderator mia", "uphold report 1"),
        ("moderator mia", "undo 2"),
        ("moderator max", "dismiss report 1"),
    ]


@pytest.mark.config(players={"signups": "approved"})
def test_who_waits_to_be_approved_is_let_in_or_not_and_either_is_undone(talk: Conversation) -> None:
    joins(talk, "mia")
    with talk.server.store.writing() as session:
        query = update(players).where(players.c.name == "mia")
        session.execute(query.values(state="active", roles=Role.MODERATOR.value))
    joins(talk, "kim", "lee")
    assert "kim@" not in moderates(talk, "mia").text
    kim, lee = talk.any_mail("mia"), talk.any_mail("mia")
    assert kim.subject == "[pbm] to be decided: kim, with an address at example.org, wants to join"
    talk.replies(kim, "yes")
    let_in = talk.any_mail("mia")
    talk.receives("kim", "[pbm] welcome, kim")
    talk.replies(lee, "no\n\nYou are somebody else here.")
    sent_away = talk.any_mail("mia")
    talk.receives("lee", "[pbm] your signup", "You are somebody else here.")
    assert (find_state(talk, "kim")[0], find_state(talk, "lee")[0]) == ("active", "gone")

    moderates(talk, "mia", find_undo(let_in), "Not yet.")
    talk.receives("kim", "[pbm] your signup", "Not yet.")
    moderates(talk, "mia", find_undo(sent_away), "I was wrong.")
    talk.receives("lee", "[pbm] your signup", "I was wrong.")
    assert (find_state(talk, "kim")[0], find_state(talk, "lee")[0]) == ("waiting", "waiting")
    moderates(talk, "mia")
    for _ in range(2):
        talk.replies(talk.any_mail("mia"), "yes")
    for who in ("kim", "lee"):
        talk.receives(who, f"[pbm] welcome, {who}")
    talk.mails("lee", f"mine lee {talk.password('lee')}")
    assert "not done" not in talk.any_mail("lee").subject
    talk.everything()


@pytest.mark.postgresql
@pytest.mark.config(house={"operator": OPERATOR})
def test_every_act_is_undone_by_one_command_and_the_operator_reads_of_it(
    talk: Conversation,
) -> None:
    talk.passes(days=0.25)
    talk.appoint("mia")
    talk.signup("bob", "eve")
    talk.challenge("tictactoe", "bob", "eve")
    talk.challenge("tictactoe", "bob", "eve")

    def silenced() -> bool:
        return find_state(talk, "eve")[1]

    def banned() -> bool:
        return find_state(talk, "eve")[0] == "suspended"

    acts: list[tuple[str, Callable[[], object], object, object]] = [
        ("silence eve 7", silenced, False, True),
        ("cancel 1", lambda: find_board_state(talk, 1), "running", "cancelled"),
        ("adjudicate 2 1,2", lambda: find_board_state(talk, 2), "running", "over"),
        ("ban eve", banned, False, True),
    ]
    for words, looks, before, after in acts:
        assert looks() == before, words
        done = moderates(talk, "mia", words, "Because.")
        assert (done.subject, looks()) == (f"[pbm] done: {words}", after)
        undo = find_undo(done)
        talk.everything()
        told = moderates(talk, "mia", undo)
        assert told.subject.startswith("[pbm] not done: write in the body of the mail why")
        told = moderates(talk, "mia", undo, "I was wrong.")
        assert (told.subject, looks()) == (f"[pbm] done: {undo}", before), told
        assert "this was undone before" in moderates(talk, "mia", undo, "Again.").text
        talk.everything()

    # A lifted silence and a lifted ban come back with their ends.
    moderates(talk, "mia", "silence eve 7", "Because.")
    lifted = moderates(talk, "mia", "unsilence eve", "She has said sorry.")
    moderates(talk, "mia", find_undo(lifted), "She has not.")
    assert silenced()
    moderates(talk, "mia", "ban eve", "Because.")
    lifted = moderates(talk, "mia", "unban eve", "She has said sorry.")
    moderates(talk, "mia", find_undo(lifted), "She has not.")
    assert banned()
    talk.everything()

    talk.passes(days=1)
    mail = talk.receives(OPERATOR, "[pbm] what is worth a look")
    said = " ".join(mail.text.split())
    assert "moderator mia, silence for 7 days of eve: Because. To undo it: pbm admin undo" in said
    assert "moderator mia, cancel of board 1: Because. moderator" in said  # it is undone
    assert "pbm admin undo" not in talk.receives("mia", "[pbm] what is worth a look").text


def test_what_has_changed_since_or_is_old_is_not_undone(talk: Conversation) -> None:
    talk.appoint("mia", "max")
    talk.signup("bob", "eve")
    talk.challenge("tictactoe", "bob", "eve")
    silence = find_undo(moderates(talk, "mia", "silence eve 90", "Because."))
    cancel = find_undo(moderates(talk, "mia", "cancel 1", "Because."))
    mails = talk.everything()
    assert any("cancelled" in mail.subject for mail in mails)
    refused = moderates(talk, "max", silence, "I think otherwise.").text
    assert "something that you did yourself" in " ".join(refused.split())
    again = find_undo(moderates(talk, "max", "silence eve 80", "Longer."))
    talk.everything()
    assert "has changed since" in " ".join(moderates(talk, "mia", silence, "No.").text.split())
    talk.clock.advance(days=31)
    for who, undo in (("mia", cancel), ("max", again)):
        assert "not after 30 days" in " ".join(moderates(talk, who, undo, "No.").text.split())


def test_a_moderator_cannot_end_a_board_whose_end_shows_what_it_hides(talk: Conversation) -> None:
    talk.appoint("mia")
    talk.signup("bob", "eve")
    mails = talk.challenge("darkchess", "bob", "eve")
    talk.replies(mails[0], "e2e4")
    talk.everything()
    for words in ("cancel 1", "adjudicate 1 1,2"):
        told = moderates(talk, "mia", words, "Because.")
        assert "which cannot be undone" in " ".join(told.text.split()), told
    assert find_board_state(talk, 1) == "running"


@pytest.mark.config(house={"operator": "op+reports@example.org"})
def test_whoever_is_concerned_is_refused(talk: Conversation) -> None:
    """By whatever handle: a userid, an address with or without a tag, a board, an event, a case."""
    talk.appoint("mia", "max")
    talk.signup("bob", "eve", "op")
    talk.challenge("tictactoe", "mia", "bob")
    talk.challenge("tictactoe", "bob", "eve")
    talk.challenge("tictactoe", "max", "eve")
    for who, address in (("mia", "mia+play@home.test"), ("bob", "bob@home.test")):
        talk.mails(who, f"add {who} {talk.password(who)} {address}")
        code = next(mail for mail in talk.everything() if mail.address == address)
        talk.mails(address, f"confirm {code.line('Code: ')}")
        talk.everything()
    yourself, opponent = "this concerns you yourself", "your opponent on an open board"
    for who, words, says in (
        ("mia", "adjudicate 1 1,2", yourself),
        ("mia", "cancel 1", yourself),
        ("mia", "silence mia 7", yourself),
        ("mia", "ban MIA+other@home.test", yourself),
        ("mia", "ban bob", opponent),
        ("mia", "silence bob 7", opponent),
        ("mia", "ban bob+3@home.test", opponent),
        ("mia", "adjudicate 2 1,2", opponent),
        ("mia", "silence max 7", "only the operator may act against a moderator"),
        ("max", "ban mia@home.test", "only the operator may act against a moderator"),
        ("max", "ban mia+2@example.org", "only the operator may act against a moderator"),
        ("max", "cancel 1", "only the operator may act against a moderator"),
        ("mia", "ban op@example.org", "only the operator may act against the operator's own"),
        ("mia", "ban op", "only the operator may act against the operator's own"),
        ("mia", "ban pbm+play@example.net", "only the operator may act against the operator's own"),
    ):
        told = moderates(talk, who, words, "Because.")
        assert says in " ".join(told.text.split()), (who, words, told)
        assert all("not done" in mail.subject for mail in talk.everything())

    # Nobody gets out of reach by naming a moderator's address, which only its owner can confirm.
    talk.mails("eve", f"add eve {talk.password('eve')} mia@example.org")
    talk.everything()
    done = moderates(talk, "mia", "silence eve 7", "Because.")
    assert done.subject == "[pbm] done: silence eve 7"
    talk.everything()

    # What a moderator reports, or is reported for, others decide.
    reports(talk, "mia", "eve", "Rude.")
    reports(talk, "bob", "mia", "Strict.")
    talk.everything()
    said = moderates(talk, "mia").text
    assert "Nothing waits" in said
    assert "as it concerns you: 2." in said
    said = moderates(talk, "max").text
    assert "as it concerns you: 2." in said  # eve is his opponent, mia his peer
    talk.everything()


@pytest.mark.config(web={"url": HOST, "public": False})
def test_a_page_of_the_moderator_decides(talk: Conversation, visitor: Visitor) -> None:
    talk.appoint("mia")
    talk.signup("bob", "eve")
    reports(talk, "bob", "eve", "She calls me <names>.")
    talk.everything()
    page = visitor.get(talk.home("mia"))
    assert "She calls me &lt;names&gt;." in page.text
    assert "To be decided" not in visitor.get(talk.home("bob")).text
    form = {"do": "moderate", "act": "yes report 1", "text": "Quite."}
    refused = visitor.post(talk.home("bob"), form)
    assert "only moderators of this server may do this" in refused.text
    done = visitor.post(talk.home("mia"), form)
    assert done.status == 303
    talk.receives("bob", "[pbm] your report", "agrees with your report", "Quite.")
    undo = find_undo(talk.any_mail("mia"))
    page = visitor.get(talk.home("mia"))
    assert undo in page.text
    assert "She calls me" not in page.text
    ban = {"do": "moderate", "act": "ban eve", "text": "Because."}
    assert "needs the moderator" in visitor.post(talk.home("mia"), ban).text
