"""English, International, Russian and Turkish draughts: published move counts, captures, crowning,
endings, accepted notations."""

import random
from dataclasses import replace
from typing import Any

import pytest
from draughts import Board, Move
from draughts.PDN import PDNReader

from pbm.games import get_game
from pbm.locale import translate
from pbm.rules import AmbiguousMove, Outcome, Played
from pbm.rules.families.draughts_family import DraughtsGame, DraughtsPosition
from tests.games.classics import after, begun, begun_as, moves, perft, refusal, unplayable_examples
from tests.games.turns import played

ENGLISH, INTERNATIONAL = "draughts", "internationaldraughts"
RUSSIAN, TURKISH = "russiandraughts", "turkishdraughts"


def at(game: str, pieces: str, side: int = 0, **more: Any) -> DraughtsPosition:
    """A position with pieces like `X32 #46 O27`: signs as the picture has them."""
    position = begun_as(DraughtsPosition, game)
    row = ["." if cell in position.geometry.count else " " for cell in range(len(position.board))]
    for piece in pieces.split():
        row[position.geometry.cell_named[piece[1:]]] = piece[0]
    return replace(position, board="".join(row), side=side, **more)


def reason(position: DraughtsPosition) -> tuple[tuple[int, ...], str]:
    assert position.outcome is not None
    return position.outcome.ranks, position.outcome.reason


@pytest.mark.parametrize("game", [ENGLISH, INTERNATIONAL, RUSSIAN, TURKISH])
def test_examples_of_the_help_can_be_played(game: str) -> None:
    assert not unplayable_examples(game)


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        # Aart Bik (aartbik.com/MISC/checkers.html and his BikDam); the Russian and Brazilian counts
        # of the shashki forum, which Rein Halbersma and py-draughts found too.
        (ENGLISH, [7, 49, 302, 1469, 7361]),
        (INTERNATIONAL, [9, 81, 658, 4265]),
        (RUSSIAN, [7, 49, 302, 1469, 7482]),
    ],
)
def test_published_counts(game: str, counts: list[int]) -> None:
    position = begun(game)
    assert [perft(position, depth + 1) for depth in range(len(counts))] == counts


# Captures


def test_english_men_capture_forward_only_and_kings_both_ways() -> None:
    assert sorted(moves(at(ENGLISH, "X15 O11 O32"))) == ["15-18", "15-19"]
    assert moves(at(ENGLISH, "#15 O11 O32")) == ["15x8"]


def test_english_captures_are_free_but_completed() -> None:
    position = at(ENGLISH, "X1 X12 O6 O15 O16")
    assert sorted(moves(position)) == ["12x19", "1x10x19"]
    assert "the capture goes on: 1x10x19" in refusal(position, "1x10")


def test_an_english_man_stops_where_it_is_crowned() -> None:
    position = at(ENGLISH, "X22 O26 O27 O1")
    assert moves(position) == ["22x31"]
    assert after(position, "22x31").board.count("#") == 1


def test_the_last_row_in_the_middle_of_a_capture() -> None:
    # A man that goes on from there: still a man, and a king at once.
    passing = at(INTERNATIONAL, "X14 O9 O8 O30")
    assert moves(passing) == ["14x3x12"]
    assert after(passing, "14x12").board.count("X") == 1
    going_on = at(RUSSIAN, "Xb6 Oc7 Of6 Oa1")
    assert moves(going_on) == ["b6:d8:h4", "b6:d8:g5"]
    assert after(going_on, "b6d8g5").board.count("#") == 1
    sideways = at(TURKISH, "Xa6 Oa7 Ob8 Oh2")
    assert moves(sideways) == ["a6xa8xc8"]
    assert after(sideways, "a6xc8").board.count("#") == 1


def test_the_most_must_be_captured() -> None:
    position = at(INTERNATIONAL, "X32 X35 O27 O28 O17 O8 O30")
    assert moves(position) == ["32x21x12x3"]
    assert "that captures 1, you must capture as many as possible, 3" in refusal(position, "35x24")
    free = at(RUSSIAN, "Xc3 Xh2 Od4 Of6 Og3")
    assert sorted(moves(free)) == ["c3:e5:g7", "h2:f4"]


