"""`pbm send`: mails the running server and prints its answers; opens no database."""

from __future__ import annotations

import sys

import click

from pbm.cli import REFUSED, TRY_AGAIN, CommandFailed, get_config, mailing


@click.command("send")
@click.option("--from", "sender", required=True, metavar="ADDRESS", help="the sender")
@click.option(
    "--to", "recipient", metavar="ADDRESS", help="the Reply-To address of a mail to answer it"
)
@click.option("--body", default="", metavar="TEXT|-", help="the text; - reads standard input")
@click.option(
    "--wait",
    default=10.0,
    metavar="SECONDS",
    show_default=True,
    help="how long to wait for the answer",
)
@click.argument("subject")
@click.pass_context
def command(
    ctx: click.Context, sender: str, recipient: str | None, body: str, wait: float, subject: str
) -> None:
    """Mail a command to the running server and print the answers as they arrive.

    \b
      pbm send --from ann@example.org 'signup ann secret'
      pbm send --from ann@example.org 'cradle challenge ann bob'
    """
    config = get_config(ctx)

    if body == "-":
        body = sys.stdin.read()
    mail = mailing.build_mail(sender, recipient or config.server.address, subject, body)
    folder = mailing.find_maildir(config.relay.url, sender)
    inbox = mailing.Maildir(folder) if folder is not None else None
    mailing.send_mail(mail, *mailing.find_smtp_address(config))
    if inbox is None:
        click.echo(f"accepted; the answer goes to {sender} through {_get_scheme(config.relay.url)}")
        return
    answered = refused = False
    for letter in inbox.wait(wait, quiet=0.3, answers=mail["Message-ID"]):
        click.echo(f"{letter.format_mail()}\n")
        if letter.answers == mail["Message-ID"]:
            answered, refused = True, letter.text.startswith("Not done: ")
    if not answered:
        raise CommandFailed(
            f"accepted, but no answer within {wait:g} s: see pbm admin mails", TRY_AGAIN
        )
    if refused:
        ctx.exit(REFUSED)


def _get_scheme(url: str) -> str:
    return url.partition(":")[0]
