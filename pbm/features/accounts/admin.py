"""What the operator can do to accounts, and lists of accounts and bans. Nothing here commits."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from sqlalchemy import delete, insert, select, update

from pbm.core.board import format_time
from pbm.core.feature import ActRow, AdminPart, Argument, Asked, Filter, ListRow, list_hooks, narrow
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import (
    BAN,
    GUEST,
    NO_PASSWORD,
    Player,
    delete_own,
    find_player,
    pass_on,
    pass_on_pairs,
    save_player,
)
from pbm.core.refusal import Refusal, RefusalCode
from pbm.features.accounts import addresses, banning, erasing, signup
from pbm.features.accounts.codes import CODE_DAYS, send_confirmations
from pbm.features.accounts.notices import ResetCode
from pbm.features.accounts.tables import former_userids
from pbm.features.accounts.userids import (
    FORMER,
    change_userid,
    find_former_owner,
    is_reserved,
    require_valid_userid,
)
from pbm.features.events.record import require_other_events
from pbm.features.play.admin import find_open_of
from pbm.rules.phrases import combine, phrase
from pbm.store import reads
from pbm.store.daily_counters import DAY
from pbm.store.reads import find_open_board_numbers
from pbm.store.rows import Query
from pbm.store.tables import (
    BanRow,
    PlayerRow,
    audit,
    bans,
    codes,
    former_mailboxes,
    held_notices,
    held_words,
    inbound,
    mail_ends,
    outbound,
    players,
)
from pbm.store.tables import addresses as address_table
from pbm.store.transaction import Session


def reset_password(act: OperatorAct, userid: str) -> list[Notice]:
    """Withdraw a password and mail the player a code for a new one; the operator sees neither.
    Refused for an account that is not open or has no address."""
    player = act.find_player(userid)
    recipients = reads.find_addresses(act.session, player.id)
    if not player.is_active or not recipients:
        raise Refusal(
            RefusalCode.WRONG_STATE, "this account is closed or has no address that mail can reach"
        )
    code = act.secrets.generate_code()
    act.session.execute(
        insert(codes).values(
            player_id=player.id,
            purpose="reset",
            digest=act.secrets.digest_code(code),
            created=act.now,
            expires=act.now + CODE_DAYS * DAY,
        )
    )
    save_player(act.session, replace(player, password=NO_PASSWORD, links=player.links + 1))
    act.record("reset password", player=player.id)
    text = combine(
        "{event}. {more}",
        event=act.give_reason(phrase("{who} withdrew your password", who=act.who)),
        more=phrase("A code for a new one comes in another mail"),
    )
    return [
        act.notify(player, phrase("choose a new password"), text),
        Notice(
            ResetCode(
                userid=player.userid,
                code=code,
                days=CODE_DAYS,
                asked=format_time(act.now, player.preferences),
            ),
            recipients,
            player.id,
        ),
    ]


def set_address(act: OperatorAct, userid: str, address: str) -> list[Notice]:
    """Give a player whose mailbox is dead another address. It gets a code and replaces all others
    when the code comes back; the player is notified. Refused for a closed account and for an
    unusable address."""
    player = act.find_player(userid)
    if not player.is_active:
        raise Refusal(RefusalCode.WRONG_STATE, "this account is closed")
    call = act.build_call(0)
    (address,) = addresses.read_addresses(call, [address], "set-address USERID")
    sent, event = (
        list[Notice](),
        phrase("{who} made {address} your address", who=act.who, address=address),
    )
    if act.config.players.confirm_addresses:
        event = phrase(
            "{who} sent a code to {address}, which takes the place of your addresses when it "
            "returns",
            who=act.who,
            address=address,
        )
    told = act.notify(player, phrase("another address"), act.give_reason(event))
    unconfirmed = addresses.store_addresses(call, player, [address])
    if not act.config.players.confirm_addresses:
        addresses.keep_only(call, player, [address])
    elif not (sent := send_confirmations(call, player, unconfirmed, replaces=[address])):
        problem = "this address is confirmed already, or has had too many codes this week"
        raise Refusal(RefusalCode.WRONG_STATE, problem)
    act.record(f"set address {address}", player=player.id)
    return [*sent, told]


# Accounts and bans, for the operator; never a password, hashed or not.


class NamedBanRow(BanRow):
    """A ban, with the userid of the banned account."""

    userid: str | None


def list_players(session: Session, asked: Asked) -> list[dict[str, Any]]:
    """Return accounts, newest first."""
    table = players
    query = narrow(select(table).order_by(table.c.id.desc()), asked, table.c.created, table.c.id)
    query = query.where(table.c.state == asked["state"]) if asked["state"] else query
    if asked["search"]:
        wanted = asked["search"].lower()
        by_address = select(address_table.c.player_id).where(
            address_table.c.address.contains(wanted, autoescape=True)
        )
        by_name = table.c.name.contains(wanted, autoescape=True)
        query = query.where(by_name | table.c.id.in_(by_address))
    return [summarize_player(session, row) for row in session.all(Query(PlayerRow, query))]


def summarize_player(session: Session, row: PlayerRow) -> dict[str, object]:
    """Return an account as a row of the list."""
    return {
        "number": row.id,
        "userid": row.userid,
        "state": row.state,
        "addresses": [each.address for each in reads.find_all_addresses(session, row.id)],
        "open_boards": reads.count_open_boards(session, row.id),
        "created": row.created,
        "seen": row.seen,
    }


def list_bans(session: Session, asked: Asked) -> list[dict[str, object]]:
    """Return bans of addresses, domains and accounts, and addresses that get no mail, newest
    first."""
    query = (
        select(bans, players.c.userid)
        .outerjoin(players, players.c.id == bans.c.player_id)
        .order_by(bans.c.id.desc())
    )
    query = narrow(query, asked, bans.c.at, bans.c.id)
    return [
        {
            "number": row.id,
            "target": row.target,
            "kind": row.kind,
            "userid": row.userid,
            "reason": row.reason,
            "actor": row.actor,
            "when": row.at,
        }
        for row in session.all(Query(NamedBanRow, query))
    ]


# Renames, merges and erases players, for the operator. Boards, records and events follow.


def rename(act: OperatorAct, userid: str, new: str) -> list[Notice]:
    """Give a player another userid; nobody else can have the former one. Refuse a userid that is
    invalid, reserved or taken."""
    player = _find_person(act, userid)
    context, name = act.context, new.lower()
    require_valid_userid(name)
    other = find_player(act.session, name)
    is_taken = other is not None and other.id != player.id
    if (
        is_taken
        or is_reserved(context, name, by_operator=True)
        or find_former_owner(context, name) not in (0, player.id)
    ):
        raise Refusal(RefusalCode.USERID_TAKEN, "this userid is taken or reserved")
    if new == player.userid:
        raise Refusal(RefusalCode.ALREADY_DONE, "that is the present userid")
    change_userid(context, player, new)
    banned = (bans.c.kind == BAN) & (bans.c.target == player.name)
    act.session.execute(update(bans).where(banned).values(target=name))
    act.record(f"rename {player.userid} to {new}", player=player.id)
    if not player.is_active:
        return []
    event = phrase(
        "{who} changed your userid from {old} to {new}", who=act.who, old=player.userid, new=new
    )
    subject = phrase("your userid is now {userid}", userid=new)
    return [act.notify(player, subject, act.give_reason(event))]


def erase(act: OperatorAct, userid: str) -> list[Notice]:
    """Erase a player and resign the open boards. Refused for bots and for players already
    erased."""
    player = _find_person(act, userid)
    if player.name == f"{FORMER}-{player.id}":
        raise Refusal(RefusalCode.ALREADY_DONE, "this player is already erased")
    act.record("erase", player=player.id)
    return erasing.erase(act.build_call(0), player, act.reason_line)


def merge(act: OperatorAct, userid: str, into: str) -> list[Notice]:
    """Merge two accounts of one person: boards, results, addresses and everything else pass to the
    second, and the first is closed. Ratings are computed anew, without boards that the two played
    against each other. Refused while both are on one open board or in one event."""
    old, new = _find_person(act, userid), _find_person(act, into)
    if old.id == new.id:
        raise Refusal(RefusalCode.BAD_ARGUMENT, "name two different accounts")
    if not new.is_active:
        raise Refusal(RefusalCode.WRONG_STATE, f"the account {new.userid} is {new.state}")
    if old.state == "suspended":
        raise Refusal(RefusalCode.WRONG_STATE, f"the account {old.userid} is suspended")
    _require_apart(act, old, new)
    require_other_events(act, old, new)
    boards = find_open_board_numbers(act.session, old.id)
    for rename_in_texts in list_hooks(lambda each: each.on_rename):
        rename_in_texts(act.context, old, new.userid)
    _move_rows(act, old, new)
    _move_addresses(act, old, new)
    for pass_on_more in list_hooks(lambda each: each.on_merge):
        pass_on_more(act, old, new)
    for role in old.roles.split():
        if role not in new.roles.split() and role != GUEST:
            act.remarks.append(
                f"{old.userid} was a {role}, {new.userid} is none: "
                f"pbm admin {role} add {new.userid} makes one of it"
            )
    _close(act, old)
    act.record(f"merge {old.userid} into {new.userid}", player=new.id)
    event = act.give_reason(
        phrase(
            "{who} made your accounts {old} and {new} one, {new}",
            who=act.who,
            old=old.userid,
            new=new.userid,
        )
    )
    if boards:
        numbers = ", ".join(map(str, boards))
        more = phrase("Its boards are now yours too: {boards}", boards=numbers)
        event = combine("{event}. {more}", event=event, more=more)
    subject = phrase("{old} is now {new}", old=old.userid, new=new.userid)
    return [act.notify(new, subject, event)]


def _find_person(act: OperatorAct, userid: str) -> Player:
    """Return the player with that userid. Refuse an unknown userid and bots."""
    player = act.find_player(userid)
    if player.is_bot:
        raise Refusal(RefusalCode.WRONG_STATE, f"{player.userid} is a computer player")
    return player


def _require_apart(act: OperatorAct, old: Player, new: Player) -> None:
    """Refuse players who meet at an open board or in an event: one person cannot play both."""
    own, others = (set(find_open_board_numbers(act.session, each.id)) for each in (old, new))
    if shared := sorted(own & others):
        raise Refusal(
            RefusalCode.WRONG_STATE,
            f"both play on board {', '.join(map(str, shared))}: end it first (pbm admin cancel)",
        )


def _move_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Give the rows of the first account to the second."""
    own = (bans, audit, inbound, outbound, former_userids, held_notices, held_words)
    pass_on(act.session, own, old, new)
    caused = held_notices.c.cause_id == old.id
    act.session.execute(update(held_notices).where(caused).values(cause_id=new.id))
    delete_own(act.session, (codes, mail_ends), old.id)
    pass_on_pairs(act.session, former_mailboxes, "player_id", "digest", old, new)


