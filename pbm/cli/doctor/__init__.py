"""`pbm doctor`: everything the server depends on, one line each, with what to do.

It changes nothing but the test mail of --round-trip, which goes to the server itself."""

from __future__ import annotations

import click

from pbm.cli import DONE, REFUSED, Failed, get_config
from pbm.cli.terminal.output import join_lines, print_json


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
@click.option("--json", "as_json", is_flag=True, help="as JSON")
@click.pass_context
def command(ctx: click.Context, round_trip: bool, wait: float, as_json: bool) -> None:
    """Check configuration, database, mail ways, disk, clock and versions.

    One line each: ok, note or BAD, and what to do. Exit 1 when something is bad.
    """
    from pbm.cli.doctor.checks import examine, examine_without_configuration

    try:
        findings = examine(get_config(ctx), round_trip=round_trip, wait=wait)
    except Failed as failed:
        findings = examine_without_configuration(failed.message)
    bad = False
    rows = []
    for finding in findings:
        bad = bad or finding.grade == "BAD"
        if as_json:
            rows.append(
                {
                    "what": finding.what,
                    "grade": finding.grade,
                    "says": finding.says,
                    "do": finding.do,
                }
            )
            continue
        advice = f" -> {finding.do}" if finding.do else ""
        click.echo(f"{finding.grade:<4} {finding.what:<14} {join_lines(finding.says)}{advice}")
    if as_json:
        print_json(rows)
    ctx.exit(REFUSED if bad else DONE)
