"""What a party sees, plans and says reaches its members, and nobody else."""

from __future__ import annotations

import re
from email import message_from_bytes, policy

import pytest

from tests.conversations.test_parties import find, make_team, read, readers
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.servers import InProcess
from tests.harness.visitor import HOST, Visitor

WORDS = "the dragon sleeps at noon"


def link_of(mail: Mail) -> str:
    """The link of a seat in a mail."""
    return next(line for line in mail.lines if line.startswith("On the web: "))[12:]


def start(talk: Conversation, game: str) -> list[Mail]:
    """A board of the rooks, ann and bob, against dora, which carl watches; its first mails."""
    talk.signup("ann", "bob", "carl", "dora")
    make_team(talk, "rooks", "ann", "bob")
    talk.proves("ann", f"{game} challenge @rooks dora --decide=vote")
    mails = talk.everything()
    if "accept" in read(mails, "dora") and "Invitation" in read(mails, "dora"):
        talk.replies(find(mails, "dora"), "accept")
        mails = talk.everything()
    talk.mails("carl", f"{game} watch 1 carl {talk.password('carl')}")
    talk.everything()
    return mails


def holds_secret(mails: list[Mail]) -> set[str]:
    """Who has received the words, or a vote."""
    return {
        mail.address.partition("@")[0]
        for mail in mails
        if WORDS in mail.text or "votes for" in mail.text.lower()
    }


def test_words_and_votes_reach_the_members_by_all_ways(talk: Conversation) -> None:
    """In mails, in what each may show, in records and in what each has of themselves."""
    mails = start(talk, "chess")
    talk.replies(find(mails, "bob"), f"e4\n\n{WORDS}")
    assert holds_secret(talk.everything()) == {"ann", "bob"}
    talk.replies(find(mails, "ann"), f"team: {WORDS}")
    assert holds_secret(talk.everything()) == {"ann", "bob"}
    for who in ("ann", "bob", "carl", "dora"):
        talk.mails(who, "chess show 1")
        assert holds_secret(talk.everything()) == set(), who
        talk.mails(who, f"chess showas {who} {talk.password(who)} 1")
        assert holds_secret(talk.everything()) == ({who} if who in ("ann", "bob") else set()), who
        talk.mails(who, "chess export 1")
        assert holds_secret(talk.everything()) == set(), who
        talk.mails(who, f"mydata {who} {talk.password(who)}")
        (mail,) = talk.everything()
        (kept,) = message_from_bytes(mail.raw, policy=policy.default).iter_attachments()
        assert (WORDS.encode() in kept.get_content()) is (who in ("ann", "bob")), who
    talk.replies(find(mails, "ann"), "e4")
    played = talk.everything()
    assert readers(played) == ["ann", "bob", "carl", "dora"]
    assert holds_secret(played) == {"ann", "bob"}
    talk.replies(find(played, "dora"), "e5")
    assert holds_secret(talk.everything()) <= {"ann", "bob"}


def test_words_for_the_own_side_below_a_move_go_nowhere(talk: Conversation) -> None:
    mails = start(talk, "chess")
    talk.replies(find(mails, "ann"), f"e4\n\nteam: mind b2\n{WORDS}")
    refused = talk.everything()
    assert readers(refused) == ["ann"]
    assert "what is for your own side stands alone" in read(refused, "ann")
    assert {"    e4", "    team: mind b2"} <= {*find(refused, "ann").lines}
    talk.replies(find(refused, "ann"), "yes")
    told = talk.everything()
    assert readers(told) == ["ann", "bob"]
    assert holds_secret(told) == {"ann", "bob"}
    talk.replies(find(mails, "bob"), f"chat hello\nteam: {WORDS}")
    assert holds_secret(talk.everything()) <= {"ann", "bob"}


