"""The page of a club, for everybody and among a member's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbm.core.call import Call
from pbm.core.clubs import find_club
from pbm.core.feature import PageRow, PageSection, PlainPage
from pbm.features.clubs.lists import show_club
from pbm.features.clubs.members import count_clubs
from pbm.rules.phrases import join_phrases, phrase, phrase_number

_MOST = 5
"""How many clubs the front page names."""


def build_page(call: Call, values: Mapping[str, str]) -> PlainPage | None:
    """Return the page of a club as the reader may see it; None where there is no such club."""
    club = find_club(call.session, values["name"][:20])
    if club is None:
        return None
    shown = show_club(call, club.name)
    parts = [shown.about] if shown.about else []
    parts.append(phrase("Officers: {people}.", people=", ".join(shown.officers)))
    if shown.is_inside:
        parts.append(phrase("Members: {people}.", people=", ".join(shown.members)))
    sections = [
        PageSection(title, rows=[PageRow(row.what, row.path, row.about) for row in rows])
        for title, rows in (
            (phrase("Boards"), shown.boards),
            (phrase("Ended"), shown.ended),
            (phrase("Offers"), shown.offers),
            (phrase("Events"), shown.events),
        )
        if rows
    ]
    title = phrase("The club {club}", club=club.name)
    return PlainPage(title, join_phrases("\n\n", parts), club.colour, sections)


def add_to_front_page(call: Call) -> Sequence[PageSection]:
    """Return the largest clubs as a section."""
    rows = [
        PageRow(
            club.name,
            f"club/{club.name}",
            phrase_number("{count} member", "{count} members", club.count),
        )
        for club in sorted(count_clubs(call.session), key=lambda club: -club.count)[:_MOST]
    ]
    return (PageSection(phrase("Clubs"), rows=rows),) if rows else ()


PAGES = (("/club/{name}", build_page),)
