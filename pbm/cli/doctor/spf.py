"""Evaluates SPF records (RFC 7208), and counts the look-ups that they cost a receiver."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv6Address, ip_network

from pbm.cli.doctor.names import Address, Names

MOST_LOOKUPS = 10
_MOST_VOID = 2
_RESULTS = {"+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}


class SpfError(Exception):
    """The record cannot be used: receivers take it for an error."""


@dataclass(slots=True)
class SpfResult:
    """What a receiver concludes, and what it had to look up for that. `is_partial`: there are
    macros, which were not followed."""

    result: str = "none"
    lookups: int = 0
    void: int = 0
    is_partial: bool = False


def evaluate_spf(names: Names, domain: str, address: Address | None) -> SpfResult:
    """Return what the record of a domain says of mail that comes from the address; of None, which
    no term but `all` matches, so that the result counts all look-ups there may be. SpfError when it
    is wrong."""
    result = SpfResult()
    result.result = _Evaluation(names, address, result).evaluate(domain)
    return result


def list_spf_records(names: Names, domain: str) -> list[str]:
    """Return the SPF records of a domain; there must be one."""
    return [text for text in names.find_texts(domain) if text.lower().partition(" ")[0] == "v=spf1"]


class _Evaluation:
    def __init__(self, names: Names, address: Address | None, counts: SpfResult) -> None:
        self._names = names
        self._address = address
        self._counts = counts

    def evaluate(self, domain: str) -> str:
        """Return the result of the domain's record."""
        records = list_spf_records(self._names, domain)
        if not records:
            return "none"
        if len(records) > 1:
            raise SpfError(f"{domain} has {len(records)} SPF records, there must be one")
        redirect = ""
        for term in records[0].split()[1:]:
            name, _, value = term.partition("=")
            if name.isalpha() and "=" in term and ":" not in name:
                redirect = value if name.lower() == "redirect" else redirect
                continue
            result = _RESULTS.get(term[0])
            if self._matches(term if result is None else term[1:], domain):
                return result or "pass"
        if not redirect:
            return "neutral"
        self._count()
        if (result := self.evaluate(redirect)) == "none":
            raise SpfError(f"{redirect}, which {domain} redirects to, has no SPF record")
        return result

    def _matches(self, mechanism: str, domain: str) -> bool:
        """Whether a mechanism matches the address."""
        head, slash, length = mechanism.partition("/")
        if mechanism.lower().startswith("ip6:"):
            head, slash, length = mechanism, "", ""
        name, _, value = head.partition(":")
        match name.lower():
            case "all":
                return True
            case "ip4" | "ip6":
                return self._is_in(f"{value}{slash}{length}")
            case "include":
                self._count()
                if "%" in value:
                    return self._skip_macro()
                result = self.evaluate(value)
                if result == "none":
                    raise SpfError(f"{value}, which {domain} includes, has no SPF record")
                return result == "pass"
            case "a" | "mx" | "exists" | "ptr":
                self._count()
                if "%" in value or name.lower() == "ptr":
                    return self._skip_macro()
                return self._is_found(name.lower(), value or domain, length)
        raise SpfError(f"{domain} has a term that does not exist: {mechanism}")

    def _is_found(self, name: str, host: str, length: str) -> bool:
        """Whether the address is one of those that the name leads to."""
        hosts = self._names.find_exchangers(host) if name == "mx" else [host]
        if name == "mx" and len(hosts) > MOST_LOOKUPS:
            raise SpfError(f"{host} has more than {MOST_LOOKUPS} MX records")
        addresses = [one for each in hosts if each for one in self._names.find_addresses(each)]
        if not addresses:
            self._counts.void += 1
            if self._counts.void > _MOST_VOID:
                raise SpfError(f"more than {_MOST_VOID} look-ups find nothing, the last {host}")
        if name == "exists":
            return bool(addresses) and self._address is not None
        short, _, long = length.partition("//")
        sizes = {4: short or "32", 6: long or "128"}
        return any(self._is_in(f"{one}/{sizes[one.version]}") for one in addresses)

    def _is_in(self, network: str) -> bool:
        """Whether the address is in a network."""
        try:
            within = ip_network(network, strict=False)
        except ValueError:
            raise SpfError(f"{network} is no network") from None
        address = self._address
        if isinstance(address, IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        return address is not None and address in within

    def _skip_macro(self) -> bool:
        self._counts.is_partial = True
        return False

    def _count(self) -> None:
        """Count a look-up. A receiver gives up at the eleventh."""
        self._counts.lookups += 1
        if self._counts.lookups > MOST_LOOKUPS:
            raise SpfError(f"more than {MOST_LOOKUPS} look-ups, receivers do not follow them")
