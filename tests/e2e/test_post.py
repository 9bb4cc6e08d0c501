"""The server among real programs: Postfix before and behind it, Dovecot's mailboxes, mutt at the
players' hands."""

from __future__ import annotations

import re
import shutil
import smtplib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import insert, select

from pbm.cli.doctor.state import examine
from pbm.cli.setup.plan import SetupAnswers, make_plan
from pbm.config import Bots, Config, Imap, Trust, parse
from pbm.mail.outbox import find_message_id
from pbm.store.engine import Store
from pbm.store.tables import addresses, inbound, players
from tests.e2e.players import Player, mailbox, text
from tests.harness.databases import all_rows, free_port
from tests.harness.mail_programs import (
    PASSWORD,
    Dovecot,
    Postfix,
    require,
    until,
)
from tests.harness.servers import Running
from tests.harness.shell import environment


@dataclass
class Post:
    """A post office for the domains `example.test` (players), `hosted.test` (a server that has
    only a mailbox) and `games.test` (a server with LMTP). `void.test` goes to that server too,
    which knows nobody there."""

    folder: Path
    dovecot: Dovecot
    postfix: Postfix
    lmtp: int

    def player(self, name: str) -> Player:
        return Player(self.folder / name, name, self.postfix.smtp, self.dovecot.imap)


@pytest.fixture
def post() -> Iterator[Post]:
    require("postfix", "dovecot", "mutt")
    folder = Path(tempfile.mkdtemp(prefix="pbm-post-"))
    folder.chmod(0o755)
    running: list[Dovecot | Postfix] = []
    try:
        dovecot = Dovecot(folder)
        running.append(dovecot)
        lmtp = free_port()
        ports = {"example.test": dovecot.lmtp, "hosted.test": dovecot.lmtp, "void.test": lmtp}
        postfix = Postfix(folder, ports, lmtp, _receiver(folder))
        running.append(postfix)
        yield Post(folder, dovecot, postfix, lmtp)
    finally:
        for service in reversed(running):
            service.stop()
        shutil.rmtree(folder)


def _receiver(folder: Path) -> Path:
    """What the pipe calls; it keeps what it is given, for it runs as a user who may read little
    here."""
    (folder / "piped").mkdir()
    (folder / "piped").chmod(0o777)
    script = folder / "receiver"
    script.write_text(_RECEIVER.format(folder=folder / "piped"))
    script.chmod(0o755)
    return script


_RECEIVER = """#!/bin/sh
new=$(mktemp -d {folder}/XXXXXXXX)
cat > "$new/mail"
printf '%s\\n' "$@" > "$new/words"
chmod -R a+rX "$new"
"""


def _planned(answers: SetupAnswers, changes: Mapping[str, str]) -> Config:
    """The configuration that `pbm setup` writes, for the post office here."""
    text = make_plan(answers).files[0].text
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    config = parse(text)
    config.bots = Bots(enabled=False)
    config.trust = Trust(newcomer=0)  # who plays here writes to the other at once
    return config


def by_lmtp(post: Post, url: str) -> Config:
    answers = SetupAnswers(
        "behind", "pbm@games.test", mail_server="postfix", database=url, signs=False
    )
    relay, listener = f"127.0.0.1:{post.postfix.smtp}", f"127.0.0.1:{post.lmtp}"
    return _planned(answers, {"127.0.0.1:25": relay, "127.0.0.1:2424": listener})


def by_imap(post: Post, url: str) -> Config:
    answers = SetupAnswers(
        "mailbox",
        "pbm@hosted.test",
        imap=f"127.0.0.1:{post.dovecot.imap}",
        smtp=f"127.0.0.1:{post.postfix.smtp}",
        user="pbm@hosted.test",
        password=PASSWORD,
        database=url,
    )
    login = f"pbm%40hosted.test:{PASSWORD}@"
    return _planned(answers, {"imaps://": "imap://", f"smtp+starttls://{login}": "smtp://"})


def assert_sound(config: Config) -> None:
    """`pbm doctor --round-trip` finds nothing bad, and its mail comes back by the same way."""
    findings = list(examine(config, round_trip=True, wait=60.0))
    assert [finding for finding in findings if finding.grade == "BAD"] == []
    assert "round trip" in [finding.what for finding in findings]
    assert ("mailbox" in [finding.what for finding in findings]) == bool(config.imap.url)


def subject(message: EmailMessage) -> str:
    return " ".join(str(message["Subject"]).split())


