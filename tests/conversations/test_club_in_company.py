"""A small club that plays in company; `python -m tools.season` plays one of forty."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.season.company import MOST_A_DAY, play


@pytest.mark.long
def test_a_club_plays_in_company(tmp_path: Path) -> None:
    """With a fifth silent, a captain gone and deaths of the server: what must hold of each mail and
    each clock is checked on the way."""
    club = play(tmp_path, seed=1, days=8, odds=0.05, is_small=True)
    assert club.server.deaths
    assert club.whispers
    assert club.votes
    assert club.hidden
    assert club.exchanges
    assert max(count for (_, day), count in club.counts.items() if day > 0) <= MOST_A_DAY
    assert {club.language[mail.address.partition("@")[0]] for mail in club.mails} >= {"de", "nl"}
