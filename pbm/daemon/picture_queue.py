"""Draws the boards of mails, one after another, in a process of its own."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import structlog

from pbm.config import Config
from pbm.daemon.processes import HelperProcess
from pbm.mail.paged_mail import NotYet, TooBusy
from pbm.pictures.mailed_board import BoardPicture, is_lesson
from pbm.pictures.picture_process import PictureAnswer, PictureRequest

log = structlog.get_logger()
_MOST_WAITING = 24
"""The most boards that wait. With more, mails come faster than pictures: none is made for a while,
and mails go out as text."""
_REST = 10.0
"""The seconds of that while."""
_MOST_KEPT = 64
_PATIENCE = 1.5
"""Seconds for which a mail waits for its picture; the outbox asks twice a second."""
_LONGEST = 10.0
"""The most seconds for drawing one. A picture too late for this mail may be in time for the
next."""
_STARTING = 120.0
"""The most seconds for the first one: a process killed while it loads modules and fonts has to
begin again, and on a busy machine would never finish, since its priority is low."""
_MOST_LATE = 2
_LATE_WITHIN = 60.0
"""After this many late pictures within these seconds the machine is too busy: mails go out as text
for as long."""
_Key = tuple[str, int]


class PictureQueue:
    """Draws what is asked for, once for all mails that show the same; `ready` is called, in another
    thread, after each. Any thread may ask.

    late  the number of pictures that came too late for a waiting mail, or not at all
    """

    def __init__(
        self,
        config: Config,
        ready: Callable[[], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.late = 0
        self._config = config
        self._ready = ready
        self._clock = clock
        self._late_at = deque[float](maxlen=_MOST_LATE)
        self._missed: set[_Key] = set()
        self._process = HelperProcess("pbm.pictures.picture_process")
        self._lock = threading.Lock()
        self._since: dict[_Key, float] = {}
        self._waiting: dict[_Key, Future[None]] = {}
        self._rests_until = 0.0
        self._is_ending = False
        self._is_starting = False
        self._drawn: OrderedDict[_Key, BoardPicture | None] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, "pictures")

    def find(self, board: str, most: int) -> BoardPicture | None:
        """Return the picture of a board as `write_board` wrote it, with a PNG of at most `most`
        bytes; None when there is none, or not in time. `NotYet` while it is awaited, `TooBusy`
        during a rest."""
        key, now = (board, most), self._clock()
        with self._lock:
            if key in self._drawn:
                self._drawn.move_to_end(key)
                return self._drawn[key]
            if key in self._since:
                if now - self._since[key] <= _find_patience(board):
                    raise NotYet
                self._note_late(key, now)
                return None
            if not self._config.players.pictures:
                return None
            if len(self._since) >= _MOST_WAITING:
                self._rest(now, _REST)
            if self._is_starting:
                return None
            if now < self._rests_until:
                raise TooBusy
            self._since[key] = now
            self._waiting[key] = self._thread.submit(self._draw, key)
        raise NotYet

    def _note_late(self, key: _Key, now: float) -> None:
        """Count a late picture, once, and rest after several."""
        if key in self._missed:
            return
        self._missed.add(key)
        self.late += 1
        log.warning("picture late")  # a busy machine: the process is a nice one
        if not self._process.is_warm:  # mails need not wait until it is
            self._is_starting = True
            self._rest(now, 0.0)
            return
        self._late_at.append(now)
        if len(self._late_at) == _MOST_LATE and now - self._late_at[0] <= _LATE_WITHIN:
            self._late_at.clear()
            self._rest(now, _LATE_WITHIN)

    def _rest(self, now: float, seconds: float) -> None:
        """Draw nothing for a while, and drop the waiting boards."""
        self._rests_until = now + seconds
        for key, waiting in [*self._waiting.items()]:
            if waiting.cancel():
                del self._waiting[key], self._since[key]
                self._missed.discard(key)

    def stop(self) -> None:
        """End the process. Waiting boards are not drawn."""
        self._is_ending = True
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._process.interrupt()
        self._thread.shutdown()
        self._process.end()

    def _draw(self, key: _Key) -> None:
        board, most = key
        request = PictureRequest(board, most, list(self._config.games.variants))
        picture, is_late = None, False
        began = time.monotonic()
        longest = _LONGEST if self._process.is_warm else _STARTING
        try:
            answer = self._process.ask(request, PictureAnswer, longest)
            if answer is None and time.monotonic() - began >= longest:
                is_late = True
            elif answer is not None or not self._is_ending:
                picture = _read(answer)
        except Exception as error:  # whatever is wrong, the mail goes out
            log.error("picture", exc_info=error)
        with self._lock:
            now = self._clock()
            is_late = is_late or now - self._since[key] > _find_patience(board)
            if is_late and not self._is_ending:
                self._note_late(key, now)
            self._is_starting = False
            self._missed.discard(key)
            del self._since[key], self._waiting[key]
            self._drawn[key] = picture
            if len(self._drawn) > _MOST_KEPT:
                self._drawn.popitem(last=False)
        self._ready()


def _find_patience(board: str) -> float:
    """Return the seconds for which a mail waits for a picture. Those of a help page take longer and
    do not count as late: nobody's turn waits for them."""
    return _LONGEST if is_lesson(board) else _PATIENCE


def _read(answer: PictureAnswer | None) -> BoardPicture | None:
    """Return the picture in an answer of the process, if any."""
    if answer is None or answer.picture is None:
        log.error("picture", why="no answer" if answer is None else answer.error)
        return None
    return answer.picture
