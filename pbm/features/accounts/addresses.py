"""The addresses of an account: adding, removing, replacing and confirming them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from email_validator import EmailNotValidError, validate_email
from sqlalchemy import delete, insert, select, update

from pbm.core import player as bans
from pbm.core.call import Call
from pbm.core.context import Context, add_audit_row
from pbm.core.notices import Notice
from pbm.core.player import Player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.features.accounts.admission import admit
from pbm.features.accounts.codes import refuse_code, require_room, send_confirmations
from pbm.features.accounts.notices import AccountChanged, AddressList, Welcome
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.tables import AddressRow, CodeRow, addresses, former_mailboxes
from pbm.store.transaction import insert_into

_EXAMPLE = "NAME@EXAMPLE.ORG"


def add_addresses(call: Call) -> list[Notice]:
    """Add addresses; each gets a code to confirm it. Refuse more than an account may have."""
    player = call.me
    added = read_addresses(call, call.command.words, call.command.form.rsplit(" ", 1)[0])
    most = call.config.limits.addresses
    if most and len(reads.find_all_addresses(call.session, player.id)) + len(added) > most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase("an account has at most {most} addresses", most=most),
        )
    unconfirmed = store_addresses(call, player, added)
    require_room(call, unconfirmed)
    codes = send_confirmations(call, player, unconfirmed)
    return [*codes, _list_addresses(call, player)]


def remove_addresses(call: Call) -> list[Notice]:
    """Remove addresses and notify them. Refuse to remove the last confirmed one."""
    player = call.me
    removed = read_addresses(call, call.command.words, call.command.form.rsplit(" ", 1)[0])
    confirmed = reads.find_addresses(call.session, player.id)
    rows = reads.find_all_addresses(call.session, player.id)
    own = {row.address for row in rows}
    if not own.issuperset(removed):
        raise Refusal(RefusalCode.BAD_ADDRESS, phrase("one of these addresses is not yours"))
    if not set(confirmed) - set(removed):
        raise Refusal(
            RefusalCode.LAST_ADDRESS,
            phrase("you cannot remove your last confirmed address: add another one first"),
            f"add {player.userid} PASSWORD {_EXAMPLE}",
        )
    left = [row.address for row in rows if row.confirmed and row.address in removed]
    leave_mailboxes(call, player.id, left)
    call.session.execute(
        delete(addresses).where(
            addresses.c.player_id == player.id, addresses.c.address.in_(removed)
        )
    )
    dropped = tuple(address for address in confirmed if address in removed)
    return [_list_addresses(call, player), *_notify_removed(player, dropped)]


def change_addresses(call: Call) -> list[Notice]:
    """Replace all addresses. The old ones are notified at once, by the answer, and dropped as soon
    as a new one is confirmed."""
    player = call.me
    words = call.command.words or (call.command.sender.address,)
    chosen = read_addresses(call, words, f"change address {player.userid} PASSWORD")
    old = reads.find_addresses(call.session, player.id)
    unconfirmed = store_addresses(call, player, chosen)
    require_room(call, unconfirmed)
    codes = send_confirmations(call, player, unconfirmed, replaces=chosen)
    if codes or (call.config.players.confirm_addresses and not set(chosen) <= set(old)):
        return [*codes, _list_addresses(call, player, replacing=chosen)]
    keep_only(call, player, chosen)
    dropped = tuple(address for address in old if address not in chosen)
    return [_list_addresses(call, player), *_notify_removed(player, dropped)]


def confirm_address(call: Call, player: Player, code: CodeRow) -> list[Notice]:
    """Confirm the address that a code was sent to; the first one of an account opens it. Refuse
    one that has been removed from the account."""
    address, *others = code.address.split(" ")
    confirmed = call.session.execute(
        update(addresses)
        .where(addresses.c.player_id == player.id, addresses.c.address == address)
        .values(confirmed=call.now)
    )
    if not confirmed.rowcount:
        raise refuse_code()
    return_to_mailbox(call, player.id, address)
    call.player = player
    if code.purpose == "change":
        keep_only(call, player, [address, *others])
    if player.is_confirmed:
        return [_list_addresses(call, player)]
    if code.terms:
        add_audit_row(call, player.userid, f"accept terms {code.terms}", player=player.id)
    welcome = admit(call, player, address)
    rows = reads.find_all_addresses(call.session, player.id)
    unconfirmed = [row.address for row in rows if not row.confirmed]
    is_open = isinstance(welcome[0].content, Welcome)
    return [*welcome, *(send_confirmations(call, player, unconfirmed) if is_open else ())]


def read_addresses(context: Context, words: Iterable[str], form: str) -> list[str]:
    """Return the addresses in lower case, each once. Refuse words that are not addresses; the
    refusal shows `form` with an example behind it."""
    read = []
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
                phrase("one of the addresses is not a valid mail address"),
                f"{form} {_EXAMPLE}",
            ) from None
        read.append((checked.ascii_email or "").lower())
        if context.config.server.is_at(read[-1]):
            raise Refusal(
                RefusalCode.BAD_ADDRESS,
                phrase("one of the addresses is this server's own"),
                f"{form} {_EXAMPLE}",
            )
    if not read or read == [""]:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT, phrase("the address is missing"), f"{form} {_EXAMPLE}"
        )
    return list(dict.fromkeys(read))[: context.config.limits.addresses or None]


def require_unbarred(call: Call, chosen: Sequence[str]) -> None:
    """Refuse addresses that are banned, or to which mail has been stopped."""
    if bans.find_bans(call.session, chosen):
        raise Refusal(
            RefusalCode.BARRED_ADDRESS,
            phrase("one of these addresses cannot be used here"),
            call.command.form,
        )


def store_addresses(call: Call, player: Player, chosen: Sequence[str]) -> list[str]:
    """Store addresses and return those that must be confirmed first; refuse barred ones."""
    require_unbarred(call, chosen)
    must_confirm = call.config.players.confirm_addresses
    own = {row.address: row for row in reads.find_all_addresses(call.session, player.id)}
    for address in chosen:
        if address not in own:
            confirmed = None if must_confirm else call.now
            call.session.execute(
                insert(addresses).values(player_id=player.id, address=address, confirmed=confirmed)
            )
            if confirmed:
                return_to_mailbox(call, player.id, address)
        elif own[address].stopped is not None:
            _resume(call, own[address].id)
    if not must_confirm:
        return []
    return [each for each in chosen if each not in own or not own[each].confirmed]


def _resume(context: Context, address: int) -> None:
    """Send mail again to an address that had bounced."""
    context.session.execute(
        update(addresses)
        .where(addresses.c.id == address)
        .values(stopped=None, bounce_score=0.0, bounced=None)
    )


# A mailbox stays one person: blocks and silences follow whoever leaves it and comes back with
# another account.


def leave_mailboxes(context: Context, player: int, left: Iterable[str]) -> None:
    """Note whose the mailboxes of these confirmed addresses were, as keyed hashes."""
    for digest in {context.secrets.digest_address(address) for address in left}:
        _note_mailbox(context, player, digest)


def return_to_mailbox(context: Context, player: int, address: str) -> None:
    """Note that a player has confirmed an address, if somebody has left its mailbox."""
    digest = context.secrets.digest_address(address)
    former = select(former_mailboxes.c.player_id).where(former_mailboxes.c.digest == digest)
    if context.session.execute(former.limit(1)).scalar() is not None:
        _note_mailbox(context, player, digest)


def _note_mailbox(context: Context, player: int, digest: str) -> None:
    query = insert_into(former_mailboxes, is_sqlite=context.session.is_sqlite)
    row = query.values(digest=digest, player_id=player)
    key = (former_mailboxes.c.digest, former_mailboxes.c.player_id)
    context.session.execute(row.on_conflict_do_nothing(index_elements=key))


def keep_only(context: Context, player: Player, kept: Sequence[str]) -> None:
    """Drop all other addresses of the player."""
    rows = reads.find_confirmed_addresses(context.session, player.id)
    dropped = [row.address for row in rows if row.address not in kept]
    leave_mailboxes(context, player.id, dropped)
    context.session.execute(
        delete(addresses).where(
            addresses.c.player_id == player.id, addresses.c.address.not_in(kept)
        )
    )


def _list_addresses(call: Call, player: Player, replacing: Sequence[str] = ()) -> Notice:
    """Return the answer that lists a player's addresses; `replacing` are to replace all others."""
    rows = reads.find_all_addresses(call.session, player.id)
    stopped = [row.address for row in rows if row.stopped is not None]
    barred = bans.find_bans(call.session, stopped)
    notes = [(row.address, _describe_state(row, barred)) for row in rows]
    return call.answer(
        AddressList(
            userid=player.userid,
            rows=notes,
            instead=replacing,
            waits=any(note for _, note in notes),
        )
    )


def _describe_state(row: AddressRow, barred: Collection[str]) -> str:
    if row.address in barred:
        return phrase("stopped by the operator")
    if row.stopped is not None:
        return phrase("mail bounced: none is sent there")
    return "" if row.confirmed else phrase("not confirmed yet")


def _notify_removed(player: Player, removed: tuple[str, ...]) -> list[Notice]:
    """Return a notice to addresses that no longer belong to the account, without a token."""
    if not removed:
        return []
    return [Notice(AccountChanged(userid=player.userid, what="addresses"), addresses=removed)]
