"""A record made a board again: everything in it is checked by a replay, and nothing else believed.
Records that other programs wrote are made such records in `foreign`.

An imported board has ended, is not rated and keeps no secret: its number here is another one, from
which other dice would follow. Its dice are checked with the number they were rolled for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import reduce
from typing import Any

from sqlalchemy import insert

from pbm.core.model.dice_audit import audit_rolls
from pbm.core.model.log import RETRACTABLE, Entry, effective, ply_of, short_key, step
from pbm.core.model.player import NO_PASSWORD, find_player
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.core.model.secrets import commitment
from pbm.core.views.board_record import VERSION, fingerprint
from pbm.games import UnknownGame, get_game
from pbm.rules import CHANCE, Game, MoveError, OptionError, Position
from pbm.store.tables import boards, moves, players, seats
from pbm.store.transaction import Session

USERID = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]{1,19}")
_PLAYED = {"move", "chance", "resign", "forfeit"}
_KINDS = _PLAYED | {"undo", "draw", "cancel", "adjudicate"}
_DECIDED = {"draw", "adjudicate"}
_MOST_MOVES = 100_000


@dataclass(frozen=True, slots=True)
class Read:
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
    log: list[Entry]
    final: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A record that was replayed: where it led, and its log as this server writes it."""

    read: Read
    position: Position
    log: list[Entry]


def read_record(record: Mapping[str, Any]) -> Read:
    """The record, shaped; Refusal that names what is wrong with it."""
    try:
        return _shaped(record)
    except UnknownGame:
        raise Refusal(
            RefusalCode.BAD_RECORD, "the record is of a game that is not on this server"
        ) from None
    except OptionError as error:
        raise Refusal(RefusalCode.BAD_RECORD, f"the record's options do not fit: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise Refusal(
            RefusalCode.BAD_RECORD, f"the record is not complete: {type(error).__name__} {error}"
        ) from None


def _shaped(record: Mapping[str, Any]) -> Read:
    if record["record"] != VERSION:
        raise Refusal(
            RefusalCode.BAD_RECORD,
            f"a record of version {record['record']} cannot be read, only {VERSION}",
        )
    if record["view"] != "full" or record["state"] not in ("over", "cancelled"):
        raise Refusal(RefusalCode.BAD_RECORD, "the record is of a board that was not over")
    game = get_game(_joined(record["game"]))
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
    options = {name: _joined(value) for name, value in record["options"].items()}
    seated = sorted(record["players"], key=lambda player: player["seat"])
    if [player["seat"] for player in seated] != list(range(len(seated))):
        raise Refusal(RefusalCode.BAD_RECORD, "the record's seats are not numbered from 0")
    secret = bytes.fromhex(_joined(record["secret"])) if record["secret"] else b""
    if secret and commitment(secret) != _joined(record["hash"]):
        raise Refusal(RefusalCode.BAD_RECORD, "the record's hash is not that of its secret")
    if len(record["moves"]) > _MOST_MOVES:
        raise Refusal(RefusalCode.BAD_RECORD, f"a record has at most {_MOST_MOVES} entries")
    log = [_entry(move) for move in record["moves"]]
    outcome = record["outcome"]
    return Read(
        game=game,
        board=int(record["board"]),
        start=game.setup(len(seated), options),
        options=options,
        userids=[str(_joined(player["userid"])) for player in seated],
        state=record["state"],
        ranks=None if outcome is None else tuple(map(int, outcome["ranks"])),
        reason="" if outcome is None else str(_joined(outcome["reason"])),
        created=_seconds(record["created"]),
        ended=_seconds(record["ended"]),
        hash=str(_joined(record["hash"])),
        secret=secret,
        log=log,
        final=str(_joined(record["final"])),
    )


def _joined(value: Any) -> Any:
    """A long text is a list of its pieces."""
    return "".join(value) if isinstance(value, list) else value


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).astimezone(UTC).timestamp()


def _entry(move: Mapping[str, Any]) -> Entry:
    kind, seat = move["kind"], move["seat"]
    if kind not in _KINDS or not (seat is None or isinstance(seat, int)):
        raise Refusal(
            RefusalCode.BAD_RECORD, f"entry {move['number']} of the record is of no known kind"
        )
    if kind == "undo" and move["move"] not in RETRACTABLE and not move["move"].isdigit():
        raise Refusal(
            RefusalCode.BAD_RECORD,
            f"entry {move['number']} of the record takes back nothing that can be",
        )
    return Entry(
        int(move["number"]),
        int(move["ply"]),
        kind,
        seat,
        str(_joined(move["move"])),
        "",
        "",
        str(_joined(move["comment"])),
        _seconds(move["at"]),
    )


def replayed(read: Read) -> tuple[Position, list[Entry]]:
    """The final position and the log with words, news and keys as this server writes them; Refusal
    where the record cannot have happened."""
    position, log = read.start, list[Entry]()
    ply = 0
    for at, entry in enumerate(read.log, 1):
        ply += entry.kind == "move"
        if (entry.number, entry.ply) != (at, ply):
            raise Refusal(RefusalCode.BAD_RECORD, f"entry {at} of the record is out of order")
        try:
            following = _following(read.start, position, read.log[:at])
        except MoveError as error:
            raise Refusal(
                RefusalCode.BAD_RECORD, f"entry {at} of the record cannot be played: {error}"
            ) from None
        log.append(logged(position, entry, following))
        if entry.kind == "undo":
            ply = ply_of(read.log[:at])
        position = following
    return position, log


