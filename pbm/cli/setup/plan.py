"""The files of a new server, its DNS records and the remaining steps, computed from the answers."""

from __future__ import annotations

import contextlib
import grp
import json
import os
import pwd
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from pbm.cli import REFUSED, TRY_AGAIN, USAGE, CommandFailed
from pbm.cli.doctor.receivers_view import format_txt
from pbm.cli.open_database import BITS, make_rsa_key, read_config_file
from pbm.config import ConfigError, parse
from pbm.mail.signer import Signer

_PROGRAM = "/opt/pbm/bin/pbm"
_SELECTOR = "pbm"
_SYSTEM_UNITS = Path("/lib/systemd/system")
SECRET, PUBLIC = 0o640, 0o644


class PlannedFile(Struct, frozen=True):
    """A file to be written: path, text, the text shown for it ("" = shown elsewhere), and mode."""

    path: Path
    text: str
    shown: str
    mode: int = PUBLIC


class SetupPlan(Struct, frozen=True):
    """The files, the DNS records, and the commands left to type."""

    files: Sequence[PlannedFile]
    records: Sequence[str]
    steps: Sequence[str]


def make_plan(answers: SetupAnswers) -> SetupPlan:
    """Return the plan for the answers. Fails when the configuration would not load, or no key can
    be made."""
    key = _make_key(answers) if answers.signs and answers.way != MAILBOX else None
    configuration = _write_configuration(answers, hides=False)
    try:
        parse(configuration)
    except ConfigError as error:
        raise CommandFailed(str(error).removeprefix("configuration:"), USAGE) from None
    shown = _write_configuration(answers, hides=True)
    files = [PlannedFile(answers.folder / "pbm.toml", configuration, shown, SECRET)]
    if key is not None:
        says = "(a private key, not shown)\n"
        files.append(PlannedFile(answers.folder / "dkim.pem", key, says, SECRET))
    if answers.way == BEHIND:
        lines = write_lines(answers)
        name = f"{answers.mail_server}.cf"
        files.append(PlannedFile(answers.folder / name, lines, lines))
    records = list(_list_records(answers, key))
    if records:
        text = "".join(f"{record}\n" for record in records)
        files.append(PlannedFile(answers.folder / "dns.txt", text, ""))
    files += _list_units(answers)
    return SetupPlan(files, records, list(_list_steps(answers)))


def _write_configuration(answers: SetupAnswers, *, hides: bool) -> str:
    """Return the text of pbm.toml; with `hides`, without passwords."""
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


def _make_key(answers: SetupAnswers) -> str:
    """Return the existing key, else a new one. Fails without openssl."""
    path = answers.folder / "dkim.pem"
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        pass
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailed(f"{path} cannot be read: {error}", TRY_AGAIN) from None
    return make_rsa_key("--no-dkim")


def _list_records(answers: SetupAnswers, key: str | None) -> Iterator[str]:
    """Yield the DNS records that the domain needs, in the syntax of zone files."""
    domain = answers.domain
    if answers.way == MAILBOX:
        return
    if answers.way == MX:
        yield f"{domain}. A (the address of this host)"
        yield f"{domain}. MX 10 {domain}."
    elif not is_local_domain(answers):
        yield f"{domain}. MX 10 {answers.host}."
    yield format_txt(domain, " ".join(filter(None, ("v=spf1 mx", answers.spf, "-all"))))
    if key is not None:
        yield format_txt(f"{_SELECTOR}._domainkey.{domain}", _read_public_half(answers, key))
    yield format_txt(f"_dmarc.{domain}", "v=DMARC1; p=quarantine")


def _read_public_half(answers: SetupAnswers, key: str) -> str:
    try:
        return Signer(answers.domain, _SELECTOR, key.encode()).record
    except Exception:  # as many kinds as there are ways not to be a key
        path = answers.folder / "dkim.pem"
        raise CommandFailed(
            f"{path} is no RSA key: openssl genrsa -out {path} {BITS}", USAGE
        ) from None


def _list_units(answers: SetupAnswers) -> Iterator[PlannedFile]:
    """Yield the systemd units for the running program; none if a package has brought them."""
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
    """Return the command that starts the running program; the usual one for a module."""
    started = Path(sys.argv[0]).absolute()
    return str(started) if started.name == "pbm" and started.is_file() else _PROGRAM


def _list_steps(answers: SetupAnswers) -> Iterator[str]:
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


def _list_mail_server_steps(answers: SetupAnswers) -> Iterator[str]:
    file = shlex.quote(str(answers.folder / f"{answers.mail_server}.cf"))
    if answers.mail_server == POSTFIX:
        yield rf"grep '^[a-z]' {file} | xargs -d '\n' postconf -e"
        yield "postfix check"
        yield "postfix reload"
    elif answers.mail_server == EXIM:
        yield f"less {file}    # it says where each part belongs"
    else:
        yield f"less {file}    # it says where each line belongs"


# Writes the planned files, each completely or not at all, and keeps what it replaces.

_USER = "pbm"
_FOLDER_MODE = 0o750


