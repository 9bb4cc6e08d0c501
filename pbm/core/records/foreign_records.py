"""Reads games as the programs of their field write them, PGN and PDN, and makes records of them
that can be imported.

The tags say which game it is, and how it ended when the board does not show it (a resignation, an
agreement, time); a replay says what was played."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from pbm.core.kernel.boards.log import Entry, apply_entry
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.records.importing import USERID, BoardRecord, ReplayedRecord, complete_entry
from pbm.core.records.record import compute_position_hash
from pbm.games import load_games
from pbm.rules import Game, Outcome, Played, Position, RecordError
from pbm.rules.formats import pgn
from pbm.rules.typed import quoted

MOST_GAMES = 1000
_DRAUGHTS = re.compile(r"[1-9][0-9]?[-x:][1-9][0-9]?.*")
_DATE = re.compile(r"([12][0-9]{3})[-./]([0-9]{1,2}|[?]{1,2})[-./]([0-9]{1,2}|[?]{1,2})")
_WHO = re.compile(r".* won ", re.IGNORECASE)
"""Who won, as some servers say in the tag Termination; a name says nothing of how."""
_TIME = re.compile(r"time|abandon|infraction", re.IGNORECASE)
_JUDGED = re.compile(r"adjudicat", re.IGNORECASE)
_CANCELLED = "abandoned"
"""The Termination of a board that ended without a result."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the operator says about a file.

    game    the game of records that do not name it
    people  userids of players with other names in the file, by these names in lower case
    now     the date of games that have none
    """

    game: Game | None
    people: Mapping[str, str]
    now: float


def read_games(
    text: str, terms: Terms, skipped: list[str] | None = None
) -> Iterator[tuple[int, ReplayedRecord]]:
    """Yield every game of a text with its number, replayed. Refused, with that number, when it is
    not a game of this server, begins differently, cannot have been played or is not over; or left
    out, and why put on the list `skipped`, if there is one."""
    number = 1
    try:
        for number, written in enumerate(pgn.games(text), 1):
            if number > MOST_GAMES:
                raise RecordError(f"a file has at most {MOST_GAMES:,} games: split it")
            try:
                game = terms.game or _find_game(written)
                replayed = _replay(game, game.read_record(written.text), terms)
            except RecordError as error:
                if skipped is None:
                    raise
                skipped.append(f"game {number}: {error}")
            else:
                yield number, replayed
            number += 1  # what cannot be read now belongs to the next
    except RecordError as error:
        raise Refusal(RefusalCode.BAD_RECORD, f"game {number}: {error}") from None
    if number == 1:
        raise Refusal(RefusalCode.BAD_RECORD, "the file holds no game")


def _find_game(written: pgn.ParsedRecord) -> Game:
    """Return the game that the tags name: chess when they name none."""
    tags = written.tags
    if not {"GameType", "Variant"} & set(tags) and _DRAUGHTS.fullmatch("".join(written.words[:1])):
        raise RecordError("no tag GameType says which game of draughts it is: give --game=NAME")
    for game in load_games():
        if game.is_recorded(tags):
            return game
    tag = "GameType" if "GameType" in tags else "Variant"
    raise RecordError(f"{tag} {quoted(tags[tag])} is no game of this server")


def _replay(game: Game, played: Played, terms: Terms) -> ReplayedRecord:
    """Return a game as the record that this server would have written of it."""
    headers, outcome = played.headers, played.outcome
    begun = _parse_date(headers.get("UTCDate") or headers.get("Date", ""), terms.now)
    created = terms.now if begun is None else begun
    position: Position = game.setup(2, played.options)
    start, log = position, list[Entry]()
    for number, (seat, move) in enumerate(played.moves, 1):
        entry = Entry(number, number, "move", seat, move, "", (), "", created)
        following = apply_entry(position, entry)
        log.append(complete_entry(position, entry, following))
        position = following
    state = "over"
    if position.outcome is None:
        kind, actor, move, outcome = _find_ending(headers.get("Termination", ""), outcome)
        ply = len(log)
        entry = Entry(ply + 1, ply, kind, actor, move, "", (), "", created)
        following = apply_entry(position, entry)
        log.append(complete_entry(position, entry, following))
        position, state = following, "cancelled" if kind == "cancel" else state
    ended = position.outcome or outcome
    record = BoardRecord(
        game=game,
        board=0,
        start=start,
        options=dict(played.options),
        userids=[_find_userid(position, headers, seat, terms) for seat in (0, 1)],
        state=state,
        ranks=None if ended is None else ended.ranks,
        reason="" if ended is None else ended.reason,
        created=created,
        ended=max(created, _parse_date(headers.get("EndDate", ""), terms.now) or created),
        hash="",
        secret=b"",
        former=[],
        log=log,
        final=compute_position_hash(position),
    )
    return ReplayedRecord(record, position, log)


def _find_ending(
    termination: str, outcome: Outcome | None
) -> tuple[str, int | None, str, Outcome | None]:
    """Return kind, seat and move of the entry that ended a game which could go on by the board, and
    the outcome. RecordError when it is not over."""
    if outcome is None:
        if termination == _CANCELLED:
            return "cancel", None, "cancel", None
        raise RecordError("the game is not over: its result is *")
    ranks = outcome.ranks
    if _JUDGED.search(termination):
        return "adjudicate", None, ",".join(map(str, ranks)), Outcome(ranks, "adjudicated")
    if len(outcome.winners) == 2:
        return "draw", None, "draw", Outcome(ranks, "a draw by agreement or claim")
    how = _WHO.sub("", termination)
    kind = "forfeit" if _TIME.search(how) else "resign"
    return kind, 1 - outcome.winners[0], kind, outcome


def _find_userid(position: Position, headers: Mapping[str, str], seat: int, terms: Terms) -> str:
    """Return the userid of a seat. RecordError when the name is no userid and the operator does not
    say whose it is."""
    name = headers.get(("White", "Black")[seat], "") or "?"
    userid = terms.people.get(name.lower(), name)
    if not USERID.fullmatch(userid):
        raise RecordError(
            f"{position.game.info.seats[2][seat]} is {quoted(name)}, which is no userid: give "
            "--player 'NAME=USERID'"
        )
    return userid


def _parse_date(date: str, now: float) -> float | None:
    """Return the beginning of a day in UTC, `now` for a day to come; None for what is no date."""
    match = _DATE.fullmatch(date)
    if not match:
        return None
    year, month, day = (int(part) if part.isdigit() else 1 for part in match.groups())
    try:
        return min(now, datetime(year, month, day, tzinfo=UTC).timestamp())
    except ValueError:
        return None
