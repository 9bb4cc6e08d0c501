"""The archive: boards that have ended, found by game, players, dates, event and first moves; and
how the boards of a game began."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from msgspec import Struct, field

from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.log import build_entry, drop_undone
from pbm.core.notices import Notice
from pbm.core.player import Player, find_player, find_similar_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.refusal_texts import repeat_line
from pbm.core.storing import find_title, load
from pbm.core.view import BoardSummary, summarize_boards
from pbm.core.words import find_named_game, find_similar_game, parse_board_number
from pbm.features.finding.notices import BoardFound, BoardList, OpeningLine, OpeningList
from pbm.features.finding.rows import find_finished_boards, find_openings
from pbm.games import get_game
from pbm.rules.phrases import Phrase, join_phrases, phrase, unpack
from pbm.store import reads

PAGE = 25
"""Boards on one page of results."""
_MOST_PLAYERS = 4
_MOST_OPENINGS = 20
_MOST_MOVES = 6
_MOST_PAGES = 400
_HIDING = {"hidden", "sealed"}
_JOINING = {
    "against",
    "and",
    "between",
    "by",
    "in",
    "of",
    "on",
    "vs",
    "with",
    "since",
    "from",
    "to",
}
"""Words of a search that carry no meaning."""
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
"""A day as it is written in much of Europe; with strokes it might be either of two days."""
_FIRST_YEAR, _LAST_YEAR = 1990, 2999


class Wanted(Struct):
    """A search for finished boards, which have to meet all its conditions.

    game     the name of their game; "" for any
    people   their players, or some of them
    since, until  the times between which they ended; `dates` as they were typed
    event    the number of their event; 0 for any
    opening  their first moves, in the spelling that is shown
    page     from 1
    """

    game: str = ""
    people: list[Player] = field(default_factory=list)
    since: float | None = None
    until: float | None = None
    dates: list[str] = field(default_factory=list)
    event: int = 0
    opening: tuple[str, ...] = ()
    page: int = 1


def find(call: Call) -> list[Notice]:
    """Show a board by its number, or list finished boards by game, players, dates, event and first
    moves."""
    words = [*call.command.words]
    number = parse_board_number(words[0]) if len(words) == 1 else 0
    if number and not _DATE.fullmatch(words[0]):
        return [_show_board(call, number)]
    if number and (found := reads.find_board(call.session, number)) is not None:
        return [_show_board(call, found.id)]
    wanted = read_wanted(call, words)
    rows, more = find_boards(call, wanted)
    title = describe(wanted)
    line = write_next_line(wanted) if more else ""
    shown = BoardList(title=title, games=wanted.game, rows=rows, more=more, next=line)
    return [call.answer(shown)]


def write_next_line(wanted: Wanted) -> str:
    """Return the line that shows the next page of a search."""
    words = ["find", wanted.game, *(player.userid for player in wanted.people), *wanted.dates]
    words += ["event", str(wanted.event)] if wanted.event else []
    words += ["page", str(wanted.page + 1)]
    words += ["opening", *wanted.opening] if wanted.opening else []
    return " ".join(filter(None, words))


def read_wanted(call: Call, words: Sequence[str]) -> Wanted:
    """Read a search, its parts in any order: `chess bob 2026-03 event 4 opening e4 e5 page 2`.
    Refuse a word that names nothing."""
    wanted = Wanted(game=call.command.game)
    rest, dates = [word for word in words if word.lower() not in _JOINING], []
    while rest:
        word = _DOTTED.sub(r"\3-\2-\1", rest.pop(0))
        name = word.lower()
        if name in ("event", "page") and rest and parse_board_number(rest[0]):
            number = parse_board_number(rest.pop(0))
            if name == "event":
                wanted.event = number
            else:
                wanted.page = min(number, _MOST_PAGES)
        elif name in ("opening", "began", "begins"):
            wanted.opening, rest = tuple(rest[:_MOST_MOVES]), []
        elif span := _read_date(word):
            dates.append(span)
            wanted.dates.append(word)
        elif (game := find_named_game(word)) and not wanted.game:
            wanted.game = game
        elif (player := find_player(call.session, word.strip("<>\"',")[:20])) is not None:
            wanted.people.append(player)
        else:
            raise _refuse_word(call, word)
    if dates:
        wanted.since, wanted.until = min(dates)[0], max(end for _, end in dates)
    require_findable(wanted, call.command.form)
    wanted.people = wanted.people[:_MOST_PLAYERS]
    return wanted


def _refuse_word(call: Call, word: str) -> Refusal:
    """Return the refusal of a word that names nothing, with the whole line for a name that is
    nearly right."""
    problem = phrase("there is no player, game or date with that name")
    if word[:1].isdecimal():
        problem = phrase("a date is written as 2026-03-17, 2026-03 or 2026")
    near = find_similar_player(call.session, word) if call.knows_sender else ""
    near = near or find_similar_game(word)
    words = [near if each == word else each for each in call.command.words]
    if near and (line := repeat_line(call, words)):
        problem = phrase("{problem}: did you mean {meant}?", problem=problem, meant=near)
        return Refusal(RefusalCode.NO_SUCH_PLAYER, problem, line)
    example = "find chess bob 2026"
    return Refusal(RefusalCode.NO_SUCH_PLAYER, problem, call.command.form, example)


def require_findable(wanted: Wanted, form: str) -> None:
    """Refuse an opening without a game, or of a game that hides its moves."""
    if not wanted.opening:
        return
    if not wanted.game:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("name the game whose opening it is"),
            "find chess opening e4",
        )
    if get_game(wanted.game).info.features & _HIDING:
        title = find_title(wanted.game)
        text = phrase("{game} hides moves: its boards are not found by them", game=title)
        raise Refusal(RefusalCode.HIDDEN, text, form)


def _read_date(word: str) -> tuple[float, float] | None:
    """Return the span of a day, a month or a year; None for any other word."""
    match = _DATE.fullmatch(word)
    if match is None or not _FIRST_YEAR <= int(match[1]) <= _LAST_YEAR:
        return None
    year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
    try:
        begin = datetime(year, month, day, tzinfo=UTC)
        if match[3]:
            end = begin + timedelta(days=1)
        elif match[2]:
            end = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
        else:
            end = datetime(year + 1, 1, 1, tzinfo=UTC)
    except ValueError:
        return None
    return begin.timestamp(), end.timestamp()


def find_boards(call: Call, wanted: Wanted) -> tuple[list[BoardSummary], bool]:
    """Return a page of the boards found, the latest to end first, and whether there are more.
    Boards that hide who plays are found only by the name of the searching player."""
    me = call.player or (call.senders[0] if len(call.senders) == 1 else None)
    is_own = me is not None and all(player.id == me.id for player in wanted.people)
    rows = find_finished_boards(
        call.session,
        [player.id for player in wanted.people],
        game=wanted.game,
        since=wanted.since,
        until=wanted.until,
        event=wanted.event,
        opening=wanted.opening,
        anonymous=is_own or not wanted.people,
        reader=me.id if me is not None else 0,
        most=PAGE + 1,
        skip=(wanted.page - 1) * PAGE,
    )
    return summarize_boards(call.session, rows[:PAGE]), len(rows) > PAGE


def describe(wanted: Wanted) -> Phrase:
    """Return a search in words."""
    people = join_phrases(", ", [player.userid for player in wanted.people])
    title = phrase("finished boards")
    if wanted.people:
        title = phrase("{boards} of {people}", boards=title, people=people)
    if wanted.opening:
        title = phrase("{boards}, begun with {moves}", boards=title, moves=" ".join(wanted.opening))
    if wanted.event:
        title = phrase("{boards}, event {event}", boards=title, event=wanted.event)
    return title


def _show_board(call: Call, number: int) -> Notice:
    row = reads.find_board(call.session, number)
    if row is None or row.state == "sleeping":
        raise Refusal(
            RefusalCode.NO_SUCH_BOARD,
            phrase("there is no board with that number"),
            "list",
            "find chess bob",
        )
    if row.private:
        call.require_sight(load(call.session, number))
    (line,) = summarize_boards(call.session, [row])
    hides = get_game(row.game).info.features & _HIDING
    log = () if hides else drop_undone(map(build_entry, reads.find_log(call.session, number)))
    opening = [each.shown for each in log if each.kind == "move"][:_MOST_MOVES]
    return call.answer(
        BoardFound(
            line=line,
            began=_write_day(row.created),
            ended=_write_day(row.ended) if row.ended else "",
            event=row.event_id or 0,
            opening=get_game(row.game).setup().mark_letters(" ".join(opening)),
        )
    )


def _write_day(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"


def list_openings(call: Call) -> list[Notice]:
    """List the most frequent first moves of a game, with their results. Refuse a game that hides
    its moves."""
    words = call.command.words
    game = call.command.game or (find_named_game(words[0]) if words else "")
    if not game:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("name a game: each has its own openings"),
            "openings chess",
        )
    require_findable(Wanted(game=game, opening=("",)), "games")
    return [call.answer(OpeningList(game=game, rows=count_openings(call, game, _MOST_OPENINGS)))]


def count_openings(context: Context, game: str, most: int) -> list[OpeningLine]:
    """Return the most frequent first moves of a game; none for a game that hides them."""
    if get_game(game).info.features & _HIDING:
        return []
    marked = get_game(game).setup().mark_letters
    return [
        OpeningLine(marked(unpack(row.move)), row.boards, row.won)
        for row in find_openings(context.session, game, most)
    ]
