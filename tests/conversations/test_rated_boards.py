"""Ratings as players meet them: in the last mail of a board, in lists, and never for nothing."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, insert, select, update

from pbm.bots import NAMES
from pbm.config import Config
from pbm.core.house_players import enrol
from pbm.core.operator import OperatorAct
from pbm.core.secrets import Secrets
from pbm.features.play import admin as play_acts
from pbm.features.ratings.rating_boards import find_rating_differences, rebuild_ratings
from pbm.games import list_game_names
from pbm.store.engine import Store
from pbm.store.tables import players, rating_changes
from pbm.store.tables import ratings as rated
from tests.harness.conversation import Conversation
from tests.harness.databases import all_rows
from tests.harness.mail import Mail

SECRETS = Secrets((bytes(32),), bytes)


def begun(talk: Conversation, *people: str, options: str = "") -> None:
    """A board on which the first has moved, so that giving it up counts."""
    latest = talk.challenge("cradle", *people, options=options)
    talk.plays(["a2,b2,c2,c3"], *people, latest=latest)


def resigns(
    talk: Conversation, board: int, who: str, *others: str, game: str = "cradle"
) -> list[Mail]:
    """Somebody gives up; the mails of all, the resigning player's first."""
    talk.mails(who, f"{game} resign {board} {who} {talk.password(who)}")
    return [talk.any_mail(reader) for reader in (who, *others)]


def ratings_of(store: Store) -> dict[int, tuple[float, float, int]]:
    with store.reading() as session:
        return {
            row.player_id: (row.mu, row.sigma, row.boards)
            for row in all_rows(session, select(rated))
        }


def number_of(store: Store, name: str) -> int:
    with store.reading() as session:
        return int(session.execute(select(players.c.id).where(players.c.name == name)).scalar_one())


def agrees(store: Store) -> bool:
    with store.reading() as session:
        return list(find_rating_differences(session)) == []


