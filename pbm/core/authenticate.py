"""Finds out who sends a command: by password, by reply token, by the operator's word or by an
address that may be believed.

`authenticate` verifies passwords before any write lock is taken, as argon2id costs tens of
milliseconds; `identify` runs inside the transaction and trusts its proof.

Password checks are limited for each mail; failures count for a day. After too many the account
accepts no password for the day, unless its owner confirms a code that was mailed to it
(`confirm CODE`), which allows as many again. Reply tokens still work, so that nobody can lock a
player out.

A program has no reply token. So where it is known from which network a password comes, networks
from which the right one came lately have tries of their own, which nobody else can use up; all
others share some, of which one network has a quarter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from math import inf

import msgspec
from msgspec.structs import replace
from sqlalchemy import bindparam, select, update

from pbm.config import Config
from pbm.core.call import Call
from pbm.core.clock import DAY
from pbm.core.command import Command, NotACommand, Sender
from pbm.core.context import Context
from pbm.core.feature import find_replies, list_verbs
from pbm.core.intents import Intent, Occasion, begins_with_until, read_agreement, read_wish
from pbm.core.limits import CHECKS, Asker, Limit, Tally, add, count
from pbm.core.links import drop_password, has_secret
from pbm.core.parser import apply_claim, read_reply_line
from pbm.core.player import (
    WAITING,
    Player,
    find_player,
    find_players_by_address,
    find_similar_player,
    get_player,
)
from pbm.core.proofs import OLD_FORM_LASTS, Proof, is_worth, outlives_board
from pbm.core.refusal import Offer, Refusal, RefusalCode, refuse_password, refuse_waiting
from pbm.core.secrets import Secrets, Token, bind_member
from pbm.core.storing import BoardSleeping, load
from pbm.core.talk import is_move, read_consent
from pbm.core.words import get_verb, is_userid, map_words_to_verbs, trim_word
from pbm.games import UnknownGame
from pbm.locale.words import list_meanings
from pbm.rules import Position
from pbm.rules.phrases import phrase
from pbm.store import daily_counters, reads
from pbm.store.daily_counters import count_days
from pbm.store.prefetched import build_binding
from pbm.store.reads import read_setting
from pbm.store.rows import Query, Row
from pbm.store.tables import BoardRow, outbound
from pbm.store.transaction import Session

# Checks of passwords, and how many may fail.

_KNOWN_DAYS = 14
"""The days for which a network is known, while counters are kept."""


class PasswordChecks:
    """The password checks of one mail. Those for a stranger, `asker`, have a share of an hour: once
    it is used up, argon2 verifies nothing for strangers, whether or not the userid exists.

    wrong         an account for each wrong password, for `record_failures`
    failures      the same as what is to be counted, where `network` is where it comes from
    spent         accounts with too many failures today
    vain          how many passwords argon2 verified of which none was right
    is_unchecked  a password was not verified because the share of the hour was used up

    `guesses` is what the process has counted for earlier mails.
    """

    def __init__(
        self,
        secrets: Secrets,
        config: Config,
        guesses: Tally | None = None,
        asker: Asker | None = None,
        network: str = "",
    ) -> None:
        self.wrong: list[int] = []
        self.failures: list[tuple[Limit, str]] = []
        self._network = network
        self.spent: set[int] = set()
        self.vain = 0
        self.is_unchecked = False
        self.secrets = secrets
        self.config = config
        self._guesses = guesses or Tally(Limit.FAILURES)
        self._asker = asker
        self._left = self._hashes_left = config.limits.passwords_a_mail or inf
        self._refuted: set[tuple[int, str]] = set()

    def find_password(
        self, session: Session, player: Player | None, candidates: Iterable[str], now: float
    ) -> str | None:
        """Return the one of these spellings that is the player's password, or None. Takes as long
        for a player who does not exist or may not act."""
        spellings = tuple(dict.fromkeys(candidates))
        if player is None or not player.is_active:
            self._check_nobody(session, spellings, now)
            return None
        budgets = self._list_budgets(session, player, now)
        if self._is_spent(session, player, budgets, now, look=False):
            self._check_nobody(session, spellings, now)
            return None
        for word in spellings:
            if self.secrets.is_remembered(player.id, player.password, word):
                return word
        if self._is_spent(session, player, budgets, now, look=True):
            self._check_nobody(session, spellings, now)
            self._add_guess(budgets, now)
            return None
        if all((player.id, word) in self._refuted for word in spellings):
            return None
        if self._may_verify(session, now):
            for word in spellings:
                if self._verifies(player, word):
                    return word
        elif not self.secrets.has_remembered(player.id, player.password):
            return None
        self.wrong.append(player.id)  # also where another is remembered: it is wrong then
        self.failures += budgets
        self._add_guess(budgets, now)
        return None

    def _add_guess(self, budgets: Iterable[tuple[Limit, str]], now: float) -> None:
        for budget in budgets:
            self._guesses.add(budget, now)

    def _list_budgets(
        self, session: Session, player: Player, now: float
    ) -> list[tuple[Limit, str]]:
        """Return the limits that a wrong password of this player counts for, and whom it is counted
        for."""
        if not self._network:
            return [(Limit.FAILURES, str(player.id))]
        own = f"{player.id} {self._network}"
        if knows_network(session, player.id, self._network, now):
            return [(Limit.FAILURES_AT_HOME, own)]
        return [(Limit.FAILURES_BY, own), (Limit.FAILURES_ELSEWHERE, str(player.id))]

    def hash_new_password(self, password: str) -> str:
        """Return the hash of a new password; "" when the mail has used up its hashes."""
        if self._hashes_left <= 0:
            return ""
        self._hashes_left -= 1
        return self.secrets.hash_password(password)

    def _verifies(self, player: Player, word: str) -> bool:
        """Whether argon2 verifies the password; False when the mail has used up its checks."""
        if (player.id, word) in self._refuted or self._left <= 0:
            return False
        self._left -= 1
        if self.secrets.check_password(player.id, player.password, word):
            return True
        self.vain += 1
        self._refuted.add((player.id, word))
        return False

    def _may_verify(self, session: Session, now: float) -> bool:
        """Whether argon2 may verify something: always, but for strangers."""
        if self._asker is None:
            return True
        is_allowed = CHECKS.has_room(session, self._asker, now, self.config)
        self.is_unchecked |= not is_allowed
        return is_allowed

    def _check_nobody(self, session: Session, spellings: tuple[str, ...], now: float) -> None:
        if not self._may_verify(session, now):
            return
        for word in spellings:
            if self._left > 0 and (0, word) not in self._refuted:
                self._left -= 1
                self.vain += 1
                self._refuted.add((0, word))
                self.secrets.check_nobody(word)

    def _is_spent(
        self,
        session: Session,
        player: Player,
        budgets: Iterable[tuple[Limit, str]],
        now: float,
        *,
        look: bool,
    ) -> bool:
        """Whether there were too many failures today, by this process's count or, with `look`, by
        the database's."""
        for limit, who in budgets:
            most = limit.find_most(self.config)
            seen = self._guesses.count((limit, who), now)
            if look and most:
                seen = max(seen, count(session, limit, who, now))
            if not most or seen < most:
                continue
            key = _build_unlocked_key(player.id)
            if seen >= most * (1 + daily_counters.count_on(session, key, count_days(now))):
                self._guesses.set((limit, who), now, seen)
                self.spent.add(player.id)
                return True
        return False


