"""The page of a mail: the news as a headline, what asks for an answer as a button, the board as a
picture, if there is one, with moves as buttons, and below all else that the mail says.

What mail programs do to pages decides its form: styles stand in the elements, since some drop all
others; nothing is loaded; a dark page is asked for by a style sheet that they may ignore. The
picture has no page of its own: what is written beside the board can be read on both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape, unescape
from itertools import groupby, takewhile
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from pbm.core.parser import read_own_words
from pbm.core.proofs import Proof
from pbm.core.storing import find_title
from pbm.core.words import find_game_name, get_verb, list_command_words
from pbm.features.finding.page_parts import split_items, split_page
from pbm.locale import ENGLISH, get_language, translate
from pbm.locale.words import list_english_replies, list_meanings, list_verb_words
from pbm.mail.render import COLUMNS, clean, shorten_lines, write_link
from pbm.pictures.mailed_board import BoardPicture
from pbm.rules.phrases import GLUED, capitalize, phrase

_SANS = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
_MONO = "ui-monospace,Consolas,Menlo,'DejaVu Sans Mono',monospace"
_HEAD = (
    '<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width,initial-scale=1">'
    '<meta name="color-scheme" content="light dark">'
    '<meta name="supported-color-schemes" content="light dark">'
    "<title>{title}</title>"
    "<style>:root{{color-scheme:light dark}}@media(prefers-color-scheme:dark){{"
    ".sheet{{background:#17181b!important;color:#ece7dd!important}}"
    ".quiet{{color:#a59d90!important}}.rule{{border-color:#45423c!important}}"
    ".move{{background:#26303f!important;color:#cfe1ff!important;border-color:#4a617f!important}}"
    ".link{{color:#8ab4f8!important}}"
    ".board{{background:#24262b!important;color:#ece7dd!important}}"
    ".open{{background:#8ab4f8!important;color:#10233f!important}}"
    "}}</style></head>\n"
)
_BODY = '<body class="sheet" style="margin:0;padding:0;background:#ffffff;color:#22201c">\n'
_SHEET = (
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" '
    'style="table-layout:fixed"><tr>'
    '<td class="sheet" align="center" style="padding:16px 12px;background:#ffffff;color:#22201c;'
    f'font:16px/1.5 {_SANS}">\n'
    '<div style="max-width:560px;text-align:left;overflow-wrap:anywhere">\n'
)
_END = "</div>\n</td></tr></table>\n</body></html>\n"
_CLUB = (
    '<p class="quiet" style="margin:0 0 14px;padding-top:8px;border-top:4px solid {colour};'
    'color:#6f675b;font-size:13px">{name}</p>'
)
_HEADLINE = (
    '<h1 style="margin:0 0 14px;font-size:{size}px;line-height:1.3;font-weight:700">{text}</h1>'
)
_PARAGRAPH = '<p style="margin:0 0 12px">{}</p>'
_PRE = (
    '<pre style="margin:0 0 12px;white-space:pre-wrap;overflow-wrap:anywhere;'
    f'font:14px/1.45 {_MONO}">{{}}</pre>'
)
_DRAWING = f'<pre style="margin:0 0 12px;overflow-x:auto;font:13px/1.35 {_MONO}">{{}}</pre>'
_FACTS = (
    '<pre class="quiet rule" style="margin:16px 0 0;padding-top:8px;border-top:1px solid #d9d2c5;'
    f'white-space:pre-wrap;overflow-wrap:anywhere;color:#6f675b;font:12px/1.4 {_MONO}">{{}}</pre>'
)
_RULE = '<hr class="rule" style="margin:18px 0 14px;border:0;border-top:1px solid #d9d2c5">'
_QUOTE = (
    '<blockquote class="rule" style="margin:0 0 12px;padding-left:12px;'
    'border-left:3px solid #d9d2c5">{}</blockquote>'
)
_PICTURE = (
    '<p style="margin:0 0 14px"><img src="cid:{content_id}" width="{width}" alt="{words}" '
    'style="display:block;width:100%;max-width:{width}px;height:auto;border:0;border-radius:8px">'
    "</p>"
)
_TEXT_BOARD = (
    '<pre class="board" style="margin:0 0 14px;padding:8px 12px;overflow-x:auto;'
    f"background:#f7f5ee;color:#22201c;border-radius:8px;font:14px/1.2 {_MONO}"
    '">{}</pre>'
)
_HEADING = '<h2 style="margin:22px 0 6px;font-size:17px;line-height:1.3;font-weight:700">{}</h2>'
_LIST = '<ul style="margin:0 0 12px;padding-left:22px">{}</ul>'
_FIGURE = (
    '<div style="display:inline-block;width:100%;max-width:{width}px;margin:0 14px 14px 0;'
    'vertical-align:top"><img src="cid:{content_id}" width="{width}" alt="{words}" '
    'style="display:block;width:100%;height:auto;border:0;border-radius:8px">{caption}</div>'
)
_UNDER_FIGURE = '<p class="quiet" style="margin:6px 0 0;color:#6f675b;font-size:14px">{}</p>'
_FIGURE_WIDTH, _ROW_WIDTH = 330, 160
"""How wide a figure is, and each of several on a row."""
_MARKED = "\ue000"
"""What stands in a text in place of figures, before their numbers; no letter of a mail."""
_OPEN = (
    '<p style="margin:0 0 14px"><a class="open" href="{link}" style="display:inline-block;'
    "padding:11px 18px;border-radius:6px;background:#0b4aa2;color:#ffffff;font-weight:600;"
    'text-decoration:none">{text}</a></p>'
)
_MOVE = (
    '<a class="move" href="{link}" style="display:inline-block;min-width:24px;margin:0 8px 8px 0;'
    "padding:9px 12px;border:1px solid #a9bdd8;border-radius:6px;background:#eef4fc;"
    'color:#0b4aa2;text-align:center;text-decoration:none">{move}</a>'
)
_LINK = '<a class="link" href="{link}" style="color:#0b4aa2">{text}</a>'
_BUTTONS = '<p style="margin:0 0 6px">{}</p>'
_ROW_OF_LIST = '<p style="margin:0 0 6px">{}</p>'
_CHOICE = '<p class="quiet" style="margin:0 0 6px;color:#6f675b;font-size:14px">{}</p>'
CHOICE = phrase("Choose a move to open a reply with it, and send that.")
"""What stands above the moves."""
_LARGER = 4 / 3
"""How much larger the picture is on a wide screen than on a phone."""
_WIDEST = 560
_SIZES = ((40, 24), (90, 20))
"""The size of a headline by its number of letters; longer ones are as large as the text."""
_TEXT_SIZE = 17
_LONGEST_HEADING = 40
"""The letters before the first colon of a long headline with which it may stop there."""
_SENTENCE_END = re.compile(r"[.!?:]$")
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?]) +(?=\w)")
_BETWEEN_BLOCKS = re.compile(r"\n\s*\n")
_NAMED = re.compile(r" (\S.{0,14}?) {2,}(\S.*)")
"""A row of a list: a name, and what stands behind it."""
_WHOLE = re.compile(r" {4}(?! )(?!.*\b[A-Z]{2,})(?!.*  ).+")
"""A line to send without a word in capitals, which stands for something else."""
_BEGUN = re.compile(r" {4}(?! )((?:(?!\b[A-Z]{2,}|  ).)+) [A-Z]{2,}[A-Z@.]*")
"""A line to send of which the reader adds the last word, the only one in capitals."""
_LEFT_OUT = "\u2026"
_CHALLENGE, _SEEK = re.compile(r"(\w+) challenge \S+ (\S+)"), re.compile(r"(\w+) seek")
_LABELLED = ("event enter", "event leave")
"""Commands whose buttons say what they do, as on the web."""
_BETWEEN_COLUMNS, _DOT = re.compile(r",? {2,}"), " · "
_SAYS_MORE = re.compile(r"[.,?!(] |[(]")
"""What stands in no command, but in a sentence or a list of commands."""
_MOST_AT_BOARD = 9
"""The most moves that are buttons at the board: three rows on a phone."""
_MOST_WORDS = 5
"""The words of a command behind a colon; more are a sentence, such as: all your clocks stand still.
"""
_ABOVE_TEXT = ("press to ",)
"""What commands begin with below which a text has to stand."""
_ALIGNED = re.compile(r"\S {2,}\S|^ *[-+|]")
"""A line of columns, or of something drawn: it is not broken."""
_LISTED = re.compile(r" *\S+(?: {2}\S+)*")
"""A line of words that stand in no columns, such as moves: it may be broken."""
_FEW_COLUMNS = 5
_FITS_PHONE = 44
"""The letters of a line that a phone shows without breaking it."""
_ROW = re.compile(r" {1,6}(\S.{0,21}?) {2,}(\S.*[^\W\d_]{3}.*)")
_ROW_OF_HELP = re.compile(
    r" {1,5}(?!\d\. )(\S(?:(?! {2}).){0,24}?(?=: )|\S(?:(?! {2}).){0,59}?(?= {2}))(?: {2,}|: )"
    r"(\S.*[^\W\d_]{3}.*)"
)
"""A row of a list on a help page: an option or a piece, and what stands behind it."""
_ALONE = re.compile(r" {1,5}\S+(?: \S+)*")
_CONTINUED = 6 * " "
_EXPLAINED = 8 * " "
"""What stands before the lines about a word to send, below it."""
_CUT = "..."
_OF_DICE = ("[Hash ", "[Secret ")


FigurePlace = tuple[int, int, str]
"""Where in the text a figure stands, and its caption; one that takes the place of nothing stands on
the row of the one before it."""


class WaitingLine(Struct, frozen=True):
    """A board whose line in a list waits for the reader: its number, as which the line begins, who
    plays, what is asked, the address and the subject of an answer about it alone, and what stands
    on its buttons: one opens an empty answer, the other asks for the board."""

    number: str
    names: str
    asked: str
    reply_to: str
    subject: str
    answer: str
    show: str


class PageFacts(Struct, frozen=True):
    """What a page needs besides its text and its board: where in the text the board stands, the
    subject and address of a reply, the link to the board ("" without one) with what stands before
    it in the text and on it, the Content-ID of the picture, what the reader's language is, how much
    of the board's end the picture does not show, what a reply proves, the word that says yes to
    what the mail asks, or what else it waits for, the headline where it is not the first sentence,
    the name and colour of the club, if it has any, whether the text is a help page, with headings
    and lists, the figures in it, the boards of its lines that wait, the last sentence of the news
    with what the page says in its place, and whether the first lines of the mail are what a yes
    does."""

    picture: tuple[int, int]
    subject: str
    reply_to: str
    link_label: str
    link: str
    content_id: str
    link_text: str = "Open the board"
    choice: str = str(CHOICE)
    language: str = ENGLISH
    kept: int = 0
    proof: Proof = Proof.NOTHING
    yes: str = ""
    headline: str = ""
    club: str = ""
    colour: str = ""
    is_help: bool = False
    figures: Sequence[FigurePlace] = ()
    waiting: Sequence[WaitingLine] = ()
    standing: tuple[str, str] = ("", "")
    is_offer: bool = False


def name_picture(facts: PageFacts, number: int) -> str:
    """Return the Content-ID of a picture: 0 is the board, the figures are counted from 1."""
    return f"{number}.{facts.content_id}" if number else facts.content_id


def keep_whole_rows(
    facts: PageFacts, pictures: Sequence[BoardPicture | None]
) -> list[BoardPicture | None]:
    """Return the board and the figures, without those of rows that are not all there: the text
    shows these."""
    board, *drawn = [*pictures, *[None] * (len(facts.figures) + 1)][: len(facts.figures) + 1]
    kept: list[BoardPicture | None] = [None] * len(drawn)
    for row in _list_rows(facts):
        if all(drawn[number] is not None for number in row):
            kept[row[0] : row[-1] + 1] = drawn[row[0] : row[-1] + 1]
    return [board, *kept]


def _list_rows(facts: PageFacts) -> list[list[int]]:
    """Return the numbers of the figures, those on a row together."""
    rows = list[list[int]]()
    for number, (start, end, _) in enumerate(facts.figures):
        if start == end and rows:
            rows[-1].append(number)
        else:
            rows.append([number])
    return rows


def build_page(
    text: str,
    facts: PageFacts,
    picture: BoardPicture | None,
    *figures: BoardPicture | None,
) -> str:
    """Return the page of a mail with that text. In place of the board in it stands the picture, or
    the same board as text, and so it is with the figures."""
    text = _mark_figures(text, facts, figures)
    start, end = facts.picture
    before, shown, after = text[:start], text[start:end], text[end:]
    if not shown:
        before, mark, after = text.lstrip("\n").partition("\n\n")
        if after.startswith(">"):  # what somebody writes is the news
            quoted, mark, after = after.partition("\n\n")
            before = f"{before}\n\n{quoted}"
        after = mark + after
    if facts.link:
        link = f"\n\n{write_link(facts.link_label, facts.link, facts.language)}"
        before, after = (each.replace(link, "", 1) for each in (before, after))
    after, _, block = f"\n{after}".partition("\n-- \n")
    before, after = (shorten_lines(each, facts.proof, facts.language) for each in (before, after))
    before, after = (_replace_words(each, *facts.standing) for each in (before, after))
    news, details = _split_details(after) if shown else (after, "")
    title, before = (
        (facts.headline, before) if facts.is_help else _split_title(facts.headline, before)
    )
    orders = ""
    if facts.kept and picture is not None:
        shown, orders = shown[: -facts.kept], shown[-facts.kept :]
    is_above = facts.is_offer and "\n    " in before
    if facts.is_offer and not (is_above or "\n    " in news):
        facts = replace(facts, is_offer=False)
    pieces = [
        *_build_sender(facts),
        *([_build_headline(title)] if title else ()),
        *_build_blocks(before, facts, is_first=not title, has_offer=is_above),
        *_build_board(shown, facts, picture),
        *_build_orders(orders),
        *(
            _build_help(news, facts, figures)
            if facts.is_help
            else _build_blocks(
                news,
                facts,
                is_first=not (title or before.strip()),
                has_offer=facts.is_offer and not is_above,
            )
        ),
        *([_RULE, *_build_blocks(details, facts)] if details else ()),
        *_build_choice(facts, picture, is_below=True),
        *_build_dice(block),
    ]
    head = _HEAD.format(title=escape(facts.subject), language=get_language(facts.language))
    page = GLUED.sub("&nbsp;", clean("\n".join(pieces)))
    return head + _BODY + _SHEET + page + "\n" + _END


def _replace_words(text: str, words: str, others: str) -> str:
    """Return a text with others in place of some words, wherever their lines are broken."""
    found = re.search(rf"(?:^|\s+){_match_words(words)}", text) if words else None
    if found is None:
        return text
    kept = re.match(r"\s*", found[0])
    gap = kept[0] if kept is not None and others else ""
    return f"{text[: found.start()]}{gap}{others}{text[found.end() :]}"


def _match_words(words: str) -> str:
    return r"\s+".join(map(re.escape, words.split()))


def _mark_figures(text: str, facts: PageFacts, figures: Sequence[BoardPicture | None]) -> str:
    """Return the text with a block of numbers in place of each row of figures that are there."""
    for row in reversed(_list_rows(facts)):
        if all(number < len(figures) and figures[number] is not None for number in row):
            start, end, _ = facts.figures[row[0]]
            numbers = " ".join(map(str, row))
            text = f"{text[:start].rstrip()}\n\n{_MARKED}{numbers}\n\n{text[end:].lstrip(chr(10))}"
    return text


def _build_figures(
    numbers: str, facts: PageFacts, figures: Sequence[BoardPicture | None]
) -> Iterator[str]:
    """Yield the figures of a row, each with its caption below."""
    row = [*map(int, numbers.split())]
    for number in row:
        picture, caption = figures[number], facts.figures[number][2]
        if picture is not None:
            width = min(_ROW_WIDTH if len(row) > 1 else _FIGURE_WIDTH, round(picture.width))
            yield _FIGURE.format(
                content_id=escape(name_picture(facts, number + 1)),
                width=width,
                words=escape(picture.words),
                caption=_UNDER_FIGURE.format(escape(caption)) if caption else "",
            )


def _split_title(headline: str, text: str) -> tuple[str, str]:
    """Return the headline of a mail that has one beside its text, and the text without it where it
    begins with the same words; "" where the text's first sentence is the better one."""
    flat = " ".join(text.split())
    said = headline.rstrip(".!")
    if not headline or headline.endswith(_CUT):
        return "", text
    if not flat.casefold().startswith(said.casefold()):
        is_name = flat.split(" ")[0] == headline.split(" ")[0]
        return headline if is_name else capitalize(headline), text
    end = len(said) + 1
    if flat[len(said) : end] not in (".", "!", "?") or "\n " in text:
        return "", text
    return flat[:end], flat[end:].lstrip()


