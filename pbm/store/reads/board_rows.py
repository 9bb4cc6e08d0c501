"""Reads of boards and of what belongs to them: seats, watchers, and all of it for a batch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from sqlalchemy import BindParameter, bindparam, func, select

from pbm.store.board_tables import BoardRow, MoveRow, boards, moves, players, seats, watchers
from pbm.store.prefetch import SeatedRow, build_reader
from pbm.store.reads.address_rows import find_addresses_by_board
from pbm.store.rows import Query, Row
from pbm.store.transaction import Session, pad_keys


class WatchingRow(Row):
    """A player who watches a board."""

    id: int
    userid: str


_BOARDS: BindParameter[int] = bindparam("boards", expanding=True)
_BOARD = select(boards).where(boards.c.id == bindparam("id"))
_OPEN_STATES = ("running", "invited")
_READ_BOARD = Query(BoardRow, _BOARD)
_LOCK_BOARD = Query(BoardRow, _BOARD.with_for_update())
_TRY_LOCK_BOARD = Query(BoardRow, _BOARD.with_for_update(skip_locked=True))
_LOCK_BOARDS = Query(
    BoardRow,
    select(boards).where(boards.c.id.in_(_BOARDS)).order_by(boards.c.id).with_for_update(),
)
_SEATS = Query(
    SeatedRow,
    select(
        seats,
        players.c.userid,
        players.c.password,
        players.c.links,
        players.c.state.label("player_state"),
        players.c.preferences,
        players.c.writes_to,
        players.c.away,
    )
    .join(players, players.c.id == seats.c.player_id)
    .where(seats.c.board_id.in_(_BOARDS))
    .order_by(seats.c.board_id, seats.c.seat),
)
_WATCHERS = Query(
    WatchingRow,
    select(players.c.id, players.c.userid)
    .join(watchers, watchers.c.player_id == players.c.id)
    .where(watchers.c.board_id == bindparam("id"))
    .order_by(players.c.id),
)
_LOG_ENDS = Query(
    MoveRow,
    select(moves)
    .join(boards, boards.c.id == moves.c.board_id)
    .where(moves.c.board_id.in_(_BOARDS), moves.c.number > boards.c.number - bindparam("most"))
    .order_by(moves.c.board_id, moves.c.number),
)
_NEXT_GAME = select(func.min(boards.c.game)).where(boards.c.game > bindparam("after"))
_OPEN_BOARDS = (
    select(func.count())
    .select_from(seats)
    .join(boards, boards.c.id == seats.c.board_id)
    .where(
        seats.c.player_id == bindparam("id"),
        seats.c.rank.is_(None),
        boards.c.state.in_(_OPEN_STATES),
    )
)
_OPEN_BOARDS_OF = Query(
    BoardRow,
    select(boards)
    .join(seats, seats.c.board_id == boards.c.id)
    .where(
        seats.c.player_id == bindparam("id"),
        seats.c.rank.is_(None),
        boards.c.state.in_(_OPEN_STATES),
    )
    .distinct()
    .order_by(boards.c.id)
    .limit(bindparam("most")),
)


def find_board(session: Session, number: int, *, lock: bool = False) -> BoardRow | None:
    """Return one board, locked against other writers where the database has row locks."""
    cache = session.prefetched
    if cache is not None:
        row = cache.boards.pop(number, None) if lock else cache.boards.get(number)
        if row is not None:
            return row
        if lock:
            cache.forget_board(number)
    return session.first(_LOCK_BOARD if lock else _READ_BOARD, {"id": number})


def try_lock_board(session: Session, number: int) -> BoardRow | None:
    """Return one board, locked; None when somebody else has locked it."""
    return session.first(_TRY_LOCK_BOARD, {"id": number})


def find_seats(session: Session, board: int) -> Sequence[SeatedRow]:
    """Return the seats of a board, in order, with who sits there."""
    cache = session.prefetched
    if cache is not None and board in cache.seats:
        return cache.seats[board]
    return session.all(_SEATS, {"boards": [board]})


def find_watchers(session: Session, board: int) -> Sequence[WatchingRow]:
    """Return the players who watch a board."""
    return session.all(_WATCHERS, {"id": board})


def count_open_boards(session: Session, player: int) -> int:
    """Return how many boards of a player are running or wait for an answer."""
    return int(session.execute(_OPEN_BOARDS, {"id": player}).scalar_one())


def find_open_boards(session: Session, player: int, most: int) -> Sequence[BoardRow]:
    """Return the first boards of a player that are running or wait for an answer."""
    return session.all(_OPEN_BOARDS_OF, {"id": player, "most": most})


def find_games_with_boards(session: Session) -> list[str]:
    """Return the names of the games that there are boards of, sorted, at one index lookup each."""
    names = [""]
    while (name := session.value(_NEXT_GAME, {"after": names[-1]})) is not None:
        names.append(name)
    return names[1:]


def prefetch_boards(session: Session, numbers: Collection[int], most: int) -> None:
    """Lock these boards, in the order of their numbers, and read them, their seats, the addresses
    of their players and watchers and the last `most` rows of their logs, by one statement each."""
    cache = session.cache
    wanted = sorted(set(numbers))
    if not wanted:
        return
    for find_board in session.all(_LOCK_BOARDS, {"boards": pad_keys(wanted)}):
        cache.boards[find_board.id] = find_board
    if not cache.boards:
        return
    keys = pad_keys(cache.boards)
    seated, logs = defaultdict(list), defaultdict(list)
    for seat in session.all(_SEATS, {"boards": keys}):
        seated[seat.board_id].append(seat)
        cache.readers[seat.player_id] = build_reader(seat)
    for move in session.all(_LOG_ENDS, {"boards": keys, "most": most}):
        logs[move.board_id].append(move)
    addressed = find_addresses_by_board(session, keys)
    for number in cache.boards:
        cache.seats[number] = seated[number]
        cache.logs[number] = logs[number]
        cache.addresses_at[number] = addressed.get(number, ({}, {}))


def note_board_saved(session: Session, number: int, entries: Sequence[MoveRow]) -> None:
    """Note that a board was written, with these rows more in its log: what was prefetched of it is
    no longer valid."""
    if session.prefetched is not None:
        session.prefetched.note_saved(number, entries)