def record_failures(session: Session, wrong: Iterable[int], now: float) -> None:
    """Store a failure for each of these accounts."""
    for player in wrong:
        add(session, Limit.FAILURES, player, now)


def knows_network(
    session: Session, player: int, network: str, now: float, days: int = _KNOWN_DAYS
) -> bool:
    """Whether the right password of a player came from a network in the last days."""
    since = count_days(now) - (days - 1)
    return daily_counters.count_since(session, _build_network_key(player, network), since) > 0


def note_network(session: Session, player: int, network: str, now: float) -> None:
    """Note that the right password of a player came from a network."""
    daily_counters.increment(session, _build_network_key(player, network), now)


def _build_network_key(player: int, network: str) -> str:
    return f"right password {player} {network}"


def unlock(session: Session, player: int, now: float) -> None:
    """Allow as many wrong passwords again today."""
    daily_counters.increment(session, _build_unlocked_key(player), now)


def _build_unlocked_key(player: int) -> str:
    return f"unlocked {player}"


# Who sends a command.

_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_LONGEST_SHOWN = 60
"""Characters of a move that is repeated in a line to send."""


def authenticate(session: Session, command: Command, checks: PasswordChecks, now: float) -> Command:
    """Return the command with the proof that its password is right, if it is, with the hash of a
    new password, and without a comment that holds the password; a word of another language in a
    reply is the command for which it stands. Only reads."""
    command = _take_offer(session, command, now, checks)
    if command.implied and command.sender.board:
        command = read_in_languages(
            session, command, lambda: _find_language(session, command, checks, now)
        )
    if command.sender.board and (command.verb.name == "stop" or _is_said(session, command)):
        command = prefer_move(session, command)
    elif command.sender.event and command.verb.name == "stop":
        command = _prefer_withdrawal(command)
    if command.sender.token is not None or command.verb.ignores_claim:
        command = _add_claim(session, command)
    if command.password and command.user:
        command = _add_proof(session, command, checks, now)
    if "new_password" in command.verb.slots and command.words and not command.implied:
        command = replace(command, new_hash=_hash_new_password(command, checks))
    if command.verb.verify:
        command = command.verb.verify(session, command, checks, now)
    if command.text:
        people = find_senders(session, command, now, checks.secrets, checks.config)
        command = drop_password(command, people)
    most = checks.config.limits.text
    if most and len(command.text) > most:
        command = replace(command, text=command.text[:most] + " ...", is_cut=True)
    return command


