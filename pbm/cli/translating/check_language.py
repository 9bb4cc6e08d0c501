"""`pbm check-language`: a translator's catalogue, before it is sent in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from pbm.cli import REFUSED
from pbm.cli.translating.counting import count_left
from pbm.cli.translating.sentences import ROOT, extract
from pbm.locale import LANGUAGES
from pbm.locale.checking import (
    CatalogueError,
    find_contexts,
    find_faults,
    list_untranslated,
    read_catalogue,
)

_MOST_SHOWN = 20
_MOST_PLACES = 3


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
    if file is None:
        _count()
        return
    try:
        catalogue = read_catalogue(file.read_bytes())
    except CatalogueError as error:
        click.echo(str(error), err=True)
        ctx.exit(REFUSED)
    faults = list(find_faults(catalogue))
    contexts = find_contexts(catalogue)
    for fault in faults:
        click.echo(f"{fault.sentence}\n  {fault.text}")
        _show(contexts.get(fault.sentence, ()))
    left = list_untranslated(catalogue)
    for sentence in left[:_MOST_SHOWN]:
        click.echo(f"not translated: {sentence}")
        _show(contexts.get(sentence, ()))
    if len(left) > _MOST_SHOWN:
        click.echo(f"not translated: {len(left) - _MOST_SHOWN} more")
    click.echo(f"{len(catalogue)} sentences, {len(left)} not translated, {len(faults)} faults")
    if faults:
        ctx.exit(1)


def _count() -> None:
    """Print for each language how much of it is English, and which help pages."""
    source = extract()
    for language in LANGUAGES[1:]:
        click.echo(str(left := count_left(language, source)))
        for page in left.old:
            click.echo(f"  older than the English: {page.relative_to(ROOT)}")
        for name in left.missing:
            click.echo(f"  not translated: the page {name}")


def _show(context: Sequence[str]) -> None:
    """Show where a sentence stands."""
    for line in context[:_MOST_PLACES]:
        click.echo(f"  ({line})")
