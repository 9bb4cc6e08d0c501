"""`python -m tools.populations.sped SPEED AS_IF FILE …`: pbm on a machine whose clock stands at
AS_IF until the file says when it began to run, and then runs so many times faster.

Only the clock on the wall does: whoever waits for a network or a disk waits as long as ever. The
scheduler ticks every half an hour of that clock."""

import asyncio
import contextlib
import sys
import time
from pathlib import Path
from typing import Any

_right = time.time
_SPEED, _AS_IF = float(sys.argv.pop(1)), float(sys.argv.pop(1))
_FILE = Path(sys.argv.pop(1))
_began: list[float] = []


def _read_clock() -> float:
    if not _began:
        try:
            _began.append(float(_FILE.read_text()))
        except (FileNotFoundError, ValueError):
            return _AS_IF
    return _AS_IF + (_right() - _began[0]) * _SPEED


time.time = _read_clock
sys.path.append(str(Path(__file__).parents[2] / "tests" / "plugin"))

from argon2 import profiles  # noqa: E402

from pbm.cli import main  # noqa: E402 (whoever keeps the clock keeps the fast one)
from pbm.core import secrets  # noqa: E402
from pbm.daemon import app  # noqa: E402
from pbm.daemon.scheduler import Scheduler  # noqa: E402

_EVERY = 1800.0


class SpedScheduler(Scheduler):
    """Ticks by the fast clock."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._every = _EVERY

    async def run(self) -> None:
        """Tick until stopped."""
        while not self._stop.is_set():
            await self.run_once()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), _EVERY / _SPEED)


secrets.PASSWORD_COST = profiles.CHEAPEST  # everybody signs up in the first hours
setattr(app, "Scheduler", SpedScheduler)  # noqa: B010 (mypy would not have it assigned)
main()
