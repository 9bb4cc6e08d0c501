"""The one way in: a mail, a terminal, a bot, the scheduler and the operator all submit here.

What is submitted is executed, the mails that it causes are composed and enqueued, and the mail that
it came in is marked done, in one transaction, which belongs to the caller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.exc import DBAPIError

from pbm.config import Config
from pbm.core.authenticate import (
    find_by_token,
    identify,
    refuse_elsewhere,
    refuse_unset_password,
    use_up,
)
from pbm.core.board import Board, format_time
from pbm.core.call import Call, MustWrite
from pbm.core.command import CLAIM, Command, Sender, get_misread
from pbm.core.context import NO_MAIL, add_audit_row
from pbm.core.feature import list_hooks
from pbm.core.limits import Limit, add, has_room
from pbm.core.links import clean_command, has_secret, mask_secrets
from pbm.core.notices import Kind, MailResumed, Notice, Refused, Unheard
from pbm.core.outgoing import Addressed, Outgoing, OutgoingMail
from pbm.core.player import (
    ALL,
    BOARDS,
    EVENTS,
    Player,
    find_player,
    has_stopped,
    list_stopped,
    mark_seen,
    note_address,
    resume,
    save_player,
)
from pbm.core.proofs import Act
from pbm.core.refusal import Offer, Refusal, RefusalCode
from pbm.core.refusal_texts import build_refusal, repeat_line
from pbm.core.secrets import Secrets
from pbm.core.storing import BoardSleeping, load, refuse_missing_game
from pbm.core.talk import (
    adds_nothing,
    is_courtesy,
    is_denied,
    is_hesitant,
    is_only_manners,
    is_talk,
    read_consent,
)
from pbm.core.turns import find_open_move, refuse_open_move
from pbm.core.words import find_game_name, get_verb, is_userid
from pbm.games import UnknownGame
from pbm.locale.intents import is_joining
from pbm.locale.words import say_reply_word
from pbm.rules.phrases import phrase
from pbm.store import inbound_queue, reads
from pbm.store.mail_outcome import MailResult
from pbm.store.transaction import Session

_LONGEST_OUTCOME = 1000


class Unread(Struct, frozen=True):
    """A line that is meant as a command and cannot be read as one."""

    sender: Sender
    refusal: Refusal


Task: TypeAlias = Callable[[Session], Sequence[Notice]]
"""What the server or its operator does without a command, and whom it notifies."""

SubmissionPart: TypeAlias = Command | Unread | Task


class PartReply(Struct, frozen=True):
    """What one part of a submission led to."""

    part: SubmissionPart
    notices: Sequence[Notice]

    @property
    def is_refused(self) -> bool:
        """Whether it was not done."""
        return any([notice.is_failure for notice in self.notices])


class Answer(Struct, frozen=True):
    """The outgoing notices, and the result of the mail that they answer."""

    notices: Sequence[Notice]
    result: MailResult | None = None


Policy: TypeAlias = Callable[[Session, Sequence[PartReply]], Answer]
"""Decides which notices of a submission go out, and in what shape."""


def send_all(_session: Session, replies: Sequence[PartReply]) -> Answer:
    """Send every notice."""
    return Answer([notice for reply in replies for notice in reply.notices])


def send_unless_refused(session: Session, replies: Sequence[PartReply]) -> Answer:
    """Send every notice, or none when anything was refused."""
    is_refused = any(reply.is_refused for reply in replies)
    return Answer(()) if is_refused else send_all(session, replies)


def send_nothing(_session: Session, _replies: Sequence[PartReply]) -> Answer:
    """Send nothing: the caller shows the replies."""
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

    parts: Sequence[SubmissionPart]
    received: float
    policy: Policy = send_all
    mail: Received | None = None


class Submitted(Struct, frozen=True):
    """What came of a submission: what each part led to, the mails that go out, and their rows in
    the queue."""

    replies: Sequence[PartReply]
    mails: Sequence[OutgoingMail]
    rows: list[dict[str, Any]]

    @property
    def notices(self) -> list[Notice]:
        """The notices of all parts, sent or not."""
        return [notice for reply in self.replies for notice in reply.notices]

    @property
    def is_refused(self) -> bool:
        """Whether any part was not done."""
        return any(reply.is_refused for reply in self.replies)

    @property
    def refusals(self) -> list[StrEnum]:
        """Why parts were not done."""
        return [notice.refusal for notice in self.notices if notice.refusal is not None]


class CommandService:
    """Executes what is submitted and sends the mails that it causes. With `report`, an error in a
    command is reported there and refused, unless its mail is to be tried again. Without `outgoing`
    nothing can be mailed: it is for submissions whose policy is `send_nothing`."""

    def __init__(
        self,
        config: Config,
        secrets: Secrets,
        outgoing: Outgoing | None = None,
        report: ReportError | None = None,
    ) -> None:
        self._report = report
        self.config = config
        self.secrets = secrets
        self._outgoing = outgoing

    def submit(self, session: Session, work: Command | Submission, now: float) -> Submitted:
        """Execute a command, or several at once, and post the mails. A refusal changes nothing and
        is part of the result. Never commits."""
        submission = Submission((work,), now) if isinstance(work, Command) else work
        replies = [
            PartReply(part, self._execute(session, part, submission)) for part in submission.parts
        ]
        answer = submission.policy(session, replies)
        mail = submission.mail
        addressed = Addressed()
        if self._outgoing is not None:
            addressed = self._outgoing.address_notices(
                session,
                answer.notices,
                now,
                inbound=mail.number if mail is not None else None,
                answers=mail.message_id if mail is not None else "",
                to=mail.to if mail is not None else "",
            )
        elif answer.notices:
            raise ValueError("these notices were not to be sent")
        if mail is not None and answer.result is not None:
            result = _find_result(answer.result, addressed)
            self._mark_done(session, mail, answer.notices, result, now)
        rows = self._outgoing.post(session, addressed.mails) if self._outgoing is not None else []
        return Submitted(replies, addressed.mails, rows)

    def show(self, session: Session, part: Command | Unread, now: float) -> Sequence[Notice]:
        """Return what a command that changes nothing shows; it may run in a session that only
        reads. MustWrite when it would wake a board."""
        if isinstance(part, Unread):
            return refuse(session, part.sender, part.refusal, now, self.secrets, self.config)
        return show(session, part, now, self.secrets, self.config, self._report)

    def _execute(
        self, session: Session, part: SubmissionPart, submission: Submission
    ) -> Sequence[Notice]:
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

    def _mark_done(
        self,
        session: Session,
        mail: Received,
        notices: Sequence[Notice],
        result: MailResult,
        now: float,
    ) -> None:
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


def _find_result(result: MailResult, addressed: Addressed) -> MailResult:
    """Return the result of a mail whose answers may not have gone out."""
    is_answered = any(each.notice.is_unproved or each.notice.is_answer for each in addressed.mails)
    if is_answered or not addressed.unanswered:
        return result
    return result.leave_unanswered(addressed.unanswered[0])


# Executes one command in the caller's transaction; `submit` is the way to it.

_MISNAMED = {
    RefusalCode.NO_SUCH_PLAYER,
    RefusalCode.NO_SUCH_TOPIC,
    RefusalCode.NO_SUCH_GAME,
    RefusalCode.BAD_ARGUMENT,
    RefusalCode.TRAILING_TEXT,
}
"""Refusals of a line whose words name nothing."""
ReportError: TypeAlias = Callable[[Command, Exception], None]
"""Takes notice of an error in the server at a command."""

_LONGEST_PLACE = 3
_MOST_IN_COURTESY = 5
"""Words in which somebody says please or thanks."""
_FAULT = phrase("an error in the server, which its operator finds in the log")


def execute(
    session: Session,
    command: Command,
    now: float,
    secrets: Secrets,
    config: Config,
    *,
    is_alone: bool = True,
    report: ReportError | None = None,
) -> list[Notice]:
    """Execute the command; its notices. A refusal is a notice too, and changes nothing. Never
    commits. An error is raised, or, with `report`, reported and refused where nothing would be
    tried again; not where the command `is_alone` in its mail, proven and may change something."""
    command = clean_command(command, config)
    call = Call(session, now, secrets, config, command=command)
    notices = _execute(call, report, is_alone=is_alone)
    if command.is_spent:
        for send in list_hooks(lambda each: each.on_failures_spent):
            notices += [_address_answer(call, notice) for notice in send(call)]
    notices = _mark_unproved(call, notices)
    if command.sender.operator:
        return notices
    if call.player is not None:
        if not any(notice.is_failure for notice in notices):
            _note_without_mail(call, call.player)
        mark_seen(session, call.player, now)
        note_address(session, call.player, command.sender.to)
    writer = call.player or next(iter(call.vouched), None)
    return [_name_cause(notice, writer.id) for notice in notices] if writer else notices


def _note_without_mail(call: Call, player: Player) -> None:
    """Note a change that no mail and no board's log keeps, for an operator who has to undo what
    somebody did in the player's name; without its words."""
    command, verb = call.command, call.command.verb
    is_kept = command.sender.via not in ("web", "terminal") or verb.goes_with_board
    if is_kept or verb.is_read_only or verb.act in (Act.OPEN, Act.CODE):
        return
    board = command.board or command.sender.seat_at
    add_audit_row(call, player.userid, f"{NO_MAIL}{verb.name}", player=player.id, board=board)


