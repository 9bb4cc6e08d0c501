"""Lots drawn from an event's secret: fixed when it is announced, open to audit when it is over."""

from __future__ import annotations

import hashlib
import hmac

from pbm.pairing.record import Record


def commit(secret: str) -> str:
    """What is published of a secret of 64 hexadecimal digits: the SHA-256 of its bytes."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def draw_lot(record: Record, number: int, purpose: str = "place") -> int:
    """The lot of an entrant, 0 to 2**64 - 1; the lower is the better. It is made of the first eight
    bytes of HMAC-SHA-256, with the secret as the key, of "purpose:name"."""
    message = f"{purpose}:{record.name_of(number)}".encode()
    digest = hmac.digest(bytes.fromhex(record.secret), message, "sha256")
    return int.from_bytes(digest[:8], "big")
