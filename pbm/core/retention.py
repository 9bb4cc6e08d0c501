"""What becomes of mails in the queues: old ones lose their text, and later their row, some at a
time; the operator has them tried again, sent again or dropped.

Each queue is walked in the order of its numbers, which is that of time; the table of settings holds
how far. Rows of a queue that is divided go with their partition, once all of it is old. What waits
stays as it is, and what was set aside for some days: then it is done, and its text, which may hold
a password, is gone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Table,
    delete,
    func,
    insert,
    select,
    true,
    tuple_,
    update,
)

from pbm.config import House, Retention
from pbm.core.context import NO_MAIL
from pbm.core.feature import OldRows, list_hooks
from pbm.core.notices import DailyDigest, Notice
from pbm.core.operator import MODERATOR, OperatorAct
from pbm.core.player import WAITING, Role, find_players_with_role
from pbm.core.refusal import Refusal, RefusalCode
from pbm.store import inbound_queue, partitions, reads
from pbm.store.daily_counters import DAY, count_days
from pbm.store.mail_outcome import MailOutcome
from pbm.store.reads import REPORT
from pbm.store.rows import Query, Row
from pbm.store.tables import (
    ASIDE,
    DONE,
    DROPPED,
    EMPTY_INBOUND,
    EMPTY_OUTBOUND,
    FAILED,
    SENT,
    AuditRow,
    addresses,
    audit,
    counters,
    held_words,
    inbound,
    outbound,
    players,
    receipts,
    settings,
)
from pbm.store.transaction import Session, insert_into

_SETTING = "retention"
_AT_ONCE = 1000
_SWEEP_EVERY = 3600.0
_COUNTERS_DAYS = 14
HELD_WORDS_DAYS = 7
"""The days for which words wait for a moderator."""
UNDO_DAYS = 30
"""How long what was done to players and boards can be undone."""

Positions = dict[str, float]
"""The last mail of each walk, by its name, and when the last sweep was."""


class _Queue(NamedTuple):
    """A queue: the time column of its mails, their final states, and what an emptied mail holds."""

    table: Table
    since: Column[float]
    ended: tuple[str, ...]
    empty: Mapping[str, object]

    @property
    def texts(self) -> str:
        """The name of the walk that empties mails."""
        return f"{self.table.name} texts"

    @property
    def rows(self) -> str:
        """The name of the walk that deletes mails."""
        return f"{self.table.name} rows"


_IN = _Queue(inbound, inbound.c.received, (DONE,), EMPTY_INBOUND)
_OUT = _Queue(outbound, outbound.c.created, (SENT, FAILED, DROPPED), EMPTY_OUTBOUND)


def clean_up(session: Session, now: float, retention: Retention) -> None:
    """Empty and delete some of what is older than the configuration allows. Never commits."""
    before = _load_positions(session)
    positions = dict(before)
    for queue in (_IN, _OUT):
        if retention.mails_days:
            _empty(session, queue, now - retention.mails_days * DAY, positions)
        if retention.rows_days and not partitions.find_partitions(session, queue.table):
            _delete(session, queue, now - retention.rows_days * DAY, positions)
    partitions.prepare_next(session)
    if abs(now - positions.get("swept", 0.0)) >= _SWEEP_EVERY:
        done = _sweep(session, now, retention)
        if retention.rows_days:
            done &= _drop_partitions(session, now - retention.rows_days * DAY, positions)
        if done:
            positions["swept"] = now
    if positions != before:
        _store_positions(session, positions)


def has_more(session: Session, now: float, retention: Retention) -> bool:
    """Whether `clean_up` has left mails that are to be emptied or deleted now."""
    positions = _load_positions(session)
    walks = [(queue, queue.texts, retention.mails_days) for queue in (_IN, _OUT)]
    if retention.rows_days and not partitions.find_partitions(session, inbound):
        walks += [(queue, queue.rows, retention.rows_days) for queue in (_IN, _OUT)]
    return any(
        _find_next(session, queue, now - days * DAY, int(positions.get(name, 0))) is not None
        for queue, name, days in walks
        if days
    )


def visit_again(session: Session, way: str, number: int) -> None:
    """Visit a mail once more, as an operator has changed what became of it."""
    queue = _IN if way == "in" else _OUT
    positions = _load_positions(session)
    earlier = {
        name: min(positions[name], number - 1)
        for name in (queue.texts, queue.rows)
        if name in positions
    }
    if earlier:
        _store_positions(session, positions | earlier)


def find_last_deleted(session: Session) -> int:
    """Return the number up to which incoming mails are deleted; mails that they caused may still
    name them."""
    return int(_load_positions(session).get(_IN.rows, 0))


def _load_positions(session: Session) -> Positions:
    positions: Positions = json.loads(reads.read_setting(session, _SETTING) or "{}")
    return positions


def _store_positions(session: Session, positions: Positions) -> None:
    stored = update(settings).where(settings.c.name == _SETTING)
    if not session.execute(stored.values(value=json.dumps(positions))).rowcount:
        row = {"name": _SETTING, "value": json.dumps(positions)}
        session.execute(insert(settings).values(row))


def _empty(session: Session, queue: _Queue, before: float, positions: Positions) -> None:
    """Remove text and addresses of the next mails that came before that time. The rows are inserted
    anew: SQLite reuses the pages of deleted rows, but not those of rows that became shorter."""
    table = queue.table
    numbers = _find_next(session, queue, before, int(positions.get(queue.texts, 0)))
    if numbers is not None:
        chosen = table.c.id.between(*numbers) & table.c.state.in_(queue.ended)
        left = [column for column in table.c if column.name not in queue.empty]
        rows = session.execute(select(*left).where(chosen)).mappings().all()
        if rows:
            _delete_receipts(session, queue, numbers)
            session.execute(delete(table).where(chosen))
            session.execute(insert(table), [{**row, **queue.empty} for row in rows])
        positions[queue.texts] = numbers[1]


def _delete(session: Session, queue: _Queue, before: float, positions: Positions) -> None:
    """Delete the next mails that came before that time."""
    table = queue.table
    numbers = _find_next(session, queue, before, int(positions.get(queue.rows, 0)))
    if numbers is not None:
        chosen = table.c.id.between(*numbers) & table.c.state.in_(queue.ended)
        _delete_receipts(session, queue, numbers)
        session.execute(delete(table).where(chosen))
        positions[queue.rows] = numbers[1]


def _drop_partitions(session: Session, before: float, positions: Positions) -> bool:
    """Drop the oldest partition of each divided queue where all of it is old, and return whether
    none was left. Receipts go first: they may be older than the mails they are about."""
    answers = partitions.find_old(session, receipts, receipts.c.at, before)
    if answers is not None:
        partitions.drop(session, answers)
    is_done = answers is None
    for queue in (_IN, _OUT):
        ended = queue.table.c.state.in_(queue.ended)
        old = partitions.find_old(session, queue.table, queue.since, before, ended)
        if old is not None:
            is_done = False
            if partitions.drop(session, old):
                positions[queue.rows] = max(positions.get(queue.rows, 0), old.end - 1)
    return is_done


def _delete_receipts(session: Session, queue: _Queue, numbers: tuple[int, int]) -> None:
    """Delete relays' answers, which may name recipients."""
    if queue is _OUT:
        session.execute(delete(receipts).where(receipts.c.outbound_id.between(*numbers)))


