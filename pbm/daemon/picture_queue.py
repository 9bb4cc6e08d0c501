"""Boards of mails that wait to be drawn, one after another, in a process of their own."""

from __future__ import annotations

import threading
import time
from base64 import b64decode
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import structlog

from pbm.config import Config
from pbm.daemon.helper_process import HelperProcess
from pbm.mail.outgoing.pictured_mail import NotYet, TooBusy
from pbm.pictures.mailed_board import BoardPicture

log = structlog.get_logger()
_MOST_WAITING = 24
"""Boards that may wait: with more, mails come faster than pictures can be made. Then none is made
for a while, so that the processor is left to the mails, which go out as text."""
_REST = 10.0
"""Seconds of such a while."""
_MOST_KEPT = 64
_PATIENCE = 10.0
"""Seconds for which a mail waits for its picture, and which drawing one may take."""
_Key = tuple[str, int]


class PictureQueue:
    """Draws what is asked for, once for all mails that show the same; `ready` is called, in another
    thread, after each. Any thread may ask."""

    def __init__(self, config: Config, ready: Callable[[], object]) -> None:
        self._config = config
        self._ready = ready
        self._process = HelperProcess("pbm.pictures.picture_process")
        self._lock = threading.Lock()
        self._since: dict[_Key, float] = {}
        self._waiting: dict[_Key, Future[None]] = {}
        self._rests_until = 0.0
        self._is_ending = False
        self._drawn: OrderedDict[_Key, BoardPicture | None] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, "pictures")

    def find(self, board: str, most: int) -> BoardPicture | None:
        """Return the picture of a board as `write_board` wrote it, with a PNG of at most so many
        bytes; None when there is none, or not in time. `NotYet` while it is awaited, `TooBusy`
        while none is made."""
        key, now = (board, most), time.monotonic()
        with self._lock:
            if key in self._drawn:
                self._drawn.move_to_end(key)
                return self._drawn[key]
            if key in self._since:
                if now - self._since[key] > _PATIENCE:
                    return None
                raise NotYet
            if not self._config.players.pictures:
                return None
            if len(self._since) >= _MOST_WAITING:
                self._rest(now)
            if now < self._rests_until:
                raise TooBusy
            self._since[key] = now
            self._waiting[key] = self._thread.submit(self._draw, key)
        raise NotYet

    def _rest(self, now: float) -> None:
        """Make no picture for a while, of what waits neither."""
        self._rests_until = now + _REST
        for key, waiting in [*self._waiting.items()]:
            if waiting.cancel():
                del self._waiting[key], self._since[key]

    def stop(self) -> None:
        """End the process; what waits is not drawn."""
        self._is_ending = True
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._process.interrupt()
        self._thread.shutdown()
        self._process.end()

    def _draw(self, key: _Key) -> None:
        board, most = key
        variants = list(self._config.games.variants)
        request = {"board": board, "most": most, "variants": variants}
        picture = None
        began = time.monotonic()
        try:
            answer = self._process.ask(request, _PATIENCE)
            if answer is None and time.monotonic() - began >= _PATIENCE:
                log.warning("picture late")  # a busy machine: the process is a nice one
            elif answer is not None or not self._is_ending:
                picture = _read(answer)
        except Exception as error:  # whatever is wrong, the mail goes out
            log.error("picture", exc_info=error)
        with self._lock:
            del self._since[key], self._waiting[key]
            self._drawn[key] = picture
            if len(self._drawn) > _MOST_KEPT:
                self._drawn.popitem(last=False)
        self._ready()


def _read(answer: dict[str, Any] | None) -> BoardPicture | None:
    """Return the picture in an answer of the process, if there is one."""
    if answer is None or "png" not in answer:
        log.error("picture", why="no answer" if answer is None else answer["error"])
        return None
    moves = tuple((move, shown) for move, shown in answer["moves"])
    return BoardPicture(b64decode(answer["png"]), answer["width"], answer["words"], moves)
