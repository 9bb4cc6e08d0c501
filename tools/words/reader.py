"""Reads the words of a position back: what stands where, what lies beside the board, whose turn it
is. It knows the board and the language, and shares nothing with what writes the words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbm.cli.check_language import KINDS, PEOPLE
from pbm.games.spacetruckin.table import IN_WORDS
from pbm.rules.drawing.scene import Scene

if TYPE_CHECKING:
    from tools.words.tongue import Tongue

Standing = tuple[str, str, str, int, str, int]
"""Place, kind, colour ("" for nobody's), count, what it shows, and level in its stack."""

SINGULARS = {
    **{kind: kind for kind in KINDS},
    **{f"{kind}s": kind for kind in KINDS},
    **{f"{kind}es": kind for kind in ("box", "cross", "miss")},
    **{
        "geese": "goose",
        "men": "man",
        "dice": "die",
        "armies": "army",
        "dislodged armies": "dislodged army",
    },
}


class Unreadable(AssertionError):
    """The words cannot be understood, or mean two things."""


@dataclass
class Board:
    """What a reader knows beforehand: the names of places, the rows and columns, the colours of the
    pieces, and the names of the seats."""

    places: frozenset[str]
    lines: Sequence[Sequence[str]]
    colours: Sequence[str]
    names: Sequence[str]

    @classmethod
    def of(cls, scene: Scene, colours: Sequence[str], names: Sequence[str]) -> Board:
        """Return the board of a scene, without what stands on it."""
        lines = [region.places for region in scene.regions if region.kind in ("row", "column")]
        return cls(frozenset(place.name for place in scene.places), lines, colours, names)

    @property
    def has_seas(self) -> bool:
        """Whether each seat has a sea of its own, with cells of the same names."""
        return any(f"{colour} a1" in self.places for colour in self.colours)


@dataclass(frozen=True)
class Phrase:
    """What "2 white men", "dice of the first showing 3", "crosses" names; the kind is "" where the
    colour says it."""

    count: int
    kind: str
    colour: str
    shows: str = ""


@dataclass
class Reading:
    """What the words said."""

    standing: Counter[Standing] = field(default_factory=Counter)
    together: set[frozenset[str]] = field(default_factory=set)
    beside: list[str] = field(default_factory=list)
    last: list[str] = field(default_factory=list)
    to_move: frozenset[str] = frozenset()
    over: str = ""
    seat: str = ""
    on: str = ""
    moves: list[str] = field(default_factory=list)

    def put(self, places: Sequence[str], phrase: Phrase, level: int = 0) -> None:
        """Note that this stands on each of the places."""
        for place in places:
            standing = place, phrase.kind, phrase.colour, phrase.count, phrase.shows, level
            self.standing[standing] += 1


def read_words(text: str, board: Board, tongue: Tongue | None = None) -> Reading:
    """Return what the words say; Unreadable where they are not clear. Those of another language are
    turned back into English first."""
    reading = Reading()
    for original in split_sentences(text):
        sentence = original if tongue is None else tongue.read_back(original)
        begins_with_name = sentence.startswith((*board.names, *board.colours))
        plain = sentence if begins_with_name else sentence[:1].lower() + sentence[1:]
        said = plain
        if match := re.fullmatch(r"on board (\w): (.*)", plain):
            reading.on, said = f"{match[1].lower()} ", match[2][:1].lower() + match[2][1:]
        if not (_read_state(said, board, reading) or _read_pieces(said, board, reading)):
            reading.beside.append(plain if tongue is None else original)
    return reading


def split_sentences(text: str) -> list[str]:
    """Return the sentences, each without its full stop, on one line."""
    joined = " ".join(text.split())
    if joined and not joined.endswith("."):
        raise Unreadable(f"no full stop at the end: {text}")
    sentences = re.split(r"(?<=\.) (?=[A-Z\u00c0-\u00de0-9])", joined)
    return [sentence.rstrip(".") for sentence in sentences]


def _read_state(plain: str, board: Board, reading: Reading) -> bool:
    """Read the last move, whose turn it is, the legal moves; False if it is something else."""
    if match := re.fullmatch(r"last move: .* from (.*) to (.*)", plain):
        reading.last = [match[1], match[2]]
    elif (match := re.fullmatch(r"last move: .* on (.*)", plain)) and match[1] in board.places:
        reading.last = [match[1]]
    elif match := re.fullmatch(r"last move: (.*)", plain):
        reading.last = [end for each in _split_list(match[1]) for end in each.split(" to ")]
    elif match := re.fullmatch(r"you play (.*)|you are the (.*) player", plain):
        reading.seat = match[1] or match[2]
    elif match := re.fullmatch(r"the (.*) player is to move", plain):
        reading.to_move = frozenset({match[1]})
    elif match := re.fullmatch(r"(.*) (?:is|are) to move|orders are awaited from (.*)", plain):
        names = [reading.seat if who == "you" else who for who in _split_list(match[1] or match[2])]
        if not {*names} <= {*board.names}:
            raise Unreadable(f"who is to move? {plain}")
        reading.to_move = frozenset(names)
    elif plain == "chance decides":
        reading.to_move = frozenset({"chance"})
    elif match := re.fullmatch(r"the game is over: (.*)", plain):
        reading.over = match[1]
    elif match := re.fullmatch(r"legal moves?: (.*)", plain):
        reading.moves = match[1].split(" or ") if " or " in match[1] else _split_list(match[1])
    else:
        return plain == "the board is empty"
    return True


def _read_pieces(plain: str, board: Board, reading: Reading) -> bool:
    """Read what stands on the board; False if it is something else."""
    if match := re.fullmatch(r"on (.*) from below: (.*)", plain):
        _read_stacks([*_read_places(match[1], board)], match[2].split(", "), board, reading)
        return True
    if ": " in plain:
        title, _, items = plain.partition(": ")
        return _read_houses(title, items.split(", "), board, reading) or _read_tile(
            title, items.split(", "), board, reading
        )
    what, on, where = plain.rpartition(" on ")
    if not on:
        return False
    what, sea = _split_sea(what, board)
    phrase = _read_phrase(re.sub(r" each$| in row \w+$", "", what), board)
    if phrase is None:
        return False
    places = [*_read_places(where, board, sea or reading.on)]
    reading.together.add(frozenset(places))
    reading.put(places, phrase)
    return True


def _read_stacks(
    places: Sequence[str], items: Sequence[str], board: Board, reading: Reading
) -> None:
    """Read stacks that consist of the same pieces, from below."""
    level = 0
    for item in items:
        phrase = _read_phrase(item, board)
        if phrase is None:
            raise Unreadable(f"what is {item}?")
        for _ in range(phrase.count):
            one = Phrase(1, phrase.kind, phrase.colour, phrase.shows)
            reading.put(places, one, level)
            level += 1


def _read_houses(title: str, items: Sequence[str], board: Board, reading: Reading) -> bool:
    """Read houses with seeds: "south: A 4, B empty, store 2"; False if they are none."""
    for item in items:
        house, _, seeds = item.lower().partition(" ")
        if f"{title} {house}" not in board.places:
            return False
        if seeds != "empty":
            reading.put([f"{title} {house}"], Phrase(int(seeds), "seed", title))
    return True


def _read_tile(title: str, items: Sequence[str], board: Board, reading: Reading) -> bool:
    """Read a tile with its ship: "b1: a station turned 2, red cargo at n"; False if it is none."""
    text = ", ".join(items).replace(", in ", " in ").replace(", and ", " and ")
    plain = {words.replace(",", ""): name for name, words in IN_WORDS.items()}
    named = sorted((words for words in plain if text.startswith(words)), key=len)
    if title not in board.places or not named:
        return False
    first, *items = text[len(named[-1]) :].split(", ")
    tile = re.fullmatch(r"(?: turned (\d))?", first)
    if tile is None:
        return False
    reading.put([title], Phrase(1, "tile", "", f"{plain[named[-1]]} turned {tile[1] or 0}"))
    for item in items:
        what, _, edge = item.partition(" at ")
        phrase = _read_phrase(what, board)
        if phrase is None:
            raise Unreadable(f"what is {item}?")
        reading.put([title], Phrase(1, phrase.kind, phrase.colour, edge), level=1)
    return True


def _split_sea(what: str, board: Board) -> tuple[str, str]:
    """Return what is named, and how the places after it begin: ships lie in the sea of their seat,
    "hits in north" are in that sea."""
    if not board.has_seas:
        return what, ""
    head, is_in, sea = what.partition(" in ")
    return (head, f"{sea} ") if is_in else (what, what.partition(" ")[0] + " ")


def _split_list(text: str) -> list[str]:
    """Return the items of "one, two and three"."""
    head, _, last = text.rpartition(" and ")
    return [*head.split(", "), last] if head else text.split(", ")


def _read_places(text: str, board: Board, sea: str = "") -> Iterator[str]:
    for item in _split_list(text):
        name = re.sub(r" ([nsew])\w+ coast$", r"/\1c", sea + item.lower())
        if name in board.places:
            yield name
        elif match := re.fullmatch(r"(.+) to (.+)", name):
            yield from _fill_run(match[1], sea + match[2], board)
        else:
            raise Unreadable(f"no place: {item}")


def _fill_run(first: str, last: str, board: Board) -> Sequence[str]:
    """Return the places from one to another; Unreadable unless one line alone has both."""
    lines = [line for line in board.lines if first in line and last in line]
    if len(lines) != 1:
        raise Unreadable(f"{len(lines)} lines from {first} to {last}")
    begin, end = lines[0].index(first), lines[0].index(last)
    if end - begin < 2:
        raise Unreadable(f"no run: {first} to {last}")
    return lines[0][begin : end + 1]


def _read_phrase(text: str, board: Board) -> Phrase | None:
    """Return what a phrase names; None if it names no pieces."""
    number, what = re.fullmatch(r"(?:(\d+) )?(.*)", text).groups()  # type: ignore[union-attr]
    count = int(number or 1)
    if match := re.fullmatch(r"piece of height (\d+)", what):
        return Phrase(count, "piece", "", match[1])
    what, _, shows = what.partition(" showing ")
    kind, is_owned, colour = what.partition(" of the ")
    if is_owned and colour in board.colours:
        return Phrase(count, SINGULARS[kind], colour, shows)
    for colour in board.colours:
        if what in (colour, PEOPLE.get(colour)):
            return Phrase(count, "", colour, shows)
        if what.startswith(f"{colour} ") and (kind := what.removeprefix(f"{colour} ")) in SINGULARS:
            return Phrase(count, SINGULARS[kind], colour, shows)
    return Phrase(count, SINGULARS[what], "", shows) if what in SINGULARS else None
