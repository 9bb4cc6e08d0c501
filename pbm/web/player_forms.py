"""The forms of a player's own page: vacation, preferences and invitations. Each submits the same
command as a mail."""

from __future__ import annotations

from collections.abc import Mapping

from pbm.core.command import Command, Sender
from pbm.core.links import Link, open_player
from pbm.core.player import Player
from pbm.core.submit import send_unless_refused
from pbm.core.words import get_verb
from pbm.rules.phrases import phrase
from pbm.store.transaction import Session
from pbm.web import clicks
from pbm.web.clicks import Act
from pbm.web.site import Site

DONE = {
    "vacation": phrase("Your vacation is changed."),
    "set": phrase("Your preferences are changed."),
    "invite": phrase("Done. What you have sent stands below."),
}
"""What can be done here, and what the page says afterwards."""
_LONGEST = 200


def act(site: Site, link: Link, form: Mapping[str, str]) -> Act | None:
    """Submit what a form asks for. None for a link that opens nothing."""
    verb = form.get("do", "")
    if verb not in DONE:
        return Act(problem=phrase("This page has no such form."))
    rest = " ".join(form.get("rest", "")[:_LONGEST].split())
    if not rest:
        return Act(problem=phrase("Nothing was done: the form is empty."))
    now = site.clock()
    with site.store.reading() as session:
        player = open_player(session, site.secrets, link)
        if player is None:
            return None
        command = clicks.verify(site, session, _build_command(player, verb, rest), now)

    def execute(session: Session) -> Act | None:
        if open_player(session, site.secrets, link) is None:
            return None
        _, problem = clicks.execute(site, session, command, send_unless_refused, now)
        return Act(problem=problem) if problem else Act(done=verb)

    return clicks.commit(site, execute)


def _build_command(player: Player, verb: str, rest: str) -> Command:
    """Return the command that a mail with these words would contain."""
    sender = Sender(via="web", player=player.id)
    words = tuple(rest.split())
    return Command(get_verb(verb), sender, user=player.userid, words=words, rest=rest)
