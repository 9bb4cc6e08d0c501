"""What each worker is executing, noted in shared memory before it begins.

A note costs no flush and no query, and outlives the process that wrote it: the front reads it when
a worker has died, the next start reads the file when the whole server has."""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from struct import Struct
from typing import NamedTuple
from zlib import crc32

import structlog

from pbm.store.engine import Store

log = structlog.get_logger()
MOST = 64
"""The most mails in a batch."""
_NUMBER = Struct("=q")
_TIME = Struct("=d")
_WRITER_AT = _NUMBER.size + _TIME.size
_COUNT_AT = _WRITER_AT + _NUMBER.size
_BATCH_AT = _COUNT_AT + _NUMBER.size
_SIZE = 1024
"""Bytes of a slot: the mail, the time of its beginning, its writer, and the batch."""


class Attempt(NamedTuple):
    """The mail being executed, and the monotonic clock at its beginning."""

    mail: int
    began: float


class WorkerSlot:
    """The mail that one worker is executing."""

    def __init__(self, memory: mmap.mmap, index: int) -> None:
        self._memory = memory
        self._at = index * _SIZE

    def attempt(self, mail: int) -> WorkerSlot:
        """Note that this mail is executed during the block: with slot.attempt(17)."""
        memory, at = self._memory, self._at
        _TIME.pack_into(memory, at + _NUMBER.size, time.monotonic())
        _NUMBER.pack_into(memory, at, mail)
        return self

    def __enter__(self) -> WorkerSlot:
        return self

    def __exit__(self, *_: object) -> None:
        _NUMBER.pack_into(self._memory, self._at, 0)

    @contextlib.contextmanager
    def batch(self) -> Iterator[None]:
        """Keep the notes of `note_batch` and `note_writer` during the block."""
        try:
            yield
        finally:
            _NUMBER.pack_into(self._memory, self._at + _COUNT_AT, 0)
            _NUMBER.pack_into(self._memory, self._at + _WRITER_AT, 0)

    def note_batch(self, mails: Sequence[int]) -> None:
        """Note that these mails share a transaction."""
        memory, at = self._memory, self._at
        Struct(f"={len(mails)}q").pack_into(memory, at + _BATCH_AT, *mails)
        _NUMBER.pack_into(memory, at + _COUNT_AT, len(mails))

    def note_writer(self, player: int) -> None:
        """Note the writer of the mail that is executed next, alone."""
        _NUMBER.pack_into(self._memory, self._at + _WRITER_AT, player)

    def get_writer(self) -> int:
        """Return the writer of a mail that is executed alone; 0 when unknown."""
        (player,) = _NUMBER.unpack_from(self._memory, self._at + _WRITER_AT)
        return int(player)

    def get_current(self) -> Attempt | None:
        """Return the mail that is being executed now; None between two of them."""
        (mail,) = _NUMBER.unpack_from(self._memory, self._at)
        (began,) = _TIME.unpack_from(self._memory, self._at + _NUMBER.size)
        if not mail or _NUMBER.unpack_from(self._memory, self._at) != (mail,):
            return None
        return Attempt(mail, began)

    def find_suspects(self) -> list[int]:
        """Return the mail that was being executed; the whole batch when it was being committed."""
        (mail,) = _NUMBER.unpack_from(self._memory, self._at)
        if mail:
            return [mail]
        (count,) = _NUMBER.unpack_from(self._memory, self._at + _COUNT_AT)
        count = min(max(count, 0), MOST)
        return list(Struct(f"={count}q").unpack_from(self._memory, self._at + _BATCH_AT))

    def clear(self) -> None:
        """Forget what was noted."""
        self._memory[self._at : self._at + _SIZE] = bytes(_SIZE)


class Attempts:
    """The slots of a daemon's workers, in a file that is locked while it runs: beside an SQLite
    database, else in the service's state directory or that for temporary files. Where no file can
    be made, a death of the whole server counts no attempt."""

    def __init__(self, store: Store, workers: int) -> None:
        size = workers * _SIZE
        self._path, self.file = _create(_build_prefix(store), size)
        self.slots = map_slots(self.file)

    def leave(self) -> None:
        """Keep the memory, but not the lock, in a child process."""
        if self.file >= 0:
            os.close(self.file)
            self.file = -1

    def close(self, *, discard: bool = False) -> None:
        """Remove the file, unless a mail is still being executed, which counts at the next
        start."""
        if self._path is not None and (discard or not any(s.get_current() for s in self.slots)):
            self._path.unlink(missing_ok=True)
        self.leave()


def map_slots(file: int) -> list[WorkerSlot]:
    """Return the slots in an open file."""
    memory = mmap.mmap(file, 0)
    return [WorkerSlot(memory, index) for index in range(len(memory) // _SIZE)]


def find_interrupted(store: Store) -> Iterator[list[int]]:
    """Yield, for each daemon that died, the mails that it was executing. Its file is removed when
    the caller asks for the next."""
    prefix = _build_prefix(store)
    for path in sorted(prefix.parent.glob(f"{prefix.name}*")):
        with contextlib.suppress(OSError), open(path, "r+b", opener=_open_without_links) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            stat = os.fstat(file.fileno())
            if stat.st_uid != os.getuid() or not stat.st_nlink or not stat.st_size:
                continue
            with mmap.mmap(file.fileno(), 0) as memory:
                attempts = (
                    WorkerSlot(memory, index).get_current() for index in range(len(memory) // _SIZE)
                )
                yield [attempt.mail for attempt in attempts if attempt is not None]
            path.unlink(missing_ok=True)


def _create(prefix: Path, size: int) -> tuple[Path | None, int]:
    """Return a locked file of zeros with allocated blocks; one in memory where no file can be
    made."""
    while True:
        try:
            file, name = tempfile.mkstemp(prefix=prefix.name, dir=prefix.parent)
            fcntl.flock(file, fcntl.LOCK_EX)
            os.write(file, bytes(size))
            if os.fstat(file).st_nlink:  # else a daemon that started took it for a left one
                return Path(name), file
            os.close(file)
        except OSError as error:
            log.warning("attempts are not kept on disk", exc_info=error)
            file = os.memfd_create(prefix.name)
            os.ftruncate(file, size)
            return None, file


def _build_prefix(store: Store) -> Path:
    """Return the beginning of the file paths of this database's daemons."""
    path = store.url.database or ""
    if store.is_sqlite and path not in ("", ":memory:"):
        return Path(f"{path}-attempts-").absolute()
    folder = os.environ.get("STATE_DIRECTORY", "").partition(":")[0] or tempfile.gettempdir()
    database = store.url.render_as_string(hide_password=True)
    return Path(folder, f"pbm-{crc32(database.encode()):08x}-attempts-")


def _open_without_links(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW)
