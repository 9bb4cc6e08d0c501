"""Executes a mail that was verified: its commands, the answers to them and its done mark."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from typing import Any

import structlog
from msgspec.structs import replace
from sqlalchemy import bindparam, select
from sqlalchemy.exc import DBAPIError

from pbm.config import Config
from pbm.core import password_checks
from pbm.core.authenticate import find_senders
from pbm.core.limits import CHECKS
from pbm.core.notices import (
    MailFailed,
    MailKept,
    MailSetAside,
    NoCommand,
    Notice,
    Refused,
    Transcript,
    TranscriptPart,
)
from pbm.core.player import find_players_by_address
from pbm.core.proofs import Proof
from pbm.core.submit import Answer, PartReply, Policy, Received, Submission, SubmissionPart, Unread
from pbm.core.talk import is_thanks
from pbm.locale import ENGLISH, Page
from pbm.mail import bounces
from pbm.mail.answers import address_answers, is_for_strangers, refuse_unknown_sender
from pbm.mail.find_commands import FoundCommand, describe, describe_result, find_board_in_subject
from pbm.mail.incoming_mail import IncomingMail
from pbm.mail.letter import Letter, Machine
from pbm.mail.pages import ShownPages, charge
from pbm.mail.receive import mask_text
from pbm.mail.render import render
from pbm.mail.services import MailServices
from pbm.store import inbound_queue, reads
from pbm.store.mail_outcome import MailOutcome, MailResult, NoAnswer
from pbm.store.tables import InboundRow, outbound
from pbm.store.transaction import Session

COPIES_WITHIN = 600.0
"""Seconds in which the same mail, without Message-ID and Date, is taken for a copy."""


def execute_mail(
    services: MailServices, session: Session, mail: IncomingMail, now: float
) -> list[dict[str, Any]]:
    """Execute the mail's commands, mark it done and post what goes out: its rows in the queue.
    Never commits."""
    password_checks.record_failures(session, mail.guessed, mail.received)
    _record_checks(services, session, mail)
    letter = mail.letter
    if letter is None:
        if mail.ignored is not None:
            inbound_queue.set_aside(
                session, mail.number, mail.ignored, now, masked=_summarize_unreadable(mail)
            )
        return []
    copy = _find_original(session, mail)
    bounce = mail.bounce
    parts: Sequence[SubmissionPart] = ()
    pages: ShownPages | None = None
    if bounce is not None and (bounce.reports or bounce.is_complaint) and copy is None:
        result, notices = bounces.count_bounce(session, bounce, mail.received)
        policy = answer_with(notices, result)
    elif ignored := copy or mail.ignored:
        policy = answer_with((), ignored)
    else:
        parts = [_build_part(mail, at, entry) for at, entry in enumerate(mail.entries)]
        policy = partial(_answer, services, mail, letter, now)
        pages = mail.pages
    has_ends = bool(parts and (mail.beginning or mail.endings))
    if has_ends and (writer := find_writer(services, session, mail, now)):
        inbound_queue.remember_ends(session, writer, mail.beginning, mail.endings)
    received = Received(mail.number, letter.message_id, mail.masked, mail.to)
    submission = Submission(parts, mail.received, policy, received)
    rows = services.service.submit(session, submission, now).rows
    if pages is not None:
        charge(session, pages, sum(len(row["message"]) for row in rows), now)
    return rows


def _record_checks(services: MailServices, session: Session, mail: IncomingMail) -> None:
    """Count what argon2 did in vain for a stranger, and that it was to do no more."""
    CHECKS.take(session, mail.asker, mail.received, services.config, mail.vain)
    if mail.is_unchecked:
        CHECKS.turn_away(session, mail.asker, mail.received)


def _answer(
    services: MailServices,
    mail: IncomingMail,
    letter: Letter,
    now: float,
    session: Session,
    replies: Sequence[PartReply],
) -> Answer:
    """Return which notices go out for a mail's commands, and what became of it."""
    notices = [notice for reply in replies for notice in reply.notices]
    only_thanks = not replies and _only_thanks(mail, letter)
    if not replies and not only_thanks:
        notices = [_refuse_without_command(session, letter)]
    notices, reasons = address_answers(services, session, mail, letter, notices)
    if only_thanks:
        reasons = [NoAnswer.THANKS]
    if mail.is_list:
        notices = merge_answers(session, services.config, mail, replies, notices)
    result = _build_result(mail.entries, replies)
    if not _is_answered(letter.sender, notices):
        is_no = any(entry.sender.invitation is not None for entry in mail.entries)
        usual = NoAnswer.DECLINED if is_no else NoAnswer.OWN_MOVE
        if any(command.verb.name == "stop" for command in mail.commands):
            usual = NoAnswer.STOPPED
        reason = reasons[0] if reasons else usual
        if mail.is_unchecked and reason is NoAnswer.STRANGER:
            reason = NoAnswer.STRANGERS_SPENT
        about = letter.mark if reason is NoAnswer.MACHINE else ""
        result = result.leave_unanswered(reason, about)
    return Answer(notices, result)


