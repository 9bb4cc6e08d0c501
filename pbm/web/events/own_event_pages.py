"""A player's pages of events, behind the player's secret link: the list, with a form to make one,
and one event with what the player can do there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbm.core.command import Command, Sender
from pbm.core.links import Link, open_player
from pbm.core.player import Player
from pbm.core.refusal import Refusal
from pbm.core.words import get_verb
from pbm.features.events.entering import find_entry_problem
from pbm.features.events.record import build_record
from pbm.features.events.starting import require_maker
from pbm.features.events.views import build_line
from pbm.games import get_game, list_game_names
from pbm.pairing.kinds import KINDS, get_kind
from pbm.pairing.record import Entrant, Record
from pbm.pairing.rungs import can_challenge
from pbm.rules.phrases import phrase
from pbm.store.event_tables import EventRow
from pbm.store.reads.event_rows import (
    count_entrants,
    find_entrant,
    find_event,
    find_events_of_player,
    find_last_event_made,
)
from pbm.store.transaction import Session
from pbm.web.events.event_forms import DONE
from pbm.web.events.event_pages import build_event, build_events
from pbm.web.languages import choose_language
from pbm.web.site import Site


def build_own_events(
    site: Site,
    session: Session,
    link: Link,
    problem: str = "",
    form: Mapping[str, str] | None = None,
) -> Mapping[str, object] | None:
    """Return the events of a player, all others, and the form to make one; None for a link that
    opens nothing. `problem` says why nothing came of `form`, whose words stay."""
    player = open_player(session, site.secrets, link)
    if player is None:
        return None
    own = find_events_of_player(session, player.id)
    counts = count_entrants(session, [row.id for row in own])
    values = dict(build_events(site, session))
    numbers = {row.id for row in own}
    rest = [
        (title, [row for row in rows if row.event not in numbers])
        for title, rows in values["parts"]
    ]
    mine = [build_line(row, counts.get(row.id, 0)) for row in own]
    return {
        "parts": [part for part in [(phrase("Yours"), mine), *rest] if part[1]],
        "address": site.config.server.address,
        "language": choose_language(player.preferences, site.config.server.language),
        "home": f"u/{link.name}-{link.key}",
        "userid": player.userid,
        "problem": problem,
        "typed": form or {},
        "made": find_last_event_made(session, player.id),
        "refusal": _find_maker_problem(site, session, player),
        "kinds": {each.name: each.title for each in KINDS.values()},
        "games": {name: get_game(name).info.title for name in list_game_names()},
    }


def _find_maker_problem(site: Site, session: Session, player: Player) -> str:
    """Return why the player may not make an event now; "" if they may."""
    command = Command(get_verb("event new"), Sender(via="web", player=player.id))
    try:
        require_maker(site.call(session, command), player)
    except Refusal as refusal:
        return refusal.text
    return ""


def build_own_event(
    site: Site, session: Session, link: Link, number: int, *, done: str = "", problem: str = ""
) -> Mapping[str, object] | None:
    """Return one event as everybody sees it, with the forms of the player; None when there is no
    such event, or for a link that opens nothing."""
    player = open_player(session, site.secrets, link)
    row = find_event(session, number)
    if player is None or row is None:
        return None
    values = build_event(site, session, number)
    if values is None:
        return None
    record = build_record(session, row, site.clock())
    entry = find_entrant(session, number, player.id)
    own = next((each for each in record.entrants if entry and each.number == entry.number), None)
    is_in = own is not None and own.left is None
    command = Command(get_verb("event enter"), Sender(via="web", player=player.id))
    closed = "" if is_in else find_entry_problem(site.call(session, command), row, player)
    return {
        **values,
        "language": choose_language(player.preferences, site.config.server.language),
        "home": f"u/{link.name}-{link.key}",
        "userid": player.userid,
        "is_in": is_in,
        "closed": closed,
        "can": _list_acts(row, is_in=is_in, is_closed=bool(closed)),
        "above": _list_above(record, own, site.clock()) if own is not None and is_in else (),
        "byes": own.away if own is not None else (),
        "done": DONE.get(done, ""),
        "problem": problem,
    }


def _list_acts(row: EventRow, *, is_in: bool, is_closed: bool) -> frozenset[str]:
    """Return the acts for which the page has a form."""
    if row.state not in ("open", "running"):
        return frozenset()
    if not is_in:
        return frozenset() if is_closed else frozenset({"enter"})
    acts = {"leave"}
    kind = get_kind(row.kind)
    if kind.has_challenges and row.state == "running":
        acts.add("challenge")
    if kind.has_byes:
        acts.add("bye")
    return frozenset(acts)


def _list_above(record: Record, own: Entrant, now: float) -> Sequence[str]:
    """Return whom the player can challenge on a ladder now."""
    if not get_kind(record.options.kind).has_challenges:
        return ()
    return [
        each.name
        for each in record.present
        if each.number != own.number and not can_challenge(record, own.number, each.number, now)
    ]
