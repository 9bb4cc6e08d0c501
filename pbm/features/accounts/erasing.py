"""Erasing a player: boards and results remain under a former player's name, all else goes.

The mails in the two queues are erased afterwards in small steps (`erase_mails`), and at their end
what was counted for the mailboxes: until then a new account there has no new budgets."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Column, Table, delete, func, insert, or_, select, update

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.command import Command
from pbm.core.context import Context, DueWork
from pbm.core.feature import list_hooks
from pbm.core.notices import Notice
from pbm.core.player import BAN, NO_PASSWORD, Player, save_player
from pbm.core.storing import UnreadablePosition, load, save
from pbm.core.updates import notify_board
from pbm.core.words import get_verb
from pbm.features.accounts.addresses import leave_mailboxes
from pbm.features.accounts.codes import CODE_DAYS, issue_code
from pbm.features.accounts.notices import EraseCode, Erased, Goodbye, SignOffCode
from pbm.features.accounts.tables import (
    former_userids,
    friend_invitations,
    invitations,
    signups,
)
from pbm.features.accounts.userids import FORMER, change_userid
from pbm.features.talk.tables import chats
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.daily_counters import DAY
from pbm.store.reads import find_open_board_numbers, read_setting
from pbm.store.tables import (
    ASIDE,
    DONE,
    EMPTY_INBOUND,
    EMPTY_OUTBOUND,
    WAITING,
    addresses,
    audit,
    bans,
    codes,
    counters,
    held_notices,
    held_words,
    inbound,
    mail_ends,
    normalize_mailbox,
    notes,
    outbound,
    receipts,
    settings,
)
from pbm.store.transaction import Session

_ADDRESS = re.compile(r"[^\s<>(),;:]+@[^\s<>(),;:]+")


def ask_to_erase(call: Call) -> list[Notice]:
    """Send a code that must come back before the player is erased."""
    player = call.me
    content = EraseCode(
        userid=player.userid,
        code=issue_code(call, player, "erase"),
        days=CODE_DAYS,
        boards=find_open_board_numbers(call.session, player.id),
    )
    confirmed = reads.find_addresses(call.session, player.id)
    return [Notice(content, addresses=confirmed, player=player.id, is_answer=True)]


def erase(call: Call, player: Player, reason: str = "") -> list[Notice]:
    """Close the account as `signoff` does and erase the person. Returns a last mail to the player,
    with the operator's `reason` if there is one, and the notices to others on the boards."""
    session = call.session
    own = {row.address for row in reads.find_confirmed_addresses(session, player.id)}
    confirmed = reads.find_addresses(session, player.id)
    notices = [n for n in close_account(call, player) if not n.is_answer and n.player != player.id]
    former = f"{FORMER}-{player.id}"
    add_erasure(session, player.id, own, call.now)
    change_userid(call, player, former, is_erased=True)
    _erase_account(call, player)
    _erase_texts(call, player)
    _erase_bans(call, player)
    _mask_audit(call, player, own, former)
    content = Erased(
        userid=player.userid,
        former=former,
        days=call.config.retention.mails_days,
        reason=reason,
    )
    return [Notice(content, addresses=confirmed, is_answer=True), *notices]


def _erase_account(context: Context, player: Player) -> None:
    kept = replace(player, preferences={}, seen=context.now, away=None, digest_at=None)
    save_player(context.session, replace(kept, writes_to=""))
    earlier = former_userids.c.player_id == player.id
    for name in (
        context.session.execute(select(former_userids.c.name).where(earlier)).scalars().all()
    ):
        if len(name) < len(digest := context.secrets.digest_userid(name)):
            digested = update(former_userids).where(former_userids.c.name == name)
            context.session.execute(digested.values(name=digest))


def _erase_texts(context: Context, player: Player) -> None:
    """Erase the player's data in features, held notices, and how the player's mails begin and
    end."""
    for erase_rows in list_hooks(lambda each: each.on_erase):
        erase_rows(context, player)
    number = player.id
    is_of_player = or_(held_notices.c.player_id == number, held_notices.c.cause_id == number)
    context.session.execute(delete(held_notices).where(is_of_player))
    context.session.execute(delete(mail_ends).where(mail_ends.c.player_id == number))


def _erase_bans(context: Context, player: Player) -> None:
    """Erase bans of the account. An address that the operator banned stays banned, without an
    owner."""
    session = context.session
    is_own = bans.c.player_id == player.id
    is_of_address = (bans.c.kind == BAN) & bans.c.target.contains("@")
    session.execute(delete(bans).where(is_own, ~is_of_address))
    session.execute(update(bans).where(is_own).values(player_id=None))


