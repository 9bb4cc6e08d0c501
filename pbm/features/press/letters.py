"""Letters: texts of players of a board with press to some of the others. Their first line says for
whom they are, and none of their lines is an order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from pbm.core.board import Board, say_seat_names
from pbm.core.call import Call
from pbm.core.feature import PreparedTurn
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.seat import Seat
from pbm.core.talk import is_only_manners, leave_out_greeting
from pbm.core.turns import read_orders, refuse_unclear_orders
from pbm.core.words import tidy
from pbm.locale import translate
from pbm.locale.words import fold, is_typo_of, list_meanings, spell
from pbm.rules import MoveError
from pbm.rules.phrases import Phrase, combine, join_phrases, phrase
from pbm.rules.typed import quoted

_ALL = frozenset({"all", "everybody", "everyone"})
_UNSIGNED = frozenset({"grey", "gray", "unsigned"})
_TO = frozenset({"to", "for", "an", "à", "aan", "voor", "pour", "para", "für"})
_TO_NAMES = frozenset({"to", "an", "à", "aan"})
"""Those of them that stand before no purpose or season."""
_FILLERS = _TO | {"and", "the", "und", "et", "y", "en", "e", "a", "la", "le", "die", "de", "von"}
_NOBODY = frozenset(
    {
        *("there", "again", "pbm", "server", "house", "computer", "robot", "bot", "game"),
        *("judge", "gm", "master", "moderator", "host", "operator"),
    }
)
"""Whom a greeting may name without making a letter to a power."""
_WORD = re.compile(r"[\w'\u2019-]+|[^\w\s]")
_BREAKS = frozenset(",:;.!-\u2013\u2014")
_PART = re.compile(r"[,:;.!?]| [-\u2013\u2014]")
_NAMED = re.compile(r"\w")
_PLAIN_WORD = re.compile(r"\W*[^\W\d_]+\W*")
_MOST_WORDS = 8
"""The most words of a line that names powers and begins with a greeting or with `to`."""
_MOST_CALLED = 4
"""The most words of a line that only calls somebody: "Your majesty,"."""
_MOST_UNKNOWN = 2
"""The most words behind a greeting, or beside names, that may be unknown names; more are a
sentence."""
_SHORTEST = 3
"""The shortest beginning of a name that counts in a line that does not begin with press."""
_LEAST_NEAR = 4
_NEAR = 0.75
"""The similarity of a misspelt name to a power's, from 0 to 1."""
_MOST_RETURNED = 200
"""The most lines of a letter that a refusal quotes."""


class Readers(NamedTuple):
    """The readers named in a line.

    seats        the seats named for sure, also the writer's own and eliminated ones
    meant        these, and those likely meant by misspelt words
    unknown      words that name no power or player
    is_doubtful  a word may mean several powers
    is_to_all    `all` is among the words
    is_unsigned  so is `grey`
    tail         the text after the names on their line
    """

    seats: frozenset[int] = frozenset()
    meant: frozenset[int] = frozenset()
    unknown: tuple[str, ...] = ()
    is_doubtful: bool = False
    is_to_all: bool = False
    is_unsigned: bool = False
    tail: str = ""

    @property
    def is_clear(self) -> bool:
        """Whether all words name somebody, and there is nothing else on the line."""
        return bool(self.seats) and not (self.unknown or self.is_doubtful or self.tail)


def list_others(board: Board, seat: Seat) -> frozenset[int]:
    """Return the seats of other players that can read press: on a finished board all, else those
    that still play."""
    is_over = board.state == "over"
    return frozenset(
        each.seat
        for each in board.seats
        if each.player != seat.player and (is_over or each.seat in board.position.playing)
    )