def list_others(files: Sequence[PlannedFile]) -> list[Path]:
    """Return the paths with other files than the planned ones."""
    return [file.path for file in files if not _is_empty(file.path) and not _has_text(file)]


def _is_empty(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except OSError:
        return not path.is_symlink()


def _has_text(file: PlannedFile) -> bool:
    try:
        return file.path.read_bytes() == file.text.encode()
    except OSError:
        return False


def write_files(files: Sequence[PlannedFile], *, replaces: bool) -> list[Path]:
    """Write the missing files, and return the backups made of replaced ones. Fails when others
    exist that may not be replaced, or one cannot be written."""
    others = list_others(files)
    if others and not replaces:
        raise CommandFailed(
            f"{others[0]} is there already: --replace keeps it as {_old(others[0])}", REFUSED
        )
    kept = []
    for file in files:
        if _has_text(file):
            continue
        try:
            if file.path in others:
                os.replace(file.path, _old(file.path))
                kept.append(_old(file.path))
            _write_file(file)
        except OSError as error:
            hint = "; run it as root" if os.geteuid() else ""
            says = f"{file.path} cannot be written: {error.strerror}{hint}"
            raise CommandFailed(says, TRY_AGAIN) from None
    return kept


def _old(path: Path) -> Path:
    return path.with_name(f"{path.name}.old")


def _write_file(file: PlannedFile) -> None:
    """Write one file, whose readers are restricted from the beginning."""
    folder = file.path.parent
    if not folder.exists():
        folder.mkdir(parents=True, mode=0o755)
        os.chmod(folder, _FOLDER_MODE)
        _give_to_group(folder)
    new = file.path.with_name(f"{file.path.name}.new")
    with contextlib.suppress(FileNotFoundError):
        new.unlink()
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as out:
        out.write(file.text)
        out.flush()
        os.fsync(descriptor)
    if file.mode != SECRET or _give_to_group(new):
        os.chmod(new, file.mode)
    os.replace(new, file.path)


def _give_to_group(path: Path) -> bool:
    """Let the server's group read it, if root runs this and the group exists."""
    if os.geteuid():
        return False
    try:
        os.chown(path, 0, grp.getgrnam(_USER).gr_gid)
    except KeyError:
        return False
    return True


def run_doctor(config: Path, *words: str) -> str:
    """Return what `pbm doctor` prints about the configuration, run as the user of the server."""
    given: dict[str, Any] = {}
    if os.geteuid() == 0:
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(_USER)
            given = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    command = [sys.executable, "-m", "pbm", "--config", str(config), "doctor", *words]
    try:
        done: subprocess.CompletedProcess[str] = subprocess.run(  # noqa: S603 (this program)
            command,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            **given,
        )
    except OSError as error:
        return f"pbm doctor cannot be run: {error.strerror}\n"
    return done.stdout + done.stderr


# The answers of whoever sets up a server, from options or questions.

BEHIND, MX, MAILBOX = "behind", "mx", "mailbox"
WAYS: Mapping[str, str] = {
    BEHIND: "behind a mail server on this machine, such as Postfix",
    MX: "as the mail server of its domain, at port 25",
    MAILBOX: "with a mailbox at a provider, by IMAP",
}
SQLITE_URL = "sqlite:////var/lib/pbm/pbm.db"
POSTGRESQL_URL = "postgresql://pbm@/pbm?host=/var/run/postgresql"
_SCHEMES = {25: "smtp", 465: "smtps", 587: "smtp+starttls"}
_SUBMISSION = 587
_PASSWORD = re.compile(r"(://[^/@]*?:).*@")


class SetupAnswers(Struct, frozen=True):
    """How mail reaches and leaves the server, where boards are stored and who may sign up.

    way         behind, mx or mailbox
    address     the address to which players write
    mail_server postfix, exim or opensmtpd, for `behind`
    host        the host name of the mail server ("" = unknown)
    imap, smtp  HOST or HOST:PORT at the provider
    user        the login there, with `password`
    spf         what the SPF record needs beside `mx`, such as include:spf.provider.example
    database    the URL of the database
    signups     open, invited, approved or closed
    folder      the folder of configuration and key
    units       the folder of systemd units
    signs       whether the server signs its mails
    """

    way: str
    address: str
    mail_server: str = ""
    host: str = ""
    imap: str = ""
    smtp: str = ""
    user: str = ""
    password: str = ""
    spf: str = ""
    database: str = SQLITE_URL
    signups: str = "open"
    folder: Path = Path("/etc/pbm")
    units: Path = Path("/etc/systemd/system")
    signs: bool = True

    @property
    def local(self) -> str:
        """The part of the address before the @."""
        return self.address.rpartition("@")[0]

    @property
    def domain(self) -> str:
        """The part of the address after the @."""
        return self.address.rpartition("@")[2]

    def build_database_url(self, *, hides: bool) -> str:
        """Return the URL of the database; with `hides`, dots in place of the password."""
        return _PASSWORD.sub(r"\1...@", self.database) if hides else self.database

    def build_relay_url(self, *, hides: bool) -> str:
        """Return the URL of the relay; with `hides`, dots in place of the password."""
        if self.way == BEHIND:
            return "smtp://127.0.0.1:25"
        host, port = _split_port(self.smtp, _SUBMISSION)
        scheme = _SCHEMES.get(port, "smtp+starttls")
        return f"{scheme}://{self._build_login(hides=hides)}{host}:{port}"

    def build_imap_url(self, *, hides: bool) -> str:
        """Return the URL of the mailbox; with `hides`, dots in place of the password."""
        return f"imaps://{self._build_login(hides=hides)}{self.imap}/INBOX"

    def _build_login(self, *, hides: bool) -> str:
        if not self.user:
            return ""
        password = "..." if hides else quote(self.password, safe="")
        return f"{quote(self.user, safe='')}:{password}@"


def _split_port(text: str, port: int) -> tuple[str, int]:
    """Return host and port of HOST or HOST:PORT. Fails when the port is no number."""
    host, colon, digits = text.rpartition(":")
    if not colon or text.endswith("]"):
        return text, port
    if not digits.isdigit():
        raise CommandFailed(f"{text} must be HOST or HOST:PORT", USAGE)
    return host, int(digits)


def read_address(text: str) -> str:
    """Return the address of a domain or an address; the local part is pbm unless given."""
    text = text.strip()
    return text if "@" in text else f"pbm@{text}"


def read_database(text: str) -> str:
    """Return the URL of `sqlite`, `postgresql` or a URL."""
    return {"sqlite": SQLITE_URL, "postgresql": POSTGRESQL_URL}.get(text.strip(), text.strip())


# The lines for the mail server in front of pbm, from the files of `config`.

POSTFIX, EXIM, OPENSMTPD = "postfix", "exim", "opensmtpd"
FILES: Mapping[str, str] = {
    POSTFIX: "postfix/main.cf",
    EXIM: "exim/pbm.conf",
    OPENSMTPD: "opensmtpd/smtpd.conf",
}
_PROGRAMS = {POSTFIX: "postconf", EXIM: "exim4", OPENSMTPD: "smtpctl"}
_PATH = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"
_DOMAIN_ONLY = ("relay_domains", "relay_recipient_maps")
"""Settings that Postfix needs only for a domain that it does not serve yet."""
_WORDS = re.compile(r"[,\s]+")


def find_mail_server() -> str:
    """Return the installed mail server; "" for an unknown one or none."""
    found = (name for name, program in _PROGRAMS.items() if shutil.which(program, path=_PATH))
    return next(found, "")


@cache
def ask_postfix(*words: str) -> str:
    """Return the output of postconf; "" when it is missing or fails."""
    program = shutil.which("postconf", path=_PATH)
    if program is None:
        return ""
    done = subprocess.run(  # noqa: S603 (a program of the system, no shell)
        [program, *words], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def find_host(mail_server: str) -> str:
    """Return the name of the mail server according to Postfix; "" if unknown."""
    return ask_postfix("-x", "-h", "myhostname") if mail_server == POSTFIX else ""


def is_local_domain(answers: SetupAnswers) -> bool:
    """Whether Postfix already delivers mail for the domain on this machine."""
    domains = _WORDS.split(ask_postfix("-x", "-h", "mydestination").lower())
    return answers.mail_server == POSTFIX and answers.domain.lower() in domains


def write_lines(answers: SetupAnswers) -> str:
    """Return the file of `config` for the mail server, with the answered names filled in."""
    text = read_config_file(FILES[answers.mail_server])
    text = text.replace("pbm@games.example.org", answers.address)
    text = text.replace("games.example.org", answers.domain)
    text = text.replace("mail\\.example\\.org", re.escape(answers.host))
    text = text.replace("mail.example.org", answers.host)
    text = text.replace("local_parts = pbm\n", f"local_parts = {answers.local}\n")
    return _join_lines(text, answers) if answers.mail_server == POSTFIX else text


def _join_lines(text: str, answers: SetupAnswers) -> str:
    """Return the lines for main.cf, each joined with its present value there."""
    there = dict(
        line.partition(" = ")[::2] for line in ask_postfix("-n").splitlines() if " = " in line
    )
    is_local = is_local_domain(answers)
    other_domains = set(_WORDS.split(there.get("relay_domains", ""))) - {"", answers.domain}
    lines = [
        f"# Postfix: settings for {answers.address}, joined with those of main.cf. To set them:",
        "#     grep '^[a-z]' FILE | xargs -d '\\n' postconf -e",
    ]
    for name, value in re.findall(r"^(\w+) = (.*)$", text, re.MULTILINE):
        before = there.get(name, "").strip()
        if is_local and name in _DOMAIN_ONLY:
            continue
        if name == "relay_recipient_maps" and other_domains and not before:
            lines += [
                "# Not set: it would have to list the addresses of the other relay domains too.",
                f"# {name} = {value}",
            ]
            continue
        lines.append(f"{name} = {_join_value(name, value, before)}")
    return "\n".join(lines) + "\n"


def _join_value(name: str, value: str, before: str) -> str:
    """Return the value, followed by its former content."""
    if not before or before == value:
        return value
    if name == "recipient_delimiter":
        return before if value in before else before + value
    if value in before:
        return before
    return f"{value}, {before}"
