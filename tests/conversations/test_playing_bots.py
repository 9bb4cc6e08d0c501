"""Bots: a newcomer alone on a fresh server plays at once, by the ordinary way."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import select, update

from pbm.bots import NAMES
from pbm.config import Bots, Config, Database, Limits, Players
from pbm.config import Server as Address
from pbm.core import fsck
from pbm.core.house_players import find_waiting
from pbm.features.ratings.rating_boards import find_rating_differences, rebuild_ratings
from pbm.games import get_game
from pbm.store.tables import boards, moves, players, seats
from tests.games.cradles import CLIMB, SPIRAL
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.databases import all_rows, one_row
from tests.harness.mail import Mail
from tests.harness.servers import Sockets

Open = Callable[..., Conversation]


@pytest.fixture
def open_house(sqlite_url: str) -> Iterator[Open]:
    """A server behind real sockets, whose bots take a twentieth of a second a turn. Its mails have
    no pictures: who draws is as nice a process as who thinks."""
    opened: list[tuple[Conversation, Sockets]] = []

    def start(
        seconds: float = 0.05,
        enabled: bool = True,
        rated_with_people: bool = False,
        open_boards: int = 0,
        vacation_days: int = 30,
    ) -> Conversation:
        config = Config(
            server=Address(address=SERVER),
            database=Database(sqlite_url),
            limits=Limits(open_boards=open_boards),
            players=Players(vacation_days=vacation_days, pictures=False),
            bots=Bots(seconds=seconds, enabled=enabled, rated_with_people=rated_with_people),
        )
        clock = Clock()
        server = Sockets(config, clock)
        opened.append((Conversation(server, clock, confirms=True), server))
        return opened[-1][0]

    yield start
    for talk, server in opened:
        try:
            talk.nothing_more()
        finally:
            server.close()


def a_move(talk: Conversation, board: int) -> str:
    """The first legal move at a board."""
    with talk.server.store.reading() as session:
        row = one_row(session, select(boards).where(boards.c.id == board))
    position = get_game(row.game).decode(row.position)
    return position.legal_moves(min(position.to_move))[0]


def plays_to_the_end(talk: Conversation, who: str, mail: Mail) -> Mail:
    """Answer each mail that says it is the player's move, until one says it is over."""
    for _ in range(60):
        if mail.fact("Result") != "*":
            return mail
        if mail.subject.split("] ")[1].startswith("your move") or mail.text.startswith("Your move"):
            talk.replies(mail, a_move(talk, 1))
        mail = talk.awaited_mail(who)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(
    "name", ["random", *(pytest.param(name, marks=pytest.mark.long) for name in ("level3", "mcts"))]
)
def test_a_newcomer_alone_plays_a_whole_game(open_house: Open, name: str) -> None:
    talk = open_house()
    talk.signup("ann")
    talk.proves("ann", f"hex challenge ann {name} -size=5")  # no draw, and 26 moves at most
    mail = talk.awaited_mail("ann")
    assert mail.subject == f"[hex 1] new board: ann, {name}"
    last = plays_to_the_end(talk, "ann", mail)
    assert last.subject.split("] ")[1].split(" ")[1] == "won"
    assert re.search(rf"{name} +1500 -> \d+ ", last.text), last.text
    with talk.server.store.reading() as session:
        log = all_rows(session, select(moves).where(moves.c.board_id == 1))
        assert {row.seat for row in log} == {0, 1}
        assert list(fsck.find_differences(session)) == []


