"""A table at which replies are tried: each on a board of its own, and what came of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace
from sqlalchemy import delete, func, select

from pbm.config import Config, Database, Limits, Players, Trust
from pbm.config import Server as Address
from pbm.core.board import Board
from pbm.core.storing import load
from pbm.rules import CHANCE, Position
from pbm.store import reads
from pbm.store.tables import boards, mail_ends, outbound
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.mail import Mail
from tests.harness.servers import InProcess
from tools.people.replies import Reading, Reply, When

PLAYERS = ("ann", "bob")
GAMES = (
    "hex",
    "fourinarow",
    "chess",
    "go",
    "cradle",
    "cyclone",
    "draughts",
    "spacecradles",
    "backgammon",
    "spacetruckin",
    "reversi",
    "spacefighters",
    "breakthrough",
    "kalah",
)
_DONE = {
    Reading.MOVE,
    Reading.ACCEPTED,
    Reading.REJECTED,
    Reading.OFFERED,
    Reading.RESIGNED,
    Reading.QUEUED,
    Reading.REMATCH,
}
"""Readings that change something."""


@dataclass(frozen=True)
class Outcome:
    """What came of a reply: how the server read it, what was wrong, and the answer's beginning."""

    reply: Reply
    game: str
    read_as: Reading | None
    faults: tuple[str, ...]
    answer: str

    @property
    def verdict(self) -> str:
        """The column of the table that it counts in."""
        meant = self.reply.reading
        if self.faults or (self.read_as in _DONE and self.read_as is not meant):
            return "not meant"
        if self.read_as is meant:
            return "as meant" if meant is not Reading.ASKED else "asked back"
        if self.read_as is not Reading.ASKED:
            return "misunderstood"
        return "asked on purpose" if self.reply.asks else "refused"


