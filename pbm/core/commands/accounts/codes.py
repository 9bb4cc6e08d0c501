"""One-time codes: issued by mail, stored as digests, redeemed once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import insert, update

from pbm.core.language.call import Call
from pbm.core.model.notices.account_notices import ConfirmationCode
from pbm.core.model.notices.notice import Notice
from pbm.core.model.player import Player
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.core.model.strangers import Asker, HourlyShares
from pbm.store import daily_counters, reads
from pbm.store.daily_counters import DAY, count_days
from pbm.store.rows import Query
from pbm.store.tables import CodeRow, codes

MOST_A_WEEK = 3
"""Codes to one address in seven days, whoever asks for them: anybody can, for any address."""
DAYS = 1
_DAYS_TO_CONFIRM = 7


def issue_code(
    call: Call,
    player: Player,
    purpose: str,
    *,
    days: int = DAYS,
    address: str = "",
    terms: str = "",
) -> str:
    """Store a new code of the player and return it."""
    code = call.secrets.generate_code()
    call.session.execute(
        insert(codes).values(
            player_id=player.id,
            purpose=purpose,
            digest=call.secrets.digest_code(code),
            address=address,
            created=call.now,
            expires=call.now + days * DAY,
            terms=terms,
        )
    )
    return code


def send_confirmations(
    call: Call, player: Player, unconfirmed: Iterable[str], *, replaces: Sequence[str] = ()
) -> list[Notice]:
    """A code to each of these addresses that has not had too many, with the terms of the house if
    it opens the account. With `replaces`, whoever sends the code back also drops all addresses but
    these."""
    notices = []
    house = call.config.house
    terms, version = ("", "") if player.is_confirmed else (house.terms.strip(), house.version)
    for address in unconfirmed:
        if not allow_code(call, address):
            continue
        purpose = "change" if replaces else "confirm"
        stored = " ".join([address, *(other for other in replaces if other != address)])
        code = issue_code(
            call, player, purpose, days=_DAYS_TO_CONFIRM, address=stored, terms=version
        )
        notices.append(
            Notice(
                ConfirmationCode(
                    userid=player.userid, code=code, days=_DAYS_TO_CONFIRM, terms=terms
                ),
                addresses=(address,),
                player=player.id,
                is_answer=address == call.command.sender.address,
            )
        )
    return notices


def require_room(call: Call, chosen: Iterable[str]) -> None:
    """Refuse codes to new addresses while strangers have had their mails for the hour."""
    for address in chosen:
        who = _find_asker(call, address)
        if who is not None and not _share_mails(call).has_room(call.session, who, call.now):
            raise Refusal(
                RefusalCode.LIMIT_REACHED,
                "too many codes go to new addresses at the moment: send this again in an hour",
            )


def _find_asker(call: Call, address: str) -> Asker | None:
    """Who asks for a code to the address; None when somebody has confirmed it, and for the
    terminal."""
    sender = call.command.sender
    if sender.via == "terminal" or sender.operator:
        return None
    if reads.find_known_addresses(call.session, {address}):
        return None
    source = f"player {call.player.id}" if call.player is not None else sender.peer
    return Asker(source, address, vouched=sender.vouched and sender.address == address)


def _share_mails(call: Call) -> HourlyShares:
    return HourlyShares("strangers", call.config.limits.strangers_an_hour)


def allow_code(call: Call, address: str) -> bool:
    """Count a code to the address, unless it has had all that go there in seven days, or nobody
    has confirmed it and strangers have had their mails for the hour."""
    name, week = f"codes {address}", count_days(call.now) - 6
    if daily_counters.count_since(call.session, name, week) >= MOST_A_WEEK:
        return False
    who = _find_asker(call, address)
    if who is not None and not _share_mails(call).allow(call.session, who, call.now):
        return False
    daily_counters.increment(call.session, name, call.now)
    return True


def redeem_code(call: Call, spellings: Iterable[str]) -> CodeRow | None:
    """Use up a code and return its row; None when it is unknown, used, expired or meant for
    `change password`. One statement, so that of two daemons only one gets it."""
    redeemed = (
        update(codes)
        .where(
            codes.c.digest.in_([call.secrets.digest_code(word[:60]) for word in spellings]),
            codes.c.used.is_(None),
            codes.c.expires > call.now,
            codes.c.purpose != "reset",
        )
        .values(used=call.now)
        .returning(codes)
    )
    return call.session.first(Query(CodeRow, redeemed))
