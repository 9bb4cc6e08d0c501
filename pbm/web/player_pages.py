"""A player's own pages: boards, starting a board, and settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from pbm.bots import NAMES
from pbm.core.call import Call
from pbm.core.clubs import find_clubs_of
from pbm.core.house_players import has_bots
from pbm.core.links import open_own_seat
from pbm.core.player import Role
from pbm.core.refusal import Refusal
from pbm.core.storing import find_title
from pbm.core.view import BoardSummary
from pbm.core.words import is_verb
from pbm.features.accounts.inviting import list_sent
from pbm.features.finding.game_page import build_board_page
from pbm.features.finding.notices import BoardList, GameList
from pbm.features.finding.players import count_record
from pbm.features.finding.rows import count_boards_by_game
from pbm.features.moderation.commands import list_undoable
from pbm.features.moderation.queue import Item, list_items
from pbm.games import get_game, list_game_names
from pbm.rules import Game
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.web.answers import Visit, WebPage
from pbm.web.board_lists import list_boards
from pbm.web.public_pages import draw_small, find_game, list_offers
from pbm.web.verb_forms import VerbForm

_MOST_COUNTED = 100
_BEST_KNOWN = "chess"
"""The game offered first to a new player."""
_MOST_FINISHED = 10
_MOST_PICTURES = 24
_HIDING = {"hidden", "sealed"}
_LAST_ENTRIES = 6
"""The rows of a log read for the last move; others are rolls and answers."""


class OwnBoard(NamedTuple):
    """A board of the player, and the last move, if it is public."""

    board: BoardSummary
    last: str


def build_home(visit: Visit) -> WebPage:
    """Return the boards of a player: waiting ones, the most urgent first, other open ones, and
    those that ended last; and the items that a moderator has to decide."""
    call, me = visit.call(), visit.me
    game = find_game(visit.query.get("game", ""))
    content = visit.read("mine")
    lines = content.rows if isinstance(content, BoardList) else ()
    waiting = (
        {row.thread.board for row in content.waiting} if isinstance(content, BoardList) else set()
    )
    ended = list_boards(visit, "all show", words=(me.userid, "inactive"), most=_MOST_COUNTED)
    chosen, finished = (
        [line for line in each if game is None or line.game == game.info.name]
        for each in (lines, ended)
    )
    own = [OwnBoard(line, _find_last_move(call, line)) for line in chosen]
    values = {
        "userid": me.userid,
        "waiting": [line for line in own if line.board.id in waiting],
        "others": [line for line in own if line.board.id not in waiting],
        "finished": finished[:_MOST_FINISHED],
        "games": [(name, find_title(name)) for name in dict.fromkeys(each.game for each in lines)],
        "game": game.info.name if game is not None else "",
        "pictures": _MOST_PICTURES,
        "clubs": find_clubs_of(visit.session, me.id),
        "has_clubs": is_verb("clubs") and not me.is_guest,
        "calendar": f"{visit.home.rstrip('/').rpartition('/')[2]}.ics",
        "is_moderator": me.has_role(Role.MODERATOR),
        "cases": [],
        "undoable": [],
    }
    if me.has_role(Role.MODERATOR):
        values["cases"] = [(case, _decide(visit, case)) for case in list_items(call, me)[0]]
        values["undoable"] = [
            (what, visit.form("moderate", act=f"undo {number}", label=phrase("Undo")))
            for number, what in list_undoable(call, me)
        ]
    return WebPage("boards.html", values)


def _find_last_move(call: Call, line: BoardSummary) -> str:
    """Return the last move of a board; "" where it is not public or there is none."""
    if get_game(line.game).info.features & _HIDING:
        return ""
    entries = reads.find_end_of_log(call.session, line.id, _LAST_ENTRIES)
    moved = [entry.words or entry.move for entry in entries if entry.kind == "move"]
    return get_game(line.game).setup(len(line.seats)).mark_letters(moved[-1]) if moved else ""


def draw_own_board(visit: Visit, number: int) -> str | None:
    """Return the small picture of one of the player's boards; None where there is none."""
    opened = open_own_seat(visit.session, visit.me, number)
    if opened is None:
        return None
    board, seat = opened
    board.seats[seat].read_as(visit.me.id)
    try:
        return draw_small(build_board_page(visit.call(), board, seat, None))
    except Refusal:
        return None


