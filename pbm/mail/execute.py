"""Executes a mail that was verified: its commands, the answers to them (whom they go to, and what a
stranger gets in place of one) and its done mark."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import structlog
from msgspec.structs import replace
from sqlalchemy import bindparam, select
from sqlalchemy.exc import DBAPIError

from pbm.config import Config
from pbm.core.authenticate import find_senders, record_failures
from pbm.core.board import format_time
from pbm.core.command import CLAIM, Command
from pbm.core.limits import CHECKS
from pbm.core.links import mask_secrets
from pbm.core.notices import (
    CodeWaits,
    MailFailed,
    MailKept,
    MailSetAside,
    NoCommand,
    Notice,
    ProgramAsked,
    Refused,
    Stranger,
    Transcript,
    TranscriptPart,
)
from pbm.core.player import Player, find_players_by_address
from pbm.core.proofs import Act, Proof
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.submit import Answer, PartReply, Policy, Received, Submission, SubmissionPart, Unread
from pbm.core.talk import is_thanks
from pbm.core.trust import Writer, end_rhythm, guess_writer
from pbm.core.words import map_words_to_verbs
from pbm.features.accounts.admission import describe_signups
from pbm.features.accounts.rows import find_code_at, has_declined, is_waiting
from pbm.features.finding.notices import HelpPage
from pbm.features.intents.notices import Answered
from pbm.games import get_game, list_game_names, list_shown_names
from pbm.locale import ENGLISH, Page
from pbm.mail import bounces
from pbm.mail.body import read_note
from pbm.mail.find_commands import (
    FoundCommand,
    describe,
    describe_result,
    find_board_in_subject,
    is_question,
)
from pbm.mail.letter import Letter, Machine
from pbm.mail.pages import ShownPages, charge
from pbm.mail.read import IncomingMail, build_sender
from pbm.mail.receive import mask_text
from pbm.mail.render import render
from pbm.mail.services import MailServices
from pbm.rules.phrases import phrase
from pbm.store import inbound_queue, reads
from pbm.store.mail_outcome import MailOutcome, MailResult, NoAnswer
from pbm.store.tables import InboundRow, outbound
from pbm.store.transaction import Session

# Whom the answers go to, and what a stranger gets in place of one.

_FOR_STRANGERS = (Act.OPEN, Act.CODE)
_FEW_WORDS = 30
"""Words, with the subject, in which somebody asks what this is."""
_WORDS_OF_STOP = 2
_LINK = re.compile(r"://|\bwww\.|\w@\w", re.IGNORECASE)
_LINKED = re.compile(r"href\s*=\s*[\"']?http", re.IGNORECASE)
_TICKET = re.compile(r"\W*([A-Za-z]{2,}[-_#]?\d{4,}|\d{3,})(:|\W*$)")
"""A number alone, or behind letters, as tickets have it, and no board a place."""
_NOT_ANSWERED = phrase(
    "Your last mails came within minutes of ours, as those of a program do, and held the same "
    "command again or nothing that could be done. For ten minutes further ones like them are not "
    "answered. Moves and other commands, such as help, are answered as always."
)
_OF_MOVES = {
    RefusalCode.ILLEGAL_MOVE,
    RefusalCode.AMBIGUOUS_MOVE,
    RefusalCode.STALE,
    RefusalCode.TOO_LATE,
}
"""Why a line is refused that the game reads as a move."""


def is_for_strangers(entry: FoundCommand) -> bool:
    """Whether strangers may do it, or are refused in its own words."""
    return entry.command is not None and _is_open_to_strangers(entry.command.verb.name)


def _is_open_to_strangers(name: str) -> bool:
    """Whether a command of that name is one that needs no account, or brings a code."""
    return any(verb.act in _FOR_STRANGERS for verb in map_words_to_verbs().get(name, ()))


def refuse_unknown_sender() -> Refusal:
    """Return the refusal of an unknown sender: nothing was executed or shown."""
    return Refusal(
        RefusalCode.NOT_CONFIRMED,
        phrase("your address is not registered here, or not confirmed yet"),
    )


def _is_meant_for_us(mail: IncomingMail, letter: Letter) -> bool:
    """Whether a stranger seems to address this server: the mail answers one of its mails, has a
    whole command that anybody may send, an authenticated From, or may ask in a few words what this
    is. Other letters, mostly advertisements, are not greeted."""
    if letter.vouched or mail.token is not None or mail.answers:
        return True
    if mail.is_list and 2 * sum(each.command is not None for each in mail.entries) > len(
        mail.entries
    ):
        return True
    if any(is_for_strangers(entry) and _is_whole(entry) for entry in mail.entries):
        return True
    return not letter.in_reply_to and _is_short_note(mail.raw, letter)


def _is_short_note(raw: bytes, letter: Letter) -> bool:
    """Whether a letter is a few words without a link, and nothing is attached."""
    text = "\n".join([letter.subject, *letter.own_lines])
    if len(text.split()) > _FEW_WORDS or _LINK.search(text):
        return False
    texts = read_note(raw)
    return texts is not None and not any(map(_LINKED.search, texts))


def _is_whole(entry: FoundCommand) -> bool:
    """Whether a command has the words that it takes and no others: `confirm` and a code, `signup`
    with userid, password and addresses. Many an advertisement begins with one of these words."""
    command = entry.command
    if command is None or command.verb.name == "stop":
        return command is not None and (bool(command.line) or len(command.words) <= _WORDS_OF_STOP)
    needed = [slot for slot in command.verb.slots if slot[-1] not in "*+?" and slot not in CLAIM]
    words, others = command.words[: len(needed)], command.words[len(needed) :]
    is_code = "code" not in needed or any(map(str.isdigit, "".join(words)))
    return len(words) == len(needed) and is_code and all("@" in word for word in others)


def address_answers(
    services: MailServices,
    session: Session,
    mail: IncomingMail,
    letter: Letter,
    notices: Sequence[Notice],
) -> tuple[list[Notice], list[NoAnswer]]:
    """Return the notices of a mail's commands, with an address for each answer, and why others are
    not sent, the strongest reason first. How often they go out is decided where notices become
    mails (`pbm.core.trust`)."""
    reasons: list[NoAnswer] = []
    kept = list(notices)
    if mail.pages is not None and mail.pages.is_spent:
        kept = kept[:1]  # each line says the same
    kept = [
        each
        for notice in kept
        for each in _address(services, session, mail, letter, notice, reasons)
    ]
    if mail.is_stopped:
        kept = [_remove_address(letter.sender, notice) for notice in kept]
        reasons.insert(0, NoAnswer.STOPPED_ADDRESS)
    if letter.machine is Machine.SOFT:
        kept = [
            notice
            for notice in kept
            if not notice.is_failure and not isinstance(notice.content, HelpPage)
        ]
        reasons.append(NoAnswer.MACHINE)
    failures = [notice for notice in kept if notice.is_failure]
    is_ticket = _is_ticket(letter)
    if failures and not is_ticket and _refuses_moves(services, session, mail, failures):
        kept = [_mark_move(notice) if notice.is_failure else notice for notice in kept]
    else:
        answers = [each for each in kept if each.is_failure or isinstance(each.content, Answered)]
        own = [each for each in kept if each.is_answer]
        command = _find_command(mail) if len(answers) < len(own) else ""
        answers = own if command else answers
        is_answered = bool(answers)
        writer = _guess_writer(services, session, mail, letter, command, is_answered=is_answered)
        if command and writer is not Writer.PERSON:
            kept = [each if each.is_answer else replace(each, is_late=True) for each in kept]
        if writer is Writer.PROGRAM:
            kept = [
                replace(each, added=(_NOT_ANSWERED,)) if each in answers else each for each in kept
            ]
        again = [
            each
            for each in kept
            if _was_asked(each) or (writer is Writer.ASKED and each in answers)
        ]
        if again:
            kept = [each for each in kept if each not in again]
            reasons.append(NoAnswer.REPEATED)
    return kept, reasons


def _was_asked(notice: Notice) -> bool:
    return isinstance(notice.content, ProgramAsked) and notice.content.was_asked


def _mark_move(notice: Notice) -> Notice:
    content = notice.content
    return (
        replace(notice, content=replace(content, is_of_move=True))
        if isinstance(content, Refused)
        else notice
    )


def _address(
    services: MailServices,
    session: Session,
    mail: IncomingMail,
    letter: Letter,
    notice: Notice,
    reasons: list[NoAnswer],
) -> list[Notice]:
    """Return the notice; an answer with its address: those of the player whose password the mail
    holds, else a confirmed From, else what a stranger gets. Why it is not sent is added to
    `reasons`."""
    if not notice.is_answer or notice.addresses:
        return [notice]
    own = reads.find_addresses(session, mail.proven) if mail.proven else ()
    if own:
        return [replace(notice, addresses=own, player=mail.proven, is_unproved=False)]
    players = find_players_by_address(session, letter.sender)
    if players:
        return [replace(notice, addresses=(letter.sender,), player=players[0].id)]
    stranger = _answer_stranger(services, session, mail, letter, notice)
    if isinstance(stranger, Notice):
        return [stranger]
    reasons.append(stranger)
    return []


def _answer_stranger(
    services: MailServices, session: Session, mail: IncomingMail, letter: Letter, notice: Notice
) -> Notice | NoAnswer:
    """Return the page that a stranger gets as answer, or why there is none."""
    if letter.machine is not Machine.NO:
        return NoAnswer.STRANGER
    if not _is_meant_for_us(mail, letter):
        return NoAnswer.NOT_FOR_US
    content = notice.content
    is_asked = isinstance(content, Refused) and _is_open_to_strangers(content.verb)
    if not is_asked and has_declined(session, services.secrets, letter.sender):
        return NoAnswer.STOPPED
    waiting = find_code_at(session, letter.sender, mail.received)
    if waiting is not None and not is_asked:
        told = CodeWaits(userid=waiting.userid, asked=format_time(waiting.created, {}))
        notice = Notice(told, is_answer=True)
    elif not is_asked and notice.refusal is not RefusalCode.OTHER_ADDRESS:
        notice = Notice(_build_page(services.config, session, letter.sender), is_answer=True)
    return replace(
        notice,
        addresses=(letter.sender,),
        player=0,
        thread=None,
        language=notice.language or mail.language,
        is_unproved=True,
        asker=mail.asker if waiting is None else None,
    )


def _build_page(config: Config, session: Session, address: str) -> Stranger:
    """Return a page about this server, and who may sign up."""
    players = config.players
    shown = list_shown_names()
    return Stranger(
        games=shown,
        variants=len(list_game_names()) - len(shown),
        signups=describe_signups(players),
        may_join=players.signups != "closed",
        waits=is_waiting(session, address),
    )


def _is_ticket(letter: Letter) -> bool:
    """Whether a mail begins with a number as programs give it to a letter, and no game to a place:
    however it is read, it is nobody's command."""
    return any(_TICKET.match(line) for line in letter.own_lines[:1])


