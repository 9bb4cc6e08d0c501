"""Pictures at terminals that show them: those with the protocol of kitty or of iTerm2."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping

Protocol = Callable[[bytes], str]
"""What to write so that a terminal shows a PNG."""
_CHUNK = 4096


def choose_protocol(environment: Mapping[str, str]) -> Protocol | None:
    """Return the protocol of the terminal that a program runs at; None if it shows no pictures, or
    is seen through tmux or screen."""
    terminal, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    if "TMUX" in environment or terminal.startswith("screen"):
        return None
    if "KITTY_WINDOW_ID" in environment or terminal in ("xterm-kitty", "xterm-ghostty"):
        return _write_for_kitty
    return _write_for_iterm if program in ("iTerm.app", "WezTerm") else None


def _write_for_kitty(png: bytes) -> str:
    """Write in chunks, each of which says whether more follow."""
    data = b64encode(png).decode()
    chunks = [data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)]
    return "".join(
        f"\x1b_G{'a=T,f=100,' if not number else ''}m={int(number < len(chunks) - 1)};{chunk}\x1b\\"
        for number, chunk in enumerate(chunks)
    )


def _write_for_iterm(png: bytes) -> str:
    data = b64encode(png).decode()
    return f"\x1b]1337;File=inline=1;size={len(png)};preserveAspectRatio=1:{data}\x07"
