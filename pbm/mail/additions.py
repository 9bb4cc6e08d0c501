"""Tells what programs add around a writer's words, in whatever language: what mails of the same
player ended with before, and above the words what stands apart by its shape or begins the mails of
several players."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Sequence

from pbm.core.intents import Occasion, read_wish
from pbm.core.talk import asks_to_stop, is_about_mail, is_hesitant, mentions_move
from pbm.core.words import (
    find_game_name,
    find_unnamed,
    is_verb,
    normalize_keyword,
    parse_board_number,
)
from pbm.locale.words import list_meanings
from pbm.mail.own_words import RULE
from pbm.mail.text import normalize

_MOST_LINES = 16
"""Lines of an ending that are compared."""
_SHORTEST_BANNER = 24
_LONGEST_BANNER = 12
_SHORTEST_IN_DOUBT = 60
# Not the tag of a record: [Event "..."].
_BRACKETED = re.compile(r"\[(?!\w+ \")[^\[\]]*\]|【[^】]*】|\*{2,}[^*]+\*{2,}")
_FEWEST_CAPITALS = 4
_LINK = re.compile(r"[<(\[]?(?:https?://|www\.|mailto:)[^\s<>]*[>)\]]?")
_PHONE = re.compile(
    r"(?<![\w./:-])(?:\+|\(?0|\(\d{2,4}\))[\d\s()./-]{6,22}\d(?![\w.])|\d{3}[ .-]\d{3}[ .-]\d{4}"
)
_MAILBOX = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_CARD_LINES, _CARD_WIDTH, _CARD_WORDS = 8, 60, 6


def _digest(lines: Sequence[str]) -> str:
    text = "\n".join(normalize(line) for line in lines)
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=9).hexdigest()


# What stood in earlier mails: below the words, and above them.


def digest_endings(lines: Sequence[str]) -> list[str]:
    """Return hashes of the last line, the last two, and so on. The first line belongs to no
    ending."""
    written = [line for line in lines if line.strip()][1:][-_MOST_LINES:]
    return [_digest(written[-count:]) for count in range(1, len(written) + 1)]


def measure_ending(lines: Sequence[str], earlier: Sequence[Collection[str]]) -> tuple[int, int]:
    """Return the number of lines, not counting blank ones, that are an ending of earlier mails,
    given the hashes of each, and the number of these mails. Lines that may act do not count."""
    written = [line for line in lines if line.strip()][-_MOST_LINES:]
    endings = digest_endings(lines)
    may_act = next((n for n, line in enumerate(reversed(written)) if can_act(line)), len(written))
    for count in range(min(len(endings), may_act), 0, -1):
        if times := sum(endings[count - 1] in hashes for hashes in earlier):
            return count, times
    return 0, 0


def digest_beginning(lines: Sequence[str]) -> str:
    """Return a hash of the first paragraph; "" where it is short, or nothing else."""
    size = measure_paragraph(lines)
    first = _list_written(lines[:size])
    if size == len(lines) or len(first) > _LONGEST_BANNER:
        return ""
    if len("".join(first)) < _SHORTEST_BANNER or any(map(can_act, first)):
        return ""
    return _digest(first)


_SHORTEST_WORD = 3


def can_act(line: str) -> bool:
    """Whether a line may be a command, a move or another act."""
    words = _LINK.sub("", normalize(line)).split()
    first = normalize_keyword(words[0]) if words else ""
    is_command = is_verb(first) or bool(find_game_name(first) or parse_board_number(first))
    if is_command or find_unnamed(line) is not None or list_meanings(line.strip(" .!")):
        return True
    if asks_to_stop(line) or read_wish(line, Occasion.ACCOUNT) is not None:
        return True
    if words and all(len(word) <= _SHORTEST_WORD or word.isupper() for word in words):
        return True  # orders, such as A VIE - TRI: no prose has such words alone
    places = sum(map(mentions_move, words))
    return places > 0 and 3 * places >= len(words)


def measure_paragraph(lines: Sequence[str]) -> int:
    """Return the number of lines of the first paragraph, with blank ones and a rule around it."""
    at = _skip_blank(lines, 0)
    while at < len(lines) and lines[at].strip() and not RULE.match(lines[at]):
        at += 1
    while at < len(lines) and (not lines[at].strip() or RULE.match(lines[at])):
        at += 1
    return at


def _list_written(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip() and not RULE.match(line)]


def _skip_blank(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


# A gateway's banner, by its shape.


def measure_banner(lines: Sequence[str], sender: str) -> int:
    """Return how many of the first lines are a gateway's banner, with other lines below it: a
    paragraph between rules or in brackets, one that shouts, or that names the sender's address; 0
    for none. Words of doubt are a program's only where they are about the mail: without them a move
    below is played."""
    first = _skip_blank(lines, 0)
    if first < len(lines) and RULE.match(lines[first]):
        rules = (at for at in range(first + 1, len(lines)) if RULE.match(lines[at]))
        size = next(rules, len(lines)) + 1
        size = _skip_blank(lines, size) if size - first <= _LONGEST_BANNER else 0
        if _may_doubt_move(" ".join(_list_written(lines[:size])), sender):
            size = 0
    else:
        size = measure_paragraph(lines)
        paragraph = _list_written(lines[:size])
        if len(paragraph) > 1 and _BRACKETED.fullmatch(paragraph[0].strip()):
            size = first + 1
        elif not _is_banner(" ".join(paragraph).strip(), sender):
            size = 0
    return size if size < len(lines) else 0


def _may_doubt_move(text: str, sender: str) -> bool:
    is_programs = len(text) >= _SHORTEST_IN_DOUBT and is_about_mail(text)
    return is_hesitant(text) and not is_programs and not (sender and sender in text.lower())


def _is_banner(text: str, sender: str) -> bool:
    if _may_doubt_move(text, sender):
        return False
    if _BRACKETED.match(text):
        return True
    if len(text) < _SHORTEST_BANNER:
        return False
    head = re.split("[:!]", text, maxsplit=1)[0].strip()
    is_shout = sum(map(str.isupper, head)) >= _FEWEST_CAPITALS and head == head.upper()
    return (is_shout and head != text) or (bool(sender) and sender in text.lower())


# A card with somebody's telephone number, at the end of a text.


def remove_card(text: str) -> tuple[str, tuple[str, ...]]:
    """Split a text into (what stands above, the lines of the card): its last paragraph, where that
    holds a telephone number or an address, and no sentence."""
    lines = text.rstrip().split("\n")
    begin = len(lines)
    while begin and lines[begin - 1].strip():
        begin -= 1
    card = [line.strip() for line in lines[begin:]]
    if not card or len(card) > _CARD_LINES or not all(map(_is_on_card, card)):
        return text, ()
    if not any(_PHONE.search(line) or _MAILBOX.search(line) for line in card):
        return text, ()
    return "\n".join(lines[:begin]).rstrip(), tuple(card)


def _is_on_card(line: str) -> bool:
    """Whether a line may stand on a card: a few words, mostly with capitals, beside numbers."""
    words = _MAILBOX.sub("", _LINK.sub("", _PHONE.sub("", line))).split()
    small = sum(word[0].islower() and len(word) > 1 for word in words)
    is_short = len(line) <= _CARD_WIDTH and len(words) <= _CARD_WORDS
    return is_short and 2 * small <= len(words) and line[-1] not in "!?"


# A reaction: a sign, and the sentence of the program that sent it.


def is_reaction(lines: Sequence[str], name: str) -> bool:
    """Whether lines are a sign alone, a sentence with the name of who reacted, and the program's
    link."""
    written = [line for line in lines if any(map(str.isalnum, _LINK.sub("", line)))]
    signs = [line for line in lines if any(map(_is_sign, line))]
    links = [line for line in lines if _LINK.fullmatch(line.strip())]
    first = name.split(" ")[0]
    return len(written) == 1 and bool(signs and links and first) and first in written[0]


def _is_sign(char: str) -> bool:
    return not char.isascii() and unicodedata.category(char) == "So"
