"""Making events."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import insert

from pbm.core.events.announcing import announce
from pbm.core.events.finding import show_card
from pbm.core.events.notices import EventMade
from pbm.core.events.options import EventTerms, read_event
from pbm.core.events.record import name_event
from pbm.core.kernel.boards.clock import DAY
from pbm.core.kernel.context import Context
from pbm.core.kernel.language.board_options import suggest_options
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.pairing.kinds import get_kind
from pbm.pairing.lots import commit
from pbm.rules import OptionError
from pbm.rules.phrases import get_text, phrase, phrase_number
from pbm.store.event_tables import events
from pbm.store.reads.event_rows import count_events_made, find_event, get_event

_FORM = "event new KIND GAME {user} PASSWORD"
_LONGEST_TEXT = 1000


def make(call: Call) -> list[Notice]:
    """Make an event; the operator's is announced at once. Refuse who may not make events, too many
    of them, and terms that the game or the kind do not allow."""
    me = call.me
    require_maker(call, me)
    call.require_voice()
    terms = read_event(call.command.words, call.now)
    _require_setup(terms)
    if terms.begins < call.now - DAY:
        raise Refusal(RefusalCode.BAD_DATE, phrase("an event cannot begin in the past"), _FORM)
    if terms.tour is not None:
        _require_tour(call, terms.tour)
    number = call.session.execute(
        insert(events).values(_build_row(call, me, terms)).returning(events.c.id)
    ).scalar_one()
    row = get_event(call.session, number)
    by_operator = call.command.sender.operator
    announcements = announce(call, row, by_operator=True) if by_operator else []
    made = EventMade(
        event=row.id,
        name=name_event(row),
        game=row.game,
        card=show_card(call, row),
        announced=len(announcements),
    )
    return [call.answer(made), *announcements]


def require_maker(call: Call, me: Player) -> None:
    """Refuse a player who may not make events, or has made enough of them."""
    if call.command.sender.operator:
        return
    makers = call.config.events.makers.lower().split()
    if makers != ["everybody"] and me.name not in makers:
        raise Refusal(
            RefusalCode.NOT_PERMITTED,
            phrase(
                "on this server only the operator and some players make events: to propose one, "
                "write to them"
            ),
            "events",
        )
    most = call.config.events.open_events
    if most and count_events_made(call.session, me.id) >= most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase_number(
                "a player may have {count} event open or running",
                "a player may have {count} events open or running",
                most,
            ),
            "events",
        )


def _require_setup(terms: EventTerms) -> None:
    """Refuse options that the game cannot be set up with."""
    try:
        terms.game.setup(terms.rules["seats"], terms.board.options)
    except OptionError as error:
        form = _FORM.replace("KIND", terms.kind).replace("GAME", terms.game.info.name)
        raise Refusal(
            RefusalCode.BAD_OPTION, get_text(error), form, *suggest_options(terms.game)
        ) from None


def _require_tour(context: Context, number: int) -> None:
    row = find_event(context.session, number)
    if row is None or get_kind(row.kind).has_boards or row.state not in ("open", "running"):
        raise Refusal(
            RefusalCode.NO_SUCH_EVENT,
            phrase("there is no tour with that number to count for"),
            "events",
        )


def _build_row(call: Call, me: Player, terms: EventTerms) -> dict[str, Any]:
    secret = call.secrets.generate_board_secret().hex()
    lowest, highest = terms.rating or (None, None)
    return {
        "kind": terms.kind,
        "game": terms.game.info.name,
        "name": terms.name,
        "player_id": me.id,
        "state": "open",
        "options": json.dumps(terms.board.options),
        "server": json.dumps(terms.board.dump_server()),
        "rules": json.dumps(terms.rules),
        "most": terms.most,
        "lowest": lowest,
        "highest": highest,
        "vacation": terms.vacation,
        "silent": terms.silent,
        "about": call.command.text[:_LONGEST_TEXT],
        "tour": terms.tour,
        "secret": secret,
        "commitment": commit(secret),
        "created": call.now,
        "begins": terms.begins,
        "ends": terms.ends,
        "look": terms.begins,
    }
