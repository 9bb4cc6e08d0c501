"""Reads the words of a position back: what stands where, what lies beside the board, whose turn it
is. It knows the board and the language, and shares nothing with what writes the words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pbm.rules.drawing.scene import Scene

Standing = tuple[str, str, str, int, str, int]
"""Place, kind, colour ("" for nobody's), count, what it shows, and level in its stack."""

SINGULAR = {
    "men": "man",
    "dice": "die",
    "horses": "horse",
    "crosses": "cross",
    "pieces": "piece",
    "boxes": "box",
}


class Unreadable(AssertionError):
    """The words cannot be understood, or mean two things."""


@dataclass
class Board:
    """What a reader knows beforehand: the names of places, the rows and columns, the colours of the
    seats, and the names of the seats."""

    places: frozenset[str]
    lines: Sequence[Sequence[str]]
    colours: Sequence[str]
    names: Sequence[str]

    @classmethod
    def of(cls, scene: Scene, colours: Sequence[str], names: Sequence[str]) -> Board:
        """The board of a scene, without what stands on it."""
        lines = [region.places for region in scene.regions if region.kind in ("row", "column")]
        return cls(frozenset(place.name for place in scene.places), lines, colours, names)


@dataclass
class Reading:
    """What the words said."""

    standing: Counter[Standing] = field(default_factory=Counter)
    together: set[frozenset[str]] = field(default_factory=set)
    panels: list[tuple[str, list[str]]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    last: list[str] = field(default_factory=list)
    to_move: frozenset[str] = frozenset()
    over: str = ""
    seat: str = ""
    moves: list[str] = field(default_factory=list)


def read_words(text: str, board: Board) -> Reading:
    """What the words say; Unreadable where they are not clear."""
    reading = Reading()
    for sentence in split_sentences(text):
        _read_sentence(sentence, board, reading)
    return reading


def split_sentences(text: str) -> list[str]:
    """The sentences, each without its full stop, on one line."""
    joined = " ".join(text.split())
    if joined and not joined.endswith("."):
        raise Unreadable(f"no full stop at the end: {text}")
    return [sentence.rstrip(".") for sentence in re.split(r"(?<=\.) (?=[A-Z0-9])", joined)]


def _read_sentence(sentence: str, board: Board, reading: Reading) -> None:
    plain = sentence[:1].lower() + sentence[1:]
    if match := re.fullmatch(r"last move: (.*)", plain):
        reading.last = _split_list(match[1])
    elif match := re.fullmatch(r"you play (.*)", plain):
        reading.seat = match[1]
    elif match := re.fullmatch(r"(.*) (?:is|are) to move", plain):
        names = [reading.seat if who == "you" else who for who in _split_list(match[1])]
        if not {*names} <= {*board.names}:
            raise Unreadable(f"who is to move? {sentence}")
        reading.to_move = frozenset(names)
    elif plain == "chance decides":
        reading.to_move = frozenset({"chance"})
    elif match := re.fullmatch(r"the game is over: (.*)", plain):
        reading.over = match[1]
    elif match := re.fullmatch(r"legal moves?: (.*)", plain):
        reading.moves = _split_list(match[1])
    elif plain != "the board is empty":
        _read_content(plain, board, reading)


def _read_content(plain: str, board: Board, reading: Reading) -> None:
    if match := re.fullmatch(r"on (.*) from below: (.*)", plain):
        stack = [_read_phrase(item, board) for item in match[2].split(", ")]
        for place in _read_places(match[1], board):
            for level, (count, kind, colour, shows) in enumerate(stack):
                reading.standing[place, kind, colour, count, shows, level] += 1
        return
    what, on, where = plain.rpartition(" on ")
    if on and ": " not in plain:
        try:
            places = [*_read_places(where, board)]
        except Unreadable:
            reading.remarks.append(plain)
            return
        what = re.sub(r" in row \w+$", "", what)
        count, kind, colour, shows = _read_phrase(re.sub(r" each$", "", what), board)
        reading.together.add(frozenset(places))
        for place in places:
            reading.standing[place, kind, colour, count, shows, 0] += 1
    elif ": " in plain:
        title, _, items = plain.partition(": ")
        if _read_houses(title, items.split(", "), board, reading):
            return
        reading.panels.append((title, [] if items == "nothing" else _split_list(items)))
    else:
        reading.remarks.append(plain)


def _read_houses(title: str, items: Sequence[str], board: Board, reading: Reading) -> bool:
    """Read houses with seeds: "south: A 4, B empty, store 2"; False if they are none."""
    for item in items:
        house, _, seeds = item.lower().partition(" ")
        if f"{title} {house}" not in board.places:
            return False
        if seeds != "empty":
            reading.standing[f"{title} {house}", "seed", title, int(seeds), "", 0] += 1
    return True


def _split_list(text: str) -> list[str]:
    """The items of "one, two and three" or "one or two"."""
    if " or " in text:
        return text.split(" or ")
    head, _, last = text.rpartition(" and ")
    return [*head.split(", "), last] if head else text.split(", ")


def _read_places(text: str, board: Board) -> Iterator[str]:
    for item in _split_list(text):
        name = item.lower()
        if name in board.places:
            yield name
        elif match := re.fullmatch(r"(.+) to (.+)", name):
            yield from _fill_run(match[1], match[2], board)
        else:
            raise Unreadable(f"no place: {item}")


def _fill_run(first: str, last: str, board: Board) -> Sequence[str]:
    """The places from one to another; Unreadable unless one line alone has both."""
    lines = [line for line in board.lines if first in line and last in line]
    if len(lines) != 1:
        raise Unreadable(f"{len(lines)} lines from {first} to {last}")
    begin, end = lines[0].index(first), lines[0].index(last)
    if end - begin < 2:
        raise Unreadable(f"no run: {first} to {last}")
    return lines[0][begin : end + 1]


def _read_phrase(text: str, board: Board) -> tuple[int, str, str, str]:
    """Count, kind, colour and label of "2 white men", "white die showing 3", "crosses"."""
    number = re.match(r"(\d+) ", text)
    count = int(number[1]) if number else 1
    what, _, shows = text[number.end() if number else 0 :].partition(" showing ")
    owned = re.fullmatch(r"(.*) of the (.*)", what)
    if match := re.fullmatch(r"piece of height (\d+)", what):
        return count, "piece", "", match[1]
    if owned and owned[2] in board.colours:
        return count, _read_kind(owned[1]), owned[2], shows
    for colour in board.colours:
        if colour.endswith("s") and _singular(what) == _singular(colour):
            return count, "", colour, shows
        if what.startswith(colour + " "):
            return count, _read_kind(what.removeprefix(colour + " ")), colour, shows
    return count, _read_kind(what), "", shows


def _read_kind(kind: str) -> str:
    head, blank, noun = kind.rpartition(" ")
    return head + blank + _singular(noun)


def _singular(noun: str) -> str:
    if noun in SINGULAR:
        return SINGULAR[noun]
    return noun.removesuffix("s") if not noun.endswith("ss") else noun
