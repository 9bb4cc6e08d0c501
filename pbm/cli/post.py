"""From notices to what the terminal may show of the mails they become.

What only one player may see (a hand, a one-time code) is posted whole and shown masked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbm.cli.terminal.output import clean
from pbm.config import Config
from pbm.core.model.notice import Notice
from pbm.core.model.notices.account_notices import OneTimeCode
from pbm.core.model.refusal import RefusalCode
from pbm.games import hides
from pbm.mail.outgoing.rendering import render

ONLY_THERE = "(only the player it goes to may read it)\n"


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail as the terminal shows it; `to` is "" when it is shown here only."""

    to: str
    subject: str
    text: str
    answer: bool
    failed: bool
    refusal: RefusalCode | None


def shown(notices: Sequence[Notice], config: Config, *, reveal: bool = True) -> list[Mail]:
    """The mails of some notices, answers first. What is for one player's eyes is masked unless it
    answers the command and `reveal` is set."""
    mails = []
    for notice in sorted(notices, key=lambda notice: not notice.is_answer):
        subject, text = render(notice, config)
        if not (notice.is_answer and reveal) and is_private(notice):
            subject, text = _without_event(notice, subject), ONLY_THERE
        mails += [
            Mail(
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
    """Whether it holds what other people may not see: a code, the view of a seat, or an answer to
    a player of a game that hides something."""
    if isinstance(notice.content, OneTimeCode):
        return True
    seated = notice.thread is not None and notice.thread.seat is not None
    own = seated or (notice.is_answer and notice.player > 0)
    return own and any(hides(game) for game in notice.content.named_games)


def _without_event(notice: Notice, subject: str) -> str:
    if isinstance(notice.content, OneTimeCode):
        return subject
    return subject.partition("]")[0] + "]"