def _mark_unproved(call: Call, notices: list[Notice]) -> list[Notice]:
    """Return the notices, which count in the budgets of their addresses unless it is known who sent
    the command."""
    if call.is_proved:
        return notices
    return [replace(notice, is_unproved=True) for notice in notices]


def _name_cause(notice: Notice, player: int) -> Notice:
    """Return the notice with the player who caused it, if it goes to somebody else and tells of no
    moves."""
    is_theirs = notice.player not in (0, player) or notice.kind is Kind.INVITATION
    if notice.is_answer or not is_theirs or notice.content.is_move or notice.cause:
        return notice
    return replace(notice, cause=player)


def show(
    session: Session,
    command: Command,
    now: float,
    secrets: Secrets,
    config: Config,
    report: ReportError | None = None,
) -> list[Notice]:
    """Return what a read-only command shows. It only reads, so the caller counts it. Raise
    MustWrite when it would have to wake a board."""
    call = Call(session, now, secrets, config, command=command, reads_only=True)
    return _mark_unproved(call, _execute(call, report))


def _execute(call: Call, report: ReportError | None, *, is_alone: bool = True) -> list[Notice]:
    """Return the notices of the command, or of its refusal."""
    again: list[Notice] = []
    try:
        identify(call)
        if not call.reads_only:
            again = _start_mails_again(call)
            _count(call)
            _use_up_offer(call)
        _require_alone(call)
        if not call.command.verb.has_board:
            call.drop_comment()
        notices = [*_do_or_wake(call), *_say_unheard(call)]
        notices += map(call.answer, call.waiting)
    except Refusal as refusal:
        _take_back_words(call)
        notices = [build_refusal(call, refusal)]
    except UnknownGame as unknown:
        notices = [build_refusal(call, refuse_missing_game(unknown.name))]
    except (DBAPIError, MemoryError, MustWrite):
        raise  # the database or the machine fails, or the caller has to do something first
    except Exception as error:
        is_tried_again = is_alone and call.player is not None
        if report is None or (is_tried_again and not call.command.verb.is_read_only):
            raise
        report(call.command, error)
        notices = [build_refusal(call, Refusal(RefusalCode.FAULT, _FAULT, "help"))]
    notices = [_add_left_lines(call, notice) for notice in notices]
    return [*(_address_answer(call, notice) for notice in notices), *again]


