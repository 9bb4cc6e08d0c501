"""Reads for lists: of open and finished boards, of players, and of how boards began and ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, func, or_, select, text

from pbm.features.lobby.tables import offers
from pbm.store.reads import find_games_with_boards, select_held_boards
from pbm.store.rows import Query, Row
from pbm.store.tables import (
    MEMBER,
    OFFICER,
    BoardRow,
    boards,
    club_members,
    clubs,
    is_established,
    is_provisional,
    moves,
    pauses,
    players,
    ratings,
    seat_members,
    seats,
    watchers,
)
from pbm.store.transaction import Session, pad_keys

_COUNTED = 500
"""The most boards of a player, or of a game, that are counted; the newest ones."""
_EARLY = 20
"""The rows of a log read for the first moves; some may be rolls or undone."""
_SHOWN = func.coalesce(func.nullif(moves.c.words, ""), moves.c.move)


class OwnResultRow(Row):
    """A player's results in a game: finished boards, of these won, shared and lost on time; the
    moves made there, and the seconds they took."""

    game: str
    boards: int
    won: int
    tied: int
    forfeits: int
    moves: int
    spent: float


_OTHERS = seats.alias("others")
_LOWEST = (
    select(func.max(_OTHERS.c.rank)).where(_OTHERS.c.board_id == boards.c.id).scalar_subquery()
)


def _count_rows(kind: str) -> Any:
    return (
        select(func.count())
        .where(
            moves.c.board_id == seats.c.board_id,
            moves.c.seat == seats.c.seat,
            moves.c.kind == kind,
        )
        .scalar_subquery()
    )


_OWN = (
    select(
        boards.c.game,
        seats.c.rank,
        seats.c.spent,
        _LOWEST.label("lowest"),
        _count_rows("move").label("moves"),
        _count_rows("forfeit").label("forfeits"),
    )
    .join(seats, seats.c.board_id == boards.c.id)
    .where(
        seats.c.player_id == bindparam("player"),
        boards.c.state == "over",
        boards.c.anonymous.is_(False),
        boards.c.private.is_(False),
    )
    .order_by(boards.c.id.desc())
    .limit(_COUNTED)
    .subquery()
)
_IS_FIRST = _OWN.c.rank == 1
_OWN_RESULTS = Query(
    OwnResultRow,
    select(
        _OWN.c.game,
        func.count().label("boards"),
        func.sum(case((_IS_FIRST & (_OWN.c.lowest > 1), 1), else_=0)).label("won"),
        func.sum(case((_IS_FIRST & (_OWN.c.lowest == 1), 1), else_=0)).label("tied"),
        func.sum(case((_OWN.c.forfeits > 0, 1), else_=0)).label("forfeits"),
        func.sum(_OWN.c.moves).label("moves"),
        func.sum(_OWN.c.spent).label("spent"),
    )
    .group_by(_OWN.c.game)
    .order_by(func.count().desc(), _OWN.c.game),
)


def count_own_results(session: Session, player: int) -> Sequence[OwnResultRow]:
    """Return a player's results in each game, on the newest finished boards that do not hide who
    played, the most played game first."""
    return session.all(_OWN_RESULTS, {"player": player})


def find_finished_boards(
    session: Session,
    people: Sequence[int],
    *,
    game: str,
    since: float | None,
    until: float | None,
    event: int,
    opening: Sequence[str],
    anonymous: bool,
    reader: int,
    most: int,
    skip: int,
) -> Sequence[BoardRow]:
    """Return the finished boards that meet all conditions, the latest first: of a game, with these
    players, ended between two times, of an event, begun with these moves. Private boards are
    included for a `reader` who played there or belongs to the club; 0 is nobody."""
    query = select(boards).where(boards.c.state == "over", _is_shown_to(reader))
    if not anonymous:
        query = query.where(boards.c.anonymous.is_(False))
    if game:
        query = query.where(boards.c.game == game)
    if since is not None:
        query = query.where(boards.c.ended >= since)
    if until is not None:
        query = query.where(boards.c.ended < until)
    if event:
        query = query.where(boards.c.event_id == event)
    for player in people:
        own = select(seats.c.board_id).where(seats.c.player_id == player)
        query = query.where(boards.c.id.in_(own))
    for ply, move in enumerate(opening, 1):
        played = (
            select(moves.c.board_id)
            .where(
                moves.c.board_id == boards.c.id,
                moves.c.kind == "move",
                moves.c.ply == ply,
                func.lower(_SHOWN) == move.lower(),
            )
            .correlate(boards)
        )
        query = query.where(played.exists())
    query = query.order_by(boards.c.id.desc()).limit(most).offset(skip)
    return session.all(Query(BoardRow, query))


def _is_shown_to(reader: int) -> ColumnElement[bool]:
    """Whether a board is not private, or this player may see it."""
    seated = select(seats.c.board_id).where(seats.c.player_id == reader)
    own = (
        select(clubs.c.name)
        .join(club_members, club_members.c.club_id == clubs.c.id)
        .where(club_members.c.player_id == reader, club_members.c.role.in_((OFFICER, MEMBER)))
    )
    return or_(
        boards.c.private.is_(False),
        boards.c.id.in_(seated),
        boards.c.id.in_(select_held_boards(reader)),
        boards.c.pool.in_(own),
    )


# Lists of open boards.

_NEWEST = (
    select(boards)
    .where(boards.c.state == bindparam("state"), boards.c.private.is_(False))
    .order_by(boards.c.id.desc())
    .limit(bindparam("most"))
)
_NEWEST_IN_STATE = Query(BoardRow, _NEWEST)
_NEWEST_OF_GAME = Query(BoardRow, _NEWEST.where(boards.c.game == bindparam("game")))
MOST_COUNTED = 999
_COUNT_OF_GAME = select(func.count()).select_from(
    select(boards.c.game)
    .where(boards.c.game == bindparam("game"), boards.c.state.in_(("running", "over")))
    .limit(MOST_COUNTED)
    .subquery()
)
# SQLite takes the index of private boards for this condition as it stands, not for `private = 1`,
# and rather searches all states when they are named beside it.
_PRIVATE_BY_GAME = (
    select(boards.c.game, func.sum(case((boards.c.state.in_(("running", "over")), 1), else_=0)))
    .where(text("private"))
    .group_by(boards.c.game)
)
_WATCHED = select(watchers.c.board_id).where(watchers.c.player_id == bindparam("player"))


def find_newest_boards(
    session: Session, states: Iterable[str], games: Collection[str], most: int
) -> list[BoardRow]:
    """Return the newest boards in these states, of these games or of all, that are not private.

    An index has each game's boards in one state in their order: several states or games at once
    would have to be sorted as a whole, so each is a query."""
    wanted: list[dict[str, object]] = [{"state": state, "most": most} for state in states]
    query = _NEWEST_IN_STATE
    if games:
        wanted = [{**each, "game": game} for each in wanted for game in dict.fromkeys(games)]
        query = _NEWEST_OF_GAME
    rows = [row for each in wanted for row in session.all(query, each)]
    return sorted(rows, key=lambda row: -row.id)[:most]


def find_boards_of_players(
    session: Session,
    people: Iterable[int],
    states: Collection[str],
    game: str,
    *,
    only_open: bool,
    most: int,
    among: Collection[int] | None = None,
    covered: bool = False,
) -> Sequence[BoardRow]:
    """Return the newest boards in these states, of a game or of all, on which all these players
    play, or (`only_open`) still play; `among` these boards if given. Boards that hide who plays,
    and private ones, are left out unless `covered`."""
    query = select(boards).where(boards.c.state.in_(states))
    if not covered:
        query = query.where(boards.c.anonymous.is_(False), boards.c.private.is_(False))
    if game:
        query = query.where(boards.c.game == game)
    if among is not None:
        query = query.where(boards.c.id.in_(among))
    for player in people:
        own = select(seats.c.board_id).where(seats.c.player_id == player)
        held = select_held_boards(player)
        if only_open:
            own = own.where(seats.c.rank.is_(None))
            going_on = boards.alias("going_on")
            held = held.join(going_on, going_on.c.id == seat_members.c.board_id)
            held = held.where(going_on.c.ended.is_(None))
        # One list, by which the boards are found: with an OR, all of these states are read.
        query = query.where(boards.c.id.in_(own.union(held)))
    return session.all(Query(BoardRow, query.order_by(boards.c.id.desc()).limit(most)))


def count_boards_by_game(session: Session) -> Counter[str]:
    """Return how many boards of each game have been started that are not private, up to
    MOST_COUNTED: a bounded part of an index, however many boards there are."""
    private = dict[str, int]()
    for game, count in session.tuples(_PRIVATE_BY_GAME):
        private[str(game)] = int(count)
    counted = Counter[str]()
    for game in find_games_with_boards(session):
        found = int(session.value(_COUNT_OF_GAME, {"game": game}))
        counted[game] = found if found == MOST_COUNTED else found - private.get(game, 0)
    return +counted


def find_watched_boards(session: Session, player: int) -> set[int]:
    """Return the numbers of the boards that a player watches."""
    return {int(number) for number in session.execute(_WATCHED, {"player": player}).scalars()}


# Who is here, who is as strong, and how two have fared.


class RecentPlayerRow(Row):
    """A player, and the time of the last command."""

    id: int
    userid: str
    preferences: str
    seen: float


class NearPlayerRow(Row):
    """A player with a rating near another one."""

    player_id: int
    userid: str
    preferences: str
    mu: float
    sigma: float


class SeekingRow(Row):
    """An open offer, and who made it."""

    id: int
    player_id: int
    game: str


class ResultRow(Row):
    """The first of two players' results against the second in a game."""

    game: str
    boards: int
    won: int
    lost: int