def test_captured_pieces_stay_until_the_capture_is_complete() -> None:
    # From 12 it would capture 23 too, but 29 behind it, captured already, is still there.
    position = at(INTERNATIONAL, "#20 O29 O27 O17 O23")
    assert moves(position) == ["20x38x21x12", "20x38x21x8", "20x38x21x3"]
    assert after(position, "20x12").board.count("O") == 1


def test_turkish_pieces_leave_at_once_and_kings_do_not_turn_back() -> None:
    assert sorted(moves(at(TURKISH, "#d4 Od6 Od2 Oh8"))) == ["d4xd1", "d4xd7", "d4xd8"]
    assert moves(at(TURKISH, "#a1 Oa4 Od7 Oh2")) == ["a1xa7xh7xh1"]


def test_captures_that_differ_in_the_way_only_are_one_move() -> None:
    position = at(INTERNATIONAL, "X32 O27 O28 O17 O18")
    assert len(moves(position)) == 1
    (move,) = moves(position)
    for play_text in ("32x32", "32x21x32", "32x23x32", "32x23x12x21x32"):
        assert position.parse(play_text, 0) == (move, "")


# What is typed


def test_short_captures_are_taken_where_only_one_fits() -> None:
    position = at(ENGLISH, "X3 O7 O15 O8 O16")
    with pytest.raises(AmbiguousMove, match="3x10x19 or 3x12x19"):
        position.parse("3x19", 0)
    assert position.parse("3x12x19 23-18", 0) == ("3x12x19", "23-18")
    one = at(ENGLISH, "X1 X12 O6 O15 O16")
    assert one.parse("1x19", 0) == ("1x10x19", "")


def test_numbers_and_coordinates_mean_the_same() -> None:
    for game, texts in (
        (ENGLISH, ("11-15", "f6-e5", "F6E5", "11 - 15", "11x15", "11:15")),
        (INTERNATIONAL, ("32-28", "d4-e5", "d4 : e5")),
        (RUSSIAN, ("c3-d4", "22-18", "C3D4", "c3:d4")),
        (TURKISH, ("a3-a4", "41-33")),
    ):
        position = begun(game)
        for text in texts:
            assert position.parse(text, 0) == (texts[0], ""), text
            after(position, text)


def test_refusals() -> None:
    position = begun(ENGLISH)
    assert "the squares go from 1 to 32" in refusal(position, "33-29")
    assert "the dark ones" in refusal(position, "a2-b3")
    assert "is white's, not yours" in refusal(position, "22-18")
    assert "15 is empty" in refusal(position, "15-18")
    assert "5 is not empty" in refusal(position, "1-5")
    assert "one square diagonally forward" in refusal(position, "11-18")
    assert "a move looks like 9-14" in refusal(position, "11")
    assert "there is nothing to capture" in refusal(position, "11x18")
    assert "you must capture: 15x22" in refusal(after(position, "11-15 22-18"), "8-11")
    assert "forward or sideways" in refusal(begun(TURKISH), "d3-d5")
    kings = at(RUSSIAN, "#a1 Xe5 Og7 @h2")
    assert "a piece stands between a1 and h8" in refusal(kings, "a1-h8")
    assert "not on one line" in refusal(kings, "a1-c1")
    assert "one square diagonally" in refusal(at(ENGLISH, "#15 O1"), "15-22")


# Endings


def test_who_cannot_move_loses() -> None:
    over = after(at(ENGLISH, "X15 O18"), "15x22")
    assert reason(over) == ((1, 2), "white has no piece left")
    over = after(at(ENGLISH, "X25 X22 X1 O29"), "1-5")
    assert reason(over) == ((1, 2), "white cannot move")


