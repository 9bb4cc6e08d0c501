"""Reads that several rooms share, one module a subject; their statements are built once."""

from pbm.store.reads.address_rows import (
    find_addresses,
    find_all_addresses,
    find_board_addresses,
    find_known_addresses,
)
from pbm.store.reads.board_rows import (
    count_open_boards,
    find_board,
    find_games_with_boards,
    find_open_boards,
    find_seats,
    find_watchers,
    note_board_saved,
    prefetch_boards,
    try_lock_board,
)
from pbm.store.reads.log_rows import find_end_of_log, find_log
from pbm.store.reads.note_rows import find_notes
from pbm.store.reads.player_rows import (
    find_active_players,
    find_names_like,
    find_open_code,
    find_player_by_id,
    find_player_by_name,
    find_players_by_address,
    find_readers,
    prefetch_players,
)
from pbm.store.reads.setting_rows import read_setting

__all__ = [
    "count_open_boards",
    "find_active_players",
    "find_addresses",
    "find_all_addresses",
    "find_board",
    "find_board_addresses",
    "find_end_of_log",
    "find_games_with_boards",
    "find_known_addresses",
    "find_log",
    "find_names_like",
    "find_notes",
    "find_open_boards",
    "find_open_code",
    "find_player_by_id",
    "find_player_by_name",
    "find_players_by_address",
    "find_readers",
    "find_seats",
    "find_watchers",
    "note_board_saved",
    "prefetch_boards",
    "prefetch_players",
    "read_setting",
    "try_lock_board",
]