def test_a_house_player_may_begin_and_dice_are_rolled(open_house: Open) -> None:
    talk = open_house()
    talk.signup("ann", "bob")
    talk.proves("ann", "cyclone challenge mcts ann bob --unrated")
    for who in ("ann", "bob"):
        asked = talk.awaited_mail(who)
        assert asked.subject == "[cyclone 1] invitation: mcts, ann, bob"
    talk.replies(asked, "accept")
    for who in ("bob", "ann"):
        mail = talk.awaited_mail(who)
        assert "mcts played" in mail.subject
        assert "New game of Cyclone" in mail.text
    while "your move" not in mail.subject:
        mail = talk.awaited_mail("ann")
        talk.awaited_mail("bob")
    talk.replies(mail, "resign")
    assert "you resigned" in talk.awaited_mail("ann").subject
    mail = talk.awaited_mail("bob")
    while "your move" not in mail.subject:
        mail = talk.awaited_mail("bob")
    talk.replies(mail, "resign")
    while "mcts won" not in mail.subject:
        mail = talk.awaited_mail("bob")
    while "mcts won" not in talk.awaited_mail("ann").subject:
        pass


def test_what_house_players_agree_to(open_house: Open) -> None:
    talk = open_house()
    talk.signup("ann")
    ann = talk.password("ann")
    talk.proves("ann", "cradle challenge ann mcts")
    talk.awaited_mail("ann")
    talk.mails("ann", f"cradle propose 1 ann {ann}")
    assert "mcts rejected the draw" in talk.awaited_mail("ann").subject
    talk.mails("ann", f"cradle pause 1 ann {ann} until 2026-03-20")
    assert "mcts agreed: all clocks stand still" in talk.awaited_mail("ann").subject
    talk.mails("ann", f"cradle cancel 1 ann {ann}")
    assert "mcts rejected" in talk.awaited_mail("ann").subject
    talk.proves("ann", "cradle challenge ann mcts --unrated --ask")
    assert "new board" in talk.awaited_mail("ann").subject
    talk.mails("ann", f"cradle cancel 2 ann {ann}")
    assert "cancelled" in talk.awaited_mail("ann").subject


def test_what_house_players_refuse(open_house: Open) -> None:
    talk = open_house()
    talk.signup("ann")
    talk.proves("ann", "tictactoe challenge random mcts")
    talk.receives(
        "ann", "[pbm] not done: computer players play against people, not against each other"
    )
    talk.proves("ann", "poolside challenge ann mcts random")
    mail = talk.any_mail("ann")
    assert "where things are hidden" in " ".join(mail.text.split())
    for name in NAMES:
        talk.mails(name, f"signup {name} whatever1")
        talk.receives(name, "[pbm] not done: this userid is taken: choose another")


def test_a_level_takes_a_handicap_where_the_game_has_one(open_house: Open) -> None:
    talk = open_house()
    talk.signup("ann")
    talk.proves("ann", "go challenge level1 ann -size=9 -handicap=4")
    mail = talk.awaited_mail("ann")
    assert mail.subject == "[go 1] new board: level1, ann"
    talk.replies(mail, "e5")
    assert "level1 played" in talk.awaited_mail("ann").subject


def test_a_server_without_house_players(open_house: Open) -> None:
    talk = open_house(enabled=False)
    talk.signup("ann")
    talk.proves("ann", "cradle challenge ann mcts")
    assert "not done: there is no player" in talk.any_mail("ann").subject


def test_a_house_player_claims_a_draw_that_nobody_can_win(open_house: Open) -> None:
    talk = open_house()
    talk.signup("ann", "bob")
    latest = talk.challenge("cradle", "ann", "bob")
    latest = talk.plays([*CLIMB, *SPIRAL, *SPIRAL[:-1]], "ann", "bob", latest=latest)
    with talk.server.store.writing() as session:  # mcts takes bob's place
        mcts = session.execute(select(players.c.id).where(players.c.name == "mcts")).scalar_one()
        session.execute(update(seats).where(seats.c.seat == 1).values(player_id=mcts))
    talk.replies(latest[0], SPIRAL[-1])
    last = talk.awaited_mail("ann")
    assert last.subject == "[cradle 1] draw (23)"
    assert "claimed a draw: the position stands for the third time." in " ".join(last.text.split())