def _take_back_words(call: Call) -> None:
    """Put the words beside a command that is refused back to it, where they were held: they wait no
    more either."""
    words = [each.text for each in call.waiting]
    if words:
        text = "\n".join(filter(None, (*words, call.command.text)))
        call.command, call.waiting = replace(call.command, text=text), ()


def _use_up_offer(call: Call) -> None:
    """Take the offer that the command is done for. Refuse one that was taken since."""
    number = call.command.offer
    if number and not use_up(call.session, number, call.me.id, call.now):
        raise Refusal(RefusalCode.ALREADY_DONE, phrase("you have answered that already"))


def _start_mails_again(call: Call) -> list[Notice]:
    """Resume mails to a player who has stopped them and sends a command by mail: all of them, or
    those of the command's kind. The player is notified, once."""
    command, people = call.command, (call.player,) if call.player is not None else call.vouched
    if command.sender.via != "mail" or command.verb.name == "stop" or not people:
        return []
    player, verb = people[0], command.verb.name
    at_board = bool(command.game or command.board or command.sender.board)
    kind = EVENTS if verb.partition(" ")[0] == "event" else BOARDS if at_board else ALL
    if not (list_stopped(player.preferences) and has_stopped(player.preferences, kind)):
        return []
    resumed = save_player(
        call.session, replace(player, preferences=resume(player.preferences, kind))
    )
    call.player = resumed if call.player is not None else None
    return [call.build_notice(resumed, MailResumed(userid=player.userid))]


