"""Reading PGN and PDN: records of other programs become the moves that were played, and records
written here are read back unchanged."""

import random
from pathlib import Path

import chess
import chess.pgn
import pyffish
import pytest
from draughts import Board, Move
from draughts.PDN import PDNWriter

from pbm.games import get_game, list_game_names
from pbm.games.chess import ORDERS, order_of
from pbm.rules import CHANCE, AmbiguousMove, Outcome, Played, Position, RecordError
from tools.oracles.minishogi_oracle import named as minishogi
from tools.oracles.xiangqi import named as xiangqi

PGN = ("chess", "chess960", "darkchess", "minishogi", "xiangqi")
PDN = {
    "draughts": "english",
    "internationaldraughts": "standard",
    "russiandraughts": "russian",
    "turkishdraughts": "turkish",
}


def at_random(name: str, seed: int, most: int) -> tuple[Position, list[tuple[int, str]]]:
    """A random game: its last position and its moves, the server's included."""
    rng, position, log = random.Random(seed), get_game(name).setup(2), list[tuple[int, str]]()
    while position.to_move and len(log) < most:
        (seat,) = position.to_move
        log.append((seat, rng.choice(position.legal_moves(seat))))
        position = position.play(*log[-1])
    return position, log


def refusal(name: str, text: str) -> str:
    """Why a record is refused."""
    with pytest.raises(RecordError) as told:
        get_game(name).read_record(text)
    return str(told.value)


@pytest.mark.parametrize("name", [*PGN, *PDN])
def test_what_is_written_here_is_read_back(name: str) -> None:
    game = get_game(name)
    for seed, ranks in enumerate([(1, 2), (2, 1), (1, 1), None]):
        position, log = at_random(name, seed, 60)
        outcome = position.outcome or (ranks and Outcome(ranks, "agreed"))
        headers = {"White": 'the "first"', "Black": "second"}
        text = game.record(Played(2, position.options, log, outcome, headers))
        back = game.read_record(text)
        assert list(back.moves) == [(seat, move) for seat, move in log if seat != CHANCE]
        assert (back.outcome and back.outcome.ranks) == (outcome and outcome.ranks)
        assert (back.headers["White"], back.headers["Black"]) == ('the "first"', "second")
        again: Position = game.setup(2, back.options)
        for seat, move in back.moves:
            again = again.play(seat, move)
        assert again.picture() == position.picture()
        assert game.record(back) == text


def test_games_without_such_records_say_so() -> None:
    assert refusal("cradle", "1. e4") == "records of Cradle cannot be read"
    assert [name for name in list_game_names() if get_game(name).is_recorded({})] == ["chess"]


@pytest.mark.parametrize("order", [None, 0, 356, 518, 959])
def test_what_python_chess_writes_is_read(order: int | None) -> None:
    """With variations, comments and marks; castling by the letters KQkq, or those of the rooks."""
    rng = random.Random(order)
    for shredder in (False, True):
        board = chess.Board() if order is None else chess.Board.from_chess960_pos(order)
        game = chess.pgn.Game({"White": "a", "Black": "b", "Result": "*"})
        game.setup(board)
        if shredder and order is not None:
            game.headers["FEN"] = board.shredder_fen()
        node: chess.pgn.GameNode = game
        while len(board.move_stack) < 90 and not board.is_game_over(claim_draw=False):
            moves = list(board.legal_moves)
            node.add_variation(rng.choice(moves), comment="an idea (1. e4 1-0) [x]")
            node = node.add_main_variation(rng.choice(moves), nags=[rng.choice([1, 2, 13, 142])])
            board.push(node.move)
        played = get_game("chess" if order is None else "chess960").read_record(str(game))
        assert played.options == ({} if order is None else {"start": order})
        ours = []
        for uci, (_, move) in zip(board.move_stack, played.moves, strict=True):
            is_long = move == "o-o-o"
            ours.append(move if not move.startswith("o") else ("O-O", "O-O-O")[is_long])
            assert move == uci.uci() or move.startswith("o")
        replay = chess.Board() if order is None else chess.Board.from_chess960_pos(order)
        for move in ours:
            replay.push_san(move) if move[0] == "O" else replay.push_uci(move)
        assert replay == board


def test_a_small_b_in_a_record_is_a_pawn() -> None:
    """A player would be asked which; the standard leaves no doubt."""
    line = "1. b4 e6 2. Bb2 c5 3. Bd4 a6 4."
    for word, move in (("bxc5", "b4c5"), ("bxc5!?", "b4c5"), ("Bxc5", "d4c5"), ("bxc5+", "b4c5")):
        assert get_game("chess").read_record(f"{line} {word} *").moves[-1] == (0, move)
    position = get_game("chess").setup(2)
    for word in line.split():
        if not word.endswith("."):
            (seat,) = position.to_move
            position = position.play(seat, position.parse(word, seat)[0])
    with pytest.raises(AmbiguousMove):
        position.parse("bxc5", 0)


