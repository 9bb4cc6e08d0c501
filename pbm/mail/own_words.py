"""Separates the lines a person wrote from quotes, signatures and footers in one linear pass.

What a line would mean as a command plays no part. In doubt, a line is not the person's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pbm.mail.additions import find_written, is_banner
from pbm.mail.headers import MAX_CHARS, MAX_LINES
from pbm.mail.text import clean


def _is_nobodys(value: str) -> bool:
    return False


_QUOTE = re.compile(
    r"\s{0,8}(?:>|&gt;|[|¦│┃](?:\s|$|>)|[:}] |[›»](?!.*[«‹])|\w[\w.-]{0,11}>+(?:\s|$))"
)
_SIGNATURE = re.compile(r"(?:--?-?|__)\s*$")
_RULE = re.compile(r"\s{0,4}([-_=*~#+.·])\1{4,}\s*$")
_UNDERSCORES = re.compile(r"\s{0,4}_{9,}\s*$")
# Words between two runs of dashes: "-----Original Message-----", in any language.
_SEPARATOR = re.compile(r"[*_>\s]{0,4}-{3,} ?[^-\s][^-]{1,80}?(?:-[^-]{1,40}?)? ?-{3,}[*_\s]{0,4}$")
# What stands first below the rule of a mailing list's footer: the words that Mailman, LISTSERV,
# Yahoo and Google Groups write there, in the languages in which people have sent them. People draw
# rules, too.
_LIST_FOOTER = re.compile(
    r"unsubscri|mailing list|mailman|list-?info|yahoo! groups|groups\.google|subscription|"
    r"to (?:reply|post|respond)|abmelden|désabonn|reply to this (?:e-?mail|message)",
    re.IGNORECASE,
)
_ARMOUR = re.compile(r"-----(BEGIN|END) PGP ([A-Z ]{7,20})-----$")
_UU = re.compile(r"begin [0-7]{3,4} \S")
# Marks that stand for ASCII ones: full-width colon and bracket, em and en dash, horizontal bar.
_MARKS = {0xFF1A: ":", 0xFF1E: ">", 0x2014: "-", 0x2013: "-", 0x2015: "-", 0xFF0D: "-"}
_LOOK = 400  # characters of a line that are examined
_WORDS = 6  # of an attribution that is only a name and a verb
_MOST_KEPT = 10  # lines of a banner


class OwnLines(NamedTuple):
    """The lines of a body that its writer typed, and for each the marked quote directly above it,
    "" for none. The first `unquoted` of them stand above every such quote. `has_quote` says whether
    the body quotes anything, and `added` are the lines that programs added."""

    lines: tuple[str, ...]
    above: tuple[str, ...]
    unquoted: int
    has_quote: bool = False
    added: tuple[str, ...] = ()

    def keep(self, numbers: Iterable[int]) -> OwnLines:
        """Return these of the lines, without what programs added to them and without blank ones at
        both ends."""
        kept = list(numbers)
        lines, above = [self.lines[at] for at in kept], [self.above[at] for at in kept]
        written = find_written(lines, above)
        left_out = sorted(set(range(len(kept))) - set(written))
        while written and not lines[written[-1]].strip():
            written.pop()
        while written and not lines[written[0]].strip():
            del written[0]
        return OwnLines(
            tuple(lines[at] for at in written),
            tuple(above[at] for at in written),
            sum(kept[at] < self.unquoted for at in written),
            self.has_quote,
            tuple(lines[at] for at in left_out),
        )


def extract_own_lines(text: str, is_ours: Callable[[str], bool] = _is_nobodys) -> OwnLines:
    """Return the lines of a body that its writer typed, without blank lines at both ends.

    Quotes above, below and between are left out with the lines that introduce them, as is what
    programs add (`additions.py`). An unmarked quote runs to the end, as does a signature. `is_ours`
    says whether the value of a field in a quote's header is that of a mail of ours.
    """
    lines, is_cut = _split_lines(text)
    return _Stripper(lines, is_ours, is_cut=is_cut).run()


def _split_lines(text: str) -> tuple[list[str], bool]:
    """Return the lines that are examined, and whether there are more."""
    is_cut = len(text) > MAX_CHARS
    text = text[:MAX_CHARS]
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\n" not in text:
            text = text.replace("\r", "\n")
    raw = text.split("\n", MAX_LINES)
    is_cut = is_cut or len(raw) > MAX_LINES
    lines = [clean(line) for line in raw[:MAX_LINES]]
    while lines and not lines[-1]:
        lines.pop()
    return lines, is_cut


def _normalize_head(line: str) -> str:
    """Return the beginning of a line, with ASCII marks, for the patterns."""
    head = line[:_LOOK]
    return head if head.isascii() else head.translate(_MARKS)


class _Stripper:
    """One pass over the lines of a body."""

    def __init__(
        self, lines: list[str], is_ours: Callable[[str], bool], *, is_cut: bool = False
    ) -> None:
        self.lines = lines
        self.is_ours = is_ours
        self.is_cut = is_cut
        self.heads = [_normalize_head(line) for line in lines]
        self.quoted = [_QUOTE.match(head) is not None for head in self.heads]
        self.kept: list[int] = []
        self.last = -1  # of those kept that are not blank
        self.has_quote = any(self.quoted)

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
                if self._is_end(number):
                    self.has_quote = self.has_quote or not _SIGNATURE.match(self.heads[number])
                    break
                self.last = number
            self.kept.append(number)
            number += 1
        return self._trim()

    def _find_end(self, number: int) -> int:
        """Return the line after what begins here and is not the writer's; this line when it is."""
        head = self.heads[number]
        if self.quoted[number]:
            if not (number and self.quoted[number - 1]):
                self._drop_attribution(number)
            return self._skip_quote(number)
        if _RULE.match(head) and self._drop_banner():
            return number + 1
        return self._skip_block(number)

    def _skip_quote(self, number: int) -> int:
        """Return the line after a quoted one and after what wrapping broke off its end."""
        after = number + 1
        head = self.heads[number]
        if not 60 <= len(head.rstrip()) <= 100 or head.rstrip()[-1] in ".!?:;>":
            return after
        stop = after
        while stop < len(self.lines) and stop - after < 3:
            if not self.heads[stop] or self.quoted[stop]:
                break
            stop += 1
        if after < stop < len(self.lines) and self.quoted[stop]:
            return stop
        return after

    def _is_end(self, number: int) -> bool:
        """Whether nothing is the writer's from this line on."""
        head = self.heads[number]
        if _SIGNATURE.match(head) or _UNDERSCORES.match(head):
            return True
        after = self._find_nonblank(number + 1)
        if _RULE.match(head):
            return after < len(self.lines) and _LIST_FOOTER.search(self.heads[after]) is not None
        if "---" in head and _SEPARATOR.match(head):
            return True
        if ":" in head and begins_with_attribution(head):
            return True
        if ":" in head and starts_header(self.heads, number, self.is_ours):
            if self.last > 0 and self.heads[self.last].endswith(":"):  # Begin forwarded message:
                self._drop_from(self.last)
            return True
        if not ends_attribution(head) or (after < len(self.lines) and self.quoted[after]):
            return False
        start = find_attribution(self.heads, number + 1)
        if start <= number:
            self._drop_from(start)
        return start <= number

    def _find_nonblank(self, number: int) -> int:
        """Return the first line from there on that is not blank."""
        while number < len(self.lines) and not self.heads[number]:
            number += 1
        return number

    def _drop_banner(self) -> bool:
        """Drop a gateway's banner, when nothing else was kept above its rule."""
        texts = [self.lines[at] for at in self.kept[:_MOST_KEPT] if self.heads[at]]
        if len(self.kept) > _MOST_KEPT or not is_banner(texts):
            return False
        self.kept.clear()
        return True

    def _drop_attribution(self, quote: int) -> None:
        """Drop the attribution of the marked quote that begins with that line. Directly above it
        the attribution ends as it likes; one that ends with a colon may be a few words."""
        end = self.last + 1
        if not end:
            return
        head = self.heads[self.last].rstrip(" *_")
        has_colon = head.endswith(":")
        start = find_attribution(self.heads, end) if has_colon or end == quote else end
        is_brief = count_evidence(head) > 0 or 2 <= len(head.split()) <= _WORDS
        if start < end or (has_colon and is_brief):
            self._drop_from(min(start, end - 1))

    def _skip_block(self, number: int) -> int:
        """Return the line after the PGP armour or uuencoded file that begins here, if any."""
        head = self.heads[number]
        pgp = _ARMOUR.match(head)
        if pgp is not None:
            if pgp[2] == "SIGNED MESSAGE":
                at = number + 1
                while at < len(self.lines) and self.heads[at] and at - number < 8:
                    at += 1
                return at
            if pgp[1] == "END":
                return number + 1
            return self._find_after(number, f"-----END PGP {pgp[2]}-----")
        if _UU.match(head) is not None:
            return self._find_after(number, "end")
        return number

    def _find_after(self, number: int, last: str) -> int:
        """Return the line after the next one that equals `last`; the end if none does."""
        for at in range(number + 1, len(self.lines)):
            if self.heads[at] == last:
                return at + 1
        return len(self.lines)

    def _drop_from(self, start: int) -> None:
        """Drop the kept lines from that one on, with the fields below a rule that stand above."""
        fields = find_fields(self.heads, start)
        if fields and _RULE.match(self.heads[fields - 1]):
            start = fields - 1
        while self.kept and self.kept[-1] >= start:
            self.kept.pop()

    def _trim(self) -> OwnLines:
        """Return the kept lines without blank lines at both ends and rules at the end.

        The last lines of a text that was cut are left out: they may belong to the header of a
        quote that follows.
        """
        if self.is_cut and len(self.lines) > 1:
            self._drop_from(len(self.lines) - LONGEST_HEADER)
        while self.kept and (
            not self.heads[self.kept[-1]] or _RULE.match(self.heads[self.kept[-1]])
        ):
            self.kept.pop()
        first = self.quoted.index(True) if any(self.quoted) else len(self.lines)
        own = OwnLines(
            tuple(self.lines[at] for at in self.kept),
            tuple(self.lines[at - 1] if at and self.quoted[at - 1] else "" for at in self.kept),
            sum(at < first for at in self.kept),
            self.has_quote,
        )
        return own.keep(range(len(own.lines)))


