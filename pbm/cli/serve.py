"""`pbm serve`: the server in the foreground. It only starts the daemon and says why it cannot."""

from __future__ import annotations

import click

from pbm.cli import TRY_AGAIN, USAGE, Failed, config_of


@click.command("serve")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Run the server until SIGTERM or SIGINT: it then finishes what it has taken and ends.

    Prints `ready smtp HOST:PORT` when it takes mail. Without a configuration it is a trial server:
    data under ./var, mail to var/mail/ADDRESS/new, loopback only.
    """
    config = config_of(ctx)
    from pbm.cli.open_database import understood
    from pbm.config import ConfigError
    from pbm.daemon.app import serve

    try:
        with understood(config):
            serve(config)
    except ConfigError as error:
        raise Failed(str(error), USAGE) from None
    except ValueError as error:
        raise Failed(f"the configuration cannot be used: {error}", USAGE) from None
    except OSError as error:
        where = config.smtp.listen or config.lmtp.listen
        said = error.strerror or str(error)
        raise Failed(f"cannot serve at {where}: {said}", TRY_AGAIN) from None
