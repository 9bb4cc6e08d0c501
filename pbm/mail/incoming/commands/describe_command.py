"""Shows the commands of a mail to others than their writer, without secrets."""

from __future__ import annotations

import re

from msgspec.structs import replace

from pbm.core.command import Command
from pbm.core.words import find_game_name, is_verb, tidy
from pbm.games import hides
from pbm.mail.incoming.commands.entry import Entry

_MASK = "********"


def find_printable_words(line: str) -> str:
    """Return what may be shown of a line that cannot be read: its game and verb."""
    words = [
        word for word in tidy(line).lower().split(" ")[:2] if find_game_name(word) or is_verb(word)
    ]
    return " ".join([*words, "..."])


def describe_result(entry: Entry, game: str, refusal: str | None) -> str:
    """Return what became of an entry (`refusal` says why it was not done), as others than its
    writer may read it: without what a player of this game hides, which the reason may tell too.
    `game` is "" when it is unknown."""
    command = entry.command
    if command is not None and _is_about_hidden(command, game):
        refusal = refusal and "..."
    if command is not None and _is_private(command, game):
        hidden = {*command.words, *re.findall(r"\w+", command.rest)}
        for word in sorted(hidden, key=len, reverse=True):
            pattern = rf"(?<!\w){re.escape(word)}(?!\w)"
            refusal = refusal and re.sub(pattern, "...", refusal, flags=re.IGNORECASE)
        entry = replace(entry, command=replace(command, words=("...",)))
    words = describe(entry, is_done=refusal is None)
    return f"done: {words}" if refusal is None else f"refused: {words}: {refusal}"


def _is_private(command: Command, game: str) -> bool:
    if command.verb.is_for_writer or _is_about_hidden(command, game):
        return True
    is_open = bool(game) and not hides(game)
    return command.verb.has_moves and not is_open


def _is_about_hidden(command: Command, game: str) -> bool:
    """Whether a command is about a board on which something is hidden."""
    return bool(command.board and game and hides(game))


def describe(entry: Entry, *, is_done: bool) -> str:
    """Return the entry as others may read it: in full once it was understood and done, and never
    with a password."""
    command = entry.command
    if command is None:
        return entry.printable
    verb = command.verb
    words = [command.game] if command.game else []
    words.append(verb.name + (f"#{command.ply}" if command.ply else ""))
    is_known = command.proof is not None or command.sender.token is not None
    if not is_done and not (verb.needs_password and is_known and command.proof):
        return " ".join([*words, "..."])
    if command.board and str(command.board) != command.password:
        words.append(str(command.board))
    if command.user and verb.name != "forgot":
        words.append(command.user)
    if command.password or "new_password" in verb.slots:
        words.append(_MASK)
    if not is_done:
        return " ".join([*words, "..."])
    if not verb.hides_words:
        words += [_MASK if word == command.password else word for word in command.words]
    return " ".join(words)[:200]