class Table:
    """A server with two players, and a board for each reply."""

    def __init__(self, folder: Path) -> None:
        config = Config(
            server=Address(address=SERVER),
            database=Database(f"sqlite:///{folder}/pbm.db"),
            players=Players(pictures=False),
            trust=Trust(newcomer=0),
            limits=replace(
                Limits(), open_boards=0, mails_a_day=0, errors_a_day=0, unproved_a_day=0
            ),
        )
        self.clock = Clock()
        self.server = InProcess(config, self.clock)
        self.talk = Conversation(self.server, self.clock, confirms=True)
        self.talk.signup(*PLAYERS)
        self.welcomes: dict[str, Mail] = {}

    def close(self) -> None:
        """Stop the server."""
        self.server.close()

    def board(self, number: int) -> Board:
        """Return a board as it is stored."""
        with self.server.store.reading() as session:
            return load(session, number, lock=False)

    def content(self, mail: Mail) -> str:
        """Return the kind of notice that a mail holds."""
        with self.server.store.reading() as session:
            number = self.talk.find_number(mail)
            query = select(outbound.c.content).where(outbound.c.id == number)
            return str(session.execute(query).scalar_one())

    def try_out(self, reply: Reply, game: str) -> Outcome:
        """Send one reply to a board of this game, and see what comes of it."""
        self.clock.advance(days=1)
        with self.server.store.writing() as session:  # else kinds that end alike are additions
            session.execute(delete(mail_ends))
        number, writer, mail = self._prepare(reply.when, game, random.Random(f"{game}1"))
        before = self.board(number)
        opponent = PLAYERS[1 - PLAYERS.index(writer)]
        moves = _two_moves(before, writer)
        values = {
            "move": moves[0],
            "other": moves[1],
            "you": opponent.capitalize(),
            "password": self.talk.password(writer),
        }
        self.talk.replies(mail, reply.text.format(**values))
        read_as, mails = self.observe(before, writer, moves[0])
        theirs = "\n".join(
            line
            for each in mails
            if each.address.startswith(opponent)
            for line in each.lines
            if line.startswith("> ")
        )
        mine = [each for each in mails if each.address.startswith(writer)]
        faults = []
        if reply.never and reply.never.format(**values) in theirs:
            faults.append(f"{opponent} reads {reply.never!r}")
        is_open = self.board(number).position.turn == before.position.turn
        if (
            reply.passed
            and reply.passed not in theirs
            and not (is_open and read_as is Reading.MOVE)
        ):
            faults.append(f"{opponent} does not read {reply.passed!r}")
        if not mine:
            faults.append("no answer")
        if len(mine) > 1:
            faults.append("several answers")
        answer = " ".join(mine[0].text.split("\n\n")[0].split()) if mine else ""
        self.talk.everything()
        return Outcome(reply, game, read_as, tuple(faults), answer)

    # The boards

    def _prepare(self, when: When, game: str, dice: random.Random) -> tuple[int, str, Mail]:
        """Return a board in the state that the reply is written in: its number, who writes, and the
        mail that is answered."""
        options = "--ask" if when is When.INVITED else ""
        latest = dict(
            zip(PLAYERS, self.talk.challenge(game, *PLAYERS, options=options), strict=True)
        )
        number = int(latest["ann"].fact("Board"))
        if when is When.INVITED:
            return number, "bob", latest["bob"]
        if self.board(number).state == "invited":
            latest = self._sent("bob", latest, "accept")
        for _ in range(4 if when is When.UNDO else 2):
            latest = self._plays_turn(number, latest, dice)
        board = self.board(number)
        mover = board.on_move[0].userid
        waiting = PLAYERS[1 - PLAYERS.index(mover)]
        if when is When.MY_TURN:
            return number, mover, latest[mover]
        if when is When.THEIR_TURN:
            return number, waiting, latest[waiting]
        writer, act = {
            When.OVER: (mover, "resign"),
            When.CHAT: (waiting, "chat How are you? Shall we play another one on Friday?"),
            When.CHAT_MY_TURN: (mover, "chat Where do you live?"),
            When.DRAW: (mover, "draw"),
            When.UNDO: (mover, "undo"),
        }[when]
        other = PLAYERS[1 - PLAYERS.index(writer)]
        latest = self._sent(other, latest, act)
        return number, writer, latest[writer]

    def _plays_turn(
        self, number: int, latest: dict[str, Mail], dice: random.Random
    ) -> dict[str, Mail]:
        """Play one turn, in as many mails as it takes."""
        turn = self.board(number).position.turn
        while (board := self.board(number)).position.turn == turn and not board.is_over:
            seat = board.on_move[0]
            moves = board.position.legal_moves(seat.seat)[:200]
            latest = self._sent(seat.userid, latest, dice.choice(moves))
        return latest

    def _sent(self, who: str, latest: dict[str, Mail], text: str) -> dict[str, Mail]:
        """Have somebody reply; return the latest mails after that."""
        self.talk.replies(latest[who], text)
        for mail in self.talk.everything():
            latest = {**latest, mail.address.partition("@")[0]: mail}
        return latest

    # What came of it

    def observe(
        self, before: Board, writer: str, move: str = ""
    ) -> tuple[Reading | None, list[Mail]]:
        """Return how the server read what was just written about a board, and the mails that came
        of it. `move` is the one that was meant, if any."""
        mails = self.talk.everything()
        return self._read(before, writer, mails, move), mails

    def _read(self, before: Board, writer: str, mails: list[Mail], move: str) -> Reading | None:
        number = before.id
        after = self.board(number)
        seat = next(each for each in before.seats if each.userid == writer)
        contents = {each.address.partition("@")[0]: self.content(each) for each in mails}
        if self._count_boards() > number:
            return Reading.REMATCH
        change = self._find_change(before, after, seat.seat, move)
        if change is not None:
            return change
        if after.ply != before.ply or after.state != before.state:
            return None
        if "chat" in contents.values():
            return Reading.PASSED_ON
        mine = contents.get(writer, "")
        if mine in ("board_help", "help_page"):
            return Reading.HELPED
        says_what_to_send = mine in ("answered", "stop_choices")
        is_refused = mine in ("refused", "no_command", "transcript")
        if (is_refused or says_what_to_send) and len(contents) == 1:
            return Reading.ASKED
        return None

    def _find_change(self, before: Board, after: Board, seat: int, move: str) -> Reading | None:
        """Return what has changed at a board, as a reading of the writer's reply."""
        with self.server.store.reading() as session:
            new = [row for row in reads.find_log(session, after.id) if row.number > before.number]
        kinds = {row.kind for row in new if row.seat == seat}
        if "resign" in kinds:
            return Reading.RESIGNED
        if after.undos > before.undos or "draw" in kinds:
            return Reading.ACCEPTED
        if before.state == "invited" and after.state != "invited":
            return Reading.ACCEPTED if after.state == "running" else Reading.REJECTED
        played = [row.move for row in new if row.kind == "move" and row.seat == seat]
        if played:
            meant = _canonical(before.position, seat, move)
            return Reading.MOVE if played == meant else None
        if after.seats[seat].plan:
            return Reading.QUEUED
        if seat in after.proposals.get("draw", []) and not before.proposals:
            return Reading.OFFERED
        if before.proposals and not after.proposals:
            return Reading.REJECTED
        return None

    def _count_boards(self) -> int:
        with self.server.store.reading() as session:
            return int(session.execute(select(func.max(boards.c.id))).scalar_one())


