"""Chess and Chess960: notation, the rules that are easy to get wrong, every ending, records."""

import io
import random

import chess
import chess.pgn
import pytest

from pbm.games import get_game
from pbm.games.chess import ChessPosition, order_of
from pbm.rules import (
    CHANCE,
    CHANCE_TO_MOVE,
    AmbiguousMove,
    InvalidMove,
    Outcome,
    Played,
    Position,
)
from pbm.rules.chess.position import fen
from tests.games.chesses import perft, position_from_fen
from tests.games.classics import after, begun, begun_as, moves, refusal, unplayable_examples
from tests.games.turns import played


def at(text: str, game: str = "chess") -> ChessPosition:
    """The position of a FEN."""
    first = begun(game, **({"start": 518} if game == "chess960" else {}))
    assert isinstance(first, ChessPosition)
    return position_from_fen(first, text)


def ending(position: Position) -> tuple[tuple[int, ...], str]:
    assert position.outcome is not None
    assert not position.to_move
    assert position.legal_moves(0) == position.legal_moves(1) == ()
    return position.outcome.ranks, position.outcome.reason


# Counts of lines as published on the chess programming wiki

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (START, [20, 400, 8902, 197281]),
        (KIWIPETE, [48, 2039, 97862]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812, 43238]),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            [6, 264, 9467, 422333],
        ),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486, 62379]),
    ],
)
def test_the_lines_are_as_many_as_published(text: str, counts: list[int]) -> None:
    assert [perft(at(text), depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            [21, 528, 12189, 326672],
        ),
        ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", [21, 807, 18002]),
        ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", [20, 479, 10471]),
        ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", [22, 593, 13440]),
    ],
)
def test_the_lines_of_chess960_are_as_many(text: str, counts: list[int]) -> None:
    assert [perft(at(text, "chess960"), depth + 1) for depth in range(len(counts))] == counts


# Notation


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("e4", "e2e4"),
        ("E4", "e2e4"),
        ("e2e4", "e2e4"),
        ("e2-e4", "e2e4"),
        ("E2-E4", "e2e4"),
        ("Pe4", "e2e4"),
        ("e2 - e4", "e2e4"),
        ("e2 e4", "e2e4"),
        ("1. e4!", "e2e4"),
        ("1.e4", "e2e4"),
        ("Nf3", "g1f3"),
        ("nf3", "g1f3"),
        ("Ng1-f3", "g1f3"),
        ("NF3", "g1f3"),
        ("N f3", "g1f3"),
        ("Nf3!?", "g1f3"),
        ("e4.", "e2e4"),
    ],
)
def test_a_first_move_may_be_written_in_many_ways(typed: str, move: str) -> None:
    assert begun("chess").parse(typed, 0) == (move, "")


def test_a_line_is_read_move_by_move() -> None:
    position = begun("chess")
    assert position.parse("1. e4 e5 2. Nf3", 0) == ("e2e4", "e5 2. Nf3")
    assert after(position, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O").turn == 7
    taken = after(position, "1. e4 a6 2. e5 d5")
    assert taken.parse("exd6 e.p. Bd6", 0) == ("e5d6", "Bd6")
    assert taken.parse("exd6ep", 0) == taken.parse("ed6", 0) == ("e5d6", "")
    assert taken.describe(0, "e5d6") == "exd6"


@pytest.mark.parametrize("typed", ["O-O", "0-0", "o-o", "OO", "00", "O-O+", "e1g1", "Kg1", "e1h1"])
def test_castling_may_be_written_in_many_ways(typed: str) -> None:
    position = at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert position.parse(typed, 0) == ("o-o", "")
    assert position.parse("0-0-0", 0) == position.parse("Kc1", 0) == ("o-o-o", "")
    assert position.describe(0, "o-o") == "O-O"


@pytest.mark.parametrize("typed", ["e8=Q", "e8q", "e8(Q)", "e8/Q", "e7e8=q", "e7-e8Q", "e8 = Q"])
def test_promotions_may_be_written_in_many_ways(typed: str) -> None:
    position = at("8/4P3/8/8/k7/8/8/K7 w - - 0 1")
    assert position.parse(typed, 0) == ("e7e8q", "")
    assert position.describe(0, "e7e8q") == "e8=Q+"


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        *[(word, "d1d5") for word in ("Dd5", "Dxd5", "D1d5", "Dame nach d5", "Queen takes d5")],
        *[(word, "f1e2") for word in ("Le2", "Fe2", "Ae2", "Läufer e2", "bishop to e2", "Fou e2")],
        *[(word, "g1f3") for word in ("Sf3", "Cf3", "Springer nach f3", "Knight f3", "Paard f3")],
        *[(word, "g1f3") for word in ("Caballo a f3", "cavalier en f3", "paard naar f3")],
        *[(word, "d1d5") for word in ("Dame schlägt d5", "dame prend d5", "dama toma d5")],
        *[(word, "h1h5") for word in ("Th5", "Turm h5", "rook h1 to h5")],
        *[(word, "a7a8n") for word in ("a8S", "a8=C", "A7-a8S", "pawn a8N", "Bauer a8S")],
        *[(word, "a7a8q") for word in ("a8=D", "A7a8Q")],
        ("castles queenside", "o-o-o"),
        ("castle long", "o-o-o"),
        ("E4", "e3e4"),
        ("Exf4", "e3f4"),
    ],
)
def test_letters_and_names_of_other_languages_are_read_where_one_move_fits(
    typed: str, move: str
) -> None:
    castles = "6k1/8/8/8/8/8/8/R3KBNR w Q - 0 1"
    position = at(castles if "o-o" in move else "6k1/P7/8/3p4/5p2/4P3/8/3QKBNR w K - 0 1")
    assert position.parse(typed, 0) == (move, "")


