"""Brings the catalogues of all languages up to date with the sentences that stand in the code.

python -m tools.languages              writes them again
python -m tools.languages LANG ...     those of some languages alone
python -m tools.languages new LANG     begins one, by its code (ISO 639-1)
python -m tools.languages pages FILE ...  notes in a translated page that it is up to date"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from pbm.cli.check_language import ROOT, count_left, extract, find_original
from pbm.locale import LANGUAGES
from pbm.locale.pages import FIRST_WORD, write_first_line

_LEFT_OUT = (
    b'"POT-Creation-Date',
    b'"PO-Revision-Date',
    b'"Generated-By',
    b'"Report-Msgid-Bugs-To',
    b'"Last-Translator',
    b'"Language-Team',
    b'"Project-Id-Version',
)
"""Fields of a catalogue's head that change from day to day, or say nothing here."""


def find_catalogue(language: str) -> Path:
    """Return where the catalogue of a language is."""
    return ROOT / "pbm" / "locale" / language / "LC_MESSAGES" / "pbm.po"


def renew(text: bytes, source: Catalog) -> bytes:
    """Return a catalogue with the sentences of the source, and its translations of them. What was
    nearly the same keeps its translation, marked fuzzy: nobody is shown it until it is read."""
    catalogue = read_po(BytesIO(text))
    catalogue.update(source)
    catalogue.obsolete.clear()
    for message in catalogue:
        if message.id and message.fuzzy:  # the flags of what it was taken from may not hold for it
            message.flags = {"fuzzy", *Message(message.id).flags}
    catalogue.header_comment = "# What the server says to its players; see docs/translating.md."
    return write(catalogue)


def write(catalogue: Catalog) -> bytes:
    """Return a catalogue as a file, in which nothing depends on the day."""
    made = BytesIO()
    write_po(made, catalogue, width=100, include_lineno=False, sort_by_file=True)
    lines = made.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(_LEFT_OUT))


def note_original(page: Path) -> None:
    """Write the first line of a translated help page for its original as it is now. SystemExit for
    a page that is no translation."""
    if page.resolve().parent.parent.name not in LANGUAGES:
        sys.exit(f"{page} is no translation: name the pages that translate it")
    first, _, rest = (text := page.read_text("utf-8")).partition("\n")
    said = rest if first.startswith(FIRST_WORD) else text
    page.write_text(f"{write_first_line(find_original(page))}\n{said}", "utf-8")


def main(arguments: Sequence[str]) -> int:
    """Do what the command line asks for."""
    word, languages = "", [*(arguments or LANGUAGES[1:])]
    if languages[0] in ("new", "pages"):
        word, *languages = languages
    if word == "pages":
        for page in languages:
            note_original(Path(page))
        return 0
    source = extract()
    for language in languages:
        path = find_catalogue(language)
        if word == "new":
            path.parent.mkdir(parents=True)
            begun = Catalog(locale=language, project="pbm", charset="utf-8", fuzzy=False)
            path.write_bytes(write(begun))
        path.write_bytes(renew(path.read_bytes(), source))
        print(count_left(language, source))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
