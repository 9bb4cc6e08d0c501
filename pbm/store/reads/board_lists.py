"""Reads of many boards at once: lists of a game's or a player's boards, with who sits there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import bindparam, func, select

from pbm.store.reads.board_rows import find_games_with_boards
from pbm.store.rows import Query, Row
from pbm.store.tables import boards, players, seats, watchers
from pbm.store.transaction import Session


class ListedBoardRow(Row):
    """What a list says of a board."""

    id: int
    game: str
    version: int
    state: str
    to_move: str
    ply: int
    moved: float
    anonymous: bool
    players: int
    options: str


class ListedSeatRow(Row):
    """What a list says of a seat."""

    board_id: int
    seat: int
    player_id: int
    rank: int | None
    userid: str


class SharedBoardRow(Row):
    """A board that a player and somebody else play on."""

    board_id: int
    game: str
    player_id: int


_LISTED = select(
    boards.c.id,
    boards.c.game,
    boards.c.version,
    boards.c.state,
    boards.c.to_move,
    boards.c.ply,
    boards.c.moved,
    boards.c.anonymous,
    boards.c.players,
    boards.c.options,
)
_NEWEST = (
    _LISTED.where(boards.c.state == bindparam("state"))
    .order_by(boards.c.id.desc())
    .limit(bindparam("most"))
)
_NEWEST_IN_STATE = Query(ListedBoardRow, _NEWEST)
_NEWEST_OF_GAME = Query(ListedBoardRow, _NEWEST.where(boards.c.game == bindparam("game")))
_SEATS = Query(
    ListedSeatRow,
    select(seats.c.board_id, seats.c.seat, seats.c.player_id, seats.c.rank, players.c.userid)
    .join(players, players.c.id == seats.c.player_id)
    .where(seats.c.board_id.in_(bindparam("boards", expanding=True)))
    .order_by(seats.c.board_id, seats.c.seat),
)
MOST_COUNTED = 999
_COUNT_OF_GAME = select(func.count()).select_from(
    select(boards.c.game)
    .where(boards.c.game == bindparam("game"), boards.c.state.in_(("running", "over")))
    .limit(MOST_COUNTED)
    .subquery()
)
_OWN_BOARDS = select(seats.c.board_id).where(
    seats.c.player_id == bindparam("player"), seats.c.rank.is_(None)
)
_OPEN_BOARD_NUMBERS = (
    select(seats.c.board_id)
    .join(boards, boards.c.id == seats.c.board_id)
    .where(seats.c.player_id == bindparam("player"), boards.c.state.in_(("running", "invited")))
    .distinct()
    .order_by(seats.c.board_id)
)
_WATCHED = select(watchers.c.board_id).where(watchers.c.player_id == bindparam("player"))
_SHARED_BOARDS = Query(
    SharedBoardRow,
    select(seats.c.board_id, boards.c.game, seats.c.player_id)
    .join(boards, boards.c.id == seats.c.board_id)
    .join(players, players.c.id == seats.c.player_id)
    .where(
        seats.c.board_id.in_(_OWN_BOARDS),
        boards.c.state == "running",
        boards.c.anonymous.is_(False),
        seats.c.player_id != bindparam("player"),
        players.c.state == "active",
    )
    .order_by(seats.c.player_id, seats.c.board_id),
)


def find_newest_boards(
    session: Session, states: Iterable[str], games: Collection[str], most: int
) -> list[ListedBoardRow]:
    """Return the newest boards in these states, of these games or of all.

    An index has each game's boards in one state in their order: several states or games at once
    would have to be sorted as a whole, so each is a query."""
    wanted: list[dict[str, Any]] = [{"state": state, "most": most} for state in states]
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
    anonymous: bool = False,
) -> Sequence[ListedBoardRow]:
    """Return the newest boards in these states, of a game or of all, on which all these players
    play, or (`only_open`) are still in play; `among` these boards, when they are given. Boards that
    hide who plays are left out, unless `anonymous`."""
    query = _LISTED.where(boards.c.state.in_(states))
    if not anonymous:
        query = query.where(boards.c.anonymous.is_(False))
    if game:
        query = query.where(boards.c.game == game)
    if among is not None:
        query = query.where(boards.c.id.in_(among))
    for player in people:
        own = select(seats.c.board_id).where(seats.c.player_id == player)
        if only_open:
            own = own.where(seats.c.rank.is_(None))
        query = query.where(boards.c.id.in_(own))
    return session.all(Query(ListedBoardRow, query.order_by(boards.c.id.desc()).limit(most)))


def count_boards_by_game(session: Session) -> Counter[str]:
    """Return how many boards of each game have been started, up to MOST_COUNTED: a bounded part of
    an index, however many boards there are."""
    return Counter(
        {
            game: int(session.value(_COUNT_OF_GAME, {"game": game}))
            for game in find_games_with_boards(session)
        }
    )


def find_seats_by_board(session: Session, numbers: Iterable[int]) -> dict[int, list[ListedSeatRow]]:
    """Return the seats of these boards, in order, by board."""
    by_board: dict[int, list[ListedSeatRow]] = {}
    for row in session.all(_SEATS, {"boards": list(numbers)}):
        by_board.setdefault(row.board_id, []).append(row)
    return by_board


def find_open_board_numbers(session: Session, player: int) -> list[int]:
    """Return the numbers of a player's boards that are running or wait for an answer."""
    return list(session.execute(_OPEN_BOARD_NUMBERS, {"player": player}).scalars())


def find_watched_boards(session: Session, player: int) -> set[int]:
    """Return the numbers of the boards that a player watches."""
    return {int(number) for number in session.execute(_WATCHED, {"player": player}).scalars()}


def find_shared_boards(session: Session, player: int) -> Sequence[SharedBoardRow]:
    """Return the running boards of a player, once for each other player there, but for those that
    hide who plays."""
    return session.all(_SHARED_BOARDS, {"player": player})
