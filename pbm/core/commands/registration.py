"""Accounts: opening, confirming, changing and closing them.

No answer repeats a word that may be a password; nothing but a code goes to an address that is not
confirmed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, func, insert, select, update

from pbm.core.language.call import Call, handler
from pbm.core.language.parser import Command, board_number, game_of
from pbm.core.language.verbs import VERBS, command_words
from pbm.core.model import bans, daily_counters, password_checks
from pbm.core.model.board import Board
from pbm.core.model.board_store import load, save
from pbm.core.model.daily_counters import DAY, day_of
from pbm.core.model.notice import Notice
from pbm.core.model.notices.account_notices import (
    AccountChanged,
    AddressList,
    CodeSent,
    ConfirmationCode,
    Goodbye,
    OneTimeCode,
    PasswordChanged,
    ResetCode,
    SignOffCode,
    UnlockCode,
    Unlocked,
    Welcome,
)
from pbm.core.model.player import NO_PASSWORD, Player, find_player, get_player
from pbm.core.model.refusal import Refusal, RefusalCode, wrong_password
from pbm.core.model.unplayable import Unread
from pbm.core.views.board_updates import notify_board
from pbm.store import reads
from pbm.store.rows import Query
from pbm.store.tables import AddressRow, CodeRow, addresses, audit, boards, codes, players, seats

_USERID = re.compile(r"[a-z][a-z0-9_-]{1,19}")
_RESERVED = {
    "new",
    "none",
    "yes",
    "no",
    "random",
    "mcts",
    "all",
    "active",
    "inactive",
    "next",
    "pbm",
    "password",
    "userid",
    # Who speaks for the server, or for everybody, and where mail systems have their addresses
    # (RFC 2142)
    "operator",
    "admin",
    "administrator",
    "root",
    "system",
    "server",
    "house",
    "staff",
    "support",
    "security",
    "moderator",
    "referee",
    "postmaster",
    "hostmaster",
    "webmaster",
    "abuse",
    "daemon",
    "mailer-daemon",
    "noreply",
    "no-reply",
    "event",
    "events",
    "everybody",
    "everyone",
    "anybody",
    "nobody",
}
_LEVEL = re.compile(r"level[0-9]+")
_MOST_ADDRESSES = 5
_MOST_AT_SIGNUP = 3
_CODES_A_WEEK = 3
"""Codes to one address in seven days, whoever asks for them: anybody can, for any address."""
_SIGNUP = "signup USERID PASSWORD"
_CONTENTS: Mapping[str, type[OneTimeCode]] = {
    "confirm": ConfirmationCode,
    "change": ConfirmationCode,
    "reset": ResetCode,
    "unlock": UnlockCode,
}


def signup(call: Call) -> list[Notice]:
    """Open an account. The one answer to a refused one repeats no word of it."""
    command = call.command
    name = command.user.lower()
    if not _USERID.fullmatch(name):
        raise Refusal(
            RefusalCode.BAD_USERID,
            "a userid is 2 to 20 letters, digits, - or _, and begins with a letter",
            _SIGNUP,
        )
    if not command.words or not _is_password(command.words[0]):
        raise Refusal(
            RefusalCode.BAD_PASSWORD,
            "a password is 4 to 64 characters without blanks, of your own choice",
            _SIGNUP,
        )
    if command.words[0].lower() == name:
        raise Refusal(
            RefusalCode.BAD_PASSWORD,
            "userid and password must differ: everybody sees the userid",
            _SIGNUP,
        )
    known = find_player(call.session, name)
    if known is not None and _waits_for(call, known, command.sender.address):
        return _once_more(call, known)
    abandoned = known if known is not None and _is_abandoned(call, known) else None
    if (known is not None and abandoned is None) or _is_reserved(call, name):
        raise Refusal(RefusalCode.USERID_TAKEN, "this userid is taken: choose another", _SIGNUP)
    given = _addresses(call, command.words[1:] or (command.sender.address,), _SIGNUP)
    if len(given) > _MOST_AT_SIGNUP:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            f"an account opens with {_MOST_AT_SIGNUP} addresses at most: add the others later",
            f"{_SIGNUP} NAME@EXAMPLE.ORG",
            f"add {command.user} PASSWORD NAME@EXAMPLE.ORG",
        )
    if command.sender.address in given:
        given.sort(key=lambda address: address != command.sender.address)
    limit = call.config.limits.signups_a_day
    source = command.sender.address or "terminal"
    if not daily_counters.allow(call.session, f"signups {source}", call.now, limit):
        raise Refusal(
            RefusalCode.LIMIT_REACHED, "there were too many new accounts from your address today"
        )
    _require_hash(call)
    row = {
        "userid": command.user,
        "name": name,
        "password": command.new_hash,
        "state": "active",
        "created": call.now,
        "seen": call.now,
    }
    number = _opened(call, row, abandoned)
    player = Player(number, command.user, name, command.new_hash, "active", {}, is_confirmed=False)
    call.secrets.remember(number, command.new_hash, command.words[0])
    _store(call, player, given)
    if not call.config.players.confirm_addresses:
        call.player = player
        return [call.answer(Welcome(userid=player.userid))]
    asked = _codes(call, player, given[:1])
    if not asked:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            f"{_CODES_A_WEEK} codes have gone to this address in the last seven days: "
            "use one of them, or try again in a week",
            "confirm CODE",
        )
    return asked


def _require_hash(call: Call) -> None:
    """Refuse a new password that was not hashed, since there were too many in the mail."""
    most = password_checks.MOST_HASHED
    if not call.command.new_hash:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            f"one mail sets {most} passwords at most: send this line in another one",
            call.command.form,
        )


def _waits_for(call: Call, player: Player, address: str) -> bool:
    """Whether the account waits for this very address to be proven: who writes from there gets the
    code again, whatever the password is."""
    if player.is_confirmed or not address or _is_abandoned(call, player):
        return False
    return any(row.address == address for row in reads.all_addresses(call.session, player.id))


def _is_abandoned(call: Call, player: Player) -> bool:
    """Whether nobody proved an address of the account while its codes held."""
    if player.is_confirmed or not player.is_active:
        return False
    waits = select(codes.c.id).where(codes.c.player_id == player.id, codes.c.expires > call.now)
    return call.session.execute(waits).scalar() is None


def _opened(call: Call, row: Mapping[str, Any], abandoned: Player | None) -> int:
    """The number of the new account; one that was never confirmed, and so never did anything,
    becomes it."""
    if abandoned is None:
        query = insert(players).values(row).returning(players.c.id)
        return int(call.session.execute(query).scalar_one())
    for table in (codes, addresses):
        call.session.execute(delete(table).where(table.c.player_id == abandoned.id))
    call.session.execute(update(players).where(players.c.id == abandoned.id).values(row))
    return abandoned.id


def _once_more(call: Call, player: Player) -> list[Notice]:
    """The code again of an account that waits for it, at most once a day."""
    if not player.is_active:
        raise Refusal(RefusalCode.USERID_TAKEN, "this userid is taken: choose another", _SIGNUP)
    waiting = [row.address for row in reads.all_addresses(call.session, player.id)]
    today = day_of(call.now)
    if any(reads.counted(call.session, f"codes {address}", today) for address in waiting[:1]):
        return []
    return _codes(call, player, waiting[:1])


def _is_reserved(call: Call, name: str) -> bool:
    """Whether a userid could be taken for a command, a game, the server or its operator."""
    if name == call.config.server.local.lower() or _LEVEL.fullmatch(name):
        return True
    return bool(game_of(name)) or name in _reserved()


def _reserved() -> set[str]:
    return _RESERVED | command_words()


def _is_password(word: str) -> bool:
    """Whether the word may be a password: not the one that stands for it in what we write, and that
    comes back when a program echoes it."""
    if word.upper() in ("PASSWORD", "NEWPASSWORD"):
        return False
    return 4 <= len(word) <= 64 and word.isprintable()


def _addresses(call: Call, words: Iterable[str], form: str) -> list[str]:
    """The addresses in their stored form: domain (and all of it) in lower case. Refusal."""
    from email_validator import EmailNotValidError, validate_email  # here: 30 ms of a start

    found = []
    for word in words:
        try:
            checked = validate_email(
                word.strip("<>,;\"'").removeprefix("mailto:"),
                check_deliverability=False,
                allow_domain_literal=False,
                allow_smtputf8=False,
                test_environment=True,
            )
        except EmailNotValidError:
            raise Refusal(
                RefusalCode.BAD_ADDRESS,
                "one of the words is not a mail address",
                f"{form} NAME@EXAMPLE.ORG",
            ) from None
        found.append((checked.ascii_email or "").lower())
        if call.config.server.is_at(found[-1]):
            raise Refusal(
                RefusalCode.BAD_ADDRESS,
                "one of the addresses is this server's",
                f"{form} NAME@EXAMPLE.ORG",
            )
    if not found or found == [""]:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT, "the address is missing", f"{form} NAME@EXAMPLE.ORG"
        )
    return list(dict.fromkeys(found))[:_MOST_ADDRESSES]


def _store(call: Call, player: Player, given: Sequence[str]) -> list[str]:
    """Store addresses; those of them that must be proven first."""
    if bans.barred(call.session, given):
        raise Refusal(
            RefusalCode.BARRED_ADDRESS,
            "one of these addresses cannot be used here",
            call.command.form,
        )
    must = call.config.players.confirm_addresses
    known = {row.address: row for row in reads.all_addresses(call.session, player.id)}
    for address in given:
        if address in known:
            if known[address].stopped is not None:
                _resume(call, known[address].id)
            continue
        call.session.execute(
            insert(addresses).values(
                player_id=player.id, address=address, confirmed=None if must else call.now
            )
        )
    if not must:
        return []
    return [each for each in given if each not in known or not known[each].confirmed]


def _codes(
    call: Call,
    player: Player,
    unproven: Iterable[str],
    purpose: str = "confirm",
    keeps: Sequence[str] = (),
) -> list[Notice]:
    """A code to each of these addresses that has not had too many."""
    return [
        _code(call, player, purpose, address, keeps)
        for address in unproven
        if _has_codes_left(call, address)
    ]


def _has_codes_left(call: Call, address: str) -> bool:
    """Count a code to the address, unless it has had all that go there in seven days."""
    name, week = f"codes {address}", day_of(call.now) - 6
    if reads.counted_since(call.session, name, week) >= _CODES_A_WEEK:
        return False
    daily_counters.count(call.session, name, call.now)
    return True


def _resume(call: Call, row: int) -> None:
    """Send mail again to an address that had bounced."""
    call.session.execute(
        update(addresses).where(addresses.c.id == row).values(stopped=None, bounces=0, bounced=None)
    )


def _code(
    call: Call,
    player: Player,
    purpose: str,
    address: str = "",
    keeps: Sequence[str] = (),
    where: tuple[str, ...] = (),
) -> Notice:
    """A mail with a new one-time code, valid for a day (a week to prove an address), to that
    address, or to those of `where`. With the code of a change it is stored which addresses take
    the place of all others, its own first."""
    code = call.secrets.new_code()
    days = 7 if address else 1
    proven = [address, *(other for other in keeps if other != address)]
    call.session.execute(
        insert(codes).values(
            player_id=player.id,
            purpose=purpose,
            digest=call.secrets.digest_of_code(code),
            address=" ".join(proven) if purpose == "change" else address,
            created=call.now,
            expires=call.now + days * DAY,
        )
    )
    content: OneTimeCode
    if purpose == "signoff":
        boards = _open(call, player)
        content = SignOffCode(userid=player.userid, code=code, days=days, boards=boards)
    else:
        content = _CONTENTS[purpose](userid=player.userid, code=code, days=days)
    return Notice(
        content,
        addresses=(address,) if address else where,
        player=player.id,
        is_answer=address == call.command.sender.address != "",
    )


def confirm(call: Call) -> list[Notice]:
    """Take back a code: it proves an address or closes an account."""
    word = call.command.words[0] if call.command.words else ""
    if not word or board_number(word):
        verb = next(v for v in VERBS if v.name == "confirm" and v.game == "yes")
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            "the code is missing, which the mail you answer shows",
            "confirm CODE",
            verb.form(),
        )
    row = _take_code(call, (word, "".join(call.command.words)))
    if row is None:
        raise Refusal(RefusalCode.BAD_CODE, "this code is unknown, used or too old", "confirm CODE")
    player = get_player(call.session, row.player_id)
    if player is None or not player.is_active:
        raise Refusal(RefusalCode.ACCOUNT_CLOSED, "this account is closed")
    call.player = player
    if row.purpose == "signoff":
        return _close(call, player)
    if row.purpose == "unlock":
        password_checks.unlock(call.session, player.id, call.now)
        return [call.answer(Unlocked(userid=player.userid))]
    address, *others = row.address.split(" ")
    call.session.execute(
        update(addresses)
        .where(addresses.c.player_id == player.id, addresses.c.address == address)
        .values(confirmed=call.now)
    )
    if row.purpose == "change":
        _keep_only(call, player, [address, *others])
    if not player.is_confirmed:
        rows = reads.all_addresses(call.session, player.id)
        others = [each.address for each in rows if not each.confirmed]
        welcome = call.answer(Welcome(userid=player.userid))
        return [welcome, *_codes(call, player, others)]
    return [_address_list(call, player)]


def _take_code(call: Call, typed: Iterable[str]) -> CodeRow | None:
    """Use up a code, its row; None when it is used, too old or meant for `change password`. One
    statement, so that of two daemons only one gets it."""
    taken = (
        update(codes)
        .where(
            codes.c.digest.in_([call.secrets.digest_of_code(word[:60]) for word in typed]),
            codes.c.used.is_(None),
            codes.c.expires > call.now,
            codes.c.purpose != "reset",
        )
        .values(used=call.now)
        .returning(codes)
    )
    return call.session.first(Query(CodeRow, taken))


def _keep_only(call: Call, player: Player, given: Sequence[str]) -> None:
    """Drop all other addresses of the player."""
    call.session.execute(
        delete(addresses).where(
            addresses.c.player_id == player.id, addresses.c.address.not_in(given)
        )
    )


def _state_of(row: AddressRow, barred: Collection[str]) -> str:
    if row.address in barred:
        return "stopped by the operator"
    if row.stopped is not None:
        return "mail came back: none is sent there"
    return "" if row.confirmed else "not confirmed yet"


def _address_list(call: Call, player: Player, instead: Sequence[str] = ()) -> Notice:
    """The answer that lists a player's addresses; `instead` are to take the place of the others."""
    rows = reads.all_addresses(call.session, player.id)
    stopped = [row.address for row in rows if row.stopped is not None]
    barred = bans.barred(call.session, stopped)
    noted = [(row.address, _state_of(row, barred)) for row in rows]
    waits = any(note for _, note in noted)
    return call.answer(AddressList(userid=player.userid, rows=noted, instead=instead, waits=waits))


