"""The postbox: addresses the mails of notices, composes them and puts them into the outgoing
queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from pbm.config import Config
from pbm.core.command import Command
from pbm.core.notices import BoardUpdate, Notice, Told
from pbm.core.outgoing import Addressed, OutgoingMail, add_lines
from pbm.core.player import has_stopped, parse_preferences
from pbm.core.secrets import Secrets
from pbm.core.submit import CommandService
from pbm.core.trust import let_through
from pbm.logs import place
from pbm.mail.compose import Composer, build_outbound_row
from pbm.mail.render import get_content_name, render
from pbm.rules.phrases import pack, unpack
from pbm.store import outbound_queue, reads
from pbm.store.prefetched import Reader
from pbm.store.transaction import Session

log = structlog.get_logger()
_NOBODY = Reader()


class Postbox:
    """What a CommandService sends its notices through."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        self._config = config
        self._composer = Composer(config, secrets)

    def address_notices(
        self,
        session: Session,
        notices: Sequence[Notice],
        now: float,
        *,
        inbound: int | None,
        answers: str,
        to: str = "",
    ) -> Addressed:
        """Number a mail for each address of each notice that is let through; a bot's answer goes
        out in the place of what waits for it. Answers come from the address that was written to,
        other mails from the one that their reader last wrote to, if the server still writes from
        it."""
        readers = reads.find_readers(session, {each.player for each in notices if each.addresses})
        wanted = [each for each in notices if _is_wanted(each, readers, inbound)]
        sent, unanswered = let_through(session, wanted, now, self._config, self._describe)
        notices = add_lines(session, sent, now, self._config)
        pairs = [(notice, address) for notice in notices for address in notice.addresses]
        if not pairs:
            return Addressed((), unanswered)
        numbers = outbound_queue.reserve_numbers(session, len(pairs))
        mails = []
        for (notice, address), number in zip(pairs, numbers, strict=True):
            reader = readers.get(notice.player, _NOBODY)
            sender = (to if notice.is_answer else "") or reader.writes_to
            mails.append(
                OutgoingMail(
                    notice,
                    address,
                    number,
                    now,
                    answers,
                    inbound,
                    reader.binding,
                    parse_preferences(reader.preferences),
                    self._config.find_sender(sender) or self._config.server.address,
                    due=now,
                )
            )
        waiting = find_waiting(session, notices, now)
        return Addressed([take_in(session, mail, waiting) for mail in mails], unanswered)

    def post(self, session: Session, mails: Sequence[OutgoingMail]) -> list[dict[str, Any]]:
        """Compose these mails and enqueue them; their rows."""
        rows = [build_outbound_row(self._composer, mail) for mail in mails]
        if rows:
            outbound_queue.enqueue(session, rows)
        return rows

    def _describe(self, notice: Notice, language: str) -> tuple[str, str]:
        """Return the kind of a notice and its news, in words for its reader."""
        subject, _ = render(notice, self._config, subject="news", language=language)
        return get_content_name(type(notice.content)), subject


def _is_wanted(notice: Notice, readers: Mapping[int, Reader], inbound: int | None) -> bool:
    """Whether a notice goes out by mail: not of a kind that its reader has stopped. Answers to
    mails go out, and codes that somebody asked for."""
    reader = readers.get(notice.player)
    if reader is None or notice.content.goes_anyway:
        return True
    if notice.is_answer and inbound is not None:
        return True
    return not has_stopped(parse_preferences(reader.preferences), notice.mail_kind)


def build_service(config: Config, secrets: Secrets) -> CommandService:
    """Return the service that executes commands and mails what they cause."""
    return CommandService(config, secrets, Postbox(config, secrets), _report)


def _report(command: Command, error: Exception) -> None:
    log.error(
        "command failed",
        verb=command.verb.name,
        board=command.board or command.sender.board,
        error=type(error).__name__,
        at=place(error),
    )


# Mails that wait for a bot's answer: where it comes at once, one mail tells both, and is sent in
# the place of two.
#
# Such a mail is in the queue like any other, and due some seconds later: without an answer it
# goes out as it is. The news of it are kept beside it, which the mail with the answer repeats.

WAIT = 15.0
"""Seconds for which a mail waits for a bot's answer at most."""
_MARGIN = 3.0
"""Seconds before a mail is due in which it is left alone: it may be sent before this transaction is
committed."""


class WaitingMail(Struct, frozen=True):
    """What is kept of a mail that waits.

    left       the lines of the mail it answers that were neither done nor passed on
    withheld   those that were not passed on
    is_answer  it answers a mail, whose Message-ID is `answers`
    added      the sentences at its end
    """

    told: Told
    left: tuple[str, ...]
    is_answer: bool
    answers: str
    added: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()


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
        waiting = msgspec.json.decode(row.told or "", type=WaitingMail)
        outbound_queue.withdraw(session, row.id)
        content = content.repeat(waiting.told.change(unpack))
        notice = replace(
            notice,
            content=content,
            left=(*waiting.left, *notice.left),
            withheld=(*waiting.withheld, *notice.withheld),
            is_answer=waiting.is_answer,
            added=(*map(unpack, waiting.added), *notice.added),
        )
        mail = replace(
            mail,
            notice=notice,
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
    notice = mail.notice
    added = tuple(map(pack, notice.added))
    kept = WaitingMail(told, notice.left, notice.is_answer, mail.answers, added, notice.withheld)
    return replace(mail, told=msgspec.json.encode(kept).decode())
