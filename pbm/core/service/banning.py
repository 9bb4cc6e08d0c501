"""What an operator does about people and their addresses: suspend, ban, stop mail, and undo it.

Who is concerned is told once, with the reason; after that nothing more is sent there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from email_validator import EmailNotValidError, validate_email
from sqlalchemy import ColumnElement, delete, insert, or_, select, update

from pbm.core.model.bans import BAN, STOP, find_bans, mailbox
from pbm.core.model.notice import Notice
from pbm.core.model.player import Player, get_player
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.core.service.operator import OperatorAct
from pbm.store import reads
from pbm.store.queues import DROPPED, WAITING
from pbm.store.rows import Query
from pbm.store.tables import AddressRow, addresses, bans, outbound, players


def suspend(desk: OperatorAct, userid: str) -> list[Notice]:
    """Stop a player from acting, and all mail to the player but the notice of it; Refusal for one
    who is not active."""
    player = desk.player(userid)
    if not player.is_active:
        raise Refusal(RefusalCode.WRONG_STATE, f"this account is {player.state}")
    told = desk.tell(player, "your account is suspended", desk.because("suspended your account"))
    _suspend(desk, player, STOP)
    desk.record("suspend", player=player.id)
    return [told]


def unsuspend(desk: OperatorAct, userid: str) -> list[Notice]:
    """Let a suspended player act again; Refusal for any other, and for a banned one."""
    player = desk.player(userid)
    if player.state != "suspended":
        raise Refusal(RefusalCode.WRONG_STATE, f"this account is {player.state}")
    if _is_listed(desk, player.name):
        raise Refusal(
            RefusalCode.WRONG_STATE, f"this account is banned: pbm admin unban {player.userid}"
        )
    return _reopen(desk, player, "unsuspend")


def ban(desk: OperatorAct, who: str) -> list[Notice]:
    """Ban an account with its addresses, an address, or a domain (`@example.org`) with those below
    it: nothing is taken from there, and nothing sent there but the notice of it. Refusal for what
    is banned already, a closed account, and what is no address."""
    if "@" in who:
        return _ban_addresses(desk, _target(who))
    player = desk.player(who)
    if _is_listed(desk, player.name):
        raise Refusal(RefusalCode.ALREADY_DONE, "this account is banned already")
    if player.state == "closed" or player.is_bot:
        raise Refusal(
            RefusalCode.WRONG_STATE, "this account is closed, or no person's: ban an address"
        )
    told = desk.tell(player, "your account is banned", desk.because("banned your account"))
    _list(desk, player.name, BAN, player.id)
    _suspend(desk, player, BAN)
    desk.record("ban", player=player.id)
    return [told]


def unban(desk: OperatorAct, who: str) -> list[Notice]:
    """Lift a ban; Refusal where there is none."""
    target = _target(who) if "@" in who else who.lower()
    if not _is_listed(desk, target):
        raise Refusal(RefusalCode.NO_SUCH_BAN, "there is no such ban: pbm admin bans lists them")
    if "@" not in who:
        return _reopen(desk, desk.player(who), "unban")
    desk.session.execute(delete(bans).where(bans.c.target == target))
    _lift(desk, _within(desk, target))
    desk.record(f"unban {target}")
    return []


def stop_address(desk: OperatorAct, address: str, *, stopped: bool) -> list[Notice]:
    """Send nothing more to an address, or again; its players are told, where other mail reaches
    them. Refusal when nobody has it, and for what a ban stops."""
    target = _target(address)
    rows = _within(desk, target)
    if not rows:
        raise Refusal(RefusalCode.NO_SUCH_PLAYER, "no player has this address")
    if stopped:
        if not _is_listed(desk, target):
            _list(desk, target, STOP)
        _stop_mail(desk, rows)
    else:
        desk.session.execute(delete(bans).where(bans.c.target == target, bans.c.kind == STOP))
        if find_bans(desk.session, [row.address for row in rows]):
            raise Refusal(
                RefusalCode.WRONG_STATE, "this address is banned: pbm admin bans says by which ban"
            )
        _lift(desk, rows)
    told = []
    for row in rows:
        desk.record("suspend address" if stopped else "unsuspend address", player=row.player_id)
        player = get_player(desk.session, row.player_id)
        if player is not None:
            did = "stopped all mail to" if stopped else "lets mail go again to"
            subject = f"mail to {row.address} {'stops' if stopped else 'goes again'}"
            told.append(desk.tell(player, subject, desk.because(f"{did} {row.address}")))
    return told


def _ban_addresses(desk: OperatorAct, target: str) -> list[Notice]:
    if _is_listed(desk, target):
        raise Refusal(RefusalCode.ALREADY_DONE, "this is banned already")
    rows = _within(desk, target)
    told = []
    for number in dict.fromkeys(row.player_id for row in rows):
        player = get_player(desk.session, number)
        if player is not None and player.is_active:
            event = desk.because(f"banned {target.removeprefix('@')}")
            told.append(desk.tell(player, "an address of yours is banned", event))
        desk.record(f"ban {target}", player=number)
    if not rows:
        desk.record(f"ban {target}")
    _list(desk, target, BAN)
    _stop_mail(desk, rows)
    return told


def _target(who: str) -> str:
    """An address or `@domain` as it is listed. Refusal for what is neither."""
    local, _, host = who.strip().rpartition("@")
    try:
        checked = validate_email(
            f"{local or 'anybody'}@{host}",
            check_deliverability=False,
            allow_smtputf8=False,
            test_environment=True,
        )
    except EmailNotValidError:
        raise Refusal(
            RefusalCode.BAD_ADDRESS,
            "this is neither an address nor a domain: eve@example.org, @example.org",
        ) from None
    found = mailbox(checked.ascii_email or "")
    return found if local else found[found.rindex("@") :]


def _within(desk: OperatorAct, target: str) -> Sequence[AddressRow]:
    """The players' addresses that a target includes."""
    local, _, host = target.rpartition("@")
    where, at = addresses.c.address, f"@{host}"
    if local:
        plus = where.startswith(f"{local}+", autoescape=True) & where.endswith(at, autoescape=True)
        chosen = or_(where == target, plus)
    else:
        below = where.endswith(f".{host}", autoescape=True)
        chosen = or_(where.endswith(at, autoescape=True), below)
    query = select(addresses).where(chosen).order_by(addresses.c.id)
    return desk.session.all(Query(AddressRow, query))


