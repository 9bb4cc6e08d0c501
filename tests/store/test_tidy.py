"""What was deleted or overwritten is gone from the disk soon after."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import delete, insert, update

from pbm.store.engine import Store
from pbm.store.group_commit import CommitThread
from pbm.store.tables import settings
from pbm.store.transaction import Session
from tests.harness.servers import until

SECRETS = (b"Sesame-long-one" * 20, b"Sesame-deleted" * 20)


def on_disk(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


def test_no_file_holds_what_was_overwritten_when_it_is_quiet(
    sqlite_url: str, tmp_path: Path
) -> None:
    store = Store(sqlite_url)
    writer = CommitThread(store)
    writer.start()

    def stores(session: Session) -> None:
        for number, secret in enumerate(SECRETS):
            session.execute(insert(settings).values(name=f"s{number}", value=secret.decode()))

    def masks(session: Session) -> None:
        session.execute(update(settings).where(settings.c.name == "s0").values(value="masked"))
        session.execute(delete(settings).where(settings.c.name == "s1"))

    writer.submit(stores).result(30)
    assert all(secret in on_disk(tmp_path) for secret in SECRETS)
    writer.submit(masks).result(30)
    until(lambda: not any(secret in on_disk(tmp_path) for secret in SECRETS), "still there")
    writer.stop()
    store.close()