class PairBoardRow(Row):
    """A board on which two players have met."""

    id: int
    game: str


_RECENT = Query(
    RecentPlayerRow,
    select(players.c.id, players.c.userid, players.c.preferences, players.c.seen)
    .where(
        players.c.state == "active",
        players.c.seen >= bindparam("since"),
        func.substr(players.c.password, 1, 1) != bindparam("no_password"),
        players.c.roles.not_like("%guest%"),
    )
    .order_by(players.c.seen.desc(), players.c.id)
    .limit(bindparam("most")),
)
_NEAR = (
    select(
        ratings.c.player_id,
        players.c.userid,
        players.c.preferences,
        ratings.c.mu,
        ratings.c.sigma,
    )
    .join(players, players.c.id == ratings.c.player_id)
    .where(ratings.c.game == bindparam("game"), ratings.c.boards > 0, players.c.state == "active")
    .limit(bindparam("most"))
)
_NEAREST = tuple(
    Query(NearPlayerRow, _NEAR.where(kind, side).order_by(order, ratings.c.player_id))
    for kind in (is_established, is_provisional)
    for side, order in (
        (ratings.c.mu >= bindparam("mu"), ratings.c.mu.asc()),
        (ratings.c.mu < bindparam("mu"), ratings.c.mu.desc()),
    )
)
"""Queries of the nearest established and provisional players, above and below; an index has each in
its order."""
_SEEKING = (
    select(offers.c.id, offers.c.player_id, offers.c.game)
    .where(
        offers.c.player_id.in_(bindparam("players", expanding=True)),
        offers.c.state == "open",
        offers.c.expires > bindparam("now"),
        offers.c.options.not_like('%"anonymous"%'),
        offers.c.server.not_like('%"club"%'),
    )
    .order_by(offers.c.id)
)
_SEEKING_ANY = Query(SeekingRow, _SEEKING)
_SEEKING_GAME = Query(SeekingRow, _SEEKING.where(offers.c.game == bindparam("game")))
_AWAY = (
    select(pauses.c.player_id)
    .where(
        pauses.c.player_id.in_(bindparam("players", expanding=True)),
        pauses.c.begins <= bindparam("now"),
        pauses.c.ends > bindparam("now"),
    )
    .distinct()
)
_CREATED = select(players.c.created).where(players.c.id == bindparam("id"))
_OTHER = seats.alias("other")
_MET = boards.join(seats, seats.c.board_id == boards.c.id).join(
    _OTHER, _OTHER.c.board_id == boards.c.id
)
_BETWEEN = (
    boards.c.state == "over",
    boards.c.private.is_(False),
    seats.c.player_id == bindparam("one"),
    _OTHER.c.player_id == bindparam("other"),
    seats.c.rank.is_not(None),
    _OTHER.c.rank.is_not(None),
)
_RESULTS_OF_PAIR = Query(
    ResultRow,
    select(
        boards.c.game,
        func.count().label("boards"),
        func.sum(case((seats.c.rank < _OTHER.c.rank, 1), else_=0)).label("won"),
        func.sum(case((seats.c.rank > _OTHER.c.rank, 1), else_=0)).label("lost"),
    )
    .select_from(_MET)
    .where(*_BETWEEN)
    .group_by(boards.c.game)
    .order_by(func.count().desc(), boards.c.game),
)
_LAST_OF_PAIR = Query(
    PairBoardRow,
    select(boards.c.id, boards.c.game)
    .select_from(_MET)
    .where(*_BETWEEN)
    .distinct()
    .order_by(boards.c.id.desc())
    .limit(bindparam("most")),
)


