"""Matches of teams, and exhibitions of one player against many: their tables, and the mails about
them, once a week and at the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec.structs import replace
from sqlalchemy import bindparam, exists, insert, select, update

from pbm.core.board import Board
from pbm.core.clock import DAY, HOUR
from pbm.core.context import Context, DueWork, address_to
from pbm.core.log_view import BoardLog
from pbm.core.notices import Notice
from pbm.core.player import Player, get_player
from pbm.core.storing import find_title, load
from pbm.core.updates import tell_comments, tell_moves
from pbm.core.view import build_view
from pbm.features.parties.notices import MatchBoard, MatchLine, MatchTable
from pbm.features.ratings.rows import find_ratings_of_players
from pbm.ratings import NEW, Rating
from pbm.rules.phrases import phrase
from pbm.store.reads import find_captain, find_seats_by_board, find_team
from pbm.store.rows import Query, Row
from pbm.store.tables import RESERVE, MatchRow, boards, match_boards, matches
from pbm.store.transaction import Session

_EVERY = 7 * DAY
_DIGEST = DAY
_SOONEST = 4 * HOUR
"""The least number of seconds between mails to the giver of an exhibition."""
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
_OF_MATCH = (match_boards.c.match_id == matches.c.id) & (boards.c.id == match_boards.c.board_id)
_IS_RUNNING = boards.c.state == "running"
_HAS_NEWS = exists().where(
    _OF_MATCH,
    (_IS_RUNNING & (boards.c.to_move == "0") & (boards.c.moved >= matches.c.told))
    | (boards.c.ended >= matches.c.told),
)
_OTHERS_THINK = exists().where(_OF_MATCH, _IS_RUNNING, boards.c.to_move != "0")
_GIVER_WAITS = (
    matches.c.away_id.is_(None)
    & _HAS_NEWS
    & (
        (matches.c.told <= bindparam("yesterday"))
        | ((matches.c.told <= bindparam("lately")) & ~_OTHERS_THINK)
    )
)
_DUE = Query(
    MatchRow,
    select(matches)
    .where(
        matches.c.ended.is_(None),
        (matches.c.told <= bindparam("before")) | ~_GOES_ON | _GIVER_WAITS,
        exists().where(match_boards.c.match_id == matches.c.id),
    )
    .order_by(matches.c.told, matches.c.id)
    .limit(_MOST),
)
_OF_BOARD = Query(
    MatchRow,
    select(matches)
    .join(match_boards, match_boards.c.match_id == matches.c.id)
    .where(match_boards.c.board_id == bindparam("board")),
)


class _SidesRow(Row):
    """The two sides of a board of a match."""

    match_id: int
    home_seat: int
    home_id: int
    away_id: int | None


_SIDES = Query(
    _SidesRow,
    select(match_boards.c.match_id, match_boards.c.home_seat, matches.c.home_id, matches.c.away_id)
    .join(matches, matches.c.id == match_boards.c.match_id)
    .where(match_boards.c.board_id == bindparam("board")),
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
    """Add a board to a match, the next one; the home side has that seat."""
    row = {"match_id": match, "board_id": board.id, "number": number, "home_seat": home}
    session.execute(insert(match_boards).values(row))


def find_match(session: Session, board: int) -> MatchRow | None:
    """Return the match to which a board belongs."""
    return session.first(_OF_BOARD, {"board": board})


def find_teams(session: Session, board: int) -> dict[int, int]:
    """Return the number of each seat's team; none where the board belongs to no match of teams."""
    row = session.first(_SIDES, {"board": board})
    if row is None or row.away_id is None:
        return {}
    return {row.home_seat: row.home_id, 1 - row.home_seat: row.away_id}


def find_busy(session: Session, board: int) -> set[int]:
    """Return the players with a running board in the match to which a board belongs."""
    row = session.first(_SIDES, {"board": board})
    if row is None:
        return set()
    rows = session.all(_BOARDS, {"match": row.match_id})
    running = [each.board_id for each in rows if each.state in _OPEN]
    seated = find_seats_by_board(session, running)
    return {seat.player_id for seats in seated.values() for seat in seats}