def _decide(visit: Visit, case: Item) -> list[VerbForm]:
    """Return the two buttons for an item that waits for a moderator."""
    name = f"{case.kind} {case.about}"
    return [
        visit.form("moderate", act=f"{word} {name}", label=label)
        for word, label in (("yes", phrase("Yes")), ("no", phrase("No")))
    ]


def build_beginning(visit: Visit) -> WebPage:
    """Return the page on which boards begin: for a game, the forms to play a friend, the computer
    or the taker of an offer; open offers; and an invitation for a friend."""
    wanted = visit.sent.form.get("game", "") or visit.query.get("game", "")
    game = find_game(wanted)
    opponent = visit.query.get("with", "")[:20]
    sent = list_sent(visit.call("invite"), visit.me)
    values = {
        "games": [(name, find_title(name)) for name in list_game_names()],
        "game": game.info.name if game is not None else "",
        "usual": game.info.name if game is not None else find_usual_game(visit),
        "opponent": opponent,
        "forms": build_beginnings(visit, game, opponent) if game is not None else (),
        "offers": list_offers(visit, game.info.name if game is not None else ""),
        "invite": visit.form("invite"),
        "link": visit.form("invite", words="link", label=phrase("Make a link to pass on")),
        "invitations": sent.invitations,
        "join_links": sent.links,
        "withdraw": visit.form("invite", words="none", label=phrase("Withdraw all of these"))
        if sent.invitations or sent.links
        else None,
    }
    return WebPage("begin.html", values)


def find_usual_game(visit: Visit) -> str:
    """Return the game that the player plays most, else the most played one here, else chess."""
    record = count_record(visit.call(), visit.me)
    boards = Counter(line.game for line in list_boards(visit, "mine", most=_MOST_COUNTED))
    boards.update({row.game: row.boards for row in record.games} if record is not None else {})
    if not boards:
        content = visit.read("games")
        groups = content.groups if isinstance(content, GameList) else ()
        counts = count_boards_by_game(visit.session)
        boards.update({game.name: counts[game.name] for group in groups for game in group.games})
    (game, count), *_ = boards.most_common(1) or [("", 0)]
    return game if count else _BEST_KNOWN


def build_beginnings(
    visit: Visit, game: Game, opponent: str = ""
) -> Sequence[tuple[str, VerbForm, bool]]:
    """Return the forms that begin a board of a game, each with its title and whether it is
    unfolded."""
    name = game.info.name
    friend = visit.form("challenge", game=name, typed={"userid": opponent})
    forms = [(phrase("Play somebody you know"), friend)]
    if visit.site.config.bots.enabled and has_bots(game):
        levels = [(each, each) for each in NAMES]
        form = visit.form("challenge", game=name, key="computer", choices={"userid": levels})
        words = {"userid": phrase("How strong: random, five levels, or mcts, which thinks longest")}
        forms.append((phrase("Play the computer"), form.call_fields(words)))
    forms.append((phrase("Play whoever takes the offer"), visit.form("seek", game=name)))
    is_sent = any(form.is_sent for _, form in forms)
    return [
        (title, form, form.is_sent if is_sent else number == 0)
        for number, (title, form) in enumerate(forms)
    ]


def build_settings(visit: Visit) -> WebPage:
    """Return a player's vacation, preferences and blocks."""
    values = {
        "vacation": visit.form("vacation"),
        "back": visit.form("vacation", words="off", label=phrase("End my vacation")),
        "preferences": visit.form("set"),
        "block": visit.form("block"),
        "calendar": f"{visit.home.rstrip('/').rpartition('/')[2]}.ics",
    }
    return WebPage("settings.html", values)
