"""`mydata`: everything that is kept about the player who asks."""

from __future__ import annotations

from pbm.core.accounts.notices import PersonalData
from pbm.core.accounts.personal_data import build_personal_data, format_personal_data
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.rules.phrases import phrase
from pbm.store import daily_counters, reads

_MOST_A_DAY = 2


def send_own_data(call: Call) -> list[Notice]:
    """Send the player, at the confirmed addresses only, what is kept about them."""
    player = call.me
    if not daily_counters.allow(call.session, f"data {player.id}", call.now, _MOST_A_DAY):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase("your data have been sent to you today: ask again tomorrow"),
        )
    data = build_personal_data(call.session, player.id)
    content = PersonalData(userid=player.userid, data=format_personal_data(data))
    confirmed = reads.find_addresses(call.session, player.id)
    return [Notice(content, addresses=confirmed, player=player.id, is_answer=True)]
