"""One-time codes: issued by mail, stored as digests, redeemed once.

A code does what the mail that brought it says, and nothing else. A code that confirms an address
has a tag, made from it, in that mail's reply address and link; the tag proves as much as the
code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, insert, true, update

from pbm.core import proofs
from pbm.core.board import format_time
from pbm.core.call import Call
from pbm.core.command import Command
from pbm.core.context import Context
from pbm.core.limits import STRANGERS, Asker
from pbm.core.notices import Notice
from pbm.core.player import Player
from pbm.core.proofs import Proof
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.secrets import Secrets
from pbm.core.trust import take_code, take_share
from pbm.features.accounts.notices import ConfirmationCode
from pbm.features.accounts.rows import OpenCodeRow, find_code_by_digest, has_declined
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.daily_counters import DAY
from pbm.store.rows import Query
from pbm.store.tables import CodeRow, codes
from pbm.store.transaction import Session

CODE_DAYS = proofs.count_days(Proof.CODE)
"""The days that a code is valid, whatever it is for."""
_LONGEST = 60


def issue_code(context: Context, player: Player, purpose: str) -> str:
    """Store a new code of the player and return it."""
    code = context.secrets.generate_code()
    _store(context, player, purpose, context.secrets.digest_code(code))
    return code


def _store(
    context: Context,
    player: Player,
    purpose: str,
    digest: str,
    *,
    address: str = "",
    terms: str = "",
) -> int:
    row = {
        "player_id": player.id,
        "purpose": purpose,
        "digest": digest,
        "address": address,
        "created": context.now,
        "expires": context.now + CODE_DAYS * DAY,
        "terms": terms,
    }
    query = insert(codes).values(row).returning(codes.c.id)
    return int(context.session.execute(query).scalar_one())


def send_confirmations(
    call: Call, player: Player, unconfirmed: Iterable[str], *, replaces: Sequence[str] = ()
) -> list[Notice]:
    """Send a code to each of these addresses that has not had too many; earlier codes for it become
    void. With `replaces`, redeeming the code also drops all other addresses."""
    notices = []
    house = call.config.house
    terms, version = ("", "") if player.is_confirmed else (house.terms.strip(), house.version)
    allowed = [address for address in unconfirmed if allow_code(call, address)]
    if allowed:
        _void_confirmations(call, player, allowed, is_change=bool(replaces))
    for address in allowed:
        code = call.secrets.generate_code()
        tag = call.secrets.make_code_tag(code)
        number = _store(
            call,
            player,
            "change" if replaces else "confirm",
            call.secrets.digest_code(tag),
            address=" ".join([address, *(other for other in replaces if other != address)]),
            terms=version,
        )
        is_own = address == call.command.sender.address
        content = ConfirmationCode(
            userid=player.userid,
            code=code,
            days=CODE_DAYS,
            purpose="change" if replaces else "add",
            asked=format_time(call.now, {}),
            is_own=is_own,
            terms=terms,
        )
        notices.append(
            Notice(
                content,
                addresses=(address,),
                player=player.id,
                is_answer=is_own,
                code=f"c{number}-{tag}",
                is_unproved=counts(call),
            )
        )
    return notices


def require_room(call: Call, chosen: Iterable[str]) -> None:
    """Refuse codes to new addresses once strangers have used up the hour's mails."""
    for address in chosen:
        who = _find_asker(call, address)
        if who is not None and not STRANGERS.has_room(call.session, who, call.now, call.config):
            raise Refusal(
                RefusalCode.LIMIT_REACHED,
                phrase(
                    "too many codes go to new addresses at the moment: send this again in an hour"
                ),
            )


def require_share(call: Call, who: Asker) -> None:
    """Count a mail to an address that somebody names without proof of owning it, registered or not.
    Refuse it once strangers have used up the hour's mails."""
    if not take_share(call.session, who, call.now, call.config):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase("too many mails go to new addresses at the moment: try again in an hour"),
        )


def allow_named(call: Call, address: str) -> bool:
    """Count a code to an address that somebody names without proof of owning it. Return False where
    its limit of a day or a week is reached."""
    return _take(call, address, None, is_own=False)


