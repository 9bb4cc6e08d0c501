"""Separates the lines a person wrote from quotes, signatures and footers in one linear pass.

It never decides by what a line would mean as a command, and in doubt a line is not the person's.
"""

import re

from pbm.mail.incoming.message.limits import MAX_CHARS, MAX_LINES
from pbm.mail.incoming.message.phrases import (
    ADDRESS,
    DATE,
    EXCUSE,
    FIELD,
    FOOTER,
    INLINE,
    LIST_FOOTER,
    LOTUS_DATE,
    ORIGINAL,
    PHONE,
    PHONE_END,
    SEPARATOR,
    VERB,
    VERB_CJK,
)
from pbm.mail.incoming.message.text import clean

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
_LOOK = 400  # characters of a line that are looked at
_REACH = 4  # lines an attribution may be folded over
_WHOLE = 500  # characters a folded attribution may have
_HEAD = 8  # lines in which the fields of a quote's head must follow one another


def own(text: str) -> tuple[str, ...]:
    """Returns the lines of a body that its writer typed, blank lines at both ends taken off.

    Quotes above, below and between are left out with the lines that introduce them; a quote that
    is not marked runs to the end, and so does a signature; under a phone's signature or a footer
    only lines that follow a marked quote count again.
    """
    lines, is_cut = _lines(text)
    if len(lines) == 1 and not _special(lines[0]):
        return (lines[0],) if lines[0] else ()
    return _Strip(lines, is_cut=is_cut).run()


def _lines(text: str) -> tuple[list[str], bool]:
    """Returns the lines that are considered, and whether others follow them."""
    is_cut = len(text) > MAX_CHARS
    text = text[:MAX_CHARS]
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\n" not in text:
            text = text.replace("\r", "\n")
    found = text.split("\n", MAX_LINES)
    is_cut = is_cut or len(found) > MAX_LINES
    lines = [clean(line) for line in found[:MAX_LINES]]
    while lines and not lines[-1]:
        lines.pop()
    return lines, is_cut


def _head(line: str) -> str:
    """Returns the part of a line by which it is recognised."""
    head = line[:_LOOK]
    return head if head.isascii() else head.translate(_MARKS)


def _special(line: str) -> bool:
    """Whether one line alone may be something else than a person's words."""
    head = _head(line)
    return (
        _QUOTE.match(head) is not None
        or _SIGNATURE.match(head) is not None
        or _phone(head)
        or head.endswith(":")
        or "-----" in head
        or _UU.match(head) is not None
        or FOOTER.match(head) is not None
        or INLINE.match(head) is not None
        or ORIGINAL.match(head) is not None
    )


def _phone(line: str) -> bool:
    """Whether a line is what a phone or webmail writes under every mail."""
    if len(line) > 160:
        return False
    if PHONE_END.search(line) is not None:
        return True
    if PHONE.match(line) is None:
        return False
    comma = line.find(", ")
    return comma < 0 or len(line) - comma < 3 or EXCUSE.search(line, comma) is not None


