"""Separates the lines a person wrote from quotes and signatures in one linear pass.

What a line would mean as a command plays no part. Lines that are in doubt do not act and are not
passed on: they are kept apart, and their writer is told of those that no mail of ours has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbm.mail.headers import MAX_CHARS, MAX_LINES
from pbm.mail.text import clean

# ruff: noqa: RUF001 -- quotation marks look alike

_QUOTE = re.compile(
    r"\s{0,8}(?:>|&gt;|[|¦│┃](?:\s|$|>)|[:}] |[›»](?!.*[«‹])|\w[\w.-]{0,11}>+(?:\s|$))"
)
_ONE_MARK = re.compile(r"> ?(?!\s*>)(.*)")
_SIGNATURE = re.compile(r"(?:--?-?|__)\s*$")
RULE = re.compile(r"\s{0,4}([-_=*~#+.·])\1{4,}\s*$")
# Words between two runs of dashes: "-----Original Message-----", in any language.
_SEPARATOR = re.compile(r"[*_>\s]{0,4}-{3,} ?[^-\s][^-]{1,80}?(?:-[^-]{1,40}?)? ?-{3,}[*_\s]{0,4}$")
_ARMOUR = re.compile(r"-----(BEGIN|END) PGP ([A-Z ]{7,20})-----$")
# Marks that stand for ASCII ones: full-width colon and bracket, em and en dash, horizontal bar.
_MARKS = {0xFF1A: ":", 0xFF1E: ">", 0x2014: "-", 0x2013: "-", 0x2015: "-", 0xFF0D: "-"}
_LOOK = 400  # characters of a line that are examined
_WORDS = 6  # of an attribution that is only a name and a verb


class OwnLines(NamedTuple):
    """The lines of a body that its writer typed, and for each the marked quote directly above it,
    "" for none. The first `unquoted` of them stand above every such quote. `has_quote` says whether
    the body quotes anything, and `signature` are the lines below the mark that announces one, or
    where an unmarked quote may begin, and `quoted` those behind one mark of a quote, without it."""

    lines: tuple[str, ...]
    above: tuple[str, ...]
    unquoted: int
    has_quote: bool = False
    signature: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()

    def keep(self, numbers: Iterable[int]) -> OwnLines:
        """Return these of the lines, without blank ones at both ends."""
        kept = list(numbers)
        while kept and not self.lines[kept[-1]].strip():
            kept.pop()
        while kept and not self.lines[kept[0]].strip():
            del kept[0]
        return self._replace(
            lines=tuple(self.lines[at] for at in kept),
            above=tuple(self.above[at] for at in kept),
            unquoted=sum(at < self.unquoted for at in kept),
        )


def extract_own_lines(text: str) -> OwnLines:
    """Return the lines of a body that its writer typed, without blank lines at both ends.

    Quotes above, below and between are left out with the lines that introduce them. What stands
    below where an unmarked one may begin is kept apart: it does not act, and is not passed on.
    """
    return _Stripper(_split_lines(text[:MAX_CHARS])).run()


def _split_lines(text: str) -> list[str]:
    """Return the lines that are examined."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\n" not in text:
            text = text.replace("\r", "\n")
    lines = [clean(line) for line in text.split("\n", MAX_LINES)[:MAX_LINES]]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _normalize_head(line: str) -> str:
    """Return the beginning of a line, with ASCII marks, for the patterns."""
    head = line[:_LOOK]
    return head if head.isascii() else head.translate(_MARKS)