def _build_sender(facts: PageFacts) -> Iterator[str]:
    """Yield whose mail it is, for a club with a name."""
    if facts.club:
        colour = facts.colour or "#d9d2c5"
        yield _CLUB.format(name=escape(facts.club), colour=escape(colour))


def _build_board(shown: str, facts: PageFacts, picture: BoardPicture | None) -> Iterator[str]:
    """Yield the board, the button, and the moves, if few."""
    if picture is not None:
        yield _PICTURE.format(
            content_id=escape(facts.content_id),
            width=min(_WIDEST, round(_LARGER * picture.width)),
            words=escape(picture.words),
        )
    elif shown:
        yield _TEXT_BOARD.format(escape(shown))
    asks = bool(facts.yes and facts.reply_to) and not facts.is_offer
    if asks and (facts.proof is not Proof.NOTHING or not facts.link):
        yield _OPEN.format(link=escape(_write_reply(facts, facts.yes)), text=escape(facts.yes))
        if facts.link:
            opened = _MOVE.format(link=escape(facts.link), move=escape(facts.link_text))
            yield _BUTTONS.format(opened)
    elif facts.link:
        yield _OPEN.format(link=escape(facts.link), text=escape(facts.link_text))
    yield from _build_choice(facts, picture, is_below=False)


