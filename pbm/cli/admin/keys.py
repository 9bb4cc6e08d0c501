"""`admin keys`: lists the keys of reply addresses and links, and changes them."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import click

from pbm.cli import REFUSED, CommandFailed, get_config
from pbm.cli.admin import inspecting
from pbm.cli.admin.acts import acting
from pbm.cli.doctor.receivers_view import format_txt
from pbm.cli.open_database import make_rsa_key, open_database
from pbm.cli.setup.plan import SECRET, PlannedFile, write_files
from pbm.cli.terminal.output import format_time, print_rows
from pbm.config import Config, ConfigError
from pbm.core import due
from pbm.core.operator import OperatorAct
from pbm.daemon import keys as stored_keys
from pbm.daemon.presence import find_daemons, list_daemons
from pbm.mail.signer import Signer, load_signer

_AGAIN = "start every server of this database again, and it is used: systemctl restart pbm"
_NEXT = (
    "start the server; then tell the players: pbm admin announce 'A backup was stolen' --body "
    "'Please choose a new password: change password USERID PASSWORD NEWPASSWORD'"
)


@click.group("keys")
def keys() -> None:
    """The keys of reply addresses and links, and those that sign mails (DKIM), by domain."""


@keys.command("list", short_help="The keys, newest first")
@inspecting.as_json
@click.pass_context
def list_(ctx: click.Context, as_json: bool) -> None:
    """The keys, newest first: the beginning of the SHA-256 of each, when it was made, and when one
    that was replaced ends; then those that sign mails."""
    with inspecting.open_session(ctx) as session:
        rows: list[dict[str, str | None]] = [
            {
                "key": note.name,
                "of": "reply addresses",
                "made": format_time(note.made),
                "ends": format_time(note.ends),
                "state": "in use" if number == 0 else _grade(note.ends),
            }
            for number, note in enumerate(stored_keys.list_keys(session))
        ]
    rows += list_signing_keys(get_config(ctx))
    print_rows(rows, as_json=as_json)


def _grade(ends: float | None) -> str:
    return "verifies" if ends is None or ends > time.time() else "ended"


@keys.command("rotate", short_help="Make a new key")
@click.option(
    "--leaked",
    is_flag=True,
    help="a backup or the database is in other hands: old keys end at once, and dice of open "
    "boards follow from new secrets; stop the server first",
)
@click.option(
    "--domain", default="", help="the key that signs mails of this domain, in place of the others"
)
@acting.options
@click.pass_context
def rotate(
    ctx: click.Context, leaked: bool, domain: str, yes: bool, reason: str, as_json: bool
) -> None:
    """Make a new key. Reply addresses and links made with the old ones hold for 30 days more.

    With --leaked they end at once: whoever replies to an older mail is sent the board as it is, and
    can reply to that; codes that are out are void.

    With --domain the next key that signs mails of that domain is made beside the old one, under
    another selector. Nothing signs with it yet: what is left to do is printed.
    """
    if domain:
        _rotate_signing_key(ctx, domain, leaked, yes=yes, reason=reason, as_json=as_json)
        return
    if leaked:
        _require_stopped(ctx)

    def do(act: OperatorAct) -> None:
        stored_keys.rotate(act.session, act.now, os.urandom, leaked=leaked)
        act.record("rotate keys, leaked" if leaked else "rotate keys")
        act.remarks.append(_NEXT if leaked else _AGAIN)
        if leaked:
            boards = due.renew_dice(act.session, os.urandom)
            act.remarks.append(f"dice of {boards} open boards follow from new secrets")

    question = "End all keys now, and renew the dice of open boards?" if leaked else "Change keys?"
    acting.act(ctx, question, do, yes=yes, reason=reason, as_json=as_json)


def _rotate_signing_key(
    ctx: click.Context, domain: str, leaked: bool, *, yes: bool, reason: str, as_json: bool
) -> None:
    config = get_config(ctx)
    view = require_signing_domain(config, domain)

    def do(act: OperatorAct) -> None:
        act.remarks.extend(make_next_key(config, view, leaked=leaked))
        act.record(f"rotate the key of {view.server.host}{', leaked' if leaked else ''}")

    question = f"Make a new key for mails of {view.server.host}?"
    acting.act(ctx, question, do, yes=yes, reason=reason, as_json=as_json)


def _require_stopped(ctx: click.Context) -> None:
    """Refuse while a server runs, which would go on using the leaked keys."""
    with open_database(get_config(ctx)) as store:
        with store.reading() as session:
            running = [each for each in list_daemons(session) if not each.is_silent(time.time())]
        if find_daemons(store) or running:
            raise CommandFailed("a server is running: stop it first, on every host", REFUSED)


# The keys that sign mails, by domain: lists them, and makes the next one.

_DAYS = 30
"""The days for which mails signed with the old key may still be under way."""


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
    """Return the configuration for that domain. Fails when the server signs for no such domain."""
    views = {view.server.host.lower(): view for view in config.list_senders() if view.dkim.key}
    if domain.lower() not in views:
        there = ", ".join(views) or "none: see [dkim] key"
        raise CommandFailed(f"the server signs for no domain {domain}; there are {there}", REFUSED)
    return views[domain.lower()]


def make_next_key(config: Config, view: Config, *, leaked: bool) -> list[str]:
    """Write a new key beside the old one of a domain, whose configuration is `view`, and return the
    remaining steps. Fails when the next key already exists."""
    domain, old = view.server.host, Path(view.dkim.key)
    selector, number = _count_on(view.dkim.selector)
    path = old.with_name(f"{old.stem.rstrip('0123456789')}{number}{old.suffix}")
    if path.exists():
        says = f"{path} is there already: put it into the configuration before the next change"
        raise CommandFailed(says, REFUSED)
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
    """Return the next selector, pbm2 after pbm, and its number."""
    found = re.fullmatch(r"(.*?)([0-9]*)", selector)
    base, number = (found[1], found[2]) if found else (selector, "")
    following = int(number or 1) + 1
    return f"{base}{following}", following
