"""Variants on two boards with four players: who gets what is captured, whose turn it is, how the
game ends, and that each board is played as Fairy-Stockfish plays it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest

from pbm.games import get_game
from pbm.rules import InvalidMove, Played, Position, RecordError
from pbm.rules.chess import VariantError, read_variants
from pbm.rules.chess.variants.variant_game import TwoBoardPosition
from tools.games.variant_oracle import compare

WHITE_A, BLACK_A, WHITE_B, BLACK_B = range(4)
TWO_BOARDS = "twoBoards = true\ncapturesToHand = false\n"


def play(position: Position, *moves: str) -> TwoBoardPosition:
    """Play moves as people write them."""
    for text in moves:
        (seat,) = position.to_move
        move, rest = position.parse(text, seat)
        assert not rest
        position = position.play(seat, move)
    assert isinstance(position, TwoBoardPosition)
    return position


def begin(fen: str, base: str = "bughouse") -> Position:
    """The first position of a variant whose boards begin so."""
    (game,) = read_variants(f"[own:{base}]\nstartFen = {fen}\n")
    return game.setup()


def list_hands(position: TwoBoardPosition) -> list[str]:
    return [hand for board in position.boards for hand in board.state.hands]


def test_the_boards_take_turns_and_white_begins_on_both() -> None:
    position = get_game("bughouse").setup()
    seats = list[int]()
    for move in ("e4", "d4", "e5", "d5", "Nf3"):
        seats += position.to_move
        position = play(position, move)
    assert seats == [WHITE_A, WHITE_B, BLACK_A, BLACK_B, WHITE_A]
    assert position.seat_names == ("white A", "black A", "white B", "black B")


def test_a_captured_man_keeps_its_colour_and_goes_to_the_partner() -> None:
    position = play(get_game("bughouse").setup(), "e4", "e4", "d5", "d5", "exd5")
    assert list_hands(position) == ["", "", "", "P"]
    assert position.news == ("black B has one more pawn in hand",)
    position = play(position, "exd5", "Qxd5")
    assert list_hands(position) == ["", "P", "P", "P"]
    position = play(position, "P@e4", "Nc3", "Nf3", "P@e6")
    assert list_hands(position) == ["", "", "P", ""]
    assert position.boards[1].board[28] == "p"


def test_a_promoted_man_is_a_pawn_again_and_a_pawn_is_taken_in_passing() -> None:
    promoted = begin("2r1k3/1P6/8/8/8/8/8/4K3[] w - - 0 1")
    promoted = play(promoted, "b8=Q", "Kd1", "Rxb8")
    assert list_hands(promoted) == ["", "", "P", ""]
    passed = begin("4k3/8/8/8/4p3/8/3P4/4K3[] w - - 0 1")
    passed = play(passed, "Ke2", "d4", "Kd7", "exd3")
    assert list_hands(passed) == ["P", "", "", ""]


def test_mate_on_one_board_wins_for_both_partners() -> None:
    position = begin("6k1/5ppp/8/8/8/8/8/R3K3[] w - - 0 1")
    position = play(position, "Kd2", "Ra8#")
    assert position.outcome is not None
    assert position.outcome.ranks == (3, 1, 1, 3)
    assert position.outcome.reason == "black B is checkmated"
    held = begin("6k1/5ppp/8/8/8/8/8/R3K3[n] w - - 0 1")
    assert play(held, "Ra8+").outcome is None


def test_who_resigns_loses_with_the_partner() -> None:
    position = get_game("bughouse").setup().resign(BLACK_B)
    assert position.outcome is not None
    assert (position.outcome.ranks, position.outcome.reason) == ((3, 1, 1, 3), "black B resigns")
    assert position.playing == {BLACK_A, WHITE_B}


def test_koedem_is_won_on_a_board_by_owning_both_kings_there() -> None:
    position = begin("3k4/7p/8/8/8/8/3R4/4K3[] w - - 0 1", "koedem")
    position = play(position, "Rxd8", "Rd5", "h6")
    assert list_hands(position) == ["", "", "", "K"]
    assert {move[:2] for move in position.legal_moves(BLACK_B)} == {"K@"}
    position = play(position, "K@c6", "Rd7", "Ke2", "h5", "Kxd5", "Rd2", "Kd3", "h4", "Kd7")
    position = play(position, "Rd1", "Kd4", "h3", "Kxd4")
    assert position.outcome is not None
    assert position.outcome.ranks == (1, 3, 3, 1)
    assert position.outcome.reason == "white B has no king left"


def test_each_side_sees_its_own_men_below_on_both_boards() -> None:
    position = get_game("bughouse").setup()
    for viewer, (left, right) in {
        None: ("RNBQKBNR", "rnbkqbnr"),
        WHITE_A: ("RNBQKBNR", "rnbkqbnr"),
        BLACK_B: ("RNBQKBNR", "rnbkqbnr"),
        BLACK_A: ("rnbkqbnr", "RNBQKBNR"),
        WHITE_B: ("rnbkqbnr", "RNBQKBNR"),
    }.items():
        lines = [line.split() for line in position.render(viewer).splitlines()]
        (below,) = [line for line in lines[:11] if line[1:9] == list(left)]
        assert "".join(below[11:19]) == right
        lowest: dict[str, tuple[float, int | None]] = {}
        scene = position.scene(viewer)
        at = {place.name: place.centre for place in scene.places}
        for piece in scene.pieces:
            there = (at[piece.place][1], piece.seat)
            lowest[piece.place[0]] = max(lowest.get(piece.place[0], there), there)
        own = (BLACK_A, WHITE_B) if viewer in (BLACK_A, WHITE_B) else (WHITE_A, BLACK_B)
        assert (lowest["a"][1], lowest["b"][1]) == own


def test_the_other_board_may_be_named_but_not_played_on() -> None:
    position = get_game("bughouse").setup()
    for text in ("A: e4", "1A. e4", "a.e2e4", "e4"):
        assert position.parse(text, WHITE_A) == ("e2e4", "")
    with pytest.raises(InvalidMove, match="you play on board A"):
        position.parse("B: e4", WHITE_A)


def test_nothing_is_lost_on_the_way_between_the_boards() -> None:
    dice, position = random.Random(52), get_game("bughouse").setup()
    men = _count_men(play(position))
    positions = list[Position]()
    for _ in range(200):
        if position.outcome:
            break
        (seat,) = position.to_move
        position = position.play(seat, dice.choice(position.legal_moves(seat)))
        positions.append(position)
        now = _count_men(play(position))
        promoted = sum(board.state.under.count("~") for board in play(position).boards)
        assert sum(now.values()) == sum(men.values())
        assert now["P"] + now["p"] == men["P"] + men["p"] - promoted
    assert len(positions) > 60
    assert all(before.turn + 1 == after.turn for before, after in pairwise(positions))


def _count_men(position: TwoBoardPosition) -> Counter[str]:
    """All men on the boards and in the hands."""
    men = Counter[str]()
    for board in position.boards:
        white, black = board.state.hands
        men.update(sign for sign in board.board + white + black.lower() if sign.isalpha())
    return men


def test_a_record_is_written_in_bpgn_and_read_back() -> None:
    game = get_game("bughouse")
    position, moves = game.setup(), list[tuple[int, str]]()
    for text in ("e4", "d4", "e5", "d5", "Bc4", "Nf3"):
        (seat,) = position.to_move
        move, _ = position.parse(text, seat)
        moves.append((seat, move))
        position = position.play(seat, move)
    position = position.resign(BLACK_A)
    text = game.record(Played(4, {}, moves, position.outcome, {"WhiteA": "ann"}, {2: "well"}))
    assert '[WhiteA "ann"]' in text
    assert "1A. e4 1B. d4 {well} 1a. e5 1b. d5 2A. Bc4 2B. Nf3 1-0" in text
    back = game.read_record(text)
    assert list(back.moves) == moves
    assert back.outcome is not None
    assert back.outcome.ranks == (1, 3, 3, 1)
    for bad, why in (("1A. e4 1a. e5 *", "turn"), ("e4 *", "whose move"), ("1A. Ke3 *", "e3")):
        with pytest.raises(RecordError, match=why):
            game.read_record(f'[Variant "Bughouse"]\n\n{bad}\n')


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("capturesToHand = true", "not together with capturesToHand"),
        ("pieceDrops = false", "pieceDrops = true is missing"),
    ],
)
def test_what_is_not_played_on_two_boards_is_refused(key: str, why: str) -> None:
    with pytest.raises(VariantError, match=why) as refused:
        read_variants(f"[two:crazyhouse]\n{TWO_BOARDS}{key}\n")
    assert refused.value.key == "twoBoards"


def test_a_section_of_ones_own_is_played_on_two_boards() -> None:
    (game,) = read_variants(f"[hillhouse:kingofthehill]\npieceDrops = true\n{TWO_BOARDS}")
    assert game.info.players == range(4, 5)
    assert "TWO BOARDS. White on board A and black on board B are partners" in game.info.help


@pytest.mark.parametrize("section", ["bughouse", "supply", "koedem"])
def test_each_board_is_played_as_the_oracle_plays_it(section: str) -> None:
    """`python -m tools.games.variant_oracle 2000` compares more."""
    assert compare(section, 40, seed=7).positions == 40
