"""Records of other programs, changed as programs change them, and noise: what python-chess,
pydraughts, sgfmill and gnubg make of a record is what is read here."""

import random
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import chess
import chess.pgn
import pytest
from draughts import Board as DraughtsBoard
from sgfmill.boards import Board
from sgfmill.sgf import Sgf_game

from pbm.games import get_game
from pbm.rules import RecordError
from pbm.rules.families.two_player import TwoPlayerPosition
from pbm.rules.formats import pgn
from tests.harness import packages
from tools.oracles import gnubg_matches

SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 60))]
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def chess_game(rng: random.Random) -> tuple[list[str], list[str]]:
    """Return the words of a random game, and its moves as python-chess writes them."""
    board, words = chess.Board(), list[str]()
    while len(words) < 40 and not board.is_game_over(claim_draw=False):
        move = rng.choice([*board.legal_moves])
        words.append(board.san(move))
        board.push(move)
    return words, [move.uci() for move in board.move_stack]


def draughts_game(rng: random.Random) -> list[str]:
    """Return the words of a random game of international draughts."""
    board, words = DraughtsBoard("standard"), list[str]()
    while len(words) < 30 and board.legal_moves():
        move = rng.choice(board.legal_moves())
        words.append(move.pdn_move)
        board.push(move)
    return words