def logged(position: Position, entry: Entry, following: Position) -> Entry:
    """An entry between two positions with words, news and key as this server writes them."""
    seat = CHANCE if entry.seat is None else entry.seat
    is_said, is_played = entry.kind in ("move", "chance"), entry.kind in _PLAYED
    words = position.describe(seat, entry.move) if is_said else entry.move
    return replace(
        entry,
        words="" if words == entry.move else words,
        news="; ".join(following.news) if is_played else "",
        key=short_key(following) if is_played else "",
    )


def _following(start: Position, before: Position, log: Sequence[Entry]) -> Position:
    """The position after a log, of which the one before its last entry is known."""
    if log[-1].kind != "undo":
        return step(before, log[-1])
    return reduce(step, effective(log), start)


def checked(record: Mapping[str, Any]) -> Checked:
    """A record, replayed; Refusal when it does not lead to the position, the result and the dice
    that it names."""
    read = read_record(record)
    position, log = replayed(read)
    if fingerprint(position) != read.final:
        raise Refusal(
            RefusalCode.BAD_RECORD, "the record's moves lead to another position than it names"
        )
    _require_result(read, position, log)
    if read.secret and any(
        not roll.is_right for roll in audit_rolls(read.start, read.board, read.secret, read.log)
    ):
        raise Refusal(
            RefusalCode.BAD_RECORD,
            "the record's dice are not those of its secret: see pbm verify-dice",
        )
    return Checked(read, position, log)


def import_record(session: Session, record: Mapping[str, Any]) -> int:
    """Store the board of a record; see `checked` and `stored`."""
    return stored(session, checked(record))


def _require_result(read: Read, position: Position, log: list[Entry]) -> None:
    decided = any(entry.kind in _DECIDED for entry in effective(log))
    found = position.outcome
    if read.state == "cancelled":
        if read.ranks is not None:
            raise Refusal(
                RefusalCode.BAD_RECORD, "the record is of a cancelled board, but names a result"
            )
    elif read.ranks is None or len(read.ranks) != len(read.userids):
        raise Refusal(RefusalCode.BAD_RECORD, "the record names no result")
    elif not decided and (found is None or found.ranks != read.ranks):
        raise Refusal(
            RefusalCode.BAD_RECORD, "the record's result is not the one that its moves lead to"
        )


def stored(session: Session, found: Checked) -> int:
    """Store a board under the next free number, which is returned. Userids nobody has become closed
    accounts; Refusal for what cannot be one."""
    read, position, log = found.read, found.position, found.log
    people = [_player(session, userid, read.created) for userid in read.userids]
    plies = effective(log)
    ply = plies[-1].ply if plies else 0
    row = {
        "game": read.game.info.name,
        "version": read.game.info.version,
        "options": json.dumps(read.options),
        "players": len(people),
        "state": read.state,
        "position": position.encode(),
        "to_move": "",
        "number": len(log),
        "ply": ply,
        "turn_ply": ply,
        "asked": 0,
        "undos": sum(entry.kind == "undo" for entry in log),
        "rated": False,
        "outcome": None if read.ranks is None else json.dumps([list(read.ranks), read.reason]),
        "secret": b"",
        "commitment": "",
        "created": read.created,
        "moved": read.ended,
        "ended": read.ended,
    }
    number = int(session.execute(insert(boards).values(row).returning(boards.c.id)).scalar_one())
    moved = {entry.seat for entry in plies if entry.kind == "move"}
    session.execute(
        insert(seats),
        [
            {
                "board_id": number,
                "seat": seat,
                "player_id": player,
                "accepted": True,
                "moved": seat in moved,
                "rank": read.ranks[seat] if read.ranks else None,
            }
            for seat, player in enumerate(people)
        ],
    )
    if log:
        session.execute(
            insert(moves),
            [
                {
                    "board_id": number,
                    "number": entry.number,
                    "ply": entry.ply,
                    "kind": entry.kind,
                    "seat": entry.seat,
                    "move": entry.move,
                    "words": entry.words,
                    "news": entry.news,
                    "comment": entry.comment,
                    "at": entry.at,
                    "key": entry.key,
                }
                for entry in log
            ],
        )
    return number


def _player(session: Session, userid: str, now: float) -> int:
    """The player of that userid, or a closed account of that name."""
    if not USERID.fullmatch(userid):
        raise Refusal(RefusalCode.BAD_RECORD, "the record names a userid that cannot be one")
    found = find_player(session, userid)
    if found is not None:
        return found.id
    row = {
        "userid": userid,
        "name": userid.lower(),
        "password": NO_PASSWORD,
        "state": "closed",
        "preferences": "{}",
        "created": now,
        "seen": now,
    }
    made = session.execute(insert(players).values(row).returning(players.c.id))
    return int(made.scalar_one())
