"""One mail from bytes to outcome: read it, find its commands, verify passwords before any lock,
then execute, compose and mark it done in one transaction.

`prepare` only reads; `perform` runs inside the caller's transaction and never commits."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbm.config import Config
from pbm.core.language.parser import Command, Sender, misread_command
from pbm.core.language.verbs import verbs_by_word
from pbm.core.model import bans
from pbm.core.model.notice import Notice
from pbm.core.model.notices.board_notices import Refused
from pbm.core.model.notices.mail_notices import (
    ErrorsOver,
    MailKept,
    NoCommand,
    Stranger,
    Transcript,
    TranscriptPart,
)
from pbm.core.model.notices.talk_notices import HelpPage
from pbm.core.model.password_checks import Checks, Guesses, record
from pbm.core.model.player import Player, find_player, find_players_by_address
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.core.model.secrets import Secrets, Token, read_token
from pbm.core.service.execute import MustWrite, authenticate, execute, refuse, senders
from pbm.core.views.board_log import LOG_SHOWN
from pbm.mail.incoming import bounces as bounce
from pbm.mail.incoming.arrival import came_through_our_server, is_local, without_text
from pbm.mail.incoming.bounces import Bounce
from pbm.mail.incoming.extract_commands import (
    Step,
    board_of_subject,
    brings_code,
    found,
    noted,
    shown,
    unsigned,
    with_clean_text,
)
from pbm.mail.incoming.message.letter import Letter, Machine, TooCostly, read
from pbm.mail.incoming.pages import Looker, Looks, charge
from pbm.mail.outgoing.compose import Composer, row
from pbm.mail.outgoing.rendering import render
from pbm.store import daily_counters, queues, reads
from pbm.store.daily_counters import day_of
from pbm.store.mail_outcome import MailOutcome, MailResult, NoAnswer
from pbm.store.tables import InboundRow
from pbm.store.transaction import Session

_FOR_STRANGERS = {"signup", "confirm", "forgot"}
_BRIEFLY = 600.0
"""Seconds in which the same mail, without Message-ID and Date, is taken for a copy."""
_BANNED = MailResult(MailOutcome.BANNED, "banned")
_NOT_A_REPORT = MailResult(MailOutcome.NOT_A_REPORT, "not a report")
_ERRORS_IN_ALL = 3
"""Times the errors that are answered at one board are answered in all."""
_SAME_A_DAY = 3
"""Errors that one address is told of in a day for the same words: whoever repeats them after that
is a program that answers our answers."""


@dataclass(frozen=True, slots=True)
class Job:
    """A mail that is ready to be executed. Without a letter it cost too much to read, and the
    operator is to see it.

    unheard     what becomes of it when nothing in it is done or answered
    is_stopped  nothing is sent to where it came from
    wrong       accounts that it tried a wrong password on
    proven      the player whose password was right in it, or 0
    is_unknown  it proves nothing, and From is nobody's confirmed address
    looks       what it shows, when it asks for pages only
    """

    number: int
    received: float
    letter: Letter | None
    steps: tuple[Step, ...] = ()
    unheard: MailResult | None = None
    is_list: bool = False
    is_stopped: bool = False
    fingerprint: str = ""
    raw: bytes = b""
    bounce: Bounce | None = None
    peer: str = ""
    wrong: tuple[int, ...] = ()
    proven: int = 0
    is_unknown: bool = False
    looks: Looks | None = None

    @property
    def is_look(self) -> bool:
        """Whether it asks for pages only: it can change nothing, and may cost a lot."""
        commands = [step.command for step in self.steps if step.command is not None]
        return bool(commands) and all(command.verb.is_read_only for command in commands)

    @property
    def has_wrong_password(self) -> bool:
        """Whether a command of it names a player and has no right password."""
        commands = (step.command for step in self.steps)
        return any(
            command.verb.needs_password and bool(command.user) and command.proof is None
            for command in commands
            if command is not None
        )


class MailHandler:
    """Where mails are worked on: what all of them need."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        self.config = config
        self.secrets = secrets
        self.composer = Composer(config, secrets)
        self.guesses = Guesses()
        self._looker = Looker(config, secrets)

    def prepare(self, session: Session, mail: InboundRow) -> Job:
        """Read the mail, find its commands and verify their passwords."""
        return self.verified(session, self.understood(mail))

    def understood(self, mail: InboundRow) -> Job:
        """Read the mail and find its commands."""
        is_from_ours = came_through_our_server(mail.via, mail.peer)
        trusts = self.config.server.trusts if is_from_ours else ""
        try:
            letter = read(mail.raw, envelope_from=mail.envelope_from, trusts=trusts)
        except TooCostly as error:
            return Job(
                mail.id,
                mail.received,
                None,
                unheard=MailResult(MailOutcome.UNREADABLE, f"too costly: {error}"),
                raw=mail.raw,
            )
        letter = replace(letter, sender=letter.sender.lower())
        job = Job(
            mail.id,
            mail.received,
            letter,
            raw=mail.raw,
            fingerprint=mail.fingerprint or "",
            peer="" if is_local(mail.peer) else mail.peer,
        )
        back = self._sent(mail.recipient)
        if back or letter.machine is Machine.HARD:
            report = bounce.read_bounce(mail.raw, back)
            if report.reports:
                return replace(job, bounce=report)
            return replace(job, unheard=self._unheard(letter) or _NOT_A_REPORT)
        unheard = self._unheard(letter)
        if unheard is not None:
            return replace(job, unheard=unheard)
        token = self._token(mail.recipient, letter)
        sender = Sender(letter.sender, token, vouched=letter.vouched)
        steps, is_list = found(letter, sender, self.config.limits.commands_a_mail)
        steps = [unsigned(step, letter.name) for step in steps]
        if letter.machine is Machine.SOFT:
            steps = [step for step in steps if not brings_code(step)]
        if letter.machine is Machine.SOFT and not steps:
            report = bounce.read_bounce(mail.raw, 0)
            return replace(job, bounce=report, unheard=_by_machine(letter))
        return replace(job, steps=tuple(steps), is_list=is_list)

    def verified(self, session: Session, job: Job) -> Job:
        """The mail with its commands' passwords verified, and with what it shows when it asks for
        pages only; silent when its sender is banned."""
        if job.letter is not None and job.unheard is None and job.bounce is None:
            kind = bans.kind_of(session, job.letter.sender)
            if kind == bans.BAN:
                return replace(job, steps=(), unheard=_BANNED)
            job = replace(job, is_stopped=kind == bans.STOP)
        if not job.steps or job.letter is None:
            return job
        checks = Checks(self.secrets, self.config, self.guesses)
        steps = self._checked(session, job.steps, checks, job.received)
        job = replace(job, steps=steps, wrong=tuple(checks.wrong))
        proofs = [step.command.proof for step in steps if step.command is not None]
        proven = next((proof[0] for proof in proofs if proof is not None), 0)
        if proven:
            job = self._attributed(session, replace(job, proven=proven))
        elif job.is_look or job.steps[0].sender.token is None:
            known = find_players_by_address(session, job.steps[0].sender.address)
            job = replace(job, is_unknown=not known)
        return self._shown(session, job) if job.is_look and not job.is_unknown else job

    def _attributed(self, session: Session, job: Job) -> Job:
        """A mail that a password proves to be somebody's: where From is not an address of that
        player's, nothing in it is answered as if it were whose address From is."""
        sender = job.steps[0].sender
        is_own = any(
            each.id == job.proven for each in find_players_by_address(session, sender.address)
        )
        if is_own or all(step.command and step.command.proof for step in job.steps):
            return job
        steps = []
        for step in job.steps:
            if step.command is None or step.command.proof is None:
                nobody = replace(step.sender, address="")
                command = step.command and replace(step.command, sender=nobody)
                step = replace(step, sender=nobody, command=command)
            steps.append(step)
        return replace(job, steps=tuple(steps))

    def _shown(self, session: Session, job: Job) -> Job:
        """A mail that asks for pages only, with them."""
        commands = [step.command for step in job.steps if step.command is not None]
        config, secrets, now = self.config, self.secrets, job.received
        people = [senders(session, each, now, secrets, config) for each in commands]
        player = next((found[0] for found in people if found), None)
        address = job.letter.sender if job.letter is not None else ""
        try:
            looks = self._looker.looks(session, job.steps, player, address, job.peer, now)
        except MustWrite:
            return job
        return replace(job, looks=looks)

    def is_costly(self, session: Session, job: Job) -> bool:
        """Whether it takes long to prepare: pages, or passwords that argon2 has to verify or hash.
        Moves by reply, and by a password that is remembered, do not wait behind it."""
        if job.is_look:
            return True
        for command in (step.command for step in job.steps):
            if command is None:
                continue
            player = find_player(session, command.user) if command.password else None
            if "new_password" in command.verb.slots or (
                command.password
                and (
                    player is None
                    or not self.secrets.remembers(player.id, player.password, command.password)
                )
            ):
                return True
        return False

    def _checked(
        self, session: Session, steps: Sequence[Step], checks: Checks, now: float
    ) -> tuple[Step, ...]:
        """The steps with their passwords verified and without texts that should not travel."""
        passwords = {step.command.password for step in steps if step.command is not None} - {""}

        def exists(name: str) -> bool:
            return find_player(session, name) is not None

        checked = []
        for step in steps:
            if step.command is not None:
                command = with_clean_text(step.command, passwords, exists)
                command = authenticate(session, command, checks, now)
                step = replace(step, command=command)
            checked.append(step)
        return tuple(checked)

    def _unheard(self, letter: Letter) -> MailResult | None:
        """What becomes of a mail whose sender is not answered, whatever is in it."""
        if letter.machine is Machine.HARD:
            return _by_machine(letter)
        if not letter.sender:
            return MailResult(MailOutcome.NO_SENDER, "no single sender")
        if self.config.server.is_at(letter.sender):
            return MailResult(MailOutcome.OWN_ADDRESS, "our own address")
        return None

    def _sent(self, recipient: str) -> int:
        """The number of the mail of ours that a bounce to this address is about, else 0."""
        token = read_token(recipient.rpartition("@")[0].partition("+")[2])
        is_ours = token is not None and token.kind == "d" and self.secrets.is_genuine(token)
        return token.number if token is not None and is_ours else 0

    def _token(self, recipient: str, letter: Letter) -> Token | None:
        """The reply token of the recipient address, else of the mail that was answered."""
        server = self.config.server
        local, _, _ = recipient.rpartition("@")
        token = read_token(local.partition("+")[2])
        if token is not None and token.kind != "d":
            return token
        for answered in letter.in_reply_to:
            left, _, host = answered.strip("<>").rpartition("@")
            token = read_token(left.rpartition(".")[0])
            if token is not None and token.kind != "d" and host.lower() == server.host.lower():
                return token
        return None

    def prefetch(self, session: Session, jobs: Sequence[Job]) -> None:
        """Claim these mails and read what they will most likely ask for, all at once."""
        if not jobs:
            return
        since = min(job.received for job in jobs) - _BRIEFLY
        queues.prefetch(session, {job.number: job.fingerprint or None for job in jobs}, since)
        self.prefetch_players(session, jobs)
        commands = [step.command for job in jobs for step in job.steps if step.command is not None]
        numbers = {c.board or c.sender.board for c in commands} - {0}
        reads.prefetch_boards(session, numbers, LOG_SHOWN)

    def prefetch_bans(self, session: Session, jobs: Sequence[Job]) -> None:
        """Look up which of these mails' senders are banned."""
        bans.prefetch(session, {job.letter.sender for job in jobs if job.letter is not None})

    def prefetch_players(self, session: Session, jobs: Sequence[Job]) -> None:
        """Read the players whom these mails name."""
        steps = [step for job in jobs for step in job.steps]
        named = {step.command.user.lower() for step in steps if step.command is not None}
        reads.prefetch_players(session, named - {""})

    def perform(self, session: Session, job: Job, now: float) -> list[dict[str, Any]]:
        """Execute the mail's commands and finish it; the outgoing rows that were stored. Unverified
        when a word has to be verified first; nothing is done then."""
        record(session, job.wrong, job.received)
        copy = self._copy_of(session, job)
        letter = job.letter
        if letter is None:
            if job.unheard is not None:
                queues.bury(session, job.number, job.unheard, now, masked=_unread(job.raw))
            return []
        if job.bounce is not None and job.bounce.reports and not copy:
            result, notices = bounce.count(session, job.bounce, job.received)
            rows = self._rows(session, notices, now, inbound=job.number)
            return self._finish(session, job, result, rows, now)
        unheard = copy or job.unheard
        if unheard is not None:
            return self._finish(session, job, unheard, [], now)
        notices = []
        told: list[tuple[Step, list[Notice]]] = []
        for at, step in enumerate(job.steps):
            if job.looks is not None:
                said = job.looks.shown[at]
            elif job.is_unknown and not _is_for_strangers(step):
                said = [_unknown()]
            elif step.command is None:
                refusal = step.refusal or Refusal(RefusalCode.NO_COMMAND, "this is no command")
                said = refuse(
                    session, step.sender, refusal, job.received, self.secrets, self.config
                )
            else:
                said = execute(
                    session,
                    step.command,
                    job.received,
                    self.secrets,
                    self.config,
                    may_wait=len(job.steps) == 1,
                )
            told.append((step, said))
            notices += said
        if not job.steps:
            notices = [_no_command(session, letter)]
        why: list[NoAnswer] = []
        if job.looks is not None and job.looks.is_over:
            notices = self._once_over(session, job.looks, notices, now, why)
        notices = self._addressed(session, job, notices, now, why)
        if job.is_stopped:
            notices = [_not_to(letter.sender, notice) for notice in notices]
            why.insert(0, NoAnswer.STOPPED_ADDRESS)
        if letter.machine is Machine.SOFT:
            notices = [
                n for n in notices if not n.is_failure and not isinstance(n.content, HelpPage)
            ]
            why.append(NoAnswer.MACHINE)
        if any(notice.is_failure for notice in notices) and self._is_repeated(session, job, now):
            notices = [notice for notice in notices if not notice.is_failure]
            why.append(NoAnswer.REPEATED)
        if any(notice.is_failure and notice.is_answer for notice in notices):
            notices = self._few_errors(session, job, notices, now, why)
        if job.is_list:
            notices = self._transcript(session, told, notices, job)
        result = _result(told)
        reason = _no_answer(letter.sender, notices, why)
        if reason is not None:
            result = _without_answer(result, reason, letter)
        rows = self._rows(session, notices, now, letter.message_id, inbound=job.number)
        if job.looks is not None:
            charge(session, job.looks, sum(len(row["message"]) for row in rows), now, self.config)
        return self._finish(session, job, result, rows, now, notices)

    def apologise(self, session: Session, job: Job, now: float) -> None:
        """Tell a player that the mail is kept until the server is mended; nobody else, and no
        program."""
        letter = job.letter
        if letter is None or job.unheard or job.bounce or job.is_stopped:
            return
        if letter.machine is not Machine.NO:
            return
        commands = [step.command for step in job.steps if step.command is not None]
        proven = next((command.proof[0] for command in commands if command.proof), 0)
        known = find_players_by_address(session, letter.sender)
        if proven:
            where = reads.addresses_of(session, proven)
        elif known and daily_counters.allow(
            session, f"help {letter.sender}", now, self.config.limits.help_a_day
        ):
            where, proven = (letter.sender,), known[0].id
        else:
            return
        notice = Notice(MailKept(), where, proven, is_answer=True)
        rows = self._rows(session, [notice], now, letter.message_id, inbound=job.number)
        queues.post(session, rows)

    def _once_over(
        self, session: Session, looks: Looks, notices: list[Notice], now: float, why: list[NoAnswer]
    ) -> list[Notice]:
        """Who has had all the pages there are for a day is told so once."""
        if daily_counters.allow(session, f"looks over {looks.address}", now, 1):
            return notices[:1]
        why.append(NoAnswer.PAGES_SPENT)
        return []

    def _copy_of(self, session: Session, job: Job) -> MailResult | None:
        if not job.fingerprint:
            return None
        since = job.received - _BRIEFLY
        first = queues.first_copy(session, job.fingerprint, job.number, since)
        if first is None:
            return None
        return MailResult(MailOutcome.DUPLICATE, f"a copy of mail {first}", str(first))

    def _addressed(
        self, session: Session, job: Job, notices: list[Notice], now: float, why: list[NoAnswer]
    ) -> list[Notice]:
        """Answers without an address: to the player whose password the mail holds, to a confirmed
        From, else one bounded help mail a day. What stays unsent gets its reason added to `why`."""
        kept: list[Notice] = []
        letter = job.letter
        for notice in notices:
            if not notice.is_answer or notice.addresses or letter is None:
                kept.append(notice)
                continue
            own = reads.addresses_of(session, job.proven) if job.proven else ()
            if own:
                kept.append(replace(notice, addresses=own, player=job.proven))
                continue
            known = find_players_by_address(session, letter.sender)
            if known:
                is_help = isinstance(notice.content, NoCommand)
                limit = self.config.limits.help_a_day if is_help else 0
                if daily_counters.allow(session, f"help {letter.sender}", now, limit):
                    kept.append(replace(notice, addresses=(letter.sender,), player=known[0].id))
                else:
                    why.append(NoAnswer.HELP_SPENT)
                continue
            stranger = self._to_stranger(session, letter, notice, now)
            if stranger is not None:
                kept.append(stranger)
            else:
                why.append(NoAnswer.STRANGER)
        return kept

    def _to_stranger(
        self, session: Session, letter: Letter, notice: Notice, now: float
    ) -> Notice | None:
        if letter.machine is not Machine.NO:
            return None
        content = notice.content
        is_signup = isinstance(content, Refused) and content.verb in _FOR_STRANGERS
        counter = f"{'signup' if is_signup else 'help'} to {letter.sender}"
        limit = self.config.limits.help_a_day
        if self.config.players.confirm_addresses and not is_signup:
            limit = 1
        hour, most = f"strangers {int(now // 3600)}", self.config.limits.strangers_an_hour
        if most and daily_counters.count_on(session, hour, day_of(now)) >= most:
            return None
        if not daily_counters.allow(session, counter, now, limit):
            return None
        daily_counters.increment(session, hour, now)
        chosen = notice if is_signup else Notice(Stranger(), is_answer=True)
        return replace(chosen, addresses=(letter.sender,), player=0, thread=None)

    def _is_repeated(self, session: Session, job: Job, now: float) -> bool:
        """Whether the mail answers one of ours, or holds no command, in the same words as others of
        today that were told of an error. Numbers in a longer text do not make it another."""
        letter = job.letter
        if letter is None:
            return False
        is_answer = letter.is_reply or letter.in_reply_to
        if job.steps and not is_answer and job.steps[0].sender.token is None:
            return False
        words = " ".join(" ".join(letter.own).split())[:4000]
        words = words or ("" if letter.is_reply else letter.subject)
        words = re.sub("[0-9]+", "0", words) if len(words) > 60 else words
        said = hashlib.blake2b(words.encode("utf-8", "replace"), digest_size=8).hexdigest()
        return not daily_counters.allow(session, f"same {letter.sender} {said}", now, _SAME_A_DAY)

    def _few_errors(
        self, session: Session, job: Job, notices: list[Notice], now: float, why: list[NoAnswer]
    ) -> list[Notice]:
        """The notices, without errors where a day's answers to errors are spent: at one board, or
        three times as many in all. That is said once. They are counted for the player who is proven
        to write, else for the address, so that nobody spends those of another."""
        most, letter = self.config.limits.errors_a_day, job.letter
        if not most or letter is None:
            return notices
        first = job.steps[0] if job.steps else None
        player = self._writer(session, first, job.received) if first is not None else None
        who = f"player {player.id}" if player is not None else letter.sender
        board = first.sender.board if first is not None else 0
        at_board = (
            daily_counters.increment(session, f"errors {who} at {board}", now) if board else 0
        )
        in_all = daily_counters.increment(session, f"errors {who}", now)
        if at_board <= most and in_all <= _ERRORS_IN_ALL * most:
            return notices
        kept = [notice for notice in notices if not notice.is_failure]
        if daily_counters.allow(session, f"errors over {who}", now, 1):
            answer = next(notice for notice in notices if notice.is_failure and notice.is_answer)
            kept.append(replace(answer, content=ErrorsOver(), html=False, left=()))
        else:
            why.append(NoAnswer.ERRORS_SPENT)
        return kept

    def _writer(self, session: Session, step: Step, now: float) -> Player | None:
        """The player who is proven to have written a command, also one that cannot be read."""
        command = step.command or misread_command(step.refusal)
        command = replace(
            command or Command(verbs_by_word()["help"][0], step.sender), sender=step.sender
        )
        people = senders(session, command, now, self.secrets, self.config)
        return people[0] if people else None

    def _transcript(
        self,
        session: Session,
        told: Sequence[tuple[Step, list[Notice]]],
        notices: list[Notice],
        job: Job,
    ) -> list[Notice]:
        """One mail for all answers to a player's list of commands; what others are told, and what
        a stranger is told, stays as it is."""
        answers = [notice for notice in notices if notice.is_answer]
        if job.proven:
            answers.sort(key=lambda notice: notice.player != job.proven)
        others = [notice for notice in notices if not notice.is_answer]
        parts, done, facts = [], 0, list[str]()
        for step, said in told:
            is_done = _is_done(said)
            texts = []
            for subject, body in (render(n, self.config) for n in said if n.is_answer):
                words, _, block = body.partition("\n-- \n")
                texts.append((subject, words.strip("\n")))
                facts += [block.strip("\n")] if block else []
            parts.append(TranscriptPart(shown(step, done=is_done), texts))
            done += is_done
        best = next((notice for notice in answers if notice.player), None)
        addresses, player = (
            (best.addresses, best.player) if best is not None else _silent_mover(session, told)
        )
        if not player:
            return notices
        content = Transcript(parts=parts, done=done, count=len(told), facts=facts)
        return [Notice(content, addresses, player, is_answer=True), *others]

    def _rows(
        self,
        session: Session,
        notices: Sequence[Notice],
        now: float,
        answers: str = "",
        inbound: int | None = None,
    ) -> list[dict[str, Any]]:
        pairs = [(notice, address) for notice in notices for address in notice.addresses]
        numbers = queues.numbers(session, len(pairs)) if pairs else []
        stored = reads.passwords_of(session, {notice.player for notice, _ in pairs})
        return [
            row(
                self.composer,
                notice,
                address,
                number,
                now,
                answers,
                inbound=inbound,
                stored=stored.get(notice.player, ""),
            )
            for (notice, address), number in zip(pairs, numbers, strict=True)
        ]

    def refused(self, session: Session, recipient: str, why: str, now: float) -> None:
        """The relay refused a mail of ours for good: that counts as a bounce when it says that
        there is no such mailbox."""
        notices = bounce.refused(session, recipient, why, now)
        queues.post(session, self._rows(session, notices, now))

    def _finish(
        self,
        session: Session,
        job: Job,
        result: MailResult,
        rows: list[dict[str, Any]],
        now: float,
        notices: Sequence[Notice] = (),
    ) -> list[dict[str, Any]]:
        player = next((notice.player for notice in notices if notice.is_answer), 0)
        board = next((n.thread.board for n in notices if n.thread is not None), None)
        queues.finish(
            session,
            job.number,
            replace(result, text=result.text[:1000]),
            now,
            masked=without_text(job.raw),
            player=player or None,
            board=board,
        )
        queues.post(session, rows)
        return rows


