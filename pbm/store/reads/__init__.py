"""Reads that several rooms share, one module a subject; their statements are built once."""

from pbm.store.reads.address_rows import addresses_at, addresses_of, all_addresses
from pbm.store.reads.board_rows import (
    board,
    board_saved,
    games_with_boards,
    open_boards,
    open_boards_of,
    prefetch_boards,
    seats_of,
    try_lock_board,
    watchers_of,
)
from pbm.store.reads.log_rows import end_of_log, log_of
from pbm.store.reads.player_rows import (
    active_players,
    open_code,
    passwords_of,
    player_by_id,
    player_by_name,
    players_by_address,
    prefetch_players,
)
from pbm.store.reads.setting_rows import setting

__all__ = [
    "active_players",
    "addresses_at",
    "addresses_of",
    "all_addresses",
    "board",
    "board_saved",
    "end_of_log",
    "games_with_boards",
    "log_of",
    "open_boards",
    "open_boards_of",
    "open_code",
    "passwords_of",
    "player_by_id",
    "player_by_name",
    "players_by_address",
    "prefetch_boards",
    "prefetch_players",
    "seats_of",
    "setting",
    "try_lock_board",
    "watchers_of",
]