def _build_choice(
    facts: PageFacts, picture: BoardPicture | None, *, is_below: bool
) -> Iterator[str]:
    """Yield the moves as buttons, for one of two places: a few stand at the board, more below all
    else, so that they do not push that off the screen."""
    moves = picture.moves if picture is not None else ()
    if moves and (len(moves) > _MOST_AT_BOARD) is is_below:
        yield _CHOICE.format(escape(facts.choice))
        yield _build_replies(moves, facts)


def _build_orders(text: str) -> Iterator[str]:
    """Yield what a board's text says below its list, so that it flows: a line for each name with
    what stands behind it, and sentences."""
    for block in _BETWEEN_BLOCKS.split(text.strip("\n")):
        rows = list[str]()
        for line in filter(str.strip, block.split("\n")):
            named = _NAMED.fullmatch(line)
            if named:
                rows.append(f"<b>{escape(named[1])}</b> {escape(named[2])}")
            elif rows and not _SENTENCE_END.search(rows[-1]):
                rows[-1] += f" {escape(line.strip())}"
            else:
                rows.append(escape(line.strip()))
        if rows:
            yield _PARAGRAPH.format("<br>\n".join(rows))


def _build_replies(lines: Iterable[tuple[str, str]], facts: PageFacts) -> str:
    """Return links that open a reply with a line at its beginning, each with what stands on it."""
    links = [
        _MOVE.format(link=escape(_write_reply(facts, line)), move=escape(shown))
        for line, shown in lines
    ]
    return _BUTTONS.format("\n".join(links))


