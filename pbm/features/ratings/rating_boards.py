"""Rating boards: applied when a board ends, withdrawn when its result is, rebuilt and checked.

`pbm.ratings` computes the numbers. The table `rating_changes` holds every change in order,
`ratings` the present state of each player; both can be rebuilt from the boards."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from sqlalchemy import bindparam, delete, exists, func, insert, select, update

from pbm.core.board import Board
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, list_own
from pbm.features.ratings.rows import find_last_change, lock_ratings
from pbm.games import UnknownGame, get_game
from pbm.ratings import NEW, Rating, compute_chances, name_pool, rate, split_pool
from pbm.store.rows import Query, Row
from pbm.store.tables import (
    RatingChangeRow,
    RatingRow,
    SeatRow,
    boards,
    moves,
    rating_changes,
    ratings,
    seats,
)
from pbm.store.transaction import Session, insert_into


class EndedBoardRow(Row):
    """The result of a board."""

    id: int
    outcome: str | None
    ended: float | None


class PoolRow(Row):
    """A game, and the pool in which boards of it count."""

    game: str
    pool: str


_POOLS = Query(PoolRow, select(boards.c.game, boards.c.pool).distinct())
_AFTER = (
    update(ratings)
    .where(ratings.c.player_id == bindparam("player"), ratings.c.game == bindparam("of"))
    .values(
        mu=bindparam("mu"),
        sigma=bindparam("sigma"),
        boards=ratings.c.boards + 1,
        won=ratings.c.won + bindparam("wins"),
        lost=ratings.c.lost + bindparam("losses"),
        updated=bindparam("at"),
    )
)
_ADD = insert(rating_changes)
_ROLLED = moves.alias()
_LATE = select(moves.c.seat).where(
    moves.c.board_id == bindparam("id"),
    moves.c.kind == "forfeit",
    ~exists().where(
        _ROLLED.c.board_id == moves.c.board_id, _ROLLED.c.kind == "chance", _ROLLED.c.ply == 0
    ),
)
_ADJUDICATED = select(moves.c.board_id).where(
    moves.c.board_id == bindparam("id"), moves.c.kind == "adjudicate"
)
_SEATS = Query(
    SeatRow,
    select(seats).where(seats.c.board_id == bindparam("board")).order_by(seats.c.seat),
)
_NEAR = 1e-9


@cache
def _insert_new(*, is_sqlite: bool) -> Any:
    """Return the statement that inserts ratings which do not exist yet."""
    return insert_into(ratings, is_sqlite=is_sqlite).on_conflict_do_nothing()


def note_result(session: Session, board: Board, now: float, had_ranks: Sequence[int]) -> None:
    """Rate a board that has ended. If it had ended before (`had_ranks`), and goes on or was
    cancelled, withdraw that rating."""
    if board.outcome is not None and board.state == "over" and not had_ranks:
        rate_board(session, board, now)
    elif had_ranks and board.state != "over":
        withdraw_ratings(session, board, had_ranks)


def rate_board(session: Session, board: Board, now: float) -> None:
    """Rate a board that has just ended. Unrated boards and games against oneself do not count. A
    seat that lost on time without a move is left out, unless the game opens with a roll. An
    adjudicated board without moves does not count."""
    outcome = board.outcome
    if outcome is None or not board.rated:
        return
    people = {seat.seat: seat.player for seat in board.seats}
    unmoved = {seat.seat for seat in board.seats if not seat.moved}
    seated = _find_rated_seats(people, _find_absent_seats(session, board.id, unmoved, people))
    if not seated:
        return
    game = name_pool(board.game.info.name, board.pool)
    rated = sorted(people[seat] for seat in seated)
    new = {"game": game, "mu": NEW.mu, "sigma": NEW.sigma, "boards": 0, "updated": now}
    session.execute(
        _insert_new(is_sqlite=session.is_sqlite), [{"player_id": player, **new} for player in rated]
    )
    current = {
        row.player_id: Rating(row.mu, row.sigma) for row in lock_ratings(session, rated, game)
    }
    ranks = [outcome.ranks[seat] for seat in seated]
    changed = _compute_changes(seated, people, ranks, current)
    session.execute(_ADD, [_build_row(board.id, game, now, *change) for change in changed])
    for seat, player, _, _, after in changed:
        won, lost = _score(game, outcome.ranks, seat)
        session.execute(
            _AFTER,
            {
                "player": player,
                "of": game,
                "mu": after.mu,
                "sigma": after.sigma,
                "at": now,
                "wins": won,
                "losses": lost,
            },
        )


def _score(game: str, ranks: Sequence[int], seat: int) -> tuple[int, int]:
    """Return the wins and losses that a board adds to a player's; a shared first place adds
    nothing, unless partners share it."""
    is_first = ranks[seat] == 1
    is_won = ranks.count(1) == 1 or (len({*ranks}) > 1 and _has_partners(game))
    return int(is_first and is_won), int(not is_first)


def _has_partners(game: str) -> bool:
    try:
        return "partners" in get_game(split_pool(game)[0]).info.features
    except UnknownGame:
        return False


def _find_absent_seats(
    session: Session, board: int, unmoved: set[int], seats: Collection[int]
) -> set[int]:
    """Return the seats without moves that are left out of the rating: all when the board was
    adjudicated and nobody has moved, else those that lost on time, unless the game opened with a
    roll."""
    if not unmoved:
        return unmoved
    if len(unmoved) == len(seats) and session.value(_ADJUDICATED, {"id": board}) is not None:
        return unmoved
    return unmoved.intersection(session.execute(_LATE, {"id": board}).scalars())


def _find_rated_seats(people: dict[int, int], absent: Iterable[int]) -> list[int]:
    """Return the seats to rate: none when a player has two of them, or no opponent."""
    seated = [seat for seat in people if seat not in set(absent)]
    is_fair = len(set(people.values())) == len(people)
    return seated if is_fair and len(seated) > 1 else []


_Changed = tuple[int, int, float, Rating, Rating]


def _compute_changes(
    seated: Sequence[int], people: dict[int, int], ranks: Sequence[int], current: dict[int, Rating]
) -> list[_Changed]:
    """Return (seat, player, chance, rating before, rating after) of each rated seat."""
    before = [current.get(people[seat], NEW) for seat in seated]
    return [
        (seat, people[seat], chance, old, new)
        for seat, chance, old, new in zip(
            seated, compute_chances(before), before, rate(before, ranks), strict=True
        )
    ]


def _build_row(
    board: int,
    game: str,
    at: float,
    seat: int,
    player: int,
    chance: float,
    before: Rating,
    after: Rating,
) -> dict[str, object]:
    return {
        "board_id": board,
        "seat": seat,
        "player_id": player,
        "game": game,
        "chance": chance,
        "mu_before": before.mu,
        "sigma_before": before.sigma,
        "mu": after.mu,
        "sigma": after.sigma,
        "at": at,
    }


def withdraw_ratings(session: Session, board: Board, ranks: Sequence[int]) -> None:
    """Undo the rating of a board that ended with these ranks. When one of its players has been
    rated since, all ratings of the game are rebuilt."""
    withdrawn = (
        delete(rating_changes)
        .where(rating_changes.c.board_id == board.id)
        .returning(*rating_changes.c)
    )
    changes = session.all(Query(RatingChangeRow, withdrawn))
    game = name_pool(board.game.info.name, board.pool)
    last = {row.player_id: find_last_change(session, row.player_id, game) for row in changes}
    if any(at is not None and at.id > row.id for row in changes for at in [last[row.player_id]]):
        rebuild_ratings(session, game)
        return
    for row in changes:
        before = last[row.player_id]
        own = (ratings.c.player_id == row.player_id) & (ratings.c.game == game)
        if before is None:
            session.execute(delete(ratings).where(own))
            continue
        won, lost = _score(game, ranks, row.seat)
        session.execute(
            update(ratings)
            .where(own)
            .values(
                mu=row.mu_before,
                sigma=row.sigma_before,
                boards=ratings.c.boards - 1,
                won=ratings.c.won - won,
                lost=ratings.c.lost - lost,
                updated=before.at,
            )
        )


def rebuild_ratings(session: Session, game: str) -> None:
    """Rebuild all changes and ratings of a game, or of a pool of it, from its boards in the order
    in which they were rated; unrated ones follow in the order in which they ended."""
    computed = list(_recompute(session, game))
    session.execute(delete(rating_changes).where(rating_changes.c.game == game))
    session.execute(delete(ratings).where(ratings.c.game == game))
    last: dict[int, dict[str, object]] = {}
    tallies: dict[int, _Tally] = {}
    for board, at, ranks, changed in computed:
        session.execute(_ADD, [_build_row(board, game, at, *change) for change in changed])
        for seat, player, _, _, after in changed:
            tally = tallies[player] = _add_board(game, tallies.get(player), ranks, seat)
            last[player] = {
                "player_id": player,
                "game": game,
                "mu": after.mu,
                "sigma": after.sigma,
                "boards": tally[0],
                "won": tally[1],
                "lost": tally[2],
                "updated": at,
            }
    if last:
        session.execute(insert(ratings), [last[player] for player in sorted(last)])


_Tally = tuple[int, int, int]


def _add_board(game: str, tally: _Tally | None, ranks: Sequence[int], seat: int) -> _Tally:
    count, won, lost = tally or (0, 0, 0)
    wins, losses = _score(game, ranks, seat)
    return count + 1, won + wins, lost + losses


def _recompute(
    session: Session, game: str
) -> Iterator[tuple[int, float, list[int], list[_Changed]]]:
    """Yield (board, time, ranks, changes) of each rated board of a game, computed from the boards
    alone."""
    order = (
        select(rating_changes.c.board_id, func.min(rating_changes.c.id).label("first"))
        .where(rating_changes.c.game == game)
        .group_by(rating_changes.c.board_id)
        .subquery()
    )
    name, pool = split_pool(game)
    ended = (
        select(boards.c.id, boards.c.outcome, boards.c.ended)
        .join(order, order.c.board_id == boards.c.id, isouter=True)
        .where(
            boards.c.game == name,
            boards.c.pool == pool,
            boards.c.state == "over",
            boards.c.rated,
        )
        .order_by(order.c.first.is_(None), order.c.first, boards.c.ended, boards.c.id)
    )
    current: dict[int, Rating] = {}
    for row in session.all(Query(EndedBoardRow, ended)):
        seated = session.all(_SEATS, {"board": row.id})
        people = {seat.seat: seat.player_id for seat in seated}
        unmoved = {seat.seat for seat in seated if not seat.moved}
        absent = _find_absent_seats(session, row.id, unmoved, people)
        counted = _find_rated_seats(people, absent)
        if not counted or row.outcome is None or row.ended is None:
            continue
        ranks = json.loads(row.outcome)[0]
        changed = _compute_changes(counted, people, [ranks[seat] for seat in counted], current)
        current |= {player: after for _, player, _, _, after in changed}
        yield row.id, row.ended, ranks, changed


def find_rating_differences(session: Session) -> Iterator[str]:
    """Yield a sentence for each rating that differs from the one computed from the boards, by
    game."""
    games = {name_pool(row.game, row.pool) for row in session.all(_POOLS)}
    games |= {*session.execute(select(ratings.c.game).distinct()).scalars()}
    for game in sorted(games):
        yield from _find_differences(session, game)


def _find_differences(session: Session, game: str) -> Iterator[str]:
    query = Query(RatingChangeRow, select(rating_changes).where(rating_changes.c.game == game))
    stored = {(row.board_id, row.seat): row for row in session.all(query)}
    last: dict[int, tuple[Rating, _Tally]] = {}
    for board, _, ranks, changed in _recompute(session, game):
        for seat, player, _, before, after in changed:
            row = stored.pop((board, seat), None)
            if row is None:
                yield f"board {board} is rated, but seat {seat} has no rating from it"
            elif row.player_id != player or not (
                _is_near(row.mu_before, row.sigma_before, before)
                and _is_near(row.mu, row.sigma, after)
            ):
                yield f"board {board} gives seat {seat} {after.text}, stored is another rating"
            tally = last[player][1] if player in last else None
            last[player] = (after, _add_board(game, tally, ranks, seat))
    for board, seat in stored:
        yield f"board {board} is not rated, but seat {seat} has a rating from it"
    for rated in session.all(Query(RatingRow, select(ratings).where(ratings.c.game == game))):
        rating, (count, won, lost) = last.pop(rated.player_id, (NEW, (0, 0, 0)))
        if not _is_near(rated.mu, rated.sigma, rating) or rated.boards != count:
            yield (
                f"player {rated.player_id} is rated {Rating(rated.mu, rated.sigma).text} after "
                f"{rated.boards} boards of {game}, by the records {rating.text} after {count}"
            )
        elif (rated.won, rated.lost) != (won, lost):
            yield (
                f"player {rated.player_id} has won {rated.won} and lost {rated.lost} boards of "
                f"{game}, by the records {won} and {lost}"
            )
    for player in last:
        yield f"player {player} has no rating in {game}, by the records {last[player][0].text}"


def _is_near(mu: float, sigma: float, rating: Rating) -> bool:
    return math.isclose(mu, rating.mu, rel_tol=_NEAR) and math.isclose(
        sigma, rating.sigma, rel_tol=_NEAR
    )


# Ratings of a player: listed, passed on and deleted.


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return the ratings of a player, with each change."""
    return {
        "ratings": list_own(session, player, ratings, "game mu sigma boards won lost updated"),
        "rating_changes": list_own(
            session, player, rating_changes, "board_id game mu_before sigma_before mu sigma at"
        ),
    }


def rate_again(act: OperatorAct, old: Player, _new: Player) -> None:
    """Compute the ratings of all games anew that the first account has played."""
    games = select(ratings.c.game).where(ratings.c.player_id == old.id)
    for game in sorted(act.session.execute(games).scalars()):
        rebuild_ratings(act.session, game)