def _by_machine(letter: Letter) -> MailResult:
    return MailResult(MailOutcome.MACHINE, f"a machine: {letter.why}", letter.why)


def _no_answer(sender: str, notices: Sequence[Notice], why: Sequence[NoAnswer]) -> NoAnswer | None:
    """Why no answer goes out; None when one does, or another mail to the sender."""
    answers = (notice for notice in notices if notice.is_answer or sender in notice.addresses)
    if any(notice.addresses for notice in answers):
        return None
    return why[0] if why else NoAnswer.OWN_MOVE


def _without_answer(result: MailResult, reason: NoAnswer, letter: Letter) -> MailResult:
    """The result of a mail that is not answered, with the reason."""
    about = letter.why if reason is NoAnswer.MACHINE else ""
    sentence = f"{reason.sentence}: {about}" if about else reason.sentence
    text = f"{result.text[:900]}; no answer: {sentence}"
    return replace(result, text=text, about=about, no_answer=reason)


def _not_to(address: str, notice: Notice) -> Notice:
    """The notice to all of its addresses but one."""
    return replace(notice, addresses=tuple(each for each in notice.addresses if each != address))


def _unread(raw: bytes) -> bytes:
    """What stays of a mail that costs too much to read: who and when, its size, and by which hash
    its sender's copy can be told."""
    digest = hashlib.sha256(raw).hexdigest()
    return without_text(raw) + f"({len(raw)} bytes, SHA-256 {digest})\r\n".encode()