def _write_reply(facts: PageFacts, line: str) -> str:
    """Return the URL that opens a reply with that line."""
    return _write_mailto(facts.reply_to, facts.subject, line)


def _write_mailto(reply_to: str, subject: str, line: str) -> str:
    title = quote("Re: " + subject, safe="", errors="replace")
    address = f"mailto:{quote(reply_to, safe='@+')}?subject={title}"
    return f"{address}&body={quote(line, safe='', errors='replace')}" if line else address


def _split_details(text: str) -> tuple[str, str]:
    """Return the other text below a board, and the lines directly below it: its title, players, and
    last moves."""
    title, *blocks = _BETWEEN_BLOCKS.split(text.strip("\n"))
    moves = list(takewhile(lambda block: block.startswith(" "), blocks))
    return "\n\n".join(blocks[len(moves) :]), "\n\n".join([title, *moves])


def _build_dice(block: str) -> Iterator[str]:
    """Yield what people check of the block for programs, once they can: the rest is in the text
    part."""
    lines = [line for line in block.split("\n") if line.startswith(_OF_DICE)]
    if len(lines) == len(_OF_DICE):
        yield _FACTS.format(escape("\n".join(lines)))


def _build_help(
    text: str, facts: PageFacts, figures: Sequence[BoardPicture | None]
) -> Iterator[str]:
    """Yield the parts of a help page as elements."""
    for kind, lines in split_page(text):
        words = " ".join(lines)
        if kind == "heading":
            yield _HEADING.format(escape(words.rstrip(".").capitalize()))
        elif kind == "items":
            items = (f"<li>{escape(item)}</li>" for item in split_items(lines))
            yield _LIST.format("\n".join(items))
        elif words.startswith(_MARKED):
            yield from _build_figures(words[len(_MARKED) :], facts, figures)
        elif kind == "prose":
            yield _PARAGRAPH.format(escape(words))
        else:
            yield from _build_lines(lines, facts)


