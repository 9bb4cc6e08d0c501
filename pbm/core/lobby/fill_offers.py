"""Offers that nobody has taken up within a day and whose makers allow it: a bot joins."""

from __future__ import annotations

import json

from msgspec.structs import replace
from sqlalchemy import update

from pbm.core.kernel.boards.clock import DAY
from pbm.core.kernel.due_work import DueWork
from pbm.core.kernel.language.board_options import load_terms
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import find_player, get_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.lobby.challenges import require_free
from pbm.core.lobby.seeks import expire_offers, join_offer
from pbm.store.reads.offer_rows import lock_offers_for_bots
from pbm.store.tables import OfferRow, offers

_MOST = 50


def fill_offers(call: Call) -> list[Notice]:
    """Have bots join the offers that wait for them, a bounded number of them. An offer that a bot
    cannot join waits for people only from now on."""
    notices: list[Notice] = []
    for row in lock_offers_for_bots(call.session, call.now, call.now - DAY, _MOST):
        try:
            with call.session.savepoint():
                notices += _fill(call, row)
        except Refusal:
            server = {
                name: term for name, term in json.loads(row.server).items() if name != "house"
            }
            values = {"server": json.dumps(server)}
            call.session.execute(update(offers).where(offers.c.id == row.id).values(**values))
    return notices


def _fill(call: Call, row: OfferRow) -> list[Notice]:
    """Have the bot join the offer. Refusal when it is not there, or its maker cannot play now."""
    terms = load_terms(json.loads(row.options), json.loads(row.server))
    bot, maker = find_player(call.session, terms.house), get_player(call.session, row.player_id)
    if bot is None or maker is None or not (bot.is_bot and maker.is_active):
        raise Refusal(RefusalCode.PLAYER_UNAVAILABLE, "nobody can join this offer", "seeks")
    people = [require_free(call, maker, "seeks"), bot]
    return join_offer(replace(call, player=bot), row, people)


def do_due(work: DueWork) -> list[Notice]:
    """Let offers expire, and fill the others."""
    return [*expire_offers(work.call), *fill_offers(work.call)]
