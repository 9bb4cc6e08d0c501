"""Leaves out of a reply what stands in the mails that it answers, in whatever language and form
they are quoted.

A line of an answered mail is a quote when lines next to it stand next to each other in that mail
too, or when it stands below such a quote. One that stands alone was copied by the writer, who means
it, as are the pieces of one line to send that was too long for the mail. Marks and blanks do not
count, nor does where a line is broken."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from pbm.mail.letter import Letter
from pbm.mail.own_words import (
    LONGEST_HEADER,
    OwnLines,
    find_attribution,
    find_fields,
    is_rule,
)
from pbm.mail.text import normalize

_MARKS = re.compile(r"[\W_]+")
_PASSED_ON = re.compile(r"^>.*$", re.MULTILINE)
"""Other players' text in a mail of the server; without its mark it may be repeated."""
_ENOUGH = 16
"""Letters and digits that several lines must have in common with an answered mail to be a quote."""
_PART = 12
"""Letters and digits that a part of a line must have to be one below a quote."""
_TO_SEND, _LATER = "    ", "      "
"""What stands before a line to send, and before the later pieces of a broken one."""
_COLUMNS = 78
"""The width of our mails."""
_MOST_LINES = 1000
"""Lines of a reply that are looked up."""
_SHORTEST = 8
"""Letters and digits of a part of a line with which a quote may begin."""
_FEWEST_FIELDS = 2
_TO_REPLY = re.compile(r"\+[\w-]+-[a-z2-9]{16}@")
"""A reply address, which nobody types: it is of the quote's header, however that is laid out."""
_MOST_JOINED = 5
"""Lines of a reply that are looked up together."""
_MOST_TEXT = 60_000
"""Characters of the answered mails that are kept to be looked up in."""


class AnsweredText:
    """The letters and digits of mails of the server."""

    def __init__(self, texts: Iterable[str]) -> None:
        begun = [_PASSED_ON.sub("", text[:_MOST_TEXT]) for text in texts]
        lines = [[_reduce(line) for line in text.split("\n")] for text in begun]
        self._lines = frozenset(key for keys in lines for key in keys if key)
        self._whole = "\n".join("".join(keys) for keys in lines)
        self._broken = [_reduce(line) for text in begun for line in _list_broken(text)]

    def has_line(self, key: str) -> bool:
        """Whether a text is a line of these mails."""
        return key in self._lines

    def has_within_line(self, key: str) -> bool:
        """Whether a text is part of a line of these mails."""
        return any(key in line for line in self._lines)

    def has_within_broken(self, key: str) -> bool:
        """Whether it stands in one of their lines to send that are broken into pieces."""
        return any(key in line for line in self._broken)

    def has_text(self, key: str) -> bool:
        """Whether these mails contain a text, however its lines are broken."""
        return key in self._whole


def _list_broken(text: str) -> list[str]:
    """Return the indented lines of a mail that were too long for it, joined again: each piece is as
    long as possible, and the later ones are indented further."""
    broken, pieces = list[str](), list[str]()
    for line in [*text.split("\n"), ""]:
        is_next = line.startswith(_LATER) and not line.startswith(f"{_LATER} ")
        if (
            pieces
            and is_next
            and line.strip()
            and len(pieces[-1]) + len(line.split()[0]) >= _COLUMNS
        ):
            pieces.append(line)
            continue
        if len(pieces) > 1:
            broken.append(" ".join(pieces))
        pieces = [line] if line.startswith(_TO_SEND) and line[len(_TO_SEND) :].strip() else []
    return broken


def _reduce(line: str) -> str:
    """Return the letters and digits of a line, in lower case."""
    return _MARKS.sub("", normalize(line)).lower()


def find_quoted(letter: Letter, answered: AnsweredText, omit: Collection[str] = ()) -> set[int]:
    """Return the numbers of the own lines of a reply that stand in the mails which it answers. The
    words `omit` do not stand in their text, though they do in the mails."""
    keys = [_reduce(_omit(line, omit)) for line in letter.own_lines]
    numbers = [number for number, key in enumerate(keys) if key][:_MOST_LINES]
    quoted = _find_tails(letter, keys, answered)
    for at, number in enumerate(numbers):
        key = keys[number]
        if number in quoted or len(key) >= _SHORTEST or answered.has_line(key):
            together = _cut_at_quote(letter, numbers[at : at + _MOST_JOINED])
            quoted.update(_find_block(keys, together, answered))
    first = min(quoted, default=len(keys))
    for number in numbers:
        is_line = answered.has_line(keys[number])
        is_part = not is_line and len(keys[number]) >= _PART and answered.has_text(keys[number])
        if (is_line and number >= first) or (is_part and number >= min(first, letter.unquoted)):
            quoted.add(number)
    return quoted | _find_drawn(keys, quoted)


