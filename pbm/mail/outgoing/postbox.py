"""The postbox: addresses the mails of notices, composes them and puts them into the outgoing
queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import structlog

from pbm.config import Config
from pbm.core.command import Command
from pbm.core.notices import Notice
from pbm.core.outgoing import OutgoingMail, hold_back
from pbm.core.player import has_stopped, parse_preferences
from pbm.core.secrets import Secrets
from pbm.core.submit import CommandService
from pbm.logs import place
from pbm.mail.outgoing.answered_at_once import find_waiting, take_in
from pbm.mail.outgoing.compose import Composer, build_outbound_row
from pbm.mail.outgoing.rendering import get_content_name, render
from pbm.store import outbound_queue, reads
from pbm.store.transaction import Reader, Session

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
    ) -> list[OutgoingMail]:
        """Number a mail for each address of each notice. Those of which one player has caused
        another too many are held back, and a bot's answer goes out in the place of what waits for
        it. Answers come from the address that was written to, other mails from the one that their
        reader last wrote to, if the server still writes from it."""
        readers = reads.find_readers(session, {each.player for each in notices if each.addresses})
        wanted = [each for each in notices if _is_wanted(each, readers, inbound)]
        notices = hold_back(session, wanted, now, self._config, self._describe)
        pairs = [(notice, address) for notice in notices for address in notice.addresses]
        if not pairs:
            return []
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
        return [take_in(session, mail, waiting) for mail in mails]

    def post(self, session: Session, mails: Sequence[OutgoingMail]) -> list[dict[str, Any]]:
        """Compose these mails and enqueue them; their rows."""
        rows = [build_outbound_row(self._composer, mail) for mail in mails]
        if rows:
            outbound_queue.enqueue(session, rows)
        return rows

    def _describe(self, notice: Notice, language: str) -> tuple[str, str]:
        """Return the kind of a notice and its news, as its reader is told them."""
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