# Removes from a comment a signature without `-- `: a closing formula with a name, and lines of
# phone numbers, addresses and links. In doubt, a line is kept.

# ruff: noqa: RUF001 -- letters of many languages look alike


_MAX_LINES = 8
_MAX_LENGTH = 60
_SHORT = 40
_CLOSING = re.compile(
    r"(?:(?:with )?(?:best|kind|kindest|warm|warmest) (?:regards|wishes)|regards|best|cheers"
    r"|all the best|take care|sincerely|cordially|yours(?: sincerely| truly| faithfully)?"
    r"|(?:mit )?(?:viele|vielen|liebe|lieben|beste|besten|schöne|schönen|herzliche|herzlichen"
    r"|freundliche|freundlichen)n? (?:gr(?:ü|ue)(?:ß|ss)en?|gru(?:ß|ss))|gru(?:ß|ss)|lg|vg|mfg"
    r"|(?:bien )?cordialement|amicalement|bien à (?:vous|toi)|(?:un )?saludos?"
    r"|(?:cordiali )?saluti|atenciosamente|(?:um )?abraços?|(?:met )?vriendelijke groet(?:en)?"
    r"|groet(?:en|jes)|(?:med )?(?:vänlig|vennlig|venlig)a? h(?:ä|i)ls(?:ning|en)(?:ar)?|mvh"
    r"|hilsen|pozdrawiam|s pozdravem|(?:ystävällisin )?terveisin|с уважением)[ ,.!]*",
    re.IGNORECASE,
)
_LABEL = (
    r"(?:(?:tel|phone|telephone|telefon|tél|mobile?|mobil|handy|cell|fax|office|home|work|[tmpfew]"
    r"|e-?mail|mail|web|www|url|skype|whatsapp)\.?\s?:?\s?)?"
)
_NUMBER = r"(?:\+|\(?0|\(\d{2,4}\))[\d\s()./-]{6,22}\d|\d{3}[ .-]\d{3}[ .-]\d{4}"
_MAILBOX = r"<?(?:mailto:)?[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+>?"
_CONTACT = re.compile(rf"{_LABEL}(?:{_NUMBER}|{_MAILBOX})", re.IGNORECASE)
_LINK = re.compile(rf"{_LABEL}<?(?:https?://|www\.)\S+", re.IGNORECASE)
_PLACE = re.compile(
    r"[A-Z]{0,2}-?\d{4,6} [A-ZÄÖÜ][\w .-]+"
    r"|(?:[\w.-]+ ){0,3}[\w-]*(?:str\.|stra(?:ß|ss)e|street|road|avenue|lane|weg|platz|gasse)"
    r",? \d+\s?\w?|\d+\w? (?:[\w.-]+ ){1,3}(?:st\.?|street|rd\.?|road|ave\.?|avenue|lane|drive)",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\s+[|·•/]\s+|\s*;\s+|,\s+")


def remove_signature(text: str, name: str) -> str:
    """Return the text without a signature at its end; `name` is the display name of its writer."""
    lines = [line.strip() for line in text.splitlines()]
    end = len(lines)
    while end:
        while end and not lines[end - 1]:
            end -= 1
        begin = end
        while begin and lines[begin - 1]:
            begin -= 1
        block = lines[begin:end]
        if not block:
            break
        if name and block[-1].casefold() == name.casefold():
            end -= 1
            continue
        if _is_card(block):
            end = begin
            continue
        names = {name.casefold(), name.casefold().partition(" ")[0]} - {""}
        for at, line in enumerate(block):
            closing = _CLOSING.match(line)
            rest = line[closing.end() :].casefold() if closing else "..."
            below = block[at + 1 :]
            if (rest in names or (not rest and (below or end < len(lines)))) and _is_signed(below):
                end = begin + at
                break
        break
    return "\n".join(text.splitlines()[:end]).rstrip()


def _is_card(block: list[str]) -> bool:
    """Whether a paragraph holds nothing but a name and contact details. A link alone does not
    count: it may be part of the comment."""
    if len(block) > _MAX_LINES or any(len(line) > _MAX_LENGTH for line in block):
        return False
    kinds = [_classify(line) for line in block]
    if not all(kinds):
        return False
    present = set().union(*kinds)
    return "contact" in present or (len(block) > 1 and bool(present & {"link", "place"}))


def _classify(line: str) -> set[str]:
    """Return the kinds of the parts of a line; none if a part does not belong to a signature."""
    if _PLACE.fullmatch(line):
        return {"place"}
    kinds = set[str]()
    for part in _PARTS.split(line):
        if _CONTACT.fullmatch(part):
            kinds.add("contact")
        elif _LINK.fullmatch(part):
            kinds.add("link")
        elif _PLACE.fullmatch(part):
            kinds.add("place")
        elif _is_title(part):
            kinds.add("title")
        else:
            return set()
    return kinds


def _is_title(line: str) -> bool:
    """Whether a line may be a name, a profession or a company: few words, mostly capitalized."""
    words = line.split()
    capital = sum(word[0].isupper() or not word[0].isalpha() for word in words)
    return (
        len(line) <= _SHORT
        and 0 < len(words) <= 5
        and line[-1] not in "!?:"
        and words[0][0].isalpha()
        and 2 * capital > len(words)
    )


def _is_signed(below: list[str]) -> bool:
    """Whether the lines below a closing formula are a name, with a card or without."""
    return len(below) <= _MAX_LINES and all(_is_title(line) or _classify(line) for line in below)


# Finds the lines that introduce a quote: an attribution, or the fields of its header, in
# whatever language they are.

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
