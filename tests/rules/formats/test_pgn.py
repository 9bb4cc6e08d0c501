"""PGN as it occurs in practice: what is parsed, what is skipped, and what is refused."""

import pytest

from pbm.rules import RecordError
from pbm.rules.formats import pdn, pgn


def words(text: str) -> list[str]:
    """The moves of the first game."""
    return pgn.read(text).words


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3",
        "1.e4 e5 2.Nf3 *",
        "1. e4 1... e5 2. Nf3 1-0",
        "1 e4 e5 2 Nf3",
        "e4 e5 Nf3",
        "1. e4 $1 e5 $139 2. Nf3 !? +- =",
        "1. e4 {good [%clk 0:03:00] (1. d4) 1-0} e5 ; the rest 1. d4 }\n2. Nf3",
        "% 1. d4\n1. e4\n%\ne5 2. Nf3",
        "1. e4 (1. d4 d5 (1... Nf6 2. c4 1-0) {a ) here} ; and ( here\n) e5 2. Nf3",
        '[Event "x"]\r\n\r\n1. e4 e5\r\n2. Nf3 1/2-1/2\r\n',
        '[Event "x"] [Site "y"]\r1. e4 e5\r2. Nf3',
        "1. e4 e5\t2. Nf3\n\n\n",
        "1. e4$1 e5$6$14 2. Nf3 N \xb1 \u221e 1-0\n\x1a",
        "1 .e4 1\u2026 e5 2 .Nf3",
        "\ufeff1. e4 e5 2. \u2658f3\u200b *",
    ],
)
def test_moves_are_found_among_what_else_there_is(text: str) -> None:
    assert words(text) == ["e4", "e5", "Nf3"]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('[Event "plain"]', "plain"),
        ('[ Event  "with blanks" ]', "with blanks"),
        (r'[Event "a \"b\" \\ c"]', r'a "b" \ c'),
        ('[Event "a "b" c"]', 'a "b" c'),
        ('[Event "[x] {y} ; z"]', "[x] {y} ; z"),
        ('[Event ""]', ""),
        ("[Event 2100]", "2100"),
        ('[Event "\xe9\u0142"]', "\xe9\u0142"),
    ],
)
def test_tags_are_read_as_people_write_them(line: str, value: str) -> None:
    record = pgn.read(f'{line}\n[Site "s"]\n\n1. e4 *')
    assert (record.tags, record.words) == ({"Event": value, "Site": "s"}, ["e4"])


def test_a_tag_may_have_a_name_of_two_words_and_a_byte_order_mark_stand_between_games() -> None:
    text = '[Time Control "60"]\n\n1. e4 1-0\n\n\ufeff[White "b"]\n\n1. d4 0-1\n'
    one, two = pgn.games(text)
    assert (one.tags, one.result) == ({"Time Control": "60"}, "1-0")
    assert (two.tags, two.words, two.result) == ({"White": "b"}, ["d4"], "0-1")


@pytest.mark.parametrize(
    ("end", "result"),
    [
        ("2-0", "1-0"),
        ("12-0", "1-0"),
        ("0-12", "0-1"),
        ("6-6", "1/2-1/2"),
        ("0-0", "*"),
        ("1-0", "1-0"),
        ("9-3", ""),  # which could be a move
    ],
)
def test_draughts_have_padded_squares_and_results_in_points(end: str, result: str) -> None:
    moves = "32-28 17-22 2. 28x17 12x21 3. 37-32  7-12 4. 41-37  1- 7 5. 38x 9"
    record = pdn.read(f'[GameType "20"]\n\n1. {moves} {end}')
    assert record.words[:8][-2:] == ["41-37", "1-7"]
    assert (record.words[8:], record.result) == (["38x9"] + [end] * (not result), result)
    told = pdn.read(f'[GameType "20"]\n[Result "{end}"]\n\n1. {moves} {end}')
    assert told.words[8:] == ["38x9"]


def test_games_follow_each_other_with_tags_or_without() -> None:
    text = (
        '[White "a"]\n\n1. e4 1-0\n\n[White "b"]\n[Black "c"]\n\n0-1\n1. d4 d5 *\n1. c4 1/2\n{end}'
    )
    games = list(pgn.games(text))
    assert [(game.tags, game.words, game.result) for game in games] == [
        ({"White": "a"}, ["e4"], "1-0"),
        ({"White": "b", "Black": "c"}, [], "0-1"),
        ({}, ["d4", "d5"], "*"),
        ({}, ["c4"], "1/2-1/2"),
    ]
    for game in games:
        again = pgn.read(game.text)
        assert (again.tags, again.words, again.result) == (game.tags, game.words, game.result)
    assert list(pgn.games("")) == list(pgn.games("{nothing} ; at all")) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1. e4 {never closed 1-0", "a comment, which begins with {, is not closed"),
        ("1. e4 (1. d4 1-0", "a variation, which begins with (, is not closed"),
        ('1. e4 (1. d4 \n[White "x"]', "a variation, which begins with (, is not closed"),
        ("1. e4 ) e5", "a ) closes no variation"),
        ("1. e4 } e5", "'}' is neither a tag, a comment nor a move"),
        ("[Event 1. e4", "'[' is neither a tag, a comment nor a move"),
        ("", "there is no game in it"),
        ("{ " * 200_000, "a comment, which begins with {, is not closed"),
        ("(" * 200_000, "a variation, which begins with (, is not closed"),
        ('[a "' * 200_000, "'[' is neither a tag, a comment nor a move"),
        ("1. e4 e5 " * 60_000, "a game has at most 100,000 moves"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, why: str) -> None:
    with pytest.raises(RecordError) as told:
        list(pgn.games(text)) or pgn.read(text)
    assert str(told.value) == why


def test_long_words_take_no_time() -> None:
    for sign in "=-!+/(.1":
        word = sign * 300_000 + "x" if sign != "(" else "=" * 300_000
        assert words(f"1. e4 {word}")[0] == "e4"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ('\n[Event "x"]', True),
        ('{a [comment]}\n; and\n%this\n[Event "x"]', True),
        ("1. e4", True),
        ("12 . e4", True),
        ('{"record": 1, "headers": {"Event": "x"}}', False),
        ('[cradle 1] record\n\n{"record": 1}', False),
        ("From: ann@example.org\n", False),
        ("", False),
    ],
)
def test_a_record_is_known_by_its_beginning(text: str, *, is_one: bool) -> None:
    assert pgn.looks_like_record(text) is is_one


def test_pdn_has_results_in_points() -> None:
    record = pdn.read('[GameType "20"]\n[Result "0-2"]\n\n1. 32-28 19-23 0-2')
    assert (record.words, record.result) == (["32-28", "19-23"], "0-1")
    assert record.tags["Result"] == "0-1"


def test_a_fen_of_pdn_names_squares_and_ranges() -> None:
    assert pdn.placement("W:W31-33,K50:B1,2,K3:H0:F1.") == (
        "W",
        frozenset({"W31", "W32", "W33", "WK50", "B1", "B2", "BK3"}),
    )
    with pytest.raises(RecordError, match="too long"):
        pdn.placement("W:W" + "1-999," * 1000)
    assert pdn.placement("") == ("", frozenset())