def find_readers(board: Board, seat: Seat, language: str, text: str, shortest: int = 1) -> Readers:
    """Return the readers that a text names: powers by their names, by beginnings of at least
    `shortest` letters, or by the userids of their players unless anonymous."""
    seats, meant, unknown = set[int](), set[int](), list[str]()
    is_doubtful = is_to_all = is_unsigned = is_behind_break = False
    tail = ""
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if not word[0].isalnum():
            is_behind_break |= word in _BREAKS
            continue
        if word in _ALL:
            is_to_all = True
            seats |= list_others(board, seat)
        elif word in _UNSIGNED:
            is_unsigned = True
        elif word not in _FILLERS:
            found, has_several = _find_seats(board, language, word, shortest)
            if not found and seats and is_behind_break:
                tail = text[match.start() :]
                break
            near = found or _find_near(board, language, word)
            is_doubtful |= has_several
            if not found:
                unknown.append(match[0])
            else:
                seats |= found
            meant |= near
        is_behind_break = False
    meant |= seats
    parts = frozenset(seats), frozenset(meant), tuple(unknown)
    return Readers(*parts, is_doubtful, is_to_all, is_unsigned, tail)


def _find_seats(board: Board, language: str, word: str, shortest: int) -> tuple[set[int], bool]:
    """Return the seats that a word names, and whether it is ambiguous."""
    names = _map_names(tuple(board.position.seat_names), language)
    if fold(word) in names:
        return {names[fold(word)]}, False
    begun = set[int]()
    if len(word) >= shortest:
        own_names = enumerate(board.position.seat_names)
        begun = {seat for seat, name in own_names if name.lower().startswith(word)}
        begun = begun or {seat for name, seat in names.items() if name.startswith(fold(word))}
    own = {each.seat for each in board.seats if each.account.lower() == word}
    if board.is_anonymous or not own:
        return begun, len(begun) > 1
    return begun | own, bool(begun - own)


@lru_cache(maxsize=16)
def _map_names(powers: tuple[str, ...], language: str) -> Mapping[str, int]:
    """Map the words of the names of powers, in English and in the reader's language, folded, to
    their seats."""
    found = dict[str, set[int]]()
    for seat, power in enumerate(powers):
        for name in (power, translate(Phrase(power), language)):
            for word in {each for spelled in spell(name) for each in spelled.split()}:
                found.setdefault(word, set()).add(seat)
    return {word: seats.pop() for word, seats in found.items() if len(seats) == 1}


def _find_near(board: Board, language: str, word: str) -> set[int]:
    """Return the seat whose power or player a misspelt word likely means; none if there are
    several."""
    names = _map_names(tuple(board.position.seat_names), language)
    if not board.is_anonymous:
        names = {**{each.account.lower(): each.seat for each in board.seats}, **names}
    if len(word) < _LEAST_NEAR:
        return set()
    near = [name for name in names if is_typo_of(fold(word), name)]
    near = near or get_close_matches(fold(word), names, n=1, cutoff=_NEAR)
    seats = {names[each] for each in near}
    return seats if len(seats) == 1 else set()


def find_address(board: Board, seat: Seat, language: str, line: str) -> Readers | None:
    """Return the readers that the first line of a letter addresses: a line that begins with press,
    with `to` and a power, or with a greeting to somebody, or consists of names of other powers.
    None for any other line, and in a game without press."""
    if not board.position.press:
        return None
    line = tidy(line)
    head, _, rest = line.partition(" ")
    word = head.lower().rstrip(":,")
    if word == "press":
        return find_readers(board, seat, language, rest) if rest else None
    if word == "chat" or is_typo_of(word, "press") or list_meanings(word) == ["press"]:
        readers = find_readers(board, seat, language, rest, _SHORTEST)
        is_to = rest.lower().startswith("to ")
        if word == "chat" and readers.unknown and not is_to:
            readers = readers._replace(tail=rest)
        return readers if readers.meant or is_to else None
    greeted = leave_out_greeting(line)
    if greeted is not None:
        return _find_greeted(board, seat, language, greeted)
    if word in _TO:
        first = next((each for each in rest.split() if each.lower() not in _FILLERS), "")
        own = {each.seat for each in board.seats if each.player == seat.player}
        is_name = bool(find_readers(board, seat, language, first, _SHORTEST).meant - own)
        is_name |= _is_unknown_name(word, rest)
        is_name &= len(_PART.split(rest)[0].split()) <= _MOST_WORDS
        is_address = is_name and not _is_order(board, seat, line)
        return find_readers(board, seat, language, rest, _SHORTEST) if is_address else None
    return _find_named(board, seat, language, line)


