"""Renders notices as the mails that the terminal shows. What only one player may see, such as a
hand or a one-time code, is mailed whole and shown masked."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbm.cli.terminal.output import clean
from pbm.config import Config
from pbm.core.notices import Notice
from pbm.core.refusal import RefusalCode
from pbm.features.accounts.notices import OneTimeCode
from pbm.games import hides
from pbm.locale import ENGLISH
from pbm.mail.render import render

_WITHHELD = "(only the player it goes to may read it)\n"


class RenderedMail(Struct, frozen=True):
    """A mail as the terminal shows it; `to` is "" when it is only shown here."""

    to: str
    subject: str
    text: str
    is_answer: bool
    is_failure: bool
    refusal: RefusalCode | None


def render_mails(
    notices: Sequence[Notice],
    config: Config,
    *,
    reveal: bool = True,
    language: str = ENGLISH,
) -> list[RenderedMail]:
    """Return the mails of these notices, answers first. What is for one player only is masked,
    unless it answers the command and `reveal` is set."""
    mails = []
    for notice in sorted(notices, key=lambda notice: not notice.is_answer):
        subject, text = render(notice, config, language=language)
        if not (notice.is_answer and reveal) and is_private(notice):
            subject, text = _remove_event(notice, subject), _WITHHELD
        mails += [
            RenderedMail(
                address,
                clean(subject),
                clean(text),
                notice.is_answer,
                notice.is_failure,
                notice.refusal,
            )
            for address in notice.addresses or ("",)
        ]
    return mails


def is_private(notice: Notice) -> bool:
    """Whether it holds what others must not see: a one-time code, a seat's view, or an answer to a
    player of a game that hides something, a plan or a note."""
    if isinstance(notice.content, OneTimeCode) or notice.content.is_personal:
        return True
    is_of_seat = notice.thread is not None and notice.thread.seat is not None
    is_own = is_of_seat or (notice.is_answer and notice.player > 0)
    return is_own and any(hides(game) for game in notice.content.named_games)


def _remove_event(notice: Notice, subject: str) -> str:
    if isinstance(notice.content, OneTimeCode):
        return subject
    return subject.partition("]")[0] + "]"
