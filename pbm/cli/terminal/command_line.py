"""Turns shell words into a command, inserting passwords where a mail would have them.

Passwords come from the environment or a prompt, never from the words."""

from __future__ import annotations

import getpass
import os
import sys
import warnings
from collections.abc import Sequence

import click
from msgspec import Struct
from msgspec.structs import replace

from pbm.cli import USAGE, Failed
from pbm.core.command import Command, Sender
from pbm.core.feature import Verb
from pbm.core.links import holds_password
from pbm.core.parser import read_line
from pbm.core.words import VERBS


class CommandOptions(Struct, frozen=True):
    """The options of a player's command."""

    body: str | None = None
    as_operator: bool = False
    reveal: bool = False
    reason: str = ""


def build_command(words: Sequence[str], options: CommandOptions) -> Command:
    """Return the command in the words, with the password in its place. Raise what `read_line`
    raises, and Failed if a password or an address is missing."""
    words = " ".join(words).split()
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
            raise Failed("the text contains the password: nothing was done", USAGE)
    elif verb is not None:
        command = replace(command, sender=sender)
    else:
        command = replace(read_line(" ".join(words), sender), guessed=command.guessed)
    if options.as_operator and command.verb.text == "comment":
        text = f"{text} (by the operator)".strip()
    return replace(command, text=text or command.text)


def format_line(command: Command, password: str) -> str:
    """Return the command as a line of a mail."""
    words = [command.game] if command.game else []
    words.append(command.verb.name + (f"#{command.ply}" if command.ply else ""))
    if command.board:
        words.append(str(command.board))
    return " ".join([*words, command.user, password, *command.words])


def _find_password_verb(words: Sequence[str]) -> Verb | None:
    """Return the verb of the words, if it takes a new password."""
    for verb in VERBS:
        head = verb.name.split()
        beginning = [word.lower() for word in words[: len(head)]]
        if "new_password" in verb.slots and head in (beginning, beginning[::-1]):
            return verb
    return None


def _place_new_password(words: Sequence[str], verb: Verb) -> list[str]:
    """Return the words with the new password behind the userid. Failed if there are too many words:
    one could be a password."""
    head, rest = verb.name.split(), list(words[len(verb.name.split()) :])
    takes_addresses = any(slot.startswith("address") for slot in verb.slots)
    if not rest:
        raise Failed(f"the userid is missing: pbm {verb.name} USERID", USAGE)
    if takes_addresses and len(rest) < 2:
        raise Failed(f"the address is missing: pbm {verb.name} {rest[0]} ADDRESS", USAGE)
    if any("@" not in word for word in rest[1:]):
        raise Failed("passwords are prompted for, never given on the command line", USAGE)
    name = "PBM_NEW_PASSWORD" if verb.needs_password else "PBM_PASSWORD"
    new = prompt_password(name, f"New password of {rest[0]}", twice=True)
    return [*head, rest[0], new, *rest[1:]]


def prompt_password(variable: str, prompt: str, *, twice: bool = False) -> str:
    """Return a password from the environment or the terminal; Failed without one."""
    password = os.environ.get(variable)
    if password is None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", getpass.GetPassWarning)
            try:
                password = click.prompt(
                    prompt, hide_input=True, confirmation_prompt=twice, err=True
                )
            except click.Abort:
                raise Failed(f"the password is missing: set {variable}", USAGE) from None
    if not password or len(password.split()) != 1:
        raise Failed("a password is 4 to 64 characters without blanks", USAGE)
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
