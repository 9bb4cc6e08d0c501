"""`admin import` of SGF and MAT, of files in other encodings, and of files of which a part cannot
be read."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.harness import packages
from tests.harness.shell import Shell

_WHY = ("--yes", "--reason", "because")
HAVANNAH = (
    "(;FF[4]EV[havannah.in.size4]PB[bob]PW[ann]SZ[4]RU[LG]RE[B]SO[http://www.littlegolem.com];"
    "W[E1];B[swap];W[F2];B[D3];W[G1];B[E4];W[G4];B[F3];W[E5];B[D6];W[D5];B[C2];W[G3];B[G2])"
)
HEX = (
    "(;FF[4]EV[hex.ch.23.1.1]PB[bob]PW[ann]SZ[13]RE[W]SO[http://www.littlegolem.com]"
    ";W[mf];B[swap];W[kj];B[ie];W[fh];B[resign])"
)
GO = """(;GM[1]FF[4]CA[{0}]AP[CGoban:3]ST[2]RU[Japanese]SZ[9]KM[6.50]
PB[{1}]PW[ann]DT[2019-05-02,03]RE[B+3.50]
;B[ee]C[a \\] bracket (;B[aa\\])](;W[eg](;B[gd])(;B[aa];W[bb]))(;W[gg];B[ge]))
"""
MATCH = """ 5 point match

 Game 1
 ann : 0                                bob : 0
  1)                                    31: 8/5 6/5
  2) 42: 8/4 6/4                         Doubles => 2
  3)  Drops                              Wins 1 point

 Game 2
 ann : 0                                bob : 1
  1) 31: 8/5 6/5                        42: 8/4 6/4
  2)  Doubles => 2                       Takes
  3) 66: 24/18(2) 13/7(2)                Wins 4 points and the match