def play(post: Post, server: str) -> tuple[Player, Player]:
    """Ann and bob sign up and play Tic-tac-toe to its end, by mutt alone. The board is one
    conversation, whose Subject never changes."""
    ann, bob = post.player("ann"), post.player("bob")
    for player in (ann, bob):
        player.writes(server, f"signup {player.name} Sesame-{player.name}")
        asked = player.receives()
        assert subject(asked) == "[pbm] confirm this address"
        code = re.search(r"^ *Code: (\S+)", text(asked), re.MULTILINE)
        assert code is not None
        player.answers(f"confirm {code[1]}")
        assert subject(player.receives()) == f"[pbm] welcome, {player.name}"
    ann.answers("tictactoe challenge ann bob\n\nGood luck, Bob! \u263a")
    for player in (ann, bob):
        opening = player.receives()
        assert subject(opening) == "[tictactoe 1] ann - bob"
        lead = "Your move in 21 days. " if player is ann else ""
        told = " ".join(text(opening).split())
        assert told.startswith(f"{lead}New game of Tic-Tac-Toe: ann (crosses) against bob")
    latest = None
    for number, move in enumerate(("a1", "b1", "a2", "b2", "a3")):
        mover, other = (ann, bob) if number % 2 == 0 else (bob, ann)
        mover.answers(move)
        for player in (mover, other):
            latest = player.receives()
            assert latest["Auto-Submitted"] in ("auto-replied", "auto-generated")
            assert subject(latest) == subject(opening)
            assert latest["References"].split()[0] == opening["References"].split()[0]
            assert move in text(latest)
    assert latest is not None
    assert text(latest).startswith("ann won (5): 3 in a row for crosses.")
    assert ann.unread() == bob.unread() == 0
    return ann, bob


def _is_logged(postfix: Postfix, line: str) -> bool:
    return line in postfix.log.read_text()


def test_a_game_through_postfix_by_lmtp_and_smtp(post: Post, sqlite_url: str) -> None:
    """Only our address is taken at the domain; others are refused in the dialogue."""
    with smtplib.SMTP("127.0.0.1", post.postfix.smtp) as client:
        client.helo("here")
        client.mail("ann@example.test")
        wanted = ("pbm@games.test", "PBM+b1-0-1-aaaa@games.test", "root@games.test")
        assert [client.rcpt(address)[0] for address in wanted] == [250, 250, 550]
    with Running(by_lmtp(post, sqlite_url)) as running:
        play(post, "pbm@games.test")
        assert {row.via for row in running.mails()} == {"lmtp"}
        assert all(row.state == "done" for row in running.mails())
        sent = running.sent()
        until(lambda: all(row.state == "sent" for row in running.sent()), post.postfix.said)
        assert len(sent) == 2 + 2 + 2 + 10
        for row in running.sent():  # each can be followed into the log of Postfix
            said = re.search(r"^250 2\.0\.0 Ok: queued as (\w+)$", running.receipts()[row.id])
            assert said is not None
            line = f"{said[1]}: message-id={find_message_id(row.message)}"
            until(partial(_is_logged, post.postfix, line), post.postfix.said)
        assert_sound(by_lmtp(post, sqlite_url))


@pytest.mark.long
def test_a_game_with_nothing_but_a_mailbox(post: Post, sqlite_url: str) -> None:
    """The server has an ordinary account: it fetches from there, and what it took is in the folder
    pbm; a second start takes nothing again."""
    config = by_imap(post, sqlite_url)
    with Running(config) as running:
        play(post, "pbm@hosted.test")
        assert {row.via for row in running.mails()} == {"imap"}
        count = len(running.mails())
    imap = post.dovecot.imap
    assert mailbox(imap, "pbm@hosted.test") == []
    assert len(mailbox(imap, "pbm@hosted.test", "pbm")) == count == 10
    with Running(config) as running:
        carl = post.player("carl")
        carl.writes("pbm@hosted.test", "help")
        assert subject(carl.receives()).startswith("[pbm] ")
        assert len(running.mails()) == count + 1
        assert [row.outcome for row in running.mails() if "copy" in row.outcome] == []
        assert_sound(config)
    wrong = replace(config, imap=Imap(config.imap.url.replace(PASSWORD, "wrong")))
    (finding,) = [one for one in examine(wrong, round_trip=False, wait=0) if one.what == "mailbox"]
    assert (finding.grade, "wrong" in finding.says) == ("BAD", False)