def _take_offer(session: Session, command: Command, now: float, checks: PasswordChecks) -> Command:
    """Return the offer of the answered mail as a command, if the first line is only a yes; what
    declines it, if that is only a no. Return any other command unchanged."""
    number = command.sender.answers
    is_said = command.implied or command.verb.name == "offer yes"
    if not (number and is_said and command.sender.is_person):
        return command
    consent, is_verb = read_consent(command.rest), command.verb.name == "offer yes"
    people = find_senders(session, command, now, checks.secrets, checks.config)
    if (consent is None and not is_verb) or len(people) != 1:
        return command
    offer = find_offer(session, number, people[0].id, now)
    if offer is None:
        return command
    if consent is None:  # the verb alone of what is offered, or another that agrees
        consent = command.rest.lower() in offer.line.split() or read_agreement(command.rest)
    if consent is None:
        return command
    line = offer.line if consent else offer.declined
    if not line:
        return replace(
            command, verb=get_verb("offer yes"), words=("no",), implied=False, offer=number
        )
    text = "\n".join(filter(None, (offer.text, command.text)))
    try:
        read = read_reply_line(line, command.sender, text)
    except (NotACommand, Refusal):
        return command
    return replace(
        read,
        is_cut=command.is_cut,
        left=command.left,
        line="",
        offer=number,
        is_declining=not consent,
    )


def _prefer_withdrawal(command: Command) -> Command:
    """Return the command of a reply to an event's mail that asks for no more mail as a question
    about leaving the event, where it may be one."""
    wish = read_wish(command.line, Occasion.EVENT)
    if wish is None or wish.intent is not Intent.WITHDRAW:
        return command
    words = tuple(command.line.split(" "))
    return replace(command, verb=get_verb("ask"), words=words, rest=command.line)


def _find_language(session: Session, command: Command, checks: PasswordChecks, now: float) -> str:
    """Return the language of the command's most likely sender."""
    senders = find_senders(session, command, now, checks.secrets, checks.config)
    chosen = senders[0].get_preference("language", "") if senders else ""
    return chosen or checks.config.server.language


def _hash_new_password(command: Command, checks: PasswordChecks) -> str:
    """Return the hash of the new password; "" when the old one is wrong, when a code has to come
    back first, and when the mail has used up its share of hashes."""
    if command.password and command.proof is None:
        return ""
    if not command.verb.needs_password and checks.config.players.confirm_addresses:
        return ""
    return checks.hash_new_password(command.words[0][:64])


def _add_claim(session: Session, command: Command) -> Command:
    """Return the command with the userid and password that a reply claims beside its token."""

    def exists(name: str) -> bool:
        return is_userid(name) and find_player(session, name) is not None

    def is_own(name: str) -> bool:
        return exists(name) and name in _find_possible_writers(session, command.sender)

    return apply_claim(command, is_own, exists)


def _find_possible_writers(session: Session, sender: Sender) -> set[str]:
    """Return userids, in lower case, of the players who may have written a reply: those of its
    address, and the one whose mail it answers."""
    names = {player.name for player in find_players_by_address(session, sender.address)}
    token = sender.token
    if token is not None and token.kind != "b":
        player = _find_token_owner(session, token)
        names |= {player.name} if player is not None else set()
    elif token is not None:
        seats = reads.find_seats(session, token.number)
        names |= {seat.userid.lower() for seat in seats if seat.seat == token.seat}
        if any(seat.decides for seat in seats):
            held = reads.find_seat_members(session, token.number)
            names |= {each.userid.lower() for each in held if each.seat == token.seat}
    return names


