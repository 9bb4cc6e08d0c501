"""Suspends and bans players and their addresses, stops mail to them, and undoes it.

The player concerned is notified once, with the reason; after that no more mail goes there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace
from sqlalchemy import ColumnElement, delete, insert, select, update

from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct, refuse_changed
from pbm.core.player import (
    BAN,
    STOP,
    Player,
    find_bans,
    find_covered_addresses,
    get_player,
    save_player,
)
from pbm.core.refusal import Refusal, RefusalCode
from pbm.features.moderation.concern import read_target
from pbm.features.play.admin import cancel_all
from pbm.rules.phrases import get_text, phrase
from pbm.store import reads
from pbm.store.tables import (
    DROPPED,
    WAITING,
    AddressRow,
    addresses,
    bans,
    normalize_mailbox,
    outbound,
)


def stop(act: OperatorAct, who: str) -> list[Notice]:
    """Suspend an account, or stop mail to an address."""
    return stop_address(act, who, stopped=True) if "@" in who else suspend(act, who)


def resume(act: OperatorAct, who: str) -> list[Notice]:
    """Open a suspended account again, or let mail go to an address again."""
    return stop_address(act, who, stopped=False) if "@" in who else unsuspend(act, who)


def suspend(act: OperatorAct, userid: str) -> list[Notice]:
    """Suspend an account: the player can do nothing, and gets no mail but the notice of it. Refused
    for an account that is not active."""
    player = act.find_player(userid)
    if not player.is_active:
        raise Refusal(
            RefusalCode.WRONG_STATE, phrase("this account is {state}", state=player.state)
        )
    notices = act.notify(
        player,
        phrase("your account is suspended"),
        act.give_reason(phrase("{who} suspended your account", who=act.who)),
    )
    _suspend(act, player, STOP)
    act.record("suspend", player=player.id)
    return [notices]


def unsuspend(act: OperatorAct, userid: str) -> list[Notice]:
    """Open a suspended account again. Refused for one that is not suspended, and for a banned
    one."""
    player = act.find_player(userid)
    if player.state != "suspended":
        raise Refusal(
            RefusalCode.WRONG_STATE, phrase("this account is {state}", state=player.state)
        )
    if _is_banned(act, player.name):
        raise Refusal(
            RefusalCode.WRONG_STATE,
            phrase("this account is banned: pbm admin unban {userid}", userid=player.userid),
        )
    return _reopen(act, player, "unsuspend")


def ban(act: OperatorAct, who: str, ends_boards: bool = False) -> list[Notice]:
    """Ban an account with its addresses, an address, or a domain (`@example.org`) with its
    subdomains: mail from there is ignored, and only the notice of the ban goes there. With
    `ends_boards` the open boards of the account end without a result. Refused for what is already
    banned, a closed account, and an invalid address."""
    if "@" in who and ends_boards:
        raise Refusal(RefusalCode.BAD_ARGUMENT, phrase("only an account has boards: name a userid"))
    if "@" in who:
        return _ban_addresses(act, _parse_target(who))
    player = act.find_player(who)
    if _is_banned(act, player.name):
        raise Refusal(RefusalCode.ALREADY_DONE, phrase("this account is already banned"))
    if player.state == "closed" or player.is_bot:
        raise Refusal(
            RefusalCode.WRONG_STATE,
            phrase("this account is closed or a bot's: ban an address instead"),
        )
    notices = act.notify(
        player,
        phrase("your account is banned"),
        act.give_reason(phrase("{who} banned your account", who=act.who)),
    )
    _add_ban(act, player.name, BAN, player.id, was_suspended=not player.is_active)
    _suspend(act, player, BAN)
    act.record("ban", player=player.id, undo=("ban", player.id, player.name, act.now))
    return [notices, *(cancel_all(act, player.id) if ends_boards else ())]


def unban(act: OperatorAct, who: str) -> list[Notice]:
    """Lift a ban. Refused when there is none."""
    target = _parse_target(who) if "@" in who else who.lower()
    if not _is_banned(act, target):
        raise Refusal(
            RefusalCode.NO_SUCH_BAN, phrase("there is no such ban: pbm admin bans lists them")
        )
    if "@" not in who:
        return _unban_account(act, act.find_player(who))
    act.session.execute(delete(bans).where(bans.c.target == target))
    _resume_mail(act, find_covered_addresses(act.session, target))
    act.record(f"unban {target}", undo=("unban", 0, target))
    return []


def undo_ban(act: OperatorAct, number: int, target: str, at: float) -> list[Notice]:
    """Lift the ban imposed at that time on an account or, when its number is 0, on an address or
    domain."""
    player = get_player(act.session, number) if number else None
    target = player.name if player is not None else target
    query = select(bans.c.at).where(bans.c.target == target, bans.c.kind == BAN)
    if act.session.execute(query).scalar() != at:
        raise refuse_changed()
    return unban(act, target)


def undo_unban(act: OperatorAct, number: int, target: str) -> list[Notice]:
    """Ban an account or, when its number is 0, an address or domain, once more."""
    player = get_player(act.session, number) if number else None
    return ban(act, player.userid if player is not None else target)


def _unban_account(act: OperatorAct, player: Player) -> list[Notice]:
    """Lift the ban on an account. One that was suspended before is suspended again."""
    query = select(bans.c.was_suspended).where(bans.c.target == player.name)
    undo = ("unban", player.id, player.name)
    if not act.session.execute(query).scalar():
        return _reopen(act, player, "unban", undo=undo)
    act.session.execute(delete(bans).where(bans.c.player_id == player.id))
    _suspend(act, player, STOP)
    act.record("unban", player=player.id, undo=undo)
    act.remarks.append(f"{player.userid} was suspended before, and is still: pbm admin unsuspend")
    return []


def stop_address(act: OperatorAct, address: str, *, stopped: bool) -> list[Notice]:
    """Stop mail to an address, or allow it again. Its players are notified at their other
    addresses. Refused when nobody has the address, and when it is banned."""
    target = _parse_target(address)
    rows = find_covered_addresses(act.session, target)
    if not rows:
        raise Refusal(RefusalCode.NO_SUCH_PLAYER, phrase("no player has this address"))
    if stopped:
        if not _is_banned(act, target):
            _add_ban(act, target, STOP)
        _stop_mail(act, rows)
    else:
        act.session.execute(delete(bans).where(bans.c.target == target, bans.c.kind == STOP))
        if find_bans(act.session, [row.address for row in rows]):
            raise Refusal(
                RefusalCode.WRONG_STATE, phrase("this address is banned: see pbm admin bans")
            )
        _resume_mail(act, rows)
    notices = []
    for row in rows:
        if row.confirmed is None:
            continue
        act.record("suspend address" if stopped else "unsuspend address", player=row.player_id)
        player = get_player(act.session, row.player_id)
        if player is not None:
            notices.append(_tell_stopped(act, player, row.address, stopped=stopped))
    return notices


def _tell_stopped(act: OperatorAct, player: Player, address: str, *, stopped: bool) -> Notice:
    if stopped:
        subject = phrase("mail to {address} stops", address=address)
        event = phrase("{who} stopped all mail to {address}", who=act.who, address=address)
    else:
        subject = phrase("mail to {address} goes again", address=address)
        event = phrase("{who} lets mail go again to {address}", who=act.who, address=address)
    return act.notify(player, subject, act.give_reason(event))


def _ban_addresses(act: OperatorAct, target: str) -> list[Notice]:
    if _is_banned(act, target):
        raise Refusal(RefusalCode.ALREADY_DONE, phrase("this is already banned"))
    rows = find_covered_addresses(act.session, target)
    owners = dict.fromkeys(row.player_id for row in rows if row.confirmed is not None)
    notices = []
    for number in owners:
        player = get_player(act.session, number)
        if player is not None and player.is_active:
            banned = phrase("{who} banned {target}", who=act.who, target=target.removeprefix("@"))
            subject = phrase("an address of yours is banned")
            notices.append(act.notify(player, subject, act.give_reason(banned)))
    undo: tuple[object, ...] = ("ban", 0, target, act.now)
    for owner in owners or (None,):
        act.record(f"ban {target}", player=owner, undo=undo)
        undo = ()  # one command undoes it for all of them
    _add_ban(act, target, BAN)
    _stop_mail(act, rows)
    return notices


def _parse_target(who: str) -> str:
    """Return the address or `@domain` as it stands in the list of bans. Refuse anything else."""
    try:
        return read_target(who)
    except ValueError as error:
        raise Refusal(RefusalCode.BAD_ADDRESS, get_text(error)) from None


def _is_banned(act: OperatorAct, target: str) -> bool:
    query = select(bans.c.id).where(bans.c.target == target, bans.c.kind == BAN)
    return act.session.execute(query).scalar() is not None


def _add_ban(
    act: OperatorAct,
    target: str,
    kind: str,
    player: int | None = None,
    *,
    was_suspended: bool = False,
) -> None:
    """Add a ban or stop unless there is one; a ban replaces a stop."""
    query = select(bans.c.kind).where(bans.c.target == target)
    current = act.session.execute(query).scalar()
    if current in (BAN, kind):
        return
    act.session.execute(delete(bans).where(bans.c.target == target))
    act.session.execute(
        insert(bans).values(
            target=target,
            kind=kind,
            player_id=player,
            reason=act.reason_line,
            actor=act.actor,
            at=act.now,
            was_suspended=was_suspended,
        )
    )


def _suspend(act: OperatorAct, player: Player, kind: str) -> None:
    """Suspend an account, with its addresses unless another open account has them. Unconfirmed ones
    may be anybody's."""
    _set_state(act, player, "suspended")
    rows = reads.find_confirmed_addresses(act.session, player.id)
    own = [row for row in rows if kind == BAN or not _is_shared(act, row)]
    for row in own:
        _add_ban(act, normalize_mailbox(row.address), kind, player.id)
    _stop_addresses(act, rows, outbound.c.player_id == player.id)
    for row in own:
        _stop_mail(act, find_covered_addresses(act.session, normalize_mailbox(row.address)))


