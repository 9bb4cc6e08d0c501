"""Events as people read them: what an event is, dates, tables in 78 columns."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial

from pbm.core.options import format_server, load_terms
from pbm.core.storing import find_title
from pbm.core.view import format_options
from pbm.features.events.notices import EventCard, EventLine, EventPart
from pbm.features.events.record import name_event, read_options
from pbm.locale import Moment, Page, translate
from pbm.pairing.kinds import get_kind
from pbm.pairing.record import EventGame, Options, Record, Stage
from pbm.pairing.standings import crosstable, standings
from pbm.pairing.tie_breaks import TITLES, choose_breaks
from pbm.rules.phrases import combine, join_phrases, phrase, wrap
from pbm.store.tables import EventRow

COLUMNS = 78
_NAME = 16
_HARD_BLANK = "\N{NO-BREAK SPACE}"


MOST_LISTED = 100
"""The most players listed in a mail to everybody: a thousand would make each mail as long as a
book."""


def format_day(at: float) -> Moment:
    """Return a time as a moment in UTC: Mon 23 Mar 2026, 00:00 UTC."""
    return Moment(datetime.fromtimestamp(at, UTC), "UTC")


def format_points(points: float) -> str:
    """Format points as players write them: 3, 3½, ½."""
    whole = int(points)
    half = "½" if points - whole >= 0.25 else ""
    return f"{whole or ''}{half}" if whole or half else "0"


def build_card(row: EventRow, count: int, maker: str = "") -> EventCard:
    """Return the card of an event."""
    options = read_options(row)
    terms = load_terms(json.loads(row.options), json.loads(row.server))
    server = format_server(
        terms.control, unrated=terms.unrated, private=terms.private, club=terms.club
    )
    return EventCard(
        event=row.id,
        name=name_event(row),
        kind=describe_kind(options),
        game=row.game,
        title=find_title(row.game),
        maker=maker,
        state=row.state,
        season=row.season,
        begins=format_day(row.begins),
        ends=format_day(row.ends) if row.ends is not None else "",
        terms=" ".join(filter(None, [format_options(terms.options), server])),
        rules=_describe_rules(row, options),
        about=row.about,
        count=count,
        most=row.most,
        commitment=row.commitment,
        secret=row.secret if row.state == "over" else "",
        is_ladder=get_kind(options.kind).has_challenges,
        is_tour=not get_kind(options.kind).has_boards,
    )


def describe_kind(options: Options) -> str:
    """Return the kind of an event in words: a double round robin, a knockout, best of 3."""
    kind = get_kind(options.kind).describe(options)
    if options.seats > 2:
        # TRANSLATORS: a kind of event whose boards have more than two players
        return phrase("{kind} at tables of {seats}", kind=kind, seats=options.seats)
    return kind


def describe_adjudication(options: Options) -> str:
    """Return how boards that are unfinished at the end are decided, as a clause."""
    if options.adjudication == "draw":
        return phrase("they are drawn")
    if options.adjudication == "operator":
        return phrase("the operator decides")
    return phrase(
        "a rating that was higher by {points} points or more when the event began wins, otherwise "
        "it is a draw",
        points=options.claim,
    )


def _describe_rules(row: EventRow, options: Options) -> list[str]:
    """Return how the event is played, as sentences."""
    kind = get_kind(options.kind)
    rules = kind.list_rules(options)
    if kind.is_in_rounds and row.ends is not None:
        rules.append(
            phrase("each round gets an equal share of the time, and begins early when it can")
        )
    if row.lowest is not None:
        rules.append(
            phrase(
                "it is for ratings from {lowest} to {highest}",
                lowest=row.lowest,
                highest=row.highest,
            )
        )
    if row.ends is not None and kind.has_boards:
        how = describe_adjudication(options)
        rules.append(phrase("boards unfinished at the end are decided: {how}", how=how))
    if options.edition == "2024":
        titles = join_phrases(
            ", ", [TITLES[name] for name in choose_breaks(Record(0, "", options))]
        )
        rules.append(
            phrase("level players are told apart by FIDE's rules of 2024: {rules}", rules=titles)
        )
    if kind.has_boards:
        vacation, silent = f"{row.vacation:g}", f"{row.silent:g}"
        rules.append(
            phrase(
                "vacations stop your clocks for {vacation} days of the event in all; who is silent "
                "for {silent} days is taken out",
                vacation=vacation,
                silent=silent,
            )
        )
        if not kind.has_challenges:
            rules.append(phrase("nobody is asked before a board starts"))
        terms = json.loads(row.server)
        is_rated = not (terms["unrated"] or terms.get("private"))
        rules.append(
            phrase("results count for ratings")
            if is_rated
            else phrase("results do not count for ratings")
        )
    return [*rules, *kind.list_last_rules()]


def build_line(row: EventRow, count: int) -> EventLine:
    """Return an event in a list."""
    when = _say_when(row)
    kind = describe_kind(read_options(row))
    name = name_event(row)
    if row.season > 1:
        name = phrase("{event}, season {season}", event=name, season=row.season)
    return EventLine(row.id, name, kind, row.game, row.state, count, when)


def _say_when(row: EventRow) -> str:
    """Return when an event begins or ends, or ended, for a list."""
    if row.state == "open":
        return phrase("begins {day}", day=format_day(row.begins))
    if row.state == "running":
        if row.ends is None:
            return phrase("no end")
        return phrase("ends {day}", day=format_day(row.ends))
    ended = format_day(row.ended or 0.0)
    if row.state == "over":
        return phrase("ended {day}", day=ended)
    return phrase("cancelled {day}", day=ended)


def list_parts(record: Record) -> list[tuple[str, int | None, Stage]]:
    """Return the tables of an event: title, group (None for all), and stage."""
    return get_kind(record.options.kind).list_parts(record)


def build_crosstables(record: Record) -> list[EventPart]:
    """Return the crosstables of an event, one for each group or division, split where they are too
    wide."""
    parts = []
    for title, group, stage in list_parts(record):
        table = crosstable(record, group, stage)
        rows = [
            (
                str(row.place),
                row.name,
                [cell.text for cell in row.cells],
                format_points(row.points),
            )
            for row in table.rows
        ]
        parts.append(EventPart(title, _format_table(table.columns, rows)))
    return parts


def _format_table(
    columns: Sequence[str], rows: Sequence[tuple[str, str, list[str], str]]
) -> list[str]:
    """Return a table as lines, in blocks of columns that fit."""
    width = max((len(text) for _, _, cells, _ in rows for text in cells), default=1)
    width = max(width, *(len(column) for column in columns), 1)
    head = 5 + _NAME
    fits = max((COLUMNS - head - 7) // (width + 1), 1)
    lines: list[str] = []
    for begin in range(0, max(len(columns), 1), fits):
        shown = slice(begin, begin + fits)
        is_last = begin + fits >= len(columns)
        if lines:
            lines.append("")
        title = "".join(f" {column:>{width}}" for column in columns[shown])
        top = f"{'':{head}}{title}"
        points_head = phrase("points")
        lines.append(
            combine("{head} {points}", head=top, points=points_head) if is_last else top.rstrip()
        )
        for place, name, cells, points in rows:
            text = "".join(f" {cell:>{width}}" for cell in cells[shown])
            end = f" {points:>6}" if is_last else ""
            lines.append(f"{place:>3}  {name:<{_NAME}.{_NAME}}{text}{end}".rstrip())
    return lines


def build_standings(
    record: Record, now: float | None = None, *, has_sums: bool = True
) -> list[EventPart]:
    """Return the standings of an event, with the sum of every tie-break below each place."""
    parts = []
    for title, group, stage in list_parts(record):
        lines: list[str] = []
        for row in standings(record, group, stage, now):
            if row.left and not (row.played or has_sums):
                continue
            breaks = [each for each in row.breaks if each.name != "points"]
            played: str = phrase(
                "{won} won, {drawn} drawn, {lost} lost",
                won=row.wins,
                drawn=row.draws,
                lost=row.losses,
            )
            if row.left:
                played = phrase("{results}, left", results=played)
            head = f"{row.place:>3}  {row.name:<{_NAME}} {format_points(row.points):>5}"
            lines.append(combine("{head}  {results}", head=head, results=played))
            if has_sums:
                lines += [
                    line
                    for each in breaks
                    if each.sum
                    for line in _wrap(combine("{title}: {sum}", title=each.title, sum=each.sum), 10)
                ]
        parts.append(EventPart(title, lines))
    return parts


def build_pairings(record: Record) -> list[EventPart]:
    """Return the games of an event, the newest round first, each with its reason."""
    options = record.options
    groups: dict[str, list[EventGame]] = {}
    for game in sorted(record.games, key=lambda game: (-game.round, game.group, game.table)):
        groups.setdefault(_name_round(options, game), []).append(game)
    parts = []
    for title, games in groups.items():
        lines = []
        for game in games:
            names = " - ".join(record.name_of(number) for number in game.seats)
            where = phrase("no board")
            if game.board is not None:
                where = phrase("board {board}", board=game.board)
            result = _describe_result(game)
            line = combine("{names} ({where}): {result}", names=names, where=where, result=result)
            lines += _wrap(line, 2)
            lines += _wrap(game.reason, 6)
        parts.append(EventPart(title, lines))
    return parts


def _name_round(options: Options, game: EventGame) -> str:
    title = phrase("Round {round}", round=game.round)
    group = get_kind(options.kind).name_group(options, game.group)
    if game.stage != "main":
        group = phrase("final") if game.stage == "final" else phrase("losers")
    return combine("{round}, {group}", round=title, group=group) if group else title


def _describe_result(game: EventGame) -> str:
    if game.how == "open":
        return phrase("being played")
    if game.how == "annulled" or game.points is None:
        return phrase("does not count")
    points = " - ".join(format_points(each) for each in game.points)
    if game.how == "bye":
        return phrase("no opponent, {points}", points=points)
    if game.how == "played":
        return points
    how = phrase("adjudicated") if game.how == "adjudicated" else phrase("forfeit")
    return combine("{points}, {how}", points=points, how=how)


def wrap_sentences(text: str) -> list[str]:
    """Wrap sentences into lines that fit, indented."""
    return _wrap(text, 2)


def _wrap(text: str, indent: int) -> list[str]:
    """Return a text as one item, which is wrapped into lines in the reader's language."""
    return [Page(partial(_write_wrapped, text, indent))] if text else []


def _write_wrapped(text: str, indent: int, language: str) -> str:
    blank = " " * indent
    return "\n".join(wrap(translate(text, language), COLUMNS, first=blank, later=blank + "  "))


def shorten_parts(parts: Iterable[EventPart], rest: str) -> list[EventPart]:
    """Shorten tables for a mail to everybody: a very long one keeps its beginning, followed by the
    line that asks for the `rest`."""
    return [
        part
        if len(part.lines) <= MOST_LISTED
        else EventPart(
            part.title,
            [
                *part.lines[:MOST_LISTED],
                phrase(
                    "     and {count} more: {line}",
                    count=len(part.lines) - MOST_LISTED,
                    line=rest,
                ),
            ],
        )
        for part in parts
    ]


def list_names(names: Iterable[str]) -> list[str]:
    """Return userids, each perhaps with a rating, in lines that fit."""
    text = ", ".join(name.replace(" ", _HARD_BLANK) for name in names)
    if not text:
        return [phrase("  nobody yet")]
    lines = textwrap.wrap(
        text,
        COLUMNS,
        initial_indent="  ",
        subsequent_indent="  ",
        break_on_hyphens=False,
    )
    return [line.replace(_HARD_BLANK, " ") for line in lines]
