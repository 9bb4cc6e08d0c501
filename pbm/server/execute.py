"""One command, executed: who sends it, may they, do it, and what everybody is told.

`authenticate` runs before any write lock is taken: it verifies the password (argon2id costs tens of
milliseconds). `execute` runs inside the caller's transaction and never commits."""

from __future__ import annotations

from dataclasses import replace

from pbm.config import Config
from pbm.games import UnknownGame
from pbm.server import account, boards, sleeping
from pbm.server.account import Player, Tally
from pbm.server.board import Asleep, load
from pbm.server.call import Call, handler
from pbm.server.command import Command, Sender, with_claim
from pbm.server.masking import without_password
from pbm.server.notice import Notice
from pbm.server.refusal import WRONG_PASSWORD, Refusal
from pbm.server.refusing import refused
from pbm.server.secrets import Secrets
from pbm.server.unplayable import missing
from pbm.server.verbs import VERBS
from pbm.server.words import bare, is_userid
from pbm.store import reads
from pbm.store.session import Session

_ANSWERED_FOR = 30 * account.DAY
"""How long after the end of a board its mails can be answered."""
_AGAINST = ("decline", "reject", "resign", "cancel")
"""Verbs that are the end of a board that sleeps."""


def authenticate(session: Session, command: Command, secrets: Secrets, config: Config,
                 now: float) -> Command:  # fmt: skip
    """The command with the proof that its password is right, if it is, with the hash of the new
    password it carries, and without a comment that holds the password. Reads only."""
    if command.sender.token is not None or command.verb.name == "preview":
        command = _claimed(session, command)
    if command.password and command.user:
        command = _proven(session, command, secrets, config, now)
    if "new_password" in command.verb.slots and command.words:
        command = _hashed(session, command, secrets)
    if command.text or (command.verb.name == "queue" and not command.password):
        command = without_password(session, command, secrets)
    most = config.limits.text
    if most and len(command.text) > most:
        command = replace(command, text=command.text[:most] + " ...")
    return command


def _claimed(session: Session, command: Command) -> Command:
    """With the userid and password that an answer claims beside its token."""

    def is_known(name: str) -> bool:
        return is_userid(name) and account.by_name(session, name) is not None

    def is_own(name: str) -> bool:
        return is_known(name) and name in _writers(session, command.sender)

    return with_claim(command, is_own, is_known)


def _writers(session: Session, sender: Sender) -> set[str]:
    """The players who may have written an answer, by their userids in lower case: those of its
    address, and the one whose mail it answers."""
    names = {player.name for player in account.by_address(session, sender.address)}
    token = sender.token
    if token is not None and token.kind == "u":
        player = account.by_id(session, token.number)
        names |= {player.name} if player is not None else set()
    elif token is not None:
        seats = reads.seats_of(session, token.number)
        names |= {seat.userid.lower() for seat in seats if seat.seat == token.seat}
    return names


def _proven(
    session: Session, command: Command, secrets: Secrets, config: Config, now: float
) -> Command:
    """With the proof, when the password is right as typed or without quotes and full stop."""
    for typed in dict.fromkeys((command.password, bare(command.password) or command.password)):
        tried = replace(command, password=typed)
        proof = _proof(session, tried, secrets, config, now)
        if proof is not None:
            return replace(tried, proof=proof)
    return command


def _hashed(session: Session, command: Command, secrets: Secrets) -> Command:
    """With the hash of the new password; for a signup also with the proof that an account of that
    name has just this password."""
    new = command.words[0][:64]
    if command.verb.needs_password:
        return replace(command, new_hash=secrets.hash_password(new))
    player = account.by_name(session, command.user)
    if player is not None and secrets.check_password(player.id, player.password, new):
        return replace(command, proof=(player.id, player.password))
    if player is not None and player.is_confirmed:
        return command
    return replace(command, new_hash=secrets.hash_password(new))


def _proof(
    session: Session, command: Command, secrets: Secrets, config: Config, now: float
) -> tuple[int, str] | None:
    player = account.by_name(session, command.user)
    if player is None:
        secrets.check_nobody(command.password)
        return None
    if secrets.remembers(player.id, player.password, command.password):
        return player.id, player.password
    if command.verb.name == "change password" and _is_reset_code(
        session, player, command, secrets, now
    ):
        return player.id, player.password
    most = config.limits.failures_a_day
    if most and reads.counted(session, f"failures {player.id}", account.day_of(now)) >= most:
        return None
    if secrets.check_password(player.id, player.password, command.password):
        return player.id, player.password
    return None


def _is_reset_code(
    session: Session, player: Player, command: Command, secrets: Secrets, now: float
) -> bool:
    """Whether a code of `forgot` stands in the place of the old password."""
    return reads.open_code(
        session, player.id, "reset", secrets.digest_of_code(command.password), now
    )


