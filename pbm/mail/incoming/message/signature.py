"""Removes from a comment a signature without `-- `: a closing formula with a name, and lines of
phone numbers, addresses and links. In doubt, a line is kept."""

# ruff: noqa: RUF001 -- letters of many languages look alike

import re

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