def _is_unknown_name(to: str, rest: str) -> bool:
    """Whether a line is `to` and one word more, such as a power in another language, or begins as
    letters to nobody in particular do."""
    first, *others = [word for word in rest.split() if word.lower() not in _FILLERS] or [""]
    is_name = not others and first[-1:] in {":", ","} and first[:-1].isalpha()
    return to in _TO_NAMES and (first == "whom" or is_name)


def _find_greeted(board: Board, seat: Seat, language: str, greeted: str) -> Readers | None:
    """Return the readers named after a greeting; None where that is nobody, or the server."""
    name = _PART.split(greeted.strip(), maxsplit=1)[0]
    words = [word for word in name.split() if word.lower() not in _FILLERS]
    if not words or len(words) > _MOST_WORDS:
        return None
    readers = find_readers(board, seat, language, name, _SHORTEST)
    is_short = len(words) <= _MOST_UNKNOWN
    is_name = is_short and not any(word.lower() in _NOBODY for word in words)
    if not (readers.seats or (is_name and readers.unknown)):
        return None
    return readers._replace(tail=greeted.strip()[len(name) :].lstrip(" ,:;.!?-"))


def _find_named(board: Board, seat: Seat, language: str, line: str) -> Readers | None:
    """Return the readers addressed by a line that contains only names of other powers, perhaps
    behind the writer's own and `to`."""
    names = _map_names(tuple(board.position.seat_names), language)
    own, *others = re.findall(r"\w+", line.lower()) or [""]
    if names.get(fold(own)) == seat.seat and others and others[0] in _TO:
        line = line[line.lower().index(others[0], len(own)) :]
    words = [word for word in re.findall(r"\w+", line.lower()) if word not in _FILLERS]
    if not words or not all(fold(word) in names for word in words) or " - " in line:
        return None
    readers = find_readers(board, seat, language, line)
    is_order = seat.seat in readers.seats or _is_order(board, seat, line)
    return None if is_order else readers


def _find_mentioned(
    board: Board, seat: Seat, language: str, line: str, below: Sequence[str]
) -> Readers | None:
    """Return the other powers that a first line above orders names beside a word or two, or, where
    it ends with a colon, alone: it may be for them. None where it is an order itself."""
    text = " ".join(word for word in re.findall(r"\w+", line) if word.lower() not in _ALL)
    readers = find_readers(board, seat, language, text, _LEAST_NEAR)
    own = {each.seat for each in board.seats if each.player == seat.player}
    others = len(readers.unknown) - len(readers.meant - readers.seats)
    if not readers.meant - own or others > (0 if line.endswith(":") else _MOST_UNKNOWN):
        return None
    is_letter = has_orders(board, seat, below) and not has_orders(board, seat, [line])
    return readers._replace(unknown=()) if is_letter else None


def _may_begin_letter(board: Board, seat: Seat, language: str, line: str) -> bool:
    """Whether a line that is no order may be where words to others begin: it names another power
    or player before anything else, speaks of one, or calls somebody ("Gentlemen,")."""
    line = tidy(line)
    if leave_out_greeting(line) is not None or is_only_manners(line):
        return False
    own = {each.seat for each in board.seats if each.player == seat.player}
    name, *others = _PART.split(line, maxsplit=1)
    called = find_readers(board, seat, language, name, _LEAST_NEAR)
    if others and called.seats - own and not called.unknown:
        return True
    words = [word for word in re.sub(r"['\u2019]", "", line).split() if _NAMED.search(word)]
    begins_with_unit = not line.endswith(":") and len(next(iter(words), "")) == 1
    if begins_with_unit or not all(map(_PLAIN_WORD.fullmatch, words)):
        return False
    calls = line[-1:] in {",", "!"} and len(words) <= _MOST_CALLED
    named = find_readers(board, seat, language, line, _LEAST_NEAR)
    return bool(named.meant - own) or (calls and not named.seats)


def has_orders(board: Board, seat: Seat, lines: Sequence[str]) -> bool:
    """Whether one of these lines has an order that the seat can give."""
    return any(each.moves for each in read_orders(board.position, seat.seat, lines))


def _is_order(board: Board, seat: Seat, line: str) -> bool:
    """Whether a line is an order that the seat can give."""
    try:
        board.position.parse(line, seat.seat)
    except MoveError:
        return False
    return True


