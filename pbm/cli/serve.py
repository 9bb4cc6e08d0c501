"""`pbm serve`: runs the server in the foreground, or says why it cannot."""

from __future__ import annotations

from errno import EACCES

import click

from pbm.cli import TRY_AGAIN, USAGE, CommandFailed, get_config
from pbm.cli.open_database import database_errors
from pbm.config import ConfigError
from pbm.daemon.app import serve
from pbm.daemon.presence import AlreadyServed
from pbm.store.migrate import NewerSchema, NoDatabase, OldSchema

_OPEN_PORTS = 1024
"""The lowest port that needs no privileges."""


@click.command("serve")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Run the server until SIGTERM or SIGINT, then finish the mails in hand and exit.

    Prints `ready smtp HOST:PORT` once it accepts mail. Without a configuration it is a trial
    server: data under ./var, mail delivered to var/mail/ADDRESS/new, loopback only. With one, the
    database must be there: pbm admin db create makes it.
    """
    config = get_config(ctx)
    try:
        with database_errors():
            try:
                serve(config)
            except (NewerSchema, NoDatabase, OldSchema) as error:  # no restart helps
                raise CommandFailed(str(error), USAGE) from None
            except AlreadyServed as error:
                raise CommandFailed(str(error), TRY_AGAIN) from None
    except ConfigError as error:
        raise CommandFailed(str(error), USAGE) from None
    except ValueError as error:
        raise CommandFailed(f"the configuration cannot be used: {error}", USAGE) from None
    except OSError as error:
        address = config.smtp.listen or config.lmtp.listen
        reason = error.strerror or str(error)
        port = address.rpartition(":")[2]
        if error.errno == EACCES and port.isdigit() and int(port) < _OPEN_PORTS:
            reason += "; pbm.socket opens that port for it: systemctl enable --now pbm.socket pbm"
        raise CommandFailed(f"cannot serve at {address}: {reason}", TRY_AGAIN) from None
