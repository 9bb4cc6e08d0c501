"""The chess engine takes further games as rows of data: four unregistered games, each compared move
by move with another program."""

import random
from collections.abc import Callable

import cshogi
import pyffish
import pytest

from pbm.games.chess import KINDS, RULES
from pbm.games.minishogi import GOLD
from pbm.games.minishogi import RULES as MINISHOGI
from pbm.rules.chess.position import ChessLikePosition
from pbm.rules.chess.variant import Kind, Rules

MAKRUK = Rules(
    setup=("rnsmksnr", "." * 8, "p" * 8, *["." * 8] * 2, "P" * 8, "." * 8, "RNSKMSNR"),
    kinds={
        "K": KINDS["K"],
        "R": KINDS["R"],
        "N": KINDS["N"],
        "S": Kind("khon", "FfW"),
        "M": Kind("met", "F"),
        "P": Kind("bia", "fmWfcF", becomes="M"),
    },
    zone=3,
)
CAPABLANCA = Rules(
    setup=("rnabqkbcnr", "p" * 10, *["." * 10] * 4, "P" * 10, "RNABQKBCNR"),
    kinds={
        **KINDS,
        "A": Kind("archbishop", "BN"),
        "C": Kind("chancellor", "RN"),
        "P": Kind("pawn", "fmWfcFifmnD", becomes="ACQRBN"),
    },
    in_passing="P",
    castling=((2, 3), (8, 7)),
)
FOG = Rules(setup=RULES.setup, kinds=KINDS, exposed=True, in_passing="P", castling=RULES.castling)
SHOGI = Rules(
    setup=("lnsgkgsnl", ".r.....b.", "p" * 9, *["." * 9] * 3, "P" * 9, ".B.....R.", "LNSGKGSNL"),
    kinds={
        **{letter: kind for letter, kind in MINISHOGI.kinds.items() if letter != "N"},
        "S": Kind("silver general", "FfW", becomes="A"),
        "A": Kind("promoted silver", GOLD, shown="+S", bare="S"),
        "L": Kind("lance", "fR", becomes="C"),
        "C": Kind("promoted lance", GOLD, shown="+L", bare="L"),
        "N": Kind("knight", "ffN", becomes="E"),
        "E": Kind("promoted knight", GOLD, shown="+N", bare="N"),
    },
    zone=3,
    optional=True,
    drops="*",
    no_mate="P",
    columns="987654321",
    rows="ihgfedcba",
)


pyffish.load_variant_config(
    "[fogged:chess]\nking = -\ncommoner = k\ncastlingKingPiece = k\n"
    "extinctionValue = loss\nextinctionPieceTypes = k\n"
)
"""Chess whose king may be left attacked and is taken, as in dark chess."""


class Any(ChessLikePosition):
    """A position of any of them."""

    __slots__ = ()

    def read(self, word: str) -> str:
        raise NotImplementedError


def first(rules: Rules, rooks: tuple[int, ...] = ()) -> ChessLikePosition:
    kind: type[Any] = type("Row", (Any,), {"__slots__": (), "rules": rules})
    return kind({}, rules.board, rooks=rooks).as_start()


def in_step(
    position: ChessLikePosition,
    moves: Callable[[], dict[str, str]],
    play: Callable[[str], None],
    seed: int,
) -> int:
    """How many moves were legal in all in a random game, the same for both."""
    rng, count = random.Random(seed), 0
    for _ in range(120):
        theirs = moves()
        ours = position.moves()
        assert set(ours) == set(theirs), position.board
        if not ours or position.tables.royal[position.side] not in position.board:
            break
        count += len(ours)
        move = rng.choice(ours)
        play(theirs[move])
        position = position.make_move(move)
    return count


@pytest.mark.parametrize(
    ("variant", "rules", "rooks", "castles"),
    [
        ("makruk", MAKRUK, (), {}),
        (
            "capablanca",
            CAPABLANCA,
            (0, 9, 70, 79),
            {"f1i1": "o-o", "f1c1": "o-o-o", "f8i8": "o-o", "f8c8": "o-o-o"},
        ),
        (
            "fogged",
            FOG,
            (0, 7, 56, 63),
            {"e1g1": "o-o", "e1c1": "o-o-o", "e8g8": "o-o", "e8c8": "o-o-o"},
        ),
    ],
)
def test_a_row_has_the_moves_of_fairy_stockfish(
    variant: str, rules: Rules, rooks: tuple[int, ...], castles: dict[str, str]
) -> None:
    fen, position = [pyffish.start_fen(variant)], first(rules, rooks)

    def theirs() -> dict[str, str]:
        listed = pyffish.legal_moves(variant, fen[-1], [])
        return {_castled(move, fen[-1].split()[0], castles): move for move in listed}

    def play(move: str) -> None:
        fen.append(pyffish.get_fen(variant, fen[-1], [move]))

    assert in_step(position, theirs, play, seed=2) > 100


def _castled(move: str, board: str, castles: dict[str, str]) -> str:
    """A move of theirs as ours: the king's move by two columns or more is castling."""
    if move not in castles:
        return move
    rows = board.split("/")
    row = rows[len(rows) - int(move[1])]
    wide = "".join("." * int(run) if run.isdigit() else run for run in row.replace("10", "*"))
    at = wide.replace("*", "." * 10)["abcdefghij".index(move[0])]
    return castles[move] if at in "Kk" else move


def test_a_row_for_shogi_has_the_moves_of_cshogi() -> None:
    board = cshogi.Board()

    def theirs() -> dict[str, str]:
        listed = (cshogi.move_to_usi(move) for move in board.legal_moves)
        return {move.lower(): move for move in listed}

    assert in_step(first(SHOGI), theirs, board.push_usi, seed=1) > 500