def _add_proof(session: Session, command: Command, checks: PasswordChecks, now: float) -> Command:
    """Return the command with the proof, when the password is right as typed or without quotes and
    full stop."""
    player = find_player(session, command.user)
    password = command.password
    if (
        player is not None
        and command.verb.name == "change password"
        and reads.find_open_code(
            session, player.id, "reset", checks.secrets.digest_code(password), now
        )
    ):
        return replace(command, proof=(player.id, player.password))  # a code of `forgot`
    right = checks.find_password(session, player, (password, trim_word(password) or password), now)
    if player is not None and right is not None:
        return replace(command, password=right, proof=(player.id, player.password))
    is_spent = player is not None and player.id in checks.spent
    return replace(command, is_spent=is_spent)


def find_senders(
    session: Session, command: Command, now: float, secrets: Secrets, config: Config
) -> tuple[Player, ...]:
    """Return the players who provably sent the command: by a verified password, by reply token, by
    the operator's word, or by a From that may be believed."""
    call = Call(session, now, secrets, config, command=command)
    proof, player = find_proof(call)
    if player is not None:
        return (player,)
    return call.vouched if proof is Proof.VOUCHED else ()


def find_proof(call: Call) -> tuple[Proof, Player | None]:
    """Return the proof of the command's sender, and the player if the proof names one."""
    command, sender = call.command, call.command.sender
    if sender.player:
        proof = Proof.SEAT_LINK if sender.seat_at else Proof.PLAYER_LINK
        proof = Proof.STOP_LINK if sender.stops else proof
        return proof, get_player(call.session, sender.player)
    if sender.operator:
        proof = Proof.BOT if sender.via == "bot" else Proof.OPERATOR
        return proof, find_player(call.session, command.user) if command.user else None
    if sender.invitation is not None:
        is_link = sender.invitation.kind == "j"
        return (Proof.JOIN_LINK if is_link else Proof.INVITATION), None
    if command.password:
        player = find_player(call.session, command.user)
        if player is not None and command.proof == (player.id, player.password):
            return Proof.PASSWORD, player
        return Proof.NOTHING, None
    if sender.token is not None and (player := find_by_token(call)) is not None:
        proof = Proof.OFFER if command.offer else Proof.BOARD_ADDRESS
        return (proof if sender.board else Proof.PLAYER_ADDRESS), player
    return _find_bare_proof(call), None


def _find_bare_proof(call: Call) -> Proof:
    """Return the proof of a sender without password, reply address or link."""
    if call.command.sender.via == "terminal":
        return Proof.TERMINAL
    if call.vouched:
        return Proof.VOUCHED
    return Proof.FROM if call.senders else Proof.NOTHING


def identify(call: Call) -> None:
    """Set how the sender of the command is known, and the player. Refuse a wrong password, a proof
    that is not worth the command, an account that is not open, and an address that is not
    confirmed."""
    command, sender, verb = call.command, call.command.sender, call.command.verb
    call.proof, player = find_proof(call)
    if player is None and sender.operator and command.user:
        raise Refusal(
            RefusalCode.NO_SUCH_PLAYER, phrase("there is no player with that userid"), "list"
        )
    if player is None and command.password:
        raise _refuse_wrong_password(call)
    if player is not None and not player.is_active:
        state = player.state
        if state == WAITING:
            raise refuse_waiting()
        raise Refusal(
            RefusalCode.SUSPENDED if state == "suspended" else RefusalCode.ACCOUNT_CLOSED,
            phrase("this account is suspended")
            if state == "suspended"
            else phrase("this account is closed"),
        )
    if verb.needs_password and player is None:
        raise _refuse_unproven(call)
    call.player = player
    proved = sender.seat_at or sender.board
    if not is_worth(call.proof, verb.act, board=command.board or proved, proved=proved):
        _require_no_more(call)
    if call.player is not None and not call.player.is_confirmed:
        raise Refusal(
            RefusalCode.NOT_CONFIRMED, phrase("your address is not confirmed yet"), "confirm CODE"
        )


