"""Turns words in another language back into English: a sentence into its phrase by the patterns of
the catalogue, and what fills it in likewise, until the names of places are left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, product
from typing import NamedTuple

from pbm.cli.check_language import PEOPLE, list_messages
from pbm.locale import choose_form, list_forms, translate
from pbm.rules.drawing.sentences import name_kind, name_man
from pbm.rules.phrases import EnglishWord, Listing, Phrase, SeatName
from tools.words.reader import SINGULARS

MODULES = (
    "pbm/games/battleship/seas.py",
    "pbm/games/cradle/__init__.py",
    "pbm/games/dip/view.py",
    "pbm/games/spacetruckin/table.py",
    "pbm/games/spacetruckin/view.py",
    "pbm/rules/chess/variants/variant_game.py",
    "pbm/rules/drawing/sentences.py",
    "pbm/rules/families/sowing.py",
    "pbm/rules/game.py",
)
"""What writes words about the pieces on a board."""
FREE = {"moves", "reason"}
"""Values that may be anything."""
_OWNERS = {"colour", "owner", "seat"}
"""Values that are the name of a seat or of its colour."""
_VALUE = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
_MARKS_WITHIN = re.compile(r"[(),]")
"""Marks that are left out of what is one item of a list."""
_COLON = re.compile(r"\s?: ")
_MOST_WAYS = 40
_GLUE = "\0"
_UNKNOWN = 1000


class Pattern(NamedTuple):
    """A phrase with values: in English, and as the language says it, as pieces between values."""

    english: str
    pieces: tuple[str, ...]
    names: tuple[str, ...]

    def match(self, text: str) -> Iterator[dict[str, str]]:
        """Yield the values with which it is that text."""
        first, *rest = self.pieces
        if text.startswith(first):
            yield from _fill(text[len(first) :], rest, self.names)


def _fill(text: str, pieces: Sequence[str], names: Sequence[str]) -> Iterator[dict[str, str]]:
    if not names:
        if not text:
            yield {}
        return
    piece, *rest = pieces
    at = len(text) - len(piece) if not rest and piece else -1
    if not rest:
        if text.endswith(piece) and len(text) > len(piece):
            yield {names[0]: text[:at] if piece else text}
        return
    start = text.find(piece, 1)
    while start > 0:
        for values in _fill(text[start + len(piece) :], rest, names[1:]):
            yield {names[0]: text[:start], **values}
        start = text.find(piece, start + 1)


@cache
def list_patterns(language: str) -> tuple[Pattern, ...]:
    """Return the phrases that words about pieces are made of."""
    found = dict[tuple[str, str], None]()
    for message in list_messages(MODULES):
        one, *several = list_forms(message)
        for count in range(1, 3):
            english = several[0] if several and count > 1 else one
            said = choose_form(language, one, {"count": count}, *several)
            found[english, said] = None
            found[english, _MARKS_WITHIN.sub("", said)] = None
    return tuple(
        Pattern(english, tuple(_VALUE.split(form)[::2]), tuple(_VALUE.findall(form)))
        for english, form in found
    )


def _rank(way: tuple[float, str]) -> tuple[float, int, str]:
    """Return how good a reading is: the best understood, then the shortest, is the least."""
    return round(way[0], 3), len(way[1]), way[1]


class Tongue:
    """Reads one language about one board, of which it knows the kinds of pieces, the colours, the
    seats and the names of places."""

    def __init__(
        self, language: str, kinds: Iterable[str], names: Iterable[str], places: Iterable[str]
    ) -> None:
        self.language = language
        plurals = {kind: many for many, kind in SINGULARS.items() if many != kind}
        kinds = [*kinds]
        own = [kind for kind in kinds if isinstance(kind, EnglishWord)]
        plain = [kind.removeprefix("promoted ") for kind in kinds]
        self._names = frozenset(names)
        names = tuple(names)
        kinds = [*plain, *(plurals[kind] for kind in plain if kind in plurals)]
        words = [*names, *kinds, *PEOPLE.values()]
        self._kinds = frozenset(kinds)
        self._patterns = [each for each in list_patterns(language) if each.names]
        self._literals = {
            each.pieces[0]: each.english for each in list_patterns(language) if not each.names
        }
        self._literals |= {translate(Phrase(word), language): word for word in reversed(words)}
        self._literals |= {translate(SeatName(name, 0), language): name for name in names}
        self._literals |= {
            translate(each, language): str(each)
            for kind in own
            for each in (kind, name_kind(kind, many=True))
        }
        whole = (
            name_man(kind, colour, many=many)
            for kind, colour, many in product([*own, *plain], names, (False, True))
        )
        self._literals |= {translate(man, language): str(man) for man in whole if man}
        known = " ".join((*places, *self._names)).lower()
        self._known = frozenset(re.findall(r"\w+", known))
        pair = translate(Listing("12"), language)
        both = pair.removeprefix("1").removesuffix("2")
        either = f" {translate(Phrase('or'), language)} "
        self._marks = {both: " and ", either: " or ", ", ": ", "}
        self._row = re.compile(f"({both}|{either}|, )")
        self._joints = {
            piece
            for each in self._patterns
            if not each.english.endswith(".")
            for piece in each.pieces[1:-1]
            if self._row.search(piece) and piece.strip(", ")
        }
        self._read = dict[str, tuple[float, str]]()

    def read_back(self, sentence: str) -> str:
        """Return a sentence in English, without its full stop; unchanged if it fits no pattern."""
        whole = f"{sentence}."
        ways = [*self._match(whole, is_whole=True), *self._split_title(whole, is_whole=True)]
        cost, meant = min(ways, default=(_UNKNOWN, sentence), key=_rank)
        return meant.removesuffix(".") if cost < 1 else sentence

    def _find(self, text: str) -> tuple[float, str]:
        """Return what a text means in English, and how much of it is not understood."""
        if text not in self._read:
            unknown = sum(word.lower() not in self._known for word in _WORD.findall(text))
            as_it_is = unknown + 0.05 * text.count(" "), text
            self._read[text] = as_it_is
            if as_it_is[0]:
                self._read[text] = min([as_it_is, *self._list_ways(text)], key=_rank)
        return self._read[text]

    def _list_ways(self, text: str) -> Iterator[tuple[float, str]]:
        """Yield what a text may mean that is no whole sentence: a word, things in a row, a phrase,
        a number of something."""
        if text in self._literals:
            yield 0.0, self._literals[text]
            return
        for joint in self._joints:  # such as " tot en met ", in which " en " joins nothing
            text = text.replace(joint, f" {joint.strip().replace(' ', _GLUE)} ")
        items = [item.replace(_GLUE, " ") for item in self._row.split(text)]
        text = text.replace(_GLUE, " ")
        if len(items) > 1:
            found = [
                (0.0, self._marks[item]) if item in self._marks else self._find(item)
                for item in items
            ]
            yield sum(cost for cost, _ in found), "".join(meant for _, meant in found)
            return
        yield from self._match(text, is_whole=False)
        yield from self._split_title(text, is_whole=False)
        head, _, last = text.partition(" ")
        if last:
            (one, first), (two, second) = self._find(head), self._find(last)
            yield one + two + 0.1, f"{first} {second}"

    def _match(self, text: str, *, is_whole: bool) -> Iterator[tuple[float, str]]:
        """Yield what a text means as a phrase of the catalogue."""
        for each in dict.fromkeys((text, text[:1].lower() + text[1:])):
            if each in self._literals:
                yield 0.0, self._literals[each]
            for pattern in self._patterns:
                if pattern.english.endswith((".", "{sentence}")) == is_whole:
                    for values in islice(pattern.match(each), _MOST_WAYS):
                        yield self._fill_in(pattern.english, values)

    def _fill_in(self, english: str, values: dict[str, str]) -> tuple[float, str]:
        total, meant = 0.01, dict[str, str]()
        for name, value in values.items():
            if name == "sentence":
                meant[name] = f"{self.read_back(value.removesuffix('.'))}."
                continue
            cost, meant[name] = self._find(value)
            total += 0 if name in FREE else cost
            total += name in _OWNERS and meant[name] not in self._names
            total += name == "piece" and meant[name] not in self._kinds
        return total, english.format_map(meant)

    def _split_title(self, text: str, *, is_whole: bool) -> Iterator[tuple[float, str]]:
        """Yield what a text means as a title with what it is of."""
        end = "." if is_whole else ""
        title, *rest = _COLON.split(text.removesuffix(end), maxsplit=1)
        if rest:
            (one, said), (two, what) = self._find(title), self._find(rest[0])
            yield one + two, f"{said}: {what}{end}"