def add_addresses(call: Call) -> list[Notice]:
    """More addresses; each gets a code first."""
    player = call.me
    given = _addresses(call, call.command.words, call.command.form.rsplit(" ", 1)[0])
    if len(reads.all_addresses(call.session, player.id)) + len(given) > _MOST_ADDRESSES:
        raise Refusal(
            RefusalCode.LIMIT_REACHED, f"an account has at most {_MOST_ADDRESSES} addresses"
        )
    asked = _codes(call, player, _store(call, player, given))
    return [*asked, _address_list(call, player)]


def remove_addresses(call: Call) -> list[Notice]:
    """Fewer addresses; Refusal when no confirmed one would be left."""
    player = call.me
    given = _addresses(call, call.command.words, call.command.form.rsplit(" ", 1)[0])
    before = reads.addresses_of(call.session, player.id)
    rows = {row.address for row in reads.all_addresses(call.session, player.id)}
    missing = [address for address in given if address not in rows]
    if missing:
        raise Refusal(RefusalCode.BAD_ADDRESS, "one of these addresses is not yours")
    if not set(before) - set(given):
        raise Refusal(
            RefusalCode.LAST_ADDRESS,
            "the last address stays: add another one first",
            f"add {player.userid} PASSWORD NAME@EXAMPLE.ORG",
        )
    call.session.execute(
        delete(addresses).where(addresses.c.player_id == player.id, addresses.c.address.in_(given))
    )
    gone = tuple(address for address in before if address in given)
    return [_address_list(call, player), *_told_old(call, player, gone, "addresses")]