"""


def moves_of(shell: Shell, number: int) -> list[str]:
    """The moves of a board, with the dice."""
    return [
        entry["move"]
        for entry in shell.json("admin", "board", str(number))["moves"]
        if entry["kind"] in ("move", "chance")
    ]


def test_sgf_and_mat_become_boards(any_shell: Shell, tmp_path: Path) -> None:
    """Hex, havannah, go and backgammon, each as servers write it, one of them twice in a file; what
    the files do not say is said."""
    shell = any_shell
    path = tmp_path / "golem.sgf"
    path.write_text(f"{HAVANNAH}\n\n{HEX}\nthe end")
    said = shell.run("admin", "import", str(path), *_WHY).stderr
    assert "game 1: board 1 (it has no date: the board has today's; how it ended is not said)" in (
        said
    )
    assert moves_of(shell, 1)[:4] == ["e7", "swap", "f6", "d5"]
    assert shell.json("admin", "board", "1")["moves"][-1]["kind"] == "adjudicate"
    assert moves_of(shell, 2) == ["m6", "swap", "j11", "e9", "h6"]
    assert shell.json("admin", "board", "2")["moves"][-1]["kind"] == "resign"
    for charset, name in (("GB18030", "李"), ("Shift_JIS", "ソ表"), ("UTF-8", "é")):
        path.write_bytes(GO.format(charset, name).encode(charset))
        shell.ok("admin", "import", str(path), "--player", f"{name}=bob", *_WHY)
    board = shell.json("admin", "board", "5")
    assert moves_of(shell, 5) == ["e5", "e3", "g6"]
    assert (board["options"]["komi"], board["created"][:10]) == (6.5, "2019-05-02")
    assert json.loads(shell.ok("admin", "export", "5"))["outcome"] == {
        "ranks": [1, 2],
        "reason": "by 3.50, as the record says",
    }
    path.write_text(MATCH)
    shell.ok("admin", "import", str(path), *_WHY)
    assert moves_of(shell, 6)[:8] == ["1", "3", "8/5 6/5", "roll", "4", "2", "8/4 6/4", "double"]
    text = shell.ok("backgammon", "export", "6")
    assert MATCH.strip() in text
    record = tmp_path / "again.json"
    record.write_text(shell.ok("admin", "export", "6"))
    shell.ok("admin", "import", str(record), *_WHY)
    assert moves_of(shell, 7) == moves_of(shell, 6)
    assert shell.ok("admin", "check") == "no difference\n"


def test_a_match_that_gnubg_wrote_as_sgf_is_one_board(shell: Shell, tmp_path: Path) -> None:
    """Each game of the match is a game of the collection."""
    packages.require("gnubg")
    (tmp_path / "a.mat").write_text(MATCH)
    subprocess.run(
        ["/usr/games/gnubg", "-t", "-q"],
        input="import mat a.mat\nsave match a.sgf\nexport match mat b.mat\n",
        cwd=tmp_path,
        text=True,
        capture_output=True,
        check=False,
    )
    for name in ("a.sgf", "b.mat"):
        shell.ok("admin", "import", str(tmp_path / name), *_WHY)
    assert moves_of(shell, 1) == moves_of(shell, 2)
    assert moves_of(shell, 2)[-1] == "concedes 2"


def test_a_game_that_cannot_be_read_is_left_out_in_every_format(
    shell: Shell, tmp_path: Path
) -> None:
    """What follows it is read; each is listed with the reason. Without --skip nothing comes in."""
    pgn = '[Event "x"]\n[White "ann"]\n[Black "bob"]\n[Result "1-0"]\n\n1. e4 {0} 1-0\n\n'
    files = {
        "a.pgn": "".join(map(pgn.format, ("e5", "{", "( e5", "--", "c5"))).replace("{0}", "e5"),
        "a.sgf": f"{HEX}\n{HEX[:-1]}\n{HEX.replace('ie', 'zz')}\n{HEX}",
        "a.mat": f"{MATCH}\n{MATCH.replace('Takes', 'Beavers => 4')}\n; [Variation "
        f'"Backgammon"]\n{MATCH}',
    }
    wanted = {
        "a.pgn": ["game 2: a comment", "game 3: a variation", "game 4: black's move 1: '--'"],
        "a.sgf": [
            "game 2: a game or variation, which",
            "game 3: B's move 4: 'zz' is no cell, such as c2",
        ],
        "a.mat": ["match 2: game 2, row 2: 'Beavers => 4' is no turn; one is 31: 8/5 6/5, Doubles"],
    }
    for name, text in files.items():
        path = tmp_path / name
        path.write_text(text)
        assert shell.run("admin", "import", str(path), *_WHY).exit_code == 1
        tried = shell.run("admin", "import", str(path), "--skip", "--dry-run", *_WHY)
        assert f"2 to import, {len(wanted[name])} left out; nothing is imported" in tried.output
        for line in wanted[name]:
            assert line in tried.stderr
        assert tried.stderr.count("(left out)") == len(wanted[name])
    assert shell.json("admin", "boards") == []


def test_an_encoding_is_named_by_the_operator_or_told_to_them(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    text = '[White "Анна"]\n[Black "bob"]\n[Date "2020.1.2"]\n[Result "0-1"]\n\n1. e4 0-1\n'
    people = ("--player", "Анна=ann", *_WHY)
    for encoding in ("cp1251", "koi8-r"):
        path.write_bytes(text.encode(encoding))
        assert "--encoding=NAME" in shell.run("admin", "import", str(path), "--skip", *_WHY).stderr
        shell.ok("admin", "import", str(path), f"--encoding={encoding}", *people)
    path.write_bytes(text.encode("utf-16"))
    assert "read as UTF-16" in shell.run("admin", "import", str(path), *people).stderr
    path.write_text(text, encoding="utf-8-sig")
    quiet = shell.run("admin", "import", str(path), *people).stderr
    assert quiet == f"{path}, game 1: board 4 (how it ended is not said)\n"
    for wrong, why in (("rot13", "there is no encoding 'rot13'"), ("ascii", "byte 0 (ef) is not")):
        refused = shell.run("admin", "import", str(path), f"--encoding={wrong}", *people)
        assert (refused.exit_code, why in refused.stderr) == (1, True)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(;GM[5]SZ[9];B[aa])", "game 1: GM '5' is no game of this server"),
        ("(;GM[1]SZ[9]RE[B+R];B[aa];B[bb])", "game 1: black's move 2: 'b8': it is white's turn"),
        ("(;GM[1]SZ[9:7]RE[B+R])", "game 1: SZ '9:7' is no size of a square board, such as 19"),
        ("(;GM[1]SZ[9];B[jj])", "game 1: B's move 1: 'jj' is no point; one is two letters from aa"),
        ("(;GM[1]SZ[9];B[aa])", "game 1: the game is not over"),
        ("(;GM[1]SZ[9]AB[aa]HA[2]RE[0])", "game 1: the game begins with stones on the board (AB"),
        ("(;GM[1]SZ[9];B[aa]W[bb])", "game 1: move 1: one node holds a move of B and one of W"),
        ("(;GM[1]SZ[9];B)", "game 1: move 1: B or W has no value; one looks like B[dd]"),
        ("(;GM[1]SZ[9]RE[x])", "game 1: RE 'x' is no result, such as B+R, W+3.5, W+T, 0 or Void"),
        (MATCH.replace("31: 8/5 6/5  ", "31: 8/5 6/2  "), "match 1: game 2, white's move 1: '8/5"),
        (MATCH.replace("bob : 1", "bob : 2"), "match 1: game 2 begins at 0 to 2, but after the "),
        (MATCH.replace("Wins 4", "Wins 3"), "match 1: game 2: black wins 3, which is not 1, 2 or"),
        (MATCH.replace("=> 2", "=> 4"), "match 1: game 1, black's move 2: 'Doubles => 4', but the"),
        (MATCH.replace("Takes", "66: 24/18"), "match 1: game 2, black's move 2: '66: 24/18' is no"),
        (" 0 point match\n", "match 1: it is a session for money: a match here is to 1 to 25"),
    ],
)
def test_a_refusal_names_the_place_and_what_is_allowed_there(
    shell: Shell, tmp_path: Path, text: str, why: str
) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text)
    refused = shell.run("admin", "import", str(path), *_WHY)
    assert (refused.exit_code, refused.stderr[: len(f"pbm: not done: {path}: {why}")]) == (
        1,
        f"pbm: not done: {path}: {why}",
    )