def _build_blocks(
    text: str, facts: PageFacts, *, is_first: bool = False, has_offer: bool = False
) -> Iterator[str]:
    """Yield the blocks of a text between blank lines, as elements; `is_first`: the first paragraph
    is the headline; `has_offer`: the first lines are what a yes does. Whole lines to reply with are
    links that do so."""
    has_offer = has_offer and bool(facts.yes and facts.reply_to)
    for block in _BETWEEN_BLOCKS.split(text.strip("\n")):
        all_lines = block.split("\n")
        leads_to_line = "pre" in map(_classify, all_lines)
        for kind, run in groupby(all_lines, _classify):
            lines = list(run)
            if not any(lines):
                continue
            if kind == "quote":
                yield _QUOTE.format("<br>".join(escape(line[2:]) for line in lines))
            elif kind == "pre":
                yield from _build_lines(lines, facts)
                if has_offer:
                    has_offer = False
                    yield _build_replies([(facts.yes, facts.yes)], facts)
            else:
                if is_first:
                    is_first = False
                    first, lines = _split_headline(lines, leads_to_line=leads_to_line)
                    headline, more = _shorten_headline(" ".join(first), facts.subject)
                    yield _build_headline(headline)
                    if more:
                        yield _PARAGRAPH.format(escape(more))
                if lines:
                    yield _PARAGRAPH.format(_join_lines(lines, facts))


