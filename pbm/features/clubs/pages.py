"""The page of a club, for everybody and among a member's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbm.core.call import Call
from pbm.core.clubs import find_club
from pbm.core.feature import PlainPage
from pbm.features.clubs.lists import show_club
from pbm.rules.phrases import combine, join_phrases, phrase


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
    for title, lines in (
        (phrase("Boards:"), shown.boards),
        (phrase("Ended:"), shown.ended),
        (phrase("Offers:"), shown.offers),
        (phrase("Events:"), shown.events),
    ):
        parts += _list(title, lines)
    title = phrase("The club {club}", club=club.name)
    return PlainPage(title, join_phrases("\n\n", parts), club.colour)


def _list(title: str, lines: Sequence[tuple[str, str]]) -> list[str]:
    rows = [combine("{what} ({line})", what=what, line=line) for what, line in lines]
    return [join_phrases("\n", [title, *rows])] if rows else []


PAGES = (("/club/{name}", build_page),)
