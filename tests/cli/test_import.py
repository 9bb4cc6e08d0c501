"""`pbm admin import` of PGN and PDN: whose games they become, all or none, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbm.cli import verify_dice
from pbm.features.records import foreign
from tests.harness.shell import Shell

_WHY = ("--yes", "--reason", "because")
OPERA = """[Event "Opera"]
[Date "1858.11.??"]
[White "Morphy, Paul"]
[Black "bob"]
[Result "1-0"]

1.e4 e5 2.Nf3 d6 3.d4 Bg4 {This is weak; (3... exd4)} 4.dxe5 Bxf3 5.Qxf3 dxe5 6.Bc4
Nf6 7.Qb3 Qe7 8.Nc3 c6 9.Bg5 {Black is in zugzwang} b5 10.Nxb5 cxb5 11.Bxb5+ Nbd7
12.0-0-0 Rd8 13.Rxd7 Rxd7 14.Rd1 Qe6 15.Bxd7+ Nxd7 16.Qb8+!! $3 Nxb8 17.Rd8# 1-0
"""
SHORT = """[White "ann"]
[Black "bob"]
[Result "{result}"]
[Termination "{how}"]

1. e4 e5 {result}
"""
TWO = f"{OPERA}\n\n{SHORT.format(result='1/2-1/2', how='normal')}"
MORPHY = ("--player", "Morphy, Paul=ann")


def refusal(shell: Shell, path: Path, *more: str) -> str:
    """Why an import is refused, after the name of the file."""
    result = shell.run("admin", "import", str(path), *more, *_WHY)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"pbm: not done: {path}: ")
    return result.stderr.removeprefix(f"pbm: not done: {path}: ").strip()


@pytest.fixture
def pgn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two games of chess, as a Windows program of old writes them."""
    monkeypatch.chdir(tmp_path)  # the audit cuts long paths
    path = Path("club.pgn")
    path.write_bytes(TWO.replace("Opera", "Op\xe9ra").replace("\n", "\r\n").encode("latin-1"))
    return path


def test_games_of_chess_become_boards(any_shell: Shell, pgn: Path, tmp_path: Path) -> None:
    shell = any_shell
    shell.signup("ann", "bob")
    said = shell.run("admin", "import", str(pgn), *MORPHY, *_WHY)
    assert said.stderr.splitlines() == [
        "club.pgn: 1 line is not UTF-8, and read as Windows-1252: --encoding=NAME reads the file "
        "otherwise",
        "club.pgn, game 1: board 1 (its day is not known: the board has 1858-11-01)",
        "club.pgn, game 2: board 2 (it has no date: the board has today's)",
    ]
    assert shell.ok("admin", "check") == "no difference\n"
    shown = shell.ok("chess", "show", "1")
    assert re.search(r"17\. ann +Rd8# +1858-11-01 00:00", shown)
    assert "ann won (33): bob is checkmated." in shown
    assert '[White "ann"]' in shell.ok("chess", "export", "1")
    assert "drawn (2): by agreement or claim" in shell.ok("chess", "show", "2")
    history = shell.ok("chess", "history")
    assert "ann won" in history
    assert "draw" in history
    shown = " ".join(shell.ok("chess", "show", "1").split())
    assert "the result does not count for ratings" in shown
    record = Path("again.pgn")
    text = shell.ok("chess", "export", "1")
    game = text[text.index('[Event "Chess by mail"]') :].partition("The same as an object")[0]
    record.write_text(game)
    shell.ok("admin", "import", str(record), *_WHY)
    moves = [[move["move"] for move in shell.json("admin", "board", n)["moves"]] for n in "13"]
    assert moves[0] == moves[1]
    assert len(moves[0]) == 33
    actions = [row["action"] for row in shell.json("admin", "audit")]
    assert [action[-8:] for action in actions] == [", game 1", ", game 2", ", game 1"]
    assert shell.ok("admin", "check") == "no difference\n"


