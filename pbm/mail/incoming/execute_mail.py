"""Executes a mail that was verified: its commands, the answers to them and its done mark."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from pbm.core import password_checks
from pbm.core.notices import NoCommand, Notice, Refused
from pbm.core.outgoing import OutgoingMail
from pbm.core.player import find_players_by_address
from pbm.core.submit import Answer, PartReply, Policy, Received, Submission, SubmissionPart, Unread
from pbm.core.talk import is_thanks
from pbm.mail.incoming import bounces
from pbm.mail.incoming.answer_limits import AnswerLimits, is_for_strangers, refuse_unknown_sender
from pbm.mail.incoming.commands.describe_command import describe_result
from pbm.mail.incoming.commands.entry import Entry
from pbm.mail.incoming.commands.extract_commands import find_board_in_subject
from pbm.mail.incoming.desk import Desk
from pbm.mail.incoming.incoming_mail import IncomingMail
from pbm.mail.incoming.message.letter import Letter
from pbm.mail.incoming.pages import Pages, charge
from pbm.mail.incoming.transcript import merge_answers
from pbm.store import inbound_queue
from pbm.store.mail_outcome import MailOutcome, MailResult, NoAnswer
from pbm.store.transaction import Session

COPIES_WITHIN = 600.0
"""Seconds in which the same mail, without Message-ID and Date, is taken for a copy."""


class Outcome(Struct, frozen=True):
    """What executing a mail led to: the mails that go out, and the pages that it was shown."""

    mails: Sequence[OutgoingMail] = ()
    pages: Pages | None = None


def execute_mail(desk: Desk, session: Session, mail: IncomingMail, now: float) -> Outcome:
    """Execute the mail's commands and mark it done; what goes out is left for `post_outcome`. Never
    commits."""
    password_checks.record_failures(session, mail.guessed, mail.received)
    _record_checks(desk, session, mail)
    letter = mail.letter
    if letter is None:
        if mail.ignored is not None:
            inbound_queue.set_aside(
                session, mail.number, mail.ignored, now, masked=_summarize_unreadable(mail)
            )
        return Outcome()
    copy = _find_original(session, mail)
    bounce = mail.bounce
    parts: Sequence[SubmissionPart] = ()
    pages = None
    if bounce is not None and (bounce.reports or bounce.is_complaint) and copy is None:
        result, notices = bounces.count_bounce(session, bounce, mail.received)
        policy = answer_with(notices, result)
    elif ignored := copy or mail.ignored:
        policy = answer_with((), ignored)
    else:
        parts = [_build_part(mail, at, entry) for at, entry in enumerate(mail.entries)]
        policy = partial(_answer, desk, mail, letter, now)
        pages = mail.pages
    received = Received(mail.number, letter.message_id, mail.masked, mail.to)
    submission = Submission(parts, mail.received, policy, received)
    return Outcome(desk.service.execute(session, submission, now).mails, pages)


def post_outcome(
    desk: Desk, session: Session, outcome: Outcome, now: float
) -> list[dict[str, Any]]:
    """Compose and enqueue the mails that go out, and charge the pages; the rows."""
    rows = desk.service.post(session, outcome.mails)
    if outcome.pages is not None:
        size = sum(len(row["message"]) for row in rows)
        charge(session, outcome.pages, size, now, desk.config)
    return rows


def _record_checks(desk: Desk, session: Session, mail: IncomingMail) -> None:
    """Count what argon2 did in vain for a stranger, and that it was to do no more."""
    shares = password_checks.share_checks(desk.config)
    shares.take(session, mail.asker, mail.received, mail.vain)
    if mail.is_unchecked:
        shares.turn_away(session, mail.asker, mail.received)


def _answer(
    desk: Desk,
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
    notices, reasons = AnswerLimits(desk.config, desk.secrets).apply(
        session, mail, letter, notices, now
    )
    if only_thanks:
        reasons = [NoAnswer.THANKS]
    if mail.is_list:
        notices = merge_answers(session, desk.config, mail, replies, notices)
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


def _build_part(mail: IncomingMail, at: int, entry: Entry) -> SubmissionPart:
    """Return what is submitted for an entry of the mail."""
    if mail.pages is not None:
        shown = mail.pages.notices[at]
        return lambda _session: shown
    if mail.is_unknown and not is_for_strangers(entry):
        return Unread(entry.sender, refuse_unknown_sender())
    return entry.command or entry.unread


def _find_original(session: Session, mail: IncomingMail) -> MailResult | None:
    """Return what becomes of the mail when it is a copy of one that came before."""
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
    """Whether a reply to a mail of ours only says thanks: that needs no answer."""
    is_reply = mail.token is not None or letter.is_reply
    return is_reply and is_thanks("\n".join(letter.own_lines))


def _refuse_without_command(session: Session, letter: Letter) -> Notice:
    """Return the answer to a mail that holds no command: what its writer, whose board's mail it may
    answer, can send."""
    players = find_players_by_address(session, letter.sender)
    userid = players[0].userid if len(players) == 1 else "USERID"
    content = NoCommand(userid=userid)
    board = find_board_in_subject(letter.subject)
    if board is not None:
        content = NoCommand(userid=userid, game=board[0], board=str(board[1]))
    return Notice(content, is_answer=True, is_unproved=True)


def _is_answered(sender: str, notices: Sequence[Notice]) -> bool:
    """Whether an answer goes out, or another mail to the sender."""
    return any(
        notice.addresses and (notice.is_answer or sender in notice.addresses) for notice in notices
    )


def _build_result(entries: Sequence[Entry], replies: Sequence[PartReply]) -> MailResult:
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


def _describe(entry: Entry, reply: PartReply) -> str:
    contents = [notice.content for notice in reply.notices]
    game = next((content.named_games[0] for content in contents if content.named_games), "")
    failure = next((content for content in contents if content.is_failure), None)
    if failure is None:
        return describe_result(entry, game, None)
    return describe_result(entry, game, failure.reason if isinstance(failure, Refused) else "")
