"""Reads mutated mails: `python -m tools.mail.mutate N [SEED]` for a long run.

No mail may raise anything but TooCostly, take more than a second of CPU, or put a control
character into what was read.
"""

import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from pbm.mail.bounces import read_report
from pbm.mail.headers import TooCostly
from pbm.mail.letter import examine, read_letter
from tests.harness.mail import controls, seeds

PIECES = (
    b"\r\n\r\n",
    b"\n",
    b"\r",
    b"\0",
    b"\x1b",
    b">",
    b"> ",
    b"-- \n",
    b"=?utf-8?q?=0A",
    b"=?utf-8?b?",
    b"?=",
    b"From: x@y.example\n",
    b"From : x\n",
    b"Subject: \n",
    b"Content-Type: multipart/mixed; ",
    b"boundary=",
    b'"',
    b"<",
    b"<!--",
    b"<blockquote>",
    b"</div>",
    b"&#x",
    b"=\n",
    b"=C3",
    b"\xc3",
    b"\xff\xfe",
    b"\xe2\x80\xa8",
    b"+AAA-",
    b"\x1b$B",
    b"On 5 Jan 2026 a@b.example wrote:\n",
    b"--",
    b"-----Original Message-----\n",
    b"begin 644 x\n",
    b"charset=utf-16",
    b"format=flowed",
    b";",
    b":",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b"Content-Type: message/delivery-status\n",
    b"X-Failed-Recipients: a@b.example\n",
)


def mutated(source: random.Random, mails: list[bytes]) -> bytes:
    """Return a mail with a few octets or lines changed, doubled, moved, cut or taken from
    another."""
    raw = bytearray(source.choice(mails))
    for _ in range(source.randint(1, 6)):
        at = source.randint(0, len(raw))
        near = source.randint(0, min(at, 400)) if source.random() < 0.5 else at
        change = source.randrange(8)
        if change == 0:
            raw[near : near + 1] = bytes([source.randrange(256)])
        elif change == 1:
            raw[near:near] = source.choice(PIECES) * source.choice((1, 1, 2, 50))
        elif change == 2:
            del raw[near : near + source.choice((1, 2, 20, 200))]
        elif change == 3:
            raw[near:near] = raw[at : at + source.choice((4, 40, 400))]
        elif change == 4:
            other = source.choice(mails)
            start = source.randint(0, len(other))
            raw[near:near] = other[start : start + source.choice((20, 200, 2000))]
        elif change == 5:
            del raw[max(near, 20) :]
        elif change == 6:
            raw = raw.replace(*source.choice(((b"\r\n", b"\n"), (b"\n", b"\r\n"), (b" ", b"\t"))))
        else:
            lines = raw.split(b"\n")
            first, second = source.randrange(len(lines)), source.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            raw = bytearray(b"\n").join(lines)
    return bytes(raw[:60_000])


def run(count: int, seed: int) -> Iterator[tuple[bytes, float]]:
    """Read so many mutated mails; each with its CPU time."""
    source = random.Random(seed)
    mails = list(seeds())
    for _ in range(count):
        raw = mutated(source, mails)
        begun = time.process_time()
        check(raw, source.choice((None, "", "ann@example.com")))
        yield raw, time.process_time() - begun


def check(raw: bytes, envelope_from: str | None) -> None:
    """Read a mail in every way and check every result."""
    with suppress(TooCostly):
        letter = read_letter(raw, envelope_from=envelope_from)
        texts = (
            letter.sender,
            letter.subject,
            letter.message_id,
            *letter.in_reply_to,
            *letter.own_lines,
        )
        assert not any(map(controls, texts))
        assert letter.sender.isascii()
    with suppress(TooCostly):
        for entry in read_report(raw):
            assert entry.address.isascii()
            assert entry.address.isprintable()
    examine(raw)


def main() -> None:
    """Run as many as requested and print the slowest."""
    count = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    slowest = 0.0
    for done, (raw, spent) in enumerate(run(count, seed), 1):
        slowest = max(slowest, spent)
        if spent > 1:
            print(f"{spent:.1f} s of CPU:", raw[:2000])
            raise SystemExit(1)
        if done % 10_000 == 0:
            print(done, f"slowest {slowest * 1000:.0f} ms", flush=True)
    print(f"{count} mails, slowest {slowest * 1000:.0f} ms of CPU")


if __name__ == "__main__":
    main()