def _two_moves(board: Board, writer: str) -> tuple[str, str]:
    """Return two different moves of the writer, legal now where it is the writer's turn; else of
    whoever is to move, or of the beginning."""
    position = board.position
    if not position.to_move:
        position = board.game.setup(len(board.seats), board.options)
        dice = random.Random(1)
        while position.chance is not None:
            position = position.play(CHANCE, dice.choice(position.chance.outcomes))
    seat = min(position.to_move)
    legal = position.legal_moves(seat)[:60]
    moves = [move for move in legal if move not in ("pass", "end")] or legal
    middle = len(moves) // 2
    return moves[middle], moves[middle - 1]


def _canonical(position: Position, seat: int, text: str) -> list[str]:
    """Return the moves that a text means, to the first chance."""
    moves, rest, turn = [], text, position.turn
    while rest and position.turn == turn and position.chance is None:
        move, rest = position.parse(rest, seat)
        position = position.play(seat, move)
        moves.append(move)
    return moves


# The page of what people write and how it was read.

COLUMNS = ("as meant", "asked back", "asked on purpose", "refused", "misunderstood", "not meant")
BAD = ("refused", "misunderstood", "not meant")
_HEAD = """\
# What people write

`python -m tools.people` prints this page. The kinds of replies (`tools/people/replies.py`) were
written down with the reading that a person would give them before the server was asked. Each is
sent on a board of its own, in each of these games, and what came of it is looked up in the
database.

- *as meant*: read as a person would read it; *asked back*: unclear to a person too, and refused.
- *asked on purpose*: a person would have understood it, but it ends or settles something, or would
  be a guess; the answer says what to send.
- *refused*: a person would have understood it. *misunderstood*: read as something else that changes
  nothing.
- *not meant*: something was done, passed on or shown that was not meant.
"""


def write_page(
    replies: Sequence[Outcome], games: Sequence[Outcome], made: str = ""
) -> Iterable[str]:
    """Yield the lines of the page; `made` says when, and of which commit."""
    yield _HEAD
    kinds = len({(each.reply.when, each.reply.text) for each in replies})
    yield f"{kinds} kinds of replies, {len(replies):,} mails{f', {made}' if made else ''}:"
    yield ""
    yield from _write_table("game", _group_by_game(replies))
    yield ""
    yield from _write_table("answers", [(when, _select(replies, when)) for when in When])
    yield ""
    yield (
        "Ten games from signup to rematch, between people with nine mother tongues, phones, "
        "signatures, answers below the quotation and digests answered line by line:"
    )
    yield ""
    yield from _write_table("game", _group_by_game(games))
    bad = [each for each in (*replies, *games) if each.verdict in BAD]
    if bad:
        yield "\n## What was not read as meant\n"
        yield "| what | game | when | written | answer |\n| --- | --- | --- | --- | --- |"
    for each in bad:
        text = each.reply.text.replace("\n", " / ")
        yield f"| {each.verdict} | {each.game} | {each.reply.when} | {text} | {each.answer} |"
    yield "\n## What is asked back on purpose\n"
    yield "| when | written | answer |\n| --- | --- | --- |"
    asked = {each.reply: each for each in replies if each.verdict == "asked on purpose"}
    for each in asked.values():
        text = each.reply.text.replace("\n", " / ")
        yield f"| {each.reply.when} | {text} | {each.answer} |"


def _group_by_game(outcomes: Sequence[Outcome]) -> list[tuple[str, list[Outcome]]]:
    names = dict.fromkeys(each.game for each in outcomes)
    return [(name, [each for each in outcomes if each.game == name]) for name in names]


def _select(outcomes: Sequence[Outcome], when: When) -> list[Outcome]:
    return [each for each in outcomes if each.reply.when is when]


def _write_table(title: str, rows: Sequence[tuple[str, Sequence[Outcome]]]) -> Iterable[str]:
    yield f"| {title} | mails | {' | '.join(COLUMNS)} |"
    yield f"| --- | {' | '.join(['---:'] * (len(COLUMNS) + 1))} |"
    for name, outcomes in (*rows, ("all", [each for _, part in rows for each in part])):
        counts = Counter(each.verdict for each in outcomes)
        figures = " | ".join(f"{counts[column]:,}" for column in COLUMNS)
        yield f"| {name} | {len(outcomes):,} | {figures} |"
