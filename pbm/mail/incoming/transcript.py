"""The transcript: one mail that answers all commands of a list."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.config import Config
from pbm.core.notices import Notice, Transcript, TranscriptPart
from pbm.core.submit import PartReply
from pbm.locale import ENGLISH, Page
from pbm.mail.incoming.commands.describe_command import describe
from pbm.mail.incoming.incoming_mail import IncomingMail
from pbm.mail.outgoing.rendering import render
from pbm.store import reads
from pbm.store.transaction import Session

_BLOCK = "\n-- \n"
"""What stands before the block for programs."""


def merge_answers(
    session: Session,
    config: Config,
    mail: IncomingMail,
    replies: Sequence[PartReply],
    notices: list[Notice],
) -> list[Notice]:
    """Return the notices, with one mail in place of all answers to a player. Notices to others, and
    to strangers, stay as they are."""
    answers = [notice for notice in notices if notice.is_answer]
    if mail.proven:
        answers.sort(key=lambda notice: notice.player != mail.proven)
    best = next((notice for notice in answers if notice.player), None)
    if best is not None:
        addresses, player = best.addresses, best.player
    else:
        player = 0 if any(_find_answers(reply) for reply in replies) else mail.proven
        addresses = reads.find_addresses(session, player) if player else ()
    if not player:
        return notices
    others = [notice for notice in notices if not notice.is_answer]
    transcript = _write(config, mail, replies)
    is_unproved = not mail.proven and all(notice.is_unproved for notice in answers)
    merged = Notice(transcript, addresses, player, is_answer=True, is_unproved=is_unproved)
    return [merged, *others]


def _write(config: Config, mail: IncomingMail, replies: Sequence[PartReply]) -> Transcript:
    parts, facts = [], list[str]()
    for entry, reply in zip(mail.entries, replies, strict=True):
        texts = []
        for notice in _find_answers(reply):
            answer = _Answer(notice, config)
            texts.append((Page(answer.write_subject), Page(answer.write_text)))
            facts += [block] if (block := answer.write_facts(ENGLISH)) else []
        parts.append(TranscriptPart(describe(entry, is_done=_is_done(reply)), texts))
    done = sum(_is_done(reply) for reply in replies)
    return Transcript(parts=parts, done=done, count=len(replies), facts=facts)


class _Answer:
    """An answer as a part of the transcript, in the language of its reader."""

    def __init__(self, notice: Notice, config: Config) -> None:
        self._notice = notice
        self._config = config
        self._written: dict[str, tuple[str, str]] = {}

    def write_subject(self, language: str) -> str:
        """Return its subject."""
        return self._write(language)[0]

    def write_text(self, language: str) -> str:
        """Return its text, without the block for programs."""
        return self._write(language)[1].partition(_BLOCK)[0].strip("\n")

    def write_facts(self, language: str) -> str:
        """Return its block for programs, "" for none."""
        return self._write(language)[1].partition(_BLOCK)[2].strip("\n")

    def _write(self, language: str) -> tuple[str, str]:
        if language not in self._written:
            written = render(self._notice, self._config, is_proven=True, language=language)
            self._written[language] = written
        return self._written[language]


def _find_answers(reply: PartReply) -> list[Notice]:
    return [notice for notice in reply.notices if notice.is_answer]


def _is_done(reply: PartReply) -> bool:
    return not any(notice.is_failure for notice in _find_answers(reply))