def _say_unheard(call: Call) -> list[Notice]:
    """Return the note to a player who is silenced that a comment went nowhere."""
    if not call.is_unheard:
        return []
    people = [call.player] if call.player is not None else call.senders
    silenced = [each for each in people if each.is_silenced(call.now)]
    if not silenced:
        return []
    until = format_time(silenced[0].silenced or call.now, silenced[0].preferences)
    return [call.answer(Unheard(userid=silenced[0].userid, until=until))]


def _hold_back_moves(call: Call) -> None:
    """Note the moves below a command without text in a reply to a board's mail: they are named as
    not done."""
    command, board = call.command, call.command.sender.board
    if not (command.text and board) or command.verb.text or call.player is None:
        return
    if reads.find_board(call.session, board) is not None:
        call.remove_stray_moves(load(call.session, board))


def _add_left_lines(call: Call, notice: Notice) -> Notice:
    """Return an answer that names the lines which were not done, or not passed on, but for those
    that the answer to a refusal offers to send."""
    command, content = call.command, notice.content
    if not notice.is_answer:
        return notice
    is_used = command.verb.text and not notice.is_failure
    lines = command.withheld if is_used else _list_unused(call, is_failure=notice.is_failure)
    if isinstance(content, Refused):
        offered = f"{content.offer.line}\n{content.offer.text}" if content.offer else ""
        lines = tuple(mask_secrets(line) for line in lines if line not in offered)
    return replace(notice, left=command.left, withheld=tuple(dict.fromkeys(lines)))


def _list_unused(call: Call, *, is_failure: bool) -> tuple[str, ...]:
    """Return the lines of a person's mail below a question, or a command that takes no text or is
    refused. Without proof they might be somebody else's: then it only says that there are some."""
    command, sender = call.command, call.command.sender
    if not (sender.is_person and sender.via == "mail"):
        return ()
    lines = (*filter(None, map(str.strip, command.text.split("\n"))), *command.withheld)
    brings_code = sender.invitation is not None or bool(sender.code)
    is_shown = call.player is not None or (brings_code and not is_failure)
    return lines if is_shown or not lines else ("...",)


def _call_handler(call: Call) -> list[Notice]:
    command = call.command
    verb = command.verb
    do = verb.implied if command.implied and verb.implied else verb.do
    call.require_guest_may(verb)
    try:
        _require_no_more(call)
        notices: list[Notice] = do(call)
    except Refusal as refusal:
        if refusal.code not in _MISNAMED:
            raise
        if not _may_be_said(call):
            return _answer_as_asked(call, refusal)
        notices = _take_as_said(call, refusal)
    _hold_back_moves(call)
    return notices


def _require_no_more(call: Call) -> None:
    """Refuse words behind those that the verb takes, with the line without them: nothing is left
    out without a word but please and thanks, and in what only shows something words that join
    others (`who is bob?`). A yes sends them below a line that a text follows."""
    command = _leave_out_courtesy(call.command)
    if command.verb.is_read_only and command.count_surplus():
        words = [
            word
            for word in (each.rstrip("?") for each in command.words)
            if not is_joining(word) or find_player(call.session, word) is not None
        ]
        command = replace(command, words=tuple(words))
    call.command = command
    count = command.count_surplus()
    if not count:
        return
    verb, surplus = command.verb, command.own_words[-count:]
    if _is_claim(call, surplus):
        return
    if verb.game != "no" and not command.game:  # `rating bob chess`
        named = next(filter(None, map(find_game_name, surplus)), "")
        call.command = replace(command, game=named)
    line, offer = repeat_line(call, command.own_words[:-count]) or command.form, None
    if verb.text == "text" and count > 1:  # any other word may be a password
        offer = Offer(line, "\n".join(filter(None, (" ".join(surplus), command.text))))
    problem = phrase("more words follow {verb} than it takes", verb=verb.name)
    raise Refusal(RefusalCode.TRAILING_TEXT, problem, *([] if offer else [line]), offer=offer)