def answer_with(notices: Sequence[Notice], result: MailResult | None) -> Policy:
    """Return the policy of a mail without commands."""
    answer = Answer(notices, result)
    return lambda _session, _replies: answer


def _build_part(mail: IncomingMail, at: int, entry: FoundCommand) -> SubmissionPart:
    """Return what is submitted for an entry of the mail."""
    if mail.pages is not None:
        shown = mail.pages.notices[at]
        return lambda _session: shown
    if mail.is_unknown and not is_for_strangers(entry):
        return Unread(entry.sender, refuse_unknown_sender())
    return entry.command or entry.unread


def _find_original(session: Session, mail: IncomingMail) -> MailResult | None:
    """Return the result of the mail if it is a copy of an earlier one."""
    if not mail.fingerprint:
        return None
    since = mail.received - COPIES_WITHIN
    first = inbound_queue.find_first_copy(session, mail.fingerprint, mail.number, since)
    if first is None:
        return None
    return MailResult(MailOutcome.DUPLICATE, f"a copy of mail {first}", str(first))


def _summarize_unreadable(mail: IncomingMail) -> bytes:
    """Return what is kept of a mail that costs too much to read: who and when, its size, and the
    hash by which its sender's copy can be recognised."""
    digest = hashlib.sha256(mail.raw).hexdigest()
    return mail.masked + f"({len(mail.raw)} bytes, SHA-256 {digest})\r\n".encode()


def _only_thanks(mail: IncomingMail, letter: Letter) -> bool:
    """Whether a reply only says thanks, which needs no answer."""
    is_reply = mail.token is not None or letter.is_reply
    return is_reply and is_thanks("\n".join(letter.own_lines))


def _refuse_without_command(session: Session, letter: Letter) -> Notice:
    """Return the answer to a mail that holds no command: what its writer, whose board's mail it may
    answer, can send."""
    players = find_players_by_address(session, letter.sender)
    userid = players[0].userid if len(players) == 1 else "USERID"
    is_named = bool(letter.subject.strip()) and not letter.is_reply
    is_empty = not (is_named or any(map(str.strip, letter.own_lines)))
    content = NoCommand(userid=userid, is_empty=is_empty)
    board = find_board_in_subject(letter.subject)
    if board is not None:
        content = replace(content, game=board[0], board=str(board[1]))
    return Notice(content, is_answer=True, is_unproved=True)


def _is_answered(sender: str, notices: Sequence[Notice]) -> bool:
    """Whether an answer goes out, or another mail to the sender."""
    return any(
        notice.addresses and (notice.is_answer or sender in notice.addresses) for notice in notices
    )


def _build_result(entries: Sequence[FoundCommand], replies: Sequence[PartReply]) -> MailResult:
    """Return what became of a mail with these entries."""
    if not replies:
        return MailResult(MailOutcome.NO_COMMAND, "no command")
    refused = [reply.is_refused for reply in replies]
    if True not in refused:
        code = MailOutcome.EXECUTED
    else:
        code = MailOutcome.REFUSED if all(refused) else MailOutcome.PARTLY_EXECUTED
    text = "; ".join(map(_describe, entries, replies))
    refusals = [each.refusal for reply in replies for each in reply.notices if each.refusal]
    return MailResult(code, text, refusals=tuple(dict.fromkeys(refusals)))


def _describe(entry: FoundCommand, reply: PartReply) -> str:
    contents = [notice.content for notice in reply.notices]
    game = next((content.named_games[0] for content in contents if content.named_games), "")
    failure = next((content for content in contents if content.is_failure), None)
    if failure is None:
        return describe_result(entry, game, None)
    return describe_result(entry, game, failure.reason if isinstance(failure, Refused) else "")


# The transcript: one mail that answers all commands of a list.

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
    merged = replace(merged, added=() if best is None else best.added)
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
            self._written[language] = render(
                self._notice, self._config, proof=Proof.PLAYER_ADDRESS, language=language
            )
        return self._written[language]


