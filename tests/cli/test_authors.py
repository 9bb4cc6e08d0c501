"""The authors' kit at the terminal: a new package, playing it, checking it."""

from __future__ import annotations

import itertools
import json
import os
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbm.cli import cli
from pbm.cli.authors.check_game import GameSource
from pbm.cli.authors.new_game import SkeletonError, Wishes, render_package, write_package
from pbm.cli.authors.try_game import Trial
from pbm.games import get_game, list_faults
from pbm.rules import MoveError
from pbm.rules.testing import find_faults
from tests.harness.packages import Packages
from tests.harness.shell import Shell, Terminal

_KINDS = list(itertools.product((False, True), repeat=3))
SKELETONS = [
    Wishes("plainsquares", "Plain Squares"),
    Wishes("plainhexagons", "Plain Hexagons", "hexagons"),
    *(
        Wishes(f"{shape}{number}", f"{shape.title()} {number}", shape, 2, 3, dice, hands, sealed)
        for shape in ("squares", "hexagons", "track")
        for number, (dice, hands, sealed) in enumerate(_KINDS)
    ),
]


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, words, input=typed, catch_exceptions=False)


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    """The package of a new game with hidden hands on hexagons."""
    folder = tmp_path / "pbm-harbour"
    wishes = Wishes("harbour", "Harbour", "hexagons", 2, 3, has_hands=True)
    write_package(wishes, folder)
    return folder


@pytest.mark.parametrize("wishes", SKELETONS, ids=lambda wishes: wishes.name)
def test_every_skeleton_conforms_at_once(wishes: Wishes, tmp_path: Path) -> None:
    write_package(wishes, tmp_path / "game")
    game = GameSource(str(tmp_path / "game")).find()
    assert game.info.title == wishes.title
    assert [one.explain() for one in find_faults(game, games=2, moves=8)] == []


def test_a_package_has_what_a_game_needs(harbour: Path) -> None:
    files = {str(path.relative_to(harbour)) for path in harbour.rglob("*") if path.is_file()}
    assert files == {
        "pyproject.toml",
        "README.md",
        "rules.md",
        "pbm_harbour.py",
        "tests/test_harbour.py",
    }
    rules = (harbour / "rules.md").read_text()
    assert "HIDDEN. You are dealt two places" in rules


def test_new_game_says_what_to_do_next(tmp_path: Path) -> None:
    folder = str(tmp_path / "pond")
    done = run("new-game", "pond", "--dice", "--players", "2-4", "--folder", folder)
    assert done.exit_code == 0
    assert f"To play it: pbm try {folder}" in done.output
    assert run("check-game", folder, "--games", "3", "--moves", "20").exit_code == 0
    again = run("new-game", "pond", "--folder", folder)
    assert again.exit_code == 2
    assert "exists already" in again.output


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("chess", r"there is a game called chess already \(pbm help chess\)"),
        ("undo", "the name undo is taken by a word of the command language"),
        ("Go-Moku", "a game is named with 2 to 20 letters and digits"),
    ],
)
def test_a_name_that_no_server_would_take(name: str, cause: str, tmp_path: Path) -> None:
    with pytest.raises(SkeletonError, match=cause):
        write_package(Wishes(name, name), tmp_path / "game")


@pytest.mark.parametrize("title", ['The "Pond"', "Pond\\", "Pond\n", "L\u00e9vy"])
def test_a_title_that_python_would_not_read_is_refused(title: str, tmp_path: Path) -> None:
    done = run("new-game", "pond", "--title", title, "--folder", str(tmp_path / "pond"))
    assert done.exit_code == 2
    assert "type printable ASCII" in done.output
    assert not (tmp_path / "pond").exists()


@pytest.mark.parametrize("players", ["1", "2-5", "4-2", "two", "2-", "-3"])
def test_a_number_of_players_that_cannot_be_is_refused(players: str, tmp_path: Path) -> None:
    done = run("new-game", "pond", f"--players={players}", "--folder", str(tmp_path / "pond"))
    assert done.exit_code == 2
    assert f"{players} is no number of players: type one from 2 to 4, or two such as" in done.output


