"""`pbm check-language`: a translator's catalogue, before it is sent in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stderr
from copy import copy
from functools import cache
from gettext import NullTranslations
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file

import pbm
from pbm.cli import REFUSED
from pbm.features.finding.boards import OTHERS
from pbm.features.finding.help import list_table_sentences, load_pages
from pbm.games import get_game, list_game_names
from pbm.games.variants import GAMES as VARIANTS
from pbm.locale import LABEL, LANGUAGES, SIDE, list_forms, peek
from pbm.locale.checking import (
    CatalogueError,
    find_contexts,
    find_faults,
    list_untranslated,
    read_catalogue,
)
from pbm.locale.pages import GAMES, HELP, is_current
from pbm.rules.chess.variants.men_tables import SLOTS
from pbm.rules.diplomacy import maps
from pbm.rules.drawing.sentences import list_named_men, plural
from pbm.rules.drawing.surroundings import UNNAMED
from pbm.rules.examples import begin
from pbm.rules.game_info import FAMILIES, LENGTHS, GameInfo

# All sentences that players read, as the code has them: what a catalogue is to translate.

ROOT = Path(pbm.__file__).parent.parent
"""The folder that contains the package."""
_KEYWORDS = {"phrase": None, "phrase_number": (1, 2), "_": None, "ngettext": (1, 2)}
_OF_LISTS = "in lists of games: a family of games, how long one takes, a seat, or an option"
_OF_SEATS = "a side by itself, as in a list or in ann (white), not in a sentence"
_OF_SIDES = "a side in a sentence, where a player's name may stand: who resigns, or is to move"
_OF_POWERS = "a power of Diplomacy, as players of the game call it"
_OF_BOARDS = "on a board in words: a kind of piece, one or many, or how its places are called"
_OF_VARIANTS = "on the page of a variant: a side, or a kind of piece"
"""Descriptions of the short words in tables."""
_SHORTER_IN_ENGLISH = ("crowned man", "dragon horse", "shogi horse")
"""Kinds of pieces whose English name is also that of other pieces."""

_VARIANTS = {
    name(letter)
    for game in VARIANTS
    for letter in game.equipment.slots
    for name in (game.equipment.name_of, game.equipment.name_promoted)
}
"""The names of pieces in variants of chess."""
KINDS = (
    *sorted(_VARIANTS),
    *("king", "queen", "rook", "bishop", "knight", "pawn", "advisor", "elephant", "horse"),
    *("chariot", "cannon", "general", "soldier", "gold general", "silver general"),
    *("promoted bishop", "promoted pawn", "promoted rook", "promoted silver"),
    *("amazon", "arrow", "box", "cross", "cube", "die", "disc", "fog", "gap", "line", "man"),
    *("marble", "nought", "peg", "piece", "seed", "stone", "tile", "towel", "unseen", "wall"),
    *("carrier", "battleship", "cruiser", "submarine", "destroyer", "boat", "hit", "miss", "shot"),
    *("army", "fleet", "dislodged army", "dislodged fleet"),
    *("control ship", "fighter", "drone", "mothership", "cargo", "engineer"),
)
PEOPLE = {"attackers": "attacker", "defenders": "defender", "crosses": "cross", "noughts": "nought"}
"""Colours that name the pieces, with their singular."""


def extract() -> Catalog:
    """Return all sentences to players, with the file of each, in a stable order."""
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
    for name in filter(_is_ours, list_game_names()):
        for seat in _list_seats(get_game(name).info):
            for context, comment in ((LABEL, _OF_SEATS), (SIDE, _OF_SIDES)):
                found.add(
                    seat,
                    context=context,
                    locations=[("pbm/rules/game_info.py", 0)],
                    auto_comments=[comment],
                )
    for name in maps.NAMES:
        for power in maps.find_map(name).powers:
            _add_word(found, power.name, f"pbm/rules/diplomacy/maps/{name}.txt", _OF_POWERS)
    for message in _list_words_of_boards():
        _add_word(found, message, "pbm/rules/drawing/sentences.py", _OF_BOARDS)
    for message in _list_words_of_variants():
        _add_word(found, message, "pbm/games/variants.py", _OF_VARIANTS)
    return found


def _add_word(found: Catalog, message: str, path: str, context: str) -> None:
    """Add a sentence of a table, with a description if it is short."""
    comments = [context] if is_short(message) else []
    found.add(message, locations=[(path, 0)], auto_comments=comments)


def _list_words_of_lists() -> Iterator[str]:
    """Yield the words of lists of games: families, lengths, each game's subject, and whose the
    seats are."""
    yield OTHERS
    for family, about in FAMILIES.items():
        yield from (family, about)
    yield from LENGTHS
    for name in filter(_is_ours, list_game_names()):
        info = get_game(name).info
        yield info.summary
        for option in info.options:
            yield from filter(None, (option.help, option.shown, option.pattern))
        yield from _list_seats(info)


def _list_seats(info: GameInfo) -> Iterator[str]:
    """Yield the names of the seats; those of powers are on their maps."""
    if "orders" not in info.features:
        yield from (seat for seats in info.seats.values() for seat in seats)


def _list_words_of_boards() -> Iterator[str]:
    """Yield the words of boards: each kind of piece, singular and plural; and what places of a
    board are called."""
    for kind in dict.fromkeys(each.removeprefix("promoted ") for each in KINDS):
        yield from (kind, plural(kind))
    yield from map(plural, _SHORTER_IN_ENGLISH)
    yield from list_named_men()
    yield from PEOPLE.values()
    for name in filter(_is_ours, list_game_names()):
        scene = begin(get_game(name)).scene()
        yield from (region.kind for region in scene.regions)
        yield from (place.shade for place in scene.places if place.shade not in UNNAMED)


def _is_ours(name: str) -> bool:
    """Whether a game belongs to the server, not to another installed package."""
    return type(get_game(name)).__module__.startswith("pbm.")


def _list_words_of_variants() -> Iterator[str]:
    """Yield the words of variants' pages besides their sentences: the names of sides and pieces,
    and a game's subject."""
    yield from (slot.title for slot in SLOTS.values() if slot.title)
    for game in VARIANTS:
        equipment = game.equipment
        for seat in equipment.seats:
            yield from (seat, seat.capitalize())
        yield from (title.message for title in equipment.titles.values())
        if game.card.about:
            yield game.card.about


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
            with redirect_stderr(StringIO()):  # each f-string of the file is a warning there
                messages = extract_from_file(
                    method, path, _KEYWORDS, ["TRANSLATORS:"], options, strip_comment_tags=True
                )
            for line, message, comments, _ in messages:
                yield path, line, message, comments


