"""`--svg FILE` and `--png FILE` write the board that a command shows."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from tests.harness.shell import Shell

_SVG = "{http://www.w3.org/2000/svg}"


def _men(file: Path) -> list[tuple[str | None, str | None]]:
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314 (our own)
    return [(use.get("x"), use.get("y")) for use in root.iter(f"{_SVG}use")]


def test_a_board_is_written_as_svg_and_png(board: Shell) -> None:
    svg, png, dark = (board.folder / name for name in ("b.svg", "b.png", "dark.png"))
    said = board.ok("cradle", "show", "1", "--svg", str(svg), "--png", str(png))
    assert said.startswith("[cradle 1]")
    root = ElementTree.fromstring(svg.read_text(encoding="utf-8"))  # noqa: S314 (our own)
    assert root.findtext(f"{_SVG}title") == "Cradle, board 1"
    assert "to move" in str(root.findtext(f"{_SVG}desc"))
    assert png.read_bytes().startswith(b"\x89PNG")
    board.ok("show", "1", "--png", str(dark), "--dark")
    assert dark.read_bytes() not in (b"", png.read_bytes())


def test_the_second_player_sees_a_chess_board_from_the_other_side(shell: Shell) -> None:
    shell.signup("ann", "bob")
    shell.ok("chess", "challenge", "ann", "bob")
    files = {who: shell.folder / f"{who}.svg" for who in ("ann", "bob")}
    for who, file in files.items():
        shell.ok("showas", who, "1", "--svg", str(file), who=who)
    white, black = (sorted(_men(file)) for file in files.values())
    assert len(white) == 32
    assert white == black, "the men of the first position stand alike on both sides"
    assert files["ann"].read_text() != files["bob"].read_text()


def test_what_cannot_be_drawn_is_said(board: Shell, tmp_path: Path) -> None:
    file = tmp_path / "x.png"
    assert board.run("games", "--png", str(file)).exit_code == 2
    result = board.run("show", "1", "--png", str(tmp_path / "no" / "x.png"))
    assert result.exit_code == 1
    assert "No such file or directory" in result.stderr
    assert not file.exists()


def test_a_picture_shows_nothing_that_the_terminal_may_not(shell: Shell) -> None:
    shell.signup("ann", "bob")
    shell.ok("darkchess", "challenge", "ann", "bob")
    own, hidden = shell.folder / "own.svg", shell.folder / "hidden.svg"
    shell.ok("showas", "ann", "1", "--svg", str(own), who="ann")
    said = shell.ok("showas", "ann", "1", "--svg", str(hidden), "--as-operator")
    assert "only the player it goes to may read it" in said
    assert len(_men(own)) == len(_men(hidden)) + 16
    assert "e1: white king." in shell.ok("showas", "ann", "1", "e1", who="ann").lower()
    assert "white king" not in shell.ok("showas", "ann", "1", "e1", "--as-operator")


def test_a_board_is_shown_in_words(board: Shell) -> None:
    said = board.ok("cradle", "show", "1", "--words")
    assert "The board is empty." in said
    assert "The first player is to move." in said
    assert "c3: empty." in board.ok("cradle", "show", "1", "c3").lower()