def _no_command(session: Session, letter: Letter) -> Notice:
    """The answer to a mail that holds no command: what its writer, whose board's mail it may
    answer, can send."""
    known = find_players_by_address(session, letter.sender)
    about = board_of_subject(letter.subject)
    userid = known[0].userid if len(known) == 1 else "USERID"
    content = NoCommand(userid=userid)
    if about:
        content = NoCommand(userid=userid, game=about[0], board=str(about[1]))
    return Notice(content, is_answer=True)


def _silent_mover(
    session: Session, told: Sequence[tuple[Step, list[Notice]]]
) -> tuple[tuple[str, ...], int]:
    """Where the transcript goes, addresses and player, when none of its commands has an answer of
    its own (`own=no`); player 0 for nowhere."""
    proofs = [step.command.proof for step, _ in told if step.command is not None]
    player = next((proof[0] for proof in proofs if proof is not None), 0)
    if not player or any(notice.is_answer for _, said in told for notice in said):
        return (), 0
    return reads.addresses_of(session, player), player


def _is_for_strangers(step: Step) -> bool:
    """Whether it is done, or refused in its own words, for who is not known here."""
    return step.command is not None and step.command.verb.name in _FOR_STRANGERS


def _unknown() -> Notice:
    """In the place of an answer to who is not known here: nothing was looked at or done."""
    content = Refused(
        code=RefusalCode.NOT_CONFIRMED,
        game="",
        reason="nobody has confirmed the address it comes from",
    )
    return Notice(content, is_answer=True)


def _is_done(said: Sequence[Notice]) -> bool:
    return not any(notice.is_failure and notice.is_answer for notice in said)


def _result(told: Sequence[tuple[Step, list[Notice]]]) -> MailResult:
    """What became of a mail with these commands."""
    if not told:
        return MailResult(MailOutcome.NO_COMMAND, "no command")
    done = [not any(notice.is_failure for notice in said) for _, said in told]
    if all(done):
        code = MailOutcome.EXECUTED
    else:
        code = MailOutcome.PARTLY_EXECUTED if any(done) else MailOutcome.REFUSED
    return MailResult(code, "; ".join(_outcome(step, said) for step, said in told))


def _outcome(step: Step, said: Sequence[Notice]) -> str:
    game = next((name for each in said for name in each.content.named_games), "")
    failures = (each.content for each in said if each.is_failure)
    reasons = (each.reason if isinstance(each, Refused) else "" for each in failures)
    return noted(step, game, next(reasons, None))
