"""Whose server it is: a club's name, motto, colour and contact on its pages."""

from __future__ import annotations

import pytest

from pbm.config import ConfigError, Server, parse
from tests.harness.visitor import Room


@pytest.fixture
def room(sqlite_url: str) -> Room:
    return Room(sqlite_url)


def test_pages_have_the_name_of_the_club(room: Room) -> None:
    plain = room.visitor.get("/")
    assert "club.css" not in plain.text
    room.config.server = Server(
        name="King's Club <b>",
        motto="Slow chess since 1911",
        colour="#aa3300",
        contact="k@c.example",
    )
    page = room.visitor.get("/")
    assert "<title>King&#39;s Club &lt;b&gt;</title>" in page.text
    assert "Slow chess since 1911" in page.text
    assert "mailto:k@c.example" in page.links
    assert "#aa3300" in room.visitor.get("/club.css").text
    room.config.server = Server(contact="https://club.example/ask")
    assert "https://club.example/ask" in room.visitor.get("/events").links
    room.close()


@pytest.mark.long
def test_the_sheet_of_all_games_is_empty_until_it_is_drawn(room: Room) -> None:
    """A page that is looked at before has no broken picture, and no copy of it is kept."""
    sheet = room.visitor.get("/games.webp")
    assert sheet.status == 200
    assert sheet.headers["content-type"] == "image/svg+xml"
    assert sheet.headers["cache-control"] == "no-store"
    room.close()


@pytest.mark.parametrize(
    "line",
    [
        f'name = "{"x" * 41}"',
        'name = "a [b]"',
        'name = "a\\nTo: b"',
        'colour = "red"',
        'contact = "javascript:alert(1)"',
        'motto = "one\\ntwo"',
    ],
)
def test_what_is_no_name_colour_or_contact_is_refused(line: str) -> None:
    with pytest.raises(ConfigError, match=r"\[server\]|server"):
        parse(f"[server]\n{line}\n")
