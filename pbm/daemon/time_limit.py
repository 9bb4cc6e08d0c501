"""A time limit for a piece of Python code in a thread: what runs longer is interrupted.

It bounds a mail whose handling does not end. It cannot interrupt a call into C code. What counts is
the thread's own processor time: on a busy machine nobody's mail takes longer than it may."""

from __future__ import annotations

import contextlib
import ctypes
import threading
import time
from collections.abc import Iterator

_SET = ctypes.pythonapi.PyThreadState_SetAsyncExc
_TICK = 0.25
_PATIENCE = 12
"""Times the limit that may pass by the clock, however little of it is processor time."""


class TookTooLong(Exception):
    """The code ran longer than it may."""


class TimeLimit:
    """`with budget.spend():` raises TookTooLong inside when it takes longer than `seconds` (0 = no
    limit). One budget serves one thread at a time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._thread = 0
        self._clock = 0
        self._spent = 0.0
        self._until = 0.0
        self._watching = False

    @contextlib.contextmanager
    def spend(self) -> Iterator[None]:
        """Run the block within the limit. Once it is left no interruption comes any more."""
        if not self.seconds:
            yield
            return
        self._watch()
        with self._lock:
            self._thread = threading.get_ident()
            self._clock = time.pthread_getcpuclockid(self._thread)
            self._spent = time.clock_gettime(self._clock) + self.seconds
            self._until = time.monotonic() + self.seconds * _PATIENCE
        try:
            yield
        finally:
            with self._lock:
                self._thread = 0
            for _ in range(100):  # an interruption that was sent already comes in here
                pass

    def _watch(self) -> None:
        if not self._watching:
            self._watching = True
            threading.Thread(target=self._run, name="budget", daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(_TICK)
            with self._lock:
                if self._thread and self._is_over():
                    _SET(ctypes.c_ulong(self._thread), ctypes.py_object(TookTooLong))
                    self._thread = 0

    def _is_over(self) -> bool:
        return time.clock_gettime(self._clock) > self._spent or time.monotonic() > self._until