def test_who_has_left_is_shown_what_a_spectator_sees(talk: Conversation) -> None:
    mails = start(talk, "battleship")
    talk.mails("bob", f"battleship showas bob {talk.password('bob')} 1")
    seen = read(talk.everything(), "bob")
    assert "Your side, @rooks, is ann and bob" in seen
    talk.mails("bob", f"team leave rooks bob {talk.password('bob')}")
    talk.everything()
    talk.mails("bob", f"battleship showas bob {talk.password('bob')} 1")
    assert "you do not play on board 1" in read(talk.everything(), "bob")
    talk.replies(find(mails, "bob"), "chat hello")
    assert readers(talk.everything()) == ["bob"]


def test_the_hidden_side_is_seen_by_each_member_alone(talk: Conversation) -> None:
    """Each member gets the position as the seat sees it; the opponent and watchers do not."""
    mails = start(talk, "darkchess")
    talk.replies(find(mails, "ann"), "e4")
    talk.everything()
    talk.replies(find(mails, "bob"), "e4")
    played = talk.everything()
    assert readers(played) == ["ann", "bob", "carl", "dora"]

    def picture(who: str) -> list[str]:
        """The rows of the board in a mail."""
        return [line for line in find(played, who).lines if re.match(r"\s*[1-8]  ", line)]

    assert picture("ann") == picture("bob")
    assert picture("ann") != picture("dora")
    for who in ("carl", "dora"):
        assert "e4" not in find(played, who).text, who
        assert picture(who) != picture("ann"), who
    talk.mails("bob", f"darkchess showas bob {talk.password('bob')} 1")
    assert "e4" in read(talk.everything(), "bob")
    talk.mails("carl", f"darkchess showas carl {talk.password('carl')} 1")
    assert "you do not play on board 1" in read(talk.everything(), "carl")


@pytest.mark.config(web={"url": HOST})
def test_the_pages_of_a_seat_are_for_its_members(talk: Conversation, visitor: Visitor) -> None:
    mails = start(talk, "chess")
    pages = {who: visitor.get(link_of(find(mails, who))) for who in ("ann", "bob", "dora")}
    assert "Write to your own side alone" in pages["bob"].text
    assert "your own side" not in pages["dora"].text
    done = visitor.send(pages["bob"], pages["bob"].form("confer"), text=WORDS)
    assert "Passed on to your own side." in done.text
    assert readers(talk.everything()) == ["ann", "bob"]
    shown = {who: visitor.get(link_of(find(mails, who))) for who in ("ann", "bob", "dora")}
    assert {who for who, page in shown.items() if WORDS in page.text} == {"ann", "bob"}
    talk.mails("bob", f"team leave rooks bob {talk.password('bob')}")
    talk.everything()
    assert visitor.get(link_of(find(mails, "bob"))).status == 404


@pytest.mark.config(web={"url": HOST})
def test_pages_pictures_and_files_show_a_side_to_its_members(
    talk: Conversation, visitor: Visitor
) -> None:
    """The hidden position, the votes and the words: on the seat's page and in its explorer, and in
    nothing that everybody can open, or that is the other side's."""
    mails = start(talk, "darkchess")
    for who in ("ann", "bob"):
        talk.replies(find(mails, who), "d3")
    talk.everything()
    talk.mails("dora", f"darkchess move 1 dora {talk.password('dora')} h6")
    mails = [mail for mail in talk.everything() if not mail.address.startswith("carl@")]
    talk.replies(find(mails, "bob"), f"Bg5\n\n{WORDS}")
    talk.everything()
    own = {who: link_of(find(mails, who)) for who in ("ann", "bob", "dora")}
    for who, link in own.items():
        said = visitor.get(link).text
        assert (WORDS in said) is (who != "dora"), who
        assert ("bob: Bg5" in " ".join(visitor.get(link).words)) is (who != "dora"), who
    public = ("/board/1", "/board/1/try", "/board/1.json", "/board/1.svg", "/board/1.png")
    pages = {path: visitor.get(path).text for path in (*public, f"{own['dora']}/try")}
    for path, said in pages.items():
        assert WORDS not in said, path
        assert "Bg5" not in said, path
    drawn = {who: visitor.get(f"{link}/try").text for who, link in own.items()}
    assert drawn["ann"].count("<use") == drawn["bob"].count("<use")
    assert "votes for" not in drawn["bob"].lower()
    talk.mails("bob", f"team leave rooks bob {talk.password('bob')}")
    talk.everything()
    for path in (own["bob"], f"{own['bob']}/try"):
        assert visitor.get(path).status == 404, path


