"""Records: a board as one JSON object (see `help records`), exported to anybody, imported again.

What is hidden while a board runs is in no record of it; what a record says is believed only after a
replay."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pbm.core.model import rating_changes
from pbm.core.model.board import Board
from pbm.core.model.log import Entry, effective, entry_of
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.rules import CHANCE, Played, Position
from pbm.store import reads
from pbm.store.transaction import Session

VERSION = 1
_COLUMNS = 78
_PIECE = 56
_WHOLE = 64
"""A text at the top of the record stays whole up to here: a hash does."""
_CAUSES = (
    ("forfeit", "time forfeit"),
    ("adjudicate", "adjudication"),
    ("resign", "resignation"),
    ("draw", "agreement"),
)


def record_of(session: Session, board: Board, site: str, *, comments: bool) -> dict[str, Any]:
    """The record: whole when nothing is hidden or the board is over, else as spectators may know
    it. `comments`: with what the players wrote, which is for the seats only."""
    info = board.game.info
    log = [entry_of(row) for row in reads.log_of(session, board.id)]
    is_whole = board.is_over or not board.is_hidden
    has_dice = "chance" in info.features and bool(board.secret)
    changed = rating_changes.changes_at(session, board.id) if board.is_over else []
    points = {change.seat: change.after.points for change in changed}
    outcome = board.outcome
    names = board.position.seat_names
    return {
        "record": VERSION,
        "headers": _headers(board, log, site),
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
        "created": moment(board.created),
        "ended": None if board.ended is None else moment(board.ended),
        "time": {
            "nag": board.control.nag,
            "forfeit": board.control.forfeit,
            "total": board.control.total,
            "bank": board.control.bank,
            "increment": board.control.increment,
        },
        "outcome": None
        if outcome is None
        else {"ranks": list(outcome.ranks), "reason": outcome.reason},
        "hash": board.commitment if has_dice else None,
        "secret": board.secret.hex() if has_dice and board.is_over else None,
        "view": "full" if is_whole else "spectator",
        "moves": _moves(
            log, is_whole=is_whole, is_uncovered=is_whole and board.is_hidden, comments=comments
        ),
        "final": fingerprint(board.position) if is_whole else None,
    }


def field_record(session: Session, board: Board, record: Mapping[str, Any]) -> str:
    """The game in the format of its field; "" where it has none or something is hidden still."""
    if record["view"] != "full":
        return ""
    log = effective(entry_of(row) for row in reads.log_of(session, board.id))
    moves = [
        (CHANCE if entry.seat is None else entry.seat, entry.move)
        for entry in log
        if entry.kind in ("move", "chance")
    ]
    options, headers = board.position.options, record["headers"]
    played = Played(len(board.seats), options, moves, board.outcome, headers)
    return board.game.record(played).rstrip()


def _moves(
    log: Sequence[Entry], *, is_whole: bool, is_uncovered: bool, comments: bool
) -> list[dict[str, Any]]:
    """The log, a dictionary an entry; what was taken back stays in it. The words of a log are those
    for spectators, which say nothing of what was hidden."""
    return [
        {
            "number": entry.number,
            "ply": entry.ply,
            "kind": entry.kind,
            "seat": entry.seat,
            "move": entry.move if is_whole else entry.words or entry.move,
            "words": entry.move if is_uncovered else entry.words or entry.move,
            "comment": entry.comment if comments or entry.seat is None else "",
            "at": moment(entry.at),
        }
        for entry in log
    ]


def _headers(board: Board, log: Sequence[Entry], site: str) -> dict[str, str]:
    """What PGN has a name for: the first seat is White, the second Black; more seats have none."""
    headers = {
        "Event": f"{board.game.info.title} by mail",
        "Site": site,
        "Date": _date(board.created),
        "Round": str(board.id),
    }
    outcome = board.outcome
    result = "*"
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
        cause = next((said for kind, said in _CAUSES if kind in kinds), "normal")
        headers |= {
            "EndDate": _date(board.ended),
            "Termination": cause if board.state == "over" else "abandoned",
        }
    return headers


def fingerprint(position: Position) -> str:
    """SHA-256 of a position as it is encoded: equal when the positions are."""
    return hashlib.sha256(position.encode().encode()).hexdigest()


def moment(seconds: float) -> str:
    """A time as ISO 8601 in UTC, to the millisecond."""
    said = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return said.replace("+00:00", "Z")


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y.%m.%d")


def written(record: Mapping[str, Any]) -> str:
    """The record as JSON whose lines fit into a mail: a long text is a list of its pieces."""
    return _fitted({name: _pieces(value, _WHOLE) for name, value in record.items()}, 0)


def _pieces(value: Any, most: int = _PIECE) -> Any:
    if isinstance(value, Mapping):
        return {name: _pieces(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_pieces(each) for each in value]
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


def _fitted(value: Any, indent: int, before: int = 0) -> str:
    """JSON on one line where it fits, else an item a line."""
    plain = json.dumps(value)
    if len(plain) + indent + before < _COLUMNS or not isinstance(value, dict | list) or not value:
        return plain
    blanks = " " * (indent + 1)
    if isinstance(value, dict):
        lines = [
            f"{blanks}{json.dumps(name)}: {_fitted(each, indent + 1, len(name) + 4)}"
            for name, each in value.items()
        ]
    else:
        lines = [f"{blanks}{_fitted(each, indent + 1)}" for each in value]
    left, right = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return ",\n".join([f"{left}\n{lines[0]}", *lines[1:]]) + f"\n{' ' * indent}{right}"


def read(text: str) -> dict[str, Any]:
    """The record in a text: the JSON object alone or within the mail that brought it. Refusal when
    there is none."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    starts = [at for at, line in enumerate(lines) if line.strip().startswith("{")]
    if starts:
        try:
            found, _ = json.JSONDecoder().raw_decode("\n".join(lines[starts[0] :]).lstrip())
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            return found
    raise Refusal(
        RefusalCode.BAD_RECORD,
        "this is no record: it is a JSON object (see pbm help records), PGN or PDN",
    )
