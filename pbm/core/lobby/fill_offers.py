"""Offers that nobody has taken up within a day and whose makers allow it: a bot joins."""

from __future__ import annotations

import json

from sqlalchemy import update

from pbm.core.kernel.boards.clock import DAY
from pbm.core.kernel.context import Context
from pbm.core.kernel.due_work import DueWork
from pbm.core.kernel.language.board_options import load_terms
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.command import Command, Sender
from pbm.core.kernel.language.verbs import get_verb
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import Player, find_player, get_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.lobby.challenges import require_free
from pbm.core.lobby.seeks import expire_offers, join_offer
from pbm.rules.phrases import phrase
from pbm.store.reads.event_rows import lock_offers_for_bots
from pbm.store.tables import OfferRow, offers

_MOST = 50


def fill_offers(context: Context) -> list[Notice]:
    """Have bots join the offers that wait for them, a bounded number of them. An offer that a bot
    cannot join waits for people only from now on."""
    notices: list[Notice] = []
    for row in lock_offers_for_bots(context.session, context.now, context.now - DAY, _MOST):
        try:
            with context.session.savepoint():
                notices += _fill(context, row)
        except Refusal:
            server = {
                name: term for name, term in json.loads(row.server).items() if name != "house"
            }
            values = {"server": json.dumps(server)}
            context.session.execute(update(offers).where(offers.c.id == row.id).values(**values))
    return notices


def _fill(context: Context, row: OfferRow) -> list[Notice]:
    """Have the bot join the offer. Refusal when it is not there, or its maker cannot play now."""
    terms = load_terms(json.loads(row.options), json.loads(row.server))
    bot, maker = (
        find_player(context.session, terms.house),
        get_player(context.session, row.player_id),
    )
    if bot is None or maker is None or not (bot.is_bot and maker.is_active):
        raise Refusal(RefusalCode.PLAYER_UNAVAILABLE, phrase("nobody can join this offer"), "seeks")
    people = [require_free(context, maker, "seeks"), bot]
    return join_offer(_build_call(context, bot), row, people)


def _build_call(context: Context, bot: Player) -> Call:
    """Build the call in which a house player joins."""
    command = Command(get_verb("join"), Sender(via="terminal"))
    return Call(context.session, context.now, context.secrets, context.config, bot, command=command)


def do_due(work: DueWork) -> list[Notice]:
    """Let offers expire, and fill the others."""
    return [*expire_offers(work.context), *fill_offers(work.context)]