def _find_answers(reply: PartReply) -> list[Notice]:
    return [notice for notice in reply.notices if notice.is_answer]


def _is_done(reply: PartReply) -> bool:
    return not any(notice.is_failure for notice in _find_answers(reply))


# What becomes of a mail that fails by an error in the server: it is tried again, and then kept
# if somebody would miss it, which its writer is told.

log = structlog.get_logger()
_CAUSED = select(outbound.c.id).where(outbound.c.inbound_id == bindparam("number")).limit(1)


def count_failure(
    services: MailServices,
    session: Session,
    mail: InboundRow,
    job: IncomingMail | None,
    result: MailResult,
    now: float,
) -> bool:
    """Count a failed attempt at a mail; `job` is the mail as far as it was read. After the last one
    it is set aside, which is returned, or, when nobody would miss it, done; its sender, if known,
    is answered the first time."""
    most = services.config.limits.attempts
    if not most or mail.attempts + 1 < most:
        inbound_queue.count_failed_attempt(session, mail.id, result)
        return False
    is_aside = not mail.stranger
    if is_aside and job is not None and job.is_verified:
        is_aside = is_kept(services, session, job, mail.received)
    if is_aside:
        inbound_queue.set_aside(session, mail.id, result, now, is_fault=True)
    else:
        inbound_queue.give_up(session, mail.id, result, now, mask_text(mail.raw))
    if not mail.faults and job is not None:
        _try_to_answer_failure(services, session, job, now, is_kept=is_aside)
    return is_aside


def _try_to_answer_failure(
    services: MailServices, session: Session, job: IncomingMail, now: float, *, is_kept: bool
) -> None:
    """Answer that the mail failed, unless the answer is what fails."""
    try:
        _answer_failure(services, session, job, now, is_kept=is_kept)
    except DBAPIError:
        raise
    except Exception as error:
        log.error("failure answer not sent", mail=job.number, exc_info=error)


def is_kept(services: MailServices, session: Session, mail: IncomingMail, now: float) -> bool:
    """Whether a mail that fails by an error in the server is kept, to be tried again: somebody
    proved to have written it, and it may change something."""
    return not mail.asks_for_pages and any(
        find_senders(session, command, now, services.secrets, services.config)
        for command in mail.commands
    )


def _answer_failure(
    services: MailServices,
    session: Session,
    mail: IncomingMail,
    now: float,
    *,
    is_kept: bool,
) -> None:
    """Notify a player that the mail is kept until the server is fixed, or that it is not; nobody
    else, and no program."""
    letter = mail.letter
    if letter is None or mail.ignored or mail.bounce or mail.is_stopped:
        return
    if letter.machine is not Machine.NO:
        return
    player = next((command.proof[0] for command in mail.commands if command.proof), 0)
    is_proved = bool(player)
    if player:
        addresses = reads.find_addresses(session, player)
    else:
        players = find_players_by_address(session, letter.sender)
        if not players:
            return
        addresses, player, is_proved = (letter.sender,), players[0].id, False
    content = MailKept() if is_kept else MailFailed()
    notice = Notice(content, addresses, player, is_answer=True, is_unproved=not is_proved)
    policy = answer_with((notice,), None)
    received = Received(mail.number, letter.message_id, mail.masked)
    services.service.submit(session, Submission((), mail.received, policy, received), now)


def find_writer(services: MailServices, session: Session, mail: IncomingMail, now: float) -> int:
    """Return the player who provably wrote a mail, by hand; 0 for nobody."""
    letter = mail.letter
    if letter is None or mail.ignored or mail.bounce or mail.is_stopped:
        return 0
    if letter.machine is not Machine.NO:
        return 0
    for command in mail.commands:
        senders = find_senders(session, command, now, services.secrets, services.config)
        if len(senders) == 1 and senders[0].is_active:
            return senders[0].id
    return 0


def report_set_aside(
    services: MailServices, session: Session, number: int, player: int, now: float
) -> None:
    """Notify the writer, once, that a mail was set aside because of its effect on a worker. The
    mail itself is not read: that may be what ended the worker."""
    if session.execute(_CAUSED, {"number": number}).scalar():
        return
    addresses = reads.find_addresses(session, player)
    policy = answer_with((Notice(MailSetAside(), addresses, player, is_answer=True),), None)
    mail = Received(number, "", b"")
    services.service.submit(session, Submission((), now, policy, mail), now)