def _split_headline(lines: list[str], *, leads_to_line: bool) -> tuple[list[str], list[str]]:
    """Return the lines up to the first that ends with a sentence, and the others. Where the
    paragraph leads to a line to send, its last sentence is no news."""
    if leads_to_line and len(parts := _BETWEEN_SENTENCES.split(" ".join(lines))) > 1:
        return [" ".join(parts[:-1])], parts[-1:]
    ends = [at for at, line in enumerate(lines, 1) if _SENTENCE_END.search(line)]
    at = ends[0] if ends else len(lines)
    return lines[:at], lines[at:]


def _build_headline(text: str) -> str:
    text = text.rstrip(": ")
    size = next((size for most, size in _SIZES if len(text) <= most), _TEXT_SIZE)
    return _HEADLINE.format(size=size, text=escape(text))


def _shorten_headline(text: str, names: str) -> tuple[str, str]:
    """Return a headline, and what of it belongs below where it is long: all behind its colon, as a
    sentence, unless one of the names begins it."""
    head, colon, rest = text.partition(": ")
    if len(text) <= _SIZES[-1][0] or not colon or len(head) > _LONGEST_HEADING:
        return text, ""
    return head.rstrip(), rest if rest.split(" ")[0] in names.split() else capitalize(rest)


def _build_lines(lines: Iterable[str], facts: PageFacts) -> Iterator[str]:
    """Yield indented lines: those that somebody can send as they stand as links, where a reply is
    proof enough, and others as they are, such as the examples of a help page."""
    has_links = facts.proof is not Proof.NOTHING and not facts.is_help
    for is_reply, run in groupby(lines, _is_reply if has_links else bool):
        shown = list(run)
        if is_reply and has_links:
            yield _build_replies([_read_line(line, facts.language) for line in shown], facts)
            continue
        if has_links and all(line.startswith(_EXPLAINED) for line in shown):
            yield _PARAGRAPH.format(escape(" ".join(" ".join(shown).split())))
            continue
        rows = _find_rows(shown, facts)
        if rows and facts.waiting:
            yield from _build_list(rows, facts)
            continue
        if rows and max(map(len, shown)) > _FITS_PHONE:
            yield _PARAGRAPH.format(
                "<br>\n".join(f"<b>{escape(name)}</b> {escape(rest)}" for name, rest in rows)
            )
            continue
        if len(shown[0].split()) > _FEW_COLUMNS and all(map(_LISTED.fullmatch, shown)):
            yield _PRE.format(escape("  ".join(" ".join(shown).split())))
            continue
        form = _DRAWING if all(map(_ALIGNED.search, shown)) else _PRE
        yield form.format(escape("\n".join(shown)))


