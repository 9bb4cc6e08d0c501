"""The keys of a database: they are made once, and every process that works on it loads them.

What is keyed with them is in `pbm.core.secrets`."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from pbm.core.secrets import Keys, Secrets
from pbm.store import reads
from pbm.store.engine import Store
from pbm.store.tables import settings
from pbm.store.transaction import Session, insert_into

DAYS = 30
"""The days for which a replaced key still verifies."""
_KEYS, _TIMES, _CODES, _USERIDS = "keys", "key times", "code key", "userid key"
_DAY = 86400.0


@dataclass(frozen=True, slots=True)
class KeyNote:
    """The public data of a key: the beginning of its SHA-256, when it was made if known, and when
    it ends if it was replaced."""

    name: str
    made: float | None
    ends: float | None


def load_secrets(
    store: Store,
    entropy: Callable[[int], bytes] = os.urandom,
    clock: Callable[[], float] = time.time,
) -> Secrets:
    """Return the keys that all daemons of a database share, without ended ones. The first daemon
    makes them."""
    with store.reading() as session:
        keys = reads.read_setting(session, _KEYS)
    if keys is None:
        with contextlib.suppress(IntegrityError), store.writing() as session:
            if reads.read_setting(session, _KEYS) is None:
                key = entropy(32).hex()
                session.execute(insert(settings).values(name=_KEYS, value=json.dumps([key])))
                _write(session, _TIMES, json.dumps({_name(key): (clock(), None)}))
    with store.reading() as session:  # whoever made them
        newest, *older = _read_keys(session)
        codes, userids = _read_lasting(session)
        ended = {note.name for note in list_keys(session) if (note.ends or clock()) < clock()}
    tokens = [newest, *(key for key in older if _name(key) not in ended)]
    bundle = Keys(tuple(map(bytes.fromhex, tokens)), bytes.fromhex(codes), bytes.fromhex(userids))
    return Secrets(bundle, entropy)


def list_keys(session: Session) -> list[KeyNote]:
    """Return the keys of reply addresses and links, newest first."""
    times = json.loads(reads.read_setting(session, _TIMES) or "{}")
    names = map(_name, _read_keys(session))
    return [KeyNote(name, *times.get(name, (None, None))) for name in names]


def rotate(session: Session, now: float, entropy: Callable[[int], bytes], *, leaked: bool) -> None:
    """Make a new key, which daemons use after a restart. Replaced keys verify for 30 days more;
    leaked ones do not, and open codes become void."""
    notes = {note.name: (note.made, note.ends) for note in list_keys(session)}
    codes, userids = _read_lasting(session)
    new = entropy(32).hex()
    if leaked:
        keys, codes = [new], new
    else:
        old = [key for key in _read_keys(session) if (notes[_name(key)][1] or now) >= now]
        keys = [new, *old]
    times: dict[str, tuple[float | None, float | None]] = {
        name: (made, ends or now + DAYS * _DAY)
        for name, (made, ends) in notes.items()
        if name in map(_name, keys)
    }
    times[_name(new)] = (now, None)
    _write(session, _KEYS, json.dumps(keys))
    _write(session, _TIMES, json.dumps(times))
    _write(session, _CODES, codes)
    _write(session, _USERIDS, userids)


def _name(key: str) -> str:
    return sha256(bytes.fromhex(key)).hexdigest()[:12]


def _read_keys(session: Session) -> list[str]:
    keys: list[str] = json.loads(reads.read_setting(session, _KEYS) or "[]")
    return keys


def _read_lasting(session: Session) -> tuple[str, str]:
    """Return the keys of codes and of userids; before the first change of keys, the oldest of
    all."""
    oldest = _read_keys(session)[-1]
    codes, userids = (reads.read_setting(session, name) for name in (_CODES, _USERIDS))
    return codes or oldest, userids or oldest


def _write(session: Session, name: str, value: str) -> None:
    row = insert_into(settings, is_sqlite=session.is_sqlite).values(name=name, value=value)
    session.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": value}))
