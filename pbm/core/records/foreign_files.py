"""Finds the games in a file of PGN, PDN, SGF or MAT, and goes on behind one that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbm.rules.errors import RecordError
from pbm.rules.formats import mat_reading, pgn, sgf_trees

MOST_GAMES = 1000
_NEXT_PGN = re.compile(r"^[ \t]*\[[ \t]*Event[ \t]", re.MULTILINE)
_NEXT_SGF = re.compile(r"\(\s*;\s*(?:FF|GM|CA|AP|SZ|EV|PB|PW|GN)\s*\[")
_NEXT_MAT = re.compile(r"^[ \t]*[0-9]{1,4} point match", re.MULTILINE | re.IGNORECASE)
_BACKGAMMON = re.compile(r"\s*\(\s*;[^;]{0,200}GM\[6\]")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")


@dataclass(frozen=True, slots=True)
class Written:
    """A game as a file has it.

    text    the game, as `Game.read_record` reads it
    format  pgn (PDN, too), sgf or mat
    tags    what says which game it is
    first   its first move
    called  a name of the game beside the tags
    """

    text: str
    tags: Mapping[str, str] = field(default_factory=dict)
    format: str = "pgn"
    first: str = ""
    called: str = ""


def looks_like_record(text: str) -> bool:
    """Whether a text begins as a file of one of the formats does."""
    return any(each.looks_like_record(text) for each in (sgf_trees, mat_reading, pgn))


def find_unit(text: str) -> str:
    """Return what a refusal counts in a file: games, or the matches of backgammon."""
    if mat_reading.looks_like_record(text) or _BACKGAMMON.match(text):
        return "match"
    return "game"


def list_written(text: str) -> Iterator[Written | RecordError]:
    """Yield the games of a file, one after another; in the place of one that cannot be read,
    why."""
    if sgf_trees.looks_like_record(text):
        yield from _join_matches(_list_sgf(text))
    elif mat_reading.looks_like_record(text):
        yield from _list_mat(mat_reading.clean(text))
    else:
        yield from _list_pgn(pgn.clean(text))


def _list_pgn(text: str) -> Iterator[Written | RecordError]:
    at = 0
    while at >= 0:
        try:
            for game in pgn.games_from(text, at):
                kind = "pdn" if "GameType" in game.tags else "pgn"
                yield Written(game.text, game.tags, kind, "".join(game.words[:1]))
            return
        except RecordError as error:
            yield error
            at = _find_next(_NEXT_PGN, text, error)


def _find_next(begins: re.Pattern[str], text: str, error: RecordError) -> int:
    """Return where the next game begins behind one that cannot be read; -1 for none."""
    found = begins.search(text, error.at) if error.at >= 0 else None
    return found.start() if found else -1


def _list_sgf(text: str) -> Iterator[Written | RecordError]:
    at = 0
    while at >= 0:
        try:
            for tree in sgf_trees.games(text, at):
                yield _describe_tree(tree)
            return
        except RecordError as error:
            yield error
            at = _find_next(_NEXT_SGF, text, error)


def _describe_tree(tree: sgf_trees.Tree) -> Written:
    """Return a game of a collection. Servers of several games name them in EV instead of by a
    number."""
    number = tree.get("GM")
    event = _WORD.match(tree.get("EV"))
    called = event[0] if event and not number else ""
    return Written(tree.text, {"GM": number or "1"}, "sgf", "", called)


def _join_matches(games: Iterator[Written | RecordError]) -> Iterator[Written | RecordError]:
    """Yield the games, with those of one match of backgammon joined: each is a game of the
    collection, numbered in MI."""
    legs: list[str] = []
    for each in games:
        is_leg = isinstance(each, Written) and each.tags.get("GM") == "6"
        if is_leg and isinstance(each, Written) and (not legs or _follows(each.text, len(legs))):
            legs.append(each.text)
            continue
        if legs:
            yield _build_match(legs)
            legs = []
        if is_leg and isinstance(each, Written):
            legs.append(each.text)
        else:
            yield each
    if legs:
        yield _build_match(legs)


def _follows(text: str, number: int) -> bool:
    """Whether a game is the one of that number, from 0, of a match that has begun."""
    game = next((told for told in sgf_trees.read(text).root.get("MI", ()) if "game" in told), "")
    return game.replace(" ", "") == f"game:{number}"


def _build_match(legs: Sequence[str]) -> Written:
    return Written("\n".join(legs), {"GM": "6"}, "mat")


def _list_mat(text: str) -> Iterator[Written | RecordError]:
    at = 0
    while at >= 0:
        try:
            for match in mat_reading.matches_from(text, at):
                variation = match.headers.get("Variation", "Backgammon")
                yield Written(match.text, {"Variation": variation}, "mat")
            return
        except RecordError as error:
            yield error
            at = _find_next(_NEXT_MAT, text, error)
            at = _find_head(text, at) if at > error.at else at


def _find_head(text: str, at: int) -> int:
    """Return where the comments and empty lines above a line begin."""
    while at:
        before = text.rfind("\n", 0, at - 1) + 1
        line = text[before : at - 1].strip()
        if line and not line.startswith(";"):
            break
        at = before
    return at
