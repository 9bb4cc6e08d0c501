"""What UCI, USI and UCCI write for positions and moves, and read from answers, line by line."""

from __future__ import annotations

import pytest

from pbm.engines.chess_spelling import find_chess_position, spell_fen, spell_sfen, split_line
from pbm.engines.dialogue import Effort, EngineError, Thought
from pbm.engines.uci import Ucci, Uci, Usi
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
