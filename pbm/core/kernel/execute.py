"""Executes one command in the caller's transaction; `submit` is the way to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace
from sqlalchemy.exc import DBAPIError

from pbm.config import Config
from pbm.core.kernel.authenticate import (
    find_by_token,
    identify,
    refuse_elsewhere,
    refuse_unset_password,
)
from pbm.core.kernel.boards.clocks import format_time
from pbm.core.kernel.boards.storing import Asleep, load
from pbm.core.kernel.boards.unplayable import refuse_missing_game
from pbm.core.kernel.feature import find_function, find_hooks
from pbm.core.kernel.language.call import Call, MustWrite
from pbm.core.kernel.language.command import Command, Sender, get_misread
from pbm.core.kernel.language.own_links import clean_command
from pbm.core.kernel.language.verbs import get_verb
from pbm.core.kernel.notices.mails import MailResumed, Unheard
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import Player, mark_seen, note_address, save_player
from pbm.core.kernel.players.stopped import (
    ALL,
    BOARDS,
    EVENTS,
    has_stopped,
    list_stopped,
    resume,
)
from pbm.core.kernel.proofs import Act
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.kernel.refusal_texts import build_refusal
from pbm.core.kernel.secrets import Secrets
from pbm.games import UnknownGame
from pbm.rules.phrases import phrase
from pbm.store import daily_counters, reads
from pbm.store.daily_counters import count_days
from pbm.store.transaction import Session

_MISNAMED = {
    RefusalCode.NO_SUCH_PLAYER,
    RefusalCode.NO_SUCH_TOPIC,
    RefusalCode.NO_SUCH_GAME,
    RefusalCode.BAD_ARGUMENT,
    RefusalCode.TRAILING_TEXT,
}
"""Refusals of a line whose words name nothing."""
Report: TypeAlias = Callable[[Command, Exception], None]
"""Takes notice of an error in the server at a command."""

_FAULT = phrase("an error in the server, which its operator finds in the log")


def execute(
    session: Session,
    command: Command,
    now: float,
    secrets: Secrets,
    config: Config,
    *,
    is_alone: bool = True,
    report: Report | None = None,
) -> list[Notice]:
    """Execute the command; its notices. A refusal is a notice too, and changes nothing. Never
    commits. An error is raised, or, with `report`, reported and refused where nothing would be
    tried again; not where the command `is_alone` in its mail, proven and may change something."""
    command = clean_command(command, config)
    call = Call(session, now, secrets, config, command=command)
    notices = _execute(call, report, is_alone=is_alone)
    if command.is_spent:
        for send in find_hooks("on_failures_spent"):
            notices += [_address_answer(call, notice) for notice in send(call)]
    notices = _mark_unproved(call, notices)
    if call.player is not None and not command.sender.operator:
        mark_seen(session, call.player, now)
        note_address(session, call.player, command.sender.to)
        notices = [_name_cause(notice, call.player.id) for notice in notices]
    return notices


def _mark_unproved(call: Call, notices: list[Notice]) -> list[Notice]:
    """Return the notices, which count in the budgets of their addresses unless it is known who sent
    the command."""
    if call.is_proved:
        return notices
    return [replace(notice, is_unproved=True) for notice in notices]


def _name_cause(notice: Notice, player: int) -> Notice:
    """Return the notice with the player who caused it, if it goes to somebody else and tells of no
    moves."""
    if notice.is_answer or notice.player in (0, player) or notice.content.is_move or notice.cause:
        return notice
    return replace(notice, cause=player)


def show(
    session: Session,
    command: Command,
    now: float,
    secrets: Secrets,
    config: Config,
    report: Report | None = None,
) -> list[Notice]:
    """Return what a read-only command shows. It only reads, so the caller counts it. Raise
    MustWrite when it would have to wake a board."""
    call = Call(session, now, secrets, config, command=command, reads_only=True)
    return _mark_unproved(call, _execute(call, report))


def _execute(call: Call, report: Report | None, *, is_alone: bool = True) -> list[Notice]:
    """Return the notices of the command, or of its refusal."""
    again: list[Notice] = []
    try:
        identify(call)
        if not call.reads_only:
            again = _start_mails_again(call)
            _count(call)
        _require_alone(call)
        if not call.command.verb.has_board:
            call.drop_comment()
        notices = [*_do_or_wake(call), *_say_unheard(call)]
    except Refusal as refusal:
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
    if call.command.left:
        notices = [_add_left_lines(call, notice) for notice in notices]
    return [*(_address_answer(call, notice) for notice in notices), *again]


def _start_mails_again(call: Call) -> list[Notice]:
    """Send mails again to a player who has stopped them and sends a command by mail: all of them,
    or those of the kind that the command is about. The player is told, once."""
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
    """Return the note to a player who is silenced that a comment went nowhere, once a day."""
    counter = f"unheard {call.me.id}" if call.is_unheard else ""
    if not counter or not daily_counters.allow(call.session, counter, call.now, 1):
        return []
    until = format_time(call.me.silenced or call.now, call.me.preferences)
    return [call.answer(Unheard(userid=call.me.userid, until=until))]


def _hold_back_moves(call: Call) -> None:
    """Note the moves below a command without text in a reply to a board's mail: they are named as
    not done."""
    command, board = call.command, call.command.sender.board
    if not (command.text and board) or command.verb.text or call.player is None:
        return
    if reads.find_board(call.session, board) is not None:
        call.remove_stray_moves(load(call.session, board))


def _add_left_lines(call: Call, notice: Notice) -> Notice:
    """Return an answer that names the lines which were not done."""
    left = call.command.left
    return replace(notice, left=left) if left and notice.is_answer else notice


def _call_handler(call: Call) -> list[Notice]:
    command = call.command
    verb = command.verb
    do = verb.implied if command.implied and verb.implied else verb.do
    try:
        if _may_be_said(call) and command.takes_nothing:
            raise Refusal(RefusalCode.TRAILING_TEXT, phrase("{verb} stands alone", verb=verb.name))
        notices: list[Notice] = find_function(do)(call)
    except Refusal as refusal:
        if not _may_be_said(call) or refusal.code not in _MISNAMED:
            raise
        notices = _take_as_said(call, refusal)
    _hold_back_moves(call)
    return notices


def _may_be_said(call: Call) -> bool:
    """Whether a reply to a board's mail that begins with a verb may be words to somebody: others
    follow, and none of them is a number."""
    command = call.command
    if not (command.line and command.words and command.sender.board and call.player is not None):
        return False
    is_plain = not (command.game or command.user or command.board or command.verb.stands_alone)
    return is_plain and not any(map(str.isdigit, command.line))


def _take_as_said(call: Call, refusal: Refusal) -> list[Notice]:
    """Do the line as one that names no verb; refused as the command that it seemed to be where it
    is not understood as words to somebody either."""
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
        said: list[Notice] = find_function(verb.implied)(call)
        return said
    except Refusal as second:
        if second.code is RefusalCode.SENTENCE:
            raise
        call.command = command
        raise refusal from None


def _do_or_wake(call: Call) -> list[Notice]:
    """Do the command; its notices. For a board that sleeps, features decide."""
    try:
        with call.session.savepoint():
            if call.asleep and call.command.verb.name != "stop":
                raise Asleep(call.asleep)
            return _call_handler(call)
    except Asleep as asleep:
        for wake in find_hooks("on_asleep"):
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
        count_commands(call.session, player, call.now, call.config)


def require_commands(session: Session, player: Player, now: float, config: Config) -> None:
    """Refuse a command when the player has used up those of the day."""
    most = config.limits.mails_a_day
    if most and daily_counters.count_on(session, f"commands {player.id}", count_days(now)) >= most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "you have used today's {most} commands: you can still move, and send the rest "
                "after 00:00 UTC",
                most=most,
            ),
        )


def count_commands(
    session: Session, player: Player, now: float, config: Config, count: int = 1
) -> None:
    """Count commands of a player for the day."""
    if config.limits.mails_a_day:
        daily_counters.increment(session, f"commands {player.id}", now, count)


def _require_alone(call: Call) -> None:
    """Refuse a sentence that merely begins with a word such as `resign`."""
    command, word = call.command, call.command.verb.name
    if not command.verb.stands_alone or not command.words:
        return
    if command.sender.token is None:
        raise Refusal(
            RefusalCode.TRAILING_TEXT,
            phrase("{word} must stand alone on its line", word=word),
            command.form,
        )
    raise Refusal(
        RefusalCode.TRAILING_TEXT,
        phrase("to {word}, reply with the word {word} alone on its line", word=word),
        command.form,
    )


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
