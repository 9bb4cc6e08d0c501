"""The pages of variants: somebody who knows chess can play from the page alone."""

from __future__ import annotations

import json
import random
import re
from functools import partial
from pathlib import Path

import pytest

from pbm.games import get_game
from pbm.games.variants import GAMES
from pbm.rules.chess import read_variants
from pbm.rules.chess.variants.start import read_state
from pbm.rules.chess.variants.variant_game import VariantGame

_CASES = Path(__file__).parents[3] / "shared" / "findings" / "cases" / "games" / "help.jsonl"

_EXAMPLE = re.compile(
    r"(?:new piece|and the square|ends with \+|side is up|stands,|behind the move|written too):? "
    r"([a-lA-Z+O][^ .;]+)"
)
_FACTS = {
    "threecheck": [r"3 checks wins"],
    "karouk": [r"first check wins"],
    "atomic": [r"king that is blown up is lost", r"king may therefore never\s+capture"],
    "kingofthehill": [r"d4, e4, d5 or e5"],
    "crazyhouse": [r"comes back as a pawn", r"of its side, nor\s+where .* promoted: row 8"],
    "racingkings": [r"When white gets there black has\s+one more move"],
    "horde": [r"Black alone castles", r"rows 1 and 2 \(white\)", r"row 1 \(white\) it may not"],
    "makruk": [r"within\s+64 moves", r"16\s+against\s+rook"],
    "asean": [r"16\s+moves\s+by\s+rook"],
    "shogi": [r"rows 7 to 9 \(black\) or rows 1 to\s+3 \(white\)", r"must be\s+promoted\s+where"],
    "torishogi": [r"where the\s+side has 2", r"to the right"],
    "sittuyin": [r"long\s+diagonals.*a8 or h8", r"last pawn may do so anywhere"],
    "janggi": [r"chariot\s+13", r"d1 to f3 \(red\)", r"one\s+point more"],
    "minixiangqi": [r"one diagonally on, not over a man", r"third time is a\s+draw"],
    "grandchess": [r"may\s+also\s+stay", r"rook 2"],
    "spartan": [r"Black: On reaching row 1 the hoplite", r"first move of the hoplite .* row 7 \("],
    "kyotoshogi": [r"\+L, \+N gold general", r"\+S bishop"],
    "dobutsu": [r"the lion may be left", r"legal move loses"],
    "placement": [r"MOVES\. The letter of a\s+piece in hand, @"],
    "extinction": [r"nothing left of one kind"],
    "threekings": [r"Nobody castles", r"fewer than 3 left of the kind king"],
    "synochess": [r"on row 5 \(black\)", r"S@a5"],
    "nocheckatomic": [r"both kings at once has lost"],
    "berolina": [r"50 a\s+draw may be claimed"],
}
"""What somebody needs to know who knows chess alone, by game."""


def _read_probe(game: VariantGame, fen: str) -> VariantGame:
    """The same game from another first position."""
    (probe,) = read_variants(f"[probe:{game.section}]\nstartFen = {fen}\n")
    assert isinstance(probe, VariantGame)
    return probe


def _list_examples(game: VariantGame) -> list[str]:
    page = " ".join(game.write_help(str).split("WRITING MOVES")[1].split("THE END")[0].split())
    return _EXAMPLE.findall(page)


def _write_row(signs: list[str]) -> str:
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), "".join(signs))


