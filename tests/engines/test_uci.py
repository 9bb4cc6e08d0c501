"""What UCI, USI and UCCI write for positions and moves, and read from answers, line by line."""

from __future__ import annotations

import pyffish
import pytest

from pbm.engines.chess_spelling import find_chess_position, spell_fen, spell_sfen, split_line
from pbm.engines.dialogue import Effort, EngineError, Thought
from pbm.engines.uci import Ucci, Uci, Usi, write_sections
from pbm.games import get_game
from pbm.rules.chess import read_variants
from tests.engines.dialogues import answer, play


def test_a_position_is_sent_with_the_moves_that_can_be_reversed() -> None:
    line = play("chess", "e4", "e5", "Nf3", "Nc6", "Bb5")
    sent, thought = answer(
        Uci().think(line, Effort(nodes=9)),
        "info depth 1 score cp -20 nodes 5 pv a7a6",
        "bestmove a7a6 ponder b5a4",
    )
    assert sent[0] == (
        "position fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
        " moves g1f3 b8c6 f1b5\ngo nodes 9\n"
    )
    assert thought.moves == ("a7a6",)
    assert thought.share is not None
    assert 0.4 < thought.share < 0.5


def test_castling_is_written_as_the_variant_has_it() -> None:
    usual = play("chess", "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5")
    assert answer(Uci().think(usual, Effort()), "bestmove e1g1")[1].moves == ("o-o",)
    shuffled = play("chess960", "518", "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5")
    assert answer(Uci().think(shuffled, Effort()), "bestmove e1h1")[1].moves == ("o-o",)


def test_shogi_is_written_with_its_own_cells_hands_and_drops() -> None:
    line = play("minishogi", "1e1b", "1a1b")
    sent, thought = answer(Usi().think(line, Effort(seconds=1)), "bestmove P*3c")
    assert sent[0].startswith("position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 1e1b 1a1b\n")
    assert sent[0].endswith("\ngo btime 0 wtime 0 byoyomi 1000\n")
    assert thought == Thought(("p*3c",))
    position = find_chess_position(line)
    assert spell_sfen(position) == "rbsg1/4k/5/P4/KGSB1 b Pr 3"
    assert spell_fen(position) == "rbsg1/4k/5/P4/KGSB1[Pr] w - - 0 2"


def test_xiangqi_has_ranks_from_zero_in_ucci_and_from_one_in_uci() -> None:
    line = play("xiangqi", "h2e2")
    sent, thought = answer(Ucci().think(line, Effort(nodes=5)), "bestmove h9g7")
    assert "rnbakabnr/9/1c5c1/p1p1p1p1p" in sent[0]
    assert sent[0].split("\n")[0].endswith("moves h2e2")
    assert thought.moves == ("h9g7",)
    sent, thought = answer(Uci().think(line, Effort(nodes=5)), "bestmove h10g8")
    assert sent[0].split("\n")[0].endswith("moves h3e3")
    assert thought.moves == ("h9g7",)


@pytest.mark.parametrize(
    "says", ["bestmove e2e5", "bestmove", "bestmove (none)", "bestmove resign"]
)
def test_an_answer_that_is_no_legal_move_is_an_error(says: str) -> None:
    with pytest.raises(EngineError):
        answer(Uci().think(play("chess"), Effort()), says)


def test_a_capture_ends_what_can_be_reversed() -> None:
    first, moves = split_line(play("chess", "e4", "d5", "exd5"), Uci().spelling("chess"))
    assert (first.turn, moves) == (3, [])


NAMES = "option name UCI_Variant type combo default chess var chess var 3check var crazyhouse"
PATH = "option name VariantPath type string default <empty>"


def greet(game: str, *options: str) -> str:
    """What an engine with these options is told before a game."""
    first = get_game(game).setup(2)
    return answer(Uci().greet(first, Effort()), *options, "uciok", "readyok")[0][-1]


def test_a_variant_is_chosen_by_the_name_of_the_field_or_from_a_file() -> None:
    assert "UCI_Variant value crazyhouse\n" in greet("crazyhouse", NAMES, PATH)
    assert "UCI_Variant value 3check\n" in greet("threecheck", NAMES)
    told = greet("orda", NAMES, PATH)
    assert "VariantPath value variants.ini\nsetoption name UCI_Variant value pbm-orda\n" in told
    for options in ([NAMES], []):
        with pytest.raises(EngineError, match="it does not play orda"):
            greet("orda", *options)
    with pytest.raises(EngineError, match="it does not play crazyhouse"):
        greet("crazyhouse", "option name Hash type spin")


def test_a_variant_is_shown_from_its_first_position_with_drops_and_castling() -> None:
    line = play("crazyhouse", "e4", "d5", "exd5", "Qxd5", "Nf3", "Qe4+", "Be2", "P@d3")
    sent, thought = answer(Uci().think(line, Effort(nodes=9)), "bestmove P@f6")
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"
    moves = "e2e4 d7d5 e4d5 d8d5 g1f3 d5e4 f1e2 P@d3"
    assert sent[0] == f"position fen {start} moves {moves}\ngo nodes 9\n"
    assert thought.moves == ("P@f6",)
    assert answer(Uci().think(line, Effort()), "bestmove e1g1")[1].moves == ("o-o",)


def test_the_file_for_an_engine_says_the_rules_of_an_operators_section() -> None:
    """The field's own reader makes the same moves of it."""
    _, game = read_variants(
        "[hill:gardner]\nflagPiece = k\nflagRegion = c3\n\n"
        "[last:hill]\nking = k:KN\npieceDrops = true\ncapturesToHand = true\n"
    )
    text = write_sections(game)
    assert text.count("[pbm-last") == 4
    pyffish.load_variant_config(text)
    name, position, line = "pbm-last", game.setup(2), list[str]()
    for move in ("a2a3", "b4a3", "b1a3"):
        theirs = pyffish.legal_moves(name, pyffish.start_fen(name), line)
        assert sorted(theirs) == sorted(position.legal_moves(min(position.to_move)))
        position = position.play(min(position.to_move), move)
        line.append(move)
    assert "P@b3" in position.legal_moves(1) or "P@b2" in position.legal_moves(1)
