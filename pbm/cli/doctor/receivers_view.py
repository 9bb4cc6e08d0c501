"""The checks of `pbm doctor --delivery`: the domain as the receivers of its mails see it.

It asks name servers and the domain's own mail hosts; a list of spammers only when one is named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

import dkim

from pbm.cli.doctor.finding import Finding
from pbm.cli.doctor.mail_routes import is_loopback
from pbm.cli.doctor.names import Address, Names, NamesError
from pbm.cli.doctor.spf import MOST_LOOKUPS, SpfError, evaluate_spf, list_spf_records
from pbm.config import Config, ConfigError
from pbm.mail.signer import Signer, find_from_domain, load_signer

_SHORT_KEY = 2048
_ASK_AGAIN = "try --name-server, or again later"
_PIECE = 250
"""Characters of one string of a TXT record, which has at most 255."""


@dataclass(frozen=True, slots=True)
class Route:
    """How mail leaves: the addresses that connect to receivers, as far as they are known, and the
    selector of the key that signs."""

    names: Names
    selector: str
    senders: Sequence[Address]
    block_lists: Sequence[str] = ()


def find_view(views: Sequence[Config], mail: bytes) -> Config:
    """Return the view of the domain that a mail says it comes from; the first for any other."""
    domain = find_from_domain(mail)
    return next((view for view in views if view.server.host.lower() == domain), views[0])


def plan_route(
    config: Config, names: Names, selector: str, senders: Sequence[str], block_lists: Sequence[str]
) -> Route:
    """Return the route of the configuration. Where the relay is on this machine and no senders are
    given, mail comes from the hosts that the domain's MX records name."""
    addresses = [ip_address(one) for one in senders]
    if not addresses and is_loopback(urlsplit(config.relay.url).hostname or "localhost"):
        try:
            for host in names.find_exchangers(config.server.host):
                addresses += names.find_addresses(host) if host else []
        except NamesError:
            addresses = []  # check_exchangers says so
    return Route(names, selector or config.dkim.selector, addresses, block_lists)


def check_names(config: Config, route: Route) -> Iterator[Finding]:
    """Report all that the DNS says of the domain."""
    for check in (check_exchangers, check_spf, check_dkim, check_dmarc):
        try:
            yield from check(config, route)
        except NamesError as error:
            what = check.__name__.removeprefix("check_")
            yield Finding(what, "BAD", str(error), _ASK_AGAIN)


def check_senders(route: Route) -> Iterator[Finding]:
    """Report all that the DNS says of the addresses that mail is sent from."""
    try:
        yield from check_reverse(route)
    except NamesError as error:
        yield Finding("reverse", "BAD", str(error), _ASK_AGAIN)
    for zone in route.block_lists:
        for address in route.senders:
            yield _check_block_list(route, zone, address)


def check_exchangers(config: Config, route: Route) -> Iterator[Finding]:
    """Check the MX, and the addresses behind it."""
    domain, names = config.server.host, route.names
    hosts = names.find_exchangers(domain)
    if not hosts:
        record = f"{domain}. MX 10 {config.server.trusts or domain}."
        yield Finding("mx", "BAD", f"{domain} has no MX record", "add it", record)
    for host in hosts:
        if not host:
            do = "remove the record `MX 0 .`"
            yield Finding("mx", "BAD", f"{domain} says that it accepts no mail", do)
            continue
        addresses = names.find_addresses(host)
        if alias := names.find_alias(host):
            do = f"name {alias} in the MX record"
            yield Finding("mx", "BAD", f"{host} is an alias, which an MX must not be", do)
        elif not addresses:
            record = f"{host}. A (the address of that host)"
            yield Finding("mx", "BAD", f"{host} has no address", "add it", record)
        else:
            yield Finding("mx", "ok", f"{host}: {', '.join(map(str, addresses))}")


