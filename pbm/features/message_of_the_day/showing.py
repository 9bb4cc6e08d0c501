"""Shows the message of the day: once to each player, and on the front page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, select

from pbm.config import Config
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.feature import PageSection
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, delete_own, list_own, pass_on_pairs
from pbm.features.message_of_the_day.tables import MessageRow, messages, readings
from pbm.rules.phrases import phrase
from pbm.store.rows import Query
from pbm.store.transaction import Session, insert_into

HOLDS = "message of the day holds"
"""A key of `session.info`: whether there is a message, cached until the transaction ends, since
most mails have none."""
_HOLDS = messages.c.ended.is_(None)
_CURRENT = Query(MessageRow, select(messages).where(_HOLDS))
_UNREAD = Query(
    MessageRow,
    select(messages).where(
        _HOLDS,
        messages.c.id.not_in(
            select(readings.c.message_id).where(readings.c.player_id == bindparam("player"))
        ),
    ),
)


def find_message(session: Session) -> MessageRow | None:
    """Return the current message."""
    return session.first(_CURRENT)


def add_to_mail(session: Session, notice: Notice, now: float, config: Config) -> Sequence[str]:
    """Return the message for a player who has not had it, and note it in the mail's transaction.
    Mails with codes go without."""
    del config
    if not notice.player or notice.content.goes_anyway:
        return ()
    if HOLDS not in session.info:
        session.info[HOLDS] = find_message(session) is not None
    if not session.info[HOLDS]:
        return ()
    message = session.first(_UNREAD, {"player": notice.player})
    if message is None:
        return ()
    row = {"message_id": message.id, "player_id": notice.player, "at": now}
    # Of two mails at once, one has the message.
    claim = insert_into(readings, is_sqlite=session.is_sqlite).values(row).on_conflict_do_nothing()
    if not session.execute(claim).rowcount:
        return ()
    return (phrase("From the operator: {text}", text=message.text),)


def add_to_front_page(call: Call) -> Sequence[PageSection]:
    """Return the message as a section of the front page."""
    message = find_message(call.session)
    if message is None:
        return ()
    return (PageSection(phrase("From the operator"), message.text),)


def list_personal_data(session: Session, player: int) -> dict[str, Any]:
    """Return which messages of the day the player has had, and when."""
    return {"messages_of_the_day": list_own(session, player, readings, "message_id at")}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on what was shown, so that a merged account is not shown a message twice."""
    pass_on_pairs(act.session, readings, "player_id", "message_id", old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Delete which messages the player has had."""
    delete_own(context.session, (readings,), player.id)