def _find_asker(call: Call, address: str) -> Asker | None:
    """Return who asks for a code to the address; None for a confirmed address and for the
    terminal."""
    sender = call.command.sender
    if sender.via == "terminal" or sender.operator:
        return None
    if reads.find_known_addresses(call.session, {address}):
        return None
    source = f"player {call.player.id}" if call.player is not None else sender.peer
    return Asker(source, address, vouched=sender.vouched and sender.address == address)


def _void_confirmations(
    context: Context, player: Player, chosen: Iterable[str], *, is_change: bool
) -> None:
    """Void the earlier codes for these addresses of the player; with `is_change`, also every code
    that would replace the player's addresses."""
    for address in chosen:
        at_start = codes.c.address.startswith(f"{address} ", autoescape=True)
        _void(context, player, (codes.c.address == address) | at_start)
    if is_change:
        _void(context, player, codes.c.purpose == "change")


def void_codes(context: Context, player: Player) -> None:
    """Void all codes of a player: whoever asked for them may have known the password until now."""
    _void(context, player, true())


def _void(context: Context, player: Player, chosen: ColumnElement[bool]) -> None:
    context.session.execute(
        update(codes)
        .where(codes.c.player_id == player.id, codes.c.used.is_(None), chosen)
        .values(used=context.now)
    )


def allow_code(call: Call, address: str) -> bool:
    """Whether a code may go to the address: it accepts unrequested mail, and its limit is not
    reached. A code that may go is counted."""
    is_own = call.command.sender.address == address
    if not is_own and has_declined(call.session, call.secrets, address):
        return False
    return _take(call, address, _find_asker(call, address), is_own=is_own)


def _take(call: Call, address: str, asker: Asker | None, *, is_own: bool) -> bool:
    return take_code(
        call.session,
        address,
        asker,
        call.now,
        call.config,
        is_own=is_own,
        is_counted=counts(call),
    )


def counts(call: Call) -> bool:
    """Whether a code to an unconfirmed address counts towards that address's limit: always, unless
    it comes from a shell on the server's machine."""
    sender = call.command.sender
    return not (sender.via == "terminal" or sender.operator)


def list_spellings(command: Command) -> tuple[str, ...]:
    """Return the codes that a command may name: its first word, or all of them together."""
    words = command.words
    return (words[0][:_LONGEST], "".join(words)[:_LONGEST]) if words else ()


def list_tags(secrets: Secrets, command: Command) -> list[str]:
    """Return the tags of the codes that a command may name; for a yes, that of the mail which it
    answers. The word confirm alone is no yes: it also stands in an echo of that mail."""
    if not command.words:
        return [command.sender.code] if command.sender.code and command.implied else []
    return [secrets.make_code_tag(word) for word in list_spellings(command)]


def list_digests(secrets: Secrets, command: Command) -> list[str]:
    """Return the digests under which the code named by a command may be stored."""
    digests = [secrets.digest_code(tag) for tag in list_tags(secrets, command)]
    return digests + [secrets.digest_code(word) for word in list_spellings(command)]


def redeem_code(call: Call) -> CodeRow:
    """Use up the code of a command and return its row. Refuse one that is unknown, used, expired or
    meant for `change password`."""
    # One statement, so that of two daemons only one gets the code.
    redeemed = (
        update(codes)
        .where(
            codes.c.digest.in_(list_digests(call.secrets, call.command)),
            codes.c.used.is_(None),
            codes.c.expires > call.now,
            codes.c.purpose != "reset",
        )
        .values(used=call.now)
        .returning(codes)
    )
    row = call.session.first(Query(CodeRow, redeemed))
    if row is None:
        raise refuse_code()
    return row


def find_open_code(session: Session, secrets: Secrets, tag: str, now: float) -> OpenCodeRow | None:
    """Return what the code with that tag confirms; None when it is used, replaced or expired."""
    return find_code_by_digest(session, secrets.digest_code(tag), now)


def refuse_code() -> Refusal:
    """Return the refusal of an invalid code."""
    return Refusal(
        RefusalCode.BAD_CODE,
        phrase("this code is wrong, expired, already used or replaced by a newer one"),
        "confirm CODE",
    )