def _write_fen(game: VariantGame, move: str) -> str:
    """The first position, changed so that the example can be played in it."""
    state, columns = read_state(game.rules), game.rules.columns
    board, side, hands = list(state.board), "w", "".join(state.hands[0])
    cells = [_find_cell(each, columns) for each in re.findall(r"[a-l][0-9]+", move)]
    if "O-O" in move:
        board[cells[0] + 1] = board[cells[0] + 2] = "."
    elif "@" in move:
        letter = move[move.index("@") - 1]
        held = [at for at in range(2) if letter in state.hands[at]]
        if game.rules.captures_to_hand:
            hands += letter
        elif held == [1]:
            side, hands = "b", letter.lower()
        board[cells[0]] = "."
    elif "/" not in move:
        after = move[-1].upper()
        board[cells[0]], hands = "P", ""
        if game.rules.promotion_limit:
            board = ["." if sign == after else sign for sign in board]
        if game.rules.sittuyin_promotion:
            kings = _find_cell("e1", columns), _find_cell("e8", columns)
            board = ["." if sign in "Pp" else sign for sign in board]
            board[cells[0]] = "P"
            board[kings[0]], board[kings[1]] = "K", "k"
        middle, near = game.rules.rows // 2 * columns, cells[-1] + 1
        if cells[0] != cells[1]:
            board[middle + columns - 1], board[cells[1]] = board[cells[1]], "."
        if game.rules.must_capture:  # nothing tempts the man
            board[middle + columns - 2], board[near] = board[near], "."
    rows = [board[at : at + columns] for at in range(0, len(board), columns)]
    castling = game.rules.start.split()[2] if "/" in move else "-"
    placed = "/".join(map(_write_row, reversed(rows)))
    return f"{placed}{f'[{hands}]' if hands else ''} {side} {castling} - 0 1"


def _find_cell(name: str, columns: int) -> int:
    return (int(name[1:]) - 1) * columns + "abcdefghijkl".index(name[0])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.info.name))
def test_the_examples_of_a_page_can_be_played(game: VariantGame) -> None:
    page = game.write_help(str)
    assert game.card.about.split(maxsplit=1)[0] in page.splitlines()[2]
    assert max(map(len, page.splitlines())) <= 78
    first = game.setup(game.info.players[0])
    for text in re.findall(r"^  > (.+)$", page, re.MULTILINE):
        (seat,) = first.to_move
        assert first.parse(text, seat)[0] in first.legal_moves(seat)
    if game.rules.two_boards:
        return
    for example in _list_examples(game):
        position = _read_probe(game, _write_fen(game, example)).setup(2)
        (seat,) = position.to_move
        assert position.parse(example, seat)[0] in position.legal_moves(seat), position.render()


@pytest.mark.parametrize("name", ["placement", "sittuyin"])
def test_the_example_for_when_all_pieces_stand_can_be_played(name: str) -> None:
    game = get_game(name)
    position, chance = game.setup(2), random.Random(1)
    while any("@" in move for seat in position.to_move for move in position.legal_moves(seat)):
        (seat,) = position.to_move
        position = position.play(seat, chance.choice(position.legal_moves(seat)))
    found = re.search(r"such as\s(\S+):", game.info.help)
    assert found is not None
    assert position.parse(found[1], 0)[0] in position.legal_moves(0)


@pytest.mark.parametrize("name", _FACTS)
def test_a_page_tells_what_its_game_is_about(name: str) -> None:
    (game,) = (each for each in GAMES if each.info.name == name)
    for fact in _FACTS[name]:
        assert re.search(fact, game.write_help(str), re.DOTALL), fact


def test_a_section_says_what_its_game_is_about() -> None:
    told = "Knights rule this board."
    text = f"[noble:chess]\nabout = {told}\nqueen = -\nstartFen = rnb1kbnr/pppppppp/8/8/8/8/"
    (game, child) = read_variants(f"{text}PPPPPPPP/RNB1KBNR w KQkq - 0 1\n[small:noble]\n")
    assert told in game.info.help
    assert told not in child.info.help


@pytest.mark.skipif(not _CASES.is_file(), reason="no findings beside this checkout")
def test_what_players_missed_on_pages_is_there() -> None:
    search = partial(re.search, flags=re.DOTALL)
    pages = {game.info.name: game.write_help(str) for game in GAMES}
    cases = _CASES.read_text().splitlines()
    for case in map(json.loads, cases):
        if case["game"] in pages:
            assert search(case["words"], pages[case["game"]]), case["fact"]


@pytest.mark.parametrize(("name", "is_mated"), [("racingkings", 0), ("karouk", 0), ("atomic", 1)])
def test_mate_is_named_where_there_is_any(name: str, is_mated: int) -> None:
    """Not where no move may give check, nor where the first check wins."""
    assert ("Checkmate wins." in " ".join(get_game(name).info.help.split())) == bool(is_mated)
