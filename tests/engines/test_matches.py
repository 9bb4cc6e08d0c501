"""The translations with the engines themselves: whole games by legal moves, which they win."""

from __future__ import annotations

import pytest

from tests.engines.matches import build_spec, find_program, play_match


@pytest.mark.parametrize(
    ("protocol", "program", "game"),
    [
        ("uci", "stockfish", "chess"),
        ("uci", "stockfish", "chess960"),
        ("uci", "fairy-stockfish", "minishogi"),
        ("uci", "fairy-stockfish", "xiangqi"),
        ("usi", "fairy-stockfish", "minishogi"),
        ("ucci", "fairy-stockfish", "xiangqi"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_an_engine_beats_random_moves(protocol: str, program: str, game: str, seat: int) -> None:
    spec = build_spec(protocol, find_program(program))
    line, outcome = play_match(spec, game, seat, seed=seat + 1)
    assert outcome.ranks[seat] == 1, (outcome, line.moves)
