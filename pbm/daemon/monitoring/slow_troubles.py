"""What goes wrong slowly, for the daily mail to the operator."""

from __future__ import annotations

import shutil

from pbm.core.due import measure_backup_age
from pbm.daemon.roster import list_daemons
from pbm.store.engine import Store
from pbm.store.transaction import Session

_DAY = 86400.0
_LITTLE_ROOM = 500 * 1024**2
_NEAR_END = 14 * _DAY
_OLD_BACKUP = 2 * _DAY


def list_troubles(
    session: Session, store: Store, certificate_ends: float | None, now: float
) -> list[str]:
    """Return a sentence for each, with what to do."""
    said = []
    if store.path is not None:
        free = shutil.disk_usage(store.path.absolute().parent).free
        if free < _LITTLE_ROOM:
            said.append(f"The disk of the database has {free >> 20} MiB left.")
    if certificate_ends is not None and certificate_ends - now < _NEAR_END:
        days = round((certificate_ends - now) / _DAY)
        ends = f"ends in {days} days" if certificate_ends > now else "has ended"
        said.append(f"The certificate of [smtp] {ends}: renew it.")
    age = measure_backup_age(session, now)
    if age is not None and age > _OLD_BACKUP:
        said.append(f"The newest backup is {round(age / _DAY)} days old (pbm admin backup).")
    daemons = list_daemons(session)
    said += [
        f"The daemon {each.name} was not stopped, and says nothing (pbm doctor)."
        for each in daemons
        if each.is_silent(now)
    ]
    versions = sorted({each.version for each in daemons if not each.is_silent(now)})
    if len(versions) > 1:
        said.append(f"Daemons of one database run {' and '.join(versions)}: restart the older.")
    return said
