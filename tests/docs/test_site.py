"""The site: built without a warning, with every game, the help and a search, and nothing fetched
from elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbm.features.finding.help import list_topics
from pbm.games import get_game
from tools.site.__main__ import build
from tools.site.game_pages import convert_text, list_own_games, rewrite_links
from tools.site.reference import PAGE, write_page


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `python -m tools.site` does: links that lead nowhere are errors."""
    folder = tmp_path_factory.mktemp("site")
    assert build(folder) == 0
    return folder


def read(site: Path, page: str) -> str:
    return (site / page / "index.html").read_text(encoding="utf-8")


@pytest.mark.long
def test_the_first_page_shows_a_mail_that_can_be_read(site: Path) -> None:
    first = (site / "index.html").read_text(encoding="utf-8")
    mail = first.partition('<div class="mail">')[2].partition("</pre>")[0]
    assert "<dt>Subject</dt><dd>[cradle 1] ann - bob</dd>" in mail
    assert "It is your move" in mail
    assert "* placed last:" in mail
    for name in ("by-day", "by-night"):
        board = ElementTree.parse(site / f"{name}.svg").getroot()  # noqa: S314 (just built)
        assert board.find("{http://www.w3.org/2000/svg}title") is not None
        assert f'src="{name}.svg"' in first


def test_every_game_has_rules_notation_and_a_picture(site: Path) -> None:
    gallery = read(site, "games")
    assert len(list_own_games()) >= 50
    for name in list_own_games():
        page = read(site, f"games/{name}")
        title = get_game(name).info.title.split("'")[0]
        assert title in page
        assert 'id="aim"' in page, name
        assert 'id="writing-moves"' in page, name
        assert f'href="{name}/"' in gallery, name
        assert f'src="../{name}.svg"' in page, name
        assert (site / "games" / f"{name}.svg").read_text().startswith("<svg "), name


@pytest.mark.long
def test_every_topic_of_the_help_is_a_page(site: Path) -> None:
    for topic in [*list_topics(), "start"]:
        text = read(site, f"players/{topic}")
        assert "{server}" not in text
        assert "```" not in text


@pytest.mark.long
def test_the_search_finds_players_operators_authors_and_developers_pages(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    places = {entry["location"] for entry in index["docs"]}
    for page in (
        "games/cradle/",
        "players/tutorial/",
        "operators/",
        "operators/moving/",
        "operators/configuration/",
        "authors/reference/",
        "architecture/",
        "developers/",
        "trying/",
    ):
        assert page in places


@pytest.mark.long
def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        loaded = re.findall(
            r"<(?:script|img|link|source|iframe)\b[^>]*(?:src|href)=\"([^\"]+)", text
        )
        assert loaded
        assert [one for one in loaded if one.startswith(("http", "//"))] == [], path


def test_the_reference_in_the_repository_is_that_of_the_docstrings() -> None:
    """`python -m tools.site.reference` writes it."""
    assert PAGE.read_text(encoding="utf-8") == write_page(), "run python -m tools.site.reference"
    for name in ("Position", "GameInfo", "outcome_of", "Scene", "find_faults"):
        assert f"### `{name}`\n" in write_page()
    assert "- `name`: the game word of commands" in write_page()


def test_texts_become_markdown() -> None:
    text = (
        "AIM\nWin <now> *well*.\n\n  > b1\n\n  > b2\n"
        "- one,\n  two\n1. Look:\n   > games\n   Then go."
    )
    assert convert_text(text) == (
        "## Aim\n\nWin \\<now\\> \\*well\\*.\n\n```text\n> b1\n\n> b2\n```\n\n"
        "- one, two\n\n1. Look:\n\n        > games\n\n    Then go.\n"
    )


def test_links_lead_to_pages_of_the_site_or_to_sources() -> None:
    text = (
        "[a](../config/README.md#3-start) [b](../examples/mail_bot.py) [c](../migrations)\n"
        "```\n[d](x.md)\n```\n[e](https://example.org) ![f](mail-light.svg)"
    )
    assert rewrite_links(text, "bots.md") == (
        "[a](operators/README.md#3-start) [b](source/examples/mail_bot.py) c\n"
        "```\n[d](x.md)\n```\n[e](https://example.org) ![f](mail-light.svg)",
        {"examples/mail_bot.py"},
    )
