"""One command, executed: who sends it, may they, do it, and what everybody is told.

`authenticate` runs before any write lock is taken: it verifies the password (argon2id costs tens of
milliseconds). `execute` runs inside the caller's transaction and never commits."""

from __future__ import annotations

from dataclasses import replace

from pbm.config import Config
from pbm.core.commands import challenges, sleeping
from pbm.core.commands.accounts.passwords import send_unlock_code
from pbm.core.language.call import Call, handler
from pbm.core.language.parser import Command, Sender, misread_command, with_claim
from pbm.core.language.verbs import get_verb
from pbm.core.language.words import bare, is_userid
from pbm.core.model.board_store import Asleep, load
from pbm.core.model.notice import Notice
from pbm.core.model.notices.board_notices import BoardUpdate
from pbm.core.model.password_checks import Checks
from pbm.core.model.player import (
    Player,
    find_player,
    find_players_by_address,
    get_player,
    mark_seen,
)
from pbm.core.model.refusal import Refusal, RefusalCode, wrong_password
from pbm.core.model.secrets import Secrets
from pbm.core.model.unplayable import missing_game
from pbm.core.views.redaction import drop_password
from pbm.core.views.refusals import build_refusal
from pbm.games import UnknownGame
from pbm.store import daily_counters, reads
from pbm.store.daily_counters import DAY, day_of
from pbm.store.transaction import Session

_ANSWERED_FOR = 30 * DAY
"""How long after the end of a board its mails can be answered."""
_AGAINST = ("decline", "reject", "resign", "cancel")
"""Verbs that are the end of a board that sleeps."""


def authenticate(session: Session, command: Command, checks: Checks, now: float) -> Command:
    """The command with the proof that its password is right, if it is, with the hash of the new
    password it carries, and without a comment that holds the password. Reads only."""
    if command.sender.token is not None or command.verb.name == "preview":
        command = _claimed(session, command)
    if command.password and command.user:
        command = _proven(session, command, checks, now)
    if "new_password" in command.verb.slots and command.words:
        command = replace(command, new_hash=_hashed(command, checks))
    if command.text or (command.verb.name == "queue" and not command.password):
        people = senders(session, command, now, checks.secrets, checks.config)
        command = drop_password(command, people, checks)
    most = checks.config.limits.text
    if most and len(command.text) > most:
        command = replace(command, text=command.text[:most] + " ...")
    return command


def _hashed(command: Command, checks: Checks) -> str:
    """The hash of the new password; "" where the old one is wrong, and where the mail has had all
    that are hashed for it."""
    if command.password and command.proof is None:
        return ""
    return checks.hashed(command.words[0][:64])


def _claimed(session: Session, command: Command) -> Command:
    """With the userid and password that an answer claims beside its token."""

    def is_known(name: str) -> bool:
        return is_userid(name) and find_player(session, name) is not None

    def is_own(name: str) -> bool:
        return is_known(name) and name in _writers(session, command.sender)

    return with_claim(command, is_own, is_known)


def _writers(session: Session, sender: Sender) -> set[str]:
    """The players who may have written an answer, by their userids in lower case: those of its
    address, and the one whose mail it answers."""
    names = {player.name for player in find_players_by_address(session, sender.address)}
    token = sender.token
    if token is not None and token.kind == "u":
        player = get_player(session, token.number)
        names |= {player.name} if player is not None else set()
    elif token is not None:
        seats = reads.seats_of(session, token.number)
        names |= {seat.userid.lower() for seat in seats if seat.seat == token.seat}
    return names


def _proven(session: Session, command: Command, checks: Checks, now: float) -> Command:
    """With the proof, when the password is right as typed or without quotes and full stop."""
    player = find_player(session, command.user)
    typed = command.password
    if (
        player is not None
        and command.verb.name == "change password"
        and reads.open_code(session, player.id, "reset", checks.secrets.digest_of_code(typed), now)
    ):
        return replace(command, proof=(player.id, player.password))  # a code of `forgot`
    right = checks.is_right(session, player, (typed, bare(typed) or typed), now)
    if player is not None and right is not None:
        return replace(command, password=right, proof=(player.id, player.password))
    is_spent = player is not None and player.id in checks.spent
    return replace(command, is_spent=is_spent)


def senders(
    session: Session, command: Command, now: float, secrets: Secrets, config: Config
) -> tuple[Player, ...]:
    """The players who are proven to have sent the command: by a password that was verified, by
    token, by the operator, or by a From that may be believed."""
    call = Call(session, command, now, secrets, config)
    if command.password or command.sender.operator:
        is_proven = command.proof is not None or command.sender.operator
        player = find_player(session, command.user) if is_proven else None
    elif command.sender.token is not None:
        player = _by_token(call)
    else:
        return call.vouched
    return (player,) if player is not None else ()


