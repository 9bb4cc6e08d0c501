"""The forms of a seat's page. Each submits the same command as a mail."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pbm.core.board import Board
from pbm.core.command import Command, Sender
from pbm.core.links import Link, open_seat
from pbm.core.player import Player
from pbm.core.submit import send_nothing, send_unless_refused
from pbm.core.words import get_verb
from pbm.rules.phrases import phrase
from pbm.store.transaction import Session
from pbm.web import clicks
from pbm.web.clicks import Act
from pbm.web.site import Site, render

_LONGEST_TEXT = 2000
_LONGEST_PLAN = 8000
DONE = {
    "move": phrase("Played."),
    "resign": phrase("You have resigned."),
    "propose": phrase("You have proposed a draw."),
    "undo": phrase("You have asked to take back your move."),
    "accept": phrase("Accepted."),
    "reject": phrase("Rejected."),
    "decline": phrase("Declined."),
    "cancel": phrase("You have proposed to cancel the board."),
    "rematch": phrase("A new board starts: its mail brings the link."),
    "queue": phrase("Your plan is changed."),
    "plan": phrase("Your plan is changed."),
    "note": phrase("Your notes are changed."),
    "chat": phrase("Passed on."),
}
"""What can be done here, and what the page says afterwards."""
_WITH_TEXT = (
    "move",
    "resign",
    "chat",
    "accept",
    "decline",
    "reject",
    "propose",
    "undo",
    "plan",
    "note",
)
_WITH_REST = ("move", "queue")
_NEEDED = {
    "plan": phrase("Nothing was done: write a plan, or none to clear it."),
    "note": phrase("Nothing was done: write a note, or none to remove those at this position."),
    "chat": phrase("Nothing was done: write what the others are to read."),
}
"""What the page says to a form without the text that it is about."""
ON_PRESENT_POSITION = (
    "move",
    "resign",
    "undo",
    "accept",
    "reject",
    "decline",
    "cancel",
    "queue",
    "plan",
    "note",
)
"""What is meant for the board as the page showed it, and not done when it has changed."""
_ENDS = ("resign", "cancel")
"""What a box must be ticked for."""
_ON_PAGE = ("plan", "note")
"""What nobody else is told of, and what the page itself shows: no mail says so."""
_NUMBER = "%NUMBER%"
"""Stands for the number of a board's last entry in forms that are kept for all boards."""


def list_acts(board: Board, seat: int) -> frozenset[str]:
    """Return the acts for which the page has a form."""
    own = board.seats[seat]
    if board.state == "over":
        return frozenset({"rematch", "chat"})
    if board.state == "invited":
        return frozenset({"decline", "chat"} if own.accepted else {"accept", "decline", "chat"})
    if board.state != "running":
        return frozenset()
    acts = {"note"} if board.position.press else {"chat", "note"}
    if seat not in board.position.playing:
        return frozenset(acts)
    acts |= {"resign", "propose", "cancel", "plan"}
    acts.add("undo" if own.moved else "decline")
    if seat not in board.position.to_move:
        acts.add("queue")
    is_asked = any(seat not in by for by in board.proposals.values())
    return frozenset(acts | ({"accept", "reject"} if is_asked else set()))


def write_forms(acts: frozenset[str], number: int, typed: Mapping[str, str], language: str) -> str:
    """Return the forms for these acts, as HTML, for a board whose log's last entry has that number,
    for a reader of that language. `typed` is what they begin with, by act."""
    if not acts:
        return ""
    if typed:
        return _render_forms(acts, str(number), typed, language)
    return _write_empty_forms(acts, language).replace(_NUMBER, str(number))


def write_chat(typed: Mapping[str, str], language: str) -> str:
    """Return the form that writes to the others, as HTML; `typed` is as for the other forms."""
    return render("_chat.html", {"typed": typed.get("chat", "")}, language)


@cache
def _write_empty_forms(acts: frozenset[str], language: str) -> str:
    return _render_forms(acts, _NUMBER, {}, language)


def _render_forms(
    acts: frozenset[str], number: str, typed: Mapping[str, str], language: str
) -> str:
    values = {
        "can": acts,
        "number": number,
        "on_present_position": ON_PRESENT_POSITION,
        "typed": typed,
    }
    return render("_forms.html", values, language)


def build_command(
    board: Board, player: Player, verb: str, rest: str = "", text: str = ""
) -> Command:
    """Return the command that a mail with these words would contain."""
    return Command(
        get_verb(verb),
        Sender(via="web", player=player.id, seat_at=board.id),
        game=board.game.info.name if get_verb(verb).game != "no" else "",
        board=board.id if get_verb(verb).has_board else 0,
        user=player.userid,
        words=tuple(rest.split()),
        rest=rest,
        text=text,
    )


def act(site: Site, link: Link, form: Mapping[str, str]) -> Act | None:
    """Submit what a form asks for. None for a link that opens nothing."""
    verb = form.get("do", "")
    if verb not in DONE:
        return Act(problem=phrase("This page has no such form."))
    if verb in _ENDS and form.get("sure") != "yes":
        return Act(
            problem=phrase("Nothing was done: tick the box beside {verb} to confirm.", verb=verb)
        )
    rest = " ".join(form.get("rest", "")[:_LONGEST_TEXT].split()) if verb in _WITH_REST else ""
    text = form.get("text", "").replace("\r\n", "\n") if verb in _WITH_TEXT else ""
    if verb in _NEEDED and not text.strip():
        return Act(problem=_NEEDED[verb])
    longest = _LONGEST_PLAN if verb == "plan" else _LONGEST_TEXT
    if len(text) > longest:
        return Act(
            problem=phrase(
                "Nothing was done: the text is longer than {most} characters.", most=longest
            )
        )
    number = form.get("number", "")
    now = site.clock()
    with site.store.reading() as session:
        opened = open_seat(session, site.secrets, link, now)
        if opened is None:
            return None
        command = build_command(opened.board, opened.player, verb, rest, text)
        command = clicks.verify(site, session, command, now)

    def execute(session: Session) -> Act | None:
        opened = open_seat(session, site.secrets, link, now, lock=True)
        if opened is None:
            return None
        if verb in ON_PRESENT_POSITION and number != str(opened.board.number):
            return Act(
                problem=phrase("Nothing was done: the board has changed since this page was made.")
            )
        policy = send_nothing if verb in _ON_PAGE else send_unless_refused
        _, problem = clicks.execute(site, session, command, policy, now)
        return Act(problem=problem) if problem else Act(done=verb)

    return clicks.commit(site, execute)