@pytest.mark.postgresql
def test_two_boards_as_the_help_page_tells_them(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    begun(talk, "ann", "bob")
    for mail in resigns(talk, 1, "bob", "ann"):
        assert "  ann  1500 -> 1579 (+79), still provisional" in mail.lines
        assert "  bob  1500 -> 1421 (-79), still provisional" in mail.lines
        assert mail.fact("Ratings") == "1579 1421"
    begun(talk, "bob", "ann")
    for mail in resigns(talk, 2, "ann", "bob"):
        assert "  ann  1579 -> 1488 (-91), still provisional" in mail.lines
        assert mail.fact("Ratings") == "1512 1488"
    talk.mails("ann", "cradle ratings")
    mail = talk.receives("ann", "[pbm] ratings cradle", "Established nobody yet")
    assert [line.split()[1:4] for line in mail.lines if line.startswith("   ")] == [
        ["bob", "1512", "+-235"],
        ["ann", "1488", "+-235"],
    ]
    talk.mails("bob", "rating ann")
    talk.receives(
        "bob", "[pbm] ratings of ann", "cradle 1488 +-235 2 boards provisional", "cradle 2 1579"
    )
    talk.mails("bob", "rating")
    talk.receives("bob", "[pbm] ratings of bob", "1512 +-235")
    talk.mails("bob", "cyclone rating ann")
    talk.receives("bob", "[pbm] ratings of ann", "none yet")
    talk.mails("bob", "ratings cradle")
    talk.receives("bob", "[pbm] ratings cradle")
    talk.mails("bob", "cradle standings")
    talk.receives("bob", "[pbm] standings cradle", "ann 1 0 1", "bob 1 0 1")
    assert agrees(talk.server.store)


def test_boards_that_do_not_count(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    begun(talk, "ann", "bob", options="--unrated")
    mail = resigns(talk, 1, "bob", "ann")[0]
    assert "This game does not affect ratings." in mail.lines
    talk.proves("ann", "cradle challenge ann ann")
    talk.any_mail("ann")
    talk.mails("ann", f"cradle move 2 ann {talk.password('ann')} a2,b2,c2,c3")
    talk.any_mail("ann")
    talk.mails("ann", f"cradle resign 2 ann {talk.password('ann')}")
    assert "does not affect" in talk.any_mail("ann").text
    begun(talk, "ann", "bob")
    talk.mails("bob", f"cradle decline 3 bob {talk.password('bob')}")
    assert "does not affect ratings" in talk.any_mail("bob").text
    talk.any_mail("ann")
    assert ratings_of(talk.server.store) == {}
    talk.mails("ann", "ratings")
    talk.receives("ann", "[pbm] not done: name a game: each has its own ratings", "GAME ratings")
    talk.mails("ann", "rating nobody")
    talk.receives("ann", "[pbm] not done: there is no player with that userid")


def test_an_adjudicated_board_counts_once_somebody_has_moved(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    store = talk.server.store
    talk.challenge("cradle", "ann", "bob")
    begun(talk, "ann", "bob")
    for number, rated_players in ((1, 0), (2, 2)):
        with store.writing() as session:
            act = OperatorAct(session, "root", "both agree", talk.clock(), SECRETS, Config())
            play_acts.adjudicate(act, number, (1, 2))
        assert len(ratings_of(store)) == rated_players
        assert agrees(store)


def test_three_seats_and_a_draw_by_agreement(talk: Conversation) -> None:
    people = ("ann", "bob", "carl")
    talk.signup(*people)
    talk.challenge("cradle", *people)
    for who in people:
        talk.mails(who, f"cradle propose 1 {who} {talk.password(who)}")
        mails = [talk.any_mail(reader) for reader in people]
    assert mails[0].fact("Ratings") == "1500 1500 1500"
    begun(talk, *people)
    resigns(talk, 2, "carl", "ann", "bob")
    first, *_ = resigns(talk, 2, "ann", "bob", "carl")
    points = [int(word) for word in first.fact("Ratings").split()]
    assert points[1] > points[0] > points[2]
    talk.mails("ann", "cradle standings")
    talk.receives("ann", "[pbm] standings cradle", "bob 1 1 0", "ann 0 1 1", "carl 0 1 1")
    assert agrees(talk.server.store)


def test_a_result_taken_back_takes_its_ratings_back(talk: Conversation) -> None:
    store = talk.server.store
    talk.signup("ann", "bob", "carl")
    begun(talk, "ann", "bob")
    resigns(talk, 1, "bob", "ann")
    begun(talk, "ann", "carl")
    resigns(talk, 2, "carl", "ann")
    begun(talk, "carl", "bob")
    resigns(talk, 3, "carl", "bob")
    before = ratings_of(store)
    with store.writing() as session:
        handler = OperatorAct(session, "root", "a slip", talk.clock(), SECRETS, Config())
        play_acts.roll_back(handler, 1, 0)
    after = ratings_of(store)
    assert after != before
    assert [after[player][2] for player in sorted(after)] == [1, 1, 2]
    assert agrees(store)
    resigns(talk, 1, "bob", "ann")
    assert agrees(store)


def test_the_ladder_and_places_are_those_of_active_players(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    with talk.server.store.writing() as session:
        row = {"game": "cradle", "boards": 20, "sigma": 2.0, "updated": 0.0}
        for name, mu in (("ann", 31.0), ("bob", 29.0), ("carl", 27.0)):
            player = number_of(talk.server.store, name)
            session.execute(insert(rated), {**row, "player_id": player, "mu": mu})
    talk.mails("carl", "rating")
    talk.receives("carl", "[pbm] ratings of carl", "cradle 1560 +-60 20 boards place 3")
    with talk.server.store.writing() as session:
        session.execute(update(players).where(players.c.name == "ann").values(state="suspended"))
    talk.mails("carl", "rating")
    talk.receives("carl", "[pbm] ratings of carl", "cradle 1560 +-60 20 boards place 2")
    talk.mails("carl", "cradle ratings")
    mail = talk.receives("carl", "[pbm] ratings cradle", "bob 1620 +-60", "carl 1560 +-60")
    assert "ann" not in mail.text.split()


def test_a_rating_that_was_tampered_with_is_found_and_can_be_made_anew(talk: Conversation) -> None:
    store = talk.server.store
    talk.signup("ann", "bob")
    begun(talk, "ann", "bob")
    resigns(talk, 1, "bob", "ann")
    right, ann = ratings_of(store), number_of(store, "ann")

    def found() -> list[str]:
        with store.reading() as session:
            return list(find_rating_differences(session))

    with store.writing() as session:
        session.execute(update(rated).where(rated.c.mu > 25).values(mu=30.0))
    assert ["is rated 1650 +-242" in line for line in found()] == [True]
    with store.writing() as session:
        session.execute(update(rated).where(rated.c.mu > 25).values(mu=right[ann][0], won=2))
    assert found() == [
        f"player {ann} has won 2 and lost 0 boards of cradle, by the records 1 and 0"
    ]
    with store.writing() as session:
        session.execute(update(rated).where(rated.c.mu > 25).values(mu=30.0))
        session.execute(update(rating_changes).values(sigma=1.0))
    assert len(found()) == 3
    with store.writing() as session:
        session.execute(delete(rating_changes))
    assert found()[0] == "board 1 is rated, but seat 0 has no rating from it"
    with store.writing() as session:
        rebuild_ratings(session, "cradle")
    assert found() == []
    assert ratings_of(store) == right


@pytest.mark.postgresql
def test_the_page_of_house_players_has_their_ratings_where_they_play_most(
    talk: Conversation,
) -> None:
    talk.signup("ann")
    talk.mails("ann", "help house")
    talk.receives("ann", "[pbm] help house", "No rated board with any of them has ended yet.")
    with talk.server.store.writing() as session:
        enrol(session, talk.clock())
    rows = [
        {
            "player_id": number_of(talk.server.store, name),
            "game": f"{game} house",
            **{"mu": mu, "sigma": sigma, "boards": count, "updated": 0.0},
        }
        for count, game in enumerate(list_game_names()[:14], 1)
        for name, mu, sigma in (("level2", 20.0, 1.0), ("mcts", 35.0, 8.0), ("ann", 25.0, 8.0))
    ]
    with talk.server.store.writing() as session:
        session.execute(insert(rated), rows)
    talk.mails("ann", "help house")
    lines = talk.any_mail("ann").lines
    start = next(at for at, line in enumerate(lines) if line.split() == [*NAMES])
    table = [line.split() for line in lines[start + 1 : start + 13]]
    assert table == [[game, "1350", "1800?"] for game in list_game_names()[13:1:-1]]
    rest = "They are rated in 2 more: GAME ratings house lists one."
    assert lines[start + 13 :] == ["", rest, ""]
    assert max(map(len, lines)) <= 78
