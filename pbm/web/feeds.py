"""Feeds: Atom (RFC 4287) of results and of a player's boards, and a calendar of a player's
deadlines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from xml.sax.saxutils import escape, quoteattr

from pbm.config import Server
from pbm.core.context import Context
from pbm.core.player import Player
from pbm.core.storing import find_title
from pbm.core.view import BoardSummary, CalendarEvent, write_calendar
from pbm.features.finding.notices import WaitingBoard
from pbm.features.finding.players import find_waiting_boards
from pbm.locale import translate
from pbm.rules.phrases import phrase

_HALF_HOUR = 1800


def write_atom(
    title: str,
    base: str,
    path: str,
    server: Server,
    lines: Sequence[BoardSummary],
) -> str:
    """Return an Atom feed of a club with an entry for each board. An entry's id is the same in all
    languages and changes with the board's state, so that a reader shows each state once."""
    language, host, club = server.language, server.host, server.name
    say = partial(translate, language=language)
    title = f"{club}: {say(title)}" if club else say(title)
    motto = f"<subtitle>{escape(server.motto)}</subtitle>" if server.motto else ""
    kind = "uri" if "/" in server.contact else "email"
    contact = f"<{kind}>{escape(server.contact)}</{kind}>" if server.contact else ""
    newest = max((line.moved for line in lines), default=0.0)
    entries = "".join(
        "<entry>"
        f"<id>tag:{escape(host)},2026:board/{line.id}/"
        f"{escape(line.status.replace(' ', '-'))}</id>"
        f"<title>{escape(f'{line.game} {line.id}: {line.names}, {say(line.status)}')}</title>"
        f"<updated>{_date(line.moved)}</updated>"
        f"<link href={quoteattr(f'{base}/board/{line.id}')}/>"
        f"<content>{escape(f'{line.names}: {say(line.status)}')}</content>"
        "</entry>"
        for line in lines
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}">'
        f"<id>tag:{escape(host)},2026:{escape(path)}</id><title>{escape(title)}</title>"
        f"<updated>{_date(newest)}</updated>"
        f"{motto}<author><name>{escape(club or 'pbm')}</name>{contact}</author>"
        f"<link rel='self' href={quoteattr(base + path)}/>{entries}</feed>\n"
    )


def find_deadlines(context: Context, player: Player) -> list[WaitingBoard]:
    """Return the boards that wait for the player and have a deadline."""
    return [board for board in find_waiting_boards(context, player) if board.within]


def write_deadlines(
    server: Server, boards: Sequence[WaitingBoard], now: float, language: str
) -> str:
    """Return a calendar with an event that ends at each deadline, named in a language."""
    entries = [
        CalendarEvent(
            f"board-{board.board}-{board.thread.ply}",
            board.end - _HALF_HOUR,
            board.end,
            translate(_name_deadline(board), language),
        )
        for board in boards
    ]
    return write_calendar("boards", entries, server, now)


def _name_deadline(board: WaitingBoard) -> str:
    facts = {"game": find_title(board.game), "board": board.board, "players": board.others}
    if board.takes_orders:
        return phrase("Orders in {game} {board} against {players}", **facts)
    return phrase("Move in {game} {board} against {players}", **facts)


def _date(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}"
