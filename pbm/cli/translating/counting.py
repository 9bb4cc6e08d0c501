"""How much of what the server says each language says, and what its readers get in English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from gettext import NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbm.cli.translating.sentences import ROOT
from pbm.features.finding.help import load_pages
from pbm.games import get_game
from pbm.locale import list_forms, peek
from pbm.locale.pages import GAMES, HELP, is_current

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog


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