def test_a_letter_that_may_be_another_languages_is_not_guessed() -> None:
    position = at("4k3/8/8/4p3/3P4/8/8/3QK2R w K - 0 1")
    assert position.parse("Rg1", 0) == ("h1g1", "")
    assert refusal(position, "Re2").endswith("Did you mean Ke2?")
    assert refusal(position, "castling") == "castling: on which side? Send O-O or O-O-O"
    dutch = at("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1")
    assert refusal(dutch, "Pf3").endswith("Did you mean Nf3?")
    queen = at("4k3/8/8/4p3/3P4/8/8/3QK3 w - - 0 1")
    assert queen.parse("Dxe5", 0) == ("d4e5", "")
    two = at("4k3/8/8/4p3/3P4/8/4Q3/4K3 w - - 0 1")
    assert refusal(two, "Dxe5") == "Dxe5: which one? Send dxe5 (d4e5) or Qxe5 (e2e5)"


def test_what_a_pawn_becomes_is_asked() -> None:
    position = at("8/4P3/8/8/k7/8/8/K7 w - - 0 1")
    with pytest.raises(AmbiguousMove) as told:
        position.parse("e8", 0)
    assert str(told.value) == (
        "e8: promotion to what? Send e8=Q (e7e8q), e8=R (e7e8r), e8=B (e7e8b) or e8=N (e7e8n)"
    )


def test_a_small_b_is_a_pawn_or_a_bishop_and_asked_when_both_are_legal() -> None:
    both = at("4k3/8/8/8/8/2n5/1P1B4/4K3 w - - 0 1")
    assert refusal(both, "bxc3") == "bxc3: which one? Send bxc3 (b2c3) or Bxc3 (d2c3)"
    assert both.parse("Bxc3", 0) == ("d2c3", "")
    assert both.parse("b2xc3", 0) == ("b2c3", "")
    assert at("4k3/8/8/8/8/2n5/P2B4/4K3 w - - 0 1").parse("bxc3", 0) == ("d2c3", "")
    assert at("4k3/8/8/8/8/2n5/1P6/4K3 w - - 0 1").parse("BXC3", 0) == ("b2c3", "")


def test_two_pieces_are_told_apart() -> None:
    position = at("4k3/8/8/8/R7/8/8/R2NKN2 w - - 0 1")
    assert refusal(position, "Ne3") == "Ne3: which one? Send Nde3 (d1e3) or Nfe3 (f1e3)"
    assert position.parse("Nde3", 0) == position.parse("nde3", 0) == ("d1e3", "")
    assert position.describe(0, "a1a2") == "R1a2"
    queens = at("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1")
    assert queens.describe(0, "h4e1") == "Qh4e1"
    assert queens.parse("Qh4e1", 0) == ("h4e1", "")


