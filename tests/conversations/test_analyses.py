"""Boards that are over are analysed by mail: who may ask, what comes back, and how often."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select

from pbm.features.records.record import parse_record
from pbm.games import get_game
from pbm.store.tables import boards
from tests.harness.conversation import Conversation
from tests.harness.databases import one_row
from tests.harness.mail import Mail
from tests.harness.servers import InProcess
from tests.harness.visitor import HOST, Visitor

pytestmark = pytest.mark.config(bots={"analysis_seconds": 0.6}, web={"url": HOST})
MATED = ["f3", "e5", "g4", "Qh4"]


def analysed(talk: Conversation, who: str) -> Mail:
    """The mail with an analysis, which may take a while."""
    if isinstance(talk.server, InProcess):
        analyst = talk.server.build_analyst()
        while analyst.work():
            pass
        analyst.end()
    return talk.awaited_mail(who)


def test_a_board_shows_its_analysis_on_the_web(talk: Conversation, visitor: Visitor) -> None:
    latest = play_mate(talk)
    page = visitor.get("/board/1")
    assert "Analysis" not in " ".join(page.words)
    talk.replies(latest[0], "analyse")
    talk.any_mail("ann")
    seat = analysed(talk, "ann").line("On the web: ")
    for path in ("/board/1", seat):
        page = visitor.get(path)
        says = " ".join(" ".join(page.words).split())
        assert "By the search with which mcts plays." in says
        assert "ann played g4 , a decisive mistake. Better was" in says
        assert re.search(r"What ann could expect: \d+ percent after move 1, ", says)
        before = visitor.follow(page, "?at=2")
        assert "<span>2 of 4</span>" in before.text


def play_mate(talk: Conversation) -> list[Mail]:
    talk.signup("ann", "bob", "cat")
    return talk.plays(MATED, "ann", "bob", latest=talk.challenge("chess", "ann", "bob"))


@pytest.mark.parametrize(
    "words",
    [
        "analysis",
        "Analyse please",
        "can I have an analysis?",
        "Eine Analyse, bitte",
        "qu'est-ce que j'aurais dû jouer ?",
    ],
)
def test_who_asks_for_an_analysis_in_words_is_answered(talk: Conversation, words: str) -> None:
    """The answer is the board's: a yes to it, or a word, brings the analysis."""
    latest = play_mate(talk)
    talk.replies(latest[0], words)
    answer = talk.any_mail("ann")
    if words != "analysis":
        talk.replies(answer, "yes")
        answer = talk.any_mail("ann")
    assert "Board 1 will be analysed" in answer.text or "can still be taken back" in answer.text
    assert "This is the analysis of board 1" in analysed(talk, "ann").text


def test_a_reply_to_an_analysis_is_one_to_its_board(talk: Conversation) -> None:
    talk.replies(play_mate(talk)[0], "analyse")
    talk.any_mail("ann")
    analysis = analysed(talk, "ann")
    talk.replies(analysis, "That was quick!")
    assert "This was sent to bob" in talk.any_mail("ann").text
    assert "> That was quick!" in talk.any_mail("bob").lines
    talk.replies(analysis, "rematch")
    assert all(talk.any_mail(who).fact("Board") == "2" for who in ("ann", "bob"))


def play_some(talk: Conversation, latest: list[Mail], moves: int) -> None:
    """Ann and bob play the first legal move so many times; then whoever is to move resigns."""
    for number in range(moves + 1):
        with talk.server.store.reading() as session:
            row = one_row(session, select(boards).where(boards.c.id == 1))
        position = get_game(row.game).decode(row.position)
        seat = min(position.to_move)
        move = position.legal_moves(seat)[0] if number < moves else "resign"
        talk.replies(latest[seat], move)
        for at, who in enumerate(("ann", "bob")):
            if talk.waiting(who):  # the rest of a turn is the mover's business alone
                latest[at] = talk.any_mail(who)


@pytest.mark.postgresql
def test_a_blunder_is_named_and_what_is_known_is_sent_at_once(talk: Conversation) -> None:
    latest = play_mate(talk)
    for mail in latest:
        assert "Where did it turn? Reply with analyse (help analyse)." in mail.lines
    talk.replies(latest[0], "analyse")
    queued = talk.receives("ann", "[chess 1] it will be analysed", "A mail brings you")
    mail = analysed(talk, "ann")
    assert mail.subject == "[chess 1] analysis"
    assert mail.references[0] == queued.references[0]
    says = " ".join(mail.text.split())
    assert "by the search with which mcts plays. You lost" not in says
    assert "bob won (4)" in says
    assert re.search(r"Move 3, ann played g4: a decisive mistake\. Better was \S+\.", says)
    assert re.search(r"What ann could expect fell from \d\d to 0 percent\.", says)
    assert re.search(r"\n   1 +R +N +B +Q +K|\n *1 +R|R N B Q K B N R", mail.text), mail.text
    assert "What ann could expect, in percent, and where these turns were:" in says
    assert re.search(r"\n  100 \|.*\n   75 \|.*\n   50 \|.*\n   25 \|.*\n    0 \|.*\*\n", mail.text)
    assert re.search(r"\n      \+--\^-\n", mail.text)
    talk.proves("cat", "chess analyze 1")
    again = talk.receives("cat", "[chess 1] analysis", "ann played g4: a decisive mistake")
    assert "Dice" not in again.text
    talk.mails("cat", "chess export 1")
    record = parse_record(talk.any_mail("cat").text)["analysis"]
    assert record["by"] == ""
    worst = record["turns"][0]
    assert (worst["at"], worst["seat"], worst["played"]) == (2, 0, "g4")
    assert 0 == worst["after"] < worst["before"] < 1
    assert [number for number, _ in record["curve"]] == [1, 2, 3, 4]


