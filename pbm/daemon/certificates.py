"""Until when a certificate is valid, read from its file."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

_PEM = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
_SEQUENCE, _VERSION, _UTC_TIME = 0x30, 0xA0, 0x17


def read_expiry(path: str | Path) -> float:
    """Return the moment after which a certificate of the PEM file is not valid any more; of a
    chain, the first such moment. OSError when it cannot be read, ValueError when it holds no
    certificate."""
    found = [_find_end(ssl.PEM_cert_to_DER_cert(pem)) for pem in _PEM.findall(_read(path))]
    if not found:
        raise ValueError("it holds no certificate in PEM")
    return min(found)


def _read(path: str | Path) -> str:
    return Path(path).read_text("utf-8", "replace")


def _find_end(der: bytes) -> float:
    """Return the end of a certificate's validity (RFC 5280, 4.1), which is in the fourth field of
    what is signed, not counting the version, which old ones leave out."""
    ((_, certificate),) = _list_fields(der)
    signed = next(_list_fields(certificate))[1]
    fields = [field for field in _list_fields(signed) if field[0] != _VERSION]
    kind, validity = fields[3]
    if kind != _SEQUENCE:
        raise ValueError("it holds no certificate in PEM")
    _, (kind, end) = _list_fields(validity)
    text = end.decode("ascii")
    if kind == _UTC_TIME:  # two digits for the year, of 1950 to 2049
        text = f"{'19' if text >= '50' else '20'}{text}"
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC).timestamp()


def _list_fields(der: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the fields that stand one after another in DER, each with its tag."""
    while der:
        tag, length, at = der[0], der[1], 2
        if length & 0x80:
            at += length & 0x7F
            length = int.from_bytes(der[2:at])
        if at + length > len(der):
            raise ValueError("a certificate in it is cut off")
        yield tag, der[at : at + length]
        der = der[at + length :]
