"""The page of a club, for everybody and among a member's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbm.core.call import Call
from pbm.core.clubs import find_club
from pbm.core.feature import PageRow, PageSection, PlainPage
from pbm.features.clubs.lists import show_club
from pbm.features.clubs.members import count_clubs
from pbm.features.clubs.notices import ClubEntry, ClubShown
from pbm.features.parties.notices import MatchTable
from pbm.rules.phrases import phrase, phrase_number

_MOST = 5
"""The number of clubs on the front page."""


def build_page(call: Call, values: Mapping[str, str]) -> PlainPage | None:
    """Return the page of a club, as the reader may see it; None where there is no such club."""
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
    sections[-1:-1] = map(_show_match, shown.matches)
    title = phrase("The club {club}", club=club.name)
    return PlainPage(title, shown.about, club.colour, sections, tuple(_list_forms(call, shown)))


def _list_forms(call: Call, shown: ClubShown) -> Iterator[tuple[str, Mapping[str, str], str]]:
    """Yield forms for what the reader may do about a club."""
    club = {"name": shown.club}
    if not shown.is_inside:
        yield "club join", club, ""
        return
    if call.player is not None and call.player.userid in shown.officers:
        for each in shown.asking:
            yield "club invite", {**club, "userid": each}, phrase("Let {player} in", player=each)
        yield "club invite", club, ""
        yield "club say", club, ""
    yield "club leave", club, ""


def _show_match(match: MatchTable) -> PageSection:
    title = phrase(
        "Match of {home} and {away} in {game}", home=match.home, away=match.away, game=match.title
    )
    stands = phrase("It stands at {score}.", score=match.score)
    said = phrase("It is over: {score}.", score=match.score) if match.is_last else stands
    rows = [
        PageRow(f"{line.home} - {line.away}", f"board/{line.board}", line.result)
        for line in match.lines
    ]
    return PageSection(title, said, rows)


def _link(entry: ClubEntry) -> PageRow:
    return PageRow(entry.title or entry.what, entry.path, entry.about)


def build_list(call: Call, values: Mapping[str, str]) -> PlainPage:
    """Return the page of all clubs, the largest first."""
    rows = _list_clubs(call)
    text = "" if rows else phrase("There are no clubs yet.")
    sections = [PageSection(phrase("Clubs"), rows=rows)] if rows else []
    return PlainPage(phrase("The clubs of this server"), text, "", sections)


def add_to_front_page(call: Call) -> Sequence[PageSection]:
    """Return the largest clubs as a section."""
    rows = _list_clubs(call)
    more = (phrase("All clubs"), "clubs")
    return (PageSection(phrase("Clubs"), rows=rows[:_MOST], more=more),) if rows else ()


def _list_clubs(call: Call) -> list[PageRow]:
    return [
        PageRow(
            club.name,
            f"club/{club.name}",
            phrase_number("{count} member", "{count} members", club.count),
        )
        for club in sorted(count_clubs(call.session), key=lambda club: -club.count)
    ]


PAGES = (("/clubs", build_list), ("/club/{name}", build_page))
