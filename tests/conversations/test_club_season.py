"""A small season of a club without an organiser; `tools.season.swiss` plays one of forty."""

from __future__ import annotations

from tests.harness.conversation import Conversation
from tools.season.swiss import check_season, play_season


def test_a_season_needs_no_organiser(talk: Conversation) -> None:
    season, record = play_season(talk, 8)
    check_season(season, record, 8)
    talk.everything()
