"""Records: a board as one JSON object (see `help records`), which anybody can export and the
operator can import.

A running board's record contains nothing hidden; an imported record is trusted only after a
replay."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pbm.core import log_view
from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.feature import list_hooks
from pbm.core.log import LogEntry, build_entry, drop_undone
from pbm.core.log_view import format_time
from pbm.core.notices import BoardRecord, Notice
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.secrets import compute_commitment
from pbm.core.view import address_to_seat
from pbm.rules import CHANCE, Played, Position
from pbm.rules.formats import bpgn
from pbm.store import reads
from pbm.store.tables import NoteRow
from pbm.store.transaction import Session

VERSION = 1
_COLUMNS = 78
_PIECE = 56
_WHOLE = 64
"""A value at the top of the record up to this length stays in one piece, as a hash does."""
_CAUSES = (
    ("forfeit", "time forfeit"),
    ("adjudicate", "adjudication"),
    ("resign", "resignation"),
    ("draw", "agreement"),
)


def build_record(
    session: Session, board: Board, site: str, *, comments: bool, notes: Sequence[NoteRow] = ()
) -> dict[str, Any]:
    """Return the record: complete when nothing is hidden or the board is over, otherwise as
    spectators see it. With `comments` it contains what the players wrote, which only seated players
    may read; `notes` are the reader's."""
    info = board.game.info
    log = [build_entry(row) for row in reads.find_log(session, board.id)]
    is_whole = board.is_uncovered or not board.is_hidden
    has_dice = "chance" in info.features and bool(board.secret)
    changed = log_view.list_board_changes(session, board.id) if board.is_over else []
    points = {change.seat: change.after.points for change in changed}
    outcome = board.outcome
    names = board.position.seat_names
    return {
        "record": VERSION,
        "headers": _build_headers(board, log, site),
        "site": site,
        "board": board.id,
        "game": info.name,
        "version": info.version,
        "options": dict(board.options),
        "players": [
            {
                "seat": seat.seat,
                "userid": seat.userid,
                "name": names[seat.seat],
                "rank": seat.rank,
                "rating": points.get(seat.seat),
            }
            for seat in board.seats
        ],
        "state": board.state,
        "rated": board.rated,
        "created": format_time(board.created),
        "ended": None if board.ended is None else format_time(board.ended),
        "time": {
            "nag": board.control.nag,
            "forfeit": board.control.forfeit,
            "total": board.control.total,
            "bank": board.control.bank,
            "increment": board.control.increment,
            "at": board.control.at,
        },
        "outcome": None
        if outcome is None
        else {"ranks": list(outcome.ranks), "reason": outcome.reason},
        "hash": board.commitment if has_dice else None,
        "secret": board.secret.hex() if has_dice and board.is_uncovered else None,
        "view": "full" if is_whole else "spectator",
        "moves": _list_moves(
            log, is_whole=is_whole, is_uncovered=is_whole and board.is_hidden, comments=comments
        ),
        "final": compute_position_hash(board.position) if is_whole else None,
    } | _describe_extras(session, board, notes)


def _describe_extras(session: Session, board: Board, notes: Sequence[NoteRow]) -> dict[str, object]:
    """Return the entries that only some records have."""
    extras: dict[str, object] = {"title": board.title} if board.title else {}
    if board.former:
        extras["former"] = [
            {"until": last, "hash": compute_commitment(secret), "secret": secret.hex()}
            for last, secret in board.former
        ]
    for add in list_hooks(lambda each: each.adds_to_record):
        extras |= add(session, board)
    if notes:
        extras["notes"] = [
            {"number": row.number, "ply": row.ply, "text": row.text, "at": format_time(row.at)}
            for row in notes
        ]
    return extras


def build_field_record(
    session: Session, board: Board, record: Mapping[str, Any], notes: Sequence[NoteRow] = ()
) -> str:
    """Return the game in its field's format (PGN, PDN, SGF …), with the reader's notes as comments;
    "" where there is none or something is still hidden."""
    if record["view"] != "full":
        return ""
    log = [build_entry(row) for row in reads.find_log(session, board.id)]
    entries = _find_moves(log)
    moves = [(CHANCE if entry.seat is None else entry.seat, entry.move) for entry in entries]
    options, headers = board.position.options, record["headers"]
    comments = _place_notes(log, entries, notes)
    played = Played(len(board.seats), options, moves, board.outcome, headers, comments)
    return board.game.record(played).rstrip()


def find_field_format(board: Board) -> str:
    """Return the format of the field's record of the board at present, as a file extension; ""
    where there is none or something is still hidden."""
    if board.is_hidden and not board.is_uncovered:
        return ""
    empty = Played(len(board.seats), board.position.options, [], None, {}, {})
    return board.game.record_format if board.game.record(empty) else ""


