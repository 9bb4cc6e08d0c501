"""Matches of teams, and exhibitions of one player against many: their tables, and the mail about
them, once a week and at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import bindparam, exists, insert, select, update

from pbm.core.board import Board
from pbm.core.clock import DAY, HOUR
from pbm.core.context import Context, DueWork
from pbm.core.notices import Notice
from pbm.core.player import Player, get_player
from pbm.core.storing import find_title
from pbm.features.parties.notices import MatchLine, MatchTable
from pbm.rules.phrases import phrase
from pbm.store.party_tables import MatchRow, match_boards, matches
from pbm.store.reads.board_rows import find_captain, find_seats_by_board
from pbm.store.rows import Query, Row
from pbm.store.tables import boards
from pbm.store.transaction import Session

_EVERY = 7 * DAY
_MOST = 20
_OPEN = ("running", "invited", "sleeping")


class _BoardRow(Row):
    """A board of a match."""

    board_id: int
    number: int
    home_seat: int
    state: str


_BOARDS = Query(
    _BoardRow,
    select(match_boards.c.board_id, match_boards.c.number, match_boards.c.home_seat, boards.c.state)
    .join(boards, boards.c.id == match_boards.c.board_id)
    .where(match_boards.c.match_id == bindparam("match"))
    .order_by(match_boards.c.number),
)
_GOES_ON = exists().where(
    match_boards.c.match_id == matches.c.id,
    boards.c.id == match_boards.c.board_id,
    boards.c.state.in_(_OPEN) | (boards.c.ended > bindparam("settled")),
)
_DUE = Query(
    MatchRow,
    select(matches)
    .where(
        matches.c.ended.is_(None),
        (matches.c.told <= bindparam("before")) | ~_GOES_ON,
        exists().where(match_boards.c.match_id == matches.c.id),
    )
    .order_by(matches.c.told, matches.c.id)
    .limit(_MOST),
)
_LATEST = Query(
    MatchRow,
    select(matches)
    .where((matches.c.home_id == bindparam("who")) | (matches.c.away_id == bindparam("who")))
    .order_by(matches.c.id.desc())
    .limit(bindparam("most")),
)


def insert_match(context: Context, game: str, home: Player, away: Player | None) -> int:
    """Insert a match without boards, and return its number."""
    row = {"game": game, "home_id": home.id, "away_id": away.id if away is not None else None}
    row |= {"begun": context.now, "told": context.now, "ended": None}
    query = insert(matches).values(row).returning(matches.c.id)
    return int(context.session.execute(query).scalar_one())


def add_board(session: Session, match: int, number: int, board: Board, home: int) -> None:
    """Make a board, on which the home side has that seat, the next of a match."""
    row = {"match_id": match, "board_id": board.id, "number": number, "home_seat": home}
    session.execute(insert(match_boards).values(row))


def find_matches(session: Session, player: int, most: int) -> Sequence[MatchRow]:
    """Return the newest matches of a team or player."""
    return session.all(_LATEST, {"who": player, "most": most})


def build_table(context: Context, row: MatchRow, *, is_last: bool = False) -> MatchTable:
    """Return the table of a match as it stands: who plays whom, what came of it, and the score. A
    win counts one point, a draw half a point for each."""
    home = get_player(context.session, row.home_id)
    away = get_player(context.session, row.away_id) if row.away_id is not None else None
    lines, points, others = list[MatchLine](), 0.0, 0.0
    rows = context.session.all(_BOARDS, {"match": row.id})
    seated = find_seats_by_board(context.session, [each.board_id for each in rows])
    for each in rows:
        own, other = (seated[each.board_id][seat] for seat in (each.home_seat, 1 - each.home_seat))
        result: str = phrase("open") if each.state in _OPEN else phrase("cancelled")
        if each.state == "over":
            won = 0.5 if own.rank == other.rank else float(own.rank == 1)
            points, others = points + won, others + 1 - won
            result = f"{_say(won)} : {_say(1 - won)}"
        lines.append(
            MatchLine(
                number=each.number,
                home=own.userid,
                away=other.userid,
                board=each.board_id,
                result=result,
            )
        )
    return MatchTable(
        game=row.game,
        title=find_title(row.game),
        home=home.userid if home is not None else "?",
        away=away.userid if away is not None else "",
        lines=lines,
        score=f"{_say(points)} : {_say(others)}",
        is_last=is_last or row.ended is not None,
    )


def _say(points: float) -> str:
    """Return points as people write them: 2½."""
    whole, half = int(points), points % 1
    return ("½" if not whole else f"{whole}½") if half else str(whole)


def mail_tables(work: DueWork) -> list[Notice]:
    """Return the mails about matches whose last one is a week old, or whose last board is over."""
    context, notices = work.context, list[Notice]()
    due = {"before": context.now - _EVERY, "settled": context.now - HOUR}
    for row in context.session.all(_DUE, due):
        rows = context.session.all(_BOARDS, {"match": row.id})
        is_last = all(each.state not in _OPEN for each in rows)
        values = {"told": context.now, "ended": context.now if is_last else None}
        context.session.execute(update(matches).where(matches.c.id == row.id).values(**values))
        table = build_table(context, row, is_last=is_last)
        people = _find_people(context, row, [each.board_id for each in rows])
        notices += [context.build_notice(player, table) for player in people]
    return notices


def _find_people(context: Context, row: MatchRow, numbers: Iterable[int]) -> list[Player]:
    """Return those who play in a match, and the captains of its teams."""
    seated = find_seats_by_board(context.session, numbers)
    found = {each.player_id for seats in seated.values() for each in seats}
    for side in (row.home_id, row.away_id):
        found |= {find_captain(context.session, side) or 0} if side is not None else set()
    people = [get_player(context.session, number) for number in sorted(found)]
    return [each for each in people if each is not None and each.is_active and not each.is_bot]
