"""The keys of a database: they are made once, and every process that works on it loads them.

What is keyed with them is in `pbm.core.kernel.secrets`."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable

from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from pbm.core.kernel.secrets import Secrets
from pbm.store import reads
from pbm.store.board_tables import settings
from pbm.store.engine import Store


def load_secrets(store: Store, entropy: Callable[[int], bytes] = os.urandom) -> Secrets:
    """The keys that all daemons of a database share; the first one makes them."""
    with store.reading() as session:
        keys = reads.read_setting(session, "keys")
    if keys is None:
        with contextlib.suppress(IntegrityError), store.writing() as session:
            if reads.read_setting(session, "keys") is None:
                keys_text = json.dumps([entropy(32).hex()])
                session.execute(insert(settings).values(name="keys", value=keys_text))
        with store.reading() as session:  # whoever made them
            keys = str(reads.read_setting(session, "keys"))
    return Secrets(tuple(bytes.fromhex(key) for key in json.loads(keys)), entropy)