def _mask_audit(context: Context, player: Player, own: Collection[str], former: str) -> None:
    """Remove userid and addresses from the audit's entries on the player."""
    word = re.compile(rf"(?<![\w-]){re.escape(player.userid)}(?![\w-])", re.IGNORECASE)
    mentions = [
        column.contains(address, autoescape=True)
        for column in (audit.c.action, audit.c.reason, audit.c.undo)
        for address in own
    ]
    chosen = or_(audit.c.player_id == player.id, audit.c.actor == former, *mentions)
    query = select(audit.c.id, audit.c.action, audit.c.reason).where(chosen)
    for number, *texts in context.session.tuples(query):
        action, reason = (
            word.sub(former, _ADDRESS.sub("(an address)", str(text))) for text in texts
        )
        changed = update(audit).where(audit.c.id == number)
        context.session.execute(changed.values(action=action, reason=reason, undo=None))


# Closing an account: its boards end, its addresses are deleted.


def sign_off(call: Call) -> list[Notice]:
    """Close the account; with open boards, send a code that must come back first."""
    player = call.me
    if not find_open_board_numbers(call.session, player.id):
        return close_account(call, player)
    return [send_sign_off_code(call, player)]


def send_sign_off_code(call: Call, player: Player) -> Notice:
    """Send the code that closes the account when it comes back."""
    numbers = find_open_board_numbers(call.session, player.id)
    code = issue_code(call, player, "signoff")
    content = SignOffCode(userid=player.userid, code=code, days=CODE_DAYS, boards=numbers)
    confirmed = reads.find_addresses(call.session, player.id)
    return Notice(content, addresses=confirmed, player=player.id, is_answer=True)


def close_account(call: Call, player: Player) -> list[Notice]:
    """Resign or decline every open board, pass on what the player led, then close the account and
    delete its addresses. A board whose game cannot be loaded is cancelled."""
    notices: list[Notice] = []
    confirmed = reads.find_addresses(call.session, player.id)
    for number in find_open_board_numbers(call.session, player.id):
        notices += leave_board(call, player, number)
    for pass_on in list_hooks(lambda each: each.on_close):
        notices += pass_on(call, player)
    save_player(call.session, replace(player, state="closed", password=NO_PASSWORD, roles=""))
    _delete_private(call, player)
    days = call.config.retention.mails_days
    goodbye = Notice(Goodbye(userid=player.userid, days=days), confirmed, is_answer=True)
    return [goodbye, *(notice for notice in notices if notice.player != player.id)]


def leave_board(call: Call, player: Player, number: int) -> list[Notice]:
    """Resign or decline a board of the player's, all seats."""
    board = load(call.session, number, lock=True, anyway=True)
    if isinstance(board.position, UnreadablePosition):
        # What a resignation means is for the game to say, which is gone.
        return _cancel(call, board, player)
    name = "decline" if board.state == "invited" else "resign"
    verb = get_verb(name)
    sender = replace(call.command.sender, token=None)
    command = Command(verb, sender, board=number, user=player.userid)
    leaving = Call(call.session, call.now, call.secrets, call.config, player, command=command)
    own = {seat.seat for seat in board.seats if seat.player == player.id}
    notices: list[Notice] = []
    for _ in own & board.position.playing if name == "resign" else (0,):
        if not load(call.session, number).is_over:
            notices += verb.do(leaving)
    return notices


def _cancel(call: Call, board: Board, player: Player) -> list[Notice]:
    seat = board.find_seat(player)
    board.cancel(seat.seat, "", call.now)
    save(call.session, board, call.now)
    event, own = phrase("{player} left", player=seat.userid), phrase("you left")
    return notify_board(call, board, event, own=own, actor=seat.seat)


def _delete_private(context: Context, player: Player) -> None:
    """Delete the player's addresses, codes, notes, texts on boards, and words that wait."""
    for row in reads.find_all_addresses(context.session, player.id):
        reason = func.replace(audit.c.reason, row.address, "(an address)")
        context.session.execute(
            update(audit).where(audit.c.player_id == player.id).values(reason=reason)
        )
    rows = reads.find_confirmed_addresses(context.session, player.id)
    own = [row.address for row in rows]
    leave_mailboxes(context, player.id, own)
    for table in (signups, invitations, friend_invitations):
        context.session.execute(delete(table).where(table.c.address.in_(own)))
    for table in (codes, addresses, notes, chats, held_words):
        context.session.execute(delete(table).where(table.c.player_id == player.id))


