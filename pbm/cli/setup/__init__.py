"""`pbm setup`: the files that a new server needs, after a few questions or by options."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from pbm.cli import DONE, REFUSED, USAGE, CommandFailed
from pbm.cli.setup.plan import (
    BEHIND,
    MAILBOX,
    MX,
    WAYS,
    SetupAnswers,
    SetupPlan,
    find_host,
    find_mail_server,
    make_plan,
    read_address,
    read_database,
    run_doctor,
    write_files,
)
from pbm.cli.terminal.output import print_json

_SERVERS = ("postfix", "exim", "opensmtpd")
_SIGNUPS = ("open", "invited", "approved", "closed")
_NEEDED = {BEHIND: ("host",), MX: ("smtp",), MAILBOX: ("imap", "smtp")}


@click.command("setup")
@click.option("--way", type=click.Choice(list(WAYS)), help="how mail reaches the server")
@click.option("--address", default="", help="the address that players write to, or its domain")
@click.option(
    "--mail-server", type=click.Choice(_SERVERS), help="with behind: which (default: as found here)"
)
@click.option("--host", default="", help="with behind: the host name of the mail server")
@click.option("--imap", default="", metavar="HOST[:PORT]", help="with mailbox: where to fetch mail")
@click.option("--smtp", default="", metavar="HOST[:PORT]", help="the relay that takes our mail")
@click.option("--user", default="", help="the login there (password: PBM_MAIL_PASSWORD)")
@click.option(
    "--spf", default="", help="what the relay adds to SPF, such as include:spf.example.net"
)
@click.option("--no-dkim", is_flag=True, help="the relay signs, this server does not")
@click.option(
    "--database", default="sqlite", show_default=True, help="sqlite, postgresql, or a URL"
)
@click.option(
    "--signups", type=click.Choice(_SIGNUPS), default="open", show_default=True, help="who may join"
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("/etc/pbm"),
    show_default=True,
    help="where configuration, key and lines are written",
)
@click.option(
    "--units",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("/etc/systemd/system"),
    show_default=True,
    help="where the units of systemd are written",
)
@click.option("--write", is_flag=True, help="write the files, not only show them")
@click.option("--replace", "replaces", is_flag=True, help="keep files that are there as FILE.old")
@click.option("--json", "as_json", is_flag=True, help="as JSON")
@click.pass_context
def command(
    ctx: click.Context, /, write: bool, replaces: bool, as_json: bool, **given: Any
) -> None:
    """Write what a new server needs: pbm.toml, the lines for the mail server, the DNS records, the
    units of systemd.

    It shows them first and changes nothing else: the commands that are left are printed. Without
    --way it asks; with --way it does not, and writes only with --write. No file is replaced without
    --replace. At the end pbm doctor says what is still missing.
    """
    try:
        answers, asked = _answer(given)
        plan = make_plan(answers)
        if not as_json:
            _show(plan)
        if asked and not click.confirm("\nWrite these files?", err=as_json):
            raise CommandFailed("nothing was written", REFUSED)
        written = asked or write
        kept = write_files(plan.files, replaces=replaces) if written else []
    except click.Abort:
        raise CommandFailed("nothing was written", REFUSED) from None
    except CommandFailed as failed:
        if as_json:
            print_json({"ok": False, "code": failed.code, "error": failed.message})
            ctx.exit(failed.code)
        raise
    if as_json:
        print_json(_as_json(plan, written=written))
    else:
        _finish(plan, kept, written=written)
    ctx.exit(DONE)


def _answer(given: dict[str, Any]) -> tuple[SetupAnswers, bool]:
    """Return the answers, and whether questions were asked. Fails when one is missing."""
    answers = SetupAnswers(
        way=given["way"] or "",
        address=read_address(given["address"]) if given["address"] else "",
        mail_server=given["mail_server"] or find_mail_server() or _SERVERS[0],
        host=given["host"],
        imap=given["imap"],
        smtp=given["smtp"],
        user=given["user"],
        password=os.environ.get("PBM_MAIL_PASSWORD", ""),
        spf=given["spf"],
        database=read_database(given["database"]),
        signups=given["signups"],
        folder=given["folder"].absolute(),
        units=given["units"].absolute(),
        signs=not given["no_dkim"],
    )
    answers = replace(answers, host=answers.host or find_host(answers.mail_server))
    asks = not answers.way
    if asks and not sys.stdin.isatty():
        raise CommandFailed(f"name the way that mail takes: --way {', --way '.join(WAYS)}", USAGE)
    answers = _ask(answers) if asks else _complete(answers)
    if answers.user and not answers.password:
        raise CommandFailed(
            f"the password of {answers.user} is missing: set PBM_MAIL_PASSWORD", USAGE
        )
    return answers, asks


def _complete(answers: SetupAnswers) -> SetupAnswers:
    """Return the answers from options alone. Fails when an option is missing."""
    for name in ("address", *_NEEDED[answers.way]):
        if not getattr(answers, name):
            raise CommandFailed(f"--way {answers.way} needs --{name}", USAGE)
    if answers.way == MAILBOX:
        answers = replace(answers, user=answers.user or answers.address)
    return answers


def _ask(answers: SetupAnswers) -> SetupAnswers:
    """Ask for whatever the options leave open."""
    click.echo("How does mail reach this server?", err=True)
    for name, says in WAYS.items():
        click.echo(f"  {name:<8} {says}", err=True)
    likely = BEHIND if find_mail_server() else MX
    way = click.prompt("Way", likely, type=click.Choice(list(WAYS)), show_choices=False, err=True)
    question = "The address that players will write to, or its domain"
    address = answers.address or read_address(click.prompt(question, err=True))
    answers = replace(answers, way=way, address=address)
    for name, words in (
        ("host", "The host name of your mail server"),
        ("imap", "Fetch mail from this IMAP server"),
        ("smtp", "Send mail through this server, HOST or HOST:PORT"),
    ):
        if name in _NEEDED[way] and not getattr(answers, name):
            answers = replace(answers, **{name: click.prompt(words, err=True).strip()})
    if way != BEHIND:
        answers = _ask_login(answers)
    database = click.prompt("Database, sqlite or postgresql", "sqlite", err=True)
    choice = click.Choice(_SIGNUPS)
    signups = click.prompt("Who may sign up", answers.signups, type=choice, err=True)
    return replace(answers, database=read_database(database), signups=signups)


def _ask_login(answers: SetupAnswers) -> SetupAnswers:
    user = answers.user or click.prompt("Login there", answers.address, err=True).strip()
    password = answers.password
    if user and not password:
        password = click.prompt("Password there", hide_input=True, err=True)
    return replace(answers, user=user, password=password)


def _show(plan: SetupPlan) -> None:
    """Print the files, each with its path above it."""
    for file in filter(lambda each: each.shown, plan.files):
        click.echo(f"{file.path}:\n")
        click.echo("".join(f"    {line}\n" if line else "\n" for line in file.shown.splitlines()))
    if plan.records:
        click.echo("For the DNS:\n")
        click.echo("".join(f"    {record}\n" for record in plan.records))


def _finish(plan: SetupPlan, kept: list[Path], *, written: bool) -> None:
    """Print what was done, the remaining steps, and the doctor's findings."""
    for path in kept:
        click.echo(f"kept {path}")
    if not written:
        click.echo("Nothing was written: the same with --write writes these files.")
    else:
        click.echo(f"Wrote {', '.join(str(file.path) for file in plan.files)}.")
    click.echo("\nThen type:\n")
    click.echo("".join(f"    {step}\n" for step in plan.steps), nl=False)
    if written:
        click.echo("\nUntil then, pbm doctor finds:\n")
        click.echo(run_doctor(plan.files[0].path), nl=False)


def _as_json(plan: SetupPlan, *, written: bool) -> dict[str, object]:
    files = [
        {"path": str(file.path), "mode": f"{file.mode:o}", "text": file.shown}
        for file in plan.files
    ]
    doctor = json.loads(run_doctor(plan.files[0].path, "--json") or "[]") if written else []
    return {
        "ok": True,
        "code": DONE,
        "written": written,
        "files": files,
        "records": list(plan.records),
        "steps": list(plan.steps),
        "doctor": doctor,
    }