def _find_next(
    session: Session, queue: _Queue, before: float, after: int
) -> tuple[int, int] | None:
    """Return first and last number of the next mails, after a number, that came before a time."""
    number = queue.table.c.id
    query = select(number, queue.since).where(number > after).order_by(number).limit(1)
    row = next(iter(session.tuples(query)), None)
    if row is None or row[1] >= before:
        return None
    first = int(row[0])
    near = number.between(first, first + _AT_ONCE - 1)
    young = session.execute(select(func.min(number)).where(near, queue.since >= before)).scalar()
    if young is not None:
        near = number.between(first, young - 1)
    return first, int(session.execute(select(func.max(number)).where(near)).scalar_one())


def _sweep(session: Session, now: float, retention: Retention) -> bool:
    """Delete old counters, held words and what features no longer need. Return whether all of it is
    gone."""
    old = [
        OldRows((held_words.c.id,), held_words.c.at < now - HELD_WORDS_DAYS * DAY),
        OldRows(
            (counters.c.name, counters.c.day), counters.c.day < count_days(now) - _COUNTERS_DAYS
        ),
    ]
    for list_old in list_hooks(lambda each: each.old_rows):
        old += list_old(now, retention)
    done = [_close_set_aside(session, now, retention)]
    done += [_delete_some(session, each) for each in old]
    done.append(_delete_some(session, OldRows((audit.c.id,), _is_old_act(now))))
    over = audit.c.undo.is_not(None) & (audit.c.at < now - UNDO_DAYS * DAY)
    session.execute(update(audit).where(over).values(undo=None))
    return all(done)


def _is_old_act(now: float) -> ColumnElement[bool]:
    """Whether an act without a mail is older than what anybody can undo."""
    return audit.c.action.startswith(NO_MAIL) & (audit.c.at < now - UNDO_DAYS * DAY)


def _close_set_aside(session: Session, now: float, retention: Retention) -> bool:
    """Close mails that were set aside too long ago. Return whether all of them are closed."""
    if not retention.aside_days:
        return True
    before = now - retention.aside_days * DAY
    numbers = inbound_queue.close_set_aside(session, before, _AT_ONCE)
    if numbers:
        visit_again(session, "in", min(numbers))
    return len(numbers) < _AT_ONCE


def _delete_some(session: Session, rows: OldRows) -> bool:
    """Delete some of these rows. Return whether all of them are gone."""
    some = select(*rows.key).where(rows.are_old).limit(_AT_ONCE)
    deleted = session.execute(delete(rows.key[0].table).where(tuple_(*rows.key).in_(some)))
    return deleted.rowcount < _AT_ONCE


# What an operator does to mails in the queues. Nothing here commits.


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
    visit_again(act.session, way, number)
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
    """Return the time of the last digest if the next is due; None before that, and when another
    daemon is sending it. On the first day there is nothing to report."""
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
