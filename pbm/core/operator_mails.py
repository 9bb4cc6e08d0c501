"""What an operator does to mails in the queues. Nothing here commits."""

from __future__ import annotations

from sqlalchemy import select, update

from pbm.core import retention
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.store import inbound_queue
from pbm.store.mail_outcome import MailOutcome
from pbm.store.rows import Query, Row
from pbm.store.tables import inbound, outbound


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
    retention.visit_again(act.session, "out", number)
    has_text = outbound.c.recipient != ""
    chosen = (outbound.c.id == number) & outbound.c.state.in_(states) & has_text
    changed = (
        update(outbound)
        .where(chosen)
        .values(**values)
        .returning(outbound.c.player_id, outbound.c.board_id)
    )
    row = act.session.first(Query(MailRow, changed))
    if row is None:
        raise Refusal(
            RefusalCode.NO_SUCH_MAIL,
            f"there is no outgoing mail {number} that is {' or '.join(states)} and "
            "still has its text",
        )
    return row


def _update_incoming(
    act: OperatorAct, number: int, states: tuple[str, ...], **values: object
) -> MailRow:
    retention.visit_again(act.session, "in", number)
    chosen = (inbound.c.id == number) & inbound.c.state.in_(states)
    if values["state"] == "waiting":
        chosen &= inbound.c.code != MailOutcome.UNREADABLE.value
    changed = (
        update(inbound)
        .where(chosen)
        .values(**values)
        .returning(inbound.c.player_id, inbound.c.board_id)
    )
    row = act.session.first(Query(MailRow, changed))
    if row is None:
        raise Refusal(
            RefusalCode.NO_SUCH_MAIL,
            f"there is no incoming mail {number} that is {' or '.join(states)} and still "
            "has its text",
        )
    return row
