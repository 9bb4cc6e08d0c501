"""Finding something to play and somebody to play with: games by kind, players, one's own boards and
the best that can be watched."""

from __future__ import annotations

import re

import pytest

from pbm.features.finding.help import find_page
from pbm.games import list_game_names, load_games
from pbm.rules.game_info import FAMILIES, LENGTHS
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


def names(mail: Mail) -> list[str]:
    """The games in a list of games, in order."""
    games = mail.text.partition("\nVariants:")[0]
    return re.findall(r"^  ([a-z0-9]+) +\S", games, re.MULTILINE)


def asks(talk: Conversation, who: str, line: str, subject: str, *says: str) -> Mail:
    talk.mails(who, line)
    return talk.receives(who, subject, *says)


def test_all_games_are_listed_by_family(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    for _ in range(2):
        talk.challenge("hex", "ann", "bob")
    number = len(load_games())
    mail = asks(talk, "ann", "games", f"[pbm] {number} games", "Lines (line up your pieces)")
    listed = [game.info.name for game in load_games() if not game.info.variant_of]
    assert sorted(names(mail)) == listed
    assert any(line.split() == ["shogi", "10", "games", "shogi"] for line in mail.lines)
    families = [line.partition(" (")[0].lower() for line in mail.lines if " (" in line]
    assert [family for family in families if family in FAMILIES] == list(FAMILIES)
    text = " ".join(mail.text.split())
    assert re.search(r" hex Hex - [^()]+ \(2 players, medium\)", text)
    assert "random, level1 to level5 and mcts, play these but battleship, darkchess" in text


def test_the_variants_of_a_game_are_listed_by_its_name(talk: Conversation) -> None:
    talk.signup("ann")
    number = len([game for game in load_games() if game.info.variant_of == "shogi"])
    mail = asks(talk, "ann", "games shogi", f"[pbm] {number} games: shogi")
    assert {"shogi", "kyotoshogi", "torishogi", "dobutsu"} <= set(names(mail))
    mail = asks(talk, "ann", "games chess short", "[pbm] 2 games: chess short")
    assert {"gardner", "losalamos"} <= set(names(mail))


def is_won(talk: Conversation, number: int, winner: str, loser: str) -> None:
    """The two play a board of hex, which the second resigns."""
    talk.challenge("hex", winner, loser)
    for who, line in ((winner, "move {} a1"), (loser, "move {} c3"), (loser, "resign {}")):
        talk.mails(who, "hex " + line.format(f"{number} {who} {talk.password(who)}"))
    talk.everything()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("hidden", {"battleship", "darkchess", "dip", "poolside"}),
        ("sowing", {"kalah", "oware"}),
        ("short hidden", set()),
        (
            "3",
            {
                "amazons",
                "corridor",
                "cradle",
                "cyclone",
                "dip",
                "fourinarow",
                "hexxagon",
                "poolside",
                "reversi",
                "spacecradles",
                "spacefighters",
                "spacetruckin",
                "sternhalma",
                "sumito",
            },
        ),
        ("dice short", set()),
        ("long dice", {"spacefighters", "spacetruckin"}),
    ],
)
def test_games_of_a_kind(talk: Conversation, words: str, found: set[str]) -> None:
    talk.signup("ann")
    talk.mails("ann", f"games {words}")
    listed = {each.info.name for each in load_games()} & found
    subject = f"[pbm] {len(listed)} {'game' if len(listed) == 1 else 'games'}"
    subject += f": {words}" if listed else ""
    assert set(names(talk.receives("ann", subject))) == listed


def test_a_kind_that_there_is_not_is_refused_with_those_there_are(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "games hiden")
    talk.receives(
        "ann", "[pbm] not done: there is no such kind of game", "games hidden", "help games"
    )
    assert all(family in find_page("games")[1] for family in (*FAMILIES, *LENGTHS))


def test_a_word_finds_the_games_that_it_describes(talk: Conversation) -> None:
    talk.signup("ann")
    mail = asks(talk, "ann", "search connect", "[pbm] 2 games: search connect")
    assert names(mail) == ["connect6", "fourinarow"]  # the second as connectfour
    mail = asks(talk, "ann", "search hex", "[pbm] 4 games: search hex")
    assert names(mail)[0] == "hex"
    asks(talk, "ann", "search quidditch", "[pbm] 0 games", "All games: games")
    asks(talk, "ann", "search sword", "[pbm] 0 games")  # that of a password is none
    asks(
        talk,
        "ann",
        "search to",
        "[pbm] not done: name a word of at least 3 letters that describes the game",
    )


@pytest.mark.postgresql
def test_players_are_found_by_when_they_were_here_and_by_their_strength(
    talk: Conversation,
) -> None:
    talk.signup("ann", "bob", "carl", "dora")
    talk.mails("bob", f"set bob {talk.password('bob')} name=Robert")
    talk.any_mail("bob")
    talk.passes(days=3)
    is_won(talk, 1, "ann", "bob")
    talk.mails("dora", f"cradle seek dora {talk.password('dora')}")
    talk.any_mail("dora")
    mail = asks(talk, "carl", "players", "[pbm] players", "Always here: the computer players")
    rows = {line.split()[0]: line for line in mail.lines if line.startswith("  ")}
    assert rows.keys() == {"ann", "bob", "carl", "dora"}
    assert "  bob (Robert) " in rows["bob"]
    assert all(" today" in rows[who] for who in ("ann", "bob", "dora"))
    assert rows["dora"].endswith("seeks cradle: join 1")
    assert "example.org" not in mail.text
    mail = asks(talk, "carl", "players hex", "[pbm] players: hex", "a beginner's rating")
    assert {line.split()[0] for line in mail.lines if line.startswith("  ")} == {"ann", "bob"}
    mail = asks(talk, "ann", "hex players", "[pbm] players: hex", "your rating of")
    assert [line.split()[0] for line in mail.lines if line.startswith("  ")] == ["bob"]
    asks(talk, "carl", "players chess", "[pbm] players: chess", "Nobody has finished a rated game")