def execute(
    session: Session,
    command: Command,
    now: float,
    secrets: Secrets,
    config: Config,
    *,
    may_wait: bool = False,
) -> list[Notice]:
    """Do the command and say who is told what. A refusal is a notice too and changes nothing.
    Never commits. With `may_wait` it raises Unverified when a word has to be verified first."""
    call = Call(session, command, now, secrets, config, may_wait=may_wait)
    notices = _answered(call)
    if command.is_spent:
        notices += [_addressed(call, notice) for notice in send_unlock_code(call)]
    if call.player is not None and not command.sender.operator:
        mark_seen(session, call.player, now)
    return notices


def look(
    session: Session, command: Command, now: float, secrets: Secrets, config: Config
) -> list[Notice]:
    """What a command that changes nothing shows. It only reads: whoever calls it counts it.
    MustWrite when it would wake a board."""
    return _answered(Call(session, command, now, secrets, config, reads_only=True))


class MustWrite(Exception):
    """A command that only looks changes something after all."""


def _answered(call: Call) -> list[Notice]:
    """Who is told what of the command, or why it is not done."""
    try:
        _identify(call)
        if not call.reads_only:
            _count(call)
        _require_alone(call)
        notices = _done(call)
    except Refusal as refusal:
        notices = [build_refusal(call, refusal)]
    except UnknownGame as unknown:
        notices = [build_refusal(call, missing_game(unknown.name))]
    return [_addressed(call, _with_left(call, notice)) for notice in notices]


def _hold_back(call: Call) -> None:
    """Find the moves below a command that passes nothing on, in an answer to a board's mail."""
    command, board = call.command, call.command.sender.board
    if not (command.text and board) or command.verb.text or call.player is None:
        return
    if reads.board(call.session, board) is not None:
        call.hold_back(load(call.session, board))


def _with_left(call: Call, notice: Notice) -> Notice:
    """An answer with the lines that were not done."""
    left = call.command.left
    if not (left and notice.is_answer):
        return notice
    return replace(notice, left=left)


def _handled(call: Call) -> list[Notice]:
    notices = handler(call.command.verb.do)(call)
    _hold_back(call)
    return notices


def _done(call: Call) -> list[Notice]:
    """What the command does. A board that sleeps wakes first, and stays awake when the command is
    refused."""
    try:
        with call.session.savepoint():
            if call.asleep:
                raise Asleep(call.asleep)
            return _handled(call)
    except Asleep as asleep:
        board = load(call.session, asleep.number, asleep=True)
        if call.player is None or not sleeping.is_challenger(board, call.player.id):
            raise
        if call.reads_only:
            raise MustWrite from None
    verb = call.command.verb.name
    with call.session.savepoint():
        if verb in _AGAINST:
            return sleeping.dropped(call, board)
        call.hold_back(board)
        comment = call.command.text if verb == "accept" else ""
        woken = challenges.wake(call, board.id, comment)
    if verb == "accept":
        return woken
    try:
        with call.session.savepoint():
            done = _handled(call)
    except Refusal as refusal:
        done = [build_refusal(call, refusal)]
    is_shown = any(n.is_answer and isinstance(n.content, BoardUpdate) for n in done)
    return [*(notice for notice in woken if not (is_shown and notice.is_answer)), *done]


def refuse(
    session: Session, sender: Sender, refusal: Refusal, now: float, secrets: Secrets, config: Config
) -> list[Notice]:
    """The answer to a line that is a command and cannot be understood."""
    command = replace(misread_command(refusal) or Command(get_verb("help"), sender), sender=sender)
    call = Call(session, command, now, secrets, config)
    call.player = _by_token(call) if sender.token is not None else None
    return [_addressed(call, _with_left(call, build_refusal(call, refusal)))]


def _count(call: Call) -> None:
    """Count the command for the player who is proven to send it; Refusal when that is too much for
    a day. What is done at one's own boards is not counted: a move is never refused for it."""
    verb = call.command.verb
    who = call.player or next(iter(call.vouched), None)
    if who is None or call.command.sender.via != "mail":
        return
    if not (verb.has_board and (verb.takes_ply or verb.is_final)):
        require_commands(call.session, who, call.now, call.config)
        count_commands(call.session, who, call.now, call.config)


def require_commands(session: Session, player: Player, now: float, config: Config) -> None:
    """Refuse what comes after the last command that a player has for a day."""
    most = config.limits.mails_a_day
    if most and daily_counters.count_on(session, f"commands {player.id}", day_of(now)) >= most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            f"you have used today's {most} commands: moves go on, the rest at 00:00 UTC",
        )


