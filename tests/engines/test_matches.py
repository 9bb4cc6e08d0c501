"""The translations with the engines themselves: whole games by legal moves, which they win."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from pbm.engines.dialogue import Effort
from tests.engines.matches import build_spec, find_engine, play_match

FAIRY = "fairy-stockfish"
GNUGO = "gnugo --mode gtp --chinese-rules --seed 1"
"""Its own seed is the time, and at the lowest level it does not always beat even random moves."""
GNUBG = "gnubg -t -q"


@pytest.mark.parametrize(
    ("protocol", "command", "game", "seat", "options"),
    [
        ("uci", "stockfish", "chess", 0, {}),
        ("uci", "stockfish", "chess960", 1, {}),
        ("uci", FAIRY, "minishogi", 0, {}),
        ("uci", FAIRY, "xiangqi", 1, {}),
        ("uci", FAIRY, "crazyhouse", 0, {}),
        ("uci", FAIRY, "orda", 1, {}),  # which it takes from a file
        ("usi", FAIRY, "minishogi", 1, {}),
        ("ucci", FAIRY, "xiangqi", 0, {}),
        ("xboard", FAIRY, "chess", 1, {}),
        ("xboard", "hoichess", "chess", 0, {}),
        ("xboard", FAIRY, "minishogi", 0, {}),
        ("xboard", FAIRY, "xiangqi", 1, {}),
        pytest.param("gtp", GNUGO, "go", 0, {"size": 7, "komi": 0.5}, marks=pytest.mark.long),
        ("gtp", GNUGO, "go", 1, {"size": 7}),
        pytest.param("gnubg", GNUBG, "backgammon", 0, {}, marks=pytest.mark.long),
    ],
)
def test_an_engine_beats_random_moves(
    protocol: str, command: str, game: str, seat: int, options: dict[str, int]
) -> None:
    name, *arguments = command.split()
    effort = Effort({"gtp": 1, "xboard": 3}.get(protocol), nodes=300, seconds=0.1)
    program = shlex.join([find_engine(name), *arguments])
    spec = build_spec(protocol, program, effort=effort, memory_mib=1024)
    line, outcome = play_match(spec, game, seat, seed=seat + 1, options=options)
    assert outcome.ranks[seat] == 1, (outcome, line.moves)


def test_an_engine_with_other_ideas_of_draughts_agrees_on_every_move() -> None:
    """It plays by the rules of pydraughts, and greedily."""
    command = shlex.join([sys.executable, str(Path(__file__).with_name("hub_engine.py"))])
    line, _ = play_match(build_spec("hub", command), "internationaldraughts", 1, seed=3)
    assert any("x" in move for _, move in line.moves)
