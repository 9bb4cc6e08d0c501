"""What the operator can do about the message of the day. Nothing here commits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, insert, select, update

from pbm.core.feature import ActRow, AdminPart, Argument, Asked, ListRow, narrow
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.refusal import Refusal, RefusalCode
from pbm.features.message_of_the_day.showing import HOLDS
from pbm.features.message_of_the_day.tables import MessageRow, messages, readings
from pbm.rules.phrases import phrase
from pbm.store.rows import Query
from pbm.store.transaction import Session

_LONGEST = 500


class CountedMessageRow(MessageRow):
    """A message of the day, and the number of players who have had it."""

    readers: int


def set_message(act: OperatorAct, words: tuple[str, ...]) -> list[Notice]:
    """Set the message of the day, in place of any other. Refused when it is empty or too long."""
    text = " ".join(" ".join(words).split())
    if not 0 < len(text) <= _LONGEST or not text.isprintable():
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("a message of the day has up to {most} characters", most=_LONGEST),
        )
    _end(act)
    act.session.execute(insert(messages).values(text=text, begun=act.now))
    act.record("message of the day")
    return []


def clear_message(act: OperatorAct) -> list[Notice]:
    """End the message of the day. Refused when there is none."""
    if not _end(act):
        raise Refusal(RefusalCode.WRONG_STATE, phrase("there is no message of the day"))
    act.record("no message of the day")
    return []


def _end(act: OperatorAct) -> bool:
    act.session.info.pop(HOLDS, None)
    held = update(messages).where(messages.c.ended.is_(None)).values(ended=act.now)
    return act.session.execute(held).rowcount > 0


def list_messages(session: Session, asked: Asked) -> list[Mapping[str, Any]]:
    """Return the messages of the day, newest first."""
    count = select(func.count()).where(readings.c.message_id == messages.c.id).scalar_subquery()
    query = select(messages, count.label("readers")).order_by(messages.c.id.desc())
    query = narrow(query, asked, messages.c.begun, messages.c.id)
    return [
        {
            "number": row.id,
            "begun": row.begun,
            "ended": row.ended,
            "readers": row.readers,
            "text": row.text,
        }
        for row in session.all(Query(CountedMessageRow, query))
    ]


ACTS = (
    ActRow(
        "message-of-the-day",
        "set the message of the day, or end it",
        "What every player reads once, at the end of the next mail that goes to them anyway, and "
        "everybody on the front page, until it is ended or another takes its place.",
        part=AdminPart.SERVER,
    ),
    ActRow(
        "message-of-the-day set",
        "",
        "Have everybody read TEXT: one paragraph of up to 500 characters.\n\n\b\n"
        "  pbm admin message-of-the-day set 'The server moves on Sunday, from 9 to 10.'",
        "Have everybody read this?",
        set_message,
        (Argument("text", is_many=True),),
        AdminPart.SERVER,
        needs_reason=False,
    ),
    ActRow(
        "message-of-the-day clear",
        "",
        "End the message of the day: nobody else is told it.",
        "End the message of the day?",
        clear_message,
        part=AdminPart.SERVER,
        needs_reason=False,
    ),
)
LISTS = (
    ListRow(
        "messages-of-the-day",
        "messages of the day, newest first",
        "Messages of the day, newest first, with how many players have read them in a mail.",
        list_messages,
        times=("begun", "ended"),
    ),
)