def _require_no_more(call: Call) -> None:
    """Accept a From that is vouched for where that is enough. Otherwise refuse the command, and say
    what to send."""
    if call.vouched and is_worth(Proof.VOUCHED, call.command.verb.act):
        call.proof, call.player, call.asleep = Proof.VOUCHED, None, 0
        return
    here = call.command.sender.seat_at or call.command.sender.board
    if not here:
        if call.player is not None and not call.player.has_password:
            raise refuse_unset_password()
        raise Refusal(
            RefusalCode.NOT_IDENTIFIED, phrase("userid and password are missing"), call.command.form
        )
    command, line = call.command, _repeat_line(call)
    is_shorter = bool(command.words) and line != command.line  # then a yes would leave words out
    raise Refusal(
        RefusalCode.NOT_IDENTIFIED,
        phrase(
            "that was the reply address of board {board}, which is good for that board only: "
            "send the same line in reply to this mail",
            board=here,
        ),
        line,
        *([f"help {command.verb.name}"] if is_shorter else []),
        board=command.board,
        apart=True,
    )


def _repeat_line(call: Call) -> str:
    """Return the line as it was written, to be sent again, or its form where a word of it may be
    secret."""
    command, verb = call.command, call.command.verb
    has_secrets = verb.hides_words or "new_password" in verb.slots
    said = command.line
    if command.words and all("=" in word for word in command.words):
        has_secrets, said = False, said.replace("=", " ")  # a preference and its value
    if any(slot.startswith("address") for slot in verb.slots):
        said = " ".join(word for word in said.split() if not _ADDRESS.fullmatch(word))
    if not command.line or has_secrets or command.password or has_secret(said):
        return command.form
    if verb.has_board and not (command.game or command.board):
        row = reads.find_board(call.session, command.sender.board)
        words = (row.game if row is not None else "GAME", verb.name, str(command.sender.board))
        return " ".join([*words, *command.words])
    return command.line


def _refuse_unproven(call: Call) -> Refusal:
    """Return the refusal of a command without proof: what to send, and the present board, if it
    answers a mail of one."""
    sender = call.command.sender
    if call.is_elsewhere and (refusal := refuse_elsewhere(call)) is not None:
        return refusal
    text = phrase("userid and password are missing")
    if sender.token is not None and call.senders:
        if sender.token.is_reference:
            text = phrase(
                "your answer did not go to the reply address of the mail, which proves it is you"
            )
        elif sender.failed:
            text = phrase("the mail server could not verify that this came from your address")
        else:
            text = phrase("the reply address is no longer valid, but that of this mail is")
    return Refusal(
        RefusalCode.NOT_IDENTIFIED, text, _build_full_form(call), shows=bool(sender.board)
    )


def _build_full_form(call: Call) -> str:
    """Return the form of the command without a reply token, with the board that the token names."""
    command, token = call.command, call.command.sender.token
    if token is None or token.kind != "b":
        return command.form
    row = reads.find_board(call.session, token.number)
    form = command.verb.build_form(row.game if row is not None else command.game or "GAME")
    form = form.replace("{board}", str(token.number))
    if command.verb.has_moves and row is not None and _is_open_move(call, token.number):
        form = form.replace("MOVE", command.rest)
    return form


def _is_open_move(call: Call, number: int) -> bool:
    """Whether the text is a move at a board without hidden information."""
    written = call.command.rest
    if not 0 < len(written) <= _LONGEST_SHOWN or has_secret(written):
        return False
    try:
        board = load(call.session, number)
    except Refusal:  # it sleeps, or cannot be played any more
        return False
    return not board.is_hidden and is_move(board.position, written)


def _refuse_wrong_password(call: Call) -> Refusal:
    """Return the refusal of a wrong password, or of one that was not verified after too many."""
    command = call.command
    player = find_player(call.session, command.user)
    if player is not None and command.is_spent and _is_from_own_address(call, player):
        return Refusal(
            RefusalCode.TOO_MANY_GUESSES,
            phrase("too many wrong passwords today: use the code that another mail brings"),
        )
    if player is not None and find_by_token(call) == player:
        return Refusal(
            RefusalCode.WRONG_PASSWORD,
            phrase(
                "the word behind your userid counts as your password there, and is another one: a "
                "reply needs neither, so leave both out"
            ),
            "forgot {user}",
        )
    return refuse_password(command.form)


def find_by_token(call: Call) -> Player | None:
    """Return the player whose reply token it is, when the token is genuine and the mail came from
    one of that player's confirmed addresses, as far as the mail server can tell."""
    player, row = _find_genuine_owner(call)
    if player is None or call.command.sender.failed:
        return None
    if not _is_from_own_address(call, player):
        call.is_elsewhere = True
        return None
    if row is not None and row.state == "sleeping":
        call.asleep = row.id
    return player


