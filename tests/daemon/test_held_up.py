"""A daemon executes the mails that came to it, unless its worker is held up: then others help."""

from __future__ import annotations

import smtplib
import socket
from pathlib import Path

from sqlalchemy import insert, select, text

from pbm.config import Bots, Config, Database, Limits, Players, Relay, Smtp
from pbm.daemon.workers.colleagues import choose_worker, list_workers, shorten_name
from pbm.store.engine import Store
from pbm.store.tables import addresses, inbound, players
from tests.harness.running import Running, until
from tools.faults.daemon_process import Served

_FREE = "127.0.0.2:0"
_PLAYERS = 1000


def add_players(store: Store) -> None:
    """Accounts with confirmed addresses: mails of strangers wait anyway."""
    names = [f"p{number}" for number in range(_PLAYERS)]
    account = {"password": "!", "state": "active", "created": 1.0, "seen": 1.0}
    with store.writing() as session:
        session.execute(
            insert(players),
            [
                {"id": at, "userid": name, "name": name, **account}
                for at, name in enumerate(names, 1)
            ],
        )
        session.execute(
            insert(addresses),
            [
                {"player_id": at, "address": f"{name}@example.org", "confirmed": 1.0}
                for at, name in enumerate(names, 1)
            ],
        )


def test_mails_are_left_to_others_while_a_worker_is_held_up(
    postgresql_url: str, tmp_path: Path
) -> None:
    """A table that is locked holds it up."""
    config = Config(
        database=Database(postgresql_url),
        smtp=Smtp(listen=_FREE),
        relay=Relay(f"maildir:{tmp_path / 'mail'}"),
        bots=Bots(enabled=False),
        players=Players(confirm_addresses=False),
        limits=Limits(unproved_a_day=0),
    )
    free = list_workers(shorten_name(f"{socket.gethostname()} {_FREE}"), 0)
    served = Served(tmp_path, postgresql_url)
    try:
        served.waits()
        with Running(config) as other:
            daemon = other.daemon
            assert daemon.colleagues is not None
            add_players(daemon.store)
            until(lambda: daemon.colleagues and daemon.colleagues.workers, "it knows nobody")
            names = [*daemon.colleagues.workers, *free]
            senders = (
                sender
                for number in range(_PLAYERS)
                if choose_worker(names, sender := f"p{number}@example.org") in free
            )

            def is_left_to_other(sender: str = "") -> bool:
                """Whether the next mail of that sender is, or the first one of somebody whose
                worker, of all, is the other's."""
                sender = sender or next(senders)
                with smtplib.SMTP("127.0.0.1", served.port) as client:
                    client.sendmail(sender, ["pbm@localhost"], f"From: {sender}\r\n\r\ngames\r\n")
                with daemon.store.reading() as session:
                    query = select(inbound.c.worker).order_by(inbound.c.id.desc()).limit(1)
                    return session.execute(query).scalar_one() in free

            def helps() -> bool:
                """Whether the other does; not with Ann's mails, of which earlier ones wait."""
                assert not is_left_to_other(ann)
                return is_left_to_other()

            ann = next(senders)
            assert not is_left_to_other(ann)
            other.rests()
            with daemon.store.writing() as session:
                session.execute(text("LOCK TABLE players"))
                assert not is_left_to_other(ann)
                until(helps, "no mail is left to the other")
            until(lambda: not is_left_to_other(), "mails are left to the other for ever")
            assert {row.state for row in other.mails()} == {"done"}
    finally:
        served.close()
