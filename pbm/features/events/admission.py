"""Who can enter an event."""

from __future__ import annotations

import json

from pbm.core.clubs import require_inside
from pbm.core.context import Context
from pbm.core.making import list_people
from pbm.core.options import load_terms
from pbm.core.player import Player, get_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.features.events.record import build_record, read_options
from pbm.features.events.rows import count_entrants, find_entrant
from pbm.features.ratings.rows import find_rating
from pbm.pairing.kinds import get_kind
from pbm.pairing.rounds import find_late_problem
from pbm.ratings import NEW, Rating
from pbm.rules.phrases import Phrase, phrase
from pbm.store.reads import find_led_teams
from pbm.store.tables import EntrantRow, EventRow
from pbm.store.transaction import Session


def list_entering(session: Session, row: EventRow, player: Player) -> list[Player]:
    """Return whom a player can enter an event: in one of teams those that they lead."""
    if not get_kind(row.kind).for_teams:
        return [player]
    led = [get_player(session, number) for number, _ in find_led_teams(session, player.id)]
    return [team for team in led if team is not None]


def list_entered(session: Session, row: EventRow, player: Player) -> list[EntrantRow]:
    """Return the entries of a player in an event, or of teams that they lead, without those that
    have left it."""
    found = [find_entrant(session, row.id, each.id) for each in list_entering(session, row, player)]
    return [entry for entry in found if entry is not None and entry.left is None]


def say_for_teams(row: EventRow) -> Phrase:
    """Say why who leads no team cannot enter one."""
    return phrase("teams take part in event {event}, which their captains enter", event=row.id)


def find_entry_problem(context: Context, row: EventRow, player: Player | None) -> str:
    """Return why a player, or (None) somebody unknown, cannot enter an event now; "" if they
    can."""
    if player is None:
        club = load_terms({}, json.loads(row.server)).club
        text = phrase("event {event} is for members of the club {club}", event=row.id, club=club)
        return text if club else ""
    problem: str = say_for_teams(row)
    for each in list_entering(context.session, row, player):
        try:
            require_entry(context, row, each, find_points(context, row.game, each.id))
        except Refusal as refusal:
            problem = refusal.text
        else:
            return ""
    return problem


def list_acts(row: EventRow) -> frozenset[str]:
    """Return the verbs with which players take part in an event of that kind, and leave it, in its
    present state."""
    if row.state not in ("open", "running"):
        return frozenset()
    kind = get_kind(row.kind)
    acts = {
        "event enter": True,
        "event leave": True,
        "event challenge": kind.has_challenges and row.state == "running",
        "event bye": kind.has_byes,
    }
    return frozenset(verb for verb, is_open in acts.items() if is_open)


def require_entry(context: Context, row: EventRow, player: Player, points: int) -> None:
    """Refuse a player who cannot enter an event."""
    entry = find_entrant(context.session, row.id, player.id)
    if entry is not None and entry.left is None:
        raise Refusal(
            RefusalCode.ALREADY_DONE,
            phrase("you already take part in event {event}", event=row.id),
            f"event {row.id}",
        )
    if not get_kind(row.kind).has_boards:
        raise Refusal(
            RefusalCode.EVENT_CLOSED,
            phrase(
                "who plays in the events of tour {event} takes part in it: enter those",
                event=row.id,
            ),
            "events",
        )
    if "event enter" not in list_acts(row):
        raise _refuse_entry(row, _say_ended(row))
    options = read_options(row)
    if options.members and len(list_people(context.session, [player])) < options.boards:
        raise _refuse_entry(
            row,
            phrase("a team needs {count} members for these boards", count=options.boards),
        )
    if club := load_terms({}, json.loads(row.server)).club:
        require_inside(context.session, club, list_people(context.session, [player]))
    low, high = row.lowest, row.highest
    if low is not None and high is not None and not low <= points <= high:
        raise Refusal(
            RefusalCode.RATING_OUT_OF_RANGE,
            phrase(
                "event {event} is for ratings from {low} to {high}, yours is {points}",
                event=row.id,
                low=low,
                high=high,
                points=points,
            ),
            "events",
        )
    if row.most and count_entrants(context.session, [row.id]).get(row.id, 0) >= row.most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED, phrase("event {event} is full", event=row.id), "events"
        )
    if row.state == "open":
        return
    if entry is not None:
        raise _refuse_entry(
            row, phrase("you have left event {event} and cannot come back", event=row.id)
        )
    if problem := find_late_problem(build_record(context.session, row, context.now)):
        raise _refuse_entry(row, problem)


def _say_ended(row: EventRow) -> Phrase:
    if row.state == "cancelled":
        return phrase("event {event} is cancelled", event=row.id)
    return phrase("event {event} is over", event=row.id)


def _refuse_entry(row: EventRow, problem: str) -> Refusal:
    return Refusal(RefusalCode.EVENT_CLOSED, problem, f"event {row.id}", "events")


def find_points(context: Context, game: str, player: int) -> int:
    """Return the rating of a player in a game, as shown."""
    row = find_rating(context.session, player, game)
    return (NEW if row is None else Rating(row.mu, row.sigma)).points