def check_reverse(route: Route) -> Iterator[Finding]:
    """Check whether each sending address has a name that leads back to it."""
    if not route.senders:
        yield Finding(
            "reverse name",
            "note",
            "not known from where the relay sends",
            "name its addresses with --sends-from; a provider sees to this itself",
        )
    for address in route.senders:
        hosts = route.names.find_hosts(address)
        confirmed = [one for one in hosts if address in route.names.find_addresses(one)]
        do = "have whoever gave you the address set it to the host that sends"
        if not hosts:
            yield Finding("reverse name", "BAD", f"{address} has none", do)
        elif not confirmed:
            says = f"{address} is {hosts[0]}, whose addresses are others"
            yield Finding("reverse name", "BAD", says, do)
        else:
            yield Finding("reverse name", "ok", f"{address} is {confirmed[0]}")


def check_spf(config: Config, route: Route) -> Iterator[Finding]:
    """Check whether mail from the sending addresses passes, within the look-ups that receivers
    make."""
    domain, names = config.server.host, route.names
    record = format_txt(domain, _suggest_spf(route))
    records = list_spf_records(names, domain)
    if not records:
        yield Finding("spf", "BAD", f"{domain} has no SPF record", "add it", record)
        return
    try:
        most = evaluate_spf(names, domain, None)
        yield Finding("spf", "ok", f"{records[0]} ({most.lookups} of {MOST_LOOKUPS} look-ups)")
        if most.result not in ("fail", "softfail"):
            do = "end the record with -all or ~all"
            yield Finding("spf", "note", f"for everybody else it says {most.result}", do)
        for address in route.senders:
            result = evaluate_spf(names, domain, address)
            if result.result == "pass":
                yield Finding("spf", "ok", f"pass for {address}")
            elif result.is_partial:
                do = "see what a mail that arrived says"
                yield Finding("spf", "note", f"{address}: the record's macros decide", do)
            else:
                do = f"add {_format_mechanism(address)} to the record"
                yield Finding("spf", "BAD", f"{result.result} for {address}", do)
    except SpfError as error:
        yield Finding("spf", "BAD", str(error), "mend the record", record)


def _suggest_spf(route: Route) -> str:
    """Return a record for the sending addresses, or for those of the MX records."""
    terms = [_format_mechanism(one) for one in route.senders] or ["mx"]
    return f"v=spf1 {' '.join(terms)} -all"


def _format_mechanism(address: Address) -> str:
    return f"ip{address.version}:{address}"


def check_dkim(config: Config, route: Route) -> Iterator[Finding]:
    """Check whether the key is found, fits and verifies a mail that the server signs."""
    name = f"{route.selector}._domainkey.{config.server.host}"
    signer: Signer | None = None
    if config.dkim.key:
        try:
            signer = load_signer(config)
        except ConfigError as error:
            yield Finding("dkim", "BAD", str(error), "openssl genrsa -out FILE 2048")
            return
    record = format_txt(name, signer.record) if signer else ""
    texts = route.names.find_texts(name)
    if not texts:
        do = "add it" if signer else "publish the key of what signs, or set [dkim] key"
        yield Finding("dkim", "BAD", f"no key at {name}", do, record)
        return
    tags = _parse_tags(texts[0])
    if len(texts) > 1 or not tags.get("p"):
        says = f"{len(texts)} keys" if len(texts) > 1 else "the key is empty: it was revoked"
        yield Finding("dkim", "BAD", f"{name}: {says}", "leave one record", record)
        return
    if signer is None:
        yield Finding("dkim", "ok", f"a key at {name}; the relay signs")
        return
    if tags["p"] != _parse_tags(signer.record)["p"]:
        says = f"the key at {name} is not that of [dkim] key"
        yield Finding("dkim", "BAD", says, "replace the record", record)
        return
    mail = f"From: {config.server.address}\r\nSubject: test\r\n\r\nA test.\r\n".encode()
    yield verify_signature(config, route, signer.sign(mail), "a test mail")
    if signer.bits < _SHORT_KEY:
        do = f"openssl genrsa -out FILE {_SHORT_KEY}, then the new record under another selector"
        yield Finding("dkim", "note", f"the key has {signer.bits} bits only", do)


