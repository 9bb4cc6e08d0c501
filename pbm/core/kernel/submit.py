"""The one way in: a mail, a terminal, a bot, the scheduler and the operator all submit here.

What is submitted is executed, the mails that it causes are composed and enqueued, and the mail that
it came in is marked done, in one transaction, which belongs to the caller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbm.config import Config
from pbm.core.kernel.execute import Report, execute, refuse, show
from pbm.core.kernel.language.command import Command, Sender
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.notices.unproved import keep_within_budget
from pbm.core.kernel.outgoing import Outgoing, OutgoingMail
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.kernel.secrets import Secrets
from pbm.store.mail_outcome import MailResult, NoAnswer
from pbm.store.transaction import Session

_LONGEST_OUTCOME = 1000


class Unread(Struct, frozen=True):
    """A line that is meant as a command and cannot be read as one."""

    sender: Sender
    refusal: Refusal


Act: TypeAlias = Callable[[Session], Sequence[Notice]]
"""What the server or its operator does without a command, and whom it notifies."""

Part: TypeAlias = Command | Unread | Act


class Reply(Struct, frozen=True):
    """What one part of a submission led to."""

    part: Part
    notices: Sequence[Notice]

    @property
    def is_refused(self) -> bool:
        """Whether it was not done."""
        return any([notice.is_failure for notice in self.notices])


class Answer(Struct, frozen=True):
    """The notices that go out, and what becomes of the mail that they answer."""

    notices: Sequence[Notice]
    result: MailResult | None = None


Policy: TypeAlias = Callable[[Session, Sequence[Reply]], Answer]
"""Decides which notices of a submission go out, and in what shape."""


def send_all(_session: Session, replies: Sequence[Reply]) -> Answer:
    """Send every notice."""
    return Answer([notice for reply in replies for notice in reply.notices])


def send_unless_refused(session: Session, replies: Sequence[Reply]) -> Answer:
    """Send every notice, or none when anything was refused."""
    is_refused = any(reply.is_refused for reply in replies)
    return Answer(()) if is_refused else send_all(session, replies)


def send_nothing(_session: Session, _replies: Sequence[Reply]) -> Answer:
    """Send nothing: whoever submits shows the replies."""
    return Answer(())


class Received(Struct, frozen=True):
    """The incoming mail of a submission. `masked` is what is kept of it once it is done, `to` the
    address of the server that it went to, where mails may come from that one too."""

    number: int
    message_id: str
    masked: bytes
    to: str = ""


class Submission(Struct, frozen=True):
    """What somebody submits at once.

    parts     commands, or acts without one, in order
    received  when they came: clocks and limits go by this time
    policy    which notices go out
    mail      the mail that they came in, if they did; the policy then decides what becomes of it
    """

    parts: Sequence[Part]
    received: float
    policy: Policy = send_all
    mail: Received | None = None


class Result(Struct, frozen=True):
    """What came of a submission: what each part led to, and the mails that go out."""

    replies: Sequence[Reply]
    mails: Sequence[OutgoingMail]

    @property
    def notices(self) -> list[Notice]:
        """The notices of all parts, sent or not."""
        return [notice for reply in self.replies for notice in reply.notices]

    @property
    def is_refused(self) -> bool:
        """Whether any part was not done."""
        return any(reply.is_refused for reply in self.replies)

    @property
    def refusals(self) -> list[RefusalCode]:
        """Why parts were not done."""
        return [notice.refusal for notice in self.notices if notice.refusal is not None]


class CommandService:
    """Executes what is submitted and sends the mails that it causes. With `report`, an error in a
    command is reported there and refused, unless its mail is to be tried again."""

    def __init__(
        self,
        config: Config,
        secrets: Secrets,
        outgoing: Outgoing,
        report: Report | None = None,
    ) -> None:
        self._report = report
        self.config = config
        self.secrets = secrets
        self._outgoing = outgoing

    def submit(self, session: Session, work: Command | Submission, now: float) -> Result:
        """Execute a command, or several at once, and post the mails. A refusal changes nothing and
        is part of the result. Never commits."""
        result = self.execute(session, work, now)
        self.post(session, result.mails)
        return result

    def execute(self, session: Session, work: Command | Submission, now: float) -> Result:
        """Execute as `submit` does, but leave the mails for the caller to post, before anything is
        committed: those of several submissions take less time one after another."""
        submission = Submission((work,), now) if isinstance(work, Command) else work
        replies = [
            Reply(part, self._execute(session, part, submission)) for part in submission.parts
        ]
        answer = self._limit(session, submission.policy(session, replies), now)
        mail = submission.mail
        mails = self._outgoing.address_notices(
            session,
            answer.notices,
            now,
            inbound=mail.number if mail is not None else None,
            answers=mail.message_id if mail is not None else "",
            to=mail.to if mail is not None else "",
        )
        if mail is not None and answer.result is not None:
            self._mark_done(session, mail, answer.notices, answer.result, now)
        return Result(replies, mails)

    def post(self, session: Session, mails: Sequence[OutgoingMail]) -> list[dict[str, Any]]:
        """Compose and enqueue the mails of a result; their rows."""
        return self._outgoing.post(session, mails)

    def show(self, session: Session, part: Command | Unread, now: float) -> Sequence[Notice]:
        """Return what a command that changes nothing shows; it may run in a session that only
        reads. MustWrite when it would wake a board."""
        if isinstance(part, Unread):
            return refuse(session, part.sender, part.refusal, now, self.secrets, self.config)
        return show(session, part, now, self.secrets, self.config, self._report)

    def _execute(self, session: Session, part: Part, submission: Submission) -> Sequence[Notice]:
        at = submission.received
        if isinstance(part, Command):
            return execute(
                session,
                part,
                at,
                self.secrets,
                self.config,
                is_alone=len(submission.parts) == 1,
                report=self._report,
            )
        if isinstance(part, Unread):
            return refuse(session, part.sender, part.refusal, at, self.secrets, self.config)
        return part(session)

    def _limit(self, session: Session, answer: Answer, now: float) -> Answer:
        """Return the answer without what the budgets of its addresses have no room for."""
        notices = keep_within_budget(session, answer.notices, now, self.config)
        result = answer.result
        is_answered = any(notice.is_answer for notice in notices)
        if result is not None and len(notices) < len(answer.notices) and not is_answered:
            result = result.leave_unanswered(NoAnswer.UNPROVED_SPENT)
        return Answer(notices, result)

    def _mark_done(
        self,
        session: Session,
        mail: Received,
        notices: Sequence[Notice],
        result: MailResult,
        now: float,
    ) -> None:
        from pbm.store import inbound_queue  # only mails need it

        player = next((notice.player for notice in notices if notice.is_answer), 0)
        board = next((each.thread.board for each in notices if each.thread is not None), None)
        if len(result.text) > _LONGEST_OUTCOME:
            result = replace(result, text=result.text[:_LONGEST_OUTCOME])
        inbound_queue.finish(
            session,
            mail.number,
            result,
            now,
            masked=mail.masked,
            player=player or None,
            board=board,
        )