def test_all_games_of_a_file_come_in_or_none(shell: Shell, pgn: Path) -> None:
    shell.signup("ann", "bob")
    assert refusal(shell, pgn) == (
        "game 1: white is 'Morphy, Paul', which is no userid: give --player 'NAME=USERID'"
    )
    text = pgn.read_bytes()
    pgn.write_bytes(text.replace(b"e4 e5 1/2", b"e4 e6 2. Nd5 1/2"))
    assert refusal(shell, pgn, *MORPHY) == (
        "game 2: white's move 2: Nd5: no knight of yours can go to d5"
    )
    pgn.write_bytes(text + b"\n1. e4 {")
    assert refusal(shell, pgn, *MORPHY) == ("game 3: a comment, which begins with {, is not closed")
    error = shell.json("admin", "import", str(pgn), *MORPHY, code=1)
    assert (error["ok"], error["error"]) == (
        False,
        f"{pgn}: game 3: a comment, which begins with {{, is not closed",
    )
    assert shell.json("admin", "boards") == []
    pgn.write_bytes(text)
    shell.ok("admin", "import", str(pgn), *MORPHY, *_WHY)
    assert len(shell.json("admin", "boards", "--state", "over")) == 2


@pytest.mark.parametrize(
    ("result", "how", "kind", "says"),
    [
        ("0-1", "normal", "resign", "white resigns"),
        ("0-1", "Time forfeit", "forfeit", "ann ran out of time"),
        ("1-0", "ann won on time", "forfeit", "bob ran out of time"),
        ("1-0", "rules infraction", "adjudicate", "as the record says: 'rules infraction'"),
        ("1-0", "?", "adjudicate", "as the record says"),
        ("1-0", "Timeless won by resignation", "resign", "black resigns"),
        ("1/2-1/2", "normal", "draw", "a draw by agreement or claim"),
        ("1-0", "adjudication", "adjudicate", "adjudicated"),
        ("*", "abandoned", "cancel", ""),
    ],
)
def test_how_a_game_ended_is_kept(
    shell: Shell, tmp_path: Path, result: str, how: str, kind: str, says: str
) -> None:
    path = tmp_path / "a.pgn"
    path.write_text("\ufeff" + SHORT.format(result=result, how=how), encoding="utf-8")
    shell.ok("admin", "import", str(path), *_WHY)
    board = shell.json("admin", "board", "1")
    assert [move["kind"] for move in board["moves"]] == ["move", "move", kind]
    assert board["state"] == ("cancelled" if kind == "cancel" else "over")
    record = json.loads(shell.ok("admin", "export", "1"))
    assert record["headers"]["Result"] == result
    assert (record["outcome"] or {"reason": ""})["reason"] == says
    assert shell.ok("admin", "check") == "no difference\n"
    copy = tmp_path / "copy.json"
    copy.write_text(json.dumps(record))
    shell.ok("admin", "import", str(copy), *_WHY)
    assert shell.json("admin", "board", "2")["moves"] == board["moves"]


def test_games_that_cannot_be_imported_are_left_out_and_listed_if_asked(
    shell: Shell, tmp_path: Path
) -> None:
    path = tmp_path / "many.pgn"
    good, open_game = SHORT.format(result="1-0", how="normal"), SHORT.format(result="*", how="?")
    wrong = good.replace("e4 e5", "e4 Ke4")
    path.write_text("\n\n".join((open_game, good, wrong, good)))
    assert "game 1: the game is not over" in refusal(shell, path)
    tried = shell.run("admin", "import", str(path), "--skip", "--dry-run", *_WHY)
    assert tried.output.count("(left out)") == 2
    assert "2 to import, 2 left out; nothing is imported" in tried.output
    assert shell.json("admin", "boards") == []
    done = shell.run("admin", "import", str(path), "--skip", *_WHY)
    assert done.exit_code == 0, done.output
    for said in ("game 1: the game is not over", "game 3: black's move 1", "game 4: board 2"):
        assert said in done.output
    assert len(shell.json("admin", "boards", "--state", "over")) == 2