def _told_old(call: Call, player: Player, old: tuple[str, ...], what: str) -> list[Notice]:
    """A notice to addresses that belonged to the account, without a token."""
    if not old:
        return []
    return [Notice(AccountChanged(userid=player.userid, what=what), addresses=old)]


def change_password(call: Call) -> list[Notice]:
    """A new password; the old one may be a code from `forgot`. All addresses are told."""
    player = call.me
    if not call.command.words or not _is_password(call.command.words[0]):
        raise Refusal(
            RefusalCode.BAD_PASSWORD,
            "a password is 4 to 64 characters without blanks, of your own choice",
            f"change password {player.userid} PASSWORD NEWPASSWORD",
        )
    _require_hash(call)
    # Another daemon may have taken the same password, or the same code, in the meantime.
    changed = call.session.execute(
        update(players)
        .where(players.c.id == player.id, players.c.password == player.password)
        .values(password=call.command.new_hash)
    )
    if not changed.rowcount:
        raise wrong_password(call.command.form)
    call.session.execute(
        update(codes)
        .where(codes.c.player_id == player.id, codes.c.purpose == "reset")
        .values(used=call.now)
    )
    call.secrets.remember(player.id, call.command.new_hash, call.command.words[0])
    return [call.answer(PasswordChanged(userid=player.userid))]


