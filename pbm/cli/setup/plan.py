"""The files of a new server, its DNS records and what is left to do, as answers give them."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from pbm.cli import TRY_AGAIN, USAGE, Failed
from pbm.cli.config_files import read_config_file
from pbm.cli.doctor.receivers_view import format_txt
from pbm.cli.rsa_key import BITS, make_rsa_key
from pbm.cli.setup import mail_servers
from pbm.cli.setup.answers import BEHIND, MAILBOX, MX, POSTGRESQL_URL, Answers
from pbm.config import ConfigError, parse
from pbm.mail.signer import Signer

_PROGRAM = "/opt/pbm/bin/pbm"
_SELECTOR = "pbm"
_SYSTEM_UNITS = Path("/lib/systemd/system")
SECRET, PUBLIC = 0o640, 0o644


class PlannedFile(Struct, frozen=True):
    """A file to be written: where, its text, what is shown of it ("" = it is shown elsewhere), and
    its mode."""

    path: Path
    text: str
    shown: str
    mode: int = PUBLIC


class Plan(Struct, frozen=True):
    """The files, the records for the DNS, and the commands that are left to type."""

    files: Sequence[PlannedFile]
    records: Sequence[str]
    steps: Sequence[str]


def make_plan(answers: Answers) -> Plan:
    """Return the plan for the answers. Failed when the configuration would not load, or when no key
    can be made."""
    key = _make_key(answers) if answers.signs and answers.way != MAILBOX else None
    configuration = _write_configuration(answers, hides=False)
    try:
        parse(configuration)
    except ConfigError as error:
        raise Failed(str(error).removeprefix("configuration:"), USAGE) from None
    shown = _write_configuration(answers, hides=True)
    files = [PlannedFile(answers.folder / "pbm.toml", configuration, shown, SECRET)]
    if key is not None:
        says = "(a private key, not shown)\n"
        files.append(PlannedFile(answers.folder / "dkim.pem", key, says, SECRET))
    if answers.way == BEHIND:
        lines = mail_servers.write_lines(answers)
        name = f"{answers.mail_server}.cf"
        files.append(PlannedFile(answers.folder / name, lines, lines))
    records = list(_list_records(answers, key))
    if records:
        text = "".join(f"{record}\n" for record in records)
        files.append(PlannedFile(answers.folder / "dns.txt", text, ""))
    files += _list_units(answers)
    return Plan(files, records, list(_list_steps(answers)))


def _write_configuration(answers: Answers, *, hides: bool) -> str:
    """Write pbm.toml; with `hides`, without passwords."""
    sections: dict[str, dict[str, str | int]] = {
        "server": {"address": answers.address},
        "database": {"url": answers.build_database_url(hides=hides)},
        "smtp": {"listen": "0.0.0.0:25" if answers.way == MX else ""},
        "relay": {"url": answers.build_relay_url(hides=hides)},
    }
    if answers.way == BEHIND:
        sections["lmtp"] = {"listen": "127.0.0.1:2424"}
    if answers.way == MX and (certificate := answers.folder / "fullchain.pem").exists():
        key = answers.folder / "privkey.pem"
        sections["smtp"] |= {"certificate": str(certificate), "key": str(key)}
    if answers.way == MAILBOX:
        sections["imap"] = {"url": answers.build_imap_url(hides=hides)}
        sections["relay"]["sessions"] = 1
    elif answers.signs:
        sections["dkim"] = {"key": str(answers.folder / "dkim.pem")}
    sections["players"] = {"signups": answers.signups}
    lines = [
        "# The configuration of pbm. Keys that are not here have their defaults, which the manual",
        "# page pbm.toml(5) lists: pbm manual pbm.toml.5 | man -l -",
    ]
    for section, keys in sections.items():
        lines.append(f"\n[{section}]")
        lines += [f"{name} = {json.dumps(value)}" for name, value in keys.items()]
    return "\n".join(lines) + "\n"


def _make_key(answers: Answers) -> str:
    """Return the key that is there already, else a new one. Failed without openssl."""
    path = answers.folder / "dkim.pem"
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        pass
    except (OSError, UnicodeDecodeError) as error:
        raise Failed(f"{path} cannot be read: {error}", TRY_AGAIN) from None
    return make_rsa_key("--no-dkim")


def _list_records(answers: Answers, key: str | None) -> Iterator[str]:
    """Yield the records that the DNS of the domain needs, as zone files have them."""
    domain = answers.domain
    if answers.way == MAILBOX:
        return
    if answers.way == MX:
        yield f"{domain}. A (the address of this host)"
        yield f"{domain}. MX 10 {domain}."
    elif not mail_servers.is_local_domain(answers):
        yield f"{domain}. MX 10 {answers.host}."
    yield format_txt(domain, " ".join(filter(None, ("v=spf1 mx", answers.spf, "-all"))))
    if key is not None:
        yield format_txt(f"{_SELECTOR}._domainkey.{domain}", _read_public_half(answers, key))
    yield format_txt(f"_dmarc.{domain}", "v=DMARC1; p=quarantine")


def _read_public_half(answers: Answers, key: str) -> str:
    """Return the TXT record of the key."""
    try:
        return Signer(answers.domain, _SELECTOR, key.encode()).record
    except Exception:  # as many kinds as there are ways not to be a key
        path = answers.folder / "dkim.pem"
        raise Failed(f"{path} is no RSA key: openssl genrsa -out {path} {BITS}", USAGE) from None


def _list_units(answers: Answers) -> Iterator[PlannedFile]:
    """Yield the units of systemd, for the program that runs now; none that a package has
    brought."""
    names = ["pbm.service", *(["pbm.socket"] if answers.way == MX else [])]
    for name in names:
        if (_SYSTEM_UNITS / name).exists():
            continue
        text = read_config_file(f"systemd/{name}")
        text = text.replace(_PROGRAM, _find_program())
        text = text.replace("/etc/pbm/pbm.toml", str(answers.folder / "pbm.toml"))
        text = text.replace(f"/etc/systemd/system/{name}", str(answers.units / name))
        yield PlannedFile(answers.units / name, text, text)


def _find_program() -> str:
    """Return the program that runs now, as a command to start it by; the usual one for a module."""
    started = Path(sys.argv[0]).absolute()
    return str(started) if started.name == "pbm" and started.is_file() else _PROGRAM


def _list_steps(answers: Answers) -> Iterator[str]:
    """Yield the commands that are left."""
    if answers.way == BEHIND:
        yield from _list_mail_server_steps(answers)
    if answers.database == POSTGRESQL_URL:
        yield "runuser -l postgres -c 'createuser pbm'"
        yield "runuser -l postgres -c 'createdb -O pbm pbm'"
    yield "pbm admin db create"
    yield "systemctl daemon-reload"
    if answers.way == MX:
        yield "systemctl enable --now pbm.socket"
    yield "systemctl enable --now pbm"
    yield "pbm doctor --round-trip"
    if answers.way != MAILBOX:
        yield "pbm doctor --delivery"


def _list_mail_server_steps(answers: Answers) -> Iterator[str]:
    file = shlex.quote(str(answers.folder / f"{answers.mail_server}.cf"))
    if answers.mail_server == mail_servers.POSTFIX:
        yield rf"grep '^[a-z]' {file} | xargs -d '\n' postconf -e"
        yield "postfix check"
        yield "postfix reload"
    elif answers.mail_server == mail_servers.EXIM:
        yield f"less {file}    # it says where each part belongs"
    else:
        yield f"less {file}    # it says where each line belongs"
