"""Brings the catalogues of all languages up to date with the sentences that stand in the code.

python -m tools.languages              writes them again
python -m tools.languages LANG ...     those of some languages alone
python -m tools.languages new LANG     begins one, by its code (ISO 639-1)
python -m tools.languages pages LANG   notes in each help page which original it translates"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from pbm.core.finding.games import OTHERS
from pbm.core.finding.help_pages import list_table_sentences, load_pages
from pbm.games import get_game, list_game_names
from pbm.games.variants import GAMES as VARIANTS
from pbm.locale import LANGUAGES
from pbm.locale.checking import list_untranslated, read_catalogue
from pbm.locale.pages import FIRST_WORD, GAMES, HELP, write_first_line
from pbm.rules.chess.variants.slots import SLOTS
from pbm.rules.drawing.sentences import plural
from pbm.rules.drawing.surroundings import UNNAMED
from pbm.rules.examples import begin
from pbm.rules.game_info import FAMILIES, LENGTHS
from tools.contexts import describe_place, is_short
from tools.words.reader import KINDS, PEOPLE

ROOT = Path(__file__).parent.parent
_KEYWORDS = {"phrase": None, "phrase_number": (1, 2), "_": None, "ngettext": (1, 2)}
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
_OF_LISTS = "in lists of games: a family of games, how long one takes, a seat, or an option"
_OF_BOARDS = "on a board in words: a kind of piece, one or many, or how its places are called"
_OF_VARIANTS = "on the page of a variant: a side, or a kind of piece"
"""What short words of tables are."""
_SHORTER_IN_ENGLISH = ("crowned man", "dragon horse", "shogi horse")
"""Kinds of pieces that English calls by a word that other pieces have, too."""


def extract() -> Catalog:
    """Return all sentences to players, with the file that each stands in, in a stable order."""
    found = Catalog(project="pbm", charset="utf-8")
    for path, line, message, comments in _find_messages(sorted((ROOT / "pbm").rglob("*"))):
        first = message if isinstance(message, str) else message[0]
        if is_short(first) and not comments:
            comments = [describe_place(path, line, first)]
        found.add(message, locations=[(str(path.relative_to(ROOT)), line)], auto_comments=comments)
    for package, message in list_table_sentences():
        _add_word(found, message, f"{package.replace('.', '/')}/feature.py", "what a command does")
    for message in _list_words_of_lists():
        _add_word(found, message, "pbm/rules/game_info.py", _OF_LISTS)
    for message in _list_words_of_boards():
        _add_word(found, message, "pbm/rules/drawing/sentences.py", _OF_BOARDS)
    for message in _list_words_of_variants():
        _add_word(found, message, "pbm/games/variants.py", _OF_VARIANTS)
    return found


def _add_word(found: Catalog, message: str, path: str, context: str) -> None:
    """Add a sentence of a table, with what it is where it is short."""
    comments = [context] if is_short(message) else []
    found.add(message, locations=[(path, 0)], auto_comments=comments)


def _list_words_of_lists() -> Iterator[str]:
    """Yield what lists say of games: families, lengths, what each game is and whose the seats are.
    Those that give orders are addressed by their names, which stay as they are."""
    yield OTHERS
    for family, about in FAMILIES.items():
        yield from (family, about)
    yield from LENGTHS
    for name in filter(_is_ours, list_game_names()):
        info = get_game(name).info
        yield info.summary
        for option in info.options:
            yield from filter(None, (option.help, option.shown, option.pattern))
        if "orders" not in info.features:
            yield from (seat for seats in info.seats.values() for seat in seats)


def _list_words_of_boards() -> Iterator[str]:
    """Yield what stands on boards in words: each kind of piece, one and many; and how places of a
    board are called."""
    for kind in dict.fromkeys(each.removeprefix("promoted ") for each in KINDS):
        yield from (kind, plural(kind))
    yield from map(plural, _SHORTER_IN_ENGLISH)
    yield from PEOPLE.values()
    for name in filter(_is_ours, list_game_names()):
        scene = begin(get_game(name)).scene()
        yield from (region.kind for region in scene.regions)
        yield from (place.shade for place in scene.places if place.shade not in UNNAMED)


def _is_ours(name: str) -> bool:
    """Whether a game is one of the server's own, not of a package that happens to be there."""
    return type(get_game(name)).__module__.startswith("pbm.")


