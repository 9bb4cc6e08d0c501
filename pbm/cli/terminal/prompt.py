"""A prompt with Tab completion that gives way when something happens meanwhile."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator, Sequence
from types import FrameType, ModuleType

import click

_EVERY = 1.0
_CLEAR = "\r\x1b[K"

_kept = ""
"""The text of an interrupted line, put into the next one."""


class _Interrupted(Exception):
    """Interrupts the line that is being typed."""


def ask(
    prompt: str, moves: Sequence[str], words: Sequence[str], happened: Callable[[], bool]
) -> str:
    """Return the line that is typed, stripped; "" as soon as `happened` is true. Tab offers what
    `matching` finds."""
    global _kept
    readline = _import_readline()
    try:
        with _complete(readline, moves, words), _watch(readline, happened):
            line = input(prompt).strip()
            _kept = ""
            return line
    except _Interrupted:
        click.echo(_CLEAR, nl=False)
        return ""


def _import_readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:
        return None
    return readline


@contextlib.contextmanager
def _watch(readline: ModuleType | None, happened: Callable[[], bool]) -> Iterator[None]:
    """Check once a second, and raise _Interrupted out of `input`."""

    def look(_number: int, _frame: FrameType | None) -> None:
        global _kept
        if happened():
            _kept = readline.get_line_buffer() if readline is not None else ""
            raise _Interrupted
        signal.setitimer(signal.ITIMER_REAL, _EVERY)

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _EVERY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _complete(
    readline: ModuleType | None, moves: Sequence[str], words: Sequence[str]
) -> Iterator[None]:
    """Turn on Tab completion, if readline is there."""
    if readline is None:
        yield
        return

    def candidates(text: str, state: int) -> str | None:
        matches = find_matches(text, moves, words)
        return matches[state] if state < len(matches) else None

    before = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer_delims("")
    readline.set_completer(candidates)
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
    readline.set_startup_hook(lambda: readline.insert_text(_kept))
    try:
        yield
    finally:
        readline.set_startup_hook(None)
        readline.set_completer(before[0])
        readline.set_completer_delims(before[1])


def find_matches(text: str, moves: Sequence[str], words: Sequence[str]) -> list[str]:
    """Return the moves that begin with the text, ignoring case, else the words. A word that ends
    with a blank takes a move."""
    head = next((word for word in words if word[-1:] == " " and text.startswith(word)), "")
    rest = text[len(head) :].lower()
    matches = [head + move for move in moves if move.lower().startswith(rest)]
    return matches or [word for word in words if word.startswith(text.lower())]
