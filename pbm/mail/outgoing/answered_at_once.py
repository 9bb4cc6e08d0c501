"""Mails that wait for a bot's answer: where it comes at once, one mail tells both, and is sent in
the place of two.

Such a mail is in the queue like any other, and due some seconds later: without an answer it goes
out as it is. The news of it are kept beside it, which the mail with the answer repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbm.core.notices import BoardUpdate, Notice, Told
from pbm.core.outgoing import OutgoingMail
from pbm.rules.phrases import pack, unpack
from pbm.store import outbound_queue
from pbm.store.transaction import Session

WAIT = 15.0
"""Seconds for which a mail waits for a bot's answer at most."""
_MARGIN = 3.0
"""Seconds before a mail is due in which it is left alone: it may be sent before this transaction is
committed."""


class Waiting(Struct, frozen=True):
    """What is kept of a mail that waits.

    left       the lines of the mail it answers that were neither done nor passed on
    is_answer  it answers a mail, whose Message-ID is `answers`
    """

    told: Told
    left: tuple[str, ...]
    is_answer: bool
    answers: str


Found = Mapping[tuple[int, str], outbound_queue.ToldRow]
"""The mails that wait, by player and address."""


def find_waiting(session: Session, notices: Sequence[Notice], now: float) -> Found:
    """Return the mails that wait at the board of these notices."""
    boards = {
        notice.thread.board
        for notice in notices
        if notice.thread is not None
        and isinstance(notice.content, BoardUpdate)
        and notice.content.has_bots
    }
    rows = outbound_queue.find_told(session, boards, now + _MARGIN) if boards else ()
    return {(row.player_id, row.recipient): row for row in rows if row.player_id is not None}


def take_in(session: Session, mail: OutgoingMail, found: Found) -> OutgoingMail:
    """Return a mail that also tells what the one says that waits for it, which is taken out of the
    queue. An answer to another mail does not, but no longer lets that one wait: each mail that is
    answered has an answer."""
    notice, content = mail.notice, mail.notice.content
    if not isinstance(content, BoardUpdate):
        return mail
    row = found.get((notice.player, mail.address))
    if row is not None and not notice.is_answer:
        waiting = msgspec.json.decode(row.told or "", type=Waiting)
        outbound_queue.withdraw(session, row.id)
        content = content.repeat(waiting.told.change(unpack))
        left, is_answer = (*waiting.left, *notice.left), waiting.is_answer
        mail = replace(
            mail,
            notice=replace(notice, content=content, left=left, is_answer=is_answer),
            answers=waiting.answers,
            inbound=row.inbound_id,
            due=row.next_attempt if content.awaits_bot else mail.due,
        )
    else:
        if row is not None:
            outbound_queue.hasten(session, row.id, mail.created)
        if content.awaits_bot:
            mail = replace(mail, due=mail.created + WAIT)
    if not content.awaits_bot:
        return mail
    told = content.told.change(pack)
    kept = Waiting(told, mail.notice.left, mail.notice.is_answer, mail.answers)
    return replace(mail, told=msgspec.json.encode(kept).decode())