def _list_words_of_variants() -> Iterator[str]:
    """Yield what pages of variants are made of besides their sentences: the names of sides and
    pieces, and notes."""
    yield from (slot.title for slot in SLOTS.values() if slot.title)
    for game in VARIANTS:
        equipment, notes = game.equipment, game.card.notes
        for seat in equipment.seats:
            yield from (seat, seat.capitalize())
        yield from (title.message for title in equipment.titles.values())
        if notes:
            yield notes


def list_messages(paths: Iterable[str]) -> Iterator[str | tuple[str, ...]]:
    """Yield the sentences of some files of the package."""
    for _, _, message, _ in _find_messages(ROOT / path for path in paths):
        yield message


def _find_messages(
    paths: Iterable[Path],
) -> Iterator[tuple[Path, int, str | tuple[str, ...], list[str]]]:
    for path in paths:
        method = _find_method(path)
        if method:
            options = {"newstyle_gettext": "true", "trimmed": "true"}
            for line, message, comments, _ in extract_from_file(
                method, path, _KEYWORDS, ["TRANSLATORS:"], options, strip_comment_tags=True
            ):
                yield path, line, message, comments


def _find_method(path: Path) -> str:
    """Return what finds the sentences of a file; "" for one that has none."""
    if path.suffix == ".py":
        return "python"
    is_page = path.parent.name == "templates" and path.suffix in (".txt", ".html")
    return "jinja2" if is_page else ""


def find_catalogue(language: str) -> Path:
    """Return where the catalogue of a language is."""
    return ROOT / "pbm" / "locale" / language / "LC_MESSAGES" / "pbm.po"


def renew(text: bytes, source: Catalog) -> bytes:
    """Return a catalogue with the sentences of the source, and its translations of them. What was
    nearly the same keeps its translation, marked fuzzy: nobody is shown it until it is read."""
    catalogue = read_po(BytesIO(text))
    catalogue.update(source)
    catalogue.obsolete.clear()
    catalogue.header_comment = "# What the server says to its players; see docs/translating.md."
    return write(catalogue)


def write(catalogue: Catalog) -> bytes:
    """Return a catalogue as a file, in which nothing depends on the day."""
    made = BytesIO()
    write_po(made, catalogue, width=100, include_lineno=False, sort_by_file=True)
    lines = made.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(_LEFT_OUT))


def list_page_files(language: str) -> Iterator[Path]:
    """Yield the files of the help pages of a language."""
    for folder in (HELP, GAMES):
        yield from sorted((ROOT / "pbm" / "locale" / language / folder).glob("*.txt"))


def find_original(page: Path) -> str:
    """Return the English text of a help page, which a file translates."""
    return load_pages()[page.stem] if page.parent.name == HELP else get_game(page.stem).info.help


def note_originals(language: str) -> None:
    """Write the first line of each help page of a language for its original as it is now."""
    for path in list_page_files(language):
        first, _, rest = (text := path.read_text("utf-8")).partition("\n")
        page = rest if first.startswith(FIRST_WORD) else text
        path.write_text(f"{write_first_line(find_original(path))}\n{page}", "utf-8")


def main(arguments: Sequence[str]) -> int:
    """Do what the command line asks for."""
    word, languages = "", [*(arguments or LANGUAGES[1:])]
    if languages[0] in ("new", "pages"):
        word, *languages = languages
    if word == "pages":
        for language in languages:
            note_originals(language)
        return 0
    source = extract()
    for language in languages:
        path = find_catalogue(language)
        if word == "new":
            path.parent.mkdir(parents=True)
            begun = Catalog(locale=language, project="pbm", charset="utf-8", fuzzy=False)
            path.write_bytes(write(begun))
        path.write_bytes(renew(path.read_bytes(), source))
        left = len(list_untranslated(read_catalogue(path.read_bytes())))
        print(f"{language}: {len(source)} sentences, {left} not translated")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
