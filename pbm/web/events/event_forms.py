"""The forms of a player's pages of events. Each submits the same command as a mail."""

from __future__ import annotations

from collections.abc import Mapping

from pbm.core.command import Command, Sender
from pbm.core.links import Link, open_player
from pbm.core.player import Player
from pbm.core.submit import Submitted, send_unless_refused
from pbm.core.words import get_verb
from pbm.rules.phrases import phrase
from pbm.store.reads.event_rows import find_last_event_made
from pbm.store.transaction import Session
from pbm.web import clicks
from pbm.web.clicks import Act
from pbm.web.site import Site

DONE = {
    "enter": phrase("You take part."),
    "leave": phrase("You have left this event."),
    "challenge": phrase("The challenge has gone out by mail."),
    "bye": phrase("It is noted in which rounds you are not to be paired."),
    "new": phrase("The event is open. To play in it yourself, enter it."),
}
"""What can be done here, and what the page says afterwards."""
_OPTIONS = ("begins", "ends", "max")
_LONGEST = 1000


def act(site: Site, link: Link, number: int, form: Mapping[str, str]) -> Act | None:
    """Submit what a form asks for, about the event with that number; 0 for the page of all events.
    None for a link that opens nothing."""
    do = form.get("do", "")
    if do not in DONE or (do == "new") != (number == 0):
        return Act(problem=phrase("This page has no such form."))
    if do == "leave" and form.get("sure") != "yes":
        return Act(
            problem=phrase("Nothing was done: tick the box beside {verb} to confirm.", verb="leave")
        )
    if any(len(value) > _LONGEST for value in form.values()):
        return Act(
            problem=phrase(
                "Nothing was done: a text is longer than {most} characters.", most=_LONGEST
            )
        )
    now = site.clock()
    with site.store.reading() as session:
        player = open_player(session, site.secrets, link)
        if player is None:
            return None
        command = clicks.verify(site, session, build_command(player, number, form), now)

    def execute(session: Session) -> Act | None:
        player = open_player(session, site.secrets, link)
        if player is None:
            return None
        if do == "new" and form.get("made") != str(find_last_event_made(session, player.id)):
            return Act(
                problem=phrase("Nothing was done: you have made an event since this page was made.")
            )
        result, problem = clicks.execute(site, session, command, send_unless_refused, now)
        if problem:
            return Act(problem=problem)
        return Act(done=do, page=_find_new_page(result) if do == "new" else "")

    return clicks.commit(site, execute)


def build_command(player: Player, number: int, form: Mapping[str, str]) -> Command:
    """Return the command that a mail with these words would contain."""
    do = form["do"]
    text = ""
    if do == "new":
        words = _list_terms(form)
        text = form.get("text", "").replace("\r\n", "\n").strip()
    else:
        rest = form.get("rest", "").replace(",", " ").split() if do in ("challenge", "bye") else []
        words = [*rest, str(number)]
    sender = Sender(via="web", player=player.id)
    return Command(
        get_verb(f"event {do}"), sender, user=player.userid, words=tuple(words), text=text
    )


def _list_terms(form: Mapping[str, str]) -> list[str]:
    """Return kind, game and options of a new event. The name comes last, as it may have blanks."""
    words = [form.get("kind", ""), form.get("game", ""), *form.get("options", "").split()]
    words += [f"--{name}={form[name].strip()}" for name in _OPTIONS if form.get(name, "").strip()]
    name = " ".join(form.get("name", "").split())
    return [*words, f"--name={name}"] if name else words


def _find_new_page(result: Submitted) -> str:
    """Return the page of the event that was made, from that of all events."""
    numbers = [getattr(notice.content, "event", 0) for notice in result.notices if notice.is_answer]
    return f"event/{numbers[0]}" if numbers else ""