def test_boards_with_house_players_are_rated_in_a_pool_of_their_own(open_house: Open) -> None:
    talk = open_house()
    talk.signup("ann", "bob")
    talk.proves("ann", "hex challenge ann level1 -size=5")
    last = loses(talk, "ann")
    assert "Ratings in the house pool (help ratings explains them):" in last.text
    assert re.search(r"ann +1500 -> 1421", last.text)
    talk.mails("ann", "hex ratings house")
    lines = talk.awaited_mail("ann").lines
    assert [line.split()[1] for line in lines if "+-" in line] == ["level1", "ann"]
    talk.mails("ann", "hex ratings")
    assert "nobody yet" in talk.awaited_mail("ann").text
    talk.mails("ann", "help house")
    *_, names, row, _ = talk.awaited_mail("ann").lines
    assert names.split() == [*NAMES]
    assert row.split() == ["hex", "1579?"]
    assert names.index("level1") + len("level1") == len(row)
    talk.mails("ann", "who level1")
    assert re.search(r"hex house +1579 \+-242 +1 board", talk.awaited_mail("ann").text)
    assert find_rating_differences_of(talk) == []


def test_an_operator_may_let_house_players_count(open_house: Open) -> None:
    talk = open_house(rated_with_people=True)
    talk.signup("ann")
    talk.proves("ann", "hex challenge ann level1 -size=5")
    assert "Ratings (help ratings explains them):" in loses(talk, "ann").text
    talk.mails("ann", "help house")
    assert re.search(r"  hex +1579\?$", talk.awaited_mail("ann").text, re.MULTILINE)
    talk.mails("ann", "rating level1")
    assert re.search(r"  hex +1579 \+-242", talk.awaited_mail("ann").text)
    assert find_rating_differences_of(talk) == []


def loses(talk: Conversation, who: str) -> Mail:
    """Move once on the new board, then resign; what is said at its end."""
    talk.replies(talk.awaited_mail(who), "c3")
    talk.replies(talk.awaited_mail(who), "resign")
    return talk.awaited_mail(who)


def find_rating_differences_of(talk: Conversation) -> list[str]:
    """What of the ratings differs from what the boards add up to, after they were rebuilt too."""
    with talk.server.store.writing() as session:
        before = list(find_rating_differences(session))
        for name in ("hex", "hex house"):
            rebuild_ratings(session, name)
        return before + list(find_rating_differences(session))


def test_a_house_player_takes_up_an_offer_after_a_day_if_its_maker_allows(open_house: Open) -> None:
    talk = open_house()
    talk.signup("ann", "bob")
    ann, bob = talk.password("ann"), talk.password("bob")
    talk.mails("ann", f"hex seek ann {ann} -size=5 --house=level2")
    assert talk.awaited_mail("ann").subject == "[pbm] offer 1: hex -size=5 --house=level2"
    talk.mails("bob", f"hex seek bob {bob} -size=5")
    assert talk.awaited_mail("bob").subject == "[pbm] offer 2: hex -size=5"
    talk.passes(days=0.9)
    talk.passes(days=0.2)
    mail = talk.awaited_mail("ann")
    assert "[hex 1] your move (2), level2 played" in mail.subject
    assert "level2 joined offer 1" in mail.text
    talk.mails("ann", "seeks")
    assert "  1  hex" not in talk.awaited_mail("ann").text
    for options, why in (
        ("--house=bob", "--house is a computer player: random, level1 to level5, mcts"),
        ("--players=3 --house=level1", "--house is for games of two players"),
    ):
        talk.mails("ann", f"cradle seek ann {ann} {options}")
        assert why in " ".join(talk.awaited_mail("ann").subject.split())
    talk.mails("ann", f"poolside seek ann {ann} --house=level1")
    assert "computer players cannot play" in talk.awaited_mail("ann").subject