def _is_listed(desk: OperatorAct, target: str) -> bool:
    query = select(bans.c.id).where(bans.c.target == target, bans.c.kind == BAN)
    return desk.session.execute(query).scalar() is not None


def _list(desk: OperatorAct, target: str, kind: str, player: int | None = None) -> None:
    """Add to the list what is not there; a stop that becomes a ban takes its place."""
    known = select(bans.c.kind).where(bans.c.target == target)
    before = desk.session.execute(known).scalar()
    if before in (BAN, kind):
        return
    desk.session.execute(delete(bans).where(bans.c.target == target))
    desk.session.execute(
        insert(bans).values(
            target=target,
            kind=kind,
            player_id=player,
            reason=desk.why,
            actor=desk.actor,
            at=desk.now,
        )
    )


def _suspend(desk: OperatorAct, player: Player, kind: str) -> None:
    """Suspend an account. Its addresses are listed too, unless another account that is open has
    them."""
    _set_state(desk, player, "suspended")
    rows = reads.all_addresses(desk.session, player.id)
    listed = [row for row in rows if kind == BAN or not _is_shared(desk, row)]
    for row in listed:
        _list(desk, mailbox(row.address), kind, player.id)
    _stop(desk, rows, outbound.c.player_id == player.id)
    for row in listed:
        _stop_mail(desk, _within(desk, mailbox(row.address)))


def _reopen(desk: OperatorAct, player: Player, action: str) -> list[Notice]:
    """Open a suspended account again, with its addresses that no other ban includes."""
    desk.session.execute(delete(bans).where(bans.c.player_id == player.id))
    _set_state(desk, player, "active")
    rows = reads.all_addresses(desk.session, player.id)
    _lift(desk, [each for row in rows for each in _within(desk, mailbox(row.address))])
    desk.record(action, player=player.id)
    return [desk.tell(player, "your account is open again", desk.because("opened it again"))]


def _set_state(desk: OperatorAct, player: Player, state: str) -> None:
    desk.session.execute(update(players).where(players.c.id == player.id).values(state=state))


def _is_shared(desk: OperatorAct, row: AddressRow) -> bool:
    """Whether another account that is open has confirmed the address too."""
    return any(
        each.id != row.player_id for each in reads.players_by_address(desk.session, row.address)
    )


def _stop_mail(desk: OperatorAct, rows: Sequence[AddressRow]) -> None:
    """Send nothing more to the addresses of these rows, what waits included."""
    _stop(desk, rows, outbound.c.recipient.in_([row.address for row in rows]))


def _stop(desk: OperatorAct, rows: Iterable[AddressRow], waiting: ColumnElement[bool]) -> None:
    """Stop the addresses of these rows, and drop these of the mails that wait to be sent."""
    desk.session.execute(
        update(addresses)
        .where(addresses.c.id.in_([row.id for row in rows]), addresses.c.stopped.is_(None))
        .values(stopped=desk.now)
    )
    desk.session.execute(
        update(outbound)
        .where(outbound.c.state == WAITING, waiting)
        .values(state=DROPPED, finished=desk.now, why=desk.because("stopped mail to this address"))
    )


def _lift(desk: OperatorAct, rows: Iterable[AddressRow]) -> None:
    """Let mail go again to those of these rows that no ban includes and whose account is open."""
    found = {row.id: row for row in rows}
    still = find_bans(desk.session, [row.address for row in found.values()])
    free = [
        row.id
        for row in found.values()
        if row.address not in still
        and (player := get_player(desk.session, row.player_id)) is not None
        and player.is_active
    ]
    desk.session.execute(
        update(addresses)
        .where(addresses.c.id.in_(free))
        .values(stopped=None, bounces=0, bounced=None)
    )