def find_recent_players(
    session: Session, since: float, most: int, no_password: str
) -> Sequence[RecentPlayerRow]:
    """Return the active players who have sent something since a time, the latest first. Left out
    are players whose password begins with `no_password`, such as bots."""
    return session.all(_RECENT, {"since": since, "most": most, "no_password": no_password})


def find_players_near(session: Session, game: str, mu: float, most: int) -> list[NearPlayerRow]:
    """Return the players of a game with the nearest ratings: above and below, each at most `most`
    established and `most` provisional ones."""
    params = {"game": game, "mu": mu, "most": most}
    return [row for query in _NEAREST for row in session.all(query, params)]


def find_players_seeking(
    session: Session, numbers: Sequence[int], game: str, now: float
) -> Sequence[SeekingRow]:
    """Return the open offers of these players, in a game or in all for ""."""
    if not numbers:
        return ()
    params = {"players": pad_keys(numbers), "now": now}
    if game:
        return session.all(_SEEKING_GAME, params | {"game": game})
    return session.all(_SEEKING_ANY, params)


def find_players_away(session: Session, numbers: Sequence[int], now: float) -> set[int]:
    """Return those of these players who are on vacation."""
    if not numbers:
        return set()
    params = {"players": pad_keys(numbers), "now": now}
    return {number for number in session.execute(_AWAY, params).scalars() if number is not None}