@pytest.mark.parametrize(
    ("text", "typed", "why"),
    [
        (START, "e5", "e5: the pawn on e2 cannot go to e5"),
        (START, "f3e4", "f3e4: f3 is empty"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", "d5: no pawn of yours can go to d5"),
        (START, "Nd4", "Nd4: no knight of yours can go to d4"),
        (START, "knight takes d4", "Nd4: no knight of yours can go to d4"),
        (START, "turm nach a3", "Ra3: no rook of yours can go to a3"),
        (START, "e3e4", "e3e4: e3 is empty"),
        (START, "e7e5", "e7e5: the piece on e7 is black's, not yours"),
        (START, "Ra2", "Ra2: your own piece stands on a2"),
        (
            START,
            "O-O",
            "O-O: something stands between, or the king would pass or reach an attacked square",
        ),
        ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", "Nc3: your king would be in check"),
        ("4r1k1/8/8/8/8/8/3N4/4K3 w - - 0 1", "Nb3", "Nb3: you are in check"),
        ("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "O-O: not out of check"),
        (
            "6k1/8/8/8/8/8/8/4K2R w - - 0 1",
            "O-O",
            "O-O: the king or that rook has moved, or the rook is gone",
        ),
        (START, "hello", "'hello' is not a move; a move looks like Na3 or b1a3"),
    ],
)
def test_a_refusal_says_why(text: str, typed: str, why: str) -> None:
    assert refusal(at(text), typed) == why


@pytest.mark.parametrize(
    ("game", "typed", "move"),
    [
        ("threecheck", "knight to f3", "g1f3"),
        ("threecheck", "caballo a f3", "g1f3"),
        ("crazyhouse", "bauer e2 nach e4", "e2e4"),
        ("janggi", "horse to c3", "b1c3"),
        ("xiangqi", "cannon h2 to e2", "h2e2"),
        ("xiangqi", "soldier to e4", "e3e4"),
        ("shogi", "gold f1 to f2", "f1f2"),
        ("minishogi", "gold to 4d", "4e4d"),
    ],
)
def test_men_of_variants_are_read_by_their_names(game: str, typed: str, move: str) -> None:
    assert begun(game).parse(typed, 0) == (move, "")


@pytest.mark.parametrize(
    ("game", "typed", "why"),
    [
        ("capablanca", "archbishop to e4", "'Ae4': no archbishop of yours can go to e4"),
        ("xiangqi", "cannon to e2", "ce2: which one? Send C8=5 (b2e2) or C2=5 (h2e2)"),
        ("xiangqi", "horse e2", "he2: no horse of yours can go to e2"),
        ("threecheck", "castle short", "'castleshort': castling is not possible now"),
    ],
)
def test_a_refusal_of_a_variant_names_the_man(game: str, typed: str, why: str) -> None:
    assert refusal(begun(game), typed) == why


def test_only_the_canonical_spelling_is_played() -> None:
    with pytest.raises(InvalidMove, match="'Nf3' is written g1f3"):
        begun("chess").play(0, "Nf3")


def test_moves_are_written_as_python_chess_writes_them() -> None:
    rng = random.Random(5)
    for game, order in (("chess", None), ("chess960", 77), ("chess", None)):
        position: Position = begun(game, **({} if order is None else {"start": order}))
        board = chess.Board() if order is None else chess.Board.from_chess960_pos(order)
        while position.to_move:
            assert isinstance(position, ChessPosition)
            assert fen(position) == board.fen(en_passant="legal").replace(
                board.castling_xfen(), fen(position).split()[2]
            )
            move = rng.choice(moves(position))
            said = position.describe(position.side, move)
            theirs = board.parse_san(said)
            assert board.san(theirs) == said
            assert position.parse(said, position.side) == (move, "")
            position = position.play(position.side, move)
            board.push(theirs)


@pytest.mark.parametrize("game", ["chess"])
def test_the_examples_of_the_help_can_be_played(game: str) -> None:
    assert unplayable_examples(game, games=2) == set()


# Endings


def test_checkmate_wins() -> None:
    over = after(begun("chess"), "f3 e5 g4 Qh4#")
    assert ending(over) == ((2, 1), "white is checkmated")
    assert after(begun("chess"), "f3 e5 g4").describe(1, "d8h4") == "Qh4#"


def test_stalemate_is_a_draw() -> None:
    over = after(at("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1"), "Qg6")
    assert ending(over) == ((1, 1), "stalemate: black has no legal move")


@pytest.mark.parametrize(
    ("text", "is_dead"),
    [
        ("7k/8/8/8/8/8/1q6/K7 w - - 0 1", True),
        ("7k/8/8/8/8/8/1q6/K1N5 w - - 0 1", True),
        ("7k/8/8/8/8/8/1q6/K1B5 w - - 0 1", True),
        ("7k/8/8/8/6b1/8/1q6/K7 w - - 0 1", True),
        ("5b1k/8/8/8/8/8/1q6/K1B5 w - - 0 1", True),
        ("6bk/8/8/8/8/8/1q6/K1B5 w - - 0 1", False),
        ("6nk/8/8/8/8/8/1q6/K1B5 w - - 0 1", False),
        ("6nk/8/8/8/8/8/1q6/K1N5 w - - 0 1", False),
        ("7k/8/8/8/8/8/1q5P/K7 w - - 0 1", False),
    ],
)
def test_it_is_a_draw_when_nobody_can_mate(text: str, *, is_dead: bool) -> None:
    over = after(at(text), "Kxb2")
    board = chess.Board(text)
    board.push_san("Kxb2")
    assert board.is_insufficient_material() == is_dead
    if is_dead:
        assert ending(over) == ((1, 1), "neither side has enough material to mate")
    else:
        assert over.outcome is None


def test_the_fifth_time_is_a_draw_and_the_third_a_claim() -> None:
    position = begun("chess")
    keys = [position.key]
    for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * 4:
        assert position.outcome is None
        position = after(position, move)
        keys.append(position.key)
    assert [keys[: n + 1].count(keys[0]) for n in (0, 4, 8, 12, 16)] == [1, 2, 3, 4, 5]
    assert ending(position) == ((1, 1), "the position occurred for the fifth time")


def test_a_position_is_not_the_same_with_other_moves_possible() -> None:
    line = "e4 Nf6 e5 d5"
    passed = after(begun("chess"), line)
    assert after(passed, "Nf3 Ng8 Ng1 Nf6").key != passed.key, "taking in passing is over"
    castles = at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert after(castles, "Ra2 Ra7 Ra1 Ra8").key != castles.key, "castling is lost"
    same = at("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1")
    assert after(same, "Ra2 Ra7 Ra1 Ra8").key == same.key


def test_a_pawn_that_nobody_can_take_in_passing_makes_no_difference() -> None:
    assert fen(begun_as(ChessPosition, "chess")).split()[3] == "-"
    assert fen(after(begun_as(ChessPosition, "chess"), "e4")).split()[3] == "-"
    line = after(begun_as(ChessPosition, "chess"), "e4 a6 e5 d5")
    assert fen(line).split()[3] == "d6"
    pinned = at("4r2k/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    assert fen(after(pinned, "d5")).split()[3] == "-"


def test_fifty_moves_are_a_claim_and_seventy_five_a_draw() -> None:
    position = at("7k/8/8/8/8/8/R7/K7 w - - 98 80")
    assert position.claim == after(position, "Ra3").claim == ""
    claim = "each side has made fifty moves without a capture or a pawn move"
    assert after(position, "Ra3 Kg8").claim == claim
    late = after(at("7k/8/8/8/8/8/R7/K7 w - - 148 120"), "Ra3")
    assert late.outcome is None
    assert ending(after(late, "Kg8")) == (
        (1, 1),
        "75 moves of each side without a capture or a pawn move",
    )
    mate = at("7k/8/6K1/8/8/8/R7/8 w - - 149 120")
    assert ending(after(mate, "Ra8")) == ((1, 2), "black is checkmated"), "mate comes first"
    pawn = at("7k/8/8/8/8/8/R6P/K7 w - - 149 120")
    assert after(pawn, "h3").outcome is None


# Chess960


def test_every_order_is_the_one_of_its_number() -> None:
    for number in range(960):
        theirs = chess.Board.from_chess960_pos(number).fen().split("/")[7].split()[0]
        assert order_of(number) == theirs
    assert order_of(518) == "RNBQKBNR"


def test_the_order_is_drawn_by_the_server() -> None:
    first = begun_as(ChessPosition, "chess960")
    assert first.to_move == CHANCE_TO_MOVE
    assert first.chance is not None
    assert len(first.chance.outcomes) == 960
    assert first.legal_moves(0) == ()
    drawn = played(first, CHANCE, "959")
    assert drawn.board[:8] == "RKRNNQBB"
    assert drawn.to_move == {0}
    assert drawn.encode().replace('"start":959', "") == begun(
        "chess960", start=959
    ).encode().replace('"start":959', "")
    left = first.resign(0)
    assert ending(left) == ((2, 1), "white resigns")


@pytest.mark.parametrize(
    ("text", "typed", "board"),
    [
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "O-O-O", "2KR4"),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "5RK1"),
        ("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", "Kc1", "2KR3R"),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "0-0", "5RK1"),
    ],
)
def test_castling_of_chess960_ends_where_that_of_chess_does(
    text: str, typed: str, board: str
) -> None:
    position = after(at(text, "chess960"), typed)
    assert fen(position).split()[0].split("/")[7] == board