def execute(
    session: Session, command: Command, now: float, secrets: Secrets, config: Config,
    tally: Tally | None = None,
) -> list[Notice]:  # fmt: skip
    """Do the command and say who is told what. A refusal is a notice too and changes nothing but
    the count of wrong passwords. Never commits."""
    call = Call(session, command, now, secrets, config)
    try:
        _identify(call)
        if tally is not None:
            _count(call, tally)
        _require_alone(call)
        notices = _done(call)
    except Refusal as refusal:
        notices = [refused(call, refusal)]
    except UnknownGame as unknown:
        notices = [refused(call, missing(unknown.name))]
    if call.player is not None and not command.sender.operator:
        account.see(session, call.player, now)
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
    if not (left and notice.answer):
        return notice
    return replace(notice, data={**notice.data, "left": left})


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
    verb = call.command.verb.name
    with call.session.savepoint():
        if verb in _AGAINST:
            return sleeping.dropped(call, board)
        call.hold_back(board)
        comment = call.command.text if verb == "accept" else ""
        woken = boards.wake(call, board.id, comment)
    if verb == "accept":
        return woken
    try:
        with call.session.savepoint():
            done = _handled(call)
    except Refusal as refusal:
        done = [refused(call, refusal)]
    is_shown = any(notice.answer and notice.template == "board" for notice in done)
    return [*(notice for notice in woken if not (is_shown and notice.answer)), *done]


def refuse(
    session: Session, sender: Sender, refusal: Refusal, now: float, secrets: Secrets, config: Config
) -> list[Notice]:
    """The answer to a line that is a command and cannot be understood."""
    help_verb = next(verb for verb in VERBS if verb.name == "help")
    command = refusal.command or Command(help_verb, sender)
    call = Call(session, command, now, secrets, config)
    call.player = _by_token(call) if sender.token is not None else None
    return [_addressed(call, _with_left(call, refused(call, refusal)))]


def _count(call: Call, tally: Tally) -> None:
    """Count the command for who sends it; Refusal when that is too much for a day."""
    most = call.config.limits.mails_a_day
    who = call.player or next(iter(call.senders), None)
    if most and who is not None and tally.count(who.id, call.now) > most:
        raise Refusal(f"you have sent {most} commands today, which is all for a day")


def _require_alone(call: Call) -> None:
    """Refuse a sentence that merely begins with a word such as resign."""
    command, word = call.command, call.command.verb.name
    if not command.verb.alone or not command.words:
        return
    if command.sender.token is None:
        raise Refusal(f"{word} stands alone on its line", command.form)
    raise Refusal(f"to {word}, reply with the word {word} alone on its line", command.form)


def _identify(call: Call) -> None:
    """Find out who sends it: by password, by token, by the operator's word, by address."""
    command, session = call.command, call.session
    sender = command.sender
    if sender.operator and command.user:
        call.player = account.by_name(session, command.user)
        if call.player is None:
            raise Refusal("there is no player of that userid", "list")
    elif command.verb.needs_password and command.user:
        call.player = _by_password(call)
    elif sender.token is not None:
        call.player = _by_token(call)
    if call.player is not None and not call.player.is_active:
        state = call.player.state
        call.player = None
        raise Refusal(f"this account is {state}")
    if command.verb.needs_password and call.player is None:
        raise Refusal("userid and password are missing", _full_form(call))
    if call.player is not None and not call.player.is_confirmed:
        raise Refusal("your address is not confirmed yet", "confirm CODE")


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
    player = account.by_name(call.session, command.user)
    proof = command.proof
    if player is not None and proof == (player.id, player.password):
        return player
    if player is not None:
        account.count(call.session, f"failures {player.id}", call.now)
    raise Refusal(WRONG_PASSWORD, command.form)


def _by_token(call: Call) -> Player | None:
    """The player whose genuine token it is, when the mail came from one of that player's confirmed
    addresses."""
    token, session = call.command.sender.token, call.session
    player = row = None
    if token is not None and token.kind == "u":
        named = account.by_id(session, token.number)
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
            player = account.by_id(session, seated[token.seat].player_id)
    if player is None or all(sender.id != player.id for sender in call.senders):
        return None
    if row is not None and row.state == "sleeping":
        call.asleep = row.id
    return player


def _addressed(call: Call, notice: Notice) -> Notice:
    """An answer with the addresses where it belongs: those of the player who proved to be one, else
    From when it is a confirmed address. To anybody else it stays without an address."""
    if not notice.answer or notice.addresses:
        return notice
    if call.player is not None:
        addresses = reads.addresses_of(call.session, call.player.id)
        html = "picture" in notice.data and call.player.wants("mail", "text") == "html"
        return replace(notice, addresses=addresses, player=call.player.id, html=html)
    if call.senders:
        sender = call.senders[0]
        return replace(notice, addresses=(call.command.sender.address,), player=sender.id)
    return notice
