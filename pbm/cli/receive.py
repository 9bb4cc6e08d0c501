"""`pbm receive`: stores one mail from standard input for the running server to execute."""

from __future__ import annotations

import sys
import time

import click

from pbm.cli import TRY_AGAIN, CommandFailed, get_config
from pbm.cli.open_database import open_database
from pbm.daemon.keys import load_secrets
from pbm.mail.receive import NotOurs, Precedence, build_piped_row
from pbm.store import inbound_queue

_NO_USER = 67


@click.command("receive")
@click.option(
    "--from",
    "sender",
    metavar="A",
    help="the envelope sender; '' or '<>' is the null sender; unknown if left out",
)
@click.option("--to", "recipient", required=True, metavar="R", help="the envelope recipient")
@click.pass_context
def command(ctx: click.Context, sender: str | None, recipient: str) -> None:
    """Accept one mail from standard input, as the pipe of a mail server.

    Exits 0 when the mail is stored (and set aside if it cannot be parsed), 67 when the recipient is
    not ours, 75 to try again later.
    """
    try:
        config = get_config(ctx)
        raw = sys.stdin.buffer.read()
        row = build_piped_row(config, raw, sender, recipient, time.time())
        with open_database(config) as store:
            precedence = Precedence(config, load_secrets(store))
            with store.writing() as session:
                precedence.mark(session, [row])
                (number,) = inbound_queue.journal(session, [row])
    except CommandFailed as failed:
        raise CommandFailed(failed.message, TRY_AGAIN) from None
    except NotOurs as error:
        raise CommandFailed(str(error), _NO_USER) from None
    except Exception as error:
        reason = f"the mail could not be stored: {type(error).__name__}"
        raise CommandFailed(reason, TRY_AGAIN) from None
    click.echo(f"mail {number}", err=True)