def test_what_somebody_has_of_themselves_holds_no_words_of_their_partners(
    talk: Conversation,
) -> None:
    """Nor the moves that they voted for; who has left still has their own."""
    mails = start(talk, "hex")
    talk.replies(find(mails, "bob"), f"c3\n\n{WORDS}")
    talk.everything()
    talk.mails("bob", f"team leave rooks bob {talk.password('bob')}")
    talk.everything()
    for who in ("ann", "bob", "dora"):
        talk.mails(who, f"mydata {who} {talk.password(who)}")
        (mail,) = talk.everything()
        (kept,) = message_from_bytes(mail.raw, policy=policy.default).iter_attachments()
        assert (WORDS.encode() in kept.get_content()) is (who == "bob"), who
        assert (b'"c3"' in kept.get_content()) is (who == "bob"), who


@pytest.mark.config(bots={"analysis_seconds": 0.1}, web={"url": HOST})
def test_an_analysis_says_nothing_of_what_a_side_said(talk: Conversation, visitor: Visitor) -> None:
    """It comes when the board is over; until its end is settled no word of a side is in it."""
    mails = start(talk, "chess")
    for who in ("ann", "bob"):
        talk.replies(find(mails, who), f"f3\n\n{WORDS}")
    mails = [mail for mail in talk.everything() if "played f3" in mail.text]
    talk.replies(find(mails, "bob"), "analyse")
    assert "board 1 is not over" in read(talk.everything(), "bob")
    for move in ("e5", "g4", "Qh4"):
        for who in ("dora",) if move != "g4" else ("ann", "bob"):
            talk.mails(who, f"chess move 1 {who} {talk.password(who)} {move}")
        talk.everything()
    talk.mails("dora", f"chess analyse 1 dora {talk.password('dora')}")
    talk.everything()
    if isinstance(talk.server, InProcess):
        analyst = talk.server.build_analyst()
        while analyst.work():
            pass
        analyst.end()
    mail = talk.awaited_mail("dora")
    assert "@rooks played g4" in " ".join(mail.text.split())
    assert WORDS not in mail.text
    assert WORDS not in visitor.get("/board/1").text
    talk.everything()


@pytest.mark.config(web={"url": HOST})
def test_words_of_a_side_are_open_after_the_end_as_press_is(
    talk: Conversation, visitor: Visitor
) -> None:
    """In the record, to everybody, with the votes, once the board is over; of a cancelled board
    they stay with those who had them."""
    mails = start(talk, "hex")
    talk.replies(find(mails, "bob"), f"c3\n\n{WORDS}")
    talk.everything()
    talk.replies(find(mails, "ann"), "c3")
    talk.everything()
    assert WORDS not in visitor.get("/board/1.json").text
    talk.mails("dora", f"hex resign 1 dora {talk.password('dora')}")
    over = talk.everything()
    assert readers(over) == ["ann", "bob", "carl", "dora"]
    assert WORDS in visitor.get("/board/1.json").text
    talk.mails("carl", "hex export 1")
    record = read(talk.everything(), "carl")
    assert WORDS in record
    assert '"kind": "vote"' in record
    talk.proves("ann", "hex challenge @rooks dora --decide=vote")
    mails = talk.everything()
    talk.replies(find(mails, "bob"), f"c3\n\n{WORDS}")
    talk.everything()
    talk.replies(find(mails, "ann"), "cancel")
    for mail in talk.everything():
        if mail.address.startswith("dora@") and "accept" in mail.text:
            talk.replies(mail, "accept")
    talk.everything()
    talk.mails("carl", "hex export 2")
    assert WORDS not in read(talk.everything(), "carl")
    talk.mails("carl", "hex show 2")
    assert "cancelled" in read(talk.everything(), "carl")