def build_press_line(board: Board, seat: Seat, readers: Readers) -> str:
    """Return the line that sends press to the readers who were likely meant. Where there are none,
    a placeholder stands for them: a letter may be a secret."""
    names, others = board.position.seat_names, list_others(board, seat)
    chosen = [names[each].lower() for each in sorted(readers.meant & others)]
    if readers.is_to_all or board.position.press == "public":
        chosen = ["all"]
    grey = "grey " if readers.is_unsigned and board.position.press == "grey" else ""
    line = f"{board.game.info.name} press {board.id} {seat.account} PASSWORD to"
    return f"{line} {grey}{_join(chosen or ['POWER'])}"


def _join(names: Sequence[str]) -> str:
    """Return the names as a line for readers."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def refuse_letter(
    board: Board, seat: Seat, readers: Readers, below: Iterable[str], *, is_press: bool = False
) -> Refusal:
    """Return the refusal of a letter, of which nothing is sent and no line is an order: with the
    line that sends it, and the text. `is_press`: it begins with press, so that only its readers are
    unclear."""
    if board.position.press == "none":
        return board.make_refusal(
            RefusalCode.SENTENCE,
            phrase(
                "board {board} is played without press, and a letter holds no orders: nothing was "
                "sent and nothing ordered",
                board=board.id,
            ),
        )
    powers = join_phrases(", ", say_seat_names(board.position))
    if readers.is_doubtful:
        reason = phrase(
            "that may be several powers, and nothing was sent: there are {powers}, and all",
            powers=powers,
        )
    elif readers.unknown or not readers.seats:
        reason = phrase(
            "one of the powers is unknown, and nothing was sent: there are {powers}, and all",
            powers=powers,
        )
    elif is_press:
        reason = phrase("the first line of a letter names its readers and nothing else")
    else:
        reason = phrase("this looks like a letter, and it was not sent")
    ending = phrase("No line of your mail was taken as an order.")
    hint = phrase("To send it, begin with the line below.")
    if not is_press or readers.is_clear:
        reason = combine("{reason}. {ending} {hint}", reason=reason, ending=ending, hint=hint)
    else:
        reason = combine("{reason}. {ending}", reason=reason, ending=ending)
    lines = list_letter(board, seat, readers, below)
    return board.make_refusal(RefusalCode.SENTENCE, reason, *lines)


def list_letter(board: Board, seat: Seat, readers: Readers, below: Iterable[str]) -> list[str]:
    """Return the lines of a letter in the form in which they can be sent."""
    text = "\n".join(line.rstrip() for line in (readers.tail, *below)).strip("\n")
    lines = text.split("\n") if text else []
    return [build_press_line(board, seat, readers), *lines[:_MOST_RETURNED]]


def leave_out_letter(
    call: Call, board: Board, seat: Seat, lines: Sequence[str]
) -> PreparedTurn | None:
    """Return the lines above a letter to other powers, none of whose lines is an order, and a
    sentence about the letter. Refuse a letter without orders above it, and orders below what may
    begin one."""
    if not board.position.takes_orders:
        return None
    for at, line in enumerate(lines):
        above, below = lines[:at], lines[at + 1 :]
        if not line.strip():
            continue
        readers = find_address(board, seat, call.language, line)
        if readers is None and board.position.press and not any(map(str.strip, above)):
            readers = _find_mentioned(board, seat, call.language, line, below)
        if readers is None:
            _require_no_letter(call, board, seat, lines, at)
            continue
        if not has_orders(board, seat, above):
            raise refuse_letter(board, seat, readers, [*filter(str.strip, above), *below])
        left = phrase(
            "the letter that begins with {line}: it was not sent, and needs a mail of its own",
            line=quoted(line.strip()),
        )
        return PreparedTurn(above, [left])
    return None


def _require_no_letter(call: Call, board: Board, seat: Seat, lines: Sequence[str], at: int) -> None:
    """Refuse the orders of a mail where some stand below a line that may begin a letter."""
    line, below = lines[at], lines[at + 1 :]
    is_letter = board.position.press and _may_begin_letter(board, seat, call.language, line)
    if is_letter and has_orders(board, seat, below) and not has_orders(board, seat, [line]):
        read = read_orders(board.position, seat.seat, lines)
        raise refuse_unclear_orders(call, board, seat, [each for each in read if each.moves])
