"""Separates the lines a person wrote from quotes, signatures and footers in one linear pass.

What a line would mean as a command plays no part. In doubt, a line is not the person's.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from pbm.mail.incoming.message.additions import find_written, is_banner
from pbm.mail.incoming.message.limits import MAX_CHARS, MAX_LINES
from pbm.mail.incoming.message.phrases import (
    ADDRESS,
    AUTHOR,
    DATE,
    FIELD,
    LIST_FOOTER,
    LOTUS_DATE,
    NAME,
    SEPARATOR,
)
from pbm.mail.incoming.message.text import clean


def _is_nobodys(value: str) -> bool:
    return False


_QUOTE = re.compile(
    r"\s{0,8}(?:>|&gt;|[|¦│┃](?:\s|$|>)|[:}] |[›»](?!.*[«‹])|\w[\w.-]{0,11}>+(?:\s|$))"  # noqa: RUF001 (bars that look like one)
)
_SIGNATURE = re.compile(r"(?:--?-?|__)\s*$")
_RULE = re.compile(r"\s{0,4}([-_=*~#+.·])\1{4,}\s*$")
_UNDERSCORES = re.compile(r"\s{0,4}_{9,}\s*$")
_BROKEN_END = re.compile(r"\s{0,4}>\s?(?:\w{1,12}(?:\([a-z]\))?\s?){0,3}:\s*$")
_ARMOUR = re.compile(r"-----(BEGIN|END) PGP ([A-Z ]{7,20})-----$")
_UU = re.compile(r"begin [0-7]{3,4} \S")
# Marks that stand for ASCII ones: full-width colon and bracket, em and en dash, horizontal bar.
_MARKS = {0xFF1A: ":", 0xFF1E: ">", 0x2014: "-", 0x2013: "-", 0x2015: "-", 0xFF0D: "-"}
_LOOK = 400  # characters of a line that are examined
_COLON = re.compile(r" ?: (?= *\S)")
_LONGEST_INLINE = 240  # characters of an attribution with its quote on the same line
_WORDS = 6  # of an attribution that is only a name and a verb
_MAX_FOLDS = 4  # lines that an attribution may be folded over
_MAX_ATTRIBUTION = 500  # characters of a folded attribution
_HEADER = 8  # nonblank lines in which the fields of a quote's header must stand
_FIELDS = 3  # of them, at least
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


def extract_own_lines(text: str, is_ours: Callable[[str], bool] = _is_nobodys) -> OwnLines:
    """Return the lines of a body that its writer typed, without blank lines at both ends.

    Quotes above, below and between are left out with the lines that introduce them, as is what
    programs add (`additions.py`). An unmarked quote runs to the end, as does a signature. `is_ours`
    says whether the value of a field in a quote's header is that of a mail of ours.
    """
    lines, is_cut = _split_lines(text)
    if not lines:
        return OwnLines((), (), 0)
    if len(lines) == 1 and not _is_special(lines[0]):
        return OwnLines((lines[0],), ("",), 1) if lines[0] else OwnLines((), (), 0)
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


def _is_special(line: str) -> bool:
    """Whether the only line of a text may be something other than a person's words."""
    head = _normalize_head(line)
    return (
        _QUOTE.match(head) is not None
        or _SIGNATURE.match(head) is not None
        or head.endswith(":")
        or "-----" in head
        or _UU.match(head) is not None
        or _has_inline_attribution(head)
        or not find_written([line], [""])
    )