def _reopen(
    act: OperatorAct, player: Player, action: str, *, undo: tuple[object, ...] = ()
) -> list[Notice]:
    """Open a suspended account again, with its addresses that no other ban covers."""
    act.session.execute(delete(bans).where(bans.c.player_id == player.id))
    _set_state(act, player, "active")
    rows = reads.find_confirmed_addresses(act.session, player.id)
    _resume_mail(
        act,
        [
            each
            for row in rows
            for each in find_covered_addresses(act.session, normalize_mailbox(row.address))
        ],
    )
    act.record(action, player=player.id, undo=undo)
    return [
        act.notify(
            player,
            phrase("your account is open again"),
            act.give_reason(phrase("{who} opened it again", who=act.who)),
        )
    ]


def _set_state(act: OperatorAct, player: Player, state: str) -> None:
    save_player(act.session, replace(player, state=state))


def _is_shared(act: OperatorAct, row: AddressRow) -> bool:
    """Whether another open account has confirmed the address too."""
    return any(
        each.id != row.player_id for each in reads.find_players_by_address(act.session, row.address)
    )


def _stop_mail(act: OperatorAct, rows: Sequence[AddressRow]) -> None:
    """Stop mail to these addresses, and drop mail that waits to be sent there."""
    _stop_addresses(act, rows, outbound.c.recipient.in_([row.address for row in rows]))


def _stop_addresses(
    act: OperatorAct, rows: Iterable[AddressRow], waiting: ColumnElement[bool]
) -> None:
    """Stop these addresses, and drop the waiting outgoing mails that match."""
    act.session.execute(
        update(addresses)
        .where(addresses.c.id.in_([row.id for row in rows]), addresses.c.stopped.is_(None))
        .values(stopped=act.now)
    )
    act.session.execute(
        update(outbound)
        .where(outbound.c.state == WAITING, waiting)
        .values(state=DROPPED, finished=act.now, why=act.add_reason("stopped mail to this address"))
    )


def _resume_mail(act: OperatorAct, rows: Iterable[AddressRow]) -> None:
    """Allow mail again to those of these addresses that no ban covers and whose account is open."""
    by_number = {row.id: row for row in rows}
    banned = find_bans(act.session, [row.address for row in by_number.values()])
    free = [
        row.id
        for row in by_number.values()
        if row.address not in banned
        and (player := get_player(act.session, row.player_id)) is not None
        and player.is_active
    ]
    act.session.execute(
        update(addresses)
        .where(addresses.c.id.in_(free))
        .values(stopped=None, bounce_score=0.0, bounced=None)
    )