def refuse_unset_password() -> Refusal:
    """Return the refusal of what needs a password, to a player who has none: how to set one."""
    return Refusal(
        RefusalCode.NOT_IDENTIFIED,
        phrase(
            "this needs a password, and you have none yet: a mail brings a code with which to set "
            "one"
        ),
        "forgot {user}",
    )


def refuse_elsewhere(call: Call) -> Refusal | None:
    """Return the refusal of a genuine reply address used from an address that is not the player's;
    None if there is nothing to refuse."""
    token, address = call.command.sender.token, call.command.sender.address
    player, _ = _find_genuine_owner(call)
    if not (token and player and address) or _is_from_own_address(call, player):
        return None
    return Refusal(
        RefusalCode.OTHER_ADDRESS,
        phrase(
            "board {board} belongs to another address: send from there, or add this one",
            board=token.number,
        )
        if token.kind == "b"
        else phrase(
            "the mail that you answered belongs to another address: send from there, or add this "
            "one"
        ),
        f"add {player.userid} PASSWORD {address}"
        if player.has_password
        else f"forgot {player.userid}",
        apart=True,
    )


def _find_genuine_owner(call: Call) -> tuple[Player | None, BoardRow | None]:
    """Return the player of a genuine reply token, whoever sent it, and the board if the token names
    one."""
    token, session = call.command.sender.token, call.session
    if token is None or token.is_reference:
        return None, None
    secrets = call.secrets
    if token.kind != "b":
        player = _find_token_owner(session, token)
        if player is None:
            return None, None
        is_ours = secrets.is_genuine(token, player.binding, now=call.now) or (
            secrets.is_genuine_in_old_form(token) and _honours_old_form(call, player)
        )
        return player if is_ours else None, None
    row = reads.find_board(session, token.number)
    if row is None or not outlives_board(Proof.BOARD_ADDRESS, row.ended, call.now):
        return None, None
    seats = reads.find_seats(session, token.number)
    if token.seat >= len(seats):
        return None, None
    seat = seats[token.seat]
    bindings = {seat.player_id: build_binding(seat.password, seat.links)}
    if seat.decides:
        bindings = {
            each.player_id: bind_member(build_binding(each.password, each.links), each.player_id)
            for each in reads.find_seat_members(session, row.id)
            if each.seat == token.seat
        }
    for undos in range(row.undos, -1, -1):
        for player_id, binding in bindings.items():
            if secrets.is_genuine(token, binding, undos=undos):
                call.undos = undos
                return get_player(session, player_id), row
    if seat.decides:
        return None, None
    for undos in range(row.undos, -1, -1):
        if secrets.is_genuine_in_old_form(token, undos=undos):
            player = get_player(session, seat.player_id)
            call.undos = undos
            if player is not None and _honours_old_form(call, player):
                return player, row
    return None, None


def _honours_old_form(context: Context, player: Player) -> bool:
    """Whether reply addresses of the form before they were bound to the password still hold: for
    some time after the upgrade, unless the player has ended the older ones since."""
    changed = read_setting(context.session, "reply_form_changed")
    return (
        bool(changed) and not player.links and context.now <= float(changed or 0) + OLD_FORM_LASTS
    )


def _find_token_owner(session: Session, token: Token) -> Player | None:
    """Return the player that a token names, or the owner of the thing that it names."""
    if token.kind == "u":
        return get_player(session, token.number)
    replies = find_replies(token.kind)
    number = replies.find_owner(session, token.number) if replies is not None else None
    return get_player(session, number) if number is not None else None


def _is_from_own_address(call: Call, player: Player) -> bool:
    """Whether From is one of the player's confirmed addresses."""
    return any(sender.id == player.id for sender in call.senders)


# Words of a reply in other languages than English: `aufgeben` is `resign`.
#
# They act as strictly as the English ones, and only where the line is nothing that the board's
# game reads.

_ACCEPTED = ("yes", "no")
"""They are answers to what was asked, which the board knows."""
_WITH_ORDERS = ("ready", "wait")
_WITH_WORDS = ("chat", "note", "press", "preview", "queue", "show", "submit", "variations")
"""Other words may follow these."""
_MOST_WORDS = 3
_LONGEST = 40