def test_games_of_draughts_and_chess960_become_boards(any_shell: Shell, tmp_path: Path) -> None:
    shell = any_shell
    draughts = '[GameType "21"]\n[White "ann"]\n[Black "bob"]\n\n1. 11-15 23-19 2. 8-11 2-0\n'
    order = '[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"]'
    path = tmp_path / "mixed.txt"
    chess960 = f'[Variant "Chess960"]\n{order}\n[White "ann"]\n[Black "bob"]\n\n1. a4 a5 1-0\n'
    path.write_text(f"{draughts}\n{chess960}")
    shell.ok("admin", "import", "-", *_WHY, stdin=path.read_text())
    assert "bob  black  lost" in shell.ok("draughts", "show", "1")
    text = shell.ok("draughts", "export", "1")
    assert '[White "ann"]\n[Black "bob"]\n[Result "1-0"]\n[GameType "21,' in text
    assert "1. 11-15 23-19 2. 8-11 1-0" in text
    assert shell.json("admin", "board", "2")["options"] == {"start": 0}
    assert "1. a4 a5 1-0" in shell.ok("chess960", "export", "2")
    assert shell.ok("admin", "check") == "no difference\n"


@pytest.mark.parametrize(
    ("text", "more", "why"),
    [
        ("1. e4 e5", (), "the game is not over: its result is *"),
        (
            "1. c3-d4 d6-c5 2. b2-c3 f6-g5 1-0",
            (),
            "no tag GameType says which game of draughts it is: give --game=NAME",
        ),
        (
            '[Result "0-0"]\n0-0',
            (),
            "its result, 0-0, says that both have lost, as no board here can end",
        ),
        (
            "1. 11-15 23-19 2-0",
            (),
            "no tag GameType says which game of draughts it is: give --game=NAME",
        ),
        (
            "1. 11-15 2-0",
            ("--game=checkers",),
            "black is '?', which is no userid: give --player 'NAME=USERID'",
        ),
        ('[GameType "40"]\n1. 32-28 2-0', (), "GameType '40' is no game of this server"),
        (
            '[Variant "Atomic\x1b[2J"]\n1. e4 1-0',
            (),
            "Variant 'Atomic?[2J' is no game of this server",
        ),
        ('[Variant "Chess"]\n1. e4 1-0', ("--game=xiangqi",), "Variant 'Chess' is not Xiangqi"),
        ("1. e4 1-0", ("--game=cradle",), "records of Cradle cannot be read from PGN"),
        (
            '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n1. e4 1-0',
            (),
            "the game begins with a position of its own (FEN), not the first one",
        ),
    ],
)
def test_a_game_that_is_none_of_ours_is_refused(
    shell: Shell, tmp_path: Path, text: str, more: tuple[str, ...], why: str
) -> None:
    path = tmp_path / "a.pgn"
    path.write_text(text)
    assert refusal(shell, path, *more) == f"game 1: {why}"


def test_what_is_no_record_or_too_much_is_refused(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pgn"
    for data in (b"", b"\xff\xfe[\x00W\x00", b"Dear operator,\n\n1. e4 e5\n", b"{1. e4"):
        path.write_bytes(data)
        assert "this is not a record: it must be a JSON object" in refusal(shell, path)
    path.write_text("1. {nothing}")
    assert refusal(shell, path) == "the file holds no game"
    monkeypatch.setattr(foreign, "MOST_GAMES", 2)
    path.write_text(SHORT.format(result="1-0", how="") * 3)
    assert refusal(shell, path) == "game 3: a file has at most 2 games: split it"
    monkeypatch.setattr(verify_dice, "_MOST", 1 << 20)
    path.write_text(" " * (1 << 20) + "1")
    result = shell.run("admin", "import", str(path), *_WHY)
    assert (result.exit_code, result.stderr) == (2, f"pbm: {path} is longer than 1 MiB: split it\n")
    for more in (("--player", "ann"), ("--player", "=ann"), ("--game", "nonesuch")):
        assert shell.run("admin", "import", str(path), *more, *_WHY).exit_code == 2
    assert shell.json("admin", "boards") == []
