"""Typed moves of games like chess: their words, the questions they raise, and letters of pieces in
the languages of players."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, chain, product
from typing import Protocol

from pbm.rules.errors import AmbiguousMove, IllegalMove, InvalidMove, MoveError
from pbm.rules.phrases import PieceText, phrase
from pbm.rules.piece_letters import NAMES, find_letters, list_rivals, read_figurines
from pbm.rules.typed import left_of, listing, quoted

_WORD = re.compile(r"[^\s,;]+")
_PASSING = re.compile(r"^\s*e\.?p\b\.?", re.IGNORECASE)
_MOST_WORDS = 5
"""The number of words that may form one move: `rook from h1 to h5`."""
_MOST_ASKED = 9
_NUMBER = re.compile(r"\s*[0-9]{1,3}\s*\.+\s*")
_CASTLE = re.compile(r"castl(?:es?|ing)(king|short|queen|long)?(?:'?s?-?side)?")
_TO = "to|nach|auf|vers|en|à|hacia|naar|op"
_TAKES = "takes|captures|schlägt|nimmt|prend|captura|come|toma|slaat|neemt"
_FROM = "on|from|von|van|de"
_START = r"\d[a-l](?=\D*\d[a-l])|[a-l]?\d*"
_BETWEEN = rf"(?:{_FROM})?({_START})(?:{_TO}|{_TAKES}|(?<=\d)a(?=[a-l]))?([-x:]?)"
_TO_OR_COLUMN = "a"
"""Spanish "to" is also a column."""
_ANSWER = re.compile(r"(\S+)\(([\w+/@-]+)\)")
_PROMOTION = re.compile(r"(\S*\d[=/(]?)([A-Za-z])(\)?[+#!?.\s]*)")


class Written(Protocol):
    """A position whose moves have a notation besides the canonical one."""

    @property
    def example(self) -> str: ...
    @property
    def letters(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def men(self) -> tuple[tuple[str, str], ...]: ...
    def moves(self) -> Sequence[str]: ...
    def read(self, word: str) -> str: ...
    def notation(self, move: str) -> str: ...
    def parse(self, text: str, seat: int) -> tuple[str, str]: ...


class Lettered(Written, Protocol):
    """One in whose notation pieces have letters."""

    def write_plainly(self, move: str) -> str: ...
    def write_origin(self, move: str) -> str: ...


def parse_words(position: Written, text: str) -> tuple[str, str]:
    """Return the first move of a text and the remaining text. A move may be several words, followed
    by its canonical form in brackets, as in questions: `bxc5 (b4c5)`."""
    text = read_figurines(text, position.letters)
    number = _NUMBER.match(text[:40])
    begin = number.end() if number else 0
    words = list(_WORD.finditer(text[: begin + 400], begin))[:_MOST_WORDS]
    if not words or len(text) > 4000:
        raise InvalidMove(
            phrase(
                "there is no move in {text}; a move looks like {example}",
                text=quoted(text),
                example=position.example,
            )
        )
    texts = list(accumulate(each[0] for each in words))
    for word, last in zip(texts, words, strict=True):
        if move := _find_answer(position, word):
            return move, left_of(text, last.end())
    first: MoveError | None = None
    for word, last in zip(texts, words, strict=True):
        try:
            move = position.read(_shorten(position, word))
        except AmbiguousMove as error:
            first = error if error.moves and not _names_move(first) else first or error
            rest = left_of(text, last.end())
            for move in error.moves:
                if rest.startswith(f"({move})"):
                    return move, left_of(rest.removeprefix(f"({move})"), 0)
        except MoveError as error:
            first = error if _names_move(error) and not _names_move(first) else first or error
        else:
            rest = left_of(_PASSING.sub("", text[last.end() :]), 0)
            return move, left_of(rest.removeprefix(f"({move})"), 0)
    raise first or InvalidMove(text)


def _names_move(error: MoveError | None) -> bool:
    """Whether what was refused is a move by its notation, so that the reason tells more than that
    some of its words are none."""
    return isinstance(error, IllegalMove) or (
        isinstance(error, AmbiguousMove) and bool(error.moves)
    )


def read_castling(word: str) -> str:
    """Return castling of which the side is written out, such as `castleking's-side`; "" if a word
    does not name it. Raise AmbiguousMove if it names no side."""
    match = _CASTLE.fullmatch(word)
    if match is None:
        return ""
    if not match[1]:
        raise AmbiguousMove(phrase("{word}: on which side? Send O-O or O-O-O", word=word))
    return "o-o" if match[1] in ("king", "short") else "o-o-o"


def _shorten(position: Written, word: str) -> str:
    """Return a move that begins with the name of a man with its letter: Be7 for bishoptoe7."""
    pattern, letters = _spell_out(position.men)
    match = pattern.fullmatch(word.lower())
    if match is None:
        return word
    name, start, sign, _ = match.groups()
    letter, end = letters[name], word[match.start(4) :]
    text, without = f"{letter}{start}{sign}{end}", f"{letter}{sign}{end}"
    return without if start == _TO_OR_COLUMN and not _is_read(position, text) else text


@cache
def _spell_out(men: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return the pattern of a move that begins with the name of a man, without its blanks, and the
    letter of each name."""
    letters = dict[str, str]()
    for name, letter in men:
        foreign = [each[name].split() for each in NAMES.values() if name in each]
        first = name.lower().split()[0]
        for each in (name.lower().replace(" ", ""), first, *chain.from_iterable(foreign)):
            letters.setdefault(each, letter)
    names = "|".join(map(re.escape, sorted(letters, key=len, reverse=True)))
    return re.compile(rf"({names}){_BETWEEN}((?:[a-l]\d|\d+[a-l]).*)"), letters