def read_in_languages(
    session: Session, command: Command, find_language: Callable[[], str]
) -> Command:
    """Return the command of a reply to a board's mail whose first line is a word of another
    language, with or without words behind it; any other command as it is. `find_language` tells the
    reader's language, where a word means several things."""
    if not (command.implied and command.verb.name == "move" and command.sender.board):
        return command
    head, rest, meanings = split_line(command.rest)
    if len(meanings) > 1:
        meanings = list_meanings(head, find_language())
    if len(meanings) != 1 or meanings[0] in _ACCEPTED:
        return command
    position = _find_position(session, command.sender.board)
    if position is not None and _is_read(position, command.rest, meanings[0]):
        return command
    return _read_as(command, f"{meanings[0]} {rest}".strip())


def prefer_move(session: Session, command: Command) -> Command:
    """Return as a move the command of a reply whose line asks for no more mail, if the board's game
    reads the line as one, or which is a sentence; any other unchanged."""
    line, verb = command.line, command.verb
    position = _find_position(session, command.sender.board) if line else None
    is_text = position is not None and verb.name != "stop"
    if position is None or not (is_text or is_move(position, line)):
        return command
    words = tuple(line.split(" "))
    return replace(
        command,
        verb=get_verb("move"),
        game="",
        board=0,
        ply=0,
        guessed=False,
        words=words,
        rest=line,
        text=_find_below(command),
        implied=True,
    )


def _find_below(command: Command) -> str:
    inline, _, below = command.text.partition("\n")
    return below if command.verb.has_message and command.line.endswith(inline) else command.text


def _names_nobody(session: Session, command: Command) -> bool:
    """Whether the words behind a verb that takes userids are a sentence, such as "message would be
    nice": several, none of which is a player, or one misspelt."""
    words = command.words
    if not any(slot.startswith("userid") for slot in command.verb.slots) or len(words) < 2:
        return False
    if not all(map(str.isalpha, words)) or command.game or command.board:
        return False
    is_named = any(find_player(session, word) is not None for word in words)
    return not is_named and not find_similar_player(session, words[0])


def _is_said(session: Session, command: Command) -> bool:
    """Whether a command at a board is a sentence that only begins like one. Above further lines,
    which may be a move, it is asked what a sentence is."""
    if _names_nobody(session, command):
        return True
    if command.verb.name not in _WITH_ORDERS or not command.words or command.game or command.board:
        return False
    if _find_below(command).strip():
        return False
    position = _find_position(session, command.sender.board)
    return position is not None and not position.takes_orders


def split_line(line: str) -> tuple[str, str, list[str]]:
    """Return the word that a line is or begins with, the rest of the line, and the word's English
    meanings; no meaning for any other line."""
    bare = line.rstrip(".! ")
    if len(bare) <= _LONGEST and bare.count(" ") <= _MOST_WORDS and (found := list_meanings(bare)):
        return bare, "", found
    words = line.split(" ")
    for size in (1, 2):
        head, rest = " ".join(words[:size]).rstrip(":"), " ".join(words[size:])
        found = [each for each in list_meanings(head) if _may_go_on(each, rest)]
        if rest and found:
            return head, rest, found
    return line, "", []


def _may_go_on(meaning: str, rest: str) -> bool:
    """Whether these words may follow a word with that meaning. What asks is left to the reader of
    sentences."""
    is_span = meaning == "pause" and begins_with_until(rest) and not rest.endswith("?")
    return is_span or meaning in _WITH_WORDS


def read_act(line: str) -> str:
    """Return the English word for a line that is a word of another language and nothing else, which
    ends or settles something; "" for any other line."""
    meanings = list_meanings(line.strip().rstrip(".!"))
    verb = map_words_to_verbs().get(meanings[0], ()) if len(meanings) == 1 else ()
    is_act = any(each.stands_alone for each in verb) and meanings[0] not in _WITH_ORDERS
    return meanings[0] if is_act else ""


def _find_position(session: Session, board: int) -> Position | None:
    """Return the position of the board whose mail was answered; None where it cannot be read."""
    try:
        return load(session, board).position
    except (BoardSleeping, Refusal, UnknownGame):
        return None


def _is_read(position: Position, line: str, meaning: str) -> bool:
    """Whether the game of a board reads a line itself, or does not know what the word means."""
    if meaning in _WITH_ORDERS and not position.takes_orders:
        return True
    return is_move(position, line)


def _read_as(command: Command, line: str) -> Command:
    """Return the command of an English line in place of this one; unchanged if the line is none."""
    try:
        read = read_reply_line(line, command.sender, command.text)
    except (NotACommand, Refusal):
        return command
    if read.implied and read.verb is get_verb("move"):
        return command
    return replace(
        read,
        is_cut=command.is_cut,
        left=command.left,
        withheld=command.withheld,
        line=command.rest if read.line else "",
    )