def test_castling_is_refused_when_the_rook_covered_the_king() -> None:
    # After b1c1 and a1d1... the rook of a1 no longer stands between the king and the queen.
    position = at("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "chess960")
    assert "o-o-o" not in moves(position)


# Records


def random_game(
    game: str, seed: int, order: int | None = None
) -> tuple[Played, list[str], ChessPosition]:
    """A random game and its moves in words."""
    rng, words, log = random.Random(seed), list[str](), list[tuple[int, str]]()
    position = begun_as(ChessPosition, game)
    if order is not None:
        log.append((CHANCE, str(order)))
        position = played(position, CHANCE, str(order))
    while position.to_move and len(log) < 200:
        (seat,) = position.to_move
        log.append((seat, rng.choice(position.legal_moves(seat))))
        words.append(position.describe(*log[-1]))
        position = played(position, *log[-1])
    outcome = Outcome((1, 2), "black resigns")
    headers = {"Event": "A game", "White": "ann", "Black": "bob", "Date": "2026.03.02"}
    return Played(2, position.options, log, outcome, headers), words, position


@pytest.mark.parametrize(("game", "order"), [("chess", None), ("chess960", 5)])
def test_another_program_reads_the_record(game: str, order: int | None) -> None:
    record, words, position = random_game(game, 3, order)
    text = get_game(game).record(record)
    assert max(map(len, text.splitlines())) <= 78
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    assert not theirs.errors
    assert theirs.headers["Event"] == "A game"
    assert (theirs.headers["White"], theirs.headers["Result"]) == ("ann", "1-0")
    board = theirs.end().board()
    assert board.board_fen() == fen(position).split()[0]
    assert board.chess960 == (game == "chess960")
    assert len(list(theirs.mainline_moves())) == len(words)


def test_a_record_of_another_program_is_read() -> None:
    _, words, position = random_game("chess", 8)
    game = chess.pgn.Game({"White": "A [B] C", "Result": "1-0"})
    node: chess.pgn.GameNode = game
    for number, word in enumerate(words):
        aside = node.board()
        node = node.add_main_variation(node.board().parse_san(word))
        if number % 7 == 0:
            node.comment = "a move (1. e4) with [a tag]"
            node.nags.add(chess.pgn.NAG_GOOD_MOVE)
            other = node.parent.add_variation(next(iter(aside.legal_moves)))
            other.comment = "not ; played"
    back = get_game("chess").read_record(str(game))
    assert back.headers["White"] == "A [B] C"
    assert back.outcome is not None
    assert back.outcome.ranks == (1, 2)
    ours: Position = begun("chess")
    for (seat, move), said in zip(back.moves, words, strict=True):
        assert ours.describe(seat, move) == said
        ours = ours.play(seat, move)
    assert ours == position


def test_the_example_is_written_out_where_its_notation_has_two_readings() -> None:
    """bxc6 is a pawn's capture, and without regard to capitals a bishop's too."""
    position = at("2b2k2/prBp4/2p5/PPP2p1p/1P5P/4r2N/4P1B1/1Q3RK1 w - - 0 36")
    assert position.suggest(0) == "b5xc6"
    assert at("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").suggest(0) == "e4"
