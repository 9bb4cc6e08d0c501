"""The process that workers are forked from: it was made before the server had threads and has none
itself, so that a worker can be started safely at any time."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import threading
import traceback
from collections.abc import Callable
from struct import Struct

_REQUEST = Struct("=ci")
_REPLY = Struct("=i")
_START, _REAP = b"s", b"r"
_PR_SET_PDEATHSIG = 1


class ForkServer:
    """The process, as the front sees it. `run` is what a worker does, given its index and its end
    of a link to the front. Create it while this process has a single thread."""

    def __init__(self, run: Callable[[int, socket.socket], object]) -> None:
        self._lock = threading.Lock()
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        front = os.getpid()
        self._pid = os.fork()
        if self._pid == 0:
            self._link.close()
            for ignored in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(ignored, signal.SIG_IGN)
            _run_child(front, lambda: _serve(theirs, run))
        theirs.close()

    def start(self, index: int) -> tuple[int, socket.socket]:
        """Start a worker; its process id and our end of its link. OSError when the fork server has
        died."""
        ours, theirs = socket.socketpair()
        with theirs, self._lock:
            socket.send_fds(self._link, [_REQUEST.pack(_START, index)], [theirs.fileno()])
            pid = self._receive_reply()
        ours.setblocking(False)
        return pid, ours

    def reap(self, pid: int) -> int:
        """End a worker that has not ended yet; its exit code, or minus the signal that ended it.
        OSError when the fork server has died, and with it all workers."""
        with self._lock:
            self._link.send(_REQUEST.pack(_REAP, pid))
            return self._receive_reply()

    def close(self) -> None:
        """End it, and with it the workers that still run."""
        with contextlib.suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)
        self._link.close()
        os.waitpid(self._pid, 0)

    def _receive_reply(self) -> int:
        reply = self._link.recv(_REPLY.size)
        if not reply:
            raise ConnectionResetError("the fork server has ended")
        (number,) = _REPLY.unpack(reply)
        return int(number)


def _serve(link: socket.socket, run: Callable[[int, socket.socket], object]) -> None:
    """Start and reap workers until the front closes the link or dies."""
    server = os.getpid()
    while True:
        request, files, *_ = socket.recv_fds(link, _REQUEST.size, 1)
        if not request:
            return
        kind, number = _REQUEST.unpack(request)
        if kind == _REAP:
            os.kill(number, signal.SIGKILL)  # one that is ending is not changed by it
            link.send(_REPLY.pack(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])))
            continue
        with socket.socket(fileno=files[0]) as theirs:
            pid = os.fork()
            if pid == 0:
                link.close()
                _run_child(server, lambda: run(number, theirs))  # noqa: B023 (it never returns)
        link.send(_REPLY.pack(pid))


def _run_child(parent: int, run: Callable[[], object]) -> None:
    """Run in a process that was just forked, then end it; it dies with its parent."""
    with contextlib.suppress(AttributeError):  # no Linux: the link says that the parent has died
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    try:
        run()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
