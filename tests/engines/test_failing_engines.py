"""Engines that fail in every way cost their turn: the bot process answers with a move of its own,
says why, and neither waits, grows nor leaves a process behind."""

from __future__ import annotations

import random
import re
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbm.core.house_players import BotQuestion
from pbm.daemon.bot_process import answer
from pbm.daemon.engine_process import EngineProcess, TurnAnswer, TurnRequest
from pbm.engines.dialogue import Dialogue, EngineError, PlayedLine
from pbm.games import get_game
from tests.engines.dialogues import play
from tests.engines.matches import build_spec, spell_failing_engine

_POLITE = """
import os, sys, time
print("uciok", flush=True)
for line in sys.stdin:
    if line.startswith("isready"): print("readyok", flush=True)
    if line.startswith("go"):
        {go}
"""
HOSTILE = {
    "talks nonsense": (r'print("bestmove \udce9\0".encode("utf-8","ignore"), flush=True)', "long"),
    "prints without an end": ('while True: print("info " + "x" * 5000)', "prints without an end"),
    "prints no line": ('while True: sys.stdout.write("x" * 5000)', "prints without an end"),
    "ends": ("sys.exit()", "ended in the middle"),
}


def write_program(folder: Path, go: str) -> str:
    """The command of a program that is polite until it has to move."""
    path = folder / "engine.py"
    path.write_text(_POLITE.format(go=go), encoding="utf-8")
    return shlex.join([sys.executable, "-S", "-E", str(path)])


def ask(command: str, line: PlayedLine | None = None, **more: Any) -> TurnAnswer:
    """What the bot process answers when that engine is to move: to begin a game of chess by UCI, if
    nothing else is said."""
    line = line or play("chess")
    spec = replace(build_spec("uci", command, limit_seconds=1.0, memory_mib=256), **more)
    question = BotQuestion(
        line.position.encode(), False, line.positions[0].encode(), tuple(line.moves)
    )
    game = line.position.game.info.name
    answered = answer(TurnRequest("random", game, line.seat, 0.1, question, spec), random.Random(1))
    assert isinstance(answered, TurnAnswer)
    return answered


STARTS = {
    "uci": ("chess",),
    "usi": ("minishogi",),
    "ucci": ("xiangqi",),
    "xboard": ("chess",),
    "gtp": ("go",),
    "hub": ("internationaldraughts",),
    "gnubg": ("backgammon", "3", "1"),
}
"""A game for each protocol, with the rolls that begin it."""
FAULTS = {
    "crash": "ended in the middle",
    "hang": "took too long",
    "illegal": "illegal move",
    "memory": "ended in the middle",
    "lie": "",
    "silence": "ended in the middle|opened no socket",
}


@pytest.mark.parametrize("protocol", STARTS)
@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_fails_the_turn_is_taken(protocol: str, fault: str) -> None:
    """In every protocol: the search moves in the place of the engine, and says why."""
    command = spell_failing_engine(protocol, fault)
    line = play(*STARTS[protocol])
    seconds = 0.3 if fault == "hang" else 20.0
    answered = ask(command, line, protocol=protocol, limit_seconds=seconds)
    assert re.search(FAULTS[fault], answered.fault), answered
    position, text = line.position, answered.text
    while text:
        move, text = position.parse(text, line.seat)
        position = position.play(line.seat, move)
    assert position.encode() != line.position.encode()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_engine_costs_its_turn(tmp_path: Path, name: str) -> None:
    go, fault = HOSTILE[name]
    began = time.monotonic()
    answered = ask(write_program(tmp_path, go))
    assert answered.text in get_game("chess").setup(2).legal_moves(0)
    assert fault in answered.fault
    assert time.monotonic() - began < 10


def test_an_honest_program_is_believed(tmp_path: Path) -> None:
    assert ask(write_program(tmp_path, 'print("bestmove a2a3", flush=True)')) == TurnAnswer("a2a3")


def test_a_program_that_is_not_there_or_not_an_engine_costs_its_turn(tmp_path: Path) -> None:
    assert "there is no program" in ask("/no/such/program").fault
    assert "took too long" in ask("cat").fault
    assert "cannot be started" in ask(str(_make_executable(tmp_path / "text", "hello"))).fault


def _make_executable(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the programs that an engine has started, nor its folder, nor secrets in its hands."""
    monkeypatch.setenv("PBM_PASSWORD", "secret99")
    program = _make_executable(
        tmp_path / "forks", "#!/bin/sh\nsleep 1000 &\necho $! $HOME; env; echo done; cat\n"
    )

    def listen() -> Dialogue[list[str]]:
        lines = [(yield "")]
        while lines[-1] != "done":
            lines.append((yield ""))
        return lines

    with EngineProcess(str(program), 256) as process:
        lines = process.converse(listen(), 5)
    child, home = lines[0].split()
    assert not Path(home).exists()
    assert not any("secret99" in line for line in lines)
    for _ in range(100):
        status = Path(f"/proc/{child}/stat")
        if not status.exists() or status.read_text().split()[2] == "Z":
            break
        time.sleep(0.02)
    else:
        raise AssertionError("a program that the engine started lives on")


def test_a_program_that_opens_no_socket_is_waited_for_as_long_as_for_a_move(
    tmp_path: Path,
) -> None:
    program = _make_executable(tmp_path / "deaf", "#!/bin/sh\nsleep 1000\n")
    began = time.monotonic()
    answered = ask(str(program), play(*STARTS["gnubg"]), protocol="gnubg", limit_seconds=0.3)
    assert "opened no socket" in answered.fault
    assert time.monotonic() - began < 10


def test_what_an_engine_does_not_read_is_not_waited_for(tmp_path: Path) -> None:
    def shout() -> Dialogue[None]:
        yield "x" * 1_000_000

    program = _make_executable(tmp_path / "deaf", "#!/bin/sh\nsleep 1000\n")
    with EngineProcess(str(program), 256) as process, pytest.raises(EngineError, match="too long"):
        process.converse(shout(), 0.5)