def _is_claim(call: Call, words: Sequence[str]) -> bool:
    """Whether words are a userid and a password behind a verb that needs none: who is used to
    adding them says nothing else by it."""
    is_needless = len(words) == len(CLAIM) and not set(CLAIM) & set(call.command.verb.slots)
    return is_needless and is_userid(words[0]) and find_player(call.session, words[0]) is not None


def _leave_out_courtesy(command: Command) -> Command:
    """Return a command without the words at its end that say please or thanks; one whose words are
    a text, a move or a sentence as it is."""
    verb, words = command.verb, command.own_words
    takes_lines = verb.takes_lines and not verb.is_read_only
    is_text = verb.text == "text" or verb.has_message or takes_lines or verb.asked
    is_list = verb.has_board and verb.slots[-1][-1] in "*+"
    shortest = _LONGEST_PLACE + 1 if is_list else 0  # STP, French for please, is a place, too
    if is_text or verb.name == "ask" or command.implied:
        return command
    known = ("board", *CLAIM, *(["board+"] if command.sender.board else []))
    needed = sum(slot[-1] not in "*?" and slot not in known for slot in verb.slots)
    for size in range(min(len(words) - needed, _MOST_IN_COURTESY), 0, -1):
        if min(map(len, words[-size:])) >= shortest and is_courtesy(" ".join(words[-size:])):
            kept = words[:-size]
            kept = kept if words == command.words else (*kept[1:], kept[0])
            return replace(command, words=kept, rest=" ".join(kept).rstrip(" ,"))
    return command


def _answer_as_asked(call: Call, refusal: Refusal) -> list[Notice]:
    """Answer a line that begins with a verb, in a reply to a mail about no board, as the question
    or wish that it is; refused as the command that it seemed to be where it is none."""
    command = call.command
    if command.line and not command.sender.board and command.verb.name != "ask":
        for answer in list_hooks(lambda each: each.answers):
            if (notices := answer(call, command.line)) is not None:
                return notices
    raise refusal


def _may_be_said(call: Call) -> bool:
    """Whether a reply to a board's mail that begins with a verb may be talk: it has more words, and
    none of them is a number."""
    command = call.command
    if not (command.line and command.words and command.sender.board and call.player is not None):
        return False
    is_plain = not (command.game or command.user or command.board or command.verb.stands_alone)
    return is_plain and not any(map(str.isdigit, command.line))


def _take_as_said(call: Call, refusal: Refusal) -> list[Notice]:
    """Execute the line as one without a verb; if it is not understood as talk either, raise the
    refusal of the command that it seemed to be."""
    command = call.command
    if call.reads_only:
        raise MustWrite
    verb, text = get_verb("move"), command.text
    if command.verb.has_message and command.words:
        text = text.partition("\n")[2]  # the line itself stands above it
    call.command = replace(
        command,
        text=text,
        verb=verb,
        words=tuple(command.line.split(" ")),
        rest=command.line,
        implied=True,
    )
    try:
        return verb.implied(call) if verb.implied else verb.do(call)
    except Refusal as second:
        if second.code is RefusalCode.SENTENCE:
            raise
        call.command = command
        raise refusal from None


def _do_or_wake(call: Call) -> list[Notice]:
    """Do the command and return its notices. Features decide about a sleeping board."""
    try:
        with call.session.savepoint():
            if call.asleep and call.command.verb.name != "stop":
                raise BoardSleeping(call.asleep)
            return _call_handler(call)
    except BoardSleeping as asleep:
        for wake in list_hooks(lambda each: each.on_asleep):
            woken: list[Notice] | None = wake(call, asleep.number, _call_handler)
            if woken is not None:
                return woken
        raise


def refuse(
    session: Session, sender: Sender, refusal: Refusal, now: float, secrets: Secrets, config: Config
) -> list[Notice]:
    """Return the answer to a line that is meant as a command and cannot be read."""
    command = replace(get_misread(refusal) or Command(get_verb("help"), sender), sender=sender)
    call = Call(session, now, secrets, config, command=command)
    call.player = find_by_token(call) if sender.token is not None else None
    refusal = (refuse_elsewhere(call) if call.is_elsewhere else None) or refusal
    if call.player is not None and _lacks_password(call, refusal):
        refusal = refuse_unset_password()
    answer = _address_answer(call, _add_left_lines(call, build_refusal(call, refusal)))
    return _mark_unproved(call, [answer])


