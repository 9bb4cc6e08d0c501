"""Reads the files of an operator's own variants and maps, and puts their games on the shelf."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path


def bring_variants(paths: Sequence[str]) -> None:
    """Put the games of these files on the shelf, in place of those of former ones. A file that
    cannot be read is a fault of its own there. Every process does so, and again after a reload."""
    if not paths and "pbm.games" not in sys.modules:
        return  # nothing to bring, and nothing brought before
    import pbm.games

    files, unread = dict[str, str](), dict[str, str]()
    for path in paths:
        try:
            files[path] = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            unread[path] = f"the file cannot be read: {error.strerror}"
        except UnicodeDecodeError:
            unread[path] = "the file is not UTF-8 text"
    pbm.games.bring_variants(files, unread)
