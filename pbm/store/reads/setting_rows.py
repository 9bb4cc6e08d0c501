"""Reads of settings: values that all daemons of a database share."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from pbm.store.board_tables import settings
from pbm.store.transaction import Session

_SETTING = select(settings.c.value).where(settings.c.name == bindparam("name"))


def read_setting(session: Session, name: str) -> str | None:
    """Return the value of a setting."""
    value: str | None = session.value(_SETTING, {"name": name})
    return value
