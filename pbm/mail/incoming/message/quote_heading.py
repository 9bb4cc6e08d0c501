"""Finds the lines that introduce a quote: an attribution, or the fields of its header, in whatever
language they are."""

import re
from collections.abc import Callable, Sequence

# The patterns are matched against the beginning of a line; none nests a repetition.

# What our mails are from, as an attribution names it.
_NAME = re.compile(r"(?<!\w)pbm(?!\w)", re.IGNORECASE)
_AUTHOR = re.compile(r"<[\w.+=-]{1,64}@[^<>\s]{1,200}>[^<>]{0,30}:$")
_ADDRESS = re.compile(r"[\w.+=-]{1,64}@[\w-]")
_DATE = re.compile(
    r"(?<!\d)(?:[01]?\d|2[0-3])[:.h時时]\s?[0-5]\d(?!\d)|(?<!\d)(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?:\d\d|\d{4})(?!\d)|\d{1,2}月\s?\d{1,2}日|\d{1,2}월\s?\d{1,2}일"
    r"|(?<!\w)(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,? \d{1,2}(?!\d)"
    r"|(?<!\d)\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}(?!\w)"
    r"|(?<!\w)(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? [a-z]{3,9} \d{1,2}(?!\d)",
    re.IGNORECASE,
)
_COLON = re.compile(r" ?: (?= *\S)")
# Lotus Notes writes the author's address above a line that is only a date.
_DATE_ALONE = re.compile(
    r"\s*\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?"
    r"(?: [A-Z]{2,5})?(?: To)?\s*$"
)
# A field of the header: `From: Ann <ann@example.org>`.
_FIELD = re.compile(
    r"\s{0,12}[*_]{0,2}(?P<name>[^\W\d_][^:<>@\[\]]{0,30}?)\s?[*_]{0,2}\s?:[*_]{0,2}\s*(?P<value>.*)$"
)
_LONGEST_INLINE = 240
"""Characters of an attribution with its quote on the same line."""
_MAX_FOLDS = 4
"""Lines that an attribution may be folded over."""
_FEWEST_FIELDS = 3
LONGEST_HEADER = 16
"""Lines in which the fields of a header must stand."""


def count_evidence(text: str) -> int:
    """Count the marks of an attribution: a date, an address, our name."""
    return sum(pattern.search(text) is not None for pattern in (_DATE, _ADDRESS, _NAME, _AUTHOR))


def find_attribution(lines: Sequence[str], end: int) -> int:
    """Return the first of the lines, up to `end`, that are an attribution; `end` when none is. It
    has two marks, and where it is folded one is a date."""
    first, whole = end, ""
    for start in range(end - 1, max(-1, end - 1 - _MAX_FOLDS), -1):
        line = lines[start].rstrip(" *_")
        if not line or (whole and not (_DATE.search(line) or _ADDRESS.search(line))):
            break
        whole = f"{line} {whole}".rstrip()
        has_date = _DATE.search(whole) is not None
        if count_evidence(whole) > 1 and (has_date or start == end - 1):
            first = start
            if has_date:
                break
    is_lotus = first < end and _DATE_ALONE.match(lines[end - 1]) is not None
    while is_lotus and first and _ADDRESS.search(lines[first - 1]):
        first -= 1
    return first


def ends_attribution(line: str) -> bool:
    """Whether an attribution above an unmarked quote may end with that line."""
    return line.rstrip(" *_").endswith(":") or _DATE_ALONE.match(line) is not None


def find_fields(lines: Sequence[str], end: int) -> int:
    """Return the first of the lines, up to `end`, that are fields of a header."""
    while end and _FIELD.match(lines[end - 1]):
        end -= 1
    return end


def begins_with_attribution(line: str) -> bool:
    """Whether a line begins with an attribution and goes on with the quote, as Yahoo on Android
    writes it."""
    ends = (match.start() for match in _COLON.finditer(line, 0, _LONGEST_INLINE))
    return any(count_evidence(line[:end]) > 1 and _DATE.search(line[:end]) for end in ends)


def starts_header(lines: Sequence[str], first: int, is_ours: Callable[[str], bool]) -> bool:
    """Whether the header of an unmarked quote begins with that line: three lines or more of a name
    and a value, of which one names a mail of ours, or an address and a date."""
    values = list[str]()
    for line in filter(str.strip, lines[first : first + LONGEST_HEADER]):
        field = _FIELD.match(line)
        if field is not None and not field["value"].startswith("//"):
            values.append(field["value"])
        elif not values or not line.startswith((" ", "\t")):
            break
    if len(values) < _FEWEST_FIELDS:
        return False
    if any(map(is_ours, values)):
        return True
    marks = [any(map(pattern.search, values)) for pattern in (_ADDRESS, _DATE)]
    return all(marks) or (any(marks) and len(values) > _FEWEST_FIELDS)
