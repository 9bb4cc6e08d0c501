"""A board at a terminal, and completion in the shell."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbm.cli import cli
from pbm.cli.terminal.command_line import find_matches
from pbm.cli.terminal.output import choose_protocol
from tests.harness.shell import MOVES, PASSWORDS, Shell, Terminal


def test_moves_mistakes_and_leaving(board: Shell) -> None:
    typed = "moves\n?\nzz\nchat hello bob\nquit\n"
    said = board.ok("play", "1", "--as", "ann", stdin=typed, who="ann")
    assert "[cradle 1] your move (1)" in said
    assert "  a2,b2,c2,c3  " in said
    assert "chat TEXT" in said
    assert "Not done: " in said
    assert "Passed on to bob." in said
    assert "PASSWORD" not in said
    assert "to continue: pbm play 1 --as ann" in said
    assert board.json("admin", "board", "1")["moves"] == []
    newest = board.json("admin", "mails", "--out", "--player", "bob")[0]
    assert "hello bob" in board.ok("admin", "mail", newest["mail"])
    assert not any(password in board.seen for password in PASSWORDS.values())


def test_the_password_is_asked_for_once(board: Shell) -> None:
    typed = f"{PASSWORDS['ann']}\nchat hello bob\nchat are you there?\nquit\n"
    result = board.run("play", "1", "--as", "ann", stdin=typed)
    assert result.exit_code == 0
    assert result.output.count("Password of ann") == 1
    assert result.output.count("Passed on to bob.") == 2


def test_resigning_is_asked_about(board: Shell) -> None:
    typed = "resign now\nresign\nno\nresign\nyes\n"
    said = board.ok("play", "1", "--as", "ann", stdin=typed, who="ann")
    assert "Not done: resign must stand alone on its line. Type instead: resign\n" in said
    assert said.count("Really resign? (yes/no): ") == 2
    assert "[cradle 1] cancelled (0)" in said


def test_plans_at_a_terminal(board: Shell) -> None:
    """Branches on a line, before the own move and after it, shown, answered and cleared."""
    first, second, third = MOVES[:3]
    typed = (
        f"if {second} then {third}; if any then resign\nplan\nplan #1\nif {second} then\n"
        "note A remark\nquit\n"
    )
    said = board.ok("play", "1", "--as", "ann", stdin=typed, who="ann")
    assert said.count(f"1  if {second} then {third}") >= 3
    assert said.count("2  if any then resign") >= 2
    assert "It begins after your own next move" in said
    assert "Where this branch of your plan leads is not certain yet." in said
    assert "To see the board at the end of a branch, type plan #1." in " ".join(said.split())
    assert "PASSWORD" not in said
    assert "Not done: " in said
    board.ok("move", "cradle", "1", "ann", first, who="ann")
    typed = f"{second}\nplan\nif any then resign\nplan none\nquit\n"
    said = board.ok("play", "1", "--as", "bob", stdin=typed, who="bob")
    assert f"ann played {third} as planned." in " ".join(said.split())
    assert "remark" not in said
    assert said.count("You have no plan on this board.") == 2


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


@pytest.mark.parametrize(("window", "is_shown"), [("1", True), ("", False)])
def test_a_terminal_that_shows_pictures_gets_one(
    board: Shell, monkeypatch: pytest.MonkeyPatch, window: str, is_shown: bool
) -> None:
    monkeypatch.delenv("KITTY_WINDOW_ID", raising=False)
    if window:
        monkeypatch.setenv("KITTY_WINDOW_ID", window)
    words = ("play", "1", "--as", "ann")
    with closing(Terminal(board, *words, PBM_PASSWORD=PASSWORDS["ann"])) as terminal:
        terminal.until("(? for help): ")
        assert ("\x1b_Ga=T,f=100,m=1;iVBORw0KGgo" in terminal.screen) == is_shown
        terminal.type("quit\n")
        assert terminal.ended() == 0


def test_which_terminals_show_pictures() -> None:
    png = b"\x89PNG" * 2000
    kitty = choose_protocol({"TERM": "xterm-kitty"})
    iterm = choose_protocol({"TERM_PROGRAM": "iTerm.app"})
    assert kitty is not None
    assert iterm is not None
    chunks = re.findall(r"\x1b_G(?:a=T,f=100,)?m=([01]);([^\x1b]+)\x1b\\", kitty(png))
    assert b64decode("".join(data for _, data in chunks)) == png
    assert [more for more, _ in chunks] == ["1"] * (len(chunks) - 1) + ["0"]
    assert max(len(data) for _, data in chunks) <= 4096
    assert b64decode(iterm(png).partition(":")[2].rstrip("\x07")) == png
    for plain in ({"TERM": "xterm"}, {"TERM": "xterm-kitty", "TMUX": "x"}, {}):
        assert choose_protocol(plain) is None


@pytest.fixture
def sides(board: Shell) -> Iterator[tuple[Terminal, Terminal]]:
    """Ann and bob at board 2, tictactoe, each at a terminal."""
    board.ok("challenge", "tictactoe", "ann", "bob")
    with (
        closing(_seated(board, "ann", lines=12, PAGER="sed s/^/@/")) as ann,
        closing(_seated(board, "bob")) as bob,
    ):
        yield ann, bob


def _seated(board: Shell, who: str, *, lines: int = 60, **env: str) -> Terminal:
    return Terminal(
        board, "play", "2", "--as", who, lines=lines, PBM_PASSWORD=PASSWORDS[who], **env
    )


@pytest.mark.long
def test_two_terminals_play_a_game_to_its_end(
    board: Shell, sides: tuple[Terminal, Terminal]
) -> None:
    ann, bob = sides
    ann.until("your move 1 (? for help): ")
    ann.type("help\r")
    assert "\n@MOVES\n" in ann.until("your move 1 (? for help): ")
    ann.type("a\t\t")
    assert ann.until("a3").split()[-3:] == ["a1", "a2", "a3"]
    ann.type("1\r")
    ann.until("bob to move (? for help): ")

    bob.until("your move 2 (? for help): ")
    bob.type("a1\r")
    assert "Not done: a1 is already taken by crosses.\n" in bob.until("your move 2 (? for help): ")
    bob.type("b1\r")
    bob.until("ann to move (? for help): ")
    bob.type("b2\r")
    bob.until("Type instead: queue b2")
    bob.type("queue b2\r")
    bob.until("Queued: b2.")

    ann.until("your move 3 (? for help): ")
    ann.type("A2\r")
    ann.until("your move 5 (? for help): ")
    bob.until("   4 bob  b2")
    bob.until("ann to move (? for help): ")
    ann.type("chat Nice one\r")
    bob.until("ann writes:\n> Nice one\n")
    bob.until("ann to move (? for help): ")
    bob.type("chat wa")
    bob.until("chat wa")
    ann.type("propose\r")
    bob.until("ann proposes a draw. Type accept or reject.")
    bob.until("chat wa")
    bob.type("it\r")
    bob.until("Passed on to ann.")
    ann.until("Waiting for bob to accept or reject.")
    bob.type("rej\t\r")
    ann.until("[tictactoe 2] your move (5)")
    ann.until("your move 5 (? for help): ")
    ann.type("A\t\r")
    for side in sides:
        side.until("[tictactoe 2] ann won (5)")
        side.until("rematch plays it again, Enter leaves: ")
        side.type("\r")
        assert side.ended() == 0
        assert "won (5): 3 in a row for crosses." in side.screen
        assert "PASSWORD" not in side.screen
        assert not any(password in side.screen for password in PASSWORDS.values())
    assert board.json("admin", "board", "2")["moves"][-1]["move"] == "a3"
    assert board.ok("admin", "check") == "no difference\n"


def test_leaving_at_a_terminal(board: Shell) -> None:
    with closing(Terminal(board, "play", "1", "--as", "bob", PBM_PASSWORD=PASSWORDS["bob"])) as bob:
        bob.until("ann to move (? for help): ")
        board.ok("move", "cradle", "1", "ann", MOVES[0], "--body", "your turn!", who="ann")
        assert "ann writes:\n> your turn!" in bob.until("your move 2 (? for help): ")
        bob.type("\x04")
        assert bob.ended() == 0
    assert bob.screen.endswith("board 1 goes on; to continue: pbm play 1 --as bob\n")


def test_what_tab_offers() -> None:
    moves, words = ["a1", "a2", "B1"], ["accept", "resign", "queue "]
    assert find_matches("", moves, words) == moves
    assert find_matches("", [], words) == words
    assert find_matches("b", moves, words) == ["B1"]
    assert find_matches("A", moves, words) == ["a1", "a2"]
    assert find_matches("ac", moves, words) == ["accept"]
    assert find_matches("RES", moves, words) == ["resign"]
    assert find_matches("queue b", moves, words) == ["queue B1"]


def test_who_may_not_sit_down(board: Shell) -> None:
    assert board.run("play", "1", "--as", "ann", who="bob").exit_code == 1
    assert board.run("play", "9", "--as", "ann", who="ann").exit_code == 1
    board.signup("cat")
    assert board.run("play", "1", "--as", "cat", who="cat").exit_code == 1
    assert board.run("play", "1", "--as", "ann", "--as-operator").exit_code == 2


def _completed(shell: Shell, words: str, at: int) -> list[str]:
    env = {
        "_PBM_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(at),
        "PBM_CONFIG": str(shell.config),
        "PBM_DATABASE_URL": None,
    }
    result = CliRunner().invoke(cli, [], env=env, prog_name="pbm")
    return [line.partition(",")[2] for line in result.stdout.split()]


def test_completion_of_games_boards_and_userids(board: Shell, tmp_path: Path) -> None:
    assert _completed(board, "pbm mov", 1) == ["move"]
    assert "cradle" in _completed(board, "pbm challenge cra", 2)
    assert "ann" in _completed(board, "pbm move cradle an", 3)
    assert _completed(board, "pbm move cradle 1", 3) == ["1"]
    assert _completed(board, "pbm admin player b", 3) == ["bob"]
    assert _completed(board, "pbm play ", 2) == ["1"]
    assert "challenge" in _completed(board, "pbm cradle chal", 2)
    board.write(f"sqlite:///{tmp_path / 'none.db'}", "")
    assert _completed(board, "pbm play ", 2) == []


def test_the_line_for_the_shell(board: Shell) -> None:
    assert "_PBM_COMPLETE=zsh_complete" in board.ok("completion", "zsh")
    assert board.run("completion", "tcsh").exit_code == 2


def test_without_a_number_the_only_board_is_played_and_several_are_listed(board: Shell) -> None:
    shown = board.ok("play", "--as", "ann", stdin="quit\n", who="ann")
    assert "[cradle 1] your move (1)" in shown
    board.ok("challenge", "hex", "bob", "ann")
    listed = board.ok("play", "--as", "ann", who="ann")
    assert [line.split()[:2] for line in listed.splitlines() if "  your move" in line] == [
        ["1", "cradle"]
    ]
    assert "To play one of them: pbm play 1 --as ann" in listed
    board.ok("signup", "cat", "cat@example.org", who="cat")
    refused = board.run("play", "--as", "cat", who="cat")
    assert refused.exit_code == 1
    assert "cat has no open board; to start one: pbm GAME challenge cat OTHER" in refused.stderr


def test_a_rematch_is_played_at_once(board: Shell) -> None:
    for at, move in enumerate(MOVES):
        who = ("ann", "bob")[at % 2]
        board.ok("move", "cradle", "1", who, move, who=who)
    shown = board.ok("play", "1", "--as", "bob", stdin="rematch\nquit\n", who="bob")
    assert "rematch plays it again" in shown
    assert "[cradle 2] " in shown
    assert "to continue: pbm play 2 --as bob" in shown


def test_comments_of_both_sides_are_shown(board: Shell) -> None:
    board.ok("move", "cradle", "1", "ann", MOVES[0], "--body", "Good luck!", who="ann")
    board.ok("move", "cradle", "1", "bob", MOVES[1], "--body", "To you too.", who="bob")
    shown = board.ok("play", "1", "--as", "ann", stdin="quit\n", who="ann")
    assert "ann writes:\n> Good luck!" in shown
    assert "bob writes:\n> To you too." in shown


def test_chats_of_both_sides_are_shown(board: Shell) -> None:
    typed = "chat Hello Bob\nquit\n"
    shown = board.ok("play", "1", "--as", "ann", stdin=typed, who="ann")
    assert "Passed on to bob." in shown
    assert "ann writes" not in shown
    board.ok("chat", "cradle", "1", "bob", "--body", "Hello Ann", who="bob")
    shown = board.ok("play", "1", "--as", "ann", stdin="quit\n", who="ann")
    assert "ann writes:\n> Hello Bob\n\nbob writes:\n> Hello Ann\n" in shown
    assert "Hello" not in board.ok("show", "cradle", "1")


@pytest.mark.parametrize("plain", ["", "1"])
def test_the_board_is_in_colours_unless_they_are_not_wanted(board: Shell, plain: str) -> None:
    board.ok("challenge", "hex", "ann", "bob")
    board.ok("move", "hex", "2", "ann", "c3", who="ann")
    argv = ["--config", str(board.config), "play", "2", "--as", "bob"]
    env = {"PBM_PASSWORD": PASSWORDS["bob"], "NO_COLOR": plain}
    result = CliRunner(env=env).invoke(cli, argv, input="quit\n", color=True)
    assert ("\x1b[7m" in result.output) == (not plain)
    assert "\x1b[" in result.output  # the headline is bold in any case
