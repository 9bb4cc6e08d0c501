"""`python -m tools.season [--seed 1] [--days 28] [--kills 0.02] [--small]`: a club of forty, or of
sixteen, plays in company; see `tools.season.company`. `--mails FILE` writes out all mails."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from argon2 import profiles

import pbm.features  # noqa: F401 (installs them)
from pbm.core import secrets
from tools.season.company import Club, play

_MOST_SHOWN = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--days", type=int, default=28)
    parser.add_argument("--kills", type=float, default=0.02, help="odds of dying at a commit")
    parser.add_argument("--small", action="store_true", help="sixteen people")
    parser.add_argument("--mails", type=Path, help="a file for the mails of everybody")
    given = parser.parse_args()
    secrets.PASSWORD_COST = profiles.CHEAPEST  # everybody signs up at once
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pbm-season-") as folder:
        club = play(Path(folder), given.seed, given.days, given.kills, is_small=given.small)
    if given.mails:
        pages = [f"To {mail.address}: {mail.subject}\n\n{mail.text}" for mail in club.mails]
        given.mails.write_text("\n=====\n".join(pages), encoding="utf-8")
    for line in describe(club, time.monotonic() - began):
        sys.stdout.write(f"{line}\n")


def describe(club: Club, seconds: float) -> list[str]:
    """Return what was played, and what was counted."""
    a_day = Counter(count for (_, day), count in club.counts.items() if day > 0)
    kinds = ", ".join(f"{count} {kind}" for kind, count in club.kinds.most_common(_MOST_SHOWN))
    return [
        f"{len(club.people)} people, {len(club.silent)} of them silent, {len(club.mails)} mails "
        f"({kinds}), {club.server.deaths} deaths of the server, {seconds:.0f} s",
        "boards: " + ", ".join(f"{count} {what}" for what, count in sorted(club.ends.items())),
        f"secrets: {len(club.whispers)} words, {sum(map(len, club.votes.values()))} sentences of "
        f"votes, {club.hidden} hidden positions held against mails",
        f"seats passed on to somebody else: {club.exchanges}",
        "mails a person and day, answers aside: "
        + ", ".join(f"{n}: {a_day[n]}" for n in sorted(a_day)),
        *(f"refused {count}: {text}" for text, count in club.refused.most_common(_MOST_SHOWN)),
    ]


if __name__ == "__main__":
    main()
