"""Chess variants as data: what a file may say, what is refused, and that the shelf is played as
Fairy-Stockfish plays it."""

from __future__ import annotations

import io
import random
from pathlib import Path

import chess.pgn
import chess.variant
import pytest

from pbm.games import find_name, get_game
from pbm.games.variants import CARDS
from pbm.pictures.board_picture import draw_lesson
from pbm.rules import Position
from pbm.rules.chess import VariantError, read_variants
from pbm.rules.chess.variants.men_tables import SLOTS
from pbm.rules.chess.variants.moves_in_betza import read_betza
from pbm.rules.chess.variants.reader import DISPLAY, KEYS, TEXT, UNPLAYED, read_rules, read_shelf
from pbm.rules.chess.variants.sections import LONGEST_LINE, MOST_CHARACTERS, MOST_SECTIONS
from pbm.rules.chess.variants.variant_game import read_variant_file
from pbm.rules.errors import IllegalMove
from pbm.rules.outcome import Played
from pbm.rules.testing import check
from tools.games.sampling import SAMPLE
from tools.games.variant_oracle import compare
from tools.games.variant_perft import PUBLISHED, Count, count

SEVERAL = (
    "atomic",
    "cambodian",
    "chak",
    "chess",
    "crazyhouse",
    "grasshopper",
    "janggi",
    "kyotoshogi",
    "losers",
    "makruk",
    "placement",
    "racingkings",
    "seirawan",
    "shogi",
    "sittuyin",
    "spartan",
    "synochess",
    "torishogi",
)
"""Sections that use every rule of the shelf."""