# Erased players of whom mails are still in the queues: a setting that names them and how far the
# queues have been searched. It goes when the search is over.

_SETTING = "erasures"


class Erasure(msgspec.Struct, frozen=True, kw_only=True):
    """A player whose mails are being erased; `inbound` and `outbound` are the numbers of the last
    mails searched."""

    player: int
    addresses: tuple[str, ...]
    at: float
    inbound: int = 0
    outbound: int = 0


def read_erasures(session: Session) -> list[Erasure]:
    """Return the unfinished erasures."""
    text = read_setting(session, _SETTING)
    return msgspec.json.decode(text, type=list[Erasure]) if text else []


def write_erasures(session: Session, erasures: Collection[Erasure]) -> None:
    """Store the unfinished erasures; with none, delete the setting."""
    own = settings.c.name == _SETTING
    if not erasures:
        session.execute(delete(settings).where(own))
        return
    value = msgspec.json.encode(erasures).decode()
    if not session.execute(update(settings).where(own).values(value=value)).rowcount:
        session.execute(insert(settings).values(name=_SETTING, value=value))


def add_erasure(session: Session, player: int, addresses: Collection[str], now: float) -> None:
    """Have a player's mails erased, over the next ticks."""
    new = Erasure(player=player, addresses=tuple(sorted(addresses)), at=now)
    others = [each for each in read_erasures(session) if each.player != player]
    write_erasures(session, [*others, new])


# Erases the mails of erased players from both queues, some at a time, so that no other mail has
# to wait.

_AT_ONCE = 500
_LASTS = DAY
"""Mails that were under way when the player was erased arrive within this time."""


def erase_mails(session: Session, now: float) -> None:
    """Erase some of the mails from and to erased players. Never commits."""
    erasures = read_erasures(session)
    left = [after for each in erasures if (after := _advance(session, each, now)) is not None]
    if left != erasures:
        write_erasures(session, left)


def _advance(session: Session, erasure: Erasure, now: float) -> Erasure | None:
    """Return the erasure after the next mails of each queue; None when it is finished."""
    came = _erase_next(
        session,
        inbound,
        (inbound.c.envelope_from, inbound.c.recipient, inbound.c.raw),
        erasure,
        erasure.inbound,
        EMPTY_INBOUND,
    )
    went = _erase_next(
        session, outbound, (outbound.c.recipient,), erasure, erasure.outbound, EMPTY_OUTBOUND
    )
    is_at_end = (came, went) == (erasure.inbound, erasure.outbound)
    if is_at_end and now > erasure.at + _LASTS:
        for mailbox in map(normalize_mailbox, erasure.addresses):
            named = counters.c.name.contains(f" {mailbox}", autoescape=True)
            session.execute(delete(counters).where(named))
        return None
    return replace(erasure, inbound=came, outbound=went)


def _erase_next(
    session: Session,
    table: Table,
    columns: Sequence[Column[Any]],
    erasure: Erasure,
    after: int,
    empty: Mapping[str, object],
) -> int:
    """Erase the player's mails, and those that contain an address of the player, among the next
    ones. Return the number of the last one searched; the search stops before the first that still
    waits."""
    query = select(table.c.id, table.c.state, table.c.player_id, *columns)
    query = query.where(table.c.id > after).order_by(table.c.id).limit(_AT_ONCE)
    for number, state, player, *texts in session.tuples(query):
        if player == erasure.player or any(_names(erasure, text) for text in texts):
            if state == WAITING:
                return after
            if table is outbound:
                session.execute(delete(receipts).where(receipts.c.outbound_id == number))
            emptied = update(table).where(table.c.id == number)
            session.execute(emptied.values(**empty, state=DONE if state == ASIDE else state))
        after = number
    return after


def _names(erasure: Erasure, text: str | bytes | None) -> bool:
    """Whether a text or mail contains an address of the player."""
    raw = text.encode() if isinstance(text, str) else text or b""
    names = b"|".join(re.escape(address.encode()) for address in erasure.addresses)
    return bool(names) and re.search(rb"(?i)(?<![\w.+-])(?:%b)(?![\w-])" % names, raw) is not None


def do_due(work: DueWork) -> list[Notice]:
    """Continue erasing the mails of erased players."""
    erase_mails(work.context.session, work.context.now)
    return []
