"""The page behind the link of a seat: the board, a move composed by clicks, and forms for what else
its player can do. A GET changes nothing; a POST submits the same command as a mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from pbm.core.commands.moves import try_moves
from pbm.core.language.command import Command, Sender
from pbm.core.language.verbs import get_verb
from pbm.core.model.board import Board
from pbm.core.model.notices.board_notices import Refused
from pbm.core.model.notices.notice import Notice
from pbm.core.model.password_checks import FailureCounts, PasswordChecks, Unverified
from pbm.core.model.player import Player
from pbm.core.model.refusal import Refusal
from pbm.core.service.authenticate import authenticate
from pbm.core.service.secret_links import (
    Link,
    make_player_link,
    make_seat_link,
    open_player,
    open_seat,
)
from pbm.core.service.submit import Answer, Reply, Submission
from pbm.core.views.board_page import BoardPage, build_board_page
from pbm.rules import Position
from pbm.rules.composition import Composition
from pbm.rules.drawing.scene import Mark
from pbm.store import reads
from pbm.store.transaction import Session
from pbm.web.board_pictures import draw_board
from pbm.web.site import Site

_LONGEST_TEXT = 2000
_MOST_BOARDS = 100
_MOST_STEPS = 60
_MOST_BUTTONS = 24
"""Where more steps can follow, those that are places are links on the board alone."""
_TURNED = ("chess", "xiangqi", "shogi")
"""Styles of boards that each player sees from the own side."""
_DONE = {
    "move": "Played.",
    "resign": "You have resigned.",
    "propose": "You have proposed a draw.",
    "undo": "You have asked to take back your move.",
    "accept": "Accepted.",
    "reject": "Rejected.",
    "decline": "Declined.",
    "cancel": "You have proposed to cancel the board.",
    "rematch": "A new board starts: its mail brings the link.",
    "queue": "Your queue is changed.",
    "chat": "Passed on.",
    "vacation": "Your vacation is changed.",
}
"""What can be done here, and what the page says afterwards."""
_WITH_TEXT = ("move", "resign", "chat", "accept", "decline", "reject", "propose", "undo")
_ON_PRESENT_POSITION = ("move", "resign", "undo", "accept", "reject", "decline", "cancel")
_ENDS = ("resign", "cancel")
"""What a box must be ticked for."""


@dataclass(frozen=True, slots=True)
class SeatPage:
    """The values of the template, and the style sources that its picture needs."""

    values: Mapping[str, object]
    style: str
    is_refused: bool = False


def build_seat_page(
    site: Site,
    session: Session,
    link: Link,
    chosen: Sequence[str],
    at: int | None,
    *,
    done: str = "",
    problem: str = "",
) -> SeatPage | None:
    """The page of a seat, after the `chosen` steps of a move, or as the board was after `at` moves;
    None for a link that does not (or no longer) open one."""
    opened = open_seat(session, site.secrets, link, site.clock())
    if opened is None:
        return None
    board, player = opened
    seat = link.seat
    call = site.call(session, _build_command(board, player, "show", ""))
    try:
        page = build_board_page(call, board, seat, at)
    except Refusal:
        return None
    is_turn = at is None and board.state == "running" and seat in board.position.to_move
    chosen = tuple(chosen[:_MOST_STEPS]) if is_turn else ()
    composition = board.position.compose(seat, chosen) if is_turn else Composition()
    if chosen and not (composition.next or composition.move):
        chosen, composition = (), board.position.compose(seat)
        problem = problem or "The board has changed: choose your move again."
    places = {place.name for place in page.scene.places}
    preview = _preview(board, seat, composition.move)
    if preview is not None:
        shown = preview.scene(seat, (composition.move,))
        page = replace(page, scene=shown, words=preview.words(seat))
    else:
        marks = (Mark((step,), "chosen") for step in composition.steps if step in places)
        page = replace(page, scene=replace(page.scene, marks=(*page.scene.marks, *marks)))
    links = {step: _url(*chosen, step) for step in composition.next if step in places}
    svg, style = draw_board(page, links, is_turned=_is_turned(page, seat))
    addresses = reads.find_addresses(session, player.id)
    values = {
        "page": page,
        "view": page.view,
        "svg": svg,
        "words": page.words,
        "link": f"{link.name}-{link.key}",
        "home": f"u/{make_player_link(site.secrets, player, addresses)}",
        "number": board.number,
        "is_turn": is_turn,
        "composition": composition,
        "buttons": [
            (step, _url(*chosen, step))
            for step in composition.next
            if step not in links or len(composition.next) <= _MOST_BUTTONS
        ],
        "chosen": chosen,
        "back": _url(*chosen[:-1]),
        "is_preview": preview is not None,
        "at": at,
        "ply": board.ply,
        "can": _possible_acts(board, seat),
        "done": _DONE.get(done, ""),
        "problem": problem,
    }
    return SeatPage(values, style, is_refused=bool(problem))


def _url(*steps: str) -> str:
    return "?" + "&".join(f"m={quote(step, safe='')}" for step in steps)


def _is_turned(page: BoardPage, seat: int) -> bool:
    return page.scene.style in _TURNED and seat == 1


def _preview(board: Board, seat: int, move: str) -> Position | None:
    """The position that a move leads to, up to the first chance; None while there is no move, and
    where the position would show what is hidden."""
    if not move or board.is_hidden:
        return None
    try:
        return try_moves(board, seat, move)[0]
    except Refusal:
        return None


def _possible_acts(board: Board, seat: int) -> frozenset[str]:
    """The acts for which the page has a form."""
    own = board.seats[seat]
    if board.state == "over":
        return frozenset({"rematch", "chat"})
    if board.state == "invited":
        return frozenset({"decline", "chat"} if own.accepted else {"accept", "decline", "chat"})
    if board.state != "running":
        return frozenset()
    acts = {"chat", "vacation"}
    if seat not in board.position.playing:
        return frozenset(acts)
    acts |= {"resign", "propose", "cancel"}
    acts.add("undo" if own.moved else "decline")
    if seat not in board.position.to_move:
        acts.add("queue")
    asked = [kind for kind, by in board.proposals.items() if seat not in by]
    return frozenset(acts | ({"accept", "reject"} if asked else set()))


def _build_command(board: Board, player: Player, verb: str, rest: str, text: str = "") -> Command:
    """The command that a mail with these words would contain."""
    return Command(
        get_verb(verb),
        Sender(via="web", player=player.id),
        game=board.game.info.name if get_verb(verb).game != "no" else "",
        board=board.id if get_verb(verb).has_board else 0,
        user=player.userid,
        words=tuple(rest.split()),
        rest=rest,
        text=text,
    )


def act(site: Site, link: Link, form: Mapping[str, str]) -> tuple[str, str] | None:
    """Submit what a form asks for; what was done ("" if nothing) and why not. None for a link that
    opens nothing."""
    verb = form.get("do", "")
    if verb not in _DONE:
        return "", "This page has no such form."
    if verb in _ENDS and form.get("sure") != "yes":
        return "", f"Nothing was done: tick the box beside {verb} to confirm."
    rest = " ".join(form.get("rest", "")[:_LONGEST_TEXT].split())
    text = form.get("text", "")[:_LONGEST_TEXT] if verb in _WITH_TEXT else ""
    number = form.get("number", "")
    now = site.clock()
    checks = PasswordChecks(site.secrets, site.config, FailureCounts())
    with site.store.reading() as session:
        opened = open_seat(session, site.secrets, link, now)
        if opened is None:
            return None
        command = _build_command(*opened, verb, rest, text)
        command = authenticate(session, command, checks, now)

    def perform(session: Session) -> tuple[str, str] | None:
        opened = open_seat(session, site.secrets, link, now, lock=True)
        if opened is None:
            return None
        if verb in _ON_PRESENT_POSITION and number != str(opened[0].number):
            return "", "Nothing was done: the board has changed since this page was made."
        submission = Submission((command,), now, _send, may_wait=True)
        result = site.service.submit(session, submission, now)
        for notice in result.notices:
            if isinstance(notice.content, Refused):
                return "", f"Not done: {notice.content.reason}."
        return verb, ""

    while True:
        try:
            outcome = site.writer.submit(perform).result()
            break
        except Unverified as words:
            words.verify(site.secrets)
    if outcome is not None and outcome[0]:
        site.done()
    return outcome


def _send(_session: Session, replies: Sequence[Reply]) -> Answer:
    """Send what others are told, and the player's own board; a refusal is shown on the page."""
    notices: list[Notice] = []
    for reply in replies:
        if not reply.is_refused:
            notices += reply.notices
    return Answer(notices)


def build_player_page(site: Site, session: Session, link: Link) -> Mapping[str, object] | None:
    """The open boards of a player, those that wait first, each with its link; None for a link that
    opens nothing."""
    player = open_player(session, site.secrets, link)
    if player is None:
        return None
    addresses = reads.find_addresses(session, player.id)
    rows = reads.find_open_boards(session, player.id, _MOST_BOARDS)
    lines = []
    for row in rows:
        seats = reads.find_seats(session, row.id)
        own = [seat for seat in seats if seat.player_id == player.id]
        on_move = {int(seat) for seat in row.to_move.split(",") if seat}
        seat = max(own, key=lambda each: (each.seat in on_move, -each.seat)).seat
        lines.append(
            {
                "board": row.id,
                "game": row.game,
                "names": ", ".join(each.userid for each in seats),
                "waits": seat in on_move and row.state == "running",
                "state": row.state,
                "link": make_seat_link(site.secrets, row.id, seat, player.password, addresses),
            }
        )
    lines.sort(key=lambda line: (not line["waits"], line["board"]))
    return {
        "userid": player.userid,
        "lines": lines,
        "calendar": f"{link.name}-{link.key}.ics",
    }