def test_forty_moves_without_progress_may_be_claimed_and_eighty_end_the_game() -> None:
    position = at(ENGLISH, "#1 @32", idle=78)
    assert after(position, "1-6").claim == ""
    assert "have made 40 moves without" in after(position, "1-6 32-27").claim
    over = after(replace(position, idle=159), "1-6")
    assert reason(over) == ((1, 1), "80 moves of each side without a capture or a man's step")
    assert after(at(ENGLISH, "#1 X5 @32", idle=159), "5-9").idle == 0


def test_moves_of_kings_only() -> None:
    over = after(at(INTERNATIONAL, "#46 X31 @5 @3", idle=49), "46-37")
    assert reason(over) == ((1, 1), "25 moves of each side without a capture or a man's step")
    over = after(at(RUSSIAN, "#a1 Xh2 @f8 Oa7", idle=29), "a1-b2")
    assert reason(over) == ((1, 1), "15 moves of each side without a capture or a man's step")
    over = after(at(TURKISH, "#a1 Xh2 @f8 Ob7", idle=99), "h2-g2")
    assert reason(over) == ((1, 1), "50 moves of each side without a capture or a man's step")


@pytest.mark.parametrize(
    ("game", "pieces", "move", "turns"),
    [
        (INTERNATIONAL, "X7 #47 #48 @25", "7-1", 32),
        (INTERNATIONAL, "X7 X47 X48 @25", "7-1", 32),
        (INTERNATIONAL, "X7 #48 @25", "7-1", 10),
        (INTERNATIONAL, "X7 @25", "7-1", 10),
        (INTERNATIONAL, "X7 #46 #47 #48 @25", "7-1", 0),
        (RUSSIAN, "Xa7 #c1 #e1 @h4", "a7-b8", 30),
        (RUSSIAN, "Xa7 #c1 #e1 #g1 @h4", "a7-b8", 30),
        (RUSSIAN, "Xa7 #c1 @h4", "a7-b8", 10),
        (RUSSIAN, "Xa7 Xc1 #e1 @h4", "a7-b8", 60),
        (RUSSIAN, "Xa7 #e1 @h4 Oh6", "a7-b8", 60),
        (RUSSIAN, "Xa7 Xc1 #e1 @h4 Oh6 Of8", "a7-b8", 120),
        (RUSSIAN, "Xa7 Xc1 #e1 Oh6 Of8", "a7-b8", 0),
        (TURKISH, "Xa7 @h4", "a7-a8", 4),
        (TURKISH, "Xa7 #c1 @h4", "a7-a8", 0),
    ],
)
def test_endgames_of_few_pieces(game: str, pieces: str, move: str, turns: int) -> None:
    position = after(at(game, pieces, turn=50), move)
    assert isinstance(position, DraughtsPosition)
    assert position.until == (51 + turns if turns else 0)
    if turns:
        last = replace(position, turn=position.until - 1)
        over = after(last, next(one for one in moves(last) if "-" in one))
        assert reason(over) == ((1, 1), "this endgame has lasted as long as it may")


def test_a_capture_does_not_make_an_endgame_longer() -> None:
    # Black takes one of three; two against one may last 10 turns, but the 16 moves are up before.
    position = at(INTERNATIONAL, "#46 #47 #28 @5", side=1, turn=60, until=65)
    assert after(position, "5x41").until == 65
    assert after(replace(position, until=90), "5x41").until == 71


def test_a_man_sideways_is_no_progress() -> None:
    assert after(begun_as(DraughtsPosition, TURKISH), "a3-a4 a6-a5").idle == 0
    assert after(at(TURKISH, "Xd4 Oh7"), "d4-c4").idle == 1


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [
        ("en", "White king on d4", "Black kings on f6 and h8"),
        ("de", "Weiße Dame auf d4", "Schwarze Damen auf f6 und h8"),
        ("fr", "Dame blanche en d4", "Dames noires en f6 et h8"),
        ("es", "Dama blanca en d4", "Damas negras en f6 y h8"),
        ("nl", "Witte dam op d4", "Zwarte dammen op f6 en h8"),
    ],
)
def test_a_crowned_man_is_called_as_players_call_it(language: str, one: str, many: str) -> None:
    """Not by the word for the king of chess."""
    words = translate(at(RUSSIAN, "#d4 @f6 @h8").words(0), language)
    assert one in words
    assert many in words


