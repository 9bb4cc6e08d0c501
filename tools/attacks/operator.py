"""What lies on the operator's side: rights of files, `admin sql`, a mail server in front."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import smtplib
import tempfile
import time
from pathlib import Path

from aiosmtpd.lmtp import LMTP

from pbm.store import migrate
from pbm.store.engine import Store
from pbm.store.tables import inbound
from tests.cli.test_sql import NASTY
from tests.harness.databases import Cluster, free_port
from tests.harness.mail_programs import Postfix, program
from tests.harness.servers import Loop, Sink, until
from tools.attacks.catalogue import Run, Unavailable, attack, count, run_admin, served

_SECRET = re.compile(r"argon2|\$m=|[0-9a-f]{64}|Sesame")


@attack("sql", "secrets, or changes, by `pbm admin sql` on SQLite, CTEs named like views included")
def sqlite(run: Run) -> str:
    talk = run.talk()
    talk.signup("ann", "bob")
    config = served(talk).config
    refused = 0
    for query in run.some(NASTY, 6):
        done = run_admin(config, "sql", query)
        assert not _SECRET.search(done.stdout), (query, done.stdout)
        assert "Traceback" not in done.stderr, done.stderr
        refused += done.returncode != 0
    assert "argon2" in (served(talk).folder / "pbm.db").read_text(encoding="latin-1")
    assert run_admin(config, "sql", "SELECT count(*) AS n FROM players").stdout.split()[-1] == "2"
    return f"{refused} of {run.tries} were refused, the others showed nothing that is secret"


@attack("M10", "secrets, or changes, by `pbm admin sql` on PostgreSQL")
def postgresql(run: Run) -> str:
    cluster = Cluster()
    run.callback(cluster.stop)
    url = cluster.url(cluster.create())
    store = Store(url)
    migrate.create(store)
    store.close()
    talk = run.talk(database={"url": url})
    talk.signup("ann", "bob")
    config, refused = served(talk).config, 0
    for query in run.some(NASTY, 4):
        done = run_admin(config, "sql", query)
        assert not _SECRET.search(done.stdout), (query, done.stdout)
        assert "Traceback" not in done.stderr, done.stderr
        refused += done.returncode != 0
    return f"{refused} of {run.tries} were refused, the others showed nothing that is secret"


@attack("L1", "files that other users can read, whatever the umask")
def rights(run: Run) -> str:
    before = os.umask(0)
    try:
        talk = run.talk(relay={"url": f"maildir:{run.folder}/1/mail"})
        talk.mails("ann", f"signup ann {talk.password('ann')}")
        served(talk).rests()
    finally:
        os.umask(before)
    own = {"pbm.toml", "log"}  # made by this program
    found = [path for path in (run.folder / "1").rglob("*") if path.name not in own]
    run.tries = len(found)
    readable = [str(path) for path in found if path.stat().st_mode & 0o077 and not path.is_socket()]
    assert len(found) > 5
    assert not readable, readable
    return f"{len(found)} files and folders, made under umask 0: none is readable by others"


_ANN = b"From: ann@example.test\r\n"
_MALFORMED = (
    b"Subject: x\r\n\r\nno From\r\n",
    b"From: a@example.test\r\nFrom: b@example.test\r\nSubject: x\r\n\r\nx\r\n",
    b"From: ann@example.test\r\nSubject: help\r\n\r\n" + b"x" * 9000 + b"\r\n",
    b"From: ann@example.test\r\nSubject: " + b"x" * 9000 + b"\r\n\r\nx\r\n",
    b"From: ann@example.test\r\n" + b"X: y\r\n" * 1100 + b"\r\nx\r\n",
    b"From: ann@example.test\r\nSubject: help\r\n\r\na\0b\r\n",
    b"From: ann@example.test\r\nSubject: help\r\n\r\na\rb\r\n",
    _ANN + b"Content-Type: multipart/mixed; boundary=a\r\n" * 110 + b"\r\nx\r\n",
    _ANN + b"Subject: " + b"\r\n ".join([b"=?utf-8?q?a?="] * 400) + b"\r\n\r\nx\r\n",
    b"From: ann@example.test\r\nSubject: help\r\n\r\n" + (b"x" * 70 + b"\r\n") * 4200,
    b"\r\n",
)


@attack("M3", "bounces to a forged sender, by Postfix with our configuration")
def postfix(run: Run) -> str:
    """Nobody gets back a mail that Postfix takes for us and we cannot read."""
    if program("postfix") is None or os.geteuid() != 0:
        raise Unavailable("Postfix, and to be root")
    talk = run.talk(server={"address": "pbm@games.test"})
    folder = Path(tempfile.mkdtemp(prefix="pbm-attack-post-"))
    run.callback(lambda: shutil.rmtree(folder))
    folder.chmod(0o755)
    sink, loop, port = Sink(), Loop(), free_port()
    run.callback(loop.close)

    async def listens() -> asyncio.AbstractServer:
        return await loop.loop.create_server(lambda: LMTP(sink, loop=loop.loop), "127.0.0.1", port)

    server = loop.call(listens())
    run.callback(server.close)
    nobody = folder / "nobody"
    ours = served(talk).ports["lmtp"]
    running = Postfix(folder, {"example.test": port, "void.test": ours}, ours, nobody)
    run.callback(running.stop)
    taken = 0
    for raw in run.some(_MALFORMED, 4):
        with smtplib.SMTP("127.0.0.1", running.smtp) as client:
            try:
                client.sendmail("victim@example.test", ["pbm@games.test"], raw)
                taken += 1
            except smtplib.SMTPResponseException:
                continue
    with smtplib.SMTP("127.0.0.1", running.smtp) as client:
        client.sendmail("control@example.test", ["no@void.test"], _MALFORMED[0])
    until(lambda: any(where == "control@example.test" for where, _ in sink.mails), running.said())
    until(lambda: _queue(folder) == 0, running.said())
    bounced = [where for where, _ in sink.mails if where == "victim@example.test"]
    assert not bounced, bounced
    return (
        f"Postfix took {taken}, {count(talk, inbound)} came to us, none came back; "
        "a mail to nobody, for comparison, did"
    )


def _queue(folder: Path) -> int:
    time.sleep(0.5)
    waiting = (folder / "queue" / name for name in ("incoming", "active", "deferred", "maildrop"))
    return sum(len(list(each.rglob("[0-9A-F]*[0-9A-F]"))) for each in waiting)