@pytest.mark.long
def test_the_same_is_said_in_words(talk: Conversation) -> None:
    latest = play_mate(talk)
    talk.mails("bob", f"set bob {talk.password('bob')} board=words")
    talk.any_mail("bob")
    talk.replies(latest[1], "analyse")
    talk.any_mail("bob")
    mail = analysed(talk, "bob")
    says = " ".join(mail.text.split())
    assert "Move 3, ann played g4: a decisive mistake." in says
    assert "King: e8." in says or "king" in says.lower()
    assert re.search(r"What ann could expect, in percent: \d+ percent after move 1, ", says)
    assert "|" not in mail.text


def test_turns_of_several_moves_are_judged_as_one(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    play_some(talk, talk.challenge("kalah", "ann", "bob"), 9)
    talk.proves("bob", "kalah analyse 1")
    talk.receives("bob", "[kalah 1] it will be analysed", "can still be taken back")
    talk.clock.advance(seconds=3601)
    says = " ".join(analysed(talk, "bob").text.split())
    assert re.search(
        r"One turn cost its player|The (two|three) turns that cost their players", says
    ), says
    costs = [
        int(before) - int(after)
        for before, after in re.findall(r"fell from (\d+) to (\d+) percent", says)
    ]
    assert costs == sorted(costs, reverse=True)
    assert min(costs) >= 3


@pytest.mark.config(bots={"analysis_seconds": 0.3})
def test_dice_are_nobodys_fault(talk: Conversation) -> None:
    """A turn is compared with others of the same roll: each better one can be played with it."""
    talk.signup("ann", "bob")
    play_some(talk, talk.agreed("backgammon", "ann", "bob"), 6)
    talk.proves("ann", "backgammon analyse 1")
    talk.receives("ann", "[backgammon 1] it will be analysed")
    mail = analysed(talk, "ann")
    assert mail.subject == "[backgammon 1] analysis"
    assert "What ann could expect, in percent" in mail.text


def test_what_is_not_analysed(talk: Conversation) -> None:
    talk.signup("ann", "bob", "cat")
    latest = talk.challenge("chess", "ann", "bob")
    talk.replies(latest[0], "analyse")
    talk.receives(
        "ann", "[chess 1] not done: board 1 is not over: only boards that are over are analysed"
    )
    talk.replies(latest[1], "decline")
    for who in ("ann", "bob"):
        talk.any_mail(who)
    talk.proves("cat", "chess analyse 1")
    talk.receives(
        "cat",
        "[pbm] not done: board 1 was cancelled: only boards with a result are analysed",
    )
    talk.proves("cat", "hex analyse 1")
    talk.receives("cat", "[pbm] not done: board 1 is a game of chess")
    latest = talk.plays(["e4"], "ann", "bob", latest=talk.challenge("darkchess", "ann", "bob"))
    talk.replies(latest[0], "resign")
    for who in ("ann", "bob"):
        over = talk.any_mail(who)
        assert "Reply with\n    rematch\n" in over.text
        assert "analyse" not in over.text
    talk.replies(over, "help")
    assert "analyse" not in talk.any_mail("bob").text
    talk.proves("ann", "darkchess analyse 2")
    talk.receives("ann", "[darkchess 2] not done: things are hidden in Dark Chess ...")


def test_only_players_of_the_server_may_ask(talk: Conversation) -> None:
    play_mate(talk)
    talk.mails("zoe", "chess analyse 1")
    talk.any_mail("zoe")
    talk.mails("cat", "chess analyse 1")
    refused = talk.any_mail("cat")
    assert "Not done: the userid is missing." in refused.text
    assert "chess analyse BOARD cat PASSWORD" in refused.text


@pytest.mark.long
@pytest.mark.config(limits={"analyses_a_day": 1}, bots={"analysis_seconds": 0.1})
def test_analyses_a_day(talk: Conversation) -> None:
    """What is being analysed, or was, is not counted again."""
    play_mate(talk)
    for _ in range(2):
        talk.proves("cat", "chess analyse 1")
        talk.receives("cat", "[chess 1] it will be analysed")
        if not isinstance(talk.server, InProcess):
            break
    assert analysed(talk, "cat").subject == "[chess 1] analysis"
    talk.plays(MATED, "ann", "bob", latest=talk.challenge("chess", "ann", "bob"))
    talk.proves("cat", "chess analyse 2")
    refusal = talk.any_mail("cat")
    assert "as many boards analysed as a day allows (1)" in " ".join(refusal.text.split())
    talk.proves("cat", "chess analyse 1")
    talk.receives("cat", "[chess 1] analysis")
    talk.passes(days=1)
    talk.proves("cat", "chess analyse 2")
    talk.receives("cat", "[chess 2] it will be analysed")
    assert analysed(talk, "cat").subject == "[chess 2] analysis"


@pytest.mark.config(bots={"enabled": False})
def test_a_server_without_computer_players_analyses_nothing(talk: Conversation) -> None:
    latest = play_mate(talk)
    assert "analyse" not in latest[0].text
    talk.replies(latest[0], "analyse")
    talk.receives("ann", "[chess 1] not done: this server analyses no boards")
