"""A season in a folder that is deleted afterwards; of ten, one in processes that are killed."""

from __future__ import annotations

import random
import tempfile
import traceback
from multiprocessing import get_context
from pathlib import Path

from msgspec import json

from tools.events.season import Figures, Season

ODDS = 0.02
"""How often a server dies at a commit."""
_OF_TEN = 10
_MOST_KILLS = 6
_PATIENCE = 600


def play_season(club: Path, seed: int) -> tuple[int, Figures]:
    """Play one season; its seed and figures. What is wrong is in the figures."""
    with tempfile.TemporaryDirectory(prefix=f"season-{seed}-", dir=club.parent) as name:
        folder = Path(name)
        try:
            if seed % _OF_TEN == 0:
                return seed, play_killed(folder, club, seed)
            return seed, Season(folder, club, seed, ODDS).play()
        except Exception:
            return seed, Figures(wrong=[f"season {seed}: {traceback.format_exc()}"])


def play_killed(folder: Path, club: Path, seed: int) -> Figures:
    """Play one season in processes of which all but the last are killed at any moment."""
    dice = random.Random(f"kills {seed}")
    kills = 0
    result = folder / "figures"
    while True:
        process = get_context("fork").Process(target=_play, args=(folder, club, seed, result))
        process.start()
        is_last = kills == _MOST_KILLS
        process.join(_PATIENCE if is_last else dice.uniform(0.02, 0.5))
        if process.exitcode is None and not is_last:
            process.kill()
            process.join()
            kills += 1
            continue
        assert result.exists(), f"the process ended with {process.exitcode}"
        figures = json.decode(result.read_bytes(), type=Figures)
        figures.kills = kills
        return figures


def _play(folder: Path, club: Path, seed: int, result: Path) -> None:
    try:
        figures = Season(folder, club, seed, 0).play()
    except Exception:
        figures = Figures(wrong=[f"season {seed}: {traceback.format_exc()}"])
    beside = result.with_suffix(".new")
    beside.write_bytes(json.encode(figures))
    beside.replace(result)
