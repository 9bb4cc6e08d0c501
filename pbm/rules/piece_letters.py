"""The letters of chess pieces in other languages, and figurines: what players may type, and how
moves and boards are written for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from pbm.rules.phrases import PieceText

NAMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "de": {
            "king": "könig",
            "queen": "dame",
            "rook": "turm",
            "bishop": "läufer",
            "knight": "springer",
            "pawn": "bauer",
        },
        "fr": {
            "king": "roi",
            "queen": "dame",
            "rook": "tour",
            "bishop": "fou",
            "knight": "cavalier",
            "pawn": "pion",
        },
        "es": {
            "king": "rey",
            "queen": "dama",
            "rook": "torre",
            "bishop": "alfil",
            "knight": "caballo",
            "pawn": "peón",
        },
        "nl": {
            "king": "koning",
            "queen": "dame koningin",
            "rook": "toren",
            "bishop": "loper",
            "knight": "paard",
            "pawn": "pion",
        },
    }
)
"""The pieces of chess in the languages whose notation has the first letters of these names; after
a blank, other names."""
MEN = ("king", "queen", "rook", "bishop", "knight", "pawn")
LOCAL, FIGURINES, ENGLISH = "local", "figurines", "english"
"""The letters of pieces that a reader may choose: those of the reader's language, figurines, or
English."""
PAWN = "pawn"
_PAWNS: Mapping[str, str] = MappingProxyType({"de": "B", "fr": "P", "es": "P", "nl": "O"})
"""The letters of pawns on boards (PGN standard, table of piece letters)."""
_WHITE = MappingProxyType(
    {"king": "♔", "queen": "♕", "rook": "♖", "bishop": "♗", "knight": "♘", "pawn": "♙"}
)
_BLACK = MappingProxyType(
    {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟"}
)
_KINDS = {sign: name for signs in (_WHITE, _BLACK) for name, sign in signs.items()}


def find_letters(language: str, own: Mapping[str, str]) -> dict[str, str]:
    """Return the letters by which a language writes pieces, each with the game's own letter; `own`
    are those by the piece's name. Only where the two differ."""
    letters = dict[str, str]()
    for name, foreign in NAMES.get(language, {}).items():
        letter = foreign[0].upper()
        if name in own and own[name] != letter and name != PAWN:
            letters[letter] = own[name]
    return letters


def write_pieces(text: PieceText, language: str, style: str) -> str:
    """Return a move, or the letter of a piece on a board (lower case for the second side's), in the
    style of readers of a language. If two pieces of a game would have the same letter, its own
    letters are kept."""
    is_board = len(text) == 1
    letters: Mapping[str, str] = {}
    if style == FIGURINES:
        letters = _map_figurines(text.letters, is_second=is_board and text.islower())
    elif style != ENGLISH:
        letters = _map_letters(language, text.letters, is_board=is_board)
    if is_board:
        written = letters.get(text.upper(), text.upper())
        return written.lower() if text.islower() else written
    first = letters.get(text[:1], text[:1])
    is_doubtful = not _find_readings(first, language, text.letters).isdisjoint(text.rivals)
    shown = text.origin if text.origin and is_doubtful else str(text)
    return "".join(letters.get(letter, letter) for letter in shown)


def _find_readings(
    letter: str, language: str, letters: tuple[tuple[str, str], ...]
) -> frozenset[str]:
    """Return the game's letters for which one may stand that a reader of a language types."""
    foreign = find_letters(language, dict(letters)).get(letter, letter)
    return frozenset((letter, foreign))


@cache
def list_rivals(letter: str, letters: tuple[tuple[str, str], ...]) -> frozenset[str]:
    """Return the game's other letters for which that of a piece may be taken in some language."""
    found = frozenset[str]()
    for language in NAMES:
        told = {letter, _map_letters(language, letters, is_board=False).get(letter, letter)}
        found = found.union(*(_find_readings(each, language, letters) for each in told))
    return found - {letter}


def read_figurines(text: str, letters: tuple[tuple[str, str], ...]) -> str:
    """Return a typed text with the game's letters in place of figurines."""
    if text.isascii() or _KINDS.keys().isdisjoint(text):
        return text
    own = dict(letters)
    return "".join(own.get(_KINDS.get(sign, ""), "" if sign == "\ufe0e" else sign) for sign in text)


@cache
def _map_figurines(letters: tuple[tuple[str, str], ...], *, is_second: bool) -> Mapping[str, str]:
    signs = _BLACK if is_second else _WHITE
    found = {letter: signs[name] for name, letter in letters if name in signs}
    return found if PAWN in dict(letters) else {**found, "P": signs[PAWN]}


@cache
def _map_letters(
    language: str, letters: tuple[tuple[str, str], ...], *, is_board: bool
) -> Mapping[str, str]:
    """Return the letters of a language by the game's own; none where two would be alike."""
    own = dict(letters)
    found = {letter: foreign for foreign, letter in find_letters(language, own).items()}
    if is_board and PAWN not in own and language in _PAWNS:
        found["P"] = _PAWNS[language]
    others = {*own.values()} - found.keys()
    return found if others.isdisjoint(found.values()) else {}