def count_commands(
    session: Session, player: Player, now: float, config: Config, count: int = 1
) -> None:
    """Count so many commands of a player for the day."""
    if config.limits.mails_a_day:
        daily_counters.increment(session, f"commands {player.id}", now, count)


def _require_alone(call: Call) -> None:
    """Refuse a sentence that merely begins with a word such as resign."""
    command, word = call.command, call.command.verb.name
    if not command.verb.stands_alone or not command.words:
        return
    if command.sender.token is None:
        raise Refusal(RefusalCode.TRAILING_TEXT, f"{word} stands alone on its line", command.form)
    raise Refusal(
        RefusalCode.TRAILING_TEXT,
        f"to {word}, reply with the word {word} alone on its line",
        command.form,
    )


def _identify(call: Call) -> None:
    """Find out who sends it: by password, by token, by the operator's word, by address."""
    command, session = call.command, call.session
    sender = command.sender
    if sender.operator and command.user:
        call.player = find_player(session, command.user)
        if call.player is None:
            raise Refusal(RefusalCode.NO_SUCH_PLAYER, "there is no player of that userid", "list")
    elif command.verb.needs_password and command.user:
        call.player = _by_password(call)
    elif sender.token is not None:
        call.player = _by_token(call)
    if call.player is not None and not call.player.is_active:
        state = call.player.state
        call.player = None
        raise Refusal(
            RefusalCode.SUSPENDED if state == "suspended" else RefusalCode.ACCOUNT_CLOSED,
            f"this account is {state}",
        )
    if command.verb.needs_password and call.player is None:
        raise Refusal(
            RefusalCode.NOT_IDENTIFIED, "userid and password are missing", _full_form(call)
        )
    if call.player is not None and not call.player.is_confirmed:
        raise Refusal(
            RefusalCode.NOT_CONFIRMED, "your address is not confirmed yet", "confirm CODE"
        )


def _full_form(call: Call) -> str:
    """The form that needs no reply token, with the board that the token names in the open."""
    command, token = call.command, call.command.sender.token
    if token is None or token.kind != "b":
        return command.form
    row = reads.board(call.session, token.number)
    form = command.verb.form(row.game if row is not None else command.game or "GAME")
    return form.replace("{board}", str(token.number))


def _by_password(call: Call) -> Player:
    command = call.command
    player = find_player(call.session, command.user)
    proof = command.proof
    if player is not None and proof == (player.id, player.password):
        return player
    if player is not None and command.is_spent and _writes_from_own(call, player):
        raise Refusal(
            RefusalCode.TOO_MANY_GUESSES,
            "too many wrong passwords today: another mail brings a code that helps",
        )
    raise wrong_password(command.form)


def _by_token(call: Call) -> Player | None:
    """The player whose genuine token it is, when the mail came from one of that player's confirmed
    addresses."""
    token, session = call.command.sender.token, call.session
    player = row = None
    if token is not None and token.kind == "u":
        named = get_player(session, token.number)
        if named is not None and call.secrets.is_genuine(token, named.password, now=call.now):
            player = named
    elif token is not None and token.kind == "b":
        row = reads.board(session, token.number)
        if row is None or (row.ended is not None and call.now > row.ended + _ANSWERED_FOR):
            return None
        seated = reads.seats_of(session, token.number)
        if token.seat < len(seated) and any(
            call.secrets.is_genuine(token, seated[token.seat].password, undos=undos)
            for undos in range(row.undos, -1, -1)
        ):
            player = get_player(session, seated[token.seat].player_id)
    if player is None or not _writes_from_own(call, player):
        return None
    if row is not None and row.state == "sleeping":
        call.asleep = row.id
    return player


def _writes_from_own(call: Call, player: Player) -> bool:
    """Whether From is one of the player's confirmed addresses."""
    return any(sender.id == player.id for sender in call.senders)


def _addressed(call: Call, notice: Notice) -> Notice:
    """An answer with the addresses where it belongs: those of the player who proved to be one, else
    From when it is a confirmed address. To anybody else it stays without an address."""
    if not notice.is_answer or notice.addresses:
        return notice
    if call.player is not None:
        addresses = reads.addresses_of(call.session, call.player.id)
        html = call.player.wants("mail", "text") == "html" and notice.content.drawing is not None
        return replace(notice, addresses=addresses, player=call.player.id, html=html)
    if call.senders:
        sender = call.senders[0]
        return replace(notice, addresses=(call.command.sender.address,), player=sender.id)
    return notice