def change_addresses(call: Call) -> list[Notice]:
    """Other addresses for all old ones, which are told at once (the answer goes there) and dropped
    as soon as one of the new ones is proven."""
    player = call.me
    words = call.command.words or (call.command.sender.address,)
    given = _addresses(call, words, f"change address {player.userid} PASSWORD")
    old = reads.addresses_of(call.session, player.id)
    gone = tuple(address for address in old if address not in given)
    asked = _codes(call, player, _store(call, player, given), "change", given)
    if asked or (call.config.players.confirm_addresses and not set(given) <= set(old)):
        return [*asked, _address_list(call, player, instead=given)]
    _keep_only(call, player, given)
    return [_address_list(call, player), *_told_old(call, player, gone, "addresses")]


def forgot(call: Call) -> list[Notice]:
    """A code to the registered addresses; the same answer whether or not the userid exists."""
    player = find_player(call.session, call.command.user)
    neutral = call.answer(CodeSent())
    if player is None or not player.is_active:
        return [neutral]
    where = reads.addresses_of(call.session, player.id)
    where = tuple(address for address in where if _has_codes_left(call, address))
    return [neutral, _code(call, player, "reset", where=where)] if where else [neutral]


def unlocking(call: Call) -> list[Notice]:
    """To an account on which too many wrong passwords were tried: a code that has passwords checked
    again, at most once an hour. The mail is the same whether the last one was right or wrong."""
    player = find_player(call.session, call.command.user)
    if player is None:
        return []
    this_hour = f"unlock {player.id} {int(call.now // 3600)}"
    is_first = daily_counters.allow(call.session, this_hour, call.now, 1)
    if not is_first:
        return []
    return [_code(call, player, "unlock", where=reads.addresses_of(call.session, player.id))]


