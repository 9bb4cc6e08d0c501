"""Games as the programs of their field write them, PGN and PDN, made records that can be imported.

Which game it is, the tags say; what was played, a replay. How it ended without the board showing it
(a resignation, an agreement, time), the tags Result and Termination say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from pbm.core.model.log import Entry, step
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.core.service.importing import USERID, Checked, Read, logged
from pbm.core.views.board_record import fingerprint
from pbm.games import all_games
from pbm.rules import Game, Outcome, Played, Position, RecordError
from pbm.rules.formats import pgn
from pbm.rules.typed import quoted

MOST_GAMES = 1000
_DRAUGHTS = re.compile(r"[0-9]{1,2}[-x:][0-9]{1,2}.*")
_DATE = re.compile(r"([12][0-9]{3})[.]([0-9]{2}|[?]{2})[.]([0-9]{2}|[?]{2})")
_TIME = re.compile(r"time|abandon|infraction", re.IGNORECASE)
_JUDGED = re.compile(r"adjudicat", re.IGNORECASE)
_CANCELLED = "abandoned"
"""The Termination of a board that ended without a result."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What an operator says of a file.

    game    the game of records that do not name it
    people  the userids of players who are called otherwise in it, by these names in small letters
    now     when a game was played that does not say so
    """

    game: Game | None
    people: Mapping[str, str]
    now: float


def games(text: str, terms: Terms) -> Iterator[Checked]:
    """Every game of a text, replayed. Refusal, with the number of the game, for one that is not of
    a game on this server, does not begin as it does, cannot have been played or is not over."""
    number, found = 1, pgn.games(text)
    try:
        for number, written in enumerate(found, 1):
            if number > MOST_GAMES:
                raise RecordError(f"a file has at most {MOST_GAMES:,} games: split it")
            game = terms.game or _game_of(written)
            yield _checked(game, game.read_record(written.text), terms)
            number += 1  # what cannot be read now belongs to the next
    except RecordError as error:
        raise Refusal(RefusalCode.BAD_RECORD, f"game {number}: {error}") from None
    if number == 1:
        raise Refusal(RefusalCode.BAD_RECORD, "there is no game in it")


def _game_of(written: pgn.ParsedRecord) -> Game:
    """The game that the tags name: chess when they name none."""
    tags = written.tags
    if not {"GameType", "Variant"} & set(tags) and _DRAUGHTS.fullmatch("".join(written.words[:1])):
        raise RecordError("no tag GameType says which game of draughts it is: give --game=NAME")
    for game in all_games():
        if game.is_recorded(tags):
            return game
    tag = "GameType" if "GameType" in tags else "Variant"
    raise RecordError(f"{tag} {quoted(tags[tag])} is no game of this server")


def _checked(game: Game, played: Played, terms: Terms) -> Checked:
    """A game as the record that this server would have written."""
    headers, outcome = played.headers, played.outcome
    begun = _moment(headers.get("UTCDate") or headers.get("Date", ""), terms.now)
    created = terms.now if begun is None else begun
    position: Position = game.setup(2, played.options)
    start, log = position, list[Entry]()
    for number, (seat, move) in enumerate(played.moves, 1):
        entry = Entry(number, number, "move", seat, move, "", "", "", created)
        following = step(position, entry)
        log.append(logged(position, entry, following))
        position = following
    state = "over"
    if position.outcome is None:
        kind, who, said, outcome = _ending(headers.get("Termination", ""), outcome)
        ply = len(log)
        entry = Entry(ply + 1, ply, kind, who, said, "", "", "", created)
        following = step(position, entry)
        log.append(logged(position, entry, following))
        position, state = following, "cancelled" if kind == "cancel" else state
    ended = position.outcome or outcome
    read = Read(
        game=game,
        board=0,
        start=start,
        options=dict(played.options),
        userids=[_userid(position, headers, seat, terms) for seat in (0, 1)],
        state=state,
        ranks=None if ended is None else ended.ranks,
        reason="" if ended is None else ended.reason,
        created=created,
        ended=max(created, _moment(headers.get("EndDate", ""), terms.now) or created),
        hash="",
        secret=b"",
        log=log,
        final=fingerprint(position),
    )
    return Checked(read, position, log)


def _ending(
    termination: str, outcome: Outcome | None
) -> tuple[str, int | None, str, Outcome | None]:
    """The kind, the seat and the text of the entry that ended a game which goes on by the board,
    and the outcome. RecordError for one that is not over."""
    if outcome is None:
        if termination == _CANCELLED:
            return "cancel", None, "cancel", None
        raise RecordError("the game is not over: its result is *")
    ranks = outcome.ranks
    if _JUDGED.search(termination):
        return "adjudicate", None, ",".join(map(str, ranks)), Outcome(ranks, "adjudicated")
    if len(outcome.winners) == 2:
        return "draw", None, "draw", Outcome(ranks, "a draw by agreement or claim")
    kind = "forfeit" if _TIME.search(termination) else "resign"
    return kind, 1 - outcome.winners[0], kind, outcome


def _userid(position: Position, headers: Mapping[str, str], seat: int, terms: Terms) -> str:
    """Who sat there; RecordError when that is no userid and the operator does not say whose."""
    name = headers.get(("White", "Black")[seat], "") or "?"
    userid = terms.people.get(name.lower(), name)
    if not USERID.fullmatch(userid):
        raise RecordError(
            f"{position.game.info.seats[2][seat]} is {quoted(name)}, which is no userid: give "
            "--player 'NAME=USERID'"
        )
    return userid


def _moment(date: str, now: float) -> float | None:
    """The beginning of a day in UTC, `now` for one that is still to come; None for none."""
    match = _DATE.fullmatch(date)
    if not match:
        return None
    year, month, day = (int(part) if part.isdigit() else 1 for part in match.groups())
    try:
        return min(now, datetime(year, month, day, tzinfo=UTC).timestamp())
    except ValueError:
        return None
