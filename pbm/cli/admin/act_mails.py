"""Acting on mails: try again, give up, release. Each is recorded."""

from __future__ import annotations

import click

from pbm.cli import USAGE, Failed
from pbm.cli.admin import acting
from pbm.cli.admin.mails import mail_name
from pbm.server import operator


@click.command("retry")
@click.argument("name")
@acting.options
@click.pass_context
def retry(ctx: click.Context, name: str, yes: bool, reason: str, as_json: bool) -> None:
    """Send a mail out:NUMBER, or execute a mail in:NUMBER, at the next opportunity."""
    way, number = mail_name(name)
    acting.act(
        ctx, f"Try mail {way}:{number} now?",
        lambda desk: operator.retry_mail(desk, way, number),
        yes=yes, reason=reason, as_json=as_json,
    )  # fmt: skip


@click.command("drop")
@click.argument("name")
@acting.options
@click.pass_context
def drop(ctx: click.Context, name: str, yes: bool, reason: str, as_json: bool) -> None:
    """Give up a mail in:NUMBER or out:NUMBER that waits or was set aside."""
    way, number = mail_name(name)
    acting.act(
        ctx, f"Give up mail {way}:{number}?",
        lambda desk: operator.drop_mail(desk, way, number),
        yes=yes, reason=reason, as_json=as_json,
    )  # fmt: skip


@click.command("release")
@click.argument("name")
@acting.options
@click.pass_context
def release(ctx: click.Context, name: str, yes: bool, reason: str, as_json: bool) -> None:
    """Let a mail in:NUMBER that was set aside be executed as if it had just come."""
    way, number = mail_name(name)
    if way != "in":
        raise Failed("only incoming mails are set aside; for out: there is retry", USAGE)
    acting.act(
        ctx, f"Execute mail in:{number}?",
        lambda desk: operator.release_mail(desk, number),
        yes=yes, reason=reason, as_json=as_json,
    )  # fmt: skip
