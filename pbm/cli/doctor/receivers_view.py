"""The checks of `pbm doctor --delivery`: the domain as the receivers of its mails see it.

It asks name servers and the domain's own mail hosts; a list of spammers only when one is named."""

from __future__ import annotations

import os
import re
import smtplib
import socket
import ssl
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path
from urllib.parse import unquote, urlsplit

import dkim

from pbm.cli import CommandFailed
from pbm.cli.doctor.host import (
    RESTART,
    Address,
    NameLookup,
    NamesError,
    ReportLine,
    find_nearest_existing,
    summarize,
)
from pbm.cli.mailing import find_smtp_address
from pbm.config import Config, ConfigError
from pbm.mail.imap import describe_failure, open_mailbox, parse_account
from pbm.mail.signer import Signer, find_from_domain, load_signer

_SHORT_KEY = 2048
_ASK_AGAIN = "try --name-server, or again later"
_PIECE = 250
"""The most characters in one string of a TXT record; DNS allows 255."""


@dataclass(frozen=True, slots=True)
class Route:
    """How mail leaves: the known addresses that connect to receivers, and the selector of the
    signing key."""

    names: NameLookup
    selector: str
    senders: Sequence[Address]
    block_lists: Sequence[str] = ()


def find_view(views: Sequence[Config], mail: bytes) -> Config:
    """Return the view of the domain in the sender of a mail; the first for an unknown domain."""
    domain = find_from_domain(mail)
    return next((view for view in views if view.server.host.lower() == domain), views[0])


def plan_route(
    config: Config,
    names: NameLookup,
    selector: str,
    senders: Sequence[str],
    block_lists: Sequence[str],
) -> Route:
    """Return the route of the configuration. If the relay is on this machine and no senders are
    given, mail comes from the hosts of the domain's MX records."""
    addresses = [ip_address(one) for one in senders]
    if not addresses and is_loopback(urlsplit(config.relay.url).hostname or "localhost"):
        try:
            for host in names.find_exchangers(config.server.host):
                addresses += names.find_addresses(host) if host else []
        except NamesError:
            addresses = []  # check_exchangers says so
    return Route(names, selector or config.dkim.selector, addresses, block_lists)


def check_names(config: Config, route: Route) -> Iterator[ReportLine]:
    """Report the DNS records of the domain."""
    for check in (check_exchangers, check_spf, check_dkim, check_dmarc):
        try:
            yield from check(config, route)
        except NamesError as error:
            what = check.__name__.removeprefix("check_")
            yield ReportLine(what, "BAD", str(error), _ASK_AGAIN)


def check_senders(route: Route) -> Iterator[ReportLine]:
    """Report the DNS records of the sending addresses."""
    try:
        yield from check_reverse(route)
    except NamesError as error:
        yield ReportLine("reverse", "BAD", str(error), _ASK_AGAIN)
    for zone in route.block_lists:
        for address in route.senders:
            yield _check_block_list(route, zone, address)


def check_exchangers(config: Config, route: Route) -> Iterator[ReportLine]:
    """Check the MX records, and the addresses behind them."""
    domain, names = config.server.host, route.names
    hosts = names.find_exchangers(domain)
    if not hosts:
        record = f"{domain}. MX 10 {config.server.trusts or domain}."
        yield ReportLine("mx", "BAD", f"{domain} has no MX record", "add it", record)
    for host in hosts:
        if not host:
            do = "remove the record `MX 0 .`"
            yield ReportLine("mx", "BAD", f"{domain} says that it accepts no mail", do)
            continue
        addresses = names.find_addresses(host)
        if alias := names.find_alias(host):
            do = f"name {alias} in the MX record"
            yield ReportLine("mx", "BAD", f"{host} is an alias, which an MX must not be", do)
        elif not addresses:
            record = f"{host}. A (the address of that host)"
            yield ReportLine("mx", "BAD", f"{host} has no address", "add it", record)
        else:
            yield ReportLine("mx", "ok", f"{host}: {', '.join(map(str, addresses))}")


