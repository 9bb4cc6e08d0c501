"""The command `help`: a page, or what can be written in reply to a board's mail."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pbm.core.finding import help_pages
from pbm.core.finding.board_help import find_board_help, wants_words
from pbm.core.finding.list_notices import HelpPage
from pbm.core.kernel.feature import find_hooks
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.locale import ENGLISH, Page, translate

_BETWEEN = f"\n\n\n{'- ' * 38}-\n\n"


def help_page(call: Call) -> list[Notice]:
    """Show the page of a topic or a game, those of several, or the start page; in a reply to a
    board's mail, what can be written there."""
    if here := find_board_help(call):
        return here
    words = [*([call.command.game] if call.command.game else []), *call.command.words]
    topic = " ".join(words).lower().rstrip(".?!")
    in_words = wants_words(call)
    pages = help_pages.find_pages(topic, in_words=in_words)
    added = [[add(call, title) for add in find_hooks("adds_to_page")] for title, _ in pages]
    text = Page(partial(_write, topic, pages, added, in_words))
    return [call.answer(HelpPage(topic=", ".join(title for title, _ in pages), text=text))]


def _write(
    topic: str,
    pages: Sequence[tuple[str, str]],
    added: Sequence[Sequence[str]],
    in_words: bool,
    language: str,
) -> str:
    """Return the pages of a topic in a language, with what is added to each; `pages` are those in
    English."""
    if language != ENGLISH:
        pages = help_pages.find_pages(topic, in_words=in_words, language=language)
    texts = []
    for (_, text), more in zip(pages, added, strict=True):
        parts = [text, *(translate(each, language) for each in more)]
        texts.append("\n\n".join(filter(None, parts)))
    return _BETWEEN.join(texts)
