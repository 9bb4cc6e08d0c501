"""`pbm check-language`: a translator's catalogue, before it is sent in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from gettext import NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pbm.cli import REFUSED
from pbm.cli.translating.sentences import ROOT, extract
from pbm.features.finding.help import load_pages
from pbm.games import get_game
from pbm.locale import LANGUAGES, list_forms, peek
from pbm.locale.checking import (
    CatalogueError,
    find_contexts,
    find_faults,
    list_untranslated,
    read_catalogue,
)
from pbm.locale.pages import GAMES, HELP, is_current

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

_MOST_SHOWN = 20
_MOST_PLACES = 3


def check(ctx: click.Context, file: Path | None) -> None:
    """Check a catalogue, or count what each language lacks."""
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


# How much of what the server says each language says, and what its readers get in English.


class Count(NamedTuple):
    """What is left to translate into a language, of how much.

    sentences     how many the code has
    untranslated  those that are said in English
    pages         how many help pages the language has
    old           those whose English original has changed since, by their files
    missing       help pages of the server that nobody has translated
    """

    language: str
    sentences: int
    untranslated: Sequence[str]
    pages: int
    old: Sequence[Path]
    missing: Sequence[str]

    @property
    def is_whole(self) -> bool:
        """Whether readers of that language get nothing in English that a release has to say in
        theirs."""
        return not (self.untranslated or self.old or self.missing)

    def __str__(self) -> str:
        return (
            f"{self.language}: {self.sentences} sentences, {len(self.untranslated)} not "
            f"translated; {self.pages} help pages, {len(self.old)} older than the English, "
            f"{len(self.missing)} not translated"
        )


class _Nothing(NullTranslations):
    """What a catalogue falls back on, to tell that it has no translation."""

    def gettext(self, message: str) -> str:
        return ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return ""


def count_left(language: str, source: Catalog) -> Count:
    """Count what a language lacks of these sentences, and of the help pages."""
    files = list(list_page_files(language))
    names = {path.stem for path in files if path.parent.name == HELP}
    return Count(
        language,
        len(source),
        _list_untranslated(language, source),
        len(files),
        [path for path in files if not is_current_file(path)],
        sorted({*load_pages()} - names),
    )


def _list_untranslated(language: str, source: Catalog) -> list[str]:
    catalogue = copy(peek(language))
    catalogue.add_fallback(_Nothing())
    sentences = [list_forms(each.id) for each in source if each.id]
    return [forms[0] for forms in sentences if not _say(catalogue, *forms)]


def _say(catalogue: NullTranslations, one: str, several: str = "") -> str:
    return catalogue.ngettext(one, several, 1) if several else catalogue.gettext(one)


def list_page_files(language: str) -> Iterator[Path]:
    """Yield the files of the help pages of a language."""
    for folder in (HELP, GAMES):
        yield from sorted((ROOT / "pbm" / "locale" / language / folder).glob("*.txt"))


def find_original(page: Path) -> str:
    """Return the English text of a help page, which a file translates."""
    return load_pages()[page.stem] if page.parent.name == HELP else get_game(page.stem).info.help


def is_current_file(page: Path) -> bool:
    """Whether a file translates its English page as that is now."""
    return is_current(page.read_text("utf-8"), find_original(page))
