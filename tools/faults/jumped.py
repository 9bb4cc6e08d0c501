"""`python -m tools.faults.jumped DAYS …`: pbm on a machine whose clock is wrong by so many days."""

import sys
import time

_right = time.time
_wrong = float(sys.argv.pop(1)) * 86400
time.time = lambda: _right() + _wrong

from pbm.cli import main  # noqa: E402 (whoever keeps the clock keeps the wrong one)

main()
