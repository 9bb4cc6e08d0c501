"""Notices that the files of an SQLite database are no longer those that were opened: deleted, moved
away, or replaced by others."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy.exc import OperationalError

from pbm.logs import LoggedOnce

LOG, INDEX = "-wal", "-shm"
_LATELY = 0.05
"""Seconds for which a look at the files is good enough, where nothing is promised."""


class Place(NamedTuple):
    """A file as the system knows it, whatever its name."""

    device: int
    inode: int


class DatabaseReplaced(OperationalError, LoggedOnce):
    """The database is not the one that was opened: it was deleted, moved or replaced. Nothing is
    read from it or written to it, and what was just committed may be gone. `what` says which file
    it is, and whether it is missing."""

    def __init__(self, what: str) -> None:
        super().__init__(None, None, RuntimeError(what))
        self.what = what


class DatabaseFiles:
    """The files of one database, noted when it is opened. The write-ahead log and its index count
    as long as a connection is open: they go with the last one."""

    def __init__(self, path: str, opened: Place | None = None) -> None:
        self._path = path
        self._known: dict[str, Place] = {} if opened is None else {path: opened}
        self._open = 0
        self._looked = -_LATELY

    @property
    def place(self) -> Place | None:
        """Where the database is; None before it was opened."""
        return self._known.get(self._path)

    def list_known(self) -> dict[str, Place]:
        """Return the files that were opened, by path."""
        return dict(self._known)

    def require(self) -> None:
        """Raise DatabaseReplaced unless all files are those that were opened."""
        now, self._looked = time.monotonic(), -_LATELY
        require_places(self._known)
        self._looked = now

    def require_lately(self) -> None:
        """Require the same as of now or a moment ago, since a look costs as much as a short
        query."""
        if time.monotonic() - self._looked > _LATELY:
            self.require()

    def require_flushed(self, log: int | None) -> None:
        """Require the same of the database, and the log of this descriptor; None when there is no
        log."""
        known = self._known.get(self._path + LOG)
        if known is not None and (log is None or _place(os.fstat(log)) != known):
            self.require()
        if self._path in self._known and _find(self._path) != self._known[self._path]:
            self.require()
        self.require_lately()

    def note_opened(self) -> None:
        """Note the files that a connection uses which was opened. DatabaseReplaced when they are
        not those of the others."""
        self._open += 1
        for path in (self._path, self._path + LOG, self._path + INDEX):
            found = _find(path)
            if found is not None:
                self._known.setdefault(path, found)
        self.require()

    def note_closing(self) -> None:
        """Note that a connection is about to be closed, and perhaps the log with it."""
        self._open -= 1
        if self._open <= 0:
            self._known.pop(self._path + LOG, None)
            self._known.pop(self._path + INDEX, None)


def require_places(known: Mapping[str, Place]) -> None:
    """Raise DatabaseReplaced unless each of these files is at its place."""
    for path, place in list(known.items()):
        found = _find(path)
        if found != place:
            is_what = "is missing" if found is None else "is another file"
            raise DatabaseReplaced(f"{path} {is_what}")


def _find(path: str) -> Place | None:
    try:
        return _place(os.stat(path))
    except OSError:
        return None


def _place(found: os.stat_result) -> Place:
    return Place(found.st_dev, found.st_ino)
