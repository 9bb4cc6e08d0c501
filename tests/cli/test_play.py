"""A board at a terminal, and completion in the shell."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from pbm.cli import cli
from tests.cli.shell import MOVES, PASSWORDS, Shell


def test_moves_mistakes_and_leaving(board: Shell) -> None:
    typed = "moves\n?\nzz\nchat hello bob\nquit\n"
    said = board.ok("play", "1", "--as", "ann", given=typed, who="ann")
    assert "[cradle 1] your move (1)" in said
    assert "... 42 in all" in said
    assert "chat TEXT" in said
    assert "not done: " in said
    assert board.json("admin", "board", "1")["moves"] == []
    newest = board.json("admin", "mails", "--out", "--player", "bob")[0]
    assert "hello bob" in board.ok("admin", "mail", newest["mail"])
    assert not any(password in board.seen for password in PASSWORDS.values())


def test_a_game_to_its_end_on_both_sides(board: Shell) -> None:
    players = [
        board.start("play", "1", "--as", who, PBM_PASSWORD=PASSWORDS[who]) for who in ("ann", "bob")
    ]
    for at, player in enumerate(players):
        assert player.stdin is not None
        player.stdin.write("\n".join(MOVES[at::2]) + "\n")
        player.stdin.flush()
    for player in players:
        said, problems = player.communicate(timeout=60)
        assert (player.returncode, problems) == (0, "")
        assert "ann won (7)" in said
    assert board.ok("admin", "check") == "no difference\n"


def test_who_may_not_sit_down(board: Shell) -> None:
    assert board.run("play", "1", "--as", "ann", who="bob").exit_code == 1
    assert board.run("play", "9", "--as", "ann", who="ann").exit_code == 1
    board.signup("cat")
    assert board.run("play", "1", "--as", "cat", who="cat").exit_code == 1
    assert board.run("play", "1", "--as", "ann", "--as-operator").exit_code == 2


def _completed(shell: Shell, words: str, at: int) -> list[str]:
    env = {"_PBM_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(at),
           "PBM_CONFIG": str(shell.config), "PBM_DATABASE_URL": None}  # fmt: skip
    result = CliRunner().invoke(cli, [], env=env, prog_name="pbm")
    return [line.partition(",")[2] for line in result.stdout.split()]


def test_completion_of_games_boards_and_userids(board: Shell, tmp_path: Path) -> None:
    assert _completed(board, "pbm mov", 1) == ["move"]
    assert "cradle" in _completed(board, "pbm challenge cra", 2)
    assert _completed(board, "pbm move cradle an", 3) == ["ann"]
    assert _completed(board, "pbm move cradle 1", 3) == ["1"]
    assert _completed(board, "pbm admin player b", 3) == ["bob"]
    assert _completed(board, "pbm play ", 2) == ["1"]
    assert "challenge" in _completed(board, "pbm cradle chal", 2)
    board.write(f"sqlite:///{tmp_path / 'none.db'}", "")
    assert _completed(board, "pbm play ", 2) == []


def test_the_line_for_the_shell(board: Shell) -> None:
    assert "_PBM_COMPLETE=zsh_complete" in board.ok("completion", "zsh")
    assert board.run("completion", "tcsh").exit_code == 2
