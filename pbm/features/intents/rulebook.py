"""The paragraphs of a game's page that a question is about."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence, Set
from functools import lru_cache

from pbm.core.intents import Wish, list_content, list_stems
from pbm.features.finding.game_page import build_game_page
from pbm.locale import ENGLISH, translate
from pbm.locale.intents import find_stem, split_words
from pbm.locale.words import fold
from pbm.rules.game import Game
from pbm.rules.phrases import Phrase, phrase

_COMMANDS = phrase("COMMANDS")
"""The heading below which a page has no rules."""
_PAGES = 256
_NEARLY = 0.7
"""A second paragraph is shown that fits nearly as well as the first."""
_HEADING = 3
"""What a word of the heading counts, in words of the paragraph."""


@lru_cache(_PAGES)
def _split_page(game: Game, language: str) -> Sequence[str]:
    page = build_game_page(game, has_drawings=False, language=language)
    rules, mark, rest = page.rpartition(f"\n\n{translate(_COMMANDS, language)}\n")
    return (rules if mark else rest).split("\n\n")


@lru_cache(_PAGES)
def list_terms(game: Game, language: str) -> Set[str]:
    """Return the words of a game's page, folded."""
    return frozenset(split_words("\n".join(_split_page(game, language)[1:])))


def write_excerpt(game: Game, line: str, wish: Wish, language: str) -> str:
    """Return in a language the paragraphs of a game's page that fit a question best; "" where none
    has a word of it."""
    page = _split_page(game, wish.language)
    shown = _split_page(game, language)
    parts = [[split_words(each) for each in part.split("\n", 1)] for part in page]
    scores = [0.0] * len(page)
    for stems in _list_wanted(line, wish):
        counts = [_count(part, stems) if len(part) > 1 else 0 for part in parts]
        weight = math.log((len(page) + 1) / (sum(map(bool, counts)) + 1))
        scores = [
            score + weight * (1 + math.log(count)) if count else score
            for score, count in zip(scores, counts, strict=True)
        ]
    best = max(scores)
    ranked = sorted(range(len(page)), key=lambda at: -scores[at])[:2]
    chosen = sorted(at for at in ranked if best and scores[at] >= _NEARLY * best)
    return "\n\n".join((shown if len(shown) == len(page) else page)[at] for at in chosen)


def _list_wanted(line: str, wish: Wish) -> Iterator[Sequence[str]]:
    """Yield for each word that a question is about the stems by which it is found in a page."""
    for word, concepts in list_content(line, wish.language):
        named = (stem for each in concepts for at in _both(wish) for stem in list_stems(each, at))
        yield [find_stem(word), *named]
    for kind in wish.pieces:
        yield [find_stem(fold(translate(Phrase(kind), at))) for at in _both(wish)]


def _both(wish: Wish) -> Collection[str]:
    return {wish.language, ENGLISH}


def _count(part: Sequence[Sequence[str]], stems: Sequence[str]) -> int:
    """Return how often words that begin so are in a paragraph; its heading counts more."""
    beginnings = tuple(stems)
    head, text = (sum(word.startswith(beginnings) for word in each) for each in part)
    return head * _HEADING + text