@pytest.mark.parametrize(
    ("name", "theirs", "style"),
    [
        ("minishogi", minishogi, pyffish.NOTATION_SHOGI_HODGES),
        ("xiangqi", xiangqi, pyffish.NOTATION_XIANGQI_WXF),
    ],
)
def test_what_fairy_stockfish_writes_is_read(name: str, theirs: object, style: int) -> None:
    rng, fen = random.Random(3), pyffish.start_fen(name)
    moves, position = list[str](), fen
    for _ in range(40):
        legal = pyffish.legal_moves(name, position, [])
        if not legal:
            break
        moves.append(rng.choice(legal))
        position = pyffish.get_fen(name, position, moves[-1:])
    words = pyffish.get_san_moves(name, fen, moves, False, style)
    body = " ".join(word if n % 2 else f"{n // 2 + 1}. {word}" for n, word in enumerate(words))
    text = f'[Variant "{name.title()}"]\n[FEN "{fen}"]\n\n{body} *\n'
    played = get_game(name).read_record(text)
    assert [move for _, move in played.moves] == [theirs(move) for move in moves]  # type: ignore[operator]


@pytest.mark.parametrize(("name", "variant"), PDN.items())
def test_what_pydraughts_writes_is_read(name: str, variant: str, tmp_path: Path) -> None:
    rng, board = random.Random(4), Board(variant)
    while len(board.move_stack) < 25:
        board.push(rng.choice(board.legal_moves()))
    tags = {"White": "w", "Black": "b", "Result": "1-0"}
    text = PDNWriter(str(tmp_path / "a.pdn"), board, tags=tags, game_ending="1-0").pdn_text
    assert "[FEN " in text
    played = get_game(name).read_record(text)
    assert len(played.moves) == len(board.move_stack)
    first = "b" if name == "draughts" else "w"
    assert played.headers["White"] == first
    assert played.outcome is not None
    assert played.outcome.ranks == ((2, 1) if name == "draughts" else (1, 2))
    again = Board(variant)
    words = get_game(name).record(played).partition("1. ")[2].split()
    for word in [w for w in ["1.", *words][1:-1] if not w.endswith(".")]:
        again.push(Move(again, pdn_move=word))
    assert again.fen == board.fen


# What is refused


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("chess", "1. e4 e5 2. Nd4 *", "white's move 2: Nd4: no knight of yours can go to d4"),
        ("chess", "1. e4 Ke7 *", "black's move 1: Ke7: your own piece stands on e7"),
        (
            "chess",
            "1. e4 -- 2. d4 *",
            "black's move 1: '--' is not a move; a move looks like a5 or a7a5",
        ),
        (
            "chess",
            "1. f3 e5 2. g4 Qh4# 3. a3",
            "move 3: 'a3' comes when the game is over: white is checkmated",
        ),
        (
            "chess",
            "1. f3 e5 2. g4 Qh4# 1-0",
            "the result is 1-0, but the moves end otherwise: white is checkmated",
        ),
        ("chess", '[Result "1-0"]\n1. e4 0-1', "the tag Result says 1-0, the end of the moves 0-1"),
        ("chess", '[Result "won"]\n1. e4 *', "'won' is no result; one is 1-0, 0-1, 1/2-1/2 or *"),
        (
            "chess",
            '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n1. e4',
            "the game begins with a position of its own (FEN), not the first one",
        ),
        (
            "chess",
            '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w kq - 0 1"]\n1. e4',
            "the game begins with a position of its own (FEN), not the first one",
        ),
        (
            "chess",
            '[FEN ""]\n1. e4',
            "the game begins with a position of its own (FEN), not the first one",
        ),
        ("chess", '[Variant "Antichess"]\n1. e4', "Variant 'Antichess' is not Chess"),
        ("chess", '[GameType "21"]\n1. e4', "GameType '21' is not Chess"),
        (
            "chess960",
            '[FEN "x/y"]\n1. e4',
            "the tag FEN shows none of the 960 orders that pieces begin in",
        ),
        (
            "chess",
            "1. N\xe9 *",
            "white's move 1: 'N\xe9' is not a move; a move looks like Na3 or b1a3",
        ),
        ("chess", "1. e4e5 *", "white's move 1: e4e5: e4 is empty"),
        (
            "chess960",
            '[FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"]\n1. e4',
            "the game begins with a position of its own (FEN), not the first one",
        ),
        ("draughts", "1. 11-15 11-15 *", "white's move 1: 11-15: 11 is empty"),
        (
            "draughts",
            '[FEN "W:W21:B1"]\n1. 21-17',
            "the game begins with a position of its own (FEN), not the first one",
        ),
        ("draughts", '[GameType "25"]\n1. c3-d4', "GameType '25' is not English Draughts"),
        (
            "xiangqi",
            "1. C2=5 C2=5 2. H5=5 *",
            "red's move 2: h5=5: no move of yours is H5=5; you "
            "have no horse on your column 5, counted from your right",
        ),
        ("minishogi", "1. P-5c P-5c *", "white's move 1: p-5c: the pawn on 1b cannot go to 5c"),
    ],
)
def test_a_refusal_names_the_move_and_what_is_wrong(name: str, text: str, why: str) -> None:
    assert refusal(name, text) == why


def test_every_order_of_chess960_is_found_by_its_fen() -> None:
    game = get_game("chess960")
    for number in range(0, ORDERS, 7):
        row = order_of(number)
        fen = f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row} w KQkq - 0 1"
        assert game.read_record(f'[FEN "{fen}"]\n\n1. a4 *').options == {"start": number}
