"""Reads of the audit, and of settings."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, select

from pbm.store.rows import Query
from pbm.store.tables import AuditRow, audit, settings
from pbm.store.transaction import Session

# Reads of the audit: what operators did and what happened to accounts.

REPORT = "report"
"""The action of a report of abuse; its actor is the player who reports."""

_OF_BOARD = Query(
    AuditRow, select(audit).where(audit.c.board_id == bindparam("id")).order_by(audit.c.id)
)
_OF_PLAYER = Query(
    AuditRow, select(audit).where(audit.c.player_id == bindparam("id")).order_by(audit.c.id)
)


def find_board_audit(session: Session, board: int) -> Sequence[AuditRow]:
    """Return what was done to a board, oldest first."""
    return session.all(_OF_BOARD, {"id": board})


def find_player_audit(session: Session, player: int) -> Sequence[AuditRow]:
    """Return what was done to an account, oldest first."""
    return session.all(_OF_PLAYER, {"id": player})


# Reads of settings: values that all daemons of a database share.

_SETTING = select(settings.c.value).where(settings.c.name == bindparam("name"))


def read_setting(session: Session, name: str) -> str | None:
    """Return the value of a setting."""
    value: str | None = session.value(_SETTING, {"name": name})
    return value
