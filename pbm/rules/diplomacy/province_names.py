"""The names by which people call provinces: abbreviations, beginnings of names, misspelt names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from pbm.rules.diplomacy.board import GameMap

_SHORTEST = 3
"""The letters that a beginning of a name needs."""
_SHORTEST_MISSPELT = 5
_LONG = 8
"""The letters from which on a name may have two slips instead of one."""


class Certainty(IntEnum):
    """The ways in which a word may mean a province, the surest first."""

    EXACT = 0
    """It is the abbreviation, the name or another name."""
    BEGINNING = 1
    """Its words begin words of the name, in order."""
    MISSPELT = 2
    """It is the name with a slip or two."""


@dataclass(frozen=True, slots=True)
class _Name:
    code: str
    words: tuple[str, ...]

    @property
    def joined(self) -> str:
        return "".join(self.words)


class ProvinceNames:
    """The names of the provinces of a map."""

    def __init__(self, game_map: GameMap) -> None:
        self._exact: dict[str, str] = {}
        self._names: list[_Name] = []
        for code, province in game_map.provinces.items():
            for text in (code, province.name, *province.also):
                words = split_name(text)
                self._exact.setdefault("".join(words), code)
                if text not in (code, code.lower()):
                    self._names.append(_Name(code, words))
        hyphened = {
            match
            for province in game_map.provinces.values()
            for text in (province.name, *province.also)
            for match in re.findall(r"([a-z]+)-([a-z]+)", text.lower())
        }
        self._hyphens = [
            re.compile(rf"\b{one}\s*-\s*(?={other[:_SHORTEST]})") for one, other in sorted(hyphened)
        ]

    def join_hyphened(self, text: str) -> str:
        """Return the text with a blank for the hyphens of names: "mid-atlantic" is no move."""
        for pattern in self._hyphens:
            text = pattern.sub(lambda match: re.split(r"\s*-", match[0])[0] + " ", text)
        return text

    @lru_cache(maxsize=4096)  # noqa: B019 (there is one instance for each map)
    def find(self, words: tuple[str, ...]) -> Mapping[str, Certainty]:
        """Return the provinces that the words may mean, all with the same certainty."""
        joined = "".join(words)
        if (code := self._exact.get(joined)) is not None:
            return {code: Certainty.EXACT}
        begun = {each.code for each in self._names if _begins(words, each)}
        if len(joined) >= _SHORTEST and begun:
            return dict.fromkeys(sorted(begun), Certainty.BEGINNING)
        if len(joined) < _SHORTEST_MISSPELT:
            return {}
        most = 2 if len(joined) >= _LONG else 1
        near = {each.code for each in self._names if _is_near(joined, each.joined, most)}
        return dict.fromkeys(sorted(near), Certainty.MISSPELT)


def split_name(text: str) -> tuple[str, ...]:
    """Return the words of a name, in lower case: "St Petersburg" has two."""
    return tuple(re.findall(r"[a-z0-9]+", text.lower().replace("'", "")))


@lru_cache(maxsize=16)
def find_names(game_map: GameMap) -> ProvinceNames:
    """Return the names of the provinces of a map."""
    return ProvinceNames(game_map)


def _begins(words: Sequence[str], name: _Name) -> bool:
    """Whether the words begin words of the name, in order, or all of it as one word."""
    left: Iterator[str] = iter(name.words)
    if all(any(each.startswith(word) for each in left) for word in words):
        return True
    return len(words) == 1 and name.joined.startswith(words[0])


def _is_near(one: str, other: str, most: int) -> bool:
    """Whether at most `most` slips make one word another: a letter too many, too few or wrong, or
    two in the wrong order."""
    if abs(len(one) - len(other)) > most or one[0] != other[0]:
        return False
    before_last: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        here = [row]
        for column, wanted in enumerate(other, 1):
            cost = min(
                last[column] + 1, here[-1] + 1, last[column - 1] + (0 if letter == wanted else 1)
            )
            is_swapped = row > 1 and column > 1 and letter == other[column - 2]
            if is_swapped and one[row - 2] == wanted:
                cost = min(cost, before_last[column - 2] + 1)
            here.append(cost)
        before_last, last = last, here
    return last[-1] <= most
