"""Rating changes: what the end of a rated board did to its players, and how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from pbm.ratings import Rating
from pbm.rules.phrases import phrase
from pbm.store.transaction import Session

if TYPE_CHECKING:  # boards that are not over have no changes
    from pbm.store.reads.player_rows import ChangeRow


class Change(Struct, frozen=True):
    """What a board did to the rating of a seat's player. `chance` is that of winning, going by the
    ratings before."""

    board: int
    game: str
    seat: int
    player: int
    userid: str
    rank: int
    chance: float
    before: Rating
    after: Rating

    @property
    def gained(self) -> int:
        """Points gained, or lost when negative."""
        return self.after.points - self.before.points

    @property
    def line(self) -> str:
        """The change, the rank and the chance in one line."""
        return phrase(
            "{before} -> {after} ({gained})  rank {rank}, chance {chance} %",
            before=self.before.text,
            after=self.after.text,
            gained=f"{self.gained:+d}",
            rank=self.rank,
            chance=f"{100 * self.chance:.0f}",
        )


def list_board_changes(session: Session, board: int) -> list[Change]:
    """Return what a board did to its players, by seat; empty for an unrated one."""
    from pbm.store.reads.player_rows import find_board_changes  # seldom needed

    return [_change(row) for row in find_board_changes(session, board)]


def list_player_changes(session: Session, player: int, most: int, game: str = "") -> list[Change]:
    """Return the last changes of a player over all games, or in one, newest first."""
    from pbm.store.reads.player_rows import find_player_changes  # seldom needed

    return [_change(row) for row in find_player_changes(session, player, game, most)]


def _change(row: ChangeRow) -> Change:
    return Change(
        row.board_id,
        row.game,
        row.seat,
        row.player_id,
        row.userid,
        row.rank or 0,
        row.chance,
        Rating(row.mu_before, row.sigma_before),
        Rating(row.mu, row.sigma),
    )


def format_changes(changed: Sequence[Change]) -> list[str]:
    """Return the rating changes of a board, one line a seat: ann 1500 -> 1579 (+79), still
    provisional."""
    width = max((len(change.userid) for change in changed), default=0)
    lines: list[str] = []
    for change in changed:
        line = (
            f"{change.userid:<{width}}  {change.before.points} -> {change.after.points} "
            f"({change.gained:+d})"
        )
        is_sure = change.after.is_established
        lines.append(line if is_sure else phrase("{change}, still provisional", change=line))
    return lines


def format_points(changed: Sequence[Change], players: int) -> str:
    """Return the new points of each seat for programs, a dash for seats that were not rated; ""
    when the board was not rated."""
    after = {change.seat: str(change.after.points) for change in changed}
    return " ".join(after.get(seat, "-") for seat in range(players)) if changed else ""


class RatingLine(Struct, frozen=True):
    """A player's rating in one game."""

    game: str
    rating: str
    boards: int
    place: str
