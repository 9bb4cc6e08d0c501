"""Players' questions in their own words about pairings: why am I paired with bob?"""

from __future__ import annotations

import re

from pbm.core.call import Call
from pbm.core.notices import Notice
from pbm.core.refusal import Refusal, RefusalCode
from pbm.features.events.admission import list_acts
from pbm.features.events.finding import load_event
from pbm.features.events.record import build_record, insert_games, update_event
from pbm.features.events.rows import find_entrants
from pbm.features.events.starting import make_board
from pbm.locale.words import list_verb_words
from pbm.pairing.rungs import can_challenge
from pbm.pairing.rungs import challenge as pair
from pbm.rules.phrases import phrase

_ASKED = (
    r"(?i)(?:(?:please|hi|hello)[,!]? )?(?:(?:can|could) you )?"
    r"(?:tell me |explain(?: to me)? |and )?"
    r"(?:why|how come|how is it that) (?:"
    r"(?:am|was|did|do) i (?:been |get |got )?(?:re-?)?paired (?:up )?(?:with|against) "
    r"(?P<with>[a-z][a-z0-9_-]+)(?: again| now)?"
    r"|i (?:am|was|got) paired (?:up )?(?:with|against) (?P<also>[a-z][a-z0-9_-]+)(?: again| now)?"
    r"|(?:do|did) i (?:have|get|not have) (?:no|an?|any) (?:opponent|bye|pairing)(?: now)?"
    r"|(?:am|was) i not paired(?: now)?"
    r")(?: in (?:this )?round (?P<round>[0-9]{1,3}))?(?: (?:of|in) event #?(?P<event>[0-9]{1,9}))?"
    r"(?: in round (?P<later>[0-9]{1,3}))?[ ?.!]*"
)
_WHYS = frozenset({"why", "how"})
"""Each question contains one of these words, as few other lines do."""
_WHY_ONE = r"(?i)why (?!me\b|not\b|now\b|so\b|is\b)(?P<with>[a-z][a-z0-9_-]+)(?: again)? ?\?+"


def read_pairing_question(line: str, event: int) -> tuple[str, ...] | None:
    """Return the words of the `event why` command that a line amounts to: `with` and a userid, a
    round, and last the number of the event ("" if unknown); None for any other line. `event` is
    that of the mail which the line answers, or 0."""
    if event:
        words = line.lstrip("¿ ").split()
        for size in (2, 1):
            if list_verb_words(" ".join(words[:size])) == ["why"]:
                line = " ".join(["why", *words[size:]])
    if _WHYS.isdisjoint(line.lower().split()):
        return None
    text = " ".join(line.split())
    if event and (one := re.fullmatch(_WHY_ONE, text)):
        return "with", one["with"], str(event)
    match = re.fullmatch(_ASKED, text)
    if match is None:
        return None
    opponent = match["with"] or match["also"]
    round = match["round"] or match["later"]
    words = ["with", opponent] if opponent else []
    number = match["event"] or (str(event) if event else "")
    return (*words, *([round] if round else []), number)


# Challenges on a ladder.


def challenge(call: Call) -> list[Notice]:
    """Challenge a player on a ladder. The board is an invitation, and lost if it is not answered in
    time. Refuse what the ladder does not allow."""
    me, row = call.me, load_event(call, lock=True)
    if "event challenge" not in list_acts(row):
        raise Refusal(
            RefusalCode.EVENT_CLOSED,
            phrase("event {event} is no ladder that is running", event=row.id),
            f"event {row.id}",
            "events",
        )
    form = f"event challenge {row.id} {{user}} PASSWORD USERID"
    entered = {each.number: each for each in find_entrants(call.session, row.id)}
    by_name = {each.userid.lower(): each for each in entered.values() if each.left is None}
    own = by_name.get(me.name)
    if own is None:
        raise Refusal(
            RefusalCode.NOT_ENTERED,
            phrase("you do not take part in event {event}", event=row.id),
            f"event enter {row.id} {{user}} PASSWORD",
        )
    words = call.command.words
    other = by_name.get(words[0].lower()) if len(words) > 1 else None
    if other is None:
        raise Refusal(
            RefusalCode.NO_SUCH_PLAYER,
            phrase("name a player of event {event}", event=row.id),
            form,
            f"event standings {row.id}",
        )
    record = build_record(call.session, row, call.now)
    if problem := can_challenge(record, own.number, other.number, call.now):
        raise Refusal(RefusalCode.NO_CHALLENGE, problem, form, f"event standings {row.id}")
    game = pair(record, own.number, other.number, call.now)
    insert_games(call.session, row.id, [game], {game.id: row.ends})
    notices = make_board(call, row, game, entered, own.number)
    update_event(call.session, row.id, look=call.now)
    return notices