def _guess_writer(
    services: MailServices,
    session: Session,
    mail: IncomingMail,
    letter: Letter,
    command: str,
    *,
    is_answered: bool,
) -> Writer:
    """Return who seems to have written a mail that draws an answer from us: a refusal, that to a
    question, or that to a `command`. One with a password or a turn ends the row of them."""
    first = mail.entries[0] if mail.entries else None
    writer = _find_writer(services, session, first, mail.received) if first is not None else None
    people = [writer] if writer is not None else find_players_by_address(session, letter.sender)
    if not (is_answered or command) or not people:
        is_text = first is None or _is_ticket(letter) or _is_in_words(first)
        if writer is not None and not is_text:
            end_rhythm(session, writer.id)
        return Writer.PERSON
    return guess_writer(
        session,
        people[0],
        mail.received,
        services.config,
        max(mail.answers, default=0),
        is_error=True,
        command=command,
    )


def _find_command(mail: IncomingMail) -> str:
    """Return what a mail asks for that a program could ask for again and again, to compare it with
    other such mails: what a page is of, or what else is done; "" where it shows a password, a code
    or a turn."""
    commands = mail.commands
    is_other = any(
        each.password
        or each.verb.takes_ply
        or each.verb.stands_alone
        or each.verb.act is Act.CODE
        or each.offer
        for each in commands
    )
    if is_other or len(commands) < len(mail.entries):
        return ""
    return "\n".join(
        " ".join([each.verb.name, str(each.board), *each.words])
        if each.verb.is_read_only
        else each.verb.name
        for each in commands
    )