def rank_players(
    session: Session, game: str, team: Player, people: Sequence[Player]
) -> list[Player]:
    """Return these players in the order in which they play the boards of a match for a team: by
    rating, highest first, with the team's reserves behind all others."""
    reserves = {row.player_id for row in find_team(session, team.id) if row.role == RESERVE}
    points = {
        row.player_id: Rating(row.mu, row.sigma).points
        for row in find_ratings_of_players(session, [player.id for player in people])
        if row.game == game
    }

    def place(player: Player) -> tuple[bool, float, int]:
        return player.id in reserves, -points.get(player.id, NEW.points), player.id

    return sorted(people, key=place)


def find_matches(session: Session, player: int, most: int) -> Sequence[MatchRow]:
    """Return the newest matches of a team or player."""
    return session.all(_LATEST, {"who": player, "most": most})


def build_table(context: Context, row: MatchRow, *, is_last: bool = False) -> MatchTable:
    """Return the table of a match at present: the pairs, their results, and the score. A win counts
    one point, a draw half a point for each."""
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
    """Return points in their usual spelling: 2½."""
    whole, half = int(points), points % 1
    return ("½" if not whole else f"{whole}½") if half else str(whole)


def mail_tables(work: DueWork) -> list[Notice]:
    """Return the mails about matches whose last mail is a week old, or whose last board is over.
    Each reader gets one mail for all matches; the giver of an exhibition gets one for each, with
    its boards."""
    context, notices = work.context, list[Notice]()
    tables = defaultdict[int, list[MatchTable]](list)
    due = {
        "before": context.now - _EVERY,
        "settled": context.now - HOUR,
        "yesterday": context.now - _DIGEST,
        "lately": context.now - _SOONEST,
    }
    for row in context.session.all(_DUE, due):
        rows = context.session.all(_BOARDS, {"match": row.id})
        is_last = all(each.state not in _OPEN for each in rows)
        values = {"told": context.now, "ended": context.now if is_last else None}
        context.session.execute(update(matches).where(matches.c.id == row.id).values(**values))
        table = build_table(context, row, is_last=is_last)
        people = _find_people(context, row, [each.board_id for each in rows])
        giver = row.home_id if row.away_id is None else 0
        if not is_last and (context.now - row.begun) // _EVERY == (row.told - row.begun) // _EVERY:
            people = [each for each in people if each.id == giver]
        for player in people:
            if player.id == giver:
                own = replace(table, boards=list_boards(context, row))
                notices.append(context.build_notice(player, own))
            else:
                tables[player.id].append(table)
    return notices + [
        address_to(context.session, player, replace(first, others=others), is_team=False)
        for player, (first, *others) in tables.items()
    ]


def list_boards(context: Context, row: MatchRow) -> list[MatchBoard]:
    """Return, for the giver of an exhibition only, the boards that wait for them and those that
    have ended since the last mail, with what happened there since their last turn."""
    found = list[MatchBoard]()
    for each in context.session.all(_BOARDS, {"match": row.id}):
        board = load(context.session, each.board_id, anyway=True)
        own = each.home_seat
        is_waiting = board.state == "running" and own in board.position.to_move
        if not is_waiting and (board.ended or 0.0) < row.told:
            continue
        log = BoardLog(context, board)
        since = log.find_since_turn({own}, board.number + 1, own)
        opponent = board.seats[1 - own].userid
        found.append(
            MatchBoard(
                opponent=opponent,
                view=build_view(board, own, log),
                news=tell_moves(board, since),
                comments=tell_comments(board, since),
            )
        )
    return found


def ask_for_table(session: Session, board: int) -> None:
    """Make the mail about a board's match due at the next tick."""
    query = select(match_boards.c.match_id).where(match_boards.c.board_id == board)
    last = matches.c.begun - _EVERY
    session.execute(update(matches).where(matches.c.id.in_(query)).values(told=last))


def _find_people(context: Context, row: MatchRow, numbers: Iterable[int]) -> list[Player]:
    """Return the players of a match, and the captains of its teams."""
    seated = find_seats_by_board(context.session, numbers)
    found = {each.player_id for seats in seated.values() for each in seats}
    for side in (row.home_id, row.away_id):
        found |= {find_captain(context.session, side) or 0} if side is not None else set()
    people = [get_player(context.session, number) for number in sorted(found)]
    return [each for each in people if each is not None and each.is_active and not each.is_bot]
