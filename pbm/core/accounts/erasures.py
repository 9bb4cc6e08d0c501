"""Erased players of whom mails are still in the queues: a setting that names them and how far the
queues have been searched. It goes when the search is over."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from sqlalchemy import delete, insert, update

from pbm.store.reads.account_rows import read_setting
from pbm.store.tables import settings
from pbm.store.transaction import Session

_SETTING = "erasures"


class Erasure(msgspec.Struct, frozen=True, kw_only=True):
    """A player whose mails are being erased; `inbound` and `outbound` are the last numbers that
    were searched."""

    player: int
    addresses: tuple[str, ...]
    at: float
    inbound: int = 0
    outbound: int = 0


def read_erasures(session: Session) -> list[Erasure]:
    """Return the erasures that are not finished."""
    text = read_setting(session, _SETTING)
    return msgspec.json.decode(text, type=list[Erasure]) if text else []


def write_erasures(session: Session, erasures: Collection[Erasure]) -> None:
    """Note the erasures that are not finished; none leaves nothing behind."""
    own = settings.c.name == _SETTING
    if not erasures:
        session.execute(delete(settings).where(own))
        return
    value = msgspec.json.encode(erasures).decode()
    if not session.execute(update(settings).where(own).values(value=value)).rowcount:
        session.execute(insert(settings).values(name=_SETTING, value=value))


def add_erasure(session: Session, player: int, addresses: Collection[str], now: float) -> None:
    """Have the mails of a player erased."""
    new = Erasure(player=player, addresses=tuple(sorted(addresses)), at=now)
    others = [each for each in read_erasures(session) if each.player != player]
    write_erasures(session, [*others, new])