def _move_addresses(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on confirmed addresses that the other account does not have; drop the others."""
    own = {row.address for row in reads.find_all_addresses(act.session, new.id)}
    is_old = address_table.c.player_id == old.id
    useless = address_table.c.confirmed.is_(None) | address_table.c.address.in_(own)
    act.session.execute(delete(address_table).where(is_old, useless))
    act.session.execute(update(address_table).where(is_old).values(player_id=new.id))


def _close(act: OperatorAct, old: Player) -> None:
    """Close the first account, which keeps nothing but its userid."""
    save_player(
        act.session,
        replace(
            old, state="closed", password=NO_PASSWORD, preferences={}, digest_at=None, roles=""
        ),
    )
    row = {"player_id": old.id, "at": act.now, "actor": act.actor, "reason": act.reason_line}
    act.session.execute(insert(audit).values(action="merged", **row))


# What the operator looks at, and does to accounts and addresses.

LISTS = (
    ListRow(
        "players",
        "accounts",
        "Accounts, newest first.",
        list_players,
        (
            Filter(
                "state",
                "only in this state",
                choices=("active", "waiting", "suspended", "closed"),
            ),
            Filter("search", "userid or address contains TEXT", shown="TEXT"),
        ),
        times=("created", "seen"),
    ),
    ListRow(
        "bans",
        "who is banned, and which addresses get no mail",
        "Bans of addresses, domains and accounts, and addresses that get no mail.",
        list_bans,
        times=("when",),
    ),
)

_USERID = Argument("userid", "userid")
_ANYBODY = "USERID|ADDRESS|@DOMAIN"

ACTS = (
    ActRow(
        "reset-password",
        "mail a player a code to choose a new password",
        "Withdraw a password and mail the player a code to choose a new one. You see neither.",
        "Withdraw the password of {userid}?",
        reset_password,
        (_USERID,),
        AdminPart.PLAYERS,
    ),
    ActRow(
        "set-address",
        "give a player whose mailbox is dead another address",
        "Send a code to another address of a player whose mailbox is dead.\n\n"
        "When the code comes back, the address takes the place of all that the player had. Be sure "
        "that it is the player who asks: whoever reads there can then have a new password.",
        "Let {address} become the address of {userid}?",
        set_address,
        (_USERID, Argument("address")),
        AdminPart.PLAYERS,
    ),
    ActRow(
        "rename",
        "give a player another userid",
        "Give a player another userid. Boards and records follow; nobody else can have the old "
        "one.",
        "Rename {userid} to {new}?",
        rename,
        (_USERID, Argument("new")),
        AdminPart.PLAYERS,
    ),
    ActRow(
        "merge",
        "make two accounts of one person one",
        "Make two accounts of one person one.\n\n"
        "Boards, results, notes and addresses of USERID pass to INTO, whose password and "
        "preferences stay; USERID is closed. The ratings of their games are computed anew: boards "
        "that the two played against each other no longer count. Be sure that it is one person: "
        "whoever reads mail at the addresses of one can then act for both.",
        "Merge {userid} into {into}? This cannot be undone.",
        merge,
        (_USERID, Argument("into", "userid")),
        AdminPart.PLAYERS,
    ),
    ActRow(
        "erase",
        "erase a player; boards stay as a former player's",
        "Erase a player: everything personal goes, boards and results stay as a former "
        "player's.\n\n"
        "Open boards are resigned. Addresses, preferences, comments, plans, notes, chats and "
        "vacations go at once, the mails in the log within a day. Addresses that are banned stay "
        "banned. Backups are yours to delete.",
        "Erase {userid}? This cannot be undone.",
        erase,
        (_USERID,),
        AdminPart.PLAYERS,
    ),
    ActRow(
        "suspend",
        "suspend a player, or stop mail to an address",
        "Suspend a player, or stop all mail to an address.",
        "Suspend {who}?",
        banning.stop,
        (Argument("who", "userid", shown="USERID|ADDRESS"),),
        AdminPart.PLAYERS,
    ),
    ActRow(
        "unsuspend",
        "lift a suspension, or resume mail to an address",
        "Lift a player's suspension, or resume mail to an address (even one that bounced).",
        "Unsuspend {who}?",
        banning.resume,
        (Argument("who", shown="USERID|ADDRESS"),),
        AdminPart.PLAYERS,
    ),
    ActRow(
        "invite",
        "let an address sign up, and mail it once",
        'Let an address sign up where [players] signups is "invited", and mail it once.\n\n'
        "Where each signup is approved, one of an invited address needs no approval.",
        "Invite {address}?",
        signup.invite,
        (Argument("address"),),
        AdminPart.PLAYERS,
        needs_reason=False,
    ),
    ActRow(
        "approve",
        "open an account that waits to be approved",
        "Open an account that waits for it, and mail the player.\n\n"
        "Those that wait: pbm admin players --state waiting.",
        "Approve {userid}?",
        signup.approve,
        (_USERID,),
        AdminPart.PLAYERS,
        needs_reason=False,
        undo=signup.undo_approval,
    ),
    ActRow(
        "deny",
        "delete an account that waits to be approved",
        "Delete an account that waits to be approved, and mail whoever signed up.\n\n"
        "A reason, if you give one, is in that mail. The userid is free again.",
        "Deny {userid}?",
        signup.deny,
        (_USERID,),
        AdminPart.PLAYERS,
        needs_reason=False,
        undo=signup.undo_denial,
    ),
    ActRow(
        "ban",
        "refuse an address, domain or account",
        "Accept no mail from an address, domain or account, and send none there.\n\n"
        "An address is banned with its +subaddresses, a domain with its subdomains, an account "
        "with its addresses. The players get a last mail with the reason; mails from there are "
        "recorded as banned and never answered.",
        "Ban {who}?",
        banning.ban,
        (Argument("who", "userid", shown=_ANYBODY),),
        AdminPart.PLAYERS,
        flag=("boards", "end the open boards of the account without a result, too"),
        flag_ends=find_open_of,
        for_moderators=True,
        undo=banning.undo_ban,
    ),
    ActRow(
        "unban",
        "lift a ban",
        "Lift a ban. An account is open again, with the addresses that no other ban covers.",
        "Lift the ban on {who}?",
        banning.unban,
        (Argument("who", "userid", shown=_ANYBODY),),
        AdminPart.PLAYERS,
        for_moderators=True,
        undo=banning.undo_unban,
    ),
)