def _find_method(path: Path) -> str:
    """Return the function that finds the sentences of a file; "" for one without any."""
    if path.suffix == ".py":
        return "python"
    is_page = path.parent.name == "templates" and path.suffix in (".txt", ".html")
    return "jinja2" if is_page else ""


# Says where a short sentence stands, for translators: of one or two words alone nobody knows what
# they mean.

_FEWEST = 3
"""A sentence of at least this many words is clear without context."""
_VALUE = re.compile(r"{\w*}")
_WORD = re.compile(r"[^\W\d_]+")
_AROUND = 50
"""The letters of a page shown before and behind a sentence."""
_END = re.compile(r"(?<=\.)\s")


def is_short(sentence: str) -> bool:
    """Whether a sentence needs a context: it has one or two words, besides its values."""
    return len(_WORD.findall(_VALUE.sub(" ", sentence))) < _FEWEST


def describe_place(path: Path, line: int, sentence: str) -> str:
    """Return the place of a sentence: in Python the purpose of the function or module, in a page
    the text around it."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return f"stands where the program does this: {_find_purpose(text, line)}"
    return f"stands in: {_find_around(text, line, sentence)}"


def _find_around(text: str, line: int, sentence: str) -> str:
    """Return the text around a sentence of a page, on its line."""
    found = text.split("\n")[line - 1]
    at = max(found.find(f'"{sentence}"'), 0)
    part = found[max(at - _AROUND, 0) : at + len(sentence) + _AROUND]
    return " ".join(part.split())


def _find_purpose(text: str, line: int) -> str:
    """Return the first sentence of the docstring of the innermost function or class around a line
    that has one, or else of the module."""
    found = ""
    for first, last, purpose in _list_purposes(text):
        if first <= line <= last:
            found = purpose
    return found


@cache
def _list_purposes(text: str) -> list[tuple[int, int, str]]:
    """Return each function and class with a docstring, outer ones first, by its lines."""
    tree = ast.parse(text)
    purposes = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if purpose := ast.get_docstring(node):
            first, last = 1, len(text)
            if not isinstance(node, ast.Module):
                first, last = node.lineno, node.end_lineno or node.lineno
            purposes.append((first, last, _END.split(" ".join(purpose.split()))[0]))
    return purposes


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
    """Print the amount of English in each language's sentences, and its help pages."""
    source = extract()
    for language in LANGUAGES[1:]:
        click.echo(str(left := count_left(language, source)))
        for page in left.old:
            click.echo(f"  older than the English: {page.relative_to(ROOT)}")
        for name in left.missing:
            click.echo(f"  not translated: the page {name}")


def _show(context: Sequence[str]) -> None:
    for line in context[:_MOST_PLACES]:
        click.echo(f"  ({line})")


# How much of what the server says each language says, and what its readers get in English.


class Count(NamedTuple):
    """The amount of untranslated text in a language, and the total.

    sentences     the number in the code
    untranslated  those shown in English
    pages         the number of help pages in the language
    old           those whose English original has changed since, by file
    missing       help pages of the server without translation
    """

    language: str
    sentences: int
    untranslated: Sequence[str]
    pages: int
    old: Sequence[Path]
    missing: Sequence[str]

    @property
    def is_whole(self) -> bool:
        """Whether readers of that language see no English that a release must have in their
        language."""
        return not (self.untranslated or self.old or self.missing)

    def __str__(self) -> str:
        return (
            f"{self.language}: {self.sentences} sentences, {len(self.untranslated)} not "
            f"translated; {self.pages} help pages, {len(self.old)} older than the English, "
            f"{len(self.missing)} not translated"
        )


class _Nothing(NullTranslations):
    """The fallback of a catalogue, which shows that it has no translation."""

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
    """Yield the files of a language's help pages."""
    for folder in (HELP, GAMES):
        yield from sorted((ROOT / "pbm" / "locale" / language / folder).glob("*.txt"))


def find_original(page: Path) -> str:
    """Return the English text of the help page that a file translates."""
    return load_pages()[page.stem] if page.parent.name == HELP else get_game(page.stem).info.help


def is_current_file(page: Path) -> bool:
    """Whether a file translates the present text of its English page."""
    return is_current(page.read_text("utf-8"), find_original(page))