def write(rng: random.Random, words: list[str], tags: dict[str, str], figurines: str = "") -> str:
    """Write a record as one of many programs would: tags in any order, numbers, comments, NAGs,
    variations, lines that break anywhere, other ends of lines, junk behind."""
    result = tags["Result"]
    style = rng.choice(("{n}. ", "{n}.", "{n} . ", "{n} .", ""))
    black = rng.choice(("", "{n}...", "{n}... ", "{n}\N{HORIZONTAL ELLIPSIS} "))
    parts = list[str]()
    for at, word in enumerate(words):
        number = (black if at % 2 else style).format(n=at // 2 + 1)
        if figurines and word[0] in "KQRBN" and rng.random() < 0.3:
            word = figurines["KQRBN".index(word[0])] + word[1:]
        parts.append(number + word + rng.choice(("", "", "", "!", "?", "!?", "$1", " $14 $132")))
        parts += rng.choice(
            (
                *[[]] * 6,
                ["{a comment ( of ; all 1-0 sorts}"],
                ["(1. Nf3 {or (so)} (1. -- ; here }\n) 1... d5 1-0)"],
                ["; to the end of the line {(\n"],
                ["\N{PLUS-MINUS SIGN}", "N"],
            )
        )
    blank = rng.choice((" ", "\n", "  ", "\n\n", "\t"))
    body = "".join(
        part + (" " if part.endswith(" ") else rng.choice((" ", blank))) for part in parts
    )
    order = rng.sample([*tags.items()], len(tags))
    blanks = [rng.choice((" ", "	")) for _ in order]
    head = "".join(f'[{n}{b}"{value}"]' + "\n" for b, (n, value) in zip(blanks, order, strict=True))
    before = rng.choice(("", "\ufeff", "% a line\n"))
    text = f"{before}{head}\n{body}{result}"
    text += rng.choice(("", "\n", "\n\n\n", "\n\x1a", "\n \n"))
    return text.replace("\n", rng.choice(("\n", "\r\n", "\r")))


@pytest.mark.parametrize("seed", SEEDS)
def test_chess_is_read_however_it_is_written(seed: int) -> None:
    """python-chess reads the plain record; ours reads it and what was made of it."""
    rng = random.Random(seed)
    words, moves = chess_game(rng)
    tags = {"Event": "a [b] ; {c}", "White": "a", "Black": "b", "Result": rng.choice(RESULTS)}
    plain = " ".join(words)
    judged = chess.pgn.read_game(StringIO(f"{plain} *\n"))
    assert judged is not None
    assert [move.uci() for move in judged.mainline_moves()] == moves
    text = write(rng, words, tags, "♔♕♖♗♘")
    played = get_game("chess").read_record(text)
    expected = get_game("chess").read_record(f"{plain} *").moves
    assert list(played.moves) == list(expected), text
    board = chess.Board()
    for uci, (_, move) in zip(moves, played.moves, strict=True):
        board.push_san("O-O-O" if move == "o-o-o" else "O-O") if move[0] == "o" else (
            board.push_uci(move)
        )
        assert board.move_stack[-1].uci() == uci
    assert played.headers["White"] == "a"
    several = "\n\n".join(text for _ in range(3))
    assert [game.words for game in pgn.games(several)] == [pgn.read(text).words] * 3


@pytest.mark.parametrize("seed", SEEDS)
def test_draughts_are_read_however_they_are_written(seed: int) -> None:
    rng = random.Random(seed)
    words = draughts_game(rng)
    result = rng.choice(("2-0", "0-2", "1-1", "1-0", "*"))
    tags = {"GameType": "20", "White": "a", "Black": "b", "Result": result}
    padded = [re.sub(r"(?<=[-x])([0-9])(?![0-9])", r" \1", word) for word in words]
    text = write(rng, padded, tags)
    played = get_game("internationaldraughts").read_record(text)
    board = DraughtsBoard("standard")
    again = get_game("internationaldraughts").record(played)
    wanted = get_game("internationaldraughts").read_record(
        f'[GameType "20"]\n\n{" ".join(words)} *'
    )
    assert list(played.moves) == list(wanted.moves), (text, again)
    assert len(played.moves) == len(words)
    assert board.fen


@pytest.mark.parametrize("seed", SEEDS)
def test_go_with_variations_is_read_as_sgfmill_reads_it(seed: int) -> None:
    """In some encoding, with brackets in comments, empty variations and passes of both kinds."""
    rng = random.Random(seed)
    charset = rng.choice(("UTF-8", "ISO-8859-1", "UTF-8"))
    game = Sgf_game(size=9, encoding=charset)
    game.root.set("PB", "Jos\xe9")
    game.root.set("RE", rng.choice(("B+R", "W+3.5", "0", "W+T")))
    game.root.set("KM", 6.5)
    position = get_game("go").setup(2, {"size": 9, "komi": 6.5})
    judge, passes = Board(9), 0
    for at in range(40):
        (seat,) = position.to_move
        wants_pass = not passes and rng.random() < 0.05
        moves = [m for m in position.legal_moves(seat) if m != "pass"]
        move = "pass" if wants_pass or not moves else rng.choice(moves)
        passes = passes + 1 if move == "pass" else 0
        if passes == 2:
            break
        node = game.extend_main_sequence()
        point = None
        if move != "pass":
            point = (int(move[1:]) - 1, "abcdefghj".index(move[0]))
            judge.play(*point, "bw"[seat])
        node.set_move("bw"[seat], point)
        if rng.random() < 0.3:
            node.set("C", rng.choice(("a ] and \\ (;B[aa])", "\xe9\n(", "x:y")))
        if rng.random() < 0.2 and node.parent:
            node.parent.new_child().set_move("bw"[seat], (at % 9, at % 7))
        position = position.play(seat, move)
    raw = game.serialise(wrap=rng.choice((None, 40, 79)))
    text = raw.decode(charset)
    if rng.random() < 0.5:
        text = text.replace("B[]", "B[tt]").replace("W[]", "W[tt]")
    text = text.replace("\n", rng.choice(("\n", "\r\n", " \n ")))
    played = get_game("go").read_record(text + rng.choice(("", "\nthe end", "\x1a")))
    assert played.headers["White"] == "Jos\xe9"
    again = get_game("go").setup(2, played.options)
    for seat, move in played.moves:
        again = again.play(seat, move)
    assert isinstance(again, TwoPlayerPosition)
    signs = {None: ".", "b": "X", "w": "O"}
    squares = [signs[judge.get(row, column)] for row in range(9) for column in range(9)]
    assert "".join(squares) == again.board
    assert again.key == position.key


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_is_read_however_it_is_written(seed: int) -> None:
    """By the bar as 25 and off as 0, in narrow columns, in capitals, with comments between."""
    rng = random.Random(seed)
    game = get_game("backgammon")
    played = gnubg_matches.play_match(seed)
    text = game.record(played)
    wanted = game.read_record(text)
    changes: list[Callable[[str], str]] = [
        lambda text: text.replace("bar/", "25/").replace("/off", "/0"),
        lambda text: text.replace("Cannot Move", ""),
        lambda text: text.replace("Doubles", "doubles").replace("Takes", "takes"),
        lambda text: text.replace("\n Game", "\n; a remark\n\n Game"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\n".join(line.rstrip() for line in text.split("\n")) + "\n\n\x1a",
        lambda text: text.replace(" and the match", ""),
    ]
    for change in rng.sample(changes, 4):
        text = change(text)
    again = game.read_record(text)
    assert (list(again.moves), again.outcome) == (list(wanted.moves), wanted.outcome), text
    assert again.outcome == played.outcome


@pytest.mark.parametrize("count", [2, pytest.param(10, marks=pytest.mark.long)])
def test_gnubg_reads_our_matches_and_we_read_those_of_gnubg(count: int) -> None:
    packages.require("gnubg")
    counts = gnubg_matches.compare(count, first=100)
    assert counts["matches"] == count


# Noise

_LIMITED = """
import sys
from pbm.features.records.foreign import ImportTerms, read_games
from pbm.features.records.importing import decode
from pbm.features.records.record import parse_record
from pbm.features.records.foreign import looks_like_record
from pbm.core.refusal import Refusal
from pbm.pairing.trf import read_trf

for skipped in (None, []):
    for name in sys.argv[1:]:
        text, _ = decode(open(name, "rb").read())
        try:
            if looks_like_record(text):
                list(read_games(text, ImportTerms(None, {}, 0.0), skipped))
            else:
                parse_record(text)
        except Refusal as refusal:
            assert len(refusal.text) < 400, refusal.text
        try:
            read_trf(text)
        except ValueError as error:
            assert len(str(error)) < 400, error
print("read")
"""
MIB = 1 << 20
_PIECES = (
    "(", ")", "[", "]", "{", "}", ";", '"', "\\", "\n", " ", "1.", "e4", "*", "$", "%", "0-0", ":",
    '\n[Event "x"]\n', "(;GM[1]", ";B[aa]", "C[", " 5 point match\n", " Game 1\n", "31: 8/5", "1)",
    "; [", " a : 0   b : 0\n", "Wins 1 point", "001", "XXS", "\x00", "\xff", "\ufeff", "-" * 9,
)  # fmt: skip
_HEADS = ("", '[Event "x"]\n', "(;", " 5 point match\n Game 1\n a : 0   b : 0\n", "{", "1. e4 ")


def limit_resources() -> None:
    """Limit this process to a minute of processor time and 1.5 GiB."""
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_AS, (1536 * MIB, 1536 * MIB))


def test_a_million_bytes_of_noise_are_refused_in_bounded_time_and_memory(tmp_path: Path) -> None:
    """Noise of one piece, of a few and of all, behind the beginning of each format; with --skip,
    which goes on behind each error, and without."""
    rng, names = random.Random(5), list[str]()
    for number, head in enumerate(_HEADS * 2):
        size = 1 if number < len(_HEADS) else rng.choice((2, 3, len(_PIECES)))
        pieces = rng.sample(_PIECES, size)
        text = head + "".join(rng.choices(pieces, k=MIB // max(map(len, pieces))))
        path = tmp_path / f"{number}.txt"
        path.write_bytes(text.encode("latin-1", "ignore")[:MIB])
        names.append(str(path))
    bursts = ('[Event "x"]\n{ ', "(;FF[4]C[", " 5 point match\n", "( ", '[a "', "\n", ") ", ";\n")
    for number, burst in enumerate(bursts):
        path = tmp_path / f"burst{number}.txt"
        path.write_text((rng.choice(_HEADS) + burst * MIB)[:MIB])
        names.append(str(path))
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, *names],
        preexec_fn=limit_resources,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("read\n", 0), done.stderr[-2000:]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_record_with_a_few_wrong_bytes_is_read_or_refused_in_a_sentence(seed: int) -> None:
    rng = random.Random(seed)
    match = get_game("backgammon").record(gnubg_matches.play_match(seed))
    words, _ = chess_game(rng)
    texts = {
        "chess": f"{' '.join(words)} 1-0",
        "backgammon": match,
        "go": "(;GM[1]SZ[9]KM[7]RE[B+R];B[aa];W[bb](;B[cc])(;B[dd]))",
        "hex": "(;GM[11]SZ[5]RE[B];B[c3];W[swap-pieces];B[a1])",
    }
    for name, text in texts.items():
        for _ in range(10):
            wrong = list(text)
            for _ in range(rng.choice((1, 1, 3))):
                wrong[rng.randrange(len(wrong))] = rng.choice(_PIECES)
            try:
                said = str(get_game(name).read_record("".join(wrong)).options)
            except RecordError as error:
                said = str(error)
            assert 0 < len(said) < 400
