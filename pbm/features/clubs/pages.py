"""The page of a club, for everybody and among a member's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbm.core.call import Call
from pbm.core.clubs import find_club
from pbm.core.feature import PageRow, PageSection, PlainPage
from pbm.features.clubs.lists import show_club
from pbm.features.clubs.members import count_clubs
from pbm.features.clubs.notices import ClubEntry
from pbm.features.parties.notices import MatchTable
from pbm.rules.phrases import phrase, phrase_number

_MOST = 5
"""How many clubs the front page names."""


def build_page(call: Call, values: Mapping[str, str]) -> PlainPage | None:
    """Return the page of a club as the reader may see it; None where there is no such club."""
    club = find_club(call.session, values["name"][:20])
    if club is None:
        return None
    shown = show_club(call, club.name)
    role = phrase("officer") if shown.is_inside else ""
    people = [PageRow(each, f"player/{each}", role) for each in shown.officers]
    people += [PageRow(each, f"player/{each}", "") for each in shown.members]
    lists = (
        (phrase("Boards"), [_link(each) for each in shown.boards]),
        (phrase("Finished"), [_link(each) for each in shown.ended]),
        (phrase("Offers"), [_link(each) for each in shown.offers]),
        (phrase("Events"), [_link(each) for each in shown.events]),
        (phrase("Members") if shown.is_inside else phrase("Officers"), people),
    )
    sections = [PageSection(title, rows=rows) for title, rows in lists if rows]
    sections[:0] = [_show_match(each) for each in shown.matches]
    title = phrase("The club {club}", club=club.name)
    return PlainPage(title, shown.about, club.colour, sections)


def _show_match(match: MatchTable) -> PageSection:
    """Return a match against another town: its score, and its boards with what came of them."""
    title = phrase(
        "Match {home} - {away}: {score}", home=match.home, away=match.away, score=match.score
    )
    rows = [
        PageRow(f"{line.number}: {line.home} - {line.away}", f"board/{line.board}", line.result)
        for line in match.lines
    ]
    return PageSection(title, rows=rows)


def _link(entry: ClubEntry) -> PageRow:
    return PageRow(entry.title or entry.what, entry.path, entry.about)


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