def _is_in_words(entry: FoundCommand) -> bool:
    """Whether an entry names no command: what a person says, or what may be a move."""
    command = entry.command
    return command is not None and (command.implied or is_question(entry))


def _refuses_moves(
    services: MailServices, session: Session, mail: IncomingMail, failures: Sequence[Notice]
) -> bool:
    """Whether the failures are moves that a player has provably sent, and that are read as
    moves: these are always answered."""
    if not mail.entries or not all(_refuses_move(mail.entries[0], each) for each in failures):
        return False
    return _find_writer(services, session, mail.entries[0], mail.received) is not None


def _find_writer(
    services: MailServices, session: Session, entry: FoundCommand, now: float
) -> Player | None:
    """Return the player who provably wrote a command, also one that cannot be read."""
    command = entry.meant or Command(map_words_to_verbs()["help"][0], entry.sender)
    command = replace(command, sender=entry.sender)
    people = find_senders(session, command, now, services.secrets, services.config)
    return people[0] if people else None


def _refuses_move(entry: FoundCommand, notice: Notice) -> bool:
    """Whether a notice refuses what may well be meant as a move: the game reads it as one, a
    password stands before it, each of its words may name a place, or the game takes orders, which
    people send in letters."""
    content, command = notice.content, entry.command
    if not isinstance(content, Refused) or command is None:
        return False
    if content.game in list_game_names() and "orders" in get_game(content.game).info.features:
        return True
    are_places = bool(command.words) and all(any(map(str.isdigit, w)) for w in command.words)
    is_meant = command.verb.has_moves and (are_places or bool(command.password))
    return is_meant or content.code in _OF_MOVES


