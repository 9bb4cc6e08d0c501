"""Turns shell words into a command, inserting passwords where a mail would have them.

Passwords come from the environment or a prompt, never from the words."""

from __future__ import annotations

import contextlib
import getpass
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from types import FrameType, ModuleType

import click
from msgspec import Struct
from msgspec.structs import replace

from pbm.cli import USAGE, CommandFailed
from pbm.core.command import Command, Sender
from pbm.core.feature import Verb, list_verbs
from pbm.core.links import holds_password
from pbm.core.parser import read_line


class CommandOptions(Struct, frozen=True):
    """The options of a player's command."""

    body: str | None = None
    as_operator: bool = False
    reveal: bool = False
    reason: str = ""


def build_command(words: Sequence[str], options: CommandOptions) -> Command:
    """Return the command in the words, with the password in its place. Raise what `read_line`
    raises; fails if a password or an address is missing."""
    words = " ".join(map(_quote_value, words)).split()
    verb = _find_password_verb(words)
    if verb is not None:
        words = _place_new_password(words, verb)
    operator = Sender(via="terminal", operator=True)
    command = read_line(" ".join(words), operator)
    sender = operator if options.as_operator else Sender(via="terminal")
    text = _read_text(command, options)
    if command.verb.needs_password and not options.as_operator:
        password = prompt_password("PBM_PASSWORD", f"Password of {command.user}")
        line = format_line(command, password)
        guessed = command.guessed
        command = replace(read_line(line, sender), guessed=guessed)
        if holds_password(text, password):
            raise CommandFailed("the text contains the password: nothing was done", USAGE)
    elif verb is not None:
        command = replace(command, sender=sender)
    else:
        command = replace(read_line(" ".join(words), sender), guessed=command.guessed)
    if options.as_operator and command.verb.text == "comment":
        text = f"{text} (by the operator)".strip()
    return replace(command, text=text or command.text)


def _quote_value(word: str) -> str:
    """Return the word of the shell, with quotes around an option's value if it contains blanks."""
    name, _, value = word.partition("=")
    is_option = name.startswith("-") and name.strip("-").isalnum()
    return f'{name}="{value}"' if is_option and " " in value and '"' not in value else word


def format_line(command: Command, password: str) -> str:
    """Return the command as a line of a mail."""
    words = [command.game] if command.game else []
    words.append(command.verb.name + (f"#{command.ply}" if command.ply else ""))
    if command.board:
        words.append(str(command.board))
    return " ".join([*words, command.user, password, *command.words])


def _find_password_verb(words: Sequence[str]) -> Verb | None:
    """Return the verb of the words, if it takes a new password."""
    for verb in list_verbs():
        head = verb.name.split()
        beginning = [word.lower() for word in words[: len(head)]]
        if "new_password" in verb.slots and head in (beginning, beginning[::-1]):
            return verb
    return None


def _place_new_password(words: Sequence[str], verb: Verb) -> list[str]:
    """Return the words with the new password after the userid. Fails if there are too many words:
    one could be a password."""
    head, rest = verb.name.split(), list(words[len(verb.name.split()) :])
    takes_addresses = any(slot.startswith("address") for slot in verb.slots)
    if not rest:
        raise CommandFailed(f"the userid is missing: pbm {verb.name} USERID", USAGE)
    if takes_addresses and len(rest) < 2:
        raise CommandFailed(f"the address is missing: pbm {verb.name} {rest[0]} ADDRESS", USAGE)
    if any("@" not in word for word in rest[1:]):
        raise CommandFailed("passwords are prompted for, never given on the command line", USAGE)
    name = "PBM_NEW_PASSWORD" if verb.needs_password else "PBM_PASSWORD"
    new = prompt_password(name, f"New password of {rest[0]}", twice=True)
    return [*head, rest[0], new, *rest[1:]]


def prompt_password(variable: str, prompt: str, *, twice: bool = False) -> str:
    """Return a password from the environment or the terminal. Fails without one."""
    password = os.environ.get(variable)
    if password is None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", getpass.GetPassWarning)
            try:
                password = click.prompt(
                    prompt, hide_input=True, confirmation_prompt=twice, err=True
                )
            except click.Abort:
                raise CommandFailed(f"the password is missing: set {variable}", USAGE) from None
    if not password or len(password.split()) != 1:
        raise CommandFailed("a password is 4 to 64 characters without blanks", USAGE)
    return str(password).strip()


def _read_text(command: Command, options: CommandOptions) -> str:
    """Return the text of --body, or of standard input for commands that need a text."""
    if options.body is not None and options.body != "-":
        return options.body
    needed = command.verb.text == "text" and not command.text
    if options.body == "-" or needed:
        if sys.stdin.isatty():
            click.echo("The text, then Ctrl-D:", err=True)
        return sys.stdin.read().strip()
    return ""


# A prompt with Tab completion that gives way when something happens meanwhile.

_EVERY = 1.0
_CLEAR = "\r\x1b[K"

_kept = ""
"""The text of an interrupted line, which the next prompt begins with."""


class _Interrupted(Exception):
    """Interrupts the line that is being typed."""


def ask(
    prompt: str, moves: Sequence[str], words: Sequence[str], happened: Callable[[], bool]
) -> str:
    """Return the typed line, stripped; "" as soon as `happened` is true. Tab offers what `matching`
    finds."""
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
    """Check `happened` once a second, and raise _Interrupted out of `input`."""

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
    with a blank needs a move."""
    head = next((word for word in words if word[-1:] == " " and text.startswith(word)), "")
    rest = text[len(head) :].lower()
    matches = [head + move for move in moves if move.lower().startswith(rest)]
    return matches or [word for word in words if word.startswith(text.lower())]
