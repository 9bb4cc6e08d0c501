"""Patterns, each for one line, of the phrases that mail programs put around a reply."""

import re

# The patterns are matched against the beginning of a line; none nests a repetition.


# What our mails are from, as an attribution names it.
NAME = re.compile(r"(?<!\w)pbm(?!\w)", re.IGNORECASE)
AUTHOR = re.compile(r"<[\w.+=-]{1,64}@[^<>\s]{1,200}>[^<>]{0,30}:$")
ADDRESS = re.compile(r"[\w.+=-]{1,64}@[\w-]")
DATE = re.compile(
    r"(?<!\d)(?:[01]?\d|2[0-3])[:.h時时]\s?[0-5]\d(?!\d)|(?<!\d)(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?:\d\d|\d{4})(?!\d)|\d{1,2}月\s?\d{1,2}日|\d{1,2}월\s?\d{1,2}일"
    r"|(?<!\w)(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,? \d{1,2}(?!\d)"
    r"|(?<!\d)\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}(?!\w)"
    r"|(?<!\w)(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? [a-z]{3,9} \d{1,2}(?!\d)",
    re.IGNORECASE,
)
# Words between two runs of dashes: "-----Original Message-----", in any language.
SEPARATOR = re.compile(r"[*_>\s]{0,4}-{3,} ?[^-\s][^-]{1,80}?(?:-[^-]{1,40}?)? ?-{3,}[*_\s]{0,4}$")
# A field of an unmarked quote's header, in any language: `From: Ann <ann@example.org>`.
FIELD = re.compile(
    r"\s{0,12}[*_]{0,2}(?P<name>[^\W\d_][^:<>@\[\]]{0,30}?)\s?[*_]{0,2}\s?:[*_]{0,2}\s*(?P<value>.*)$"
)
LOTUS_DATE = re.compile(
    r"\s*\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?"
    r"(?: [A-Z]{2,5})?(?: To)?\s*$"
)

# What stands first below the rule of a mailing list's footer: the words that Mailman, LISTSERV,
# Yahoo and Google Groups write there, in the languages in which people have sent them. People draw
# rules, too.
LIST_FOOTER = re.compile(
    r"unsubscri|mailing list|mailman|list-?info|yahoo! groups|groups\.google|subscription|"
    r"to (?:reply|post|respond)|abmelden|désabonn|reply to this (?:e-?mail|message)",
    re.IGNORECASE,
)