def find_typed(
    quoted: Sequence[str], answered: AnsweredText, *, anywhere: bool = False
) -> list[str]:
    """Return those of the lines behind the marks of a quote that do not stand in the answered
    mails, below one that does (or anywhere): their writer typed them there. A program may have
    broken a line."""
    lines = [(line, key) for line in quoted[:_MOST_LINES] if (key := _reduce(line))]
    typed, is_ours = list[str](), anywhere
    for at, (line, key) in enumerate(lines):
        before, after = (
            "".join(k for _, k in lines[:at][-1:]),
            "".join(k for _, k in lines[at + 1 : at + 2]),
        )
        joined = (key,) if len(key) >= _ENOUGH else ()
        if answered.has_line(key) or any(
            answered.has_text(each)
            for each in (*joined, before + key, key + after)
            if len(each) >= _ENOUGH
        ):
            is_ours = True
        elif is_ours:
            typed.append(line.strip())
    return typed


def leave_out(letter: Letter, quoted: Collection[int]) -> Letter:
    """Return a reply without these of its own lines, and without those that introduce them. Lines
    from our address on, up to these, may introduce them too: their writer is told of them."""
    first = min(quoted)
    heading, lines = _find_heading(letter.own_lines, first), letter.own_lines
    near = range(max(0, heading.start - LONGEST_HEADER), heading.start)
    begin = next((at for at in near if _TO_REPLY.search(lines[at])), heading.start)
    doubtful = (lines[at] for at in range(begin, heading.start) if lines[at].strip())
    letter = replace(letter, withheld=(*letter.withheld, *doubtful))
    dropped = {*quoted, *range(begin, heading.stop)}
    kept = (each for each in range(len(letter.own_lines)) if each not in dropped)
    return keep_lines(replace(letter, unquoted=min(first, letter.unquoted)), kept)


def keep_lines(letter: Letter, numbers: Iterable[int]) -> Letter:
    """Return the letter with these of its own lines."""
    own = OwnLines(letter.own_lines, letter.above, letter.unquoted).keep(numbers)
    return replace(letter, own_lines=own.lines, above=own.above, unquoted=own.unquoted)


def _find_tails(letter: Letter, keys: Sequence[str], answered: AnsweredText) -> set[int]:
    """Return the lines that only go on with a marked quote above them, where a mail program broke
    it."""
    quoted, joined = set[int](), ""
    for number, (key, above) in enumerate(zip(keys, letter.above, strict=True)):
        if above:
            joined = _reduce(above)
        joined = joined + key if joined and key else ""
        if len(joined) >= _ENOUGH and answered.has_text(joined):
            quoted.add(number)
        else:
            joined = ""
    return quoted


def _omit(line: str, words: Collection[str]) -> str:
    if not words:
        return line
    return " ".join(word for word in line.split() if word.lower().strip(".,:!") not in words)


def _cut_at_quote(letter: Letter, numbers: Sequence[int]) -> Sequence[int]:
    """Return these lines as far as no marked quote stands between them."""
    for count in range(1, len(numbers)):
        if any(letter.above[numbers[count - 1] + 1 : numbers[count] + 1]):
            return numbers[:count]
    return numbers


def _find_block(keys: Sequence[str], numbers: Sequence[int], answered: AnsweredText) -> range:
    """Return the lines that begin with the first of these and stand next to each other in an
    answered mail, few but with enough letters, or the first alone when it holds several; an empty
    range when there are none."""
    joined = ""
    for count, number in enumerate(numbers):
        joined += keys[number]
        if answered.has_within_broken(joined):
            continue
        if len(joined) >= _ENOUGH and (count or not answered.has_within_line(joined)):
            return range(numbers[0], number + 1 if answered.has_text(joined) else numbers[0])
    return range(0)


def _find_drawn(keys: Sequence[str], quoted: set[int]) -> set[int]:
    """Return the lines without letters, such as blank ones and drawings, below those that are
    quoted."""
    drawn, is_below = set[int](), False
    for number, key in enumerate(keys):
        if key:
            is_below = number in quoted
        elif is_below:
            drawn.add(number)
    return drawn


def _find_heading(lines: Sequence[str], first: int) -> range:
    """Return the lines that introduce the quote that begins with that line: the fields of its
    header, or an attribution, and the rules above."""
    end = first
    while end and not lines[end - 1].strip():
        end -= 1
    start = find_fields(lines, end)
    if end - start < _FEWEST_FIELDS:
        start = find_attribution(lines, end)
    while start and (not lines[start - 1].strip() or is_rule(lines[start - 1])):
        start -= 1
    return range(start, first)