def check_reverse(route: Route) -> Iterator[ReportLine]:
    """Check whether each sending address has a name that resolves back to it."""
    if not route.senders:
        yield ReportLine(
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
            yield ReportLine("reverse name", "BAD", f"{address} has none", do)
        elif not confirmed:
            says = f"{address} is {hosts[0]}, whose addresses are others"
            yield ReportLine("reverse name", "BAD", says, do)
        else:
            yield ReportLine("reverse name", "ok", f"{address} is {confirmed[0]}")


def check_spf(config: Config, route: Route) -> Iterator[ReportLine]:
    """Check whether mail from the sending addresses passes SPF within the receivers' limit of
    look-ups."""
    domain, names = config.server.host, route.names
    record = format_txt(domain, _suggest_spf(route))
    records = list_spf_records(names, domain)
    if not records:
        yield ReportLine("spf", "BAD", f"{domain} has no SPF record", "add it", record)
        return
    try:
        most = evaluate_spf(names, domain, None)
        yield ReportLine("spf", "ok", f"{records[0]} ({most.lookups} of {MOST_LOOKUPS} look-ups)")
        if most.result not in ("fail", "softfail"):
            do = "end the record with -all or ~all"
            yield ReportLine("spf", "note", f"for everybody else it says {most.result}", do)
        for address in route.senders:
            result = evaluate_spf(names, domain, address)
            if result.result == "pass":
                yield ReportLine("spf", "ok", f"pass for {address}")
            elif result.is_partial:
                do = "see what a mail that arrived says"
                yield ReportLine("spf", "note", f"{address}: the record's macros decide", do)
            else:
                do = f"add {_format_mechanism(address)} to the record"
                yield ReportLine("spf", "BAD", f"{result.result} for {address}", do)
    except SpfError as error:
        yield ReportLine("spf", "BAD", str(error), "mend the record", record)


def _suggest_spf(route: Route) -> str:
    """Return a record for the sending addresses, or for those of the MX records."""
    terms = [_format_mechanism(one) for one in route.senders] or ["mx"]
    return f"v=spf1 {' '.join(terms)} -all"


def _format_mechanism(address: Address) -> str:
    return f"ip{address.version}:{address}"


def check_dkim(config: Config, route: Route) -> Iterator[ReportLine]:
    """Check whether the key is found, fits and verifies a mail that the server signs."""
    name = f"{route.selector}._domainkey.{config.server.host}"
    signer: Signer | None = None
    if config.dkim.key:
        try:
            signer = load_signer(config)
        except ConfigError as error:
            yield ReportLine("dkim", "BAD", str(error), "openssl genrsa -out FILE 2048")
            return
    record = format_txt(name, signer.record) if signer else ""
    texts = route.names.find_texts(name)
    if not texts:
        do = "add it" if signer else "publish the key of what signs, or set [dkim] key"
        yield ReportLine("dkim", "BAD", f"no key at {name}", do, record)
        return
    tags = _parse_tags(texts[0])
    if len(texts) > 1 or not tags.get("p"):
        says = f"{len(texts)} keys" if len(texts) > 1 else "the key is empty: it was revoked"
        yield ReportLine("dkim", "BAD", f"{name}: {says}", "leave one record", record)
        return
    if signer is None:
        yield ReportLine("dkim", "ok", f"a key at {name}; the relay signs")
        return
    if tags["p"] != _parse_tags(signer.record)["p"]:
        says = f"the key at {name} is not that of [dkim] key"
        yield ReportLine("dkim", "BAD", says, "replace the record", record)
        return
    mail = f"From: {config.server.address}\r\nSubject: test\r\n\r\nA test.\r\n".encode()
    yield verify_signature(config, route, signer.sign(mail), "a test mail")
    if signer.bits < _SHORT_KEY:
        do = f"openssl genrsa -out FILE {_SHORT_KEY}, then the new record under another selector"
        yield ReportLine("dkim", "note", f"the key has {signer.bits} bits only", do)


def verify_signature(config: Config, route: Route, mail: bytes, what: str) -> ReportLine:
    """Check whether a receiver can verify a mail as one of the domain's."""
    if not re.search(rb"^dkim-signature:", mail, re.I | re.M):
        do = "set [dkim] key, or have the relay sign"
        return ReportLine("dkim", "BAD", f"{what} is not signed", do)
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
        return ReportLine("dkim", "BAD", f"{what}: {says}", "sign where mail leaves for good")
    by = (signed.domain or b"").decode()
    domain = config.server.host.lower()
    if domain != by.lower() and not domain.endswith(f".{by.lower()}"):
        do = f"have {config.server.host} sign"
        return ReportLine("dkim", "BAD", f"{what} is signed by {by} alone", do)
    return ReportLine("dkim", "ok", f"{what} is signed by {by} and verified")


def check_dmarc(config: Config, route: Route) -> Iterator[ReportLine]:
    """Report the policy for mails that pass neither SPF nor DKIM."""
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
            yield ReportLine("dmarc", "BAD", says, "leave one record with a policy", record)
        elif policy == "none":
            do = "when SPF and DKIM are ok: p=quarantine"
            yield ReportLine("dmarc", "note", f"_dmarc.{parent}: p=none protects nothing", do)
        else:
            yield ReportLine("dmarc", "ok", f"_dmarc.{parent}: p={policy}")
        return
    yield ReportLine("dmarc", "BAD", f"{domain} has no DMARC record", "add it", record)


def _check_block_list(route: Route, zone: str, address: Address) -> ReportLine:
    """Check whether a block list contains the address (RFC 5782)."""
    name = address.reverse_pointer.removesuffix(".in-addr.arpa").removesuffix(".ip6.arpa")
    try:
        codes = route.names.find_addresses(f"{name}.{zone}")
        why = route.names.find_texts(f"{name}.{zone}") if codes else []
    except NamesError as error:
        return ReportLine("block list", "note", f"{zone}: {error}", "ask another name server")
    if any(str(code).startswith("127.255.") for code in codes):
        do = "ask another name server: the list does not answer this one"
        return ReportLine("block list", "note", f"{zone} refuses to answer", do)
    if codes:
        says = f"{zone} lists {address}: {' '.join(why)[:120] or codes[0]}"
        return ReportLine("block list", "BAD", says, "ask for its removal there")
    return ReportLine("block list", "ok", f"{address} is not listed by {zone}")


def _parse_tags(text: str) -> dict[str, str]:
    """Return the tags of a record, `name=value; …`."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip(): re.sub(r"\s", "", value) for name, _, value in pairs if name.strip()}


def format_txt(name: str, text: str) -> str:
    """Return a TXT record in the syntax of zone files."""
    pieces = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
    return f"{name}. TXT " + " ".join(f'"{piece}"' for piece in pieces)


# Checks of how mail comes and goes: listener, mailbox, relay.


def check_listener(config: Config) -> Iterator[ReportLine]:
    try:
        host, port = find_smtp_address(config)
    except CommandFailed:
        return
    local, domain = config.server.local, config.server.host
    try:
        with smtplib.SMTP(host, port, timeout=10) as client:
            client.ehlo()
            for what, address in (
                ("own address", config.server.address),
                ("subaddress", f"{local}+u0-aaaaaaaaaaaaaaaa@{domain}"),
            ):
                client.mail("")
                code, reply = client.rcpt(address)
                client.rset()
                fits = code == 250
                yield ReportLine(
                    what,
                    "ok" if fits else "BAD",
                    f"the listener at {host}:{port} says {code} {reply.decode()[:60]}",
                    "" if fits else "is another server listening there?",
                )
    except (OSError, smtplib.SMTPException) as error:
        do = "start it with pbm serve" if isinstance(error, ConnectionRefusedError) else RESTART
        yield ReportLine("listener", "BAD", f"{host}:{port}: {summarize(error)}", do)


def check_trusted_peers(config: Config) -> Iterator[ReportLine]:
    """Check whether any SMTP client would count as the trusted mail server."""
    server, smtp = config.server, config.smtp
    if not server.trusts or not smtp.listen or smtp.listen.startswith("unix:"):
        return
    if server.trusted_peers:
        yield ReportLine(
            "trusts", "ok", f"by SMTP: {server.trusts} at {', '.join(server.trusted_peers)}"
        )
        return
    yield ReportLine(
        "trusts",
        "note" if config.lmtp.listen or config.imap.url else "BAD",
        f"no SMTP client counts as {server.trusts}: what it says of a sender is not believed",
        'name it in [server] trusted_peers; where it uses no SMTP, set [smtp] listen = ""',
    )


def check_mailbox(config: Config) -> Iterator[ReportLine]:
    """Log in to the mailbox and count its mails. Of an error only the kind is shown, since a
    server's words may contain the account."""
    if not config.imap.url:
        return
    try:
        account = parse_account(config.imap.url)
    except ConfigError as error:
        yield ReportLine("mailbox", "BAD", str(error), "see [imap] url")
        return
    try:
        with open_mailbox(account) as box:
            count = len(box.uids("ALL"))
        yield ReportLine("mailbox", "ok", f"{account.host}: {count} mails in {account.folder}")
    except ConfigError as error:
        yield ReportLine("mailbox", "BAD", str(error), "see [imap] url")
    except Exception as error:
        says = f"{account.place}: {describe_failure(error)}"
        yield ReportLine("mailbox", "BAD", says, _advise_mailbox(error))


def _advise_mailbox(error: Exception) -> str:
    """Return advice when the mailbox cannot be read."""
    kind = type(error).__name__
    if isinstance(error, socket.gaierror):
        return "no such host: see [imap] url"
    if isinstance(error, ssl.SSLError):
        return "TLS failed: check its certificate, and [imap] url for imaps:// or imap+starttls://"
    if isinstance(error, ConnectionError | TimeoutError):
        return "no answer at that host and port: is it running, is there a firewall?"
    if "Login" in kind:
        return "wrong user or password, or the provider requires an app password"
    if "Folder" in kind:
        return "no such folder: see the path of [imap] url"
    return "see [imap] url: host, user, password"


def check_relay(config: Config) -> Iterator[ReportLine]:
    scheme, _, rest = config.relay.url.partition(":")
    at = scheme if "smtp" not in scheme else "{}:{}".format(*_parse_relay_address(config))
    try:
        if scheme == "maildir":
            reply = _probe_maildir(Path(rest))
        elif scheme == "sendmail":
            reply = _probe_sendmail(rest)
        else:
            reply = _probe_smtp(config)
        yield ReportLine("relay", "ok", reply)
    except (OSError, smtplib.SMTPException, ValueError) as error:
        yield ReportLine("relay", "BAD", f"{at}: {summarize(error)}", _advise_relay(error))


def _advise_relay(error: Exception) -> str:
    """Return advice when the relay cannot be used."""
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return "wrong user or password in [relay] url, or the provider requires an app password"
    if isinstance(error, smtplib.SMTPResponseException):
        return "have the relay accept mail from this machine, or log in: see [relay] url"
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there: start the relay, or correct [relay] url"
    if isinstance(error, socket.gaierror):
        return "no such host: see [relay] url"
    if isinstance(error, ssl.SSLError):
        return "check its certificate, and whether [relay] url is smtps:// or smtp+starttls://"
    if isinstance(error, TimeoutError | smtplib.SMTPServerDisconnected):
        return "no answer at that host and port: is it running, is there a firewall?"
    return "check [relay] url"


def _probe_maildir(folder: Path) -> str:
    parent = find_nearest_existing(folder.absolute())
    if not os.access(parent, os.W_OK):
        raise PermissionError(13, "not writable", str(parent))
    return f"mails become files under {folder}; none leaves this machine"


def _probe_sendmail(path: str) -> str:
    if not os.access(path, os.X_OK):
        raise FileNotFoundError(2, "no such program", path)
    return f"mails go to {path}"


def _parse_relay_address(config: Config) -> tuple[str, int]:
    parts = urlsplit(config.relay.url)
    return parts.hostname or "localhost", parts.port or (465 if parts.scheme == "smtps" else 25)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def connect_to_relay(config: Config) -> smtplib.SMTP:
    """Return an SMTP session with the relay, logged in if its URL has a user."""
    parts = urlsplit(config.relay.url)
    implicit = parts.scheme == "smtps"
    host, port = _parse_relay_address(config)
    context = ssl.create_default_context()
    client: smtplib.SMTP = (
        smtplib.SMTP_SSL(host, port, timeout=20, context=context)
        if implicit
        else smtplib.SMTP(host, port, timeout=20)
    )
    if parts.scheme == "smtp+starttls":
        client.starttls(context=context)
    if parts.username:
        client.login(unquote(parts.username), unquote(parts.password or ""))
    return client


def _probe_smtp(config: Config) -> str:
    """Offer the relay a mail to the server's own address, without sending it."""
    with connect_to_relay(config) as client:
        client.ehlo_or_helo_if_needed()
        client.mail("")
        code, reply = client.rcpt(config.server.address)
        client.rset()
    if code >= 400:
        raise smtplib.SMTPResponseException(code, reply)
    return f"{urlsplit(config.relay.url).hostname} accepts mail ({code})"


# Evaluates SPF records (RFC 7208), and counts the look-ups that they cost a receiver.

MOST_LOOKUPS = 10
_MOST_VOID = 2
_RESULTS = {"+": "pass", "-": "fail", "~": "softfail", "?": "neutral"}


class SpfError(Exception):
    """The record is invalid: receivers treat it as an error."""


@dataclass(slots=True)
class SpfResult:
    """A receiver's result, and its look-ups. `is_partial`: there are macros, which were not
    followed."""

    result: str = "none"
    lookups: int = 0
    void: int = 0
    is_partial: bool = False


def evaluate_spf(names: NameLookup, domain: str, address: Address | None) -> SpfResult:
    """Return the result of a domain's record for mail from the address; for None, which no term but
    `all` matches, so that all possible look-ups are counted. SpfError for an invalid record."""
    result = SpfResult()
    result.result = _Evaluation(names, address, result).evaluate(domain)
    return result


def list_spf_records(names: NameLookup, domain: str) -> list[str]:
    """Return the SPF records of a domain; there must be exactly one."""
    return [text for text in names.find_texts(domain) if text.lower().partition(" ")[0] == "v=spf1"]


class _Evaluation:
    def __init__(self, names: NameLookup, address: Address | None, counts: SpfResult) -> None:
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