def verify_signature(config: Config, route: Route, mail: bytes, what: str) -> Finding:
    """Check whether a receiver can verify a mail as one of the domain's."""
    if not re.search(rb"^dkim-signature:", mail, re.I | re.M):
        do = "set [dkim] key, or have the relay sign"
        return Finding("dkim", "BAD", f"{what} is not signed", do)
    signed = dkim.DKIM(mail)

    def find_key(name: bytes, timeout: int = 5) -> bytes:
        texts = route.names.find_texts(name.decode())
        return texts[0].encode() if texts else b""

    try:
        is_genuine = signed.verify(dnsfunc=find_key)
        says = "the signature does not fit: the relay changes mails after they are signed"
    except (dkim.DKIMException, NamesError) as error:
        is_genuine, says = False, f"the signature cannot be verified: {str(error)[:100]}"
    if not is_genuine:
        return Finding("dkim", "BAD", f"{what}: {says}", "sign where mail leaves for good")
    by = (signed.domain or b"").decode()
    domain = config.server.host.lower()
    if domain != by.lower() and not domain.endswith(f".{by.lower()}"):
        do = f"have {config.server.host} sign"
        return Finding("dkim", "BAD", f"{what} is signed by {by} alone", do)
    return Finding("dkim", "ok", f"{what} is signed by {by} and verified")


def check_dmarc(config: Config, route: Route) -> Iterator[Finding]:
    """Report the policy for mails that neither SPF nor DKIM proves."""
    domain = config.server.host
    labels = domain.split(".")
    record = format_txt(f"_dmarc.{domain}", "v=DMARC1; p=quarantine")
    for start in range(max(1, len(labels) - 1)):
        parent = ".".join(labels[start:])
        texts = [
            text
            for text in route.names.find_texts(f"_dmarc.{parent}")
            if text.replace(" ", "").startswith("v=DMARC1")
        ]
        if not texts:
            continue
        tags = _parse_tags(texts[0])
        policy = tags.get("sp" if start and "sp" in tags else "p", "").lower()
        if len(texts) > 1 or policy not in ("none", "quarantine", "reject"):
            says = f"_dmarc.{parent} has {len(texts)} records, p={policy}"
            yield Finding("dmarc", "BAD", says, "leave one record with a policy", record)
        elif policy == "none":
            do = "when SPF and DKIM are ok: p=quarantine"
            yield Finding("dmarc", "note", f"_dmarc.{parent}: p=none protects nothing", do)
        else:
            yield Finding("dmarc", "ok", f"_dmarc.{parent}: p={policy}")
        return
    yield Finding("dmarc", "BAD", f"{domain} has no DMARC record", "add it", record)


def _check_block_list(route: Route, zone: str, address: Address) -> Finding:
    """Check whether a list of spammers has the address (RFC 5782)."""
    name = address.reverse_pointer.removesuffix(".in-addr.arpa").removesuffix(".ip6.arpa")
    try:
        codes = route.names.find_addresses(f"{name}.{zone}")
        why = route.names.find_texts(f"{name}.{zone}") if codes else []
    except NamesError as error:
        return Finding("block list", "note", f"{zone}: {error}", "ask another name server")
    if any(str(code).startswith("127.255.") for code in codes):
        do = "ask another name server: the list does not answer this one"
        return Finding("block list", "note", f"{zone} refuses to answer", do)
    if codes:
        says = f"{zone} lists {address}: {' '.join(why)[:120] or codes[0]}"
        return Finding("block list", "BAD", says, "ask for its removal there")
    return Finding("block list", "ok", f"{address} is not listed by {zone}")


def _parse_tags(text: str) -> dict[str, str]:
    """Return the tags of a record, `name=value; …`."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip(): re.sub(r"\s", "", value) for name, _, value in pairs if name.strip()}


def format_txt(name: str, text: str) -> str:
    """Return a TXT record as zone files have it."""
    pieces = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
    return f"{name}. TXT " + " ".join(f'"{piece}"' for piece in pieces)
