"""The name of an installation, by which a server that reconnects knows its own database."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from pbm.store.board_tables import settings
from pbm.store.engine import Store

INSTALLATION = "installation"
_NAME = select(settings.c.value).where(settings.c.name == INSTALLATION)


def name_installation(store: Store, entropy: Callable[[int], bytes] = os.urandom) -> None:
    """Give the database a name of its own, unless it has one."""
    with store.reading() as session:
        if session.value(_NAME) is not None:
            return
    name = entropy(16).hex()
    with contextlib.suppress(IntegrityError), store.writing() as session:
        session.execute(insert(settings).values(name=INSTALLATION, value=name))
