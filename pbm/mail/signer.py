"""Signs outgoing mails with DKIM (RFC 6376), where the relay does not, and says what the DNS must
have for it."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import dkim
from dkim.crypto import UnparsableKeyError, parse_pem_private_key

from pbm.config import Config, ConfigError

_FORGIVING = (b"relaxed", b"relaxed")
"""Blanks and the case of names may change on the way."""
_ONLY_ONCE = (b"to", b"subject", b"date", b"list-unsubscribe", b"list-unsubscribe-post")
"""Fields besides From that nobody may add: the signature says how many there are. The last two are
believed only where they are signed (RFC 8058)."""
_RSA = bytes.fromhex("300d06092a864886f70d0101010500")
"""The DER form of the algorithm's name, rsaEncryption."""


_FROM = re.compile(rb"(?mi)^From:[^\r\n]*@([^>\s]+)")


class Signer:
    """Signs for a domain with the RSA key that the DNS has under `selector`."""

    def __init__(self, domain: str, selector: str, key: bytes) -> None:
        self._domain = domain.encode("idna")
        self._selector = selector.encode()
        self._key = key
        numbers = parse_pem_private_key(key)
        self._public = (int(numbers["modulus"]), int(numbers["publicExponent"]))

    def sign(self, message: bytes) -> bytes:
        """Return the mail with a signature on top."""
        mail = dkim.DKIM(message)
        mail.add_frozen(_ONLY_ONCE)
        signature: bytes = mail.sign(
            self._selector, self._domain, self._key, canonicalize=_FORGIVING
        )
        return signature + message

    @property
    def bits(self) -> int:
        """The size of the key."""
        return self._public[0].bit_length()

    @property
    def record(self) -> str:
        """The TXT record of the public key."""
        numbers = b"".join(_encode_der(0x02, _encode_integer(one)) for one in self._public)
        bits = _encode_der(0x03, b"\0" + _encode_der(0x30, numbers))
        return f"v=DKIM1; k=rsa; p={base64.b64encode(_encode_der(0x30, _RSA + bits)).decode()}"


class Signers:
    """Signs each mail for the domain that it comes from, if there is a key for that."""

    def __init__(self, config: Config) -> None:
        self._signers = {
            view.server.host.lower(): load_signer(view)
            for view in config.list_senders()
            if view.dkim.key
        }

    def sign(self, message: bytes) -> bytes:
        """Return the mail, with a signature on top where its domain has a key."""
        signer = self._signers.get(find_from_domain(message))
        return message if signer is None else signer.sign(message)


def find_from_domain(mail: bytes) -> str:
    """Return the domain of a mail's From, in lower case; "" when it has none."""
    found = _FROM.search(mail)
    return found[1].decode("ascii", "replace").lower() if found else ""


def load_signer(config: Config) -> Signer:
    """Return the signer that the configuration names. ConfigError when its key cannot be used."""
    try:
        key = Path(config.dkim.key).read_bytes()
    except OSError as error:
        raise ConfigError(f"[dkim] key cannot be read: {error.strerror}") from None
    try:
        signer = Signer(config.server.host, config.dkim.selector, key)
        signer.sign(b"From: a@b\r\n\r\n")
    except (dkim.DKIMException, UnparsableKeyError, ValueError, LookupError, TypeError):
        raise ConfigError(
            "[dkim] key must be an RSA private key in PEM form, as openssl genrsa writes it"
        ) from None
    return signer


def _encode_der(tag: int, content: bytes) -> bytes:
    """Return a value in DER: its tag, its length, its content."""
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def _encode_integer(number: int) -> bytes:
    """Return a positive integer for DER, whose first bit is its sign."""
    return number.to_bytes(number.bit_length() // 8 + 1, "big")
