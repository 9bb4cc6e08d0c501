"""Limits who is answered, and how often: strangers, programs, and whoever repeats an error."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pbm.config import Config
from pbm.core.authenticate import find_senders
from pbm.core.board import format_time
from pbm.core.command import Command, get_misread
from pbm.core.limits import STRANGERS, Limit, spend
from pbm.core.notices import CodeWaits, ErrorsOver, Notice, ProgramAsked, Refused, Stranger
from pbm.core.player import Player, find_players_by_address
from pbm.core.proofs import Act
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.secrets import Secrets
from pbm.core.trust import end_rhythm, has_budget, is_rhythmic
from pbm.core.words import map_words_to_verbs
from pbm.features.accounts.admission import describe_signups
from pbm.features.accounts.invitations import has_declined
from pbm.features.finding.notices import HelpPage
from pbm.games import get_game, list_game_names, list_shown_names
from pbm.mail.find_commands import FoundCommand
from pbm.mail.incoming_mail import IncomingMail
from pbm.mail.letter import Letter, Machine
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.mail_outcome import NoAnswer
from pbm.store.reads.account_rows import find_code_at, is_waiting
from pbm.store.transaction import Session

_FOR_STRANGERS = (Act.OPEN, Act.CODE)
_FEW_WORDS = 30
"""Words, with the subject, in which somebody asks what this is."""
_LINK = re.compile(r"://|\bwww\.|\w@\w", re.IGNORECASE)
_LINKED = re.compile(rb"href\s*=\s*[\"']?http", re.IGNORECASE)
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
    """Whether a stranger seems to know whom the mail goes to: it answers one of ours, has a command
    that anybody may send, its From is authenticated, or it is a few words without a link. Other
    letters, of which most are advertisements, are not greeted."""
    if letter.vouched or mail.is_list or mail.token is not None or letter.in_reply_to:
        return True
    if any(is_for_strangers(entry) for entry in mail.entries):
        return True
    text = "\n".join([letter.subject, *letter.own_lines])
    return len(text.split()) <= _FEW_WORDS and not (_LINK.search(text) or _LINKED.search(mail.raw))


def _address_stranger(notice: Notice, mail: IncomingMail, letter: Letter) -> Notice:
    """Return an answer to somebody whom we do not know, in the language of the mail of ours that
    they answer."""
    language = notice.language or mail.language
    return replace(
        notice,
        addresses=(letter.sender,),
        player=0,
        thread=None,
        language=language,
        is_unproved=True,
    )


class AnswerLimits:
    """Decides which answers to a mail go out. The daily counters are written in the transaction
    that executes the mail."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        self._config = config
        self._secrets = secrets

    def apply(
        self,
        session: Session,
        mail: IncomingMail,
        letter: Letter,
        notices: Sequence[Notice],
        now: float,
    ) -> tuple[list[Notice], list[NoAnswer]]:
        """Return the notices that go out, and why others do not, the strongest reason first."""
        reasons: list[NoAnswer] = []
        kept = list(notices)
        if mail.pages is not None and mail.pages.is_spent:
            kept = kept[:1]  # each line says the same
        kept = self._address_answers(session, mail, letter, kept, now, reasons)
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
        if failures and self._refuses_moves(session, mail, failures):
            return kept, reasons
        if self._is_program(session, mail, letter, is_failure=bool(failures)):
            kept = [
                replace(notice, content=ProgramAsked()) if notice.is_answer else notice
                for notice in kept
                if notice.is_answer or not notice.is_failure
            ]
        elif any(notice.is_answer for notice in failures):
            kept = self._limit_errors(session, mail, kept, now, reasons)
        return self._ask_once(session, kept, now, reasons), reasons

    def _ask_once(
        self, session: Session, notices: Sequence[Notice], now: float, reasons: list[NoAnswer]
    ) -> list[Notice]:
        """Return the notices without the question whether this is a program, where it was asked
        today: whoever is one answers that too."""
        kept = []
        for notice in notices:
            is_question = isinstance(notice.content, ProgramAsked)
            if not is_question or spend(session, Limit.ASKED, notice.player, now, self._config):
                kept.append(notice)
            else:
                reasons.append(NoAnswer.REPEATED)
        return kept

    def _address_answers(
        self,
        session: Session,
        mail: IncomingMail,
        letter: Letter,
        notices: Sequence[Notice],
        now: float,
        reasons: list[NoAnswer],
    ) -> list[Notice]:
        """Return the notices with an address for each answer: those of the player whose password
        the mail holds, else a confirmed From, else what a stranger gets. Why others are not sent is
        added to `reasons`."""
        kept: list[Notice] = []
        for notice in notices:
            if not notice.is_answer or notice.addresses:
                is_elsewhere = notice.refusal is RefusalCode.OTHER_ADDRESS
                if is_elsewhere and not spend(
                    session, Limit.ELSEWHERE, letter.sender, now, self._config
                ):
                    reasons.append(NoAnswer.REPEATED)
                else:
                    kept.append(notice)
                continue
            own = reads.find_addresses(session, mail.proven) if mail.proven else ()
            if own:
                answer = replace(notice, addresses=own, player=mail.proven, is_unproved=False)
                kept.append(answer)
                continue
            players = find_players_by_address(session, letter.sender)
            if players:
                player = players[0].id
                kept.append(replace(notice, addresses=(letter.sender,), player=player))
                continue
            stranger = self._answer_stranger(session, mail, letter, notice, now)
            if isinstance(stranger, Notice):
                kept.append(stranger)
            else:
                reasons.append(stranger)
        return kept

    def _answer_stranger(
        self, session: Session, mail: IncomingMail, letter: Letter, notice: Notice, now: float
    ) -> Notice | NoAnswer:
        """Return what a stranger gets in place of an answer, or why nothing more."""
        if letter.machine is not Machine.NO:
            return NoAnswer.STRANGER
        if not _is_meant_for_us(mail, letter):
            return NoAnswer.NOT_FOR_US
        is_asked = isinstance(notice.content, Refused) and _is_open_to_strangers(
            notice.content.verb
        )
        if not is_asked and has_declined(session, self._secrets, letter.sender):
            return NoAnswer.STOPPED
        if not has_budget(session, letter.sender, now, self._config):
            return NoAnswer.UNPROVED_SPENT
        content, who = notice.content, mail.asker
        is_signup = isinstance(content, Refused) and _is_open_to_strangers(content.verb)
        waiting = find_code_at(session, letter.sender, now)
        if waiting is None and not STRANGERS.has_room(session, who, now, self._config):
            STRANGERS.turn_away(session, who, now)
            return NoAnswer.STRANGERS_SPENT
        is_elsewhere = notice.refusal is RefusalCode.OTHER_ADDRESS
        if waiting is None and not is_signup and self._config.limits.unproved_a_day:
            # Both say all there is to say: a program that answers them hears nothing more.
            once = Limit.ELSEWHERE if is_elsewhere else Limit.PAGE
            if not spend(session, once, letter.sender, now, self._config):
                return NoAnswer.STRANGER
        STRANGERS.take(session, who, now, self._config)
        if is_signup or (waiting is None and is_elsewhere):
            return _address_stranger(notice, mail, letter)
        if waiting is None:
            return _address_stranger(self._build_page(session, letter.sender), mail, letter)
        told = CodeWaits(userid=waiting.userid, asked=format_time(waiting.created, {}))
        return _address_stranger(Notice(told, is_answer=True), mail, letter)

    def _build_page(self, session: Session, address: str) -> Notice:
        """Return what this server is, and who may sign up."""
        players = self._config.players
        shown = list_shown_names()
        content = Stranger(
            games=shown,
            variants=len(list_game_names()) - len(shown),
            signups=describe_signups(players),
            may_join=players.signups != "closed",
            waits=is_waiting(session, address),
        )
        return Notice(content, is_answer=True)

    def _is_program(
        self, session: Session, mail: IncomingMail, letter: Letter, *, is_failure: bool
    ) -> bool:
        """Whether the mail, like others before it, holds no command and comes within minutes of our
        last one, as those of a program do. A mail with a command ends the row of them."""
        first = mail.entries[0] if mail.entries else None
        writer = self._find_writer(session, first, mail.received) if first is not None else None
        if first is not None and not (first.command is not None and first.command.implied):
            if writer is not None and not is_failure:
                end_rhythm(session, writer.id)
            return False
        people = [writer] if writer is not None else find_players_by_address(session, letter.sender)
        answered = max(mail.answers, default=0)
        return is_failure and any(
            is_rhythmic(session, each, mail.received, self._config, answered, is_error=True)
            for each in people[:1]
        )

    def _refuses_moves(
        self, session: Session, mail: IncomingMail, failures: Sequence[Notice]
    ) -> bool:
        """Whether the failures are moves that a player has provably sent, and that are read as
        moves: these are always answered."""
        if not mail.entries or not all(_refuses_move(mail.entries[0], each) for each in failures):
            return False
        return self._find_writer(session, mail.entries[0], mail.received) is not None

    def _limit_errors(
        self,
        session: Session,
        mail: IncomingMail,
        notices: list[Notice],
        now: float,
        reasons: list[NoAnswer],
    ) -> list[Notice]:
        """Return the notices, without errors once a day's answers to errors are used up. The sender
        is told so once. They are counted for the player who provably wrote: what proves nothing has
        the budget of its address."""
        first = mail.entries[0] if mail.entries else None
        player = self._find_writer(session, first, mail.received) if first is not None else None
        if first is None or player is None:
            return notices
        config = self._config
        if spend(session, Limit.ERRORS, player.id, now, config):
            return notices
        kept = [notice for notice in notices if not notice.is_failure]
        if spend(session, Limit.ERRORS_OVER, player.id, now, config):
            answer = next(notice for notice in notices if notice.is_failure and notice.is_answer)
            kept.append(replace(answer, content=ErrorsOver(), left=()))
        else:
            reasons.append(NoAnswer.ERRORS_SPENT)
        return kept

    def _find_writer(self, session: Session, entry: FoundCommand, now: float) -> Player | None:
        """Return the player who provably wrote a command, also one that cannot be read."""
        command = entry.command or get_misread(entry.refusal)
        command = command or Command(map_words_to_verbs()["help"][0], entry.sender)
        command = replace(command, sender=entry.sender)
        people = find_senders(session, command, now, self._secrets, self._config)
        return people[0] if people else None


def _refuses_move(entry: FoundCommand, notice: Notice) -> bool:
    """Whether a notice refuses what may well be meant as a move: the game reads it as one, a verb
    says so, it is one word that may name a place, or the game takes orders, which people send in
    letters."""
    content, command = notice.content, entry.command
    if not isinstance(content, Refused) or command is None:
        return False
    if content.game in list_game_names() and "orders" in get_game(content.game).info.features:
        return True
    is_word = len(command.words) == 1 and any(map(str.isdigit, command.words[0]))
    if content.code in (RefusalCode.NOT_A_MOVE, RefusalCode.SENTENCE, RefusalCode.WRONG_TURN):
        return is_word or not command.implied
    return content.code in _OF_MOVES


def _remove_address(address: str, notice: Notice) -> Notice:
    """Return the notice to all of its addresses but one."""
    return replace(notice, addresses=tuple(each for each in notice.addresses if each != address))