def _remove_address(address: str, notice: Notice) -> Notice:
    """Return the notice to all of its addresses but one."""
    return replace(notice, addresses=tuple(each for each in notice.addresses if each != address))


# The commands of a mail are done.

COPIES_WITHIN = 600.0
"""Seconds in which the same mail, without Message-ID and Date, is taken for a copy."""


def execute_mail(
    services: MailServices, session: Session, mail: IncomingMail, now: float
) -> list[dict[str, Any]]:
    """Execute the mail's commands, mark it done and post what goes out: its rows in the queue.
    Never commits."""
    record_failures(session, mail.guessed, mail.received)
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
        notices = [_refuse_without_command(services, session, mail, letter)]
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
    is_reply = (mail.token is not None or letter.is_reply) and not letter.withheld
    return is_reply and is_thanks("\n".join(letter.own_lines))


def _refuse_without_command(
    services: MailServices, session: Session, mail: IncomingMail, letter: Letter
) -> Notice:
    """Return the answer to a mail that holds no command: what its writer, whose board's mail it may
    answer, can send, and, if it is proved who that is, what of it was not passed on."""
    players = find_players_by_address(session, letter.sender)
    userid = players[0].userid if len(players) == 1 else "USERID"
    is_named = bool(letter.subject.strip()) and not letter.is_reply
    is_empty = not (is_named or any(map(str.strip, letter.own_lines)))
    content = NoCommand(userid=userid, is_empty=is_empty)
    board = find_board_in_subject(letter.subject)
    if board is not None:
        content = replace(content, game=board[0], board=str(board[1]))
    sender = build_sender(services, mail, letter)
    is_proved = _find_writer(services, session, FoundCommand(sender, None), mail.received)
    told = [*filter(None, map(str.strip, letter.own_lines)), *letter.withheld]
    withheld = tuple(mask_secrets(line) for line in told if is_proved)
    return Notice(content, is_answer=True, is_unproved=True, withheld=withheld)


def _is_answered(sender: str, notices: Sequence[Notice]) -> bool:
    """Whether an answer goes out, or another mail to the sender."""
    return any(
        notice.addresses and (notice.is_answer or sender in notice.addresses) for notice in notices
    )


def _build_result(entries: Sequence[FoundCommand], replies: Sequence[PartReply]) -> MailResult:
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