def _is_read(position: Written, word: str) -> bool:
    try:
        position.read(word)
    except AmbiguousMove:
        return True
    except MoveError:
        return False
    return True


def build_refusal(position: Written, move: str) -> MoveError:
    """Return why a move that is not legal is refused."""
    try:
        canonical = position.read(move)
    except MoveError as error:
        return error
    return InvalidMove(
        phrase("{move} is written {canonical}", move=quoted(move), canonical=canonical)
    )


def _find_answer(position: Written, word: str) -> str:
    """Return the legal move that a word such as `bxc5(b4c5)` names twice; "" if it does not."""
    match = _ANSWER.fullmatch(word)
    if match is None or match[2] not in position.moves():
        return ""
    is_same = match[1].lower().rstrip("+#") == position.notation(match[2]).lower().rstrip("+")
    return match[2] if is_same else ""


def ask_which(
    word: str,
    choices: Mapping[str, str],
    letters: tuple[tuple[str, str], ...] = (),
    *,
    promotes: bool = False,
) -> AmbiguousMove:
    """Return the question about an ambiguous word; `choices` are the possible moves in notation,
    with the letters of `Position.letters`."""
    shown = [_write_twice(move, written, letters) for move, written in choices.items()]
    listed, moves = listing(shown[:_MOST_ASKED], "or"), tuple(choices)
    if promotes:
        text = phrase("{word}: promotion to what? Send {choices}", word=word, choices=listed)
    else:
        text = phrase("{word}: which one? Send {choices}", word=word, choices=listed)
    return AmbiguousMove(text, moves)


def _write_twice(move: str, written: str, letters: tuple[tuple[str, str], ...]) -> str:
    """Return a move in notation, with its canonical form in brackets if that differs."""
    end = "" if move == written else f" ({move})"
    if isinstance(written, PieceText):
        origin = written.origin and f"{written.origin}{end}"
        return PieceText(f"{written}{end}", written.letters, origin, written.rivals)
    return PieceText(f"{written}{end}", letters) if letters else f"{written}{end}"