REFUSED = {
    "[a:chess]\nfrobnicate = 1": ("a", "frobnicate", "a key that does not exist"),
    "[a:nothing]\ncastling = false": ("a", "", "there is no [nothing]"),
    "[a:a]\ncastling = false": ("a", "", "there is no [a]"),
    "[a:b]\ncastling = false\n[b:a]\n": ("a", "", "[b] stands below it"),
    "[a:xiangqi]\nmaxRank = 5": ("a", "chasingRule", "[xiangqi]"),
    "[a:chess]\nwallingRule = duck": ("a", "wallingRule", "'duck' is not played here"),
    "[a:chess]\ncastling = maybe": ("a", "castling", "is not true or false"),
    "[a:chess]\nmaxRank = 11": ("a", "maxRank", "is not a row from 1 to 10"),
    "[a:chess]\nmaxFile = m": ("a", "maxFile", "is not a column"),
    "[a:chess]\nnMoveRule = many": ("a", "nMoveRule", "is not a number"),
    "[a:chess]\nflagRegion = z9": ("a", "flagRegion", "z9"),
    "[a:chess]\nstalemateValue = maybe": ("a", "stalemateValue", "is not one of win, loss, draw"),
    "[a:chess]\npromotionPieceTypes = xq": ("a", "promotionPieceTypes", "has x"),
    "[a:chess]\npromotionLimit = q:x": ("a", "promotionLimit", "no number"),
    "[a:chess]\npromotedPieceType = q=r": ("a", "promotedPieceType", "not a list of pairs"),
    "[a:chess]\nrook = rook": ("a", "rook", "letter of the piece"),
    "[a:chess]\nrook = r:RF": ("a", "rook", "use a customPiece"),
    "[a:chess]\ncustomPiece1 = x": ("a", "customPiece1", "has no moves"),
    "[a:chess]\ncustomPiece1 = x:XY": ("a", "customPiece1", "X is no move"),
    "[a:chess]\ncustomPiece1 = x:R1R2R3R4R5R6R7R8B1B2B3B4B5B6B7B8N": (
        "a",
        "customPiece1",
        "more than 16 ways",
    ),
    "[a:chess]\ncustomPiece1 = x:gN": ("a", "customPiece1", "can hop"),
    "[a:chess]\ncustomPiece26 = x:W": ("a", "customPiece26", "does not exist"),
    "[a:chess]\nking = k:gQ": ("a", "king", "cannot hop"),
    "[a:chess]\nblastOnCapture = true": ("a", "blastOnCapture", "a king cannot explode"),
    "[a:chess]\nseirawanGating = true": ("a", "seirawanGating", "gating = true is missing"),
    "[a:chess]\nstartFen = 8/8 w": ("a", "startFen", "2 rows, and the board has 8"),
    "[a:chess]\nstartFen = kK6/8/8/8/8/8/8/x7 w": ("a", "startFen", "x is no piece"),
    "[a:chess]\nstartFen = KK6/8/8/8/8/8/8/k7 w": ("a", "startFen", "more than one king"),
    "[a:chess]\nstartFen = 99999999999/8/8/8/8/8/8/8 w": ("a", "startFen", "columns"),
    "[a:chess]\nstartFen = k7/8/8/8/8/8/8/8 w": ("a", "startFen", "white has no legal move"),
    "[a:chess]\nstartFen = 6rk/8/8/8/8/8/5PPP/q5K1 w": ("a", "startFen", "white is checkmated"),
    "[a:chess]\nstartFen = 7K/5k2/6q1/8/8/8/8/8 w": ("a", "startFen", "stalemate"),
    "[a:horde]\nstartFen = 4k3/8/8/8/8/8/8/8 b": ("a", "startFen", "over before the first move"),
    "[a]\ncastling = false": ("a", "", "it has no pieces"),
    "[a:chess]\njust words": ("a", "", "is not key = value"),
    "[a:chess]\n[a:chess]": ("a", "", "it is there twice"),
    "[a b:chess:c]\n": ("", "", "no head of a section"),
    "castling = false": ("", "", "before the first [section]"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_understood_is_refused_with_section_and_key(text: str) -> None:
    section, key, why = REFUSED[text]
    with pytest.raises(VariantError) as refused:
        read_variants(text)
    assert (refused.value.section, refused.value.key) == (section, key)
    assert why in str(refused.value), refused.value
    assert "\n" not in str(refused.value)


def test_a_hostile_file_is_read_in_bounded_time() -> None:
    deep = "[s0:chess]\n" + "".join(f"[s{n}:s{n - 1}]\n" for n in range(1, MOST_SECTIONS))
    rules, faults = read_rules(deep)
    assert (len(rules), faults) == (MOST_SECTIONS, [])
    for text in (
        "x" * (MOST_CHARACTERS + 1),
        deep + "[one:chess]\n[more:chess]\n",
        "[a:chess]\nstartFen = " + "8/" * LONGEST_LINE,
        "[a:chess]\ncustomPiece1 = x:" + "fF" * 1500,
        "[a:chess]\n" + "".join(f"k{'x' * (n % 50)}{n} = 1\n" for n in range(500)),
        "[a:chess]\nstartFen = " + "[" * 400,
        "\0\n[a]",
    ):
        with pytest.raises(VariantError):
            read_variants(text)


def test_a_piece_that_moves_in_one_way_many_times_moves_once() -> None:
    assert read_betza("RpR" * 60) == read_betza("RpR")


def test_noise_in_a_file_is_a_fault_or_a_game() -> None:
    dice, sections = random.Random(52), TEXT.split("\n[")[1:]
    for _ in range(150):
        text = list("[" + dice.choice(sections))
        for _ in range(dice.randrange(1, 8)):
            text[dice.randrange(10, len(text))] = dice.choice("[]:=*-+/\n0123456789aekpQN~\u00e9 ")
        try:
            games, faults = read_variant_file("".join(text))
        except VariantError as fault:  # the file as a whole
            games, faults = [], [fault]
        assert all(len(str(fault)) < 300 for fault in faults)
        assert all(game.info.help for game in games)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("section", SEVERAL)
def test_moves_checks_and_endings_are_those_of_the_oracle(section: str) -> None:
    """`python -m tools.games.variant_oracle 2000` compares the whole shelf, and more."""
    assert compare(section, 25, seed=5).positions == 25


@pytest.mark.parametrize("one", [one for one in PUBLISHED if one.lines < 13_000], ids=str)
def test_published_numbers_of_lines(one: Count) -> None:
    """`python -m tools.games.variant_perft` counts the others."""
    assert count(one) == one.lines


def test_a_king_in_hand_is_not_dropped_into_check() -> None:
    (game,) = read_variants(
        "[late:chess]\npieceDrops = true\nmustDrop = true\nmustDropType = k\n"
        "startFen = k7/8/8/8/8/8/r7/8[K] w - - 0 1\n"
    )
    moves = game.setup(2).legal_moves(0)
    assert "K@c3" in moves
    assert not {"K@b2", "K@a1", "K@b7"} & set(moves)


def test_full_hands_and_counts_fit_below_a_picture() -> None:
    (game,) = read_variants(
        "[full:crazyhouse]\ncheckCounting = true\n"
        "startFen = 4k3/8/8/8/8/8/8/4K3[QRRBBNNPPPPPPPPqrrbbnnpppppppp] w - - 3+3 0 1\n"
    )
    text = game.setup(2).render()
    assert max(map(len, text.splitlines())) <= 78
    assert "black B B N N P P P P P P P P Q R R" in " ".join(text.split())


SHARED: dict[str, type[chess.Board]] = {
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "atomic": chess.variant.AtomicBoard,
    "antichess": chess.variant.AntichessBoard,
    "kingofthehill": chess.variant.KingOfTheHillBoard,
    "racingkings": chess.variant.RacingKingsBoard,
    "horde": chess.variant.HordeBoard,
    "threecheck": chess.variant.ThreeCheckBoard,
}


@pytest.mark.parametrize("name", SHARED)
def test_a_record_is_read_by_the_field_and_back(name: str) -> None:
    """python-chess reads our PGN move by move, and we read what it writes of it."""
    dice, position = random.Random(name), get_game(name).setup(2)
    moves = list[tuple[int, str]]()
    while position.outcome is None and len(moves) < 70:
        seat = min(position.to_move)
        moves.append((seat, dice.choice(position.legal_moves(seat))))
        position = position.play(*moves[-1])
    game = get_game(name)
    text = game.record(Played(2, {}, tuple(moves), position.outcome, {}))
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    assert theirs.errors == []
    board = theirs.end().board()
    assert isinstance(board, SHARED[name])
    assert len(board.move_stack) == len(moves)
    assert board.board_fen().replace("~", "") == _find_board(position)
    again = game.read_record(str(theirs))
    assert list(again.moves) == moves


@pytest.mark.parametrize("name", [*SAMPLE, "shogi", "sittuyin", "torishogi", "microshogi"])
def test_moves_and_records_are_read_as_they_are_written(name: str) -> None:
    """Every legal move, in the notation of the field and canonically, whether or not it promotes or
    gives check."""
    dice, game = random.Random(name), get_game(name)
    position, moves = game.setup(), list[tuple[int, str]]()
    while position.outcome is None and len(moves) < 60:
        seat = min(position.to_move)
        legal = position.legal_moves(seat)
        for move in dice.sample(legal, min(4, len(legal))):
            for written in (move, position.describe(seat, move)):
                assert position.parse(written, seat) == (move, ""), position.render()
        moves.append((seat, dice.choice(legal)))
        position = position.play(*moves[-1])
    record = game.record(Played(position.players, {}, moves, position.outcome, {}))
    assert list(game.read_record(record).moves) == moves


def test_a_capital_is_a_piece_and_a_small_letter_may_be_a_pawn() -> None:
    position = get_game("nocastle").setup(2)
    for move in ("b2b4", "a7a6", "b4b5", "c7c5", "b5c6", "d7c6", "b1c3", "e7e6"):
        position = position.play(min(position.to_move), move)
    assert position.parse("Bb2", 0)[0] == "c1b2"
    for word in ("Bd5", "Bxd5"):  # which only the knight can reach
        with pytest.raises(IllegalMove, match="no bishop of yours can go to d5"):
            position.parse(word, 0)


_CASTLES = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R{} w KQkq - 0 1"
_WIDE = "r4k3r/pppppppppp/10/10/10/10/PPPPPPPPPP/R4K3R w KQkq - 0 1"
_CAPTURE = "4k5/10/10/2n7/1P8/10/10/4K1B3 w - - 0 1"


@pytest.mark.parametrize(
    ("base", "fen", "typed", "move"),
    [
        *[("crazyhouse", _CASTLES.format("[]"), word, "o-o") for word in ("e1g1", "Kg1", "e1h1")],
        *[("atomic", _CASTLES.format(""), word, "o-o-o") for word in ("e1c1", "e1-c1", "Kc1")],
        *[("capablanca", _WIDE, word, "o-o") for word in ("f1i1", "Ki1", "0-0")],
        ("modern", "1nb1k4/9/2b6/9/9/9/9/9/4K4 b - - 0 1", "B9d8", "c9d8"),
        ("euroshogi", "4k3/8/8/8/8/8/3G2R1/3GK3[-] w - - 0 1", "G2e2", "d2e2"),
        ("threekings", "k6k/8/8/K6k/8/8/5K2/5K2 w - - 0 1", "K1g1", "f1g1"),
        ("janggi", "4k4/9/9/9/9/9/9/3A5/4K4/3A5 w - - 0 1", "A3e3", "d3e3"),
        ("nocastle", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "E2e4", "e2e4"),
        *[("capablanca", _CAPTURE, f"{word} (b4c5)", "b4c5") for word in ("bxc5", "Bxc5")],
        ("capablanca", _CAPTURE, "Bxc5 (g1c5)", "g1c5"),
        ("capablanca", _CAPTURE, "Bxc5", "g1c5"),
    ],
)
def test_a_move_of_a_variant_is_read_as_in_chess(
    base: str, fen: str, typed: str, move: str
) -> None:
    (game,) = read_variants(f"[own:{base}]\nstartFen = {fen}\n")
    position = game.setup()
    assert position.parse(typed, min(position.to_move)) == (move, "")


@pytest.mark.parametrize("name", ["atomic", "giveaway"])
def test_a_refusal_calls_the_king_a_king(name: str) -> None:
    with pytest.raises(IllegalMove, match="the king on e1 cannot go there"):
        get_game(name).setup(2).parse("e1e3", 0)


def test_pictures_show_how_pieces_move() -> None:
    lessons = get_game("orda").list_lessons()
    scene = lessons[1].scene
    assert lessons[1].caption.startswith("A (archer): like a knight, without capturing")
    assert scene is not None
    there = {piece.place: piece.seat for piece in scene.pieces}
    marked = {place for mark in scene.marks for place in mark.places}
    assert there.pop("d4") == 0
    assert set(there) == {"a1", "b2", "c3", "e5", "f6", "g7", "a7", "b6", "c5", "e3", "f2", "g1"}
    assert marked - set(there) == {"b3", "b5", "c2", "c6", "e2", "e6", "f3", "f5"}
    hops = get_game("janggi").list_lessons()[0].scene
    assert hops is not None
    assert {place for mark in hops.marks for place in mark.places} == {"a4", "d1", "d7", "g4"}
    assert "</svg>" in draw_lesson(get_game("orda"), 2)


def test_a_game_is_found_by_the_name_of_its_section() -> None:
    assert [name for name, card in CARDS.items() if find_name(name) != card.name] == []


PAGE = Path(__file__).parents[3] / "docs" / "authors" / "variants.md"


@pytest.mark.long
def test_the_authors_page_has_every_key_and_ten_examples_that_play() -> None:
    page = PAGE.read_text()
    keys = {*KEYS, *UNPLAYED, *DISPLAY, *SLOTS} - {f"customPiece{n}" for n in range(2, 25)}
    assert [key for key in keys if f"`{key}`" not in page] == []
    examples = page.split("## Ten examples")[1].split("```")[1::2]
    games = read_variants("\n".join(examples))
    assert len(games) == 10
    for game in games:
        assert check(game, games=1, moves=40) > 0


def _find_board(position: Position) -> str:
    """The board of a position in FEN, without hands and marks of promotion."""
    fen = getattr(position, "fen")  # noqa: B009 (what only positions of the family have)
    return str(fen).split()[0].partition("[")[0].replace("~", "")


def test_the_shelf_says_where_each_section_comes_from() -> None:
    page = (Path(__file__).parents[3] / "docs" / "rules" / "variants.md").read_text()
    bases = {"chess", "minishogi", "breakthrough"}
    missing = [name for name in read_shelf() if f"\n| {name} |" not in page and name not in bases]
    assert missing == []
