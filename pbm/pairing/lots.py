"""Lots drawn from an event's secret: fixed when it is announced, open to audit when it is over."""

from __future__ import annotations

import hashlib
import hmac

from pbm.pairing.record import Record

_PURPOSES = ("start", "colour", "place")


def commit(secret: str) -> str:
    """Return what is published of a secret of 64 hexadecimal digits: the SHA-256 of its bytes."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def draw_all_lots(record: Record, number: int) -> tuple[tuple[str, int], ...]:
    """Return all lots of an entrant, each with its purpose, to be kept under another name."""
    return tuple((purpose, draw_lot(record, number, purpose)) for purpose in _PURPOSES)


def draw_lot(record: Record, number: int, purpose: str = "place") -> int:
    """Return the lot of an entrant, 0 to 2**64 - 1; the lower is the better. It is made of the
    first eight bytes of HMAC-SHA-256, with the secret as the key, of "purpose:name". Who has
    another userid since keeps the lots of the first."""
    entrant = record.entrant(number)
    for drawn_for, lot in entrant.lots:
        if drawn_for == purpose:
            return lot
    message = f"{purpose}:{entrant.name}".encode()
    digest = hmac.digest(bytes.fromhex(record.secret), message, "sha256")
    return int.from_bytes(digest[:8], "big")