# What a mail offers to do: a yes in reply to it does that, as if the line had been written.

_LASTS = 7 * DAY
_TAKEN = ""
"""What is stored in place of an offer that was taken."""
_FURTHER = (
    "MOVE",
    "TEXT",
    "ORDER",
    "GAME",
    "NAME",
    "OTHER",
    "OPPONENT",
    "USERID",
    "PASSWORD",
    "POWER",
)
_WORD = re.compile(r"[\w@.-]+")


class MailOfferRow(Row):
    """The offer of one of the server's mails, as JSON ("" once it is taken), and the number of the
    mail that it answers."""

    offer: str | None
    created: float
    inbound_id: int | None


class LatestOfferRow(Row):
    """The last offer to a player, as JSON, and the board of its mail."""

    offer: str | None
    board_id: int | None


_OFFER = Query(
    MailOfferRow,
    select(outbound.c.offer, outbound.c.created, outbound.c.inbound_id).where(
        outbound.c.id == bindparam("number"), outbound.c.player_id == bindparam("player")
    ),
)


_LATEST_OFFER = Query(
    LatestOfferRow,
    select(outbound.c.offer, outbound.c.board_id)
    .where(
        outbound.c.player_id == bindparam("player"),
        outbound.c.offer != _TAKEN,
        outbound.c.created > bindparam("since"),
    )
    .order_by(outbound.c.id.desc())
    .limit(1),
)


def pack_offer(offer: Offer | None) -> str | None:
    """Return an offer in the form stored with its mail."""
    return msgspec.json.encode(offer).decode() if offer is not None else None


def find_offer(session: Session, number: int, player: int, now: float) -> Offer | None:
    """Return the offer of the mail with that number to that player. None where it offers nothing,
    or no longer does: an offer is taken once, within a week."""
    row = _find_row(session, number, player, now)
    return msgspec.json.decode(row.offer, type=Offer) if row is not None and row.offer else None


def refuse_astray(call: Call, *others: str) -> Refusal | None:
    """Return the refusal of a yes in a mail that does not say which mail it answers, while an offer
    to the player is open: the line of the latest, to be sent itself; None if there is none."""
    if call.player is None or call.command.sender.answers:
        return None
    values = {"player": call.player.id, "since": call.now - _LASTS}
    if (row := call.session.first(_LATEST_OFFER, values)) is None:
        return None
    line = msgspec.json.decode(row.offer or "", type=Offer).line
    is_apart = row.board_id != call.command.sender.board
    return Refusal(
        RefusalCode.NOTHING_PROPOSED,
        phrase(
            "your mail does not say which mail it answers, and a yes counts for that one alone: "
            "send the line itself"
        ),
        line,
        *(() if is_apart else others),
        "help",
        apart=is_apart,
    )


def use_up(session: Session, number: int, player: int, now: float) -> bool:
    """Take an offer, with its copies to other addresses of the player. Return whether it was still
    open."""
    row = _find_row(session, number, player, now)
    if row is None:
        return False
    own = (outbound.c.player_id == player) & (outbound.c.offer == row.offer)
    copies = own & (outbound.c.inbound_id == row.inbound_id)
    session.execute(update(outbound).where(copies | (outbound.c.id == number)).values(offer=_TAKEN))
    return True


def was_taken(session: Session, number: int, player: int) -> bool:
    """Whether the mail with that number to that player offered what has been done since."""
    row = session.first(_OFFER, {"number": number, "player": player})
    return row is not None and row.offer == _TAKEN


def _find_row(session: Session, number: int, player: int, now: float) -> MailOfferRow | None:
    row = session.first(_OFFER, {"number": number, "player": player}) if number else None
    return row if row is not None and row.offer and row.created > now - _LASTS else None


def can_offer(call: Call) -> bool:
    """Whether an answer to the command can be answered with a yes: a player provably sent it by
    mail."""
    return call.player is not None and call.command.sender.via == "mail"


@cache
def _list_places() -> frozenset[str]:
    slots = {slot.rstrip("?*+").upper() for verb in list_verbs() for slot in verb.slots}
    return frozenset({*slots, *_FURTHER, "NEWPASSWORD", "NAME@EXAMPLE.ORG"})


def is_whole(line: str) -> bool:
    """Whether a line can be sent as it stands: it has no word, such as MOVE, that stands for
    another."""
    return "{" not in line and _list_places().isdisjoint(_WORD.findall(line))