def test_new_game_asks_at_a_terminal(shell: Shell) -> None:
    """What cannot be read is asked again; the answers choose the skeleton."""
    with closing(Terminal(shell, "new-game", "Lagoon", "--no-dice")) as terminal:
        terminal.until("The board (squares, hexagons, track) [squares]: ")
        terminal.type("triangles\n")
        terminal.until("[squares]: ")
        terminal.type("hexagons\n")
        terminal.until("How many play (2, or 2-4) [2]: ")
        terminal.type("7\n")
        terminal.until("7 is no number of players: type one from 2 to 4, or two such as 2-4")
        terminal.until("How many play (2, or 2-4) [2]: ")
        terminal.type("2-3\n")
        terminal.until("Have players hidden hands? [y/N]: ")
        terminal.type("y\n")
        terminal.until("Do all move at the same time, sealed? [y/N]: ")
        terminal.type("\n")
        terminal.until("To check it: pbm check-game pbm-lagoon")
        assert terminal.ended() == 0
        assert "dice?" not in terminal.screen
    wishes = Wishes("lagoon", "Lagoon", "hexagons", 2, 3, has_hands=True)
    for name, text in render_package(wishes).items():
        assert (shell.folder / "pbm-lagoon" / name).read_text() == text


def test_a_module_is_written_for_its_features_only() -> None:
    text = render_package(Wishes("pond", "Pond", "squares", 2, 3))["pbm_pond.py"]
    assert "CHANCE" not in text
    assert "hands" not in text


def test_a_game_is_played_with_all_three_pictures(harbour: Path, tmp_path: Path) -> None:
    svg = tmp_path / "board.svg"
    typed = f"b1\nwords\nsvg {svg}\nmoves\nzz\nundo\nrules\nresign\nquit\n"
    done = run("try", str(harbour), "size=3", "--seed", "3", typed=typed)
    assert done.exit_code == 0
    assert "white: b1" in done.output
    assert "White stone on b1." in done.output
    assert "<svg" in svg.read_text()
    assert "Not done: 'zz' is no move" in done.output
    assert "HARBOUR, 2 to 3 players" in done.output
    assert "The game is over: the others resigned. Ranks: white 2, black 1." in done.output


def test_the_same_seed_deals_the_same(harbour: Path) -> None:
    game = GameSource(str(harbour)).find()
    first, second, third = (Trial(game, 2, {}, seed, "random") for seed in (1, 1, 2))
    assert first.show() == second.show() != third.show()
    move = first.position.legal_moves(0)[5]
    first.play(move)
    second.play(move)
    assert first.position == second.position
    assert first.seat == 0


def test_the_computer_player_answers() -> None:
    trial = Trial(get_game("tictactoe"), 2, {}, 1, "mcts")
    for move in ("b2", "a2", "c1"):
        if trial.seat is not None and move in trial.position.legal_moves(0):
            trial.play(move)
    assert trial.position.turn in (4, 6)
    assert trial.take_news()[0] == "crosses: b2"


def test_the_hand_of_the_computer_player_is_not_shown(harbour: Path) -> None:
    trial = Trial(GameSource(str(harbour)).find(), 2, {}, 1, "random")
    hands = trial.position.dump()[-1]
    shown = "\n".join([trial.show(), *trial.take_news()])
    assert all(place in shown for place in hands[0])
    assert not any(f" {place}\n" in shown + "\n" for place in hands[1])


def test_a_game_is_loaded_again_when_it_is_saved(harbour: Path) -> None:
    source = GameSource(str(harbour))
    trial = Trial(source.find(), 2, {}, 1)
    trial.play("b1")
    trial.play("c3")
    assert not source.has_changed()
    module = harbour / "pbm_harbour.py"
    module.write_text(module.read_text().replace("points = 1 +", "points = 7 +"))
    os.utime(module, ns=(1, 1))
    assert source.has_changed()
    source.reload()
    assert trial.reload(source.find()) == "Loaded again, 6 moves replayed."
    assert "white 7" in trial.show()
    module.write_text(
        module.read_text().replace(
            "if move not in self.list_places(seat):",
            'if move == "c3" or move not in self.list_places(seat):',
        )
    )
    source.reload()
    said = trial.reload(source.find())
    assert said.startswith("Loaded again. Move 6 is refused now: ")
    assert "c3" in trial.position.legal_moves(1)
    with pytest.raises(MoveError):
        trial.play("c3")


