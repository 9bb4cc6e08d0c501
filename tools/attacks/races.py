"""Races: the same thing twice at the same moment; and servers that talk to each other."""

from __future__ import annotations

import re
import threading
import time

from sqlalchemy import func, select

from pbm.store.tables import boards, inbound, moves
from tests.harness.conversation import SERVER, Conversation
from tests.harness.databases import Cluster, free_port
from tools.attacks.attacked_server import Dialogue, Served
from tools.attacks.catalogue import Run, attack, count, served


def at_once(servers: list[Served], sender: str, to: str, raw: bytes, many: int) -> None:
    """Send the same mail over so many connections, the last line of all of them at the same
    moment."""
    start = threading.Barrier(many)
    wrong: list[str] = []

    def bring(number: int) -> None:
        with Dialogue(servers[number % len(servers)].port) as client:
            for line in (f"EHLO {number}", f"MAIL FROM:<{sender}>", f"RCPT TO:<{to}>", "DATA"):
                reply = client.says(line.encode())
            client.sends(raw)
            start.wait(60)
            reply = client.says(b"\r\n.")
            if not reply.startswith("250"):
                wrong.append(reply)

    threads = [threading.Thread(target=bring, args=(number,)) for number in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong


def _mail(who: str, number: int, subject: str, body: str = "") -> bytes:
    head = f"From: {who}@example.org\r\nSubject: {subject}\r\nMessage-ID: <{number}@race>\r\n"
    return f"{head}\r\n{body}".encode()


@attack("race", "one mail over eight connections at the same moment")
def same(run: Run) -> str:
    talk = run.talk(limits={"mails_a_day": 0, "open_boards": 0})
    talk.signup("ann", "bob")
    mine = talk.reply_address("ann")
    latest = talk.challenge("tictactoe", "ann", "bob")
    for number, move in enumerate(run.some(["a1", "b1", "a2", "b2"], 4)):
        mail = latest[number % 2]
        who = mail.address.partition("@")[0]
        raw = _mail(who, number, f"Re: {mail.subject}", f"{move}\r\n")
        at_once([served(talk)], mail.address, mail.reply_to, raw, 8)
        got = talk.everything()
        assert sorted(each.address for each in got) == ["ann@example.org", "bob@example.org"], got
        latest = sorted(got, key=lambda each: each.address)
        assert count(talk, moves) == number + 1
    rematch = 4 if run.short else 20
    for number in range(rematch):
        run.tries += 1
        raw = _mail("ann", 100 + number, f"tictactoe challenge ann bob -size={3 + number % 4}")
        at_once([served(talk)], "ann@example.org", mine, raw, 8)
        talk.everything()
    made = count(talk, boards)
    assert made == 1 + rematch, made
    return f"{run.tries} mails, {8 * run.tries} times: one effect and one result each"


@attack("race-code", "a one-time code, redeemed at the same moment by several mails")
def code(run: Run) -> str:
    talk = run.talk(limits={"mails_a_day": 0})
    talk.signup("ann")
    return _redeemed(run, talk, [served(talk)])


def _redeemed(run: Run, talk: Conversation, servers: list[Served]) -> str:
    for number in run.some(range(3), 1):
        served(talk).restart(8.0 * number) if number else None
        talk.mails("ann", "forgot ann")
        asked = next(mail for mail in talk.everything() if "a code for" in mail.subject)
        found = re.search(r"change password ann (\S+) NEWPASSWORD", asked.text) or re.search(
            r"([a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4})", asked.text
        )
        assert found is not None, asked
        start = threading.Barrier(6)
        news = [talk.secret(f"Sesame-new{number}{each}") for each in range(6)]

        def redeem(
            each: int,
            word: str = found[1],
            news: list[str] = news,
            start: threading.Barrier = start,
            number: int = number,
        ) -> None:
            with Dialogue(servers[each % len(servers)].port) as client:
                raw = _mail(
                    "ann", 1000 + 10 * number + each, f"change password ann {word} {news[each]}"
                )
                for line in (
                    "EHLO x",
                    "MAIL FROM:<ann@example.org>",
                    f"RCPT TO:<{SERVER}>",
                    "DATA",
                ):
                    client.says(line.encode())
                client.sends(raw)
                start.wait(60)
                client.says(b"\r\n.")

        threads = [threading.Thread(target=redeem, args=(each,)) for each in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        changed = [mail for mail in talk.everything() if "is changed" in mail.subject]
        assert len(changed) == 1, [mail.subject for mail in changed]
    return "it was taken once"


@attack("L6", "a one-time code taken twice, by two daemons on one PostgreSQL")
def two_daemons(run: Run) -> str:
    cluster = Cluster()
    run.callback(cluster.stop)
    url = {"url": cluster.url(cluster.create())}
    talk = run.talk(database=url, limits={"mails_a_day": 0})
    talk.signup("ann")
    second = run.server(database=url, limits={"mails_a_day": 0})
    # Of several daemons one sends at a time: what it sent goes to the relay of either.
    talk.server = Both(served(talk), second)
    run.short = True
    said = _redeemed(run, talk, [talk.server.first, second])
    talk.server = talk.server.first
    return said


class Both:
    """Two daemons on one database, and the mails of both."""

    def __init__(self, first: Served, second: Served) -> None:
        self.first, self.second = first, second
        self.store, self.take, self.tick = first.store, first.take, first.tick

    def settle(self) -> list[tuple[str, bytes]]:
        """Return what either has sent."""
        return [*self.first.settle(), *self.second.settle()]

    def close(self) -> None:
        """Do nothing: they are ended one by one."""


@attack("two servers", "two servers that mail each other for ever")
def each_other(run: Run) -> str:
    """Two servers are each other's relay: a mail of one arrives at the other, whatever it says."""
    ports = free_port(), free_port()
    names = "pbm@one.example", "pbm@two.example"
    servers = [
        run.server(
            server={"address": names[mine]},
            smtp={"listen": f"127.0.0.1:{ports[mine]}"},
            relay={"url": f"smtp://127.0.0.1:{ports[1 - mine]}"},
            limits={"strangers_an_hour": 0},
        )
        for mine in (0, 1)
    ]
    lines = (
        "help",
        "nonsense",
        "signup two Sesame-two",
        "forgot two",
        "games",
        "",
        "Re: [pbm] help",
    )
    for number, line in enumerate(run.some(lines * 2, 7)):
        mine = number % 2
        for sender in (names[1 - mine], names[mine], f"PBM+x@{names[1 - mine].partition('@')[2]}"):
            head = f"From: {sender}\r\nSubject: {line}\r\nMessage-ID: <{number}{sender}>\r\n"
            raw = f"{head}\r\n{line}\r\n".encode()
            servers[mine].take("eve@evil.example", names[mine], raw)
    last = -1
    deadline = time.monotonic() + 30
    while (now := sum(_taken(each) for each in servers)) != last and time.monotonic() < deadline:
        last = now
        time.sleep(1)
    sent = run.tries * 3
    assert now <= 2 * sent, f"{now} mails of {sent}"
    return f"{sent} mails begin it, {now - sent} are exchanged, then there is silence"


def _taken(server: Served) -> int:
    server.rests()
    with server.store.reading() as session:
        return int(session.execute(select(func.count()).select_from(inbound)).scalar_one())
