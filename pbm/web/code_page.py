"""The page behind the link of a mail that brings a code: it says what the code confirms, and its
button confirms it."""

from __future__ import annotations

from collections.abc import Mapping

from pbm.core.board import format_time
from pbm.core.command import Command, Sender
from pbm.core.submit import send_unless_refused
from pbm.core.words import get_verb
from pbm.features.accounts.codes import find_open_code
from pbm.store.transaction import Session
from pbm.web import clicks
from pbm.web.clicks import Act
from pbm.web.site import Site


def build_code_page(
    site: Site, session: Session, tag: str, problem: str = ""
) -> Mapping[str, object] | None:
    """Return what the code with that tag confirms; None when it is used, replaced or expired.
    `problem` says why it was not confirmed."""
    row = find_open_code(session, site.secrets, tag, site.clock())
    if row is None:
        return None
    return {
        "purpose": row.purpose,
        "userid": row.userid,
        "address": row.address.partition(" ")[0],
        "asked": format_time(row.created, {}),
        "terms": site.config.house.terms.strip() if row.purpose in ("signup", "join") else "",
        "problem": problem,
    }


def confirm(site: Site, tag: str) -> Act | None:
    """Confirm what the code is for. None for one that is used, replaced or expired."""
    now = site.clock()
    sender = Sender(via="web", code=tag)
    command = Command(get_verb("confirm", takes_game=False), sender, implied=True)
    with site.store.reading() as session:
        if find_open_code(session, site.secrets, tag, now) is None:
            return None
        command = clicks.verify(site, session, command, now)

    def execute(session: Session) -> Act | None:
        _, problem = clicks.execute(site, session, command, send_unless_refused, now)
        return Act(problem=problem) if problem else Act(done="confirm")

    return clicks.commit(site, execute)
