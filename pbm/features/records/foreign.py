"""Makes importable records of games from files of other programs (PGN, PDN, SGF, mat).

The tags say which game it is, and how it ended when the board does not show it (a resignation, an
agreement, time); a replay shows what was played. Nothing missing is made up: the board is marked as
imported, and the operator reads what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pbm.core.log import LogEntry, apply_entry
from pbm.core.refusal import Refusal, RefusalCode
from pbm.features.records.importing import USERID, ImportedRecord, ReplayedRecord, complete_entry
from pbm.features.records.record import compute_position_hash
from pbm.games import find_name, get_game, load_games
from pbm.rules import CHANCE, Game, Outcome, Played, Position, RecordError
from pbm.rules.formats import mat, pgn, sgf
from pbm.rules.typed import quoted

_DRAUGHTS = re.compile(r"[1-9][0-9]?[-x:][1-9][0-9]?.*")
_STEP = re.compile(r"([a-j])([1-9])[-:x]([a-j])([1-9])")
_DATE = re.compile(
    r"([12][0-9]{3})(?:[-./]([0-9]{1,2}|[?]{1,2})(?:[-./]([0-9]{1,2}|[?]{1,2}))?)?(?:[ ,T].*)?"
)
_WHO = re.compile(r".* won ", re.IGNORECASE)
"""Who won, as some servers write in the tag Termination; a name does not say how."""
_TIME = re.compile(r"time", re.IGNORECASE)
_RESIGNED = re.compile(r"resign|normal|gave up", re.IGNORECASE)
_JUDGED = re.compile(r"adjudicat", re.IGNORECASE)
_CANCELLED = "abandoned"
"""The Termination of a board that ended without a result."""
_ALIKE = {"pgn", "pdn"}
_UNKNOWN = ("", "?", "count", "draw", "unterminated", "unknown")


@dataclass(frozen=True, slots=True)
class ImportTerms:
    """The operator's statements about a file.

    game    the game of records that do not name it
    people  userids by players' names in the file, in lower case
    now     the date of games that have none
    """

    game: Game | None
    people: Mapping[str, str]
    now: float


@dataclass(frozen=True, slots=True)
class ReadGame:
    """A game of a file: its number there, its record, and remarks on what the file leaves open."""

    number: int
    record: ReplayedRecord
    remarks: tuple[str, ...] = ()


def read_games(
    text: str, terms: ImportTerms, skipped: list[str] | None = None
) -> Iterator[ReadGame]:
    """Yield every game of a text, replayed. A game is refused, with its number, that this server
    does not have, that begins differently, is impossible or is not over. With a list `skipped` it
    is left out, and the reason added to the list."""
    number, unit = 0, find_unit(text)
    for number, written in enumerate(list_written(text), 1):
        try:
            if number > MOST_GAMES:
                raise Refusal(
                    RefusalCode.BAD_RECORD,
                    f"{unit} {number}: a file has at most {MOST_GAMES:,} games: split it",
                )
            if isinstance(written, RecordError):
                raise written
            game = _find_game(written, terms.game)
            played = game.read_record(written.text)
            remarks = [*played.remarks]
            record = _replay(game, played, terms, remarks)
        except RecordError as error:
            why = f"{unit} {number}: {error}"
            if skipped is None:
                raise Refusal(RefusalCode.BAD_RECORD, why) from None
            skipped.append(why)
        else:
            yield ReadGame(number, record, tuple(remarks))
    if not number:
        raise Refusal(RefusalCode.BAD_RECORD, "the file holds no game")


def _find_game(written: GameText, told: Game | None) -> Game:
    """Return the game that the operator or the tags name: by default chess for PGN and go for
    SGF."""
    tags = written.tags
    if told is not None:
        if written.format != told.record_format and {written.format, told.record_format} != _ALIKE:
            raise RecordError(
                f"records of {told.info.title} cannot be read from {written.format.upper()}"
            )
        return told
    if not {"GameType", "Variant"} & set(tags) and _is_draughts(written.first):
        raise RecordError("no tag GameType says which game of draughts it is: give --game=NAME")
    if written.called and (name := find_name(written.called)):
        called = get_game(name)
        if called.record_format == written.format:
            return called
    for game in load_games():
        if game.record_format == written.format and game.is_recorded(tags):
            return game
    tag = next(each for each in ("GameType", "Variant", "GM", "Variation") if each in tags)
    raise RecordError(f"{tag} {quoted(tags[tag])} is no game of this server")


def _is_draughts(word: str) -> bool:
    """Whether a game begins with a move of draughts: by numbers, or one step diagonally by squares,
    with which no game of chess begins."""
    step = _STEP.fullmatch(word.lower())
    if step is None:
        return _DRAUGHTS.fullmatch(word) is not None
    return abs(ord(step[1]) - ord(step[3])) == abs(int(step[2]) - int(step[4])) == 1


@dataclass(slots=True)
class _Replay:
    """A game being replayed: its position and its log."""

    position: Position
    created: float
    log: list[LogEntry] = field(default_factory=list)
    ply: int = 0

    def enter(self, kind: str, seat: int | None, move: str) -> None:
        """Add an entry to the log, and what it does to the position."""
        self.ply += kind == "move"
        number = len(self.log) + 1
        entry = LogEntry(number, self.ply, kind, seat, move, "", (), "", self.created)
        following = apply_entry(self.position, entry)
        self.log.append(complete_entry(self.position, entry, following))
        self.position = following


def _replay(game: Game, played: Played, terms: ImportTerms, remarks: list[str]) -> ReplayedRecord:
    """Return a game as the record that this server would have written; adds to `remarks`."""
    headers, outcome = played.headers, played.outcome
    created = _find_date(headers, terms.now, remarks)
    replay = _Replay(game.setup(2, played.options), created)
    start = replay.position
    for seat, move in played.moves:
        is_chance = seat == CHANCE
        replay.enter("chance" if is_chance else "move", None if is_chance else seat, move)
    state, ended = "over", replay.position.outcome
    kind, actor, move = "", None, ""
    if ended is None:
        kind, actor, move, ended = _find_ending(headers, outcome, remarks)
    userids = [_find_userid(start, headers, seat, terms) for seat in (0, 1)]
    if kind:
        replay.enter(kind, actor, move)
        if kind == "forfeit" and ended is not None and actor is not None:
            ended = Outcome(ended.ranks, f"{userids[actor]} ran out of time")
        elif kind == "resign":
            ended = replay.position.outcome
        state = "cancelled" if kind == "cancel" else state
    last = _parse_date(headers.get("EndDate", ""), terms.now)
    record = ImportedRecord(
        game=game,
        board=0,
        start=start,
        options=dict(played.options),
        userids=userids,
        state=state,
        ranks=None if ended is None else ended.ranks,
        reason="" if ended is None else ended.reason,
        created=created,
        ended=max(created, last or created),
        hash="",
        secret=b"",
        former=[],
        log=replay.log,
        final=compute_position_hash(replay.position),
    )
    return ReplayedRecord(record, replay.position, replay.log)


def _find_ending(
    headers: Mapping[str, str], outcome: Outcome | None, remarks: list[str]
) -> tuple[str, int | None, str, Outcome | None]:
    """Return kind, seat and move of the entry that ended a game whose board could have gone on, and
    the outcome. If the file does not say how it ended, that is an adjudication, with a remark.
    RecordError when it is not over."""
    termination = headers.get("Termination", "")
    if outcome is None:
        if termination == _CANCELLED:
            return "cancel", None, "cancel", None
        told = ": its result is *" if "Result" in headers else ""
        raise RecordError(f"the game is not over{told}")
    ranks, how = outcome.ranks, _WHO.sub("", termination)
    decided = ("adjudicate", None, ",".join(map(str, ranks)))
    if _JUDGED.search(termination):
        return *decided, Outcome(ranks, "adjudicated")
    if len(outcome.winners) == 2:
        return "draw", None, "draw", Outcome(ranks, "a draw by agreement or claim")
    loser = 1 - outcome.winners[0]
    if _TIME.search(how):
        return "forfeit", loser, "forfeit", outcome
    if _RESIGNED.search(how):
        return "resign", loser, "resign", outcome
    if how.lower() in _UNKNOWN:
        if how != "count":
            remarks.append("how it ended is not said")
        return *decided, outcome
    return *decided, Outcome(ranks, f"as the record says: {quoted(how)}")


def _find_userid(
    position: Position, headers: Mapping[str, str], seat: int, terms: ImportTerms
) -> str:
    """Return the userid of a seat. RecordError when the name is no userid and the operator has not
    mapped it to one."""
    name = headers.get(("White", "Black")[seat], "") or "?"
    userid = terms.people.get(name.lower(), name)
    if not USERID.fullmatch(userid):
        raise RecordError(
            f"{position.game.info.seats[2][seat]} is {quoted(name)}, which is no userid: give "
            "--player 'NAME=USERID'"
        )
    return userid


def _find_date(headers: Mapping[str, str], now: float, remarks: list[str]) -> float:
    """Return the day on which a game began; if unknown `now`, with a remark."""
    told = headers.get("UTCDate") or headers.get("Date", "")
    if not told.strip("?.-/ "):
        remarks.append("it has no date: the board has today's")
        return now
    begun = _parse_date(told, now)
    if begun is None:
        remarks.append(f"its date, {quoted(told)}, cannot be read: the board has today's")
        return now
    if begun == now:
        remarks.append(f"its date, {quoted(told)}, is to come: the board has today's")
    elif (match := _DATE.fullmatch(told)) and not (match[3] or "?").isdigit():
        remarks.append(
            f"its day is not known: the board has {datetime.fromtimestamp(begun, UTC):%Y-%m-%d}"
        )
    return begun


def _parse_date(date: str, now: float) -> float | None:
    """Return the beginning of a day in UTC, `now` for a day to come; None for an invalid date."""
    match = _DATE.fullmatch(date.strip())
    if not match:
        return None
    year, month, day = (int(part) if part and part.isdigit() else 1 for part in match.groups())
    try:
        return min(now, datetime(year, month, day, tzinfo=UTC).timestamp())
    except ValueError:
        return None


# Finds the games in a file of PGN, PDN, SGF or MAT, and goes on behind one that cannot be read.

MOST_GAMES = 1000
_NEXT_PGN = re.compile(r"^[ \t]*\[[ \t]*Event[ \t]", re.MULTILINE)
_NEXT_SGF = re.compile(r"\(\s*;\s*(?:FF|GM|CA|AP|SZ|EV|PB|PW|GN)\s*\[")
_NEXT_MAT = re.compile(r"^[ \t]*[0-9]{1,4} point match", re.MULTILINE | re.IGNORECASE)
_BACKGAMMON = re.compile(r"\s*\(\s*;[^;]{0,200}GM\[6\]")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")


@dataclass(frozen=True, slots=True)
class GameText:
    """A game as written in a file.

    text    the game, as `Game.read_record` reads it
    format  pgn (PDN, too), sgf or mat
    tags    which game it is
    first   its first move
    called  a name of the game beside the tags
    """

    text: str
    tags: Mapping[str, str] = field(default_factory=dict)
    format: str = "pgn"
    first: str = ""
    called: str = ""


def looks_like_record(text: str) -> bool:
    """Whether a text begins like a file in one of the formats."""
    return any(each.looks_like_record(text) for each in (sgf, mat, pgn))


def find_unit(text: str) -> str:
    """Return the unit in which refusals number a file: games, or matches of backgammon."""
    if mat.looks_like_record(text) or _BACKGAMMON.match(text):
        return "match"
    return "game"


def list_written(text: str) -> Iterator[GameText | RecordError]:
    """Yield the games of a file in order; for an unreadable one, the error."""
    if sgf.looks_like_record(text):
        yield from _join_matches(_list_sgf(text))
    elif mat.looks_like_record(text):
        yield from _list_mat(mat.clean(text))
    else:
        yield from _list_pgn(pgn.clean(text))


def _list_pgn(text: str) -> Iterator[GameText | RecordError]:
    at = 0
    while at >= 0:
        try:
            for game in pgn.games_from(text, at):
                kind = "pdn" if "GameType" in game.tags else "pgn"
                yield GameText(game.text, game.tags, kind, "".join(game.words[:1]))
            return
        except RecordError as error:
            yield error
            at = _find_next(_NEXT_PGN, text, error)


def _find_next(begins: re.Pattern[str], text: str, error: RecordError) -> int:
    """Return where the next game begins after an unreadable one; -1 for none."""
    found = begins.search(text, error.at) if error.at >= 0 else None
    return found.start() if found else -1


def _list_sgf(text: str) -> Iterator[GameText | RecordError]:
    at = 0
    while at >= 0:
        try:
            for tree in sgf.games(text, at):
                yield _describe_tree(tree)
            return
        except RecordError as error:
            yield error
            at = _find_next(_NEXT_SGF, text, error)


def _describe_tree(tree: sgf.SgfTree) -> GameText:
    """Return a game of a collection. Servers with several games name them in EV instead of by
    number."""
    number = tree.get("GM")
    event = _WORD.match(tree.get("EV"))
    called = event[0] if event and not number else ""
    return GameText(tree.text, {"GM": number or "1"}, "sgf", "", called)


def _join_matches(
    games: Iterator[GameText | RecordError],
) -> Iterator[GameText | RecordError]:
    """Yield the games, with those of one match of backgammon joined, each of which is a separate
    game of the collection, numbered in MI."""
    legs: list[str] = []
    for each in games:
        is_leg = isinstance(each, GameText) and each.tags.get("GM") == "6"
        if is_leg and isinstance(each, GameText) and (not legs or _follows(each.text, len(legs))):
            legs.append(each.text)
            continue
        if legs:
            yield _build_match(legs)
            legs = []
        if is_leg and isinstance(each, GameText):
            legs.append(each.text)
        else:
            yield each
    if legs:
        yield _build_match(legs)


def _follows(text: str, number: int) -> bool:
    """Whether a game is number `at` (from 0) of a match that has begun."""
    game = next((told for told in sgf.read(text).root.get("MI", ()) if "game" in told), "")
    return game.replace(" ", "") == f"game:{number}"


def _build_match(legs: Sequence[str]) -> GameText:
    return GameText("\n".join(legs), {"GM": "6"}, "mat")


def _list_mat(text: str) -> Iterator[GameText | RecordError]:
    at = 0
    while at >= 0:
        try:
            for match in mat.matches_from(text, at):
                variation = match.headers.get("Variation", "Backgammon")
                yield GameText(match.text, {"Variation": variation}, "mat")
            return
        except RecordError as error:
            yield error
            at = _find_next(_NEXT_MAT, text, error)
            at = _find_head(text, at) if at > error.at else at


def _find_head(text: str, at: int) -> int:
    """Return where the comments and empty lines above a line begin."""
    while at:
        before = text.rfind("\n", 0, at - 1) + 1
        line = text[before : at - 1].strip()
        if line and not line.startswith(";"):
            break
        at = before
    return at