def test_an_offer_whose_maker_has_too_many_boards_waits_for_people(open_house: Open) -> None:
    talk = open_house(open_boards=1)
    talk.signup("ann", "bob")
    talk.mails("ann", f"hex seek ann {talk.password('ann')} --house=level1")
    talk.awaited_mail("ann")
    talk.challenge("hex", "ann", "bob")
    talk.passes(days=1.5)
    talk.nothing_more()
    talk.mails("bob", "seeks")
    assert "  1  hex, by ann" in talk.awaited_mail("bob").text


def test_five_people_and_two_computer_players_play_a_whole_game(open_house: Open) -> None:
    """Whoever is last, a phase ends when all orders are in; who is a computer player is told."""
    talk = open_house()
    people = ("ann", "eve", "fred", "gerd", "ivo")
    talk.signup(*people)
    talk.proves("ann", f"dip challenge {' '.join(people)} level1 level2 -years=1 -disorder=9")
    said = " ".join(talk.awaited_mail("ann").text.split())
    assert "level1 Russia orders awaited, computer player" in said
    assert said.count("computer player") == 2
    deadline, pause = time.monotonic() + 120.0, 0.05
    while "The game is over" not in said and time.monotonic() < deadline:
        for who in people:
            talk.mails(who, f"dip ready 1 {who} {talk.password(who)}")
        time.sleep(pause)  # on a busy machine it takes seconds until the computer players play
        pause = min(1.5 * pause, 2.0)
        texts = [mail.text for mail in talk.everything() if mail.address == "ann@example.org"]
        said = " ".join(" ".join(texts).split())
    assert "a draw of all survivors after 1 year" in said


def test_a_house_player_moves_for_who_is_silent_until_they_are_back(open_house: Open) -> None:
    """On a board that agreed to it; who is back moves for themselves."""
    talk = open_house(vacation_days=0)
    people = ("ann", "bob", "carl")
    talk.signup(*people)
    talk.agreed("cradle", *people, options="--forfeit=4 --nag=none --standin=level1")
    talk.passes(days=4.3)
    told = reads_until(talk, "ann", "bob to move (2)")
    assert "You are out of time: level1 moves for you until you send any mail or move" in told
    told = reads_until(talk, "bob", "your move (2)")
    assert "ann is out of time: level1 moves for ann until they are back" in told
    assert "which level1 chose" in told
    assert "level1 moves" in told
    talk.mails("bob", f"cradle move 1 bob {talk.password('bob')} {a_move(talk, 1)}")
    reads_until(talk, "carl", "your move (3)")
    talk.mails("ann", f"cradle chat 1 ann {talk.password('ann')}", "Back from hospital!")
    reads_until(talk, "carl", "ann writes")
    talk.mails("carl", f"cradle move 1 carl {talk.password('carl')} {a_move(talk, 1)}")
    reads_until(talk, "ann", "your move (4)")
    with talk.server.store.reading() as session:
        assert find_waiting(session, 9) == []
    talk.mails("ann", f"cradle move 1 ann {talk.password('ann')} {a_move(talk, 1)}")
    assert "which level1 chose" not in reads_until(talk, "bob", "your move (5)")
    talk.everything()


def test_what_a_stand_in_is_for(open_house: Open) -> None:
    """Boards of three and more, whose players move one after the other."""
    talk = open_house()
    talk.signup("ann", "bob", "carl")
    talk.proves("ann", "cradle challenge ann bob --standin=level2")
    assert "--standin is for boards of three and more" in talk.awaited_mail("ann").text
    talk.proves("ann", "dip challenge ann bob --standin=level2")
    assert "and not for games of" in talk.awaited_mail("ann").text
    talk.proves("ann", "cradle challenge ann bob carl --standin=carl")
    assert "--standin is a computer player: " in talk.awaited_mail("ann").text


def reads_until(talk: Conversation, who: str, subject: str) -> str:
    """Read the mails of somebody up to one with such a subject; what they said."""
    said = ""
    while True:
        mail = talk.awaited_mail(who)
        said += " ".join(mail.text.split()) + "\n"
        if subject in mail.subject:
            return said
