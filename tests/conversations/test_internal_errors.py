"""A mail that fails by a fault of the server's own is kept: its sender is told once, and it is
tried again after a restart. It has one effect, whenever that comes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from pbm.config import Config, Database, Players
from pbm.config import Server as Address
from pbm.store.tables import inbound
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.databases import all_rows
from tests.harness.packages import Packages, nim
from tests.harness.servers import Sockets

_CLASS = "class Position(NimPosition):\n"
_FAILS = "(self, *arguments):\n        raise RuntimeError\n\n"
BROKEN = nim().replace(_CLASS, f"{_CLASS}    def parse{_FAILS}")
UNDRAWN = nim().replace(_CLASS, f"{_CLASS}    def picture{_FAILS}")
FAULT = "an error in the server, which its operator finds in the log"
KEPT = "[pbm] your mail is kept and will be tried again"


class Restarted(Conversation):
    """A conversation whose server can be started anew."""

    def __init__(self, url: str) -> None:
        self.config = Config(
            server=Address(address=SERVER),
            database=Database(url),
            players=Players(confirm_addresses=True),
        )
        super().__init__(Sockets(self.config, Clock()), Clock(), confirms=True)

    def restarts(self) -> None:
        self.server.close()
        self.server = Sockets(self.config, self.clock)

    def states(self) -> list[tuple[str, int]]:
        query = select(inbound.c.state, inbound.c.faults).order_by(inbound.c.id)
        with self.server.store.reading() as session:
            return [(row.state, row.faults) for row in all_rows(session, query)]


@pytest.fixture
def server(sqlite_url: str, packages: Packages) -> Iterator[Restarted]:
    """Ann and bob at board 1 of Nim, ann to move."""
    packages.install("nim", nim())
    made = Restarted(sqlite_url)
    try:
        made.signup("ann", "bob")
        made.challenge("nim", "ann", "bob")
        yield made
        made.nothing_more()
    finally:
        made.server.close()


def _moves(server: Restarted) -> str:
    return server.mails("ann", f"nim move 1 ann {server.password('ann')} take-1")


def test_it_is_kept_told_once_and_tried_again(server: Restarted, packages: Packages) -> None:
    packages.install("nim", BROKEN)
    number = _moves(server)
    mail = server.receives("ann", KEPT, "the operator has been told")
    assert mail.in_reply_to == number
    assert server.states()[-1] == ("aside", 1)
    server.restarts()
    server.nothing_more()
    assert server.states()[-1] == ("aside", 2)
    packages.install("nim", nim())
    server.restarts()
    server.receives("ann", "[nim 1] bob to move (2), you played take-1")
    server.receives("bob", "[nim 1] your move (2), ann played take-1")
    assert server.states()[-1] == ("done", 2)
    server.restarts()
    server.nothing_more()


def test_a_copy_that_comes_meanwhile_takes_nothing_away(
    server: Restarted, packages: Packages
) -> None:
    packages.install("nim", BROKEN)
    _moves(server)
    server.receives("ann", KEPT)
    server.sent -= 1
    _moves(server)  # the same mail, with the same Message-ID
    server.nothing_more()
    packages.install("nim", nim())
    server.restarts()
    server.receives("ann", "[nim 1] bob to move (2), you played take-1")
    server.receives("bob", "[nim 1] your move (2), ann played take-1")
    assert [state for state, _ in server.states()[-2:]] == ["done", "done"]


def test_neither_a_stranger_nor_a_program_is_told(server: Restarted, packages: Packages) -> None:
    packages.install("nim", UNDRAWN)
    server.mails("eve", "nim show 1")
    server.receives("eve", "[pbm] how to play board games by mail")
    server.mails("ann", "nim show 1", Auto_Submitted="auto-replied")
    server.mails("ann", "nim show 1", Precedence="bulk")
    server.nothing_more()
    assert server.states()[-3][0] == "done"  # nothing was looked up for somebody unknown


def test_a_look_is_refused_and_not_kept(server: Restarted, packages: Packages) -> None:
    """Whoever asks for it: what changes nothing need not be tried again."""
    packages.install("nim", UNDRAWN)
    server.proves("ann", "nim show 1")
    server.receives("ann", "[nim 1] not done: " + FAULT, f"Not done: {FAULT}.")
    assert server.states()[-1] == ("done", 0)
    with server.server.store.reading() as session:
        codes = [row.refusals for row in all_rows(session, select(inbound.c.refusals))]
    assert codes[-1] == "fault"


def test_one_line_of_several_that_fails_is_refused_and_the_others_are_done(
    server: Restarted, packages: Packages
) -> None:
    word = server.password("ann")
    packages.install("nim", BROKEN)
    server.mails("ann", "multiple", f"nim move 1 ann {word} take-1\nnim games")
    mail = server.any_mail("ann")
    says = " ".join(mail.text.split())
    assert f"Not done: {FAULT}." in says
    assert "open boards: nim" in says
    assert server.states()[-1] == ("done", 0)
    server.nothing_more()


def test_a_mail_that_proves_nothing_is_not_kept(server: Restarted, packages: Packages) -> None:
    packages.install("nim", BROKEN)
    word = server.secret("Sesame-guess")
    for number in range(3):
        server.mails("ann", f"nim preview 1 take-1 take-{number}")
        server.mails("ann", f"nim move 1 ann {word} take-{number}")
        server.mails("eve", f"nim move 1 ann {word} take-{number}")
    told = [mail.subject for mail in server.everything()]
    assert KEPT not in told
    assert sum(FAULT in each for each in told) == 3
    assert {state for state, _ in server.states()} == {"done"}
    with server.server.store.reading() as session:
        kept = b"".join(bytes(row.raw) for row in all_rows(session, select(inbound.c.raw)))
    assert word.encode() not in kept


def test_the_text_of_what_is_kept_goes_after_a_week(server: Restarted, packages: Packages) -> None:
    """With the password in it; the mail counts as done, and is not tried again."""
    packages.install("nim", BROKEN)
    _moves(server)
    server.receives("ann", KEPT)
    word = server.password("ann").encode()
    server.restarts()
    server.nothing_more()
    server.passes(days=6.5)
    assert server.states()[-1] == ("aside", 2)
    server.passes(days=1)
    server.everything()
    assert server.states()[-1] == ("done", 2)
    with server.server.store.reading() as session:
        rows = all_rows(session, select(inbound.c.raw, inbound.c.code))
    assert not any(word in bytes(row.raw) for row in rows)
    assert rows[-1].code == "fault"
    packages.install("nim", nim())
    server.restarts()
    server.everything()


def test_what_waited_in_a_backup_is_not_tried_again(server: Restarted, packages: Packages) -> None:
    from pbm.core import due

    packages.install("nim", BROKEN)
    _moves(server)
    server.receives("ann", KEPT)
    with server.server.store.writing() as session:
        due.mark_backup(session, server.clock())
    packages.install("nim", nim())
    server.restarts()
    server.nothing_more()
    assert server.states()[-1] == ("aside", 0)
