"""What a mail offers to do: a yes in reply to it does that, as if the line had been written."""

from __future__ import annotations

import re
from functools import cache

import msgspec
from sqlalchemy import bindparam, select, update

from pbm.core.call import Call
from pbm.core.clock import DAY
from pbm.core.feature import list_verbs
from pbm.core.refusal import Offer
from pbm.store.rows import Query, Row
from pbm.store.tables import outbound
from pbm.store.transaction import Session

_LASTS = 7 * DAY
_FURTHER = ("MOVE", "TEXT", "ORDER", "GAME", "NAME", "OTHER", "OPPONENT", "USERID", "PASSWORD")
_WORD = re.compile(r"[\w@.-]+")


class MailOfferRow(Row):
    """What a mail of ours offers to do, as JSON, and which mail it answers."""

    offer: str | None
    created: float
    inbound_id: int | None


_OFFER = Query(
    MailOfferRow,
    select(outbound.c.offer, outbound.c.created, outbound.c.inbound_id).where(
        outbound.c.id == bindparam("number"), outbound.c.player_id == bindparam("player")
    ),
)


def pack_offer(offer: Offer | None) -> str | None:
    """Return an offer as it is stored with the mail that makes it."""
    return msgspec.json.encode(offer).decode() if offer is not None else None


def find_offer(session: Session, number: int, player: int, now: float) -> Offer | None:
    """Return what the mail with that number offers that player; None where it offers nothing, or no
    more: each offer is taken once, within a week."""
    row = _find_row(session, number, player, now)
    return msgspec.json.decode(row.offer, type=Offer) if row is not None and row.offer else None


def use_up(session: Session, number: int, player: int, now: float) -> bool:
    """Take an offer, with its copies to other addresses of the player; whether it was still to be
    had."""
    row = _find_row(session, number, player, now)
    if row is None:
        return False
    own = (outbound.c.player_id == player) & (outbound.c.offer == row.offer)
    copies = own & (outbound.c.inbound_id == row.inbound_id)
    session.execute(update(outbound).where(copies | (outbound.c.id == number)).values(offer=None))
    return True


def _find_row(session: Session, number: int, player: int, now: float) -> MailOfferRow | None:
    row = session.first(_OFFER, {"number": number, "player": player}) if number else None
    return row if row is not None and row.offer and row.created > now - _LASTS else None


def can_offer(call: Call) -> bool:
    """Whether an answer to the command can be answered with a yes: a player provably sent it by
    mail."""
    return call.player is not None and call.command.sender.via == "mail"


@cache
def _list_places() -> frozenset[str]:
    slots = {slot.rstrip("?*+").upper() for verb in list_verbs() for slot in verb.slots}
    return frozenset({*slots, *_FURTHER, "NEWPASSWORD", "NAME@EXAMPLE.ORG"})


def is_whole(line: str) -> bool:
    """Whether a line can be sent as it stands: it has no word, such as MOVE, that stands for
    another."""
    return "{" not in line and _list_places().isdisjoint(_WORD.findall(line))
