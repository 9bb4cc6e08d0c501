"""Separates the lines a person wrote from quotes, signatures and footers in one linear pass.

What a line would mean as a command plays no part. In doubt, a line is not the person's.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from pbm.mail.incoming.message.additions import find_written, is_banner
from pbm.mail.incoming.message.limits import MAX_CHARS, MAX_LINES
from pbm.mail.incoming.message.quote_heading import (
    LONGEST_HEADER,
    begins_with_attribution,
    count_evidence,
    ends_attribution,
    find_attribution,
    find_fields,
    starts_header,
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

    def keep(self, numbers: Iterable[int]) -> "OwnLines":
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
