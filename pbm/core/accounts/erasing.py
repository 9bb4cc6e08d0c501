"""Erasing a player: boards and results stay as those of a former player, everything personal goes.

The mails in the two queues follow in small steps (`pbm.core.accounts.erased_mails`)."""

from __future__ import annotations

import re
from collections.abc import Collection

from msgspec.structs import replace
from sqlalchemy import delete, or_, select, update

from pbm.core.accounts.closing import close_account
from pbm.core.accounts.codes import CODE_DAYS, issue_code
from pbm.core.accounts.erasures import add_erasure
from pbm.core.accounts.notices import EraseCode, Erased
from pbm.core.accounts.userids import FORMER, change_userid
from pbm.core.kernel.context import Context
from pbm.core.kernel.feature import find_hooks
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.bans import BAN
from pbm.core.kernel.players.player import Player, save_player
from pbm.store import reads
from pbm.store.reads.board_rows import find_open_board_numbers
from pbm.store.tables import (
    audit,
    bans,
    counters,
    former_userids,
    held_notices,
)

_ADDRESS = re.compile(r"[^\s<>(),;:]+@[^\s<>(),;:]+")


def ask_to_erase(call: Call) -> list[Notice]:
    """Send a code that has to come back before the player is erased."""
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
    """Close the account as `signoff` does and erase the person: a last mail to the player, with the
    reason of the operator's if it was the operator, and the notices to the others at the boards."""
    session = call.session
    rows = reads.find_all_addresses(session, player.id)
    own = {row.address for row in rows}
    confirmed = tuple(row.address for row in rows if row.confirmed and row.stopped is None)
    notices = [n for n in close_account(call, player) if not n.is_answer and n.player != player.id]
    former = f"{FORMER}-{player.id}"
    add_erasure(session, player.id, own, call.now)
    change_userid(call, player, former, is_erased=True)
    _erase_account(call, player)
    _erase_texts(call, player)
    _erase_counts_and_bans(call, player, own)
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
    """Erase what features keep of the player, and the notices that are held back."""
    for erase_rows in find_hooks("on_erase"):
        erase_rows(context, player)
    number = player.id
    is_of_player = or_(held_notices.c.player_id == number, held_notices.c.cause_id == number)
    context.session.execute(delete(held_notices).where(is_of_player))


def _erase_counts_and_bans(context: Context, player: Player, own: Collection[str]) -> None:
    """Erase what limits have counted by address, and bans of the account. An address that the
    operator has banned stays banned, and is nobody's."""
    session = context.session
    for address in own:
        named = counters.c.name.contains(f" {address}", autoescape=True)
        session.execute(delete(counters).where(named))
    is_own = bans.c.player_id == player.id
    is_of_address = (bans.c.kind == BAN) & bans.c.target.contains("@")
    session.execute(delete(bans).where(is_own, ~is_of_address))
    session.execute(update(bans).where(is_own).values(player_id=None))


def _mask_audit(context: Context, player: Player, own: Collection[str], former: str) -> None:
    """Take userid and addresses out of what is recorded about the player."""
    word = re.compile(rf"(?<![\w-]){re.escape(player.userid)}(?![\w-])", re.IGNORECASE)
    mentions = [
        column.contains(address, autoescape=True)
        for column in (audit.c.action, audit.c.reason)
        for address in own
    ]
    chosen = or_(audit.c.player_id == player.id, audit.c.actor == former, *mentions)
    query = select(audit.c.id, audit.c.action, audit.c.reason).where(chosen)
    for number, *texts in context.session.tuples(query):
        action, reason = (
            word.sub(former, _ADDRESS.sub("(an address)", str(text))) for text in texts
        )
        changed = update(audit).where(audit.c.id == number)
        context.session.execute(changed.values(action=action, reason=reason))