class _Strip:
    """One pass over the lines of a body."""

    def __init__(self, lines: list[str], *, is_cut: bool = False) -> None:
        self.lines = lines
        self.is_cut = is_cut
        self.heads = [_head(line) for line in lines]
        self.quoted = [_QUOTE.match(head) is not None for head in self.heads]
        self.following = self._following()
        self.kept: list[tuple[int, str]] = []  # with the number of the line

    def _following(self) -> list[int]:
        """Returns for each line the number of the next one that is not blank."""
        count = len(self.lines)
        after = [count] * (count + 1)
        for number in range(count - 1, -1, -1):
            after[number] = number if self.heads[number].strip() else after[number + 1]
        return after

    def run(self) -> tuple[str, ...]:
        """Returns the person's lines."""
        number = 0
        tail = False  # under a phone's signature or a footer
        count = len(self.lines)
        while number < count:
            head = self.heads[number]
            if not head:
                if not tail:
                    self.kept.append((number, ""))
                number += 1
                continue
            if self.quoted[number]:
                self._drop_broken_attribution(number)
                number = self._past_quote(number)
                tail = False
                continue
            if self._ends(number):
                break
            skip = self._attribution(number)
            if skip:
                after = self.following[number + 1]
                if after >= count or not self.quoted[after] or skip < 0:
                    break
                number += 1
                continue
            skip = self._skipped(number)
            if skip:
                number = skip
                continue
            if not tail and (_phone(head) or FOOTER.match(head)):
                tail = True
            if not tail:
                self.kept.append((number, self.lines[number]))
            number += 1
        return self._finish()

    def _past_quote(self, number: int) -> int:
        """Passes a quoted line and what a program broke off its end: gives the next line."""
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

    def _ends(self, number: int) -> bool:
        """Whether from this line on nothing is the person's."""
        head = self.heads[number]
        if _SIGNATURE.match(head) or _UNDERSCORES.match(head):
            return True
        if ORIGINAL.match(head) or INLINE.match(head):
            return True
        if "---" in head and SEPARATOR.match(head) and not _ARMOUR.match(head):
            return True
        if _RULE.match(head):
            after = self.following[number + 1]
            return after < len(self.lines) and (
                LIST_FOOTER.search(self.heads[after]) is not None or self._head_block(after)
            )
        if ":" in head and self._head_block(number):
            return True
        if LOTUS_DATE.match(head) and number > 0:
            return self._lotus(number)
        return False

    def _head_block(self, number: int) -> bool:
        """Whether the head of an unmarked quote (From, Sent, To, Subject) begins here."""
        match = FIELD.match(self.heads[number])
        if match is None:
            return False
        kinds = {match.lastgroup}
        at = number
        for _ in range(_HEAD):
            at = self.following[at + 1]
            if at >= len(self.lines):
                break
            match = FIELD.match(self.heads[at])
            if match is not None:
                kinds.add(match.lastgroup)
            elif len(self.heads[at]) > 120 or self.heads[at][:1] not in (" ", "\t"):
                if len(kinds) >= 2 and not match:
                    break
                if at - number > 2:
                    break
            if len(kinds) >= 3:
                break
        return len(kinds) >= 3 or (len(kinds) == 2 and "ffrom" in kinds)

    def _lotus(self, number: int) -> bool:
        """Whether a line that is only a date belongs to an unmarked quote, and drops its head.

        Lotus Notes writes the author's address above it.
        """
        for at in range(number - 1, max(-1, number - 4), -1):
            if not self.heads[at]:
                return False
            if ADDRESS.search(self.heads[at]):
                while at > 0 and ADDRESS.search(self.heads[at - 1]):
                    at -= 1
                self._forget(at)
                return True
        return False

    def _attribution(self, number: int) -> int:
        """Returns 1 when the line ends an attribution, -1 when a quote follows unmarked, else 0.

        The lines it was folded over are dropped. Evidence is a date, an address, a verb; two of
        them make an attribution, one of them when a marked quote follows.
        """
        head = self.heads[number].rstrip(" *_")
        if not head.endswith(":"):
            if VERB_CJK.search(head[-12:]) is None or DATE.search(head) is None:
                return 0
        elif len(self.lines[number]) > _LOOK:
            return 0
        after = self.following[number + 1]
        marked = after < len(self.lines) and self.quoted[after]
        start = number
        whole = head
        best = number if _evidence(whole) >= 2 else -1
        while DATE.search(whole) is None or _evidence(whole) < 2:
            start -= 1
            if start < 0 or number - start >= _REACH or not self._joins(start):
                break
            whole = f"{self.heads[start]} {whole}"
            if len(whole) > _WHOLE:
                break
            if _evidence(whole) >= 2 and DATE.search(whole):
                best = start
        if best < 0 and marked and _evidence(head) >= 1:
            best = number
        if best < 0:
            return 0
        self._forget(best)
        return 1

    def _joins(self, number: int) -> bool:
        """Whether a line may be the beginning of an attribution that goes on below it."""
        head = self.heads[number].rstrip()
        if not head or self.quoted[number] or not self.kept or self.kept[-1][0] < number:
            return False
        return bool(DATE.search(head) or ADDRESS.search(head) or head[-1] in "<,\"'")

    def _drop_broken_attribution(self, number: int) -> None:
        """Drops an attribution above a line such as `>:` or `> wrote:`, broken in an address."""
        if not self.kept or number == 0 or self.kept[-1][0] != number - 1:
            return
        head = self.heads[number - 1]
        if _BROKEN_END.match(self.heads[number]) and head.rfind("<") > head.rfind(">"):
            start = number - 1
            while DATE.search(self.heads[start]) is None and number - start < _REACH:
                if start == 0 or not self._joins(start - 1):
                    break
                start -= 1
            self._forget(start)

    def _skipped(self, number: int) -> int:
        """Returns the line after a PGP armour or a uuencoded file that begins here, else 0."""
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
            return self._until(number, f"-----END PGP {pgp[2]}-----")
        if _UU.match(head) is not None:
            return self._until(number, "end")
        return 0

    def _until(self, number: int, last: str) -> int:
        """Returns the line after the one that says `last`, or after all lines."""
        for at in range(number + 1, len(self.lines)):
            if self.heads[at] == last:
                return at + 1
        return len(self.lines)

    def _forget(self, start: int) -> None:
        """Takes back the lines kept from that number on."""
        while self.kept and self.kept[-1][0] >= start:
            self.kept.pop()

    def _finish(self) -> tuple[str, ...]:
        """Returns the kept lines without blank ones and rules at the ends. Of a text that was cut
        the last lines are left out: what followed may have shown that they are a quote's head."""
        if self.is_cut and len(self.lines) > 1:
            self._forget(len(self.lines) - 2 * _HEAD)
        found = [line for _, line in self.kept]
        while found and (not found[-1].strip() or _RULE.match(found[-1][:_LOOK])):
            found.pop()
        start = 0
        while start < len(found) and not found[start].strip():
            start += 1
        return tuple(found[start:])


def _evidence(text: str) -> int:
    """Counts what marks an attribution: a date, an address, a verb."""
    return (
        (DATE.search(text) is not None)
        + (ADDRESS.search(text) is not None)
        + (VERB.search(text) is not None or VERB_CJK.search(text) is not None)
    )