class _Stripper:
    """One pass over the lines of a body."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.heads = [_normalize_head(line) for line in lines]
        self.quoted = [_QUOTE.match(head) is not None for head in self.heads]
        self.kept: list[int] = []
        self.last = -1  # of those kept that are not blank
        self.has_quote = any(self.quoted)
        self.quote = self.signature = len(lines)  # where lines begin that may be such
        self.doubtful: list[str] = []  # a few words above a quote, which may introduce it

    def run(self) -> OwnLines:
        """Return the writer's lines."""
        number = 0
        while number < len(self.lines):
            end = self._find_end(number)
            if end > number:
                self.heads[number:end] = [""] * (end - number)
                number = end
                continue
            if self.heads[number]:
                if self._may_begin_quote(number):
                    self.has_quote = True
                    start = find_attribution(self.heads, number + 1)
                    self.quote = min(self.quote, start, number)
                if _SIGNATURE.match(self.heads[number]):
                    self.signature = min(self.signature, number)
                    self.heads[number] = ""
                else:
                    self.last = number
            self.kept.append(number)
            number += 1
        return self._trim()

    def _find_end(self, number: int) -> int:
        """Return the line after what begins here and is not the writer's; this line when it is."""
        if self.quoted[number]:
            if not (number and self.quoted[number - 1]):
                self._drop_attribution(number)
            return number + 1
        return self._skip_block(number)

    def _may_begin_quote(self, number: int) -> bool:
        """Whether an unmarked quote, or somebody else's mail, may begin with this line."""
        head = self.heads[number]
        if is_rule(head):
            values = read_header(self.heads, self._find_nonblank(number + 1), fewest=1)
            return not RULE.match(head) or any(map(_is_of_mail, values))
        if ":" in head and begins_with_attribution(head):
            return True
        if ":" in head and (values := read_header(self.heads, number)):
            return any(map(_is_of_mail, values))
        if not ends_attribution(head):
            return False
        after = self._find_nonblank(number + 1)
        is_marked = after < len(self.lines) and self.quoted[after]
        return not is_marked and find_attribution(self.heads, number + 1) <= number

    def _find_nonblank(self, number: int) -> int:
        """Return the first line from there on that is not blank."""
        while number < len(self.lines) and not self.heads[number]:
            number += 1
        return number

    def _drop_attribution(self, quote: int) -> None:
        """Drop the attribution of the marked quote that begins with that line. Directly above it
        the attribution ends as it likes; one that ends with a colon may be a few words."""
        end = self.last + 1
        if not end:
            return
        head = self.heads[self.last].rstrip(" *_")
        has_colon = head.endswith((":", "---"))
        start = find_attribution(self.heads, end) if has_colon or end == quote else end
        is_brief = count_evidence(head) > 0 or 2 <= len(head.split()) <= _WORDS
        if start < end or (has_colon and is_brief):
            if start == end and not count_evidence(head):
                self.doubtful.append(self.lines[self.last])
            self._drop_from(min(start, end - 1))

    def _skip_block(self, number: int) -> int:
        """Return the line after the PGP armour that begins here, if any: of a signed text, only
        its header."""
        armour = _ARMOUR.match(self.heads[number])
        if armour is None:
            return number
        if armour[1] == "END":
            return number + 1
        last = "" if armour[2] == "SIGNED MESSAGE" else f"-----END PGP {armour[2]}-----"
        ends = (at for at in range(number + 1, len(self.lines)) if self.heads[at] == last)
        return next(ends, len(self.lines) - 1) + 1

    def _drop_from(self, start: int) -> None:
        """Drop the kept lines from that one on, with the fields and the rule that stand above."""
        fields = find_fields(self.heads, start)
        if fields and RULE.match(self.heads[fields - 1]):
            start = fields - 1
        while self.kept and (
            self.kept[-1] >= start
            or not self.heads[self.kept[-1]]
            or is_rule(self.heads[self.kept[-1]])
        ):
            self.kept.pop()
        self.last = self.kept[-1] if self.kept else -1
        if self.last < self.quote:
            self.quote = len(self.lines)

    def _trim(self) -> OwnLines:
        """Return the kept lines without blank lines at both ends and rules at the end."""
        while self.kept and (
            not self.heads[self.kept[-1]] or RULE.match(self.heads[self.kept[-1]])
        ):
            self.kept.pop()
        first = self.quoted.index(True) if any(self.quoted) else len(self.lines)
        end = min(self.quote, self.signature)
        kept = [at for at in self.kept if at < end]
        own = OwnLines(
            tuple(self.lines[at] for at in kept),
            tuple(self.lines[at - 1] if at and self.quoted[at - 1] else "" for at in kept),
            sum(at < first for at in kept),
            self.has_quote,
            (*self.doubtful, *(self.lines[at] for at in self.kept if at >= end and self.heads[at])),
            tuple(match[1] for line in self.lines if (match := _ONE_MARK.match(line))),
        )
        return own.keep(range(len(own.lines)))


def is_rule(head: str) -> bool:
    """Whether a line is a rule, or words between two."""
    return RULE.match(head) is not None or ("---" in head and _SEPARATOR.match(head) is not None)


# Finds the lines that introduce a quote: an attribution, or the fields of its header, in
# whatever language they are.

# The patterns are matched against the beginning of a line; none nests a repetition.

# What our mails are from, as an attribution names it.
_NAME = re.compile(r"(?<!\w)pbm(?!\w)", re.IGNORECASE)
_AUTHOR = re.compile(r"<[\w.+=-]{1,64}@[^<>\s]{1,200}>[^<>]{0,30}:$")
_ADDRESS = re.compile(r"[\w.+=-]{1,64}@[\w-]")
# The value of a field of a mail's header: an author, or a subject with a tag.
_WRITER = re.compile(r"[\w.+=-]{1,64}@[\w.-]+|[^@]{0,80}[<\[(][\w.+=:-]{1,70}@[\w.-]+[>\])].{0,80}")
_TAG = re.compile(r"\[[\w -]{2,40}\]")
_DATE = re.compile(
    r"(?<!\d)(?:[01]?\d|2[0-3])[:.h]\s?[0-5]\d(?!\d)|(?<!\d)(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?:\d\d|\d{4})(?!\d)"
)
_COLON = re.compile(r" ?: (?= *\S)")
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
    return first


def ends_attribution(line: str) -> bool:
    """Whether an attribution above an unmarked quote may end with that line."""
    return line.rstrip(" *_").endswith(":")


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


def read_header(lines: Sequence[str], first: int, *, fewest: int = _FEWEST_FIELDS) -> list[str]:
    """Return the values of the header that begins with that line, as an unmarked quote has one:
    lines of a name and a value, above any attribution, all as far apart as the first two; none
    where there are fewer."""
    values = list[str]()
    near = lines[first : first + LONGEST_HEADER]
    is_apart = near[1:2] == [""]
    for line, above in zip(near, ["", *near], strict=False):
        if not line.strip():
            continue
        if any(values[:1]) and (above == "") != is_apart:
            break
        field = _FIELD.match(line)
        is_attribution = ends_attribution(line) and count_evidence(line) > 1
        if field is not None and not field["value"].startswith("//") and not is_attribution:
            values.append(field["value"])
        elif not values or not line.startswith((" ", "\t")):
            break
    return values if len(values) >= fewest else []


def _is_of_mail(value: str) -> bool:
    """Whether the value of a field is one of a mail: who wrote it, or a subject with a tag."""
    name, whole = value.partition("<")[0].strip(" \"'*"), value.strip(" *_")
    return bool(_NAME.fullmatch(name) or _WRITER.fullmatch(whole) or _TAG.search(whole))
