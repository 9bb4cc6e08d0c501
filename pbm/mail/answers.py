"""Whom the answers to a mail go to, and what a stranger gets in place of one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pbm.config import Config
from pbm.core.authenticate import find_senders
from pbm.core.board import format_time
from pbm.core.command import CLAIM, Command, get_misread
from pbm.core.notices import CodeWaits, Notice, ProgramAsked, Refused, Stranger
from pbm.core.player import Player, find_players_by_address
from pbm.core.proofs import Act
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.trust import Writer, end_rhythm, guess_writer
from pbm.core.words import map_words_to_verbs
from pbm.features.accounts.admission import describe_signups
from pbm.features.accounts.invitations import has_declined
from pbm.features.accounts.rows import find_code_at, is_waiting
from pbm.features.finding.notices import HelpPage
from pbm.features.intents.notices import Answered
from pbm.games import get_game, list_game_names, list_shown_names
from pbm.mail.body import read_note
from pbm.mail.find_commands import FoundCommand, is_question
from pbm.mail.incoming_mail import IncomingMail
from pbm.mail.letter import Letter, Machine
from pbm.mail.services import MailServices
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.mail_outcome import NoAnswer
from pbm.store.transaction import Session

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
    command = entry.command or get_misread(entry.refusal)
    command = command or Command(map_words_to_verbs()["help"][0], entry.sender)
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