def _read_line(line: str, language: str) -> tuple[str, str]:
    """Return what a reply with a line to send begins with, and what stands on its button: what it
    does, where that says enough."""
    begun = _BEGUN.fullmatch(line)
    line = f"{begun[1]} {_LEFT_OUT}" if begun else line.strip()
    reply, label, english = line.removesuffix(_LEFT_OUT), line, read_own_words(line)
    if line.startswith(_ABOVE_TEXT) and not begun:
        reply = f"{line}\n"
    elif match := _CHALLENGE.fullmatch(english):
        game = find_title(match[1])
        label = phrase("{game} against {player}", game=game, player=match[2])
    elif match := _SEEK.fullmatch(english):
        label = phrase("Offer a game of {game}", game=find_title(match[1]))
    else:
        for name in _LABELLED:
            button = get_verb(name).button
            label = button.label if button and re.fullmatch(rf"{name} \d+", english) else label
    return reply, translate(label, language)


def _build_list(rows: Iterable[tuple[str, str]], facts: PageFacts) -> Iterator[str]:
    """Yield the rows of a list of boards, each that waits with buttons to answer it by itself."""
    boards = {each.number: each for each in facts.waiting}
    for number, rest in rows:
        game, _, more = rest.partition(_DOT)
        name = f"{translate(find_title(game), facts.language)} {number}"
        board = boards.get(number)
        text = escape(more) if board is None else f"{escape(board.names)}: {escape(board.asked)}"
        yield _ROW_OF_LIST.format(f"<b>{escape(name)}</b>&ensp;{text}")
        if board is not None:
            address, title = board.reply_to, board.subject
            links = [
                _MOVE.format(link=escape(_write_mailto(address, title, line)), move=escape(text))
                for text, line in ((board.answer, ""), (board.show, board.show))
            ]
            yield _BUTTONS.format("\n".join(links))