@pytest.mark.long
def test_a_mailbox_with_other_mail(post: Post, sqlite_url: str) -> None:
    """A mail that names no address of ours stays; one too large is set aside for the operator."""
    large = b"\r\n".join([b"y" * 70] * 5000)
    with smtplib.SMTP("127.0.0.1", post.postfix.smtp) as client:
        for sender, to, title, body in (
            ("eve", "list@other.test", "news", b"x"),
            ("ann", "pbm@hosted.test", "large", large),
            ("ann", "pbm+x@hosted.test", "help", b""),
        ):
            head = f"From: {sender}@example.test\r\nTo: {to}\r\nSubject: {title}\r\n\r\n"
            box = to if to.endswith("@hosted.test") else "pbm@hosted.test"
            client.sendmail(f"{sender}@example.test", [box], head.encode() + body)
    imap = post.dovecot.imap
    until(lambda: len(mailbox(imap, "pbm@hosted.test")) == 3, post.postfix.said)
    with Running(by_imap(post, sqlite_url)) as running:
        until(lambda: len(running.mails()) >= 2, post.dovecot.said)
        found = {row.recipient: row.state for row in running.mails()}
        aside = [row for row in running.mails() if row.state == "aside"]
    assert found["pbm+x@hosted.test"] == "done"
    assert [row.outcome.split(":")[0] for row in aside] == ["the mail is too large"]


def bounce_scores(running: Running) -> dict[str, float]:
    with running.daemon.store.reading() as session:
        rows = all_rows(session, select(addresses.c.address, addresses.c.bounce_score))
        return {row.address: row.bounce_score for row in rows}


def add_player(running: Running, userid: str, address: str) -> None:
    """An account whose address was confirmed before its mailbox was closed."""
    player = {"userid": userid, "name": userid, "password": "!", "state": "active"}
    with running.daemon.store.writing() as session:
        row = insert(players).values(**player, created=1.0, seen=1.0).returning(players.c.id)
        number = session.execute(row).scalar_one()
        owned = {"player_id": number, "address": address, "confirmed": 1.0}
        session.execute(insert(addresses).values(owned))


def test_a_bounce_comes_back_to_its_address(post: Post, sqlite_url: str) -> None:
    """One mailbox is refused at once; of the other one Postfix reports later that there is none.
    Both are counted, and nobody is answered."""
    with Running(by_lmtp(post, sqlite_url)) as running:
        dora = post.player("dora")
        for userid, address in (("dora", "no@refused.test"), ("dana", "no@void.test")):
            add_player(running, userid, address)
            dora.writes("pbm@games.test", f"forgot {userid}")
        until(lambda: list(bounce_scores(running).values()) == [2, 2], post.postfix.said)
        assert set(bounce_scores(running)) == {"no@refused.test", "no@void.test"}
        (report,) = running.mails()[2:]
        assert (report.envelope_from or "").strip("<>") == ""
        assert report.outcome.startswith(
            "bounce: no@void.test failed: 550 5.1.1 no such address here"
        )
        assert report.recipient.startswith("pbm+d")
        sent = [mail.recipient for mail in running.sent()]
        assert sorted(set(sent) - {dora.address}) == ["no@refused.test", "no@void.test"]
        assert len(sent) - sent.count(dora.address) == 2


def test_a_mail_through_the_pipe(post: Post, sqlite_url: str, tmp_path: Path) -> None:
    """What Postfix calls, word by word, is what `pbm receive` takes; also of a bounce, which has no
    sender."""
    config = tmp_path / "pbm.toml"
    config.write_text(f'[server]\naddress = "pbm@piped.test"\n[database]\nurl = "{sqlite_url}"\n')
    with smtplib.SMTP("127.0.0.1", post.postfix.smtp) as client:
        for sender in ("ann.o'hara@example.test", ""):
            head = b"From: ann@example.test\r\nTo: pbm@piped.test\r\nSubject: games\r\n\r\n"
            client.sendmail(sender, ["pbm+u0-aaaa@piped.test"], head + sender.encode())
    calls = post.folder / "piped"
    until(lambda: len(list(calls.glob("*/words"))) == 2, post.postfix.said)
    for call in calls.iterdir():
        words = (call / "words").read_text().splitlines()
        assert words[:3] == ["--config", "/etc/pbm/pbm.toml", "receive"]
        with (call / "mail").open("rb") as mail:
            done = subprocess.run(
                [sys.executable, "-m", "pbm", "--config", str(config), *words[2:]],
                stdin=mail,
                env=environment(),
                capture_output=True,
                text=True,
                check=False,
            )
        assert done.returncode == 0, (words, done.stderr)
    store = Store(sqlite_url)
    with store.reading() as session:
        rows = all_rows(session, select(inbound))
    store.close()
    assert {(row.via, row.recipient) for row in rows} == {("pipe", "pbm+u0-aaaa@piped.test")}
    assert {row.envelope_from for row in rows} == {"ann.o'hara@example.test", ""}
