"""Bots as players: their accounts, the boards that wait for them, and their commands.

A bot has no address and no password; another process chooses its moves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from msgspec import Struct
from sqlalchemy import (
    String,
    bindparam,
    cast,
    func,
    literal,
    literal_column,
    or_,
    select,
    union_all,
)

from pbm.bots import GROUPS, NAMES
from pbm.config import Config
from pbm.core.board import PAUSE, Board
from pbm.core.command import Command, Sender
from pbm.core.log import build_entry, drop_undone
from pbm.core.player import ENGINE_PASSWORD, NO_PASSWORD, Player, insert_player, make_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import find_draw_claim, find_title, load
from pbm.core.words import get_verb
from pbm.engines.setup import EnginePlayer
from pbm.games import list_missing_names
from pbm.rules import CHANCE, Game
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.rows import Query, Row
from pbm.store.tables import boards, players, seats
from pbm.store.transaction import Session

BOT_SENDER = Sender(via="bot", operator=True)
"""The sender of a bot's commands: as trusted as the operator at the terminal."""
CLAIM = "propose"
"""The command that claims a draw; also a bot's answer to a question."""
_HIDING = {"hidden", "sealed"}


class BotBoardRow(Row):
    """A board that waits for a bot, the bot, and the account that sits there."""

    id: int
    game: str
    number: int
    proposals: str
    to_move: str
    rated: bool
    seat: int
    name: str
    account: str


BOTS = union_all(
    select(players.c.id).where(players.c.name.in_(NAMES), players.c.password == NO_PASSWORD),
    select(players.c.id).where(players.c.password == literal_column(f"'{ENGINE_PASSWORD}'")),
)
"""The numbers of the computer players; the second part as ix_players_engines has it."""
_ACTIVE = select(func.count()).select_from(players).where(players.c.state == "active")
_ACTIVE_BOTS = _ACTIVE.where(players.c.id.in_(BOTS))
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
        players.c.name.label("account"),
    )
    .join(seats, (seats.c.player_id == players.c.id) & seats.c.rank.is_(None))
    .join(boards, boards.c.id == seats.c.board_id)
    .where(
        players.c.id.in_(BOTS),
        players.c.state == "active",
        boards.c.state + "" == "running",  # no way in: SQLite would look at each board that runs
        or_(
            ("," + boards.c.to_move + ",").like("%," + cast(seats.c.seat, String) + ",%"),
            boards.c.proposals != "{}",
        ),
    )
    .order_by(boards.c.moved, boards.c.id)
    .limit(bindparam("most"))
)


_STANDING_IN = (
    select(
        boards.c.id,
        boards.c.game,
        boards.c.number,
        literal("{}").label("proposals"),
        boards.c.to_move,
        boards.c.rated,
        seats.c.seat,
        boards.c.standin.label("name"),
        players.c.name.label("account"),
    )
    .join(seats, seats.c.board_id == boards.c.id)
    .join(players, players.c.id == seats.c.player_id)
    .where(
        seats.c.standin.is_not(None),
        players.c.seen <= seats.c.standin,
        # Without an index, which SQLite would take: there are many more running boards.
        boards.c.state + "" == "running",
        ("," + boards.c.to_move + ",").like("%," + cast(seats.c.seat, String) + ",%"),
    )
    .order_by(boards.c.moved, boards.c.id)
    .limit(bindparam("most"))
)


class BotBoard(Struct, frozen=True):
    """A board that waits for a bot.

    number    of the last row in its log
    proposal  the kind of proposal to answer; "" when it is to move
    account   whose seat it is: the bot's own, or that of a player for whom it stands in
    """

    board: int
    game: str
    number: int
    seat: int
    name: str
    proposal: str
    rated: bool
    account: str


class BotQuestion(Struct, frozen=True):
    """What a bot has to decide: its move in an encoded position, or to claim a draw if it may.

    first  for an engine: the encoded first position, and the moves since, each with its seat
    """

    position: str
    may_claim: bool
    first: str = ""
    moves: Sequence[tuple[int, str]] = ()


def enrol(session: Session, now: float, engines: Sequence[EnginePlayer] = ()) -> list[str]:
    """Create the accounts of the bots whose userids are free: another daemon that starts at the
    same time may have created them. Returns the userids of engines that belong to somebody else."""
    wanted = [(name, name, NO_PASSWORD) for name in NAMES]
    wanted += [(engine.userid, engine.name, ENGINE_PASSWORD) for engine in engines]
    taken = []
    for userid, name, password in wanted:
        row = reads.find_player_by_name(session, name)
        if row is None:
            insert_player(session, make_player(userid, password, now))
        elif password == ENGINE_PASSWORD and row.password != ENGINE_PASSWORD:
            taken.append(userid)
    return taken


def list_bots(config: Config, *, engines: bool = True) -> list[str]:
    """Return the userids of the computer players, levels as one, on request with those of
    engines."""
    if not config.bots.enabled:
        return []
    more = [player.userid for player in config.bots.list_engine_players()] if engines else []
    return [*GROUPS, *more]


def has_bots(game: Game) -> bool:
    """Whether bots play the game: nothing in it may be hidden, unless it suggests orders."""
    return "orders" in game.info.features or not game.info.features & _HIDING


