"""Imports a record as a board. A replay checks everything in it, and nothing else is believed.

An imported board is over, unrated and without a secret: its number here differs, and other dice
would follow from it. Its dice are checked with the original number."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from typing import Any

from msgspec.structs import replace

from pbm.core.board import Board
from pbm.core.clock import TimeControl
from pbm.core.log import (
    RETRACTABLE,
    LogEntry,
    apply_entry,
    audit_rolls,
    build_key,
    count_plies,
    drop_undone,
)
from pbm.core.player import NO_PASSWORD, find_player, insert_player, make_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.seat import Seat
from pbm.core.secrets import compute_commitment
from pbm.core.storing import insert_board
from pbm.features.records.record import VERSION, compute_position_hash
from pbm.games import UnknownGame, get_game
from pbm.rules import CHANCE, Game, MoveError, OptionError, Outcome, Position
from pbm.rules.errors import RecordError
from pbm.rules.formats import sgf
from pbm.rules.phrases import drop_marks
from pbm.rules.typed import quoted
from pbm.store.transaction import Session

USERID = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]{1,19}")
_PLAYED = {"move", "chance", "resign", "forfeit"}
_KINDS = _PLAYED | {"undo", "draw", "cancel", "adjudicate"}
_DECIDED = {"draw", "adjudicate"}
_MOST_MOVES = 100_000


@dataclass(frozen=True, slots=True)
class ImportedRecord:
    """A record whose parts have the right shape."""

    game: Game
    board: int
    start: Position
    options: dict[str, Any]
    userids: list[str]
    state: str
    ranks: tuple[int, ...] | None
    reason: str
    created: float
    ended: float
    hash: str
    secret: bytes
    former: list[tuple[int, bytes]]
    log: list[LogEntry]
    final: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class ReplayedRecord:
    """A record that was replayed: its final position, and its log as this server writes it."""

    record: ImportedRecord
    position: Position
    log: list[LogEntry]


def read_record(data: Mapping[str, Any]) -> ImportedRecord:
    """Return the record in its parts. Refused, with the fault, when its shape is wrong."""
    try:
        return _parse(data)
    except UnknownGame:
        raise Refusal(
            RefusalCode.BAD_RECORD, "this server does not have the game of this record"
        ) from None
    except OptionError as error:
        raise Refusal(RefusalCode.BAD_RECORD, f"the record's options do not fit: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise Refusal(
            RefusalCode.BAD_RECORD, f"the record is incomplete: {type(error).__name__} {error}"
        ) from None


def _parse(record: Mapping[str, Any]) -> ImportedRecord:
    if record["record"] != VERSION:
        raise Refusal(
            RefusalCode.BAD_RECORD,
            f"a record of version {record['record']} cannot be read, only {VERSION}",
        )
    if record["view"] != "full" or record["state"] not in ("over", "cancelled"):
        raise Refusal(RefusalCode.BAD_RECORD, "the record is of a board that was not over")
    game = get_game(_join(record["game"]))
    if record["version"] != game.info.version:
        raise Refusal(
            RefusalCode.BAD_RECORD,
            f"the record is of {game.info.name} version {record['version']}, this is version "
            f"{game.info.version}",
        )
    if len(record["players"]) not in game.info.players:
        raise Refusal(
            RefusalCode.BAD_RECORD, "the record's number of players does not fit the game"
        )
    options = {name: _join(value) for name, value in record["options"].items()}
    seated = sorted(record["players"], key=lambda player: player["seat"])
    if [player["seat"] for player in seated] != list(range(len(seated))):
        raise Refusal(RefusalCode.BAD_RECORD, "the record's seats are not numbered from 0")
    secret = bytes.fromhex(_join(record["secret"])) if record["secret"] else b""
    if secret and compute_commitment(secret) != _join(record["hash"]):
        raise Refusal(RefusalCode.BAD_RECORD, "the record's hash is not that of its secret")
    former = [
        (int(each["until"]), bytes.fromhex(_join(each["secret"])))
        for each in record.get("former", ())
    ]
    for (_, earlier), each in zip(former, record.get("former", ()), strict=True):
        if compute_commitment(earlier) != _join(each["hash"]):
            raise Refusal(RefusalCode.BAD_RECORD, "a former hash is not that of its secret")
    if len(record["moves"]) > _MOST_MOVES:
        raise Refusal(RefusalCode.BAD_RECORD, f"a record has at most {_MOST_MOVES} entries")
    log = [_build_entry(move) for move in record["moves"]]
    outcome = record["outcome"]
    return ImportedRecord(
        game=game,
        board=int(record["board"]),
        start=game.setup(len(seated), options),
        title=str(_join(record.get("title", ""))),
        options=options,
        userids=[str(_join(player["userid"])) for player in seated],
        state=record["state"],
        ranks=None if outcome is None else tuple(map(int, outcome["ranks"])),
        reason="" if outcome is None else str(_join(outcome["reason"])),
        created=_parse_time(record["created"]),
        ended=_parse_time(record["ended"]),
        hash=str(_join(record["hash"])),
        secret=secret,
        former=former,
        log=log,
        final=str(_join(record["final"])),
    )


def _join(value: Any) -> Any:
    """Join the pieces of a long text, which is stored as a list."""
    return "".join(value) if isinstance(value, list) else value


def _parse_time(text: str) -> float:
    return datetime.fromisoformat(text).astimezone(UTC).timestamp()


def _build_entry(move: Mapping[str, Any]) -> LogEntry:
    kind, seat = move["kind"], move["seat"]
    if kind not in _KINDS or not (seat is None or isinstance(seat, int)):
        raise Refusal(
            RefusalCode.BAD_RECORD, f"entry {move['number']} of the record is of an unknown kind"
        )
    if kind == "undo" and move["move"] not in RETRACTABLE and not move["move"].isdigit():
        raise Refusal(
            RefusalCode.BAD_RECORD,
            f"entry {move['number']} of the record takes back a move that is not there",
        )
    return LogEntry(
        int(move["number"]),
        int(move["ply"]),
        kind,
        seat,
        str(_join(move["move"])),
        "",
        (),
        str(_join(move["comment"])),
        _parse_time(move["at"]),
    )


def replay_record(record: ImportedRecord) -> tuple[Position, list[LogEntry]]:
    """Return the final position, and the log with words, news and keys as this server writes them.
    Refuse an impossible record."""
    position, log = record.start, list[LogEntry]()
    ply = 0
    for at, entry in enumerate(record.log, 1):
        ply += entry.kind == "move"
        if (entry.number, entry.ply) != (at, ply):
            raise Refusal(RefusalCode.BAD_RECORD, f"entry {at} of the record is out of order")
        try:
            following = _replay(record.start, position, record.log[:at])
        except MoveError as error:
            raise Refusal(
                RefusalCode.BAD_RECORD, f"entry {at} of the record cannot be played: {error}"
            ) from None
        log.append(complete_entry(position, entry, following))
        if entry.kind == "undo":
            ply = count_plies(record.log[:at])
        position = following
    return position, log


def complete_entry(position: Position, entry: LogEntry, following: Position) -> LogEntry:
    """Return an entry between two positions, with words, news and key as this server writes
    them."""
    seat = CHANCE if entry.seat is None else entry.seat
    is_said, is_played = entry.kind in ("move", "chance"), entry.kind in _PLAYED
    words = drop_marks(position.describe(seat, entry.move)) if is_said else entry.move
    return replace(
        entry,
        words="" if words == entry.move else words,
        news=tuple(following.news) if is_played else (),
        key=build_key(following) if is_played else "",
    )


def _replay(start: Position, before: Position, log: Sequence[LogEntry]) -> Position:
    """Return the position after a log; `before` is the one before its last entry."""
    if log[-1].kind != "undo":
        return apply_entry(before, log[-1])
    return reduce(apply_entry, drop_undone(log), start)


def check_record(data: Mapping[str, Any]) -> ReplayedRecord:
    """Return a record, replayed. Refused when the replay leads to another position, result or dice
    than the record states."""
    record = read_record(data)
    position, log = replay_record(record)
    if compute_position_hash(position) != record.final:
        raise Refusal(
            RefusalCode.BAD_RECORD, "the record's moves lead to another position than it names"
        )
    _require_result(record, position, log)
    if record.secret and any(
        not roll.is_right
        for roll in audit_rolls(
            record.start, record.board, record.secret, record.log, record.former
        )
    ):
        raise Refusal(
            RefusalCode.BAD_RECORD,
            "the record's dice are not those of its secret: see pbm verify-dice",
        )
    return ReplayedRecord(record, position, log)


def _require_result(record: ImportedRecord, position: Position, log: list[LogEntry]) -> None:
    decided = any(entry.kind in _DECIDED for entry in drop_undone(log))
    outcome = position.outcome
    if record.state == "cancelled":
        if record.ranks is not None:
            raise Refusal(
                RefusalCode.BAD_RECORD, "the record is of a cancelled board, but names a result"
            )
    elif record.ranks is None or len(record.ranks) != len(record.userids):
        raise Refusal(RefusalCode.BAD_RECORD, "the record names no result")
    elif not decided and (outcome is None or outcome.ranks != record.ranks):
        raise Refusal(
            RefusalCode.BAD_RECORD, "the record's result is not the one that its moves lead to"
        )


def store_record(session: Session, replayed: ReplayedRecord) -> int:
    """Store a board under the next free number, which is returned. Unknown userids become closed
    accounts. Refuse an invalid userid."""
    record, position, log = replayed.record, replayed.position, replayed.log
    people = [_find_or_create_player(session, userid, record.created) for userid in record.userids]
    plies = drop_undone(log)
    ply = plies[-1].ply if plies else 0
    moved = {entry.seat for entry in plies if entry.kind == "move"}
    board = Board(
        id=0,
        game=record.game,
        title=record.title,
        options=record.options,
        state=record.state,
        position=position,
        seats=[
            Seat(
                seat,
                player,
                record.userids[seat],
                is_active=False,
                preferences={},
                accepted=True,
                moved=seat in moved,
                rank=record.ranks[seat] if record.ranks else None,
            )
            for seat, player in enumerate(people)
        ],
        number=len(log),
        ply=ply,
        turn_ply=ply,
        undos=sum(entry.kind == "undo" for entry in log),
        rated=False,
        secret=b"",
        commitment="",
        created=record.created,
        turn_began=record.ended,
        ended=record.ended,
        control=TimeControl(nag=None, forfeit=None),
        agreed=None if record.ranks is None else Outcome(record.ranks, record.reason),
        entries=list(log),
    )
    insert_board(session, board)
    return board.id


def _find_or_create_player(session: Session, userid: str, now: float) -> int:
    """Return the number of the player with that userid, if need be of a new closed account."""
    if not USERID.fullmatch(userid):
        raise Refusal(RefusalCode.BAD_RECORD, "the record names a userid that cannot be one")
    player = find_player(session, userid)
    if player is not None:
        return player.id
    made = insert_player(session, make_player(userid, NO_PASSWORD, now, state="closed"))
    if made is None:
        raise Refusal(RefusalCode.USERID_TAKEN, f"{userid} has just been given away: try again")
    return made.id


# Finds the encoding of a file of records, and says when it had to be guessed.

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHARSET = re.compile(rb"CA\[([A-Za-z0-9_:. -]{1,40})\]")
_OLD = "cp1252"


def decode(raw: bytes, encoding: str = "") -> tuple[str, str]:
    """Return the text of a file, and a remark for the operator, "" where nothing was guessed.
    `encoding` is the operator's choice; without one a byte-order mark, the CA of SGF, UTF-8 and,
    for lines that are not UTF-8, Windows-1252 are tried. RecordError if `encoding` is unknown or
    does not fit."""
    if encoding:
        return _decode_as(raw, encoding), ""
    for mark, name in _MARKS:
        if raw.startswith(mark):
            try:
                return raw.decode(name), "" if name == "utf-8-sig" else f"read as {name.upper()}"
            except UnicodeDecodeError:
                break
    if re.match(rb"\s*\(\s*;", raw) and (text := _decode_sgf(raw)) is not None:
        return text, ""
    try:
        return raw.decode(), ""
    except UnicodeDecodeError:
        return _decode_lines(raw)


def _decode_as(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding).removeprefix("\ufeff")
    except LookupError:
        raise RecordError(
            f"there is no encoding {quoted(encoding)}; some are utf-8, cp1252, latin-1, cp1251, "
            "koi8-r, shift_jis, gb18030 and big5"
        ) from None
    except UnicodeDecodeError as error:
        raise RecordError(
            f"byte {error.start} ({raw[error.start : error.start + 1].hex()}) is not of the "
            f"encoding {encoding}"
        ) from None
    except UnicodeError:
        raise RecordError(f"it is not in the encoding {encoding}") from None


def _decode_sgf(raw: bytes) -> str | None:
    """Return a collection decoded by its games' CA; None if they have none, or it does not fit."""
    told = {match.decode().strip().lower() for match in _CHARSET.findall(raw)}
    try:
        if len(told) <= 1:
            return raw.decode(told.pop()) if told else None
        trees = [tree.text.encode("latin-1") for tree in sgf.games(raw.decode("latin-1"))]
        return "\n".join(
            tree.decode(match[1].decode().strip() if (match := _CHARSET.search(tree)) else "utf-8")
            for tree in trees
        )
    except (LookupError, UnicodeError, RecordError):
        return None


def _decode_lines(raw: bytes) -> tuple[str, str]:
    """Return a file line by line, which was joined from several encodings or is not UTF-8 at
    all."""
    lines, count = list[str](), 0
    for line in raw.split(b"\n"):
        try:
            lines.append(line.decode())
        except UnicodeDecodeError:
            count += 1
            lines.append(_decode_old(line))
    what = "1 line is" if count == 1 else f"{count:,} lines are"
    return "\n".join(lines), (
        f"{what} not UTF-8, and read as Windows-1252: --encoding=NAME reads the file otherwise"
    )


def _decode_old(line: bytes) -> str:
    try:
        return line.decode(_OLD)
    except UnicodeDecodeError:
        return line.decode("latin-1")
