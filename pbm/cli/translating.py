"""`pbm check-language` for translators: the server's sentences, and how many each language has."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from pbm.cli import USAGE, CommandFailed


@click.command("check-language")
@click.argument(
    "file",
    metavar="[FILE]",
    required=False,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.pass_context
def command(ctx: click.Context, file: Path | None) -> None:
    """Check a catalogue of translations (a .po file), or count what each language lacks.

    Says for each sentence of FILE what would reach its readers wrong, and which they would get in
    English, with where a short one stands. The status is 1 if there is a fault. Without FILE it
    counts the sentences and help pages of this program that readers of each language get in
    English."""
    if find_spec("babel") is None:
        raise CommandFailed("check-language needs Babel: install pbm-server[translating]", USAGE)
    from pbm.cli.check_language import check

    check(ctx, file)
