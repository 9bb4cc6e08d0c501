"""An engine of any protocol that is polite until it has to move, and then does as it was told.

python failing_engine.py PROTOCOL crash|hang|illegal|memory|lie|silence"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable, Mapping

READY = {
    "uci": {"uci": "uciok", "isready": "readyok"},
    "usi": {"usi": "option name UCI_Variant type combo\nusiok", "isready": "readyok"},
    "ucci": {"ucci": "ucciok", "isready": "readyok"},
    "xboard": {"protover": "feature setboard=1 ping=1 done=1", "ping": "pong 1"},
    "gtp": dict.fromkeys(
        ("boardsize", "komi", "known_command", "time_settings", "clear_board"), "= \n"
    ),
    "hub": {"hub": "wait", "init": "ready"},
    "gnubg": {"version": "Software: none"},
}
"""What each answers until it has to move, by the first word of a line."""
ASKED = {
    **dict.fromkeys(("uci", "usi", "ucci", "xboard", "hub"), "go"),
    **{"gtp": "genmove", "gnubg": "board"},
}
"""The word with which it is asked for a move."""
ILLEGAL = {
    "uci": "bestmove e2e5",
    "usi": "bestmove 1a1b",
    "ucci": "bestmove a0a9",
    "xboard": "move e2e5",
    "gtp": "= z99\n",
    "hub": "done move=1-6",
    "gnubg": "9/1",
}
LIES = {
    "uci": "bestmove (none)",
    "usi": "bestmove win",
    "ucci": "nobestmove",
    "xboard": "1-0 {White mates}",
    "gtp": "= resign\n",
    "hub": "done",
    "gnubg": "resign gammon",
}
"""It says that the game is over, or that there is no move."""


def fail(protocol: str, fault: str, say: Callable[[str], object]) -> None:
    if fault == "crash":
        os.abort()
    elif fault == "hang":
        time.sleep(1000)
    elif fault == "memory":
        bytearray(2**32)
    else:
        say((ILLEGAL if fault == "illegal" else LIES)[protocol])


def listen(path: str) -> socket.socket:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        return listener.accept()[0]


def talk(protocol: str, fault: str) -> None:
    ready: Mapping[str, str] = READY[protocol]
    lines, out = sys.stdin, sys.stdout
    if protocol == "gnubg":
        while not (line := sys.stdin.readline()).startswith("external "):
            pass
        connection = listen(line.split()[1])
        lines, out = connection.makefile("r"), connection.makefile("w")
    for line in lines:
        word = line.replace(":", " ").split()[0]
        if word == ASKED[protocol]:
            fail(protocol, fault, lambda text: print(text, file=out, flush=True))
        elif word in ready:
            print(ready[word], file=out, flush=True)


if __name__ == "__main__":
    if sys.argv[2] != "silence":  # which ends before it has said a word
        talk(*sys.argv[1:])
