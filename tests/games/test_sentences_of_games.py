"""Whatever a game says to its players is a phrase that the catalogues have: news, endings, what
chance did, refusals, claims, what stands beside the board, options, captions of lessons."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from pbm.games import get_game
from pbm.games.dip.dip_state import MAPS
from pbm.rules import CHANCE, Game, Position
from pbm.rules.chess.variants.variant_game import read_variant_file
from pbm.rules.diplomacy.maps import find_map
from pbm.rules.errors import MoveError
from pbm.rules.options import OptionError
from pbm.rules.phrases import Listing, Phrase, SeatName, get_text, phrase
from pbm.rules.testing.playthroughs import choose, random_options
from tests.harness.languages import list_messages
from tools.games.sampling import list_sampled_names

MOVES = 60
"""The moves of a game that is not played to its end."""
_WORD = re.compile(r"[a-z]{3,}")
_NOTATION = re.compile(r"\S*[0-9+=@:/-]\S*|'.*'")
"""A word with a digit or a sign of notation, and what somebody typed, in quotes."""
_STACK = re.compile(r"[bgry]{3,}")
"""The cubes of a stack of Cyclone."""
_VALUES = frozenset({"stw", "roll", "auto", "ask", "double", "take", "drop", "star", "end"})
_VALUES |= {"solo", "concede", "none", "draw", "buy"}
"""Words that stay as they are: the name of a tile, moves of several games, a place, votes."""
_TYPED = ("pass", "swap", "end", "a1", "e4", "7", "x", "o-o", "draw", "vote draw", "setup a1 b2 c3")
"""What is tried in each position besides parts of its moves."""


@cache
def list_map_words() -> frozenset[str]:
    """Return the names of powers and provinces, which are the same in all languages."""
    words = set[str]()
    for name in (name for names in MAPS.values() for name in names):
        game_map = find_map(name)
        words |= {word for power in game_map.powers for word in (power.name, power.adjective)}
        for code, province in game_map.provinces.items():
            words |= {code, province.name, *game_map.list_places(code)}
    return frozenset(part for word in words for part in re.findall(r"[a-z]+", word.lower()))


class Said:
    """What is wrong with the sentences of a game: those that are no phrases, or unknown to the
    catalogues, each with a sentence in which it stands."""

    def __init__(self, game: Game) -> None:
        self.wrong = dict[str, str]()
        self._values = set[str]()
        for option in game.info.options:
            self._values |= {option.name, *option.choices}
        if "orders" in game.info.features:
            self._values |= list_map_words()
        self._names_seats = "orders" not in game.info.features

    def add(self, text: str, position: Position | None = None, typed: str = "") -> None:
        """Look through a sentence."""
        for fault in self._find(text, is_value=False):
            words = _list_words(fault)
            if not position or not words <= _list_notation(position, typed):
                self.wrong.setdefault(fault, str(text))

    def add_event(self, text: str, position: Position, typed: str = "") -> None:
        """Look through a sentence about what happened, in which the server puts players in place of
        seats: it has to name the seat that it begins with by `SeatName`."""
        self.add(text, position, typed)
        is_named = not any(text.startswith(f"{name} ") for name in position.seat_names)
        if not isinstance(text, Phrase) or not (is_named or _begins_with_seat(text)):
            self.wrong.setdefault(str(text), "no SeatName")

    def _find(self, text: str, *, is_value: bool) -> Iterator[str]:
        if isinstance(text, Listing):
            for item in text.items:
                yield from self._find(item, is_value=is_value)
        elif isinstance(text, Phrase):
            is_seat = isinstance(text, SeatName) and not self._names_seats
            has_words = bool(_list_words(re.sub(r"\{\w+\}", "", text.message)))
            if has_words and not is_seat and text.message not in list_messages():
                yield text.message
            for value in text.values.values():
                if isinstance(value, str):
                    yield from self._find(value, is_value=True)
        elif not _list_words(text) <= self._values:
            yield text


def _begins_with_seat(text: str) -> bool:
    begins = re.match(r"\{(\w+)\}", text.message) if isinstance(text, Phrase) else None
    if begins is None or not isinstance(text, Phrase):
        return False
    value = text.values[begins[1]]
    if isinstance(value, SeatName):
        return text.message.startswith(" ", begins.end())
    return isinstance(value, str) and _begins_with_seat(value)


def _list_words(text: str) -> set[str]:
    """Return the words of a text that are no notation."""
    plain = " ".join(part for part in text.split() if not _NOTATION.fullmatch(part))
    return {
        word
        for word in _WORD.findall("" if _NOTATION.fullmatch(text) else plain.lower())
        if not _STACK.fullmatch(word) and word not in _VALUES
    }


def _list_notation(position: Position, typed: str) -> set[str]:
    """Return the words of moves and places of a position, and of what was typed."""
    moves = [move for seat in position.to_move for move in islice(position.legal_moves(seat), 500)]
    places = [place.name for place in position.scene().places]
    return {word for text in (*moves, *places, typed) for word in _WORD.findall(text.lower())}


def _try(position: Position, seat: int, typed: str) -> Iterator[str]:
    """Yield why a text is refused, as it is read and as it is played."""
    for act in (position.parse, lambda text, mover: position.play(mover, text)):
        try:
            act(typed, seat)
        except MoveError as error:
            yield get_text(error)


def _list_beside(position: Position, viewer: int | None) -> Iterator[str]:
    """Yield what stands beside the board, and the notes of the board in words."""
    yield from position.notes(viewer)
    for panel in position.scene(viewer).panels:
        yield panel.title
        for entry in panel.entries:
            yield from (entry.text, entry.short)


def _listen(said: Said, position: Position, rng: random.Random) -> Position:
    """Play a move, and look through all that is said with it."""
    seat, move = choose(position, rng)
    if seat != CHANCE:
        legal = position.legal_moves(seat)
        part = rng.choice(legal)[: rng.randint(1, 6)]
        for typed in (rng.choice(_TYPED), part, f"{part}9", rng.choice(legal)):
            for refused in _try(position, seat, typed):
                said.add(refused, position, typed)
    for viewer in (None, 0, position.players - 1):
        described = position.describe(seat, move, viewer)
        if seat == CHANCE and described != move:
            said.add_event(described, position, move)
        elif described != move:
            said.add(described, position, move)
        for text in _list_beside(position, viewer):
            said.add(text, position)
    said.add(position.claim, position)
    after = position.play(seat, move)
    for text in after.news:
        said.add_event(text, position, move)
    return after


def _end(said: Said, position: Position) -> None:
    """Look through how the game ended, or how it would by a resignation."""
    ended = position
    for seat in sorted(position.playing if position.to_move else ()):
        if seat in ended.playing and ended.to_move:
            ended = ended.resign(seat)
            for text in ended.news:
                said.add_event(text, position)
    for each in (position, ended):
        if each.outcome is not None:
            said.add_event(each.outcome.reason, position)


def find_faults(game: Game, games: int) -> dict[str, str]:
    """Return what is wrong with the sentences of some random games."""
    said, rng = Said(game), random.Random(0)
    for option in game.info.options:
        for text in (option.help, option.shown, option.pattern):
            said.add(Phrase(text))
    for lesson in game.list_lessons():
        said.add(lesson.caption)
    said.add(Phrase(game.info.summary))
    for number in range(games):
        players = game.info.players[number % len(game.info.players)]
        try:
            position = game.setup(players, random_options(game, rng) if number else {})
        except OptionError as error:
            said.add(get_text(error))
            continue
        for _ in range(MOVES * 4 if number % 2 else MOVES):
            if not position.to_move:
                break
            position = _listen(said, position, rng)
        _end(said, position)
    return said.wrong


def _list_ours() -> list[str]:
    """Return the games to go through, without those of packages."""
    return [
        name for name in list_sampled_names() if type(get_game(name)).__module__.startswith("pbm.")
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", _list_ours())
@pytest.mark.parametrize("games", [3, pytest.param(12, marks=pytest.mark.long)])
def test_all_that_a_game_says_can_be_translated(name: str, games: int) -> None:
    assert find_faults(get_game(name), games) == {}


_PROSE = re.compile(r"[a-z]{2,},? [a-z]{2,}")
_ROOT = Path(__file__).parents[2] / "pbm"
_OTHERS = (
    "rules/testing",
    "rules/drawing",
    "rules/chess/variants/checks.py",
    "rules/chess/variants/reader.py",
    "rules/chess/variants/values.py",
    "rules/diplomacy/maps",
    "games/dip/own_map.py",
    "rules/formats",
    "games/__init__.py",
)
"""What authors of games and operators read, and drawings, which have tests of their own."""


_ALOUD = ("words", "describe_seas")
"""Functions that put boards into words, which have tests of their own."""


def find_bare_sentences(source: str) -> Iterator[int]:
    """Yield the lines of a module in which a function returns, yields or adds to a list a text of
    several words that is no phrase."""
    tree = ast.parse(source)
    aloud = {
        each
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and function.name in _ALOUD
        for each in ast.walk(function)
    }
    for node in ast.walk(tree):
        if node in aloud:
            continue
        given: list[ast.expr | None] = []
        is_said = isinstance(node, ast.keyword) and node.arg in ("news", "reason")
        if isinstance(node, ast.Return | ast.Yield | ast.keyword):
            given = [node.value] if is_said or not isinstance(node, ast.keyword) else []
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "append":
            given = [*node.args]
        while given:
            value = given.pop()
            if isinstance(value, ast.IfExp):
                given += [value.body, value.orelse]
            elif isinstance(value, ast.Tuple | ast.List):
                given += value.elts
            elif isinstance(value, ast.BoolOp):
                given += value.values
            elif isinstance(value, ast.Constant | ast.JoinedStr) and _is_prose(value):
                yield value.lineno


def _is_prose(value: ast.Constant | ast.JoinedStr) -> bool:
    parts = value.values if isinstance(value, ast.JoinedStr) else [value]
    texts = (str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
    return bool(_PROSE.search("".join(texts)))


def test_no_function_of_a_game_returns_a_bare_sentence() -> None:
    """Nor what is said too rarely for random games to show it."""
    bare = [
        f"{path.relative_to(_ROOT)}:{line}"
        for room in ("rules", "games")
        for path in sorted((_ROOT / room).rglob("*.py"))
        if not str(path.relative_to(_ROOT)).startswith(_OTHERS)
        for line in find_bare_sentences(path.read_text("utf-8"))
    ]
    assert bare == []
    source = "def f():\n    return x or (f'{a} moves again' if b else phrase('c d'))"
    assert [*find_bare_sentences(source)] == [2]


def test_a_variant_of_somebodys_own_is_summed_up_in_a_phrase() -> None:
    own, faults = read_variant_file("[hillside:chess]\n\n[skak:makruk]\n\n[inkoku:minishogi]\n")
    assert (len(own), faults) == (3, [])
    for game in own:
        assert isinstance(game.info.summary, Phrase)
        assert game.info.summary.message in list_messages()


def test_a_sentence_that_is_no_phrase_is_found() -> None:
    said = Said(get_game("go"))
    said.add_event(phrase("{colour} resigns", colour="black"), get_game("go").setup())
    assert said.wrong.pop("black resigns") == "no SeatName"
    said.wrong.clear()
    said.add("black moves again")
    said.add(phrase("{what} is not a move; a move looks like {move}", what="the king", move="a1"))
    said.add(Phrase("nobody has ever said this"))
    said.add(phrase("{place} is vacant", place="b7"))
    assert [*said.wrong] == [
        "black moves again",
        "{what} is not a move; a move looks like {move}",
        "the king",
        "nobody has ever said this",
        "{place} is vacant",
    ]
