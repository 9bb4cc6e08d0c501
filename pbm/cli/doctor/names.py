"""Looks names up in the DNS, as a receiver of mail does."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

import dns.exception
import dns.rdatatype
import dns.resolver
import dns.reversename

Address = IPv4Address | IPv6Address
_SECONDS = 8.0


class NamesError(Exception):
    """The name servers do not answer."""


class Names:
    """Looks names up at a name server, HOST or HOST:PORT, or at those of the system. Once they do
    not answer they are not asked again: each attempt takes seconds."""

    def __init__(self, server: str = "") -> None:
        try:
            self._resolver = dns.resolver.Resolver(configure=not server)
            if server:
                host, _, port = (
                    server.rpartition(":") if server.count(":") == 1 else (server, "", "")
                )
                self._resolver.port = int(port or 53)
                self._resolver.nameservers = [host]
        except (dns.exception.DNSException, ValueError):
            raise NamesError("there is no such name server") from None
        self._resolver.lifetime = _SECONDS
        self._is_silent = False

    def find_texts(self, name: str) -> list[str]:
        """Return the TXT records of a name, each in one piece."""
        return [
            b"".join(record.strings).decode("utf-8", "replace")
            for record in self._find(name, "TXT")
        ]

    def find_addresses(self, name: str) -> list[Address]:
        """Return the IPv4 and IPv6 addresses of a name."""
        return [
            ip_address(record.address)
            for kind in ("A", "AAAA")
            for record in self._find(name, kind)
        ]

    def find_exchangers(self, name: str) -> list[str]:
        """Return the hosts of the MX records of a name, the preferred ones first; "" for the null
        MX."""
        records = sorted(self._find(name, "MX"), key=lambda record: record.preference)
        return [_format_name(record.exchange) for record in records]

    def find_alias(self, name: str) -> str:
        """Return what a name is an alias of, "" when it is none."""
        return next((_format_name(record.target) for record in self._find(name, "CNAME")), "")

    def find_hosts(self, address: Address) -> list[str]:
        """Return the names that an address has in the reverse DNS."""
        name = dns.reversename.from_address(str(address)).to_text()
        return [_format_name(record.target) for record in self._find(name, "PTR")]

    def _find(self, name: str, kind: str) -> Iterable[Any]:
        """Return the records of that kind; none when the name does not exist."""
        if self._is_silent:
            raise NamesError(f"no answer about {name} {kind}")
        try:
            return self._resolver.resolve(name, kind, raise_on_no_answer=False, search=False)
        except dns.resolver.NXDOMAIN:
            return []
        except dns.exception.Timeout:
            self._is_silent = True
            raise NamesError(f"no answer about {name} {kind}") from None
        except dns.exception.DNSException as error:
            raise NamesError(f"{name} {kind}: {type(error).__name__}") from None


def _format_name(name: Any) -> str:
    return str(name.to_text(omit_final_dot=True)).lower().rstrip(".")
