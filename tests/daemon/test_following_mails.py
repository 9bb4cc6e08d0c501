"""One number leads from a mail that was taken to the delivery of its answer, in the log and in a
trace, and to the cause of what went wrong on the way."""

from __future__ import annotations

import json
import re
import signal
import smtplib
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from tests.daemon.trace_receiver import Receiver, read
from tests.harness.databases import free_port
from tests.harness.servers import until
from tests.harness.shell import SERVER, Shell

_LEFT_OUT = ("time", "level", "event", "mail", "out", "seconds", "message_id", "answer")
"""Of an event in the log: what differs from run to run, or is looked at by itself."""


class Relay:
    """Defers the first mail to ann, refuses all to bob."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self._deferred = False

    async def handle_RCPT(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: Any
    ) -> str:
        if address.startswith("bob@"):
            return f"550 5.1.1 <{address}> no such user"
        if not self._deferred:
            self._deferred = True
            return f"451 4.7.1 <{address}> greylisted"
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        self.taken += envelope.rcpt_tos
        return "250 ok"


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_number_leads_from_taken_to_sent(
    tmp_path: Path, request: pytest.FixtureRequest, database: str
) -> None:
    """The relay is down, then defers an answer, then takes it; another it refuses."""
    shell = Shell(tmp_path, request.getfixturevalue(f"{database}_url"))
    with Receiver() as receiver:
        _run(shell, receiver)
    _check_log(shell)
    _check_traces(receiver)
    said = read_log(shell) + str(receiver.spans)
    for secret in ("orchard7", "kettle42", "@example.org", "greylisted"):
        assert secret not in said
    assert not re.search(r"\b(ann|bob)\b", str(receiver.spans))


def _run(shell: Shell, receiver: Receiver) -> None:
    """Serve until everything is sent."""
    port = free_port()
    text = re.sub('maildir:[^"]*', f"smtp://127.0.0.1:{port}", shell.config.read_text())
    shell.config.write_text(
        f'{text}[lmtp]\nlisten = "127.0.0.1:0"\n[log]\nformat = "json"\nmails = true\n'
        f'[tracing]\nurl = "{receiver.url}"\n'
    )
    relay = Relay()
    controller = Controller(relay, "127.0.0.1", port)
    with (shell.folder / "log").open("w") as log:
        server = shell.start("serve", stderr=log)
        assert server.stdout is not None
        smtp, lmtp = (int(server.stdout.readline().rpartition(":")[2]) for _ in range(2))
        try:
            send(smtplib.SMTP("127.0.0.1", smtp), "ann", "signup ann orchard7")
            until(lambda: "relay down" in read_log(shell), "the relay seems to be up")
            controller.start()
            send(smtplib.LMTP("127.0.0.1", lmtp), "bob", "signup bob kettle42")
            send(smtplib.SMTP("127.0.0.1", smtp), "ann", "cradle challenge ann random")
            until(lambda: len(relay.taken) >= 2, "nothing is sent")
            until(lambda: "550 5.1.1" in read_log(shell), "nothing is refused")
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=60)
            controller.stop()


def _check_log(shell: Shell) -> None:
    assert follow(shell, 1) == [
        "mail in via=smtp",
        "mail done via=smtp state=done code=executed player=ann",
        f"relay down why={_find_relay(shell)}: Connection refused",
        "relay up",
        "mail out result=deferred why=451 4.7.1 attempt=1",
        "mail out result=delivered attempt=2",
    ]
    assert follow(shell, 2) == [
        "mail in via=lmtp",
        "mail done via=lmtp state=done code=executed player=bob",
        "mail out result=failed why=550 5.1.1 attempt=1",
    ]
    assert follow(shell, 3)[1:] == [
        "mail done via=smtp state=done code=executed game=cradle board=1 player=ann",
        "mail out result=delivered board=1 attempt=1",
    ]

    sent = [json.loads(line) for line in read_log(shell).splitlines() if '"delivered"' in line]
    assert all(re.fullmatch(r"<\S+-\d+@games\.example>", event["message_id"]) for event in sent)
    assert all(event["answer"].startswith("250 ") for event in sent)


def _check_traces(receiver: Receiver) -> None:
    first, second, third = (receiver.trace(number) for number in (1, 2, 3))
    for trace in (first, second, third):
        (root,), (outbox,) = trace["mail"], trace["outbox"]
        assert root.parent_span_id == b""
        for name in ("journal", "execute", "outbox"):
            assert [span.parent_span_id for span in trace[name]] == [root.span_id], name
        assert {span.parent_span_id for span in trace["deliver"]} == {outbox.span_id}
        for (span,) in (trace["journal"], trace["execute"]):
            assert root.start_time_unix_nano <= span.start_time_unix_nano
        for span in (*trace["deliver"], root):
            assert span.start_time_unix_nano <= span.end_time_unix_nano
    results = [read(span)["pbm.result"] for span in first["deliver"]]
    assert results[-2:] == ["deferred", "delivered"]
    assert {read(span)["pbm.why"] for span in first["deliver"][-2:-1]} == {"451 4.7.1"}
    delivered = read(first["deliver"][-1])
    assert str(delivered["pbm.message_id"]).endswith("@games.example>")
    assert str(delivered["pbm.answer"]).startswith("250 ")
    (refused,) = second["deliver"]
    assert (refused.status.code, read(refused)["pbm.why"]) == (
        Status.STATUS_CODE_ERROR,
        "550 5.1.1",
    )
    (root,) = third["mail"]
    assert {key: read(root)[key] for key in ("pbm.mail", "pbm.code", "pbm.game", "pbm.board")} == {
        "pbm.mail": 3,
        "pbm.code": "executed",
        "pbm.game": "cradle",
        "pbm.board": 1,
    }


def send(client: smtplib.SMTP, name: str, subject: str) -> None:
    with client:
        mail = f"From: {name}@example.org\nTo: {SERVER}\nSubject: {subject}\n\n"
        client.sendmail(f"{name}@example.org", [SERVER], mail)


def _find_relay(shell: Shell) -> str:
    """Its host and port."""
    found = re.search(r"smtp://(\S+)\"", shell.config.read_text())
    assert found
    return found[1]


def read_log(shell: Shell) -> str:
    return (shell.folder / "log").read_text()


def follow(shell: Shell, mail: int) -> list[str]:
    """What the log says of that mail, without times and other numbers."""
    events = map(json.loads, read_log(shell).splitlines())
    found = []
    for event in (event for event in events if event.get("mail") == mail):
        words = [f"{key}={value}" for key, value in event.items() if value and key not in _LEFT_OUT]
        found.append(" ".join([event["event"], *words]))
    return found
