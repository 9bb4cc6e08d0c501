"""The keys that sign mails, by domain: lists them, and makes the next one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from pbm.cli import REFUSED, Failed
from pbm.cli.doctor.receivers_view import format_txt
from pbm.cli.rsa_key import make_rsa_key
from pbm.cli.setup.files import write_files
from pbm.cli.setup.plan import SECRET, PlannedFile
from pbm.cli.terminal.output import format_time
from pbm.config import Config, ConfigError
from pbm.mail.signer import Signer, load_signer

_DAYS = 30
"""How long mails may be under way that were signed with the old key."""


def list_signing_keys(config: Config) -> Iterator[dict[str, str | None]]:
    """Return the keys that sign mails: the beginning of the SHA-256 of the public half, its name in
    the DNS, and when its file was written."""
    for view in config.list_senders():
        if not view.dkim.key:
            continue
        row: dict[str, str | None] = dict.fromkeys(("key", "of", "made", "ends"), "")
        row |= {"of": _name(view), "state": "in use"}
        try:
            row["key"] = sha256(load_signer(view).record.encode()).hexdigest()[:12]
            row["made"] = format_time(Path(view.dkim.key).stat().st_mtime)
        except (ConfigError, OSError) as error:
            row["state"] = str(error)
        yield row


def _name(view: Config) -> str:
    return f"DKIM, {view.dkim.selector}._domainkey.{view.server.host}"


def require_signing_domain(config: Config, domain: str) -> Config:
    """Return the configuration as that domain sees it. Failed when the server signs for no such."""
    views = {view.server.host.lower(): view for view in config.list_senders() if view.dkim.key}
    if domain.lower() not in views:
        there = ", ".join(views) or "none: see [dkim] key"
        raise Failed(f"the server signs for no domain {domain}; there are {there}", REFUSED)
    return views[domain.lower()]


def make_next_key(config: Config, view: Config, *, leaked: bool) -> list[str]:
    """Write a new key beside the old one of a domain, which sees the configuration as `view`, and
    return what is left to do. Failed when the next one is there already."""
    domain, old = view.server.host, Path(view.dkim.key)
    selector, number = _count_on(view.dkim.selector)
    path = old.with_name(f"{old.stem.rstrip('0123456789')}{number}{old.suffix}")
    if path.exists():
        says = f"{path} is there already: put it into the configuration before the next change"
        raise Failed(says, REFUSED)
    key = make_rsa_key()
    record = Signer(domain, selector, key.encode()).record
    write_files([PlannedFile(path, key, "", SECRET)], replaces=False)
    section = f"[[dkim.domain]] with name {domain}" if view is not config else "[dkim]"
    former = f"{view.dkim.selector}._domainkey.{domain}"
    revoked = format_txt(former, "v=DKIM1; p=")
    return [
        f"publish: {format_txt(f'{selector}._domainkey.{domain}', record)}",
        f'then write into {section}: selector = "{selector}", key = "{path}"',
        "then: systemctl restart pbm, and pbm doctor --delivery",
        f"replace the old record at once, which revokes its key: {revoked}"
        if leaked
        else f"leave the record of {former} for {_DAYS} days: mails under way are signed with it",
    ]


def _count_on(selector: str) -> tuple[str, int]:
    """Return the selector that follows, pbm2 after pbm, and its number."""
    found = re.fullmatch(r"(.*?)([0-9]*)", selector)
    base, number = (found[1], found[2]) if found else (selector, "")
    following = int(number or 1) + 1
    return f"{base}{following}", following
