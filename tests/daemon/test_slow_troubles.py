"""What the daily mail to the operator says of the server itself."""

from __future__ import annotations

from dataclasses import replace

from pbm.core.due import note_backup
from pbm.daemon import presence
from pbm.daemon.vital_signs import list_troubles
from pbm.store.engine import Store

_DAY = 86400.0
_NOW = 1_795_442_400.0


def test_it_tells_of_certificate_backup_and_daemons_when_there_is_something(
    sqlite_url: str,
) -> None:
    store = Store(sqlite_url)
    me = presence.introduce("here 127.0.0.1:25", _NOW)
    with store.writing() as session:
        presence.note(session, me, _NOW)
        note_backup(session, _NOW - _DAY)
        assert list_troubles(session, store, _NOW + 30 * _DAY, _NOW) == []
        presence.note(session, replace(me, name="there", version="0.1"), _NOW)
        presence.note(session, replace(me, name="gone"), _NOW - _DAY)
        note_backup(session, _NOW - 3 * _DAY)
        assert list_troubles(session, store, _NOW + 3 * _DAY, _NOW) == [
            "The certificate of [smtp] ends in 3 days: renew it.",
            "The newest backup is 3 days old (pbm admin backup).",
            "The daemon gone was not stopped, and says nothing (pbm doctor).",
            f"Daemons of one database run 0.1 and {me.version}: restart the older.",
        ]
        presence.note(session, me, _NOW + 8 * _DAY)  # what is silent for a week is forgotten
        assert [each.name for each in presence.list_daemons(session)] == [me.name]
    store.close()
