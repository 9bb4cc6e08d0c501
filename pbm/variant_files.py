"""Reads the files of an operator's own variants and maps, and puts their games on the shelf."""

from __future__ import annotations

import stat
import sys
from collections.abc import Sequence
from pathlib import Path

MOST_BYTES = 4_000_000
"""No longer file is read."""


class UnreadableFile(ValueError):
    """A file that cannot be read; its text says why."""


def read_own_file(path: Path) -> str:
    """Return the text of a file of variants or of a map. UnreadableFile for what is no file, which
    could be read for ever, for one that is too long, and for what is no text."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UnreadableFile("it is no file")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UnreadableFile(f"the file cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise UnreadableFile(f"the file is longer than {MOST_BYTES:,} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UnreadableFile("the file is not UTF-8 text") from None


def bring_variants(paths: Sequence[str]) -> None:
    """Put the games of these files on the shelf, in place of those of former ones. A file that
    cannot be read is a fault of its own there. Every process does so, and again after a reload."""
    if not paths and "pbm.games" not in sys.modules:
        return  # nothing to bring, and nothing brought before
    import pbm.games

    files, unread = dict[str, str](), dict[str, str]()
    for path in paths:
        try:
            files[path] = read_own_file(Path(path))
        except UnreadableFile as fault:
            unread[path] = str(fault)
    pbm.games.bring_variants(files, unread)