def can_play(config: Config, game: Game, player: Player) -> bool:
    """Whether the player can play the game, which a bot cannot when something is hidden, nor an
    engine when the configuration does not say so."""
    if not player.is_bot:
        return True
    if not config.bots.enabled or not has_bots(game):
        return False
    if "orders" in game.info.features:
        return player.name in NAMES
    return player.name in NAMES or game.info.name in _list_games(config, player.name)


def _list_games(config: Config, name: str) -> Sequence[str]:
    """Return the games that the engine with that userid plays, all of them if it is one."""
    engine = config.bots.find_engine_player(name)
    return engine.setup.games if engine is not None else ()


def require_bots_can_play(config: Config, game: Game, people: Sequence[Player], form: str) -> None:
    """Refuse a board on which its bots cannot play."""
    bots = [player for player in people if player.is_bot]
    if not bots:
        return
    if not config.bots.enabled:
        raise Refusal(
            RefusalCode.BOT_UNAVAILABLE,
            phrase("this server has its computer players switched off: look for a person"),
            form,
        )
    if not has_bots(game):
        raise Refusal(
            RefusalCode.BOT_UNAVAILABLE,
            phrase(
                "computer players cannot play {title}, where things are hidden: look for a person",
                title=find_title(game.info.name),
            ),
            form,
            f"{game.info.name} seek {{user}} PASSWORD",
        )
    for bot in bots:
        if not can_play(config, game, bot):
            games = ", ".join(_list_games(config, bot.name))
            raise Refusal(
                RefusalCode.BOT_UNAVAILABLE,
                phrase("the computer player {userid} plays {games}", userid=bot.userid, games=games)
                if games
                else phrase("the computer player {userid} is switched off", userid=bot.userid),
                f"{game.info.name} challenge {{user}} mcts",
                form,
            )
    if len(bots) == len(people):
        raise Refusal(
            RefusalCode.BOT_UNAVAILABLE,
            phrase("computer players play against people, not against each other"),
            form,
        )


def find_waiting(session: Session, most: int) -> list[BotBoard]:
    """Return the boards that wait for a bot, longest wait first, except those of missing games;
    last those on which it stands in for a player."""
    boards_waiting = []
    missing = list_missing_names()
    rows = [
        row
        for query in (_WAITING, _STANDING_IN)
        for row in session.all(
            Query(BotBoardRow, query.where(boards.c.game.not_in(missing)) if missing else query),
            {"most": most},
        )
    ]
    for row in rows:
        proposal = _find_proposal(json.loads(row.proposals), row.seat)
        if proposal or str(row.seat) in row.to_move.split(","):
            boards_waiting.append(
                BotBoard(
                    row.id,
                    row.game,
                    row.number,
                    row.seat,
                    row.name,
                    proposal,
                    row.rated,
                    row.account,
                )
            )
    return boards_waiting


def _find_proposal(proposals: Mapping[str, Sequence[int]], seat: int) -> str:
    """Return the kind of a proposal that the seat has to answer, or ""."""
    return next((kind for kind, by in proposals.items() if seat not in by), "")


def answer_or_ask(session: Session, wait: BotBoard) -> Command | BotQuestion:
    """Return a bot's answer to a proposal, or the question that it has to think about. It accepts
    any pause, an undo or a cancellation on unrated boards only, and never a draw."""
    if wait.proposal:
        agrees = wait.proposal in ("undo", "cancel") and not wait.rated
        agrees |= wait.proposal.startswith(PAUSE)
        return build_command(wait, "accept" if agrees else "reject")
    board = load(session, wait.board)
    may_claim = wait.account == wait.name and bool(find_draw_claim(session, board))
    position = board.position.encode()
    if wait.name in NAMES:
        return BotQuestion(position, may_claim)
    return BotQuestion(position, may_claim, *trace_board(session, board))


def trace_board(session: Session, board: Board) -> tuple[str, list[tuple[int, str]]]:
    """Return the encoded first position of a board, and the moves and rolls since."""
    entries = drop_undone(map(build_entry, reads.find_log(session, board.id)))
    moves = [
        (CHANCE if entry.seat is None else entry.seat, entry.move)
        for entry in entries
        if entry.kind in ("move", "chance")
    ]
    return board.game.setup(len(board.seats), board.options).encode(), moves


def build_command(wait: BotBoard, verb: str, text: str = "") -> Command:
    """Build a bot's command for a board, the same that a mail from it would contain."""
    return Command(
        get_verb(verb),
        BOT_SENDER,
        game=wait.game,
        board=wait.board,
        user=wait.account,
        words=tuple(text.split()),
        rest=text,
    )


def is_current(session: Session, wait: BotBoard) -> bool:
    """Whether the board is still as it was when the bot was asked; locks it."""
    row = reads.find_board(session, wait.board, lock=True)
    return row is not None and row.state == "running" and row.number == wait.number


def count_accounts(session: Session) -> tuple[int, int]:
    """Return the number of people who may play, and of computer players."""
    bots = int(session.execute(_ACTIVE_BOTS).scalar_one())
    return int(session.execute(_ACTIVE).scalar_one()) - bots, bots
