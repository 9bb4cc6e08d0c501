"""The process of an engine, with limits on its memory, its time and its output.

It runs in a temporary folder of its own, does not get the server's environment, and dies with the
process that started it."""

from __future__ import annotations

import ctypes
import os
import resource
import select
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from msgspec import Struct

from pbm.core.house_players import CLAIM, BotQuestion
from pbm.daemon.sockets import lift_limit
from pbm.engines.dialogue import Dialogue, Effort, Engine, EngineError, PlayedLine, Thought, replay
from pbm.engines.gnubg import Gnubg
from pbm.engines.gtp import Gtp
from pbm.engines.hub import Hub
from pbm.engines.setup import EnginePlayer
from pbm.engines.uci import Ucci, Uci, Usi
from pbm.engines.xboard import Xboard
from pbm.games import get_game
from pbm.rules import MoveError, Position
from pbm.rules.turn_text import turn_text

T = TypeVar("T")
_MOST_PRINTED = 4 * 1024**2
"""The most bytes that an engine may print for one move."""
_LONGEST_LINE = 64 * 1024
_PIECE = 64 * 1024
_SOCKET = "socket"
_PR_SET_PDEATHSIG = 1


class EngineProcess:
    """A running engine. `command` is split into words as a shell would; a program that speaks over
    a socket is sent `opens`, in which {path} stands for the socket that it has to open within so
    many seconds. `files` are the files that it finds in its folder."""

    def __init__(
        self,
        command: str,
        memory_mib: int,
        opens: str = "",
        seconds: float = 0.0,
        files: Mapping[str, str] = {},
    ) -> None:
        words = shlex.split(command)
        program = shutil.which(words[0]) if words else None
        if program is None:
            raise EngineError(f"there is no program {words[0] if words else command!r}")
        self._folder = tempfile.TemporaryDirectory(prefix="pbm-engine-")
        for name, text in files.items():
            Path(self._folder.name, name).write_text(text, encoding="utf-8")
        self._buffer = b""
        self._socket: socket.socket | None = None
        try:
            self._process = subprocess.Popen(  # noqa: S603 (the operator's own choice)
                [program, *words[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self._folder.name,
                env={
                    "HOME": self._folder.name,
                    "LC_ALL": "C",
                    "PATH": os.environ.get("PATH", os.defpath),
                },
                preexec_fn=_build_limits(memory_mib),
                start_new_session=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            self._folder.cleanup()
            raise EngineError(f"it cannot be started: {error}") from None
        if self._process.stdin is None or self._process.stdout is None:
            raise EngineError("it has no pipes")
        self._write, self._read = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._write, False)
        os.set_blocking(self._read, False)
        if opens:
            try:
                self._connect(opens, seconds)
            except EngineError:
                self.end()
                raise

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    def _connect(self, opens: str, seconds: float) -> None:
        """Wait for the program to open its socket, and communicate there from now on."""
        path = os.path.join(self._folder.name, _SOCKET)
        os.write(self._write, opens.format(path=path).encode())
        deadline = time.monotonic() + seconds
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(path)
            except OSError:
                connection.close()
            else:
                break
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise EngineError("it has opened no socket")
            time.sleep(0.02)
        connection.setblocking(False)
        self._socket = connection
        self._write = self._read = connection.fileno()

    def converse(self, dialogue: Dialogue[T], seconds: float) -> T:
        """Lead a dialogue to its end. EngineError when that takes too long, the engine ends or
        prints too much."""
        deadline, printed = time.monotonic() + seconds, 0
        try:
            text = next(dialogue)
            while True:
                unsent = text.encode()
                while unsent or b"\n" not in self._buffer:
                    unsent, got = self._exchange(unsent, deadline)
                    printed += got
                    is_line_long = len(self._buffer) > _LONGEST_LINE and b"\n" not in self._buffer
                    if printed > _MOST_PRINTED or is_line_long:
                        raise EngineError("it prints without an end")
                line, _, self._buffer = self._buffer.partition(b"\n")
                text = dialogue.send(line.decode(errors="replace").strip())
        except StopIteration as end:
            answer: T = end.value
            return answer
        finally:
            dialogue.close()

    def _exchange(self, unsent: bytes, deadline: float) -> tuple[bytes, int]:
        """Wait until data can be read or sent. Return the unsent rest, and the number of bytes
        read."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise EngineError("it took too long")
        reading, writing, _ = select.select([self._read], [self._write] if unsent else [], [], left)
        try:
            got = os.read(self._read, _PIECE) if reading else b""
            if reading and not got:
                raise EngineError("it ended in the middle of a move")
            sent = os.write(self._write, unsent) if writing else 0
        except OSError:
            raise EngineError("it ended in the middle of a move") from None
        self._buffer += got
        return unsent[sent:], len(got)

    def end(self) -> None:
        """End the program and its child processes."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):  # a full pipe whose reader is gone
                    stream.close()
        if self._socket is not None:
            self._socket.close()
        self._folder.cleanup()


def _build_limits(memory_mib: int) -> Callable[[], None]:
    """Return a function that sets the limits of a new process, to be called in it."""
    libc = ctypes.CDLL(None, use_errno=True)
    memory = memory_mib * 1024**2

    def limit() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        lift_limit()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return limit


# The turns of engines, taken in the process in which bots think.
#
# An engine that fails costs its turn and never the board: the caller has the house's own search
# play in its place.

_CLEARLY_AHEAD = 0.75
_PROTOCOLS: Mapping[str, Callable[[], Engine]] = {
    "uci": Uci,
    "usi": Usi,
    "ucci": Ucci,
    "xboard": Xboard,
    "gtp": Gtp,
    "hub": Hub,
    "gnubg": Gnubg,
}


class EngineSpec(Struct, frozen=True):
    """An engine as described in a request: how to start it, its limits, and its strength."""

    protocol: str
    command: str
    memory_mib: int
    limit_seconds: float
    effort: Effort


class TurnRequest(Struct, frozen=True, tag="turn"):
    """A turn that a bot must choose in this many seconds. A named engine chooses it; when it fails,
    the bot plays in its place. `variants` are the files of the server's own games."""

    name: str
    game: str
    seat: int
    seconds: float
    question: BotQuestion
    engine: EngineSpec | None = None
    variants: tuple[str, ...] = ()


class TurnAnswer(Struct, frozen=True):
    """The moves of a turn as one text, or `propose` to claim a draw; and the error."""

    text: str | None = None
    fault: str = ""


def describe_engine(player: EnginePlayer, seconds: float) -> EngineSpec:
    """Return the part of a request that describes the engine; `seconds` is its thinking time if its
    level has none."""
    setup, level = player.setup, player.level
    effort = Effort(level.skill, level.nodes, level.seconds or seconds)
    return EngineSpec(setup.protocol, setup.command, setup.memory_mib, setup.limit_seconds, effort)


class EngineTalk:
    """A running engine. Every failure is an EngineError."""

    def __init__(self, engine: Engine, process: EngineProcess, spec: EngineSpec) -> None:
        self._engine = engine
        self._process = process
        self._effort = spec.effort
        self._limit = spec.limit_seconds

    def greet(self, first: Position) -> None:
        """Prepare it for a game from that position."""
        self._lead(self._engine.greet(first, self._effort), self._limit)

    def think(self, line: PlayedLine) -> Thought:
        """Return its choice in a position: at least one move, all of them legal."""
        thought = self._lead(self._engine.think(line, self._effort), self._limit)
        if not thought.moves:
            raise EngineError("it has no move")
        position = line.position
        try:
            for move in thought.moves:
                position = position.play(line.seat, move)
        except MoveError as error:
            raise EngineError(f"illegal move: {error}") from None
        return thought

    def _lead(self, dialogue: Dialogue[T], seconds: float) -> T:
        try:
            return self._process.converse(dialogue, seconds)
        except (ValueError, LookupError, TypeError) as error:
            raise EngineError(f"its answer is not understood: {error}"[:200]) from None


@contextmanager
def open_engine(spec: EngineSpec, first: Position) -> Iterator[EngineTalk]:
    """Start an engine, prepared for a game from that position. EngineError."""
    engine = _PROTOCOLS[spec.protocol]()
    if not engine.plays(first.game):
        games = ", ".join(sorted(engine.games))
        raise EngineError(f"{spec.protocol} is for {games}, not for {first.game.info.name}")
    with EngineProcess(
        spec.command,
        spec.memory_mib,
        engine.opens_socket,
        spec.limit_seconds,
        engine.write_files(first),
    ) as process:
        talk = EngineTalk(engine, process, spec)
        talk.greet(first)
        yield talk


def choose_engine_turn(request: TurnRequest, engine: EngineSpec) -> str:
    """Return the engine's moves as one text, or CLAIM where a draw may be claimed and the engine is
    not clearly ahead. EngineError when it fails."""
    question = request.question
    line = replay(get_game(request.game).decode(question.first), question.moves)
    with open_engine(engine, line.positions[0]) as talk:
        thought = talk.think(line)
    if question.may_claim and (thought.share is None or thought.share < _CLEARLY_AHEAD):
        return CLAIM
    return turn_text(line.position, line.seat, thought.moves)
