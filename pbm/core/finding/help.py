"""The command `help`: a page, or what can be written in reply to a board's mail."""

from __future__ import annotations

from pbm.core.finding import help_pages
from pbm.core.finding.board_help import find_board_help, wants_words
from pbm.core.finding.list_notices import HelpPage
from pbm.core.kernel.feature import find_hooks
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice

_BETWEEN = f"\n\n\n{'- ' * 38}-\n\n"


def help_page(call: Call) -> list[Notice]:
    """Show the page of a topic or a game, those of several, or the start page; in a reply to a
    board's mail, what can be written there."""
    if here := find_board_help(call):
        return here
    words = [*([call.command.game] if call.command.game else []), *call.command.words]
    topic = " ".join(words).lower().rstrip(".?!")
    pages = help_pages.find_pages(topic, in_words=wants_words(call))
    texts = []
    for title, text in pages:
        parts = [text, *(add(call, title) for add in find_hooks("adds_to_page"))]
        texts.append("\n\n".join(filter(None, parts)))
    titles = ", ".join(title for title, _ in pages)
    return [call.answer(HelpPage(topic=titles, text=_BETWEEN.join(texts)))]