def _lacks_password(call: Call, refusal: Refusal) -> bool:
    """Whether a command was refused for the want of a password that its player does not have."""
    verb = call.command.verb
    is_missing = refusal.code is RefusalCode.MISSING_ARGUMENT and verb.needs_password
    return is_missing and verb.act is Act.ACCOUNT and not call.me.has_password


def _count(call: Call) -> None:
    """Count the command for the player who provably sent it; refuse it when the day's commands are
    used up. Commands on the player's own boards are not counted: no move is refused for this."""
    verb = call.command.verb
    player = call.player or next(iter(call.vouched), None)
    if player is None or call.command.sender.via != "mail":
        return
    if not (verb.has_board and (verb.takes_ply or verb.is_final)):
        require_commands(call.session, player, call.now, call.config)
        add(call.session, Limit.COMMANDS, player.id, call.now)


def require_commands(session: Session, player: Player, now: float, config: Config) -> None:
    """Refuse a command when the player has used up those of the day."""
    if not has_room(session, Limit.COMMANDS, player.id, now, config):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "you have used today's {most} commands: you can still move, and send the rest "
                "after 00:00 UTC",
                most=Limit.COMMANDS.find_most(config),
            ),
        )


_SAID_AS = {"propose": "draw"}


def _require_alone(call: Call) -> None:
    """Refuse a sentence that merely begins with a word such as `resign`, with the line that sends
    it to the others. A yes plays the move below it, or does what the word says and passes on the
    rest, where a mark sets that apart."""
    command, word = call.command, call.command.verb.name
    if not command.verb.stands_alone or not command.words:
        return
    if command.sender.token is None:
        raise Refusal(
            RefusalCode.TRAILING_TEXT,
            phrase("{word} must stand alone on its line", word=word),
            command.form,
        )
    said, word = " ".join(command.words), _SAID_AS.get(word, word)
    is_meant = not is_hesitant(said) and read_consent(said) is not False and not is_denied(said)
    is_sure = is_meant and (is_only_manners(said) or adds_nothing(said))
    board = _find_own_board(call)
    if command.text and not is_sure and board:
        offer = find_open_move(call, board)
        if offer is not None:
            raise refuse_open_move(board, offer)
    is_plain = board and not (board.position.press or command.user or has_secret(command.line))
    is_said = is_plain and len(command.words) > len(CLAIM) and is_talk(said, lambda _: False)
    rest = "" if is_sure else command.rest.lstrip(",.;:!- ")
    is_apart = command.line.split(" ")[0][-1:] in tuple(",.;:!")
    is_meant &= is_apart and command.verb.text == "comment" and is_talk(rest, lambda _: False)
    is_meant &= len(rest.split()) > 1  # any other word may be a password
    text = "\n".join(filter(None, (rest, command.text)))
    raise Refusal(
        RefusalCode.TRAILING_TEXT,
        phrase(
            "to {word}, reply with the word {word} alone on its line",
            word=say_reply_word(word),
        ),
        *([] if is_sure or is_meant else [word if command.sender.board else command.form]),
        *([f"chat {command.line}"] if is_said else []),
        offer=Offer(word, text) if is_sure or is_meant else None,
    )


def _find_own_board(call: Call) -> Board | None:
    """Return the board whose mail was answered, if the sender holds a seat there."""
    number = call.command.sender.board
    if not number or call.player is None or reads.find_board(call.session, number) is None:
        return None
    board = load(call.session, number)
    return board if call.player.id in board.people else None


def _address_answer(call: Call, notice: Notice) -> Notice:
    """Return an answer with its addresses: those of the player who was identified, else From when
    it is a confirmed address. Without either it stays without an address."""
    if not notice.is_answer or notice.addresses:
        return notice
    if call.player is not None:
        addresses = reads.find_addresses(call.session, call.player.id)
        return replace(notice, addresses=addresses, player=call.player.id)
    if call.senders:
        sender = call.senders[0]
        return replace(notice, addresses=(call.command.sender.address,), player=sender.id)
    return notice