def sign_off(call: Call) -> list[Notice]:
    """Close the account; with open boards a code must come back first."""
    player = call.me
    if _open(call, player):
        where = reads.addresses_of(call.session, player.id)
        return [replace(_code(call, player, "signoff", where=where), is_answer=True)]
    return _close(call, player)


def _open(call: Call, player: Player) -> list[int]:
    query = (
        select(boards.c.id)
        .join(seats, seats.c.board_id == boards.c.id)
        .where(seats.c.player_id == player.id, boards.c.state.in_(("running", "invited")))
        .distinct()
        .order_by(boards.c.id)
    )
    return list(call.session.execute(query).scalars())


def _forget_addresses(call: Call, player: Player) -> None:
    """Delete the player's addresses and codes, and take the addresses out of the audit."""
    for row in reads.all_addresses(call.session, player.id):
        reason = func.replace(audit.c.reason, row.address, "(an address)")
        call.session.execute(
            update(audit).where(audit.c.player_id == player.id).values(reason=reason)
        )
    for table in (codes, addresses):
        call.session.execute(delete(table).where(table.c.player_id == player.id))


def _close(call: Call, player: Player) -> list[Notice]:
    """Resign or decline every open board, then close the account and forget its addresses. A board
    that waits for its game is cancelled: nobody can tell what a resignation would mean there."""
    notices: list[Notice] = []
    where = reads.addresses_of(call.session, player.id)
    verbs = {verb.name: verb for verb in VERBS if verb.game == "yes"}
    for number in _open(call, player):
        board = load(call.session, number, lock=True, anyway=True)
        if isinstance(board.position, Unread):
            notices += _cancel(call, board, player)
            continue
        name = "decline" if board.state == "invited" else "resign"
        sender = replace(call.command.sender, token=None)
        command = Command(verbs[name], sender, board=number, user=player.userid)
        one = Call(call.session, command, call.now, call.secrets, call.config, player)
        seated = {seat.seat for seat in board.seats if seat.player == player.id}
        for _ in seated & board.position.playing if name == "resign" else (0,):
            if not load(call.session, number).is_over:
                notices += handler(verbs[name].do)(one)
    call.session.execute(
        update(players)
        .where(players.c.id == player.id)
        .values(state="closed", password=NO_PASSWORD)
    )
    _forget_addresses(call, player)
    days = call.config.retention.mails_days
    goodbye = Notice(Goodbye(userid=player.userid, days=days), where, is_answer=True)
    others = [notice for notice in notices if notice.player != player.id]
    return [goodbye, *others]


def _cancel(call: Call, board: Board, player: Player) -> list[Notice]:
    seat = board.seat_of(player)
    board.cancel(seat.seat, "", call.now)
    save(call.session, board, call.now)
    return notify_board(call, board, "{who} left", actor=seat.seat)