def _has_inline_attribution(head: str) -> bool:
    """Whether a line begins with an attribution and goes on with the quote: a date and an address
    or our name stand before a colon (Yahoo on Android)."""
    if ":" not in head:
        return False
    ends = (match.start() for match in _COLON.finditer(head, 0, _LONGEST_INLINE))
    return any(count_evidence(head[:end]) >= 2 and DATE.search(head[:end]) for end in ends)


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
        self.nonblank = self._find_nonblank()
        self.kept: list[tuple[int, str]] = []  # with their numbers
        self.first_quote = len(lines)
        self.has_quote = any(self.quoted)

    def _find_nonblank(self) -> list[int]:
        """Return for each line the number of the first nonblank one from there on."""
        count = len(self.lines)
        after = [count] * (count + 1)
        for number in range(count - 1, -1, -1):
            after[number] = number if self.heads[number].strip() else after[number + 1]
        return after

    def run(self) -> OwnLines:
        """Return the writer's lines."""
        number = 0
        count = len(self.lines)
        while number < count:
            head = self.heads[number]
            if not head:
                self.kept.append((number, ""))
                number += 1
                continue
            if self.quoted[number]:
                self.first_quote = min(self.first_quote, number)
                self._drop_broken_attribution(number)
                number = self._skip_quote(number)
                continue
            if _RULE.match(head) and self._drop_banner():
                number += 1
                continue
            if self._is_end(number):
                self.has_quote = self.has_quote or not _SIGNATURE.match(head)
                break
            if self._drop_attribution(number):
                after = self.nonblank[number + 1]
                if after >= count or not self.quoted[after]:
                    self.has_quote = True
                    break
                number += 1
                continue
            end = self._find_block_end(number)
            if end:
                number = end
                continue
            self.kept.append((number, self.lines[number]))
            number += 1
        return self._trim()

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
        if _has_inline_attribution(head):
            return True
        if "---" in head and SEPARATOR.match(head) and not _ARMOUR.match(head):
            return True
        if _RULE.match(head):
            after = self.nonblank[number + 1]
            return after < len(self.lines) and (
                LIST_FOOTER.search(self.heads[after]) is not None
                or self._starts_quote_header(after)
            )
        if ":" in head and self._starts_quote_header(number):
            self._drop_heading(number)
            return True
        if LOTUS_DATE.match(head) and number > 0:
            return self._drop_lotus_header(number)
        return False

    def _starts_quote_header(self, number: int) -> bool:
        """Whether the header of an unmarked quote begins here: three lines or more of a name and a
        value, in any language, of which one names a mail of ours, or an address and a date."""
        values = list[str]()
        at = number
        for _ in range(_HEADER):
            if at >= len(self.lines):
                break
            match = FIELD.match(self.heads[at])
            if match is not None and not match["value"].startswith("//"):
                values.append(match["value"])
            elif not values or self.heads[at][:1] not in (" ", "\t"):
                break
            at = self.nonblank[at + 1]
        if len(values) < _FIELDS:
            return False
        if any(map(self.is_ours, values)):
            return True
        marks = [any(map(pattern.search, values)) for pattern in (ADDRESS, DATE)]
        return all(marks) or (any(marks) and len(values) > _FIELDS)

    def _drop_heading(self, number: int) -> None:
        """Drop the words that a program puts above the header of a quote: one line directly above
        it, or one that ends with a colon."""
        at = number - 1
        while at >= 0 and not self.heads[at]:
            at -= 1
        is_heading = at < number - 1 and self.heads[at].endswith(":")
        is_heading = is_heading or (at == number - 1 and (at < 1 or not self.heads[at - 1]))
        if is_heading and any(line.strip() for each, line in self.kept if each < at):
            self._drop_kept(at)

    def _drop_banner(self) -> bool:
        """Drop a gateway's banner, when nothing else was kept above its rule."""
        texts = [line for _, line in self.kept[:_MOST_KEPT] if line.strip()]
        if len(self.kept) > _MOST_KEPT or not is_banner(texts):
            return False
        self.kept.clear()
        return True

    def _drop_lotus_header(self, number: int) -> bool:
        """Drop the header of an unmarked quote that ends with this date, and say whether it does.

        Lotus Notes writes the author's address above the date.
        """
        for at in range(number - 1, max(-1, number - 4), -1):
            if not self.heads[at]:
                return False
            if ADDRESS.search(self.heads[at]):
                while at > 0 and ADDRESS.search(self.heads[at - 1]):
                    at -= 1
                self._drop_kept(at)
                return True
        return False

    def _drop_attribution(self, number: int) -> bool:
        """Drop the lines of an attribution that ends here; return whether there is one.

        Evidence is a date, an address, our name. Two of them make an attribution, or an address in
        brackets at the end; above a marked quote one does, or a few words.
        """
        head = self.heads[number].rstrip(" *_")
        is_above = number + 1 < len(self.lines) and self.quoted[number + 1]
        is_one = head.endswith(":") or (is_above and count_evidence(head) >= 2)
        if not is_one or len(self.lines[number]) > _LOOK:
            return False
        after = self.nonblank[number + 1]
        marked = after < len(self.lines) and self.quoted[after]
        start = number
        whole = head
        best = number if count_evidence(whole) >= 2 else -1
        while DATE.search(whole) is None or count_evidence(whole) < 2:
            start -= 1
            if start < 0 or number - start >= _MAX_FOLDS or not self._may_continue(start):
                break
            whole = f"{self.heads[start]} {whole}"
            if len(whole) > _MAX_ATTRIBUTION:
                break
            if count_evidence(whole) >= 2 and DATE.search(whole):
                best = start
        if best < 0 and marked and (count_evidence(head) or 2 <= len(head.split()) <= _WORDS):
            best = number
        if best < 0:
            return False
        start = best
        while start > 0 and self.heads[start - 1] and FIELD.match(self.heads[start - 1]):
            start -= 1
        if start > 0 and _RULE.match(self.heads[start - 1]):
            best = start - 1
        self._drop_kept(best)
        return True

    def _may_continue(self, number: int) -> bool:
        """Whether a line may be part of an attribution that continues below it."""
        head = self.heads[number].rstrip()
        if not head or self.quoted[number] or not self.kept or self.kept[-1][0] < number:
            return False
        return bool(DATE.search(head) or ADDRESS.search(head) or head[-1] in "<,\"'")

    def _drop_broken_attribution(self, number: int) -> None:
        """Drop an attribution broken in its address, above a line such as `>:` or `> wrote:`."""
        if not self.kept or number == 0 or self.kept[-1][0] != number - 1:
            return
        head = self.heads[number - 1]
        if _BROKEN_END.match(self.heads[number]) and head.rfind("<") > head.rfind(">"):
            start = number - 1
            while DATE.search(self.heads[start]) is None and number - start < _MAX_FOLDS:
                if start == 0 or not self._may_continue(start - 1):
                    break
                start -= 1
            self._drop_kept(start)

    def _find_block_end(self, number: int) -> int:
        """Return the line after the PGP armour or uuencoded file that begins here, else 0."""
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
        return 0

    def _find_after(self, number: int, last: str) -> int:
        """Return the line after the next one that equals `last`; the end if none does."""
        for at in range(number + 1, len(self.lines)):
            if self.heads[at] == last:
                return at + 1
        return len(self.lines)

    def _drop_kept(self, start: int) -> None:
        """Drop the kept lines from that number on."""
        while self.kept and self.kept[-1][0] >= start:
            self.kept.pop()

    def _trim(self) -> OwnLines:
        """Return the kept lines without blank lines at both ends and rules at the end.

        The last lines of a text that was cut are left out: they may belong to the header of a
        quote that follows.
        """
        if self.is_cut and len(self.lines) > 1:
            self._drop_kept(len(self.lines) - 2 * _HEADER)
        kept, lines = self.kept, [line for _, line in self.kept]
        above = [self._find_quote_above(number) for number, _ in kept]
        while lines and (not lines[-1].strip() or _RULE.match(lines[-1][:_LOOK])):
            lines.pop()
        unquoted = sum(number < self.first_quote for number, _ in kept[: len(lines)])
        return leave_out_additions(
            OwnLines(tuple(lines), tuple(above[: len(lines)]), unquoted, self.has_quote)
        )

    def _find_quote_above(self, number: int) -> str:
        """Return the marked quote directly above a line."""
        return self.lines[number - 1] if number and self.quoted[number - 1] else ""


def leave_out_additions(own: OwnLines) -> OwnLines:
    """Return the lines without what programs added to them, and without blank ones at both ends."""
    kept = find_written(own.lines, own.above)
    left_out = sorted(set(range(len(own.lines))) - set(kept))
    while kept and not own.lines[kept[-1]].strip():
        kept.pop()
    while kept and not own.lines[kept[0]].strip():
        del kept[0]
    return OwnLines(
        tuple(own.lines[at] for at in kept),
        tuple(own.above[at] for at in kept),
        sum(at < own.unquoted for at in kept),
        own.has_quote,
        tuple(own.lines[at] for at in left_out),
    )


def count_evidence(text: str) -> int:
    """Count the marks of an attribution: a date, an address, our name."""
    return (
        (DATE.search(text) is not None)
        + (ADDRESS.search(text) is not None)
        + (NAME.search(text) is not None)
        + (AUTHOR.search(text) is not None)
    )
