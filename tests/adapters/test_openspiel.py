"""Games of OpenSpiel on our shelf: they conform, and play as OpenSpiel does."""

from __future__ import annotations

import contextlib
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbm.cli import cli
from pbm.rules import CHANCE, IllegalMove
from pbm.rules.testing import check, choose
from tests.docs.markdown import ROOT

pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed: pip install 'pbm-server[openspiel]'"
)

from pbm.adapters.openspiel import OpenSpielError, adapt, load_spiel

GAMES = ("tic_tac_toe", "connect_four", "go(board_size=5)", "pig", "mancala", "hex(board_size=4)")


@pytest.mark.parametrize("text", GAMES)
def test_a_game_conforms(text: str) -> None:
    assert check(adapt(text), games=3, moves=30) > 20


def test_dice_are_asked_of_chance_as_likely_as_they_are() -> None:
    """OpenSpiel's backgammon rolls two dice at once: a double is half as likely."""
    position = adapt("backgammon").setup()
    assert position.to_move == {CHANCE}
    assert position.chance is not None
    outcomes = position.chance.outcomes
    counts = sorted(outcomes.count(roll) for roll in set(outcomes))
    assert counts[0] * 2 == counts[-1] or len(set(counts)) == 1
    after = position.play(CHANCE, outcomes[0])
    assert after.to_move <= {0, 1}


def test_a_game_is_played_as_openspiel_plays_it() -> None:
    rng, text = random.Random(1), "connect_four"
    for _ in range(5):
        position, state = adapt(text).setup(), load_spiel(text).new_initial_state()
        while position.to_move:
            seat, move = choose(position, rng)
            assert seat == state.current_player()
            legal = {
                state.action_to_string(seat, one).lower(): one for one in state.legal_actions()
            }
            assert set(position.legal_moves(seat)) == set(legal)
            state.apply_action(legal[move])
            position = position.play(seat, move)
        assert state.is_terminal()
        assert position.outcome is not None
        winners = {seat for seat, won in enumerate(state.returns()) if won == max(state.returns())}
        assert set(position.outcome.winners) == winners


def test_moves_are_typed_as_openspiel_writes_them() -> None:
    position = adapt("tic_tac_toe").setup()
    assert position.parse("X(1,1)", 0) == ("x(1,1)", "")
    with pytest.raises(IllegalMove, match="'hello' is no move here; a move looks like x"):
        position.parse("hello", 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nosuch", "OpenSpiel has no game 'nosuch'"),
        ("kuhn_poker", "kuhn_poker hides something"),
        ("matrix_rps", "matrix_rps is not played in turn"),
        ("go(board_size=x)", "OpenSpiel refuses"),
        ("nfg_game", "OpenSpiel refuses"),
        ("yacht", "yacht has rolls of more than 1000 outcomes"),
        ("catch", "catch is for 1 player$"),
        ("stones_and_gems", "stones_and_gems rolls its own dice"),
    ],
)
def test_what_cannot_be_played_here_is_refused(text: str, reason: str) -> None:
    with pytest.raises(OpenSpielError, match=reason):
        adapt(text)


def test_a_package_of_such_a_game_is_three_lines(tmp_path: Path) -> None:
    folder = str(tmp_path / "pond")
    words = ["new-game", "pond", "--openspiel", "breakthrough(rows=5,columns=4)"]
    done = CliRunner().invoke(cli, [*words, "--folder", folder])
    assert done.exit_code == 0
    assert '"pbm-server[openspiel]>=' in (tmp_path / "pond/pyproject.toml").read_text()
    shown = CliRunner().invoke(cli, ["check-game", folder, "--games", "2", "--moves", "10"])
    assert shown.output == "Pond: nothing found in 2 random games (seed 0)\n"
    tried = CliRunner().invoke(cli, ["try", "openspiel:tic_tac_toe"], input="x(1,1)\nquit\n")
    assert "player 1: x(1,1)" in tried.output


def test_no_package_is_written_of_a_game_that_cannot_be_played(tmp_path: Path) -> None:
    words = ["new-game", "pond", "--openspiel", "nosuch", "--folder", str(tmp_path / "pond")]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 1
    assert "OpenSpiel has no game 'nosuch'" in done.output
    assert not (tmp_path / "pond").exists()


def test_the_page_lists_the_games_that_can_be_played() -> None:
    """Every game that OpenSpiel registers is adapted or refused, never an exception."""
    import pyspiel

    playable = set()
    for name in pyspiel.registered_names():
        with contextlib.suppress(OpenSpielError):
            adapt(name)
            playable.add(name)
    page = (ROOT / "docs/authors/openspiel.md").read_text(encoding="utf-8")
    table = page.partition("| game of OpenSpiel")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([a-z_]+)`", table)) == playable
