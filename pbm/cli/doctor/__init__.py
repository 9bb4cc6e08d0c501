"""`pbm doctor`: everything the server depends on, one line each, with what to do.

It changes nothing but the test mail of --round-trip, which goes to the server itself."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from ipaddress import ip_address
from itertools import chain
from pathlib import Path

import click

from pbm.cli import DONE, REFUSED, CommandFailed, get_config
from pbm.cli.doctor.host import ReportLine
from pbm.cli.doctor.state import examine, examine_delivery, examine_without_configuration
from pbm.cli.terminal.output import join_lines, print_json


class _AddressType(click.ParamType[str]):
    name = "IP"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the value if it is an IPv4 or IPv6 address."""
        try:
            return str(ip_address(value))
        except ValueError:
            self.fail(f"{value} is not an IP address", param, ctx)


ADDRESS = _AddressType()


def _read_mail(path: Path) -> bytes:
    """Return the source of a mail. BadParameter if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise click.BadParameter(f"{path} cannot be read: {error.strerror}") from None


def _format_finding(finding: ReportLine) -> str:
    """Return grade, subject and finding, and below them what to do."""
    head = f"{finding.grade:<4} {finding.what:<14} "
    lines = [_fold(head, join_lines(finding.says))]
    lines += [_fold("->".rjust(len(head) - 1) + " ", finding.do)] if finding.do else []
    return "\n".join(lines)


def _fold(head: str, text: str) -> str:
    """Return the text after a head, no wider than a terminal; text to be pasted stays in one
    piece."""
    indent = " " * len(head)
    return textwrap.fill(
        text,
        78,
        initial_indent=head,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


@click.command("doctor")
@click.option(
    "--round-trip",
    is_flag=True,
    help="send a mail to the server's own subaddress through the relay, wait for it",
)
@click.option(
    "--wait",
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="how long to wait for that mail",
)
@click.option(
    "--delivery",
    is_flag=True,
    help="check the domain as receivers of mail do: DNS, signature, TLS, round trip",
)
@click.option(
    "--sends-from",
    "senders",
    multiple=True,
    metavar="IP",
    type=ADDRESS,
    help="with --delivery: an address that your relay sends from",
)
@click.option(
    "--selector",
    default="",
    metavar="NAME",
    help="with --delivery: the DKIM selector of your relay (default: that of [dkim])",
)
@click.option(
    "--name-server",
    default="",
    metavar="HOST[:PORT]",
    help="with --delivery: ask this name server (default: those of this machine)",
)
@click.option(
    "--block-list",
    "block_lists",
    multiple=True,
    metavar="ZONE",
    help="with --delivery: ask this list of spammers, such as zen.spamhaus.org",
)
@click.option(
    "--mail",
    "arrived",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="with --delivery: the source of a mail of this server that arrived somewhere; verify it",
)
@click.option("--json", "as_json", is_flag=True, help="as JSON")
@click.pass_context
def command(
    ctx: click.Context,
    round_trip: bool,
    wait: float,
    delivery: bool,
    senders: Sequence[str],
    selector: str,
    name_server: str,
    block_lists: Sequence[str],
    arrived: Path | None,
    as_json: bool,
) -> None:
    """Check configuration, database, mail ways, disk, clock and versions.

    One line each: ok, note or BAD, and what to do; next is a step of an installation that is still
    to come. Exit 1 when something is bad or to come. With --delivery also the DNS, and the records
    that are missing there, to be pasted.
    """
    try:
        config = get_config(ctx)
        findings = examine(config, round_trip=round_trip and not delivery, wait=wait)
        if delivery:
            mail = _read_mail(arrived) if arrived else b""
            more = examine_delivery(config, name_server, selector, senders, block_lists, mail, wait)
            findings = chain(findings, more)
    except CommandFailed as failed:
        findings = examine_without_configuration(failed.message)
    bad = False
    rows = []
    records = []
    for finding in findings:
        bad = bad or finding.grade in ("BAD", "next")
        if as_json:
            rows.append(
                {
                    "what": finding.what,
                    "grade": finding.grade,
                    "says": finding.says,
                    "do": finding.do,
                    "record": finding.record,
                }
            )
            continue
        records += [finding.record] if finding.record else []
        click.echo(_format_finding(finding))
    if as_json:
        print_json(rows)
    if records:
        click.echo("\nFor the DNS:\n")
        for record in dict.fromkeys(records):
            click.echo(record)
    ctx.exit(REFUSED if bad else DONE)