def _find_rows(lines: Sequence[str], facts: PageFacts) -> list[tuple[str, str]]:
    """Return the rows of a list, each a name with what stands behind it in words; none where the
    lines are something else, such as a drawing. A name can be alone on its line."""
    rows = list[tuple[str, str]]()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        row = (_ROW_OF_HELP if facts.is_help else _ROW).fullmatch(line)
        if row is not None:
            rows.append((row[1], _BETWEEN_COLUMNS.sub(_DOT, row[2])))
        elif rows and line.startswith(_CONTINUED):
            rows[-1] = rows[-1][0], f"{rows[-1][1]} {' '.join(line.split())}".lstrip()
        elif facts.is_help and _ALONE.fullmatch(line) and _names(line, below, is_first=not rows):
            rows.append((line.strip(), ""))
        else:
            return []
    return rows


def _names(line: str, below: str, *, is_first: bool) -> bool:
    """Whether a line of a help page is a name alone: it is explained below, or an example among
    others."""
    return below.startswith(_EXPLAINED) or (not is_first and ">" in line)


def _is_whole(line: str) -> bool:
    """Whether a line is a command that somebody can send as it stands."""
    return bool(_WHOLE.fullmatch(line)) and _begins_command(line.split()[0])


def _is_reply(line: str) -> bool:
    """Whether a reply can begin with a line to send, as it stands or up to its last word."""
    begun = _BEGUN.fullmatch(line)
    return _is_whole(line) or (begun is not None and _begins_command(begun[1].split()[0]))


def _begins_command(word: str) -> bool:
    if word in list_command_words() or find_game_name(word):
        return True
    known = word in list_english_replies()
    return known or bool(list_meanings(word) or list_verb_words(word))


def _classify(line: str) -> str:
    """Return what a line is part of: a quotation, something aligned, or a paragraph."""
    if line.startswith(">"):
        return "quote"
    return "pre" if line.startswith(" ") else "paragraph"


def _join_lines(lines: list[str], facts: PageFacts) -> str:
    """Return the lines of a paragraph: one that is not full keeps its end, and a command behind a
    colon opens a reply with it."""
    joined = list[str]()
    for at, line in enumerate(lines):
        if at and len(lines[at - 1]) + 1 + len(line.split(" ")[0]) > COLUMNS:
            joined[-1] += f" {escape(line)}"
        else:
            joined.append(escape(line))
    if facts.proof is not Proof.NOTHING:
        joined = [_link_command(sentence, facts) for sentence in joined]
    return "<br>\n".join(joined)


def _link_command(sentence: str, facts: PageFacts) -> str:
    """Return a sentence with a link in place of the whole command at its end, if there is one."""
    head, colon, line = sentence.rpartition(": ")
    command = unescape(line).removesuffix(".")
    is_long = len(command.split()) > _MOST_WORDS
    if not colon or is_long or _SAYS_MORE.search(command) or not _is_whole(f"    {command}"):
        return sentence
    link = _LINK.format(link=escape(_write_reply(facts, command)), text=escape(command))
    return f"{head}: {link}{line[len(escape(command)) :]}"