def read_letters(
    position: Lettered, text: str, seat: int, language: str, columns: Sequence[str]
) -> str:
    """Return a text as `parse` reads it, from a player who may write the letters of pieces in a
    language, with the game's own letters. Raise AmbiguousMove if it is one move by the game's
    letters and another by these."""
    letters = find_letters(language, dict(position.letters))
    if not letters or text.strip() in position.moves():
        return text
    if _begins_with_column(position, text, seat, columns):
        return text
    texts = (text, *_translate(text, letters))
    if named := next((each for each in texts if _names_twice(position, each, seat)), ""):
        return named
    if not _list_written(position, text, seat):
        texts = tuple(each for each in texts[1:] if _list_readings(position, each, seat)) or texts
    readings = dict[str, str]()
    for each in texts:
        for move in _list_readings(position, each, seat):
            readings.setdefault(move, each)
    if len(set(readings.values())) < 2:
        return next(iter(readings.values()), text)
    choices = {move: write_move(position, seat, move) for move in readings}
    for move, written in choices.items():
        if written[0] in letters:  # it would be asked about again
            choices[move] = PieceText(position.write_origin(move), position.letters)
    raise ask_which(text.strip(), choices)


def write_move(position: Lettered, seat: int, move: str, sign: str = "") -> str:
    """Return a legal move with its letters marked, and a sign behind it. With letters of a language
    by which it could be read as another move, too, the cell where it begins stands in it."""
    text, letters = position.write_plainly(move), position.letters
    if not letters:
        return text + sign
    others = sorted(list_rivals(text[0], letters)) if text[0].isupper() else ()
    words = (f"{each}{text[1:]}" for each in others)
    rivals = "".join(word[0] for word in words if {*_list_written(position, word, seat)} - {move})
    origin = position.write_origin(move) + sign if rivals else ""
    return PieceText(text + sign, letters, origin, rivals)


def _begins_with_column(position: Written, text: str, seat: int, columns: Sequence[str]) -> bool:
    """Whether a text is a move that begins with its column: cxd5, but not cb4 or cc3."""
    begins = _split_number(text)[1][:2]
    is_column = begins[:1] in columns and begins[1:] not in columns
    return is_column and bool(_list_readings(position, text, seat))


def _list_written(position: Lettered, text: str, seat: int) -> Sequence[str]:
    """Return the legal moves for which a text may stand, without a pawn's that would name its
    column twice: Cc3 is a knight's in Spanish."""
    word = _split_number(text)[1]
    if word[:1].isupper() and word[1:2] == word[0].lower():
        return ()
    return _list_readings(position, text, seat)


def _names_twice(position: Written, text: str, seat: int) -> bool:
    """Whether a text is the answer to a question, with the canonical move in brackets."""
    head, bracket, move = text.strip().rstrip(".!").rpartition("(")
    if not bracket or not head:
        return False
    return any(f"{each})" == move for each in _list_readings(position, text, seat))


def tell_apart(name: str, others: Collection[str]) -> str:
    """Return the column, the row or both of a cell, as far as needed to tell its man from those on
    other cells."""
    if not others:
        return ""
    if all(other[0] != name[0] for other in others):
        return name[0]
    return name[1:] if all(other[1:] != name[1:] for other in others) else name


def _list_readings(position: Written, text: str, seat: int) -> Sequence[str]:
    """Return the legal moves that a text may mean."""
    try:
        return [position.parse(text, seat)[0]]
    except AmbiguousMove as error:
        return error.moves
    except MoveError:
        return ()


def _split_number(text: str) -> tuple[str, str]:
    """Return the number of a move with the blanks around it, and the move."""
    number = _NUMBER.match(text[:40])
    begin = number.end() if number else len(text) - len(text.lstrip())
    return text[:begin], text[begin:]


def _translate(text: str, letters: Mapping[str, str]) -> Iterator[str]:
    """Yield the text with letters of pieces replaced: at its beginning, and where a pawn is
    promoted."""
    head, word = _split_number(text)
    first, rest = word[:1], word[1:]
    firsts, ends = [first, *_replace(first, letters)], [rest]
    if promoted := _PROMOTION.fullmatch(rest):
        ends += [f"{promoted[1]}{each}{promoted[3]}" for each in _replace(promoted[2], letters)]
    for one, other in product(firsts, ends):
        if (one, other) != (first, rest):
            yield f"{head}{one}{other}"


def _replace(letter: str, letters: Mapping[str, str]) -> list[str]:
    own = letters.get(letter.upper(), "")
    return [own if letter.isupper() else own.lower()] if own else []
