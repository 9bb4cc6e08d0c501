"""What an operator does to mails in the queues. Nothing here commits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from sqlalchemy import ColumnElement, Table, func, select, true, update

from pbm.config import House
from pbm.core import retention
from pbm.core.notices import DailyDigest, Notice
from pbm.core.operator import MODERATOR, OperatorAct
from pbm.core.player import WAITING, Role, find_players_with_role
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.retention import UNDO_DAYS
from pbm.store import inbound_queue, reads
from pbm.store.backlog import ASIDE, FAILED
from pbm.store.daily_counters import DAY
from pbm.store.mail_outcome import MailOutcome
from pbm.store.reads.account_rows import REPORT
from pbm.store.rows import Query, Row
from pbm.store.tables import AuditRow, addresses, audit, inbound, outbound, players, settings
from pbm.store.transaction import Session, insert_into


class NamedAuditRow(AuditRow):
    """An act, and whose account it was about."""

    userid: str | None


class MailRow(Row):
    """The player and the board of a mail."""

    player_id: int | None
    board_id: int | None


def find_mails(act: OperatorAct, state: str) -> list[tuple[str, int]]:
    """Return (way, number) of all mails in a state: incoming ones for `aside`, else outgoing
    ones."""
    way, table = ("in", inbound) if state == "aside" else ("out", outbound)
    query = select(table.c.id).where(table.c.state == state).order_by(table.c.id)
    return [(way, number) for number in act.session.execute(query).scalars()]


def retry_mail(act: OperatorAct, way: str, number: int) -> None:
    """Have a mail sent or executed as soon as possible. Refused when it is done."""
    if way == "out":
        row = _update_outgoing(
            act,
            number,
            ("waiting", "failed", "dropped"),
            state="waiting",
            next_attempt=act.now,
            finished=None,
        )
    else:
        row = _update_incoming(act, number, ("waiting", "aside"), state="waiting", finished=None)
    act.record(f"retry mail {way}:{number}", player=row.player_id, board=row.board_id)


def resend_mail(act: OperatorAct, number: int) -> None:
    """Send a mail that was sent once more, as it was. Refused for any other."""
    again = {"state": "waiting", "next_attempt": act.now, "finished": None, "why": ""}
    row = _update_outgoing(act, number, ("sent",), **again)
    act.record(f"resend mail out:{number}", player=row.player_id, board=row.board_id)


def drop_mail(act: OperatorAct, way: str, number: int) -> None:
    """Give up a mail that waits or was set aside. Refused when it is done."""
    if way == "out":
        row = _update_outgoing(
            act,
            number,
            ("waiting",),
            state="dropped",
            finished=act.now,
            why=act.add_reason("dropped it"),
        )
    else:
        row = _update_incoming(
            act,
            number,
            ("waiting", "aside"),
            state="done",
            finished=act.now,
            code=MailOutcome.DROPPED.value,
            outcome=act.add_reason("dropped it"),
            raw=inbound_queue.REMOVED,
        )
    act.record(f"drop mail {way}:{number}", player=row.player_id, board=row.board_id)


def release_mail(act: OperatorAct, number: int) -> None:
    """Execute a mail that was set aside as if it had just come. Refused for any other."""
    _update_incoming(act, number, ("aside",), state="waiting", finished=None, attempts=0)
    act.record(f"release mail in:{number}")


def _update_outgoing(
    act: OperatorAct, number: int, states: tuple[str, ...], **values: object
) -> MailRow:
    return _update(act, outbound, number, states, outbound.c.recipient != "", values)


def _update_incoming(
    act: OperatorAct, number: int, states: tuple[str, ...], **values: object
) -> MailRow:
    is_readable = inbound.c.code != MailOutcome.UNREADABLE.value
    is_whole = is_readable if values["state"] == "waiting" else true()
    return _update(act, inbound, number, states, is_whole, values)


def _update(
    act: OperatorAct,
    table: Table,
    number: int,
    states: tuple[str, ...],
    is_whole: ColumnElement[bool],
    values: Mapping[str, object],
) -> MailRow:
    """Change a mail that is in one of these states; refused for any other."""
    way, kind = ("in", "incoming") if table is inbound else ("out", "outgoing")
    retention.visit_again(act.session, way, number)
    changed = (
        update(table)
        .where(table.c.id == number, table.c.state.in_(states), is_whole)
        .values(**values)
        .returning(table.c.player_id, table.c.board_id)
    )
    row = act.session.first(Query(MailRow, changed))
    if row is None:
        raise Refusal(
            RefusalCode.NO_SUCH_MAIL,
            f"there is no {kind} mail {number} that is {' or '.join(states)} and still has its "
            "text",
        )
    return row


# The daily mail to the operator: what is worth a look, or no mail.

_LAST = "daily digest"
_HOUR = 6 * 3600.0
"""The time of day, UTC, after which it goes out."""
_MOST_NAMES = 10


def send_digest(
    session: Session, now: float, house: House, find_troubles: Callable[[], Sequence[str]]
) -> list[Notice]:
    """Send the mail of the day to the operator and to moderators; none when nothing has happened
    and nothing is wrong, or when nobody is to get it. `find_troubles` says what the server itself
    knows: of its disk, certificates, backups and daemons. One daemon of a database does it."""
    since = _take_turn(session, now) if house.digest else None
    if since is None:
        return []
    lines = [*_list_news(session, since), *find_troubles()]
    acts = [*_list_acts_of_moderators(session, since)]
    notices = []
    if house.operator and (lines or acts):
        notices = [Notice(DailyDigest(lines=[*lines, *acts]), addresses=(house.operator,))]
    if not lines:
        return notices
    return notices + [
        Notice(DailyDigest(lines=lines), reads.find_addresses(session, player.id), player.id)
        for player in find_players_with_role(session, Role.MODERATOR)
    ]


def _list_acts_of_moderators(session: Session, since: float) -> Iterator[str]:
    """Yield what moderators have done since a time, a sentence each, with the command that undoes
    it."""
    query = (
        select(audit, players.c.userid)
        .outerjoin(players, players.c.id == audit.c.player_id)
        .where(audit.c.at >= since, audit.c.actor.startswith(MODERATOR))
        .order_by(audit.c.id)
    )
    for row in session.all(Query(NamedAuditRow, query)):
        about = f" of board {row.board_id}" if row.board_id else f" of {row.userid or 'nobody'}"
        said = f"{row.actor}, {row.action}{about}" + (f": {row.reason}" if row.reason else "")
        undo = f" To undo it: pbm admin undo {row.id}" if row.undo and row.closed is None else ""
        yield f"{said}{'' if said[-1] in '.!?' else '.'}{undo}"


def _take_turn(session: Session, now: float) -> float | None:
    """Return the time of the last digest, once the next is due; None before that, and when another
    daemon is at it. The first day there is nothing to tell of."""
    value = reads.read_setting(session, _LAST)
    if value is None:
        row = insert_into(settings, is_sqlite=session.is_sqlite)
        session.execute(row.values(name=_LAST, value=repr(now)).on_conflict_do_nothing())
        return None
    if (now - _HOUR) // DAY <= (float(value) - _HOUR) // DAY:
        return None
    mine = update(settings).where(settings.c.name == _LAST, settings.c.value == value)
    return float(value) if session.execute(mine.values(value=repr(now))).rowcount else None


def _list_news(session: Session, since: float) -> Iterator[str]:
    """Yield what has happened since the last digest, a sentence each, with the command that shows
    it."""

    def count(table: Table, *conditions: ColumnElement[bool]) -> int:
        query = select(func.count()).select_from(table).where(*conditions)
        return int(session.execute(query).scalar_one())

    people = players.c.id.in_(select(addresses.c.player_id))  # a bot has no address
    query = select(players.c.userid).where(players.c.created >= since, people)
    query = query.order_by(players.c.id)
    names = list(session.execute(query.limit(_MOST_NAMES + 1)).scalars())
    if names:
        more = " and more" if len(names) > _MOST_NAMES else ""
        shown = ", ".join(names[:_MOST_NAMES])
        yield f"New players: {shown}{more} (pbm admin players)."
    if waiting := count(players, players.c.state == WAITING):
        yield f"To be approved: {waiting} (pbm admin players --state waiting; moderate)."
    if undecided := count(
        audit,
        audit.c.action == REPORT,
        audit.c.closed.is_(None),
        audit.c.at.between(since - UNDO_DAYS * DAY, since),
    ):
        yield f"Older reports that nobody has decided: {undecided} (moderate)."
    if reports := count(audit, audit.c.at >= since, audit.c.action.startswith(REPORT)):
        yield f"Reports of players: {reports} (pbm admin audit --action report)."
    if aside := count(inbound, inbound.c.state == ASIDE, inbound.c.received >= since):
        yield f"Mails that could not be executed: {aside} (pbm admin mails --state aside)."
    if failed := count(outbound, outbound.c.state == FAILED, outbound.c.finished >= since):
        yield f"Mails that were refused: {failed} (pbm admin deliverability --days 1)."
