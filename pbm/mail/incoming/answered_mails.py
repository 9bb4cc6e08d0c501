"""The texts of the mails that a reply answers, so that nothing of them acts where it is quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pbm.core.player import find_players_by_address
from pbm.features.finding.help import load_pages
from pbm.locale.pages import list_translated
from pbm.mail.incoming.incoming_mail import IncomingMail
from pbm.mail.incoming.message.answered import AnsweredText, find_quoted, leave_out
from pbm.mail.incoming.message.body import list_texts
from pbm.mail.incoming.message.html_text import html_to_text
from pbm.mail.incoming.message.letter import Letter
from pbm.mail.outgoing.pictured_mail import build_page_of, has_picture
from pbm.mail.outgoing.rendering import list_whole_texts
from pbm.store.reads.board_rows import find_latest_texts, find_sent_texts
from pbm.store.transaction import Session

_MOST_ANSWERED = 5
_MOST_LATEST = 12
_OFFERED = re.compile(r"^(\S.*:\r?\n)(?: {4}\S.*\r?\n|[ \t]*\r?\n(?= {4}\S))+", re.MULTILINE)
"""What a mail of ours tells its reader to send: lines that are indented below a colon."""
_FILLED_IN = re.compile(r"{\w+}")


def leave_out_quotes(session: Session, mail: IncomingMail, server: str) -> Letter | None:
    """Return the letter of a reply without the lines of the mails that it answers; None when that
    changes nothing. `server` is our address.

    Their texts are kept for some time. Of a mail whose text is not there any more, or that the
    reply does not name, the latest mails to its sender stand in, and else what our mails say to
    everybody."""
    letter = mail.letter
    if letter is None or mail.ignored is not None or mail.bounce is not None:
        return None
    is_answer = mail.token is not None or bool(mail.answers) or letter.is_reply
    own = [line for line in letter.own_lines if line.strip()]
    if not is_answer or (len(own) < 2 and letter.unquoted):
        return None
    players = find_players_by_address(session, letter.sender)
    known = [player.id for player in players]
    numbers = mail.answers[:_MOST_ANSWERED]
    texts = find_sent_texts(session, numbers, letter.sender, known) if numbers else []
    if texts:
        quoted = _find_without_offered(letter, [text for raw in texts for text in _list_texts(raw)])
    else:
        if known:
            texts += find_latest_texts(session, letter.sender, known, _MOST_LATEST)
        userids = [player.userid.lower() for player in players]
        quoted = find_quoted(letter, _join(texts))
        for omit in ([server], [server, *userids]):
            quoted |= find_quoted(letter, _read_templates(), omit)
    return leave_out(letter, quoted) if quoted else None


def _find_without_offered(letter: Letter, texts: Sequence[str]) -> set[int]:
    """Return the numbers of the own lines of a reply that are quotes of these texts. Lines that our
    mail told its reader to send are the reader's own, unless they stand below a quote."""
    quoted = find_quoted(letter, AnsweredText(texts))
    if not quoted:
        return quoted
    others = find_quoted(letter, AnsweredText(_OFFERED.sub(r"\1", text) for text in texts))
    first = min(others, default=len(letter.own_lines))
    return {number for number in quoted if number in others or number > first}


def _join(mails: Sequence[bytes]) -> AnsweredText:
    return AnsweredText(text for raw in mails for text in _list_texts(raw))


def _list_texts(raw: bytes) -> list[str]:
    """Return the texts of a mail of ours as it was sent: a page with a picture is made when it is
    sent."""
    texts = list_texts(raw)
    return [*texts, html_to_text(build_page_of(raw))] if has_picture(raw) else texts


@cache
def _read_templates() -> AnsweredText:
    """Return what stands in our mails whoever reads them."""
    pages = (_FILLED_IN.sub("", page) for page in (*load_pages().values(), *list_translated()))
    return AnsweredText((*list_whole_texts(), *pages))
