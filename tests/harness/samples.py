"""Mails of each kind: built here, in the sample of mail programs and robots beside this module, and
in the larger corpus that lies beside a checkout."""

import base64
import csv
import json
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).parents[1] / "mail" / "corpus"
"""Replies and other mails as mail programs and robots write them; its README says more."""
CORPORA = tuple(
    folder
    for folder in (SAMPLE, Path(__file__).parents[3] / "shared" / "corpus")
    if folder.is_dir()
)
MOVE = "b1,c1,d1,d2"
COMMAND = "cradle move 17 ann secret b1,c1,d1,d2"
TOKEN = "b17-0-5-abcdefghijklmnop"


def rows(folder: str) -> list[dict[str, str]]:
    """The rows of the indexes of that folder, each with the `path` of its mail: what is expected of
    it stands beside it."""
    found: list[dict[str, str]] = []
    for corpus in CORPORA:
        with (corpus / folder / "INDEX.tsv").open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                found.append({**row, "path": str(corpus / folder / row["file"])})
    assert found, f"no corpus has {folder}"
    return found


def reply_bodies() -> list[dict[str, Any]]:
    """Bodies of replies; `reply_only` is what the person wrote, where it is known."""
    files = (corpus / "reply-bodies.jsonl" for corpus in CORPORA)
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def mail(
    *lines: str,
    sender: str = "Ann <ann@example.com>",
    subject: str = "Re: [cradle 17] your move (5)",
    headers: tuple[str, ...] = (),
    charset: str = "utf-8",
) -> bytes:
    """Build a person's mail with those lines as its body."""
    head = [
        f"From: {sender}",
        "To: pbm@games.example",
        f"Subject: {subject}",
        "Date: Mon, 5 Jan 2026 10:00:00 +0000",
        "Message-ID: <1@example.com>",
        *headers,
    ]
    return "\r\n".join([*head, "", *lines, ""]).encode(charset)


def typed(kind: str, *lines: str, encoding: str = "8bit") -> bytes:
    """Build a mail with one part of that Content-Type."""
    return mail(*lines, headers=(f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}"))


def multipart(kind: str, *parts: tuple[str, str]) -> bytes:
    """Build a multipart mail of parts, each a header section and a content."""
    body: list[str] = ["This is a multi-part message in MIME format."]
    for head, content in parts:
        body += ["--frontier", *head.split("\n"), "", *content.split("\n")]
    return mail(*body, "--frontier--", headers=(f'Content-Type: {kind}; boundary="frontier"',))


def in_base64(text: str) -> str:
    """The lines of a base64 part."""
    return base64.encodebytes(text.encode()).decode().strip()


def in_time(work: Callable[[], object], seconds: float = 5) -> object:
    """Run the work; fail if it takes five seconds of CPU: alone it takes a fraction of one, and a
    parser that goes wrong takes minutes."""
    begun = time.process_time()
    result = work()
    spent = time.process_time() - begun
    assert spent < seconds, f"took {spent:.1f} s of CPU"
    return result


def controls(text: str) -> bool:
    """Whether a text contains a control character, line separator or surrogate."""
    if text.isprintable():
        return False
    kinds = {unicodedata.category(char) for char in text if not char.isprintable()}
    return not kinds.isdisjoint({"Cc", "Cs", "Zl", "Zp"})


PERSONS = {
    "plain": mail(MOVE),
    "command": mail("Good luck!", subject=COMMAND),
    "bottom": mail("On Mon, 5 Jan 2026, pbm wrote:", "> resign", "", MOVE, "-- ", "Ann"),
    "html": typed("text/html; charset=utf-8", f"<p>{MOVE}</p><blockquote>resign</blockquote>"),
    "base64": typed("text/plain; charset=utf-8", in_base64(f"{MOVE}\n> x\n"), encoding="base64"),
    "quoted-printable": typed("text/plain", "b1,c1,=", "d1,d2", encoding="quoted-printable"),
    "flowed": typed("text/plain; format=flowed; delsp=yes", "b1,c1, ", "d1,d2", "> re ", "> sign"),
    "alternative": multipart(
        "multipart/alternative",
        ("Content-Type: text/plain", MOVE),
        ("Content-Type: text/html", "<p>resign</p>"),
    ),
    "attachment": multipart(
        "multipart/mixed",
        ("Content-Type: text/plain", MOVE),
        ("Content-Type: text/plain\nContent-Disposition: attachment", "resign"),
        ("Content-Type: message/rfc822", "Subject: resign\n\nresign"),
    ),
    "outlook": mail(
        MOVE, "", "From: pbm <p@games.example>", "Sent: Monday", "To: ann", "Subject: x", "resign"
    ),
    "latin-1": mail("Grüße", charset="latin-1"),
    "words": mail(subject="=?utf-8?b?Y3JhZGxl?= =?utf-8?q?_move?="),
}
MACHINES = {
    "null path": mail("x", headers=("Return-Path: <>",)),
    "vacation": mail("I am away", headers=("Auto-Submitted: auto-replied (vacation)",)),
    "daemon": mail("x", sender="Mail Delivery Subsystem <MAILER-DAEMON@mx.example>"),
    "report": multipart(
        "multipart/report; report-type=delivery-status",
        ("Content-Type: text/plain", "It failed."),
        (
            "Content-Type: message/delivery-status",
            "Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; bob@example.org\n"
            "Action: failed\nStatus: 5.1.1",
        ),
        ("Content-Type: message/rfc822", f"Message-ID: <{TOKEN}.12@games.example>\n\nx"),
    ),
    "list": mail("x", headers=("List-Id: <talk.example.org>", "Precedence: list")),
}


def seeds() -> Iterator[bytes]:
    """The mails to start mutations from: those above and the small ones of the corpora."""
    yield from PERSONS.values()
    yield from MACHINES.values()
    for row in rows("mails"):
        raw = Path(row["path"]).read_bytes()
        if len(raw) < 12000:
            yield raw
