"""A club's members, boards, offers, events and matches, for its members and for others."""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import literal_column, select

from pbm.core.call import Call
from pbm.core.clubs import INSIDE, find_club, find_members, refuse_no_club
from pbm.core.context import Context
from pbm.core.options import format_server, load_terms
from pbm.core.storing import find_title
from pbm.core.view import BoardSummary, format_options, summarize_boards
from pbm.features.clubs.notices import ClubEntry, ClubShown
from pbm.features.clubs.periods import ALWAYS, Period
from pbm.features.events.rows import count_entrants, find_events_in_state
from pbm.features.events.views import build_line
from pbm.features.lobby.rows import find_open_offers
from pbm.features.parties.matches import build_table
from pbm.rules.game import ANONYMOUS
from pbm.rules.phrases import combine, join_phrases, phrase
from pbm.store.rows import Query
from pbm.store.tables import (
    ASKING,
    INVITED,
    MEMBER,
    OFFICER,
    BoardRow,
    ClubRow,
    MatchRow,
    boards,
    club_matches,
    matches,
)

_MOST = 20
_MOST_READ = 200
_MOST_MATCHES = 3
_BOARDS = select(boards).where(literal_column("pool <> ''")).order_by(boards.c.id.desc())


def show_club(call: Call, name: str, news: Sequence[str] = ()) -> ClubShown:
    """Return what the reader may see of a club, below the news."""
    club = find_club(call.session, name)
    if club is None:
        raise refuse_no_club()
    rows = find_members(call.session, club.id)
    own = {row.role for row in rows if row.player_id in [each.id for each in call.readers]}
    is_inside = call.sees_all or not own.isdisjoint(INSIDE)
    is_officer = call.sees_all or OFFICER in own
    names = {role: [row.userid for row in rows if row.role == role] for role in _ROLES}
    shown = ClubShown(
        club=club.name,
        news=join_phrases("; ", news),
        about=club.about,
        officers=names[OFFICER],
        count=len(names[OFFICER]) + len(names[MEMBER]),
        is_inside=is_inside,
        userid=call.own_userid,
        boards=_list_boards(call, club, "running", is_inside=is_inside),
        ended=_list_boards(call, club, "over", is_inside=is_inside),
        events=list_events(call, club, is_inside=is_inside),
        hook=(club.hook and f"{club.hook_form} {club.hook_news}") if is_officer else "",
    )
    if not is_inside:
        return shown
    return replace(
        shown,
        members=names[MEMBER],
        invited=names[INVITED] if is_officer else (),
        asking=names[ASKING] if is_officer else (),
        offers=list_offers(call, club),
        matches=[build_table(call, row) for row in _find_matches(call, club)],
    )


_ROLES = (OFFICER, MEMBER, INVITED, ASKING)


def find_boards(
    context: Context,
    club: ClubRow,
    state: str,
    most: int,
    *,
    is_inside: bool,
    begins: float | None = None,
    ends: float | None = None,
) -> Sequence[BoardRow]:
    """Return the newest boards of a club in a state, without the private ones unless `is_inside`.
    With `begins` and `ends`, only those that ended from the first to before the second."""
    query = _BOARDS.where(boards.c.pool == club.name, boards.c.state == state).limit(most)
    query = query if is_inside else query.where(boards.c.private.is_(False))
    if begins is not None and ends is not None:
        query = query.where(boards.c.ended >= begins, boards.c.ended < ends)
    return context.session.all(Query(BoardRow, query))


def _list_boards(call: Call, club: ClubRow, state: str, *, is_inside: bool) -> list[ClubEntry]:
    rows = find_boards(call, club, state, _MOST, is_inside=is_inside)
    return [_show_board(each) for each in summarize_boards(call.session, rows)]


def _show_board(board: BoardSummary) -> ClubEntry:
    """Return a board in a list: who plays and how it stands."""
    names = " - ".join(seat.name for seat in board.seats)
    said = combine("{names}: {status}", names=names, status=board.status)
    title = f"{find_title(board.game)} {board.id}: {names}"
    line, path = f"{board.game} show {board.id}", f"board/{board.id}"
    return ClubEntry(said, line, path, title, board.status)


def list_offers(
    context: Context, club: ClubRow, *, with_private: bool = True, period: Period = ALWAYS
) -> list[ClubEntry]:
    """List the open offers of a club that were made in a period."""
    lines = list[ClubEntry]()
    for row in find_open_offers(context.session, "", context.now, _MOST_READ):
        terms = load_terms(json.loads(row.options), json.loads(row.server))
        is_public = not terms.private and ANONYMOUS not in terms.options
        if terms.club != club.name or not (with_private or is_public):
            continue
        if not period.begins <= row.created < period.ends:
            continue
        who = phrase("somebody") if ANONYMOUS in terms.options else row.userid
        server = format_server(
            terms.control, unrated=terms.unrated, private=terms.private, standin=terms.standin
        )
        words = [find_title(row.game), format_options(terms.options), server]
        what = " ".join(filter(None, words))
        said = combine("{player}: {what}", player=who, what=what)
        line = f"{row.game} join {row.id}"
        lines.append(ClubEntry(said, line, f"begin?game={row.game}"))
    return lines


def list_events(
    context: Context, club: ClubRow, *, is_inside: bool, period: Period = ALWAYS
) -> list[ClubEntry]:
    """List the open or running events of a club that were made in a period."""
    lines = list[ClubEntry]()
    for state in ("open", "running"):
        rows = find_events_in_state(context.session, state, _MOST_READ)
        for row in rows:
            terms = load_terms({}, json.loads(row.server))
            is_new = period.begins <= row.created < period.ends
            if terms.club != club.name or (terms.private and not is_inside) or not is_new:
                continue
            counts = count_entrants(context.session, [row.id])
            line = build_line(row, counts.get(row.id, 0))
            said = combine("{name}, {when}", name=line.name, when=line.when)
            path = f"event/{row.id}"
            lines.append(ClubEntry(said, f"event show {row.id}", path, line.name, line.when))
    return lines


def _find_matches(context: Context, club: ClubRow) -> Sequence[MatchRow]:
    query = (
        select(matches)
        .join(club_matches, club_matches.c.match_id == matches.c.id)
        .where(club_matches.c.club_id == club.id)
        .order_by(matches.c.id.desc())
        .limit(_MOST_MATCHES)
    )
    return context.session.all(Query(MatchRow, query))