def test_everybody_may_know_a_little_of_a_player(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.mails("ann", f"set ann {talk.password('ann')} name=Annabel")
    talk.any_mail("ann")
    talk.challenge("hex", "ann", "bob")
    mail = asks(talk, "bob", "who ann", "[pbm] ann", "ann (Annabel): here since March 2026")
    assert "Open boards: 1 (all show ann)" in mail.text
    assert "example.org" not in mail.text
    asks(talk, "bob", "who carl", "[pbm] not done: there is no player with that userid", "players")
    asks(talk, "bob", "who", "[pbm] players")
    for line, meant in (
        ("who ann1", "    who ann\n"),
        ("stats ann2", "    stats ann\n"),
        ("rating an", ""),
        ("rating anm", "    rating ann\n"),
        ("block anm", "    block ann\n"),
        ("message anm", "    message ann\n"),
    ):
        talk.proves("bob", line, f"Hello, {meant}!")
        refused = talk.any_mail("bob")
        assert ("did you mean ann?" in refused.text) is bool(meant), refused
        assert meant in refused.text


@pytest.mark.postgresql
def test_how_two_players_have_fared(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    asks(talk, "carl", "stats ann bob", "[pbm] ann against bob", "ann and bob have not finished a")
    is_won(talk, 1, "ann", "bob")
    is_won(talk, 2, "bob", "ann")
    is_won(talk, 3, "bob", "ann")
    asks(
        talk,
        "carl",
        "stats ann bob",
        "[pbm] ann against bob",
        "The last: hex 3, hex 2, hex 1",
        "3 boards, 1 won, 0 tied, 2 lost",
    )
    asks(talk, "bob", "stats ann", "[pbm] bob against ann", "2 won, 0 tied, 1 lost")
    asks(talk, "carl", "stats ann ann", "[pbm] not done: name two players")


def test_ones_own_boards_the_most_urgent_first(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    slow, _ = talk.challenge("hex", "ann", "bob")
    talk.challenge("hex", "bob", "ann")
    talk.challenge("cradle", "ann", "bob", options=" --forfeit=14 --nag=5")
    mail = asks(talk, "ann", f"mine ann {talk.password('ann')}", "[pbm] open boards of ann")
    rows = [line.split() for line in mail.lines if re.match(r" +\d+  ", line)]
    assert [row[0] for row in rows] == ["1", "3", "2"] or [row[0] for row in rows] == [
        "3",
        "1",
        "2",
    ]
    assert " ".join(rows[0][2:5]) == "your move 1"
    assert ", in " in mail.text
    talk.replies(slow, "mine")
    talk.receives("ann", "[pbm] open boards of ann")
    asks(talk, "ann", "mine", "[pbm] not done: the userid is missing", "mine ann PASSWORD")


@pytest.mark.postgresql
def test_the_board_with_the_strongest_players_is_watched(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl", "dora", "eve")
    is_won(talk, 1, "bob", "ann")
    talk.challenge("hex", "bob", "carl")  # bob has won
    talk.challenge("hex", "carl", "dora")
    eve, none = talk.password("eve"), "[pbm] not done: no other board of"
    asks(talk, "eve", f"watch best eve {eve}", "[hex 2] you watch this board")
    asks(talk, "eve", f"hex watch best eve {eve}", "[hex 3] you watch this board")
    asks(
        talk,
        "eve",
        f"watch best eve {eve} hex",
        f"{none} hex is being played",
    )
    asks(
        talk,
        "eve",
        f"watch best eve {eve} chess",
        f"{none} chess is being played",
    )


def test_a_stranger_reads_which_games_there_are(talk: Conversation) -> None:
    talk.mails("zoe", "help")
    mail = talk.receives("zoe", "[pbm] how to play board games by mail", "signup USERID PASSWORD")
    head, _, games = mail.text.partition(" variants of them: ")
    listed = games.partition(".")[0].replace("\n", " ").split(", ")
    assert {"backgammon", "chess", "hex"} <= {*listed}
    assert "atomic" not in listed
    assert int(head.rpartition("The games, and ")[2]) + len(listed) == len(list_game_names())


def test_whom_nobody_knows_is_named_to_a_player(talk: Conversation) -> None:
    """Not what may be a password, nor to whoever has proved nothing."""
    talk.signup("ann", "bob")
    talk.proves("ann", "hex challenge ann nobody")
    talk.receives("ann", "[pbm] not done: there is no player 'nobody'")
    talk.proves("ann", f"hex challenge ann {talk.password('ann')}")
    talk.receives("ann", "[pbm] not done: there is no player with the userid in place 2")
    talk.mails("ann", "hex challenge ann nobody")
    talk.receives("ann", "[pbm] not done: there is no player with the userid in place 2")