# Records


def kind(game: str) -> DraughtsGame:
    draughts = get_game(game)
    assert isinstance(draughts, DraughtsGame)
    return draughts


def read_by_pydraughts(text: str, variant: str) -> set[str]:
    """The pieces of the last position in pydraughts' notation, like `Wc3` and `BKd4`."""
    game = PDNReader(text).games[0]
    assert game.variant == variant
    board = Board(game.variant)
    for move in game.moves:
        board.push(Move(board, pdn_move=move))
    sides = (side for side in board.fen.split(":")[1:])
    return {side[0] + piece for side in sides for piece in side[1:].split(",") if piece}


@pytest.mark.parametrize(
    ("game", "variant"),
    [(ENGLISH, "english"), (INTERNATIONAL, "standard"), (RUSSIAN, "russian"), (TURKISH, "turkish")],
)
def test_another_program_reads_the_record(game: str, variant: str) -> None:
    rng, position, log = random.Random(5), begun(game), list[tuple[int, str]]()
    while position.to_move and len(log) < 70:
        (seat,) = position.to_move
        log.append((seat, rng.choice(position.legal_moves(seat))))
        position = played(position, *log[-1])
    record = Played(2, {}, log, position.outcome, {"White": 'ann "a"', "Black": "bob"})
    text = kind(game).record(record)
    assert max(map(len, text.splitlines())) <= 78
    assert isinstance(position, DraughtsPosition)
    geometry, board = position.geometry, position.board
    white, black = ("XO", "#@") if game != ENGLISH else ("OX", "@#")
    signs = {white[0]: "W", white[1]: "B", black[0]: "WK", black[1]: "BK"}
    ours = {
        signs[board[c]] + geometry.square_names[c] for c in geometry.squares if board[c] in signs
    }
    assert read_by_pydraughts(text, variant) == ours
    back = kind(game).read_record(text)
    assert (list(back.moves), back.outcome) == (log, position.outcome)
    assert (back.headers["White"], back.headers["Black"]) == ('ann "a"', "bob")
    colour = "Black" if game == ENGLISH else "White"
    assert f'[{colour} "ann \\"a\\""]' in text


def test_a_record_names_the_winner_by_colour_and_shortens_captures() -> None:
    log = [(0, "11-15"), (1, "22-18"), (0, "15x22"), (1, "25x18")]
    for ranks, result in (((1, 2), "0-1"), ((2, 1), "1-0"), ((1, 1), "1/2-1/2")):
        text = kind(ENGLISH).record(Played(2, {}, log, Outcome(ranks, "resigns")))
        assert text.endswith(f"1. 11-15 22-18 2. 15x22 25x18 {result}\n")
    long = at(ENGLISH, "X1 O6 O15")
    assert long.shorten("1x10x19") == "1x19"
    assert at(ENGLISH, "X3 O7 O15 O8 O16").shorten("3x10x19") == "3x10x19"


def test_records_of_others_are_read() -> None:
    text = """[GameType "21"]
[Result "2-0"]

1. 11-15! {the usual} 22-18 (22-17 8-11 (9-13)) 2. f6 x15x22 2-0"""
    with pytest.raises(ValueError, match="move 2: 'f6' is not a move"):
        kind(ENGLISH).read_record(text)
    good = text.replace("f6 x15x22", "15:22 25x18 $1")
    assert [move for _, move in kind(ENGLISH).read_record(good).moves] == [
        "11-15",
        "22-18",
        "15x22",
        "25x18",
    ]
    with pytest.raises(ValueError, match="GameType '21' is not Russian Draughts"):
        kind(RUSSIAN).read_record(text)
    with pytest.raises(ValueError, match="a position of its own"):
        kind(ENGLISH).read_record('[FEN "W:W21:B1"]\n\n1. 21-17')