def find_created(session: Session, player: int) -> float:
    """Return when an account was opened."""
    return float(session.execute(_CREATED, {"id": player}).scalar_one())


def count_results(session: Session, one: int, other: int) -> Sequence[ResultRow]:
    """Return one player's results against another, by game, the most played game first."""
    return session.all(_RESULTS_OF_PAIR, {"one": one, "other": other})


def find_last_boards_of_pair(
    session: Session, one: int, other: int, most: int
) -> Sequence[PairBoardRow]:
    """Return the newest boards that two players have finished against each other."""
    return session.all(_LAST_OF_PAIR, {"one": one, "other": other, "most": most})


# How the boards of a game began.


class OpeningRow(Row):
    """A first move: the number of finished boards with it, and of those on which its player came
    first, alone or shared."""

    move: str
    boards: int
    won: int


_OVER = (
    select(boards.c.id)
    .where(
        boards.c.game == bindparam("game"),
        boards.c.state == "over",
        boards.c.private.is_(False),
    )
    .order_by(boards.c.id.desc())
    .limit(_COUNTED)
    .subquery()
)
_FIRST = (
    select(moves.c.board_id, func.min(moves.c.number).label("number"))
    .join(_OVER, _OVER.c.id == moves.c.board_id)
    .where(moves.c.kind == "move", moves.c.ply == 1, moves.c.number <= _EARLY)
    .group_by(moves.c.board_id)
    .subquery()
)
_OPENINGS = Query(
    OpeningRow,
    select(
        _SHOWN.label("move"),
        func.count().label("boards"),
        func.count().filter(seats.c.rank == 1).label("won"),
    )
    .join(_FIRST, (_FIRST.c.board_id == moves.c.board_id) & (_FIRST.c.number == moves.c.number))
    .join(seats, (seats.c.board_id == moves.c.board_id) & (seats.c.seat == moves.c.seat))
    .group_by(_SHOWN)
    .order_by(func.count().desc(), _SHOWN)
    .limit(bindparam("most")),
)


def find_openings(session: Session, game: str, most: int) -> Sequence[OpeningRow]:
    """Return the most frequent first moves of a game, on its newest finished boards."""
    return session.all(_OPENINGS, {"game": game, "most": most})
