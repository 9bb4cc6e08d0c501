"""From notices to the outgoing queue, of what answers no mail: clockwork, bots, operators.

It sends nothing and decides nothing."""

from __future__ import annotations

from collections.abc import Iterable

from pbm.core.model.notice import Notice
from pbm.mail.outgoing.compose import Composer, row
from pbm.store import queues, reads
from pbm.store.transaction import Session


def post(session: Session, composer: Composer, notices: Iterable[Notice], now: float) -> int:
    """Put notices into the outgoing queue, once for each address; how many mails these are."""
    pairs = [(notice, address) for notice in notices for address in notice.addresses]
    numbers = queues.numbers(session, len(pairs)) if pairs else []
    stored = reads.passwords_of(session, {notice.player for notice, _ in pairs})
    queues.post(
        session,
        [
            row(
                composer,
                notice,
                address,
                number,
                now,
                "",
                inbound=None,
                stored=stored.get(notice.player, ""),
            )
            for (notice, address), number in zip(pairs, numbers, strict=True)
        ],
    )
    return len(pairs)
