"""`pbm receive`: one mail from standard input into the journal. It executes nothing; the running
server does."""

from __future__ import annotations

import sys
import time

import click

from pbm.cli import TRY_AGAIN, Failed, config_of

_NO_USER = 67


@click.command("receive")
@click.option(
    "--from",
    "sender",
    metavar="A",
    help="the envelope sender; '' or '<>' is the null "
    "sender of machines; without --from it is unknown",
)
@click.option("--to", "recipient", required=True, metavar="R", help="the envelope recipient")
@click.pass_context
def command(ctx: click.Context, sender: str | None, recipient: str) -> None:
    """Take one mail from standard input, for the pipe of a mail server.

    Exit 0 means: the mail is stored, and set aside if it cannot be read. 67: the address is not
    ours. 75: not now, try again.
    """
    from pbm.cli.open_database import opened
    from pbm.mail.incoming import stdin
    from pbm.store import queues

    try:
        config = config_of(ctx)
        raw = sys.stdin.buffer.read()
        row = stdin.journal_row(config, raw, sender, recipient, time.time())
        with opened(config, create=True) as store, store.writing() as session:
            (number,) = queues.journal(session, [row])
    except Failed as failed:
        raise Failed(failed.message, TRY_AGAIN) from None
    except stdin.NotOurs as error:
        raise Failed(str(error), _NO_USER) from None
    except Exception as error:
        said = f"the mail could not be stored: {type(error).__name__}"
        raise Failed(said, TRY_AGAIN) from None
    click.echo(f"mail {number}", err=True)
