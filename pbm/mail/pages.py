"""Shows the pages that a mail asks for, within what one mail, one address and its mail server may
cost in a day."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from pbm.core.limits import Limit, add, has_room
from pbm.core.notices import Notice
from pbm.core.player import Player, mark_seen
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.submit import Unread, require_commands
from pbm.mail.find_commands import FoundCommand
from pbm.mail.render import render
from pbm.mail.services import MailServices
from pbm.rules.phrases import phrase
from pbm.store.transaction import Session

_MAX_SECONDS = 1.0
"""Processor time for the pages of one mail."""
_MAX_LENGTH = 40_000
"""Characters of the pages of one mail, which has them in HTML once more."""
_SPENT = phrase("no more pages for this address today: to see more, reply to one of our mails")
_TOO_LONG = phrase("the answer is full: send this line again in another mail")


@dataclass(frozen=True, slots=True)
class ShownPages:
    """What the commands of a mail show, the notices of each. It is charged to the player who is
    proven to ask, else to an address; `is_spent` when that has had all there is for a day."""

    notices: tuple[Sequence[Notice], ...]
    player: Player | None = None
    address: str = ""
    is_spent: bool = False


def show_pages(
    services: MailServices,
    session: Session,
    entries: Sequence[FoundCommand],
    player: Player | None,
    address: str,
    peer: str,
    now: float,
) -> ShownPages:
    """Return what the entries of a mail that asks for nothing else show, each until the mail has
    cost too much, in a session that only reads. `player` is who is proven to have sent it; else
    `address` and `peer` are charged. Raise MustWrite when a board would have to be woken."""
    spent = _refuse_spent(services, session, player, address, peer, now)
    pages: list[Sequence[Notice]] = []
    begun, length = time.thread_time(), 0
    for entry in entries:
        if spent is not None:
            part = Unread(entry.sender, spent)
        elif length > _MAX_LENGTH or time.thread_time() - begun > _MAX_SECONDS:
            part = Unread(entry.sender, Refusal(RefusalCode.LIMIT_REACHED, _TOO_LONG))
        elif entry.command is None:
            part = entry.unread
        else:
            notices = services.service.show(session, entry.command, now)
            if len(entries) > 1:
                length += sum(len(render(notice, services.config)[1]) for notice in notices)
            pages.append(notices)
            continue
        pages.append(services.service.show(session, part, now))
    if player is not None:
        return ShownPages(tuple(pages), player)
    seconds = time.thread_time() - begun
    for tally, name in ((services.looks, address), (services.peers, peer)):
        if name:
            tally.add(name, now, seconds)
    return ShownPages(tuple(pages), None, address, is_spent=spent is not None)


def _refuse_spent(
    services: MailServices,
    session: Session,
    player: Player | None,
    address: str,
    peer: str,
    now: float,
) -> Refusal | None:
    """Return why nothing more is shown today, if so."""
    if player is None:
        if _is_spent(services, session, address, peer, now):
            return Refusal(RefusalCode.LIMIT_REACHED, _SPENT)
        return None
    try:
        require_commands(session, player, now, services.config)
    except Refusal as refusal:
        return refusal
    return None


def _is_spent(
    services: MailServices, session: Session, address: str, peer: str, now: float
) -> bool:
    """Whether the address, or the peer, has had what there is for a day."""
    return not (
        has_room(session, Limit.LOOKS, address, now, services.config)
        and has_room(session, Limit.LOOK_BYTES, address, now, services.config)
        and services.looks.has_room(address, now, services.config)
        and services.peers.has_room(peer, now, services.config)
    )


def charge(session: Session, pages: ShownPages, octets: int, now: float) -> None:
    """Count what a player or an address was shown."""
    if pages.player is not None:
        add(session, Limit.COMMANDS, pages.player.id, now, len(pages.notices))
        mark_seen(session, pages.player, now)
    elif not pages.is_spent:
        add(session, Limit.LOOKS, pages.address, now, len(pages.notices))
        add(session, Limit.LOOK_BYTES, pages.address, now, octets)