def test_moves_are_kept_while_the_game_that_was_saved_fails(harbour: Path) -> None:
    source = GameSource(str(harbour))
    trial = Trial(source.find(), 2, {}, 1)
    trial.play("b1")
    stored = trial.position.encode()
    module = harbour / "pbm_harbour.py"
    good = module.read_text()
    module.write_text(good.replace("points = 1 +", "points = 1 / 0 +"))
    source.reload()
    with pytest.raises(ZeroDivisionError):
        trial.reload(source.find())
    assert trial.position.encode() == stored
    module.write_text(good)
    source.reload()
    assert trial.reload(source.find()) == "Loaded again, 5 moves replayed."
    assert trial.position.encode() == stored


def test_what_was_saved_half_written_is_said(harbour: Path) -> None:
    module = harbour / "pbm_harbour.py"
    module.write_text(module.read_text() + "\ndef (\n")
    done = run("try", str(harbour))
    assert done.exit_code == 1
    assert "SyntaxError: invalid syntax" in done.output


def test_a_game_that_fails_is_told_where(harbour: Path) -> None:
    """What is typed afterwards is still done, and a board that cannot be drawn ends nothing."""
    module = harbour / "pbm_harbour.py"
    good = module.read_text()
    module.write_text(good.replace("points = 1 +", "points = 1 / 0 +"))
    done = run("try", str(harbour), typed="b1\nwords\nquit\n")
    assert done.exit_code == 0
    assert "The game fails: ZeroDivisionError: division by zero\n" in done.output
    assert "pbm_harbour.py, line " in done.output
    assert "You are to move." in done.output
    played = run("try", str(harbour), "--random", "2")
    assert played.exit_code == 1
    assert "game 0 (seed 0): The game fails: ZeroDivisionError" in played.output
    module.write_text(
        good.replace(
            "    def find_marked(",
            "    def find_marked(self, *_):\n        return 1 / 0\n\n    def old(",
        )
    )
    done = run("try", str(harbour), typed="quit\n")
    assert done.exit_code == 0
    assert done.output.count("The game fails: ZeroDivisionError") == 1
    assert "Mend and save it, or type quit." in done.output


def test_random_games_are_counted(harbour: Path) -> None:
    done = run("try", str(harbour), "--random", "5", "--seed", "2", "size=3")
    assert done.exit_code == 0
    assert done.output.startswith("5 random games of Harbour (seed 2): 23 to 23 moves")
    assert done.output == run("try", str(harbour), "--random", "5", "--seed", "2", "size=3").output


def test_findings_are_explained(harbour: Path) -> None:
    module = harbour / "pbm_harbour.py"
    module.write_text(
        module.read_text().replace(
            'return [name if self.sees(viewer, seat) else "-" for', "return [name for"
        )
    )
    done = run("check-game", str(harbour), "--games", "2", "--moves", "10")
    assert done.exit_code == 1
    assert "Hiding: expected: scenes are equal to a spectator" in done.output
    assert "  page:     docs/authors/findings.md#hiding" in done.output
    rows = json.loads(run("check-game", str(harbour), "--moves", "5", "--json").output)
    assert rows[0]["topic"] == "Hiding"
    assert rows[0]["stored"].startswith('["harbour",1,')


def test_an_installed_game_is_checked_by_name() -> None:
    done = run("check-game", "tictactoe", "--games", "2")
    assert done.exit_code == 0
    assert "Tic-Tac-Toe: nothing found in 2 random games (seed 0)" in done.output


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("nosuch", "there is no game nosuch: give the path of its package"),
        ("./nosuch", "there is no file or folder ./nosuch"),
        ("tests/docs", "has no game: a module needs GAME"),
        ("docs", "has neither a pyproject.toml nor an __init__.py"),
    ],
)
def test_what_is_no_game_is_refused(word: str, said: str) -> None:
    done = run("try", word)
    assert done.exit_code == 2
    assert said in done.output


def test_a_game_for_another_version_of_the_interface_is_not_imported(packages: Packages) -> None:
    packages.install("nim", "raise AssertionError")
    entry = packages.folder / "pbm_nim-1.0.dist-info" / "entry_points.txt"
    entry.write_text("[pbm.games.2]\nnim = pbm_nim:GAME\n")
    chess = get_game("chess")
    (fault,) = list_faults()
    assert chess.info.name == "chess"
    assert (fault.name, fault.package) == ("nim", "pbm-nim")
    assert fault.cause == (
        "it is written for version 2 of the game interface, and this server has version 1: "
        "install a release of it for version 1"
    )
