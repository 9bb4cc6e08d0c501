"""House players: who they are, which boards wait for them, and what they answer, as commands.

They have no address and no password; what they play is found elsewhere, in another process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import String, bindparam, cast, or_, select, text

from pbm.bots import NAMES
from pbm.config import Config
from pbm.core.language.command import Command, Sender
from pbm.core.language.verbs import get_verb
from pbm.core.model.board_store import find_draw_claim, load
from pbm.core.model.player import NO_PASSWORD, Player
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.games import missing_names
from pbm.rules import Game
from pbm.store import reads
from pbm.store.rows import Query, Row
from pbm.store.tables import boards, players, seats
from pbm.store.transaction import Session

HOUSE = Sender(via="bot", operator=True)
"""The sender of their commands: as trusted as the terminal's operator."""
CLAIM = "propose"
"""The command that claims a draw, also as the answer of whoever thinks."""
_HIDING = {"hidden", "sealed"}


class WaitingRow(Row):
    """A board that waits for a house player, and for which."""

    id: int
    game: str
    number: int
    proposals: str
    to_move: str
    rated: bool
    seat: int
    name: str


_WAITING = (
    select(
        boards.c.id,
        boards.c.game,
        boards.c.number,
        boards.c.proposals,
        boards.c.to_move,
        boards.c.rated,
        seats.c.seat,
        players.c.name,
    )
    .join(seats, (seats.c.player_id == players.c.id) & seats.c.rank.is_(None))
    .join(boards, boards.c.id == seats.c.board_id)
    .where(
        players.c.name.in_(NAMES),
        players.c.password == NO_PASSWORD,
        players.c.state == "active",
        boards.c.state == "running",
        or_(
            ("," + boards.c.to_move + ",").like("%," + cast(seats.c.seat, String) + ",%"),
            boards.c.proposals != "{}",
        ),
    )
    .order_by(boards.c.moved, boards.c.id)
    .limit(bindparam("most"))
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A board that waits for a house player: `number` is that of the last row of its log; `asked`
    is the proposal that it has to answer, "" for a move."""

    board: int
    game: str
    number: int
    seat: int
    name: str
    asked: str
    rated: bool


@dataclass(frozen=True, slots=True)
class Question:
    """What a house player has to think about: its move in an encoded position, or whether to claim
    a draw, where it may."""

    position: str
    may_claim: bool


_ENROL = text(
    "INSERT INTO players (userid, name, password, state, preferences, created, seen)"
    " VALUES (:name, :name, :password, 'active', '{}', :at, :at) ON CONFLICT DO NOTHING"
)


def enrol(session: Session, now: float) -> None:
    """Open the accounts of the house players, unless somebody has the userid already: another
    daemon that starts at the same time may have opened them."""
    for name in NAMES:
        if reads.player_by_name(session, name) is None:
            session.execute(_ENROL, {"name": name, "password": NO_PASSWORD, "at": now})


def plays(config: Config, game: Game, player: Player) -> bool:
    """Whether the player can take part in the game: house players cannot everywhere."""
    return not player.is_bot or (config.bots.enabled and not game.info.features & _HIDING)


def require_house(config: Config, game: Game, people: Sequence[Player], form: str) -> None:
    """Refuse a board that house players cannot take part in."""
    house = [player for player in people if player.is_bot]
    if not house:
        return
    if not config.bots.enabled:
        raise Refusal(
            RefusalCode.BOT_UNAVAILABLE,
            "this server has its computer players switched off: look for a person",
            form,
        )
    if game.info.features & _HIDING:
        raise Refusal(
            RefusalCode.BOT_UNAVAILABLE,
            f"computer players cannot play {game.info.title}, where things are hidden: look for a "
            "person",
            form,
            f"{game.info.name} seek {{user}} PASSWORD",
        )
    if len(house) == len(people):
        raise Refusal(
            RefusalCode.BOT_UNAVAILABLE,
            "computer players play against people, not against each other",
            form,
        )


def waiting(session: Session, most: int) -> list[Waiting]:
    """Boards that wait for a house player, the longest wait first; not those of a game that is
    missing."""
    found = []
    lost = missing_names()
    query = _WAITING.where(boards.c.game.not_in(lost)) if lost else _WAITING
    for row in session.all(Query(WaitingRow, query), {"most": most}):
        asked = _asked(json.loads(row.proposals), row.seat)
        if asked or str(row.seat) in row.to_move.split(","):
            found.append(
                Waiting(row.id, row.game, row.number, row.seat, row.name, asked, row.rated)
            )
    return found


def _asked(proposals: Mapping[str, Sequence[int]], seat: int) -> str:
    """What is proposed to that seat."""
    return next((kind for kind, by in proposals.items() if seat not in by), "")


def answer(session: Session, wait: Waiting) -> Command | Question:
    """The command of a house player that needs no thought: it agrees to take back and to cancel
    where nothing is at stake, and to no draw. Else what it has to think about."""
    if wait.asked:
        agrees = wait.asked in ("undo", "cancel") and not wait.rated
        return command_of(wait, "accept" if agrees else "reject")
    board = load(session, wait.board)
    return Question(board.position.encode(), may_claim=bool(find_draw_claim(session, board)))


def command_of(wait: Waiting, verb: str, text: str = "") -> Command:
    """The command of a house player at a board, the same as its mail would be."""
    return Command(
        get_verb(verb),
        HOUSE,
        game=wait.game,
        board=wait.board,
        user=wait.name,
        words=tuple(text.split()),
        rest=text,
    )


def is_current(session: Session, wait: Waiting) -> bool:
    """Whether the board is still as it was when it was asked for; locks it."""
    row = reads.board(session, wait.board, lock=True)
    return row is not None and row.state == "running" and row.number == wait.number