def _find_moves(log: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the moves and answers of chance that were not undone."""
    return [entry for entry in drop_undone(log) if entry.kind in ("move", "chance")]


def _place_notes(
    log: Sequence[LogEntry], entries: Sequence[LogEntry], notes: Sequence[NoteRow]
) -> dict[int, str]:
    """Return the notes by the number of moves before them; without those at positions that were
    taken back."""
    placed: dict[int, str] = {}
    for note in notes:
        before = _find_moves(entry for entry in log if entry.number <= note.number)
        if before == list(entries[: len(before)]):
            at = len(before)
            placed[at] = f"{placed[at]} {note.text}" if at in placed else note.text
    return placed


def _list_moves(
    log: Sequence[LogEntry], *, is_whole: bool, is_uncovered: bool, comments: bool
) -> list[dict[str, object]]:
    """Return the log, one object for each entry, with undone moves. An entry's words are those for
    spectators, which reveal nothing hidden."""
    return [
        {
            "number": entry.number,
            "ply": entry.ply,
            "kind": entry.kind,
            "seat": entry.seat,
            "move": entry.move if is_whole else entry.shown,
            "words": entry.move if is_uncovered else entry.shown,
            "comment": entry.comment if comments or entry.seat is None else "",
            "at": format_time(entry.at),
        }
        for entry in log
    ]


def _build_headers(board: Board, log: Sequence[LogEntry], site: str) -> dict[str, str]:
    """Return PGN's headers. The first seat is White, the second Black; boards with more seats have
    neither, but those of two boards have BPGN's."""
    headers = {
        "Event": board.title or f"{board.game.info.title} by mail",
        "Site": site,
        "Date": _format_date(board.created),
        "Round": str(board.id),
    }
    outcome = board.outcome
    result = "*"
    if board.game.record_format == bpgn.FORMAT:
        headers |= {tag: seat.userid for tag, seat in zip(bpgn.PLAYERS, board.seats, strict=True)}
    if len(board.seats) == 2:
        headers |= {"White": board.seats[0].userid, "Black": board.seats[1].userid}
        if outcome is not None:
            first, second = outcome.ranks
            result = "1-0" if first < second else "0-1" if second < first else "1/2-1/2"
    elif outcome is not None:
        result = " ".join(map(str, outcome.ranks))
    headers |= {"Result": result, "PlyCount": str(board.ply)}
    if board.ended is not None:
        kinds = {entry.kind for entry in log}
        cause = next((name for kind, name in _CAUSES if kind in kinds), "normal")
        headers |= {
            "EndDate": _format_date(board.ended),
            "Termination": cause if board.state == "over" else "abandoned",
        }
    return headers


def compute_position_hash(position: Position) -> str:
    """Return the SHA-256 of the encoded position."""
    return hashlib.sha256(position.encode().encode()).hexdigest()


def _format_date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y.%m.%d")


def format_record(record: Mapping[str, object]) -> str:
    """Return the record as JSON whose lines fit into a mail: a long string becomes a list of
    pieces."""
    return _dump({name: _split_strings(value, _WHOLE) for name, value in record.items()}, 0)


def _split_strings(value: object, most: int = _PIECE) -> object:
    if isinstance(value, Mapping):
        return {name: _split_strings(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_split_strings(each) for each in value]
    if not isinstance(value, str) or len(json.dumps(value)) <= most + 2:
        return value
    pieces, rest = [], value
    while rest:
        size = min(_PIECE, len(rest))
        while len(json.dumps(rest[:size])) > _PIECE + 2:
            size -= 1
        pieces.append(rest[:size])
        rest = rest[size:]
    return pieces


def _dump(value: object, indent: int, before: int = 0) -> str:
    """Return JSON on one line where it fits, otherwise with one item on each line."""
    plain = json.dumps(value)
    if len(plain) + indent + before < _COLUMNS or not isinstance(value, dict | list) or not value:
        return plain
    blanks = " " * (indent + 1)
    if isinstance(value, dict):
        lines = [
            f"{blanks}{json.dumps(name)}: {_dump(each, indent + 1, len(name) + 4)}"
            for name, each in value.items()
        ]
    else:
        lines = [f"{blanks}{_dump(each, indent + 1)}" for each in value]
    left, right = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return ",\n".join([f"{left}\n{lines[0]}", *lines[1:]]) + f"\n{' ' * indent}{right}"


def parse_record(text: str) -> dict[str, Any]:
    """Return the record in a text, which may be the JSON object alone or the mail that brought it.
    Refuse a text without one."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    starts = [at for at, line in enumerate(lines) if line.strip().startswith("{")]
    if starts:
        try:
            record, _ = json.JSONDecoder().raw_decode("\n".join(lines[starts[0] :]).lstrip())
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict):
            return record
    raise Refusal(
        RefusalCode.BAD_RECORD,
        "this is not a record: it must be a JSON object (see pbm help records), PGN, PDN, SGF or "
        "MAT",
    )


# The record of a board, on request.


def export(call: Call) -> list[Notice]:
    """Send the record of a board for programs to read; its players also get the comments and their
    own notes."""
    board = call.load_board(lock=False)
    proven = {player.id for player in (call.player, *call.vouched) if player is not None}
    seated = proven & board.people
    notes = [row for each in seated for row in reads.find_notes(call.session, board.id, each)]
    site = call.config.server.address
    record = build_record(call.session, board, site, comments=bool(seated), notes=notes)
    content = BoardRecord(
        game=board.game.info.name,
        board=board.id,
        record=format_record(record),
        is_whole=record["view"] == "full",
        is_seated=bool(seated),
        field=build_field_record(call.session, board, record, notes),
        format=board.game.record_format,
        has_notes=bool(notes),
    )
    return [address_to_seat(call, board, call.answer(content))]
