"""The puzzles mailed to players: which come next, and their scores."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from sqlalchemy import bindparam, func, insert, select, update

from pbm.features.puzzles.tables import PuzzleRow, puzzles
from pbm.rules.solutions import Puzzle
from pbm.store.rows import Query, Row
from pbm.store.transaction import Session

OPEN, SOLVED, MISSED, GIVEN_UP = "open", "solved", "missed", "given_up"


class ScoreRow(Row):
    """The numbers of puzzles of a game and strength that a player was sent, has solved, and has not
    answered."""

    game: str
    strength: str
    state: str
    count: int


_PUZZLE = Query(PuzzleRow, select(puzzles).where(puzzles.c.id == bindparam("number")))
_OF_PLAYER = puzzles.c.player_id == bindparam("player")
_SENT = select(puzzles.c.moves).where(_OF_PLAYER, puzzles.c.game == bindparam("game"))
_SCORES = Query(
    ScoreRow,
    select(
        puzzles.c.game,
        puzzles.c.strength,
        puzzles.c.state,
        func.count().label("count"),
    )
    .where(_OF_PLAYER)
    .group_by(puzzles.c.game, puzzles.c.strength, puzzles.c.state),
)
_COUNT_ANSWER = (
    update(puzzles)
    .where(puzzles.c.id == bindparam("number"), puzzles.c.state == OPEN)
    .values(state=bindparam("outcome"), answered=bindparam("at"))
)


def find_puzzle(session: Session, number: int) -> PuzzleRow | None:
    """Return the puzzle with that number, of any player."""
    return session.first(_PUZZLE, {"number": number})


def find_owner(session: Session, number: int) -> int | None:
    """Return the number of the player to whom a puzzle was sent."""
    puzzle = find_puzzle(session, number)
    return puzzle.player_id if puzzle is not None else None


def choose_puzzle(session: Session, player: int, game: str, choice: Sequence[Puzzle]) -> Puzzle:
    """Return a player's next puzzle: each comes once before any comes again, in an order that
    differs by player."""
    rows = session.tuples(_SENT, {"player": player, "game": game})
    sent = Counter(str(moves) for (moves,) in rows)

    def rank(puzzle: Puzzle) -> tuple[int, str]:
        moves = " ".join(puzzle.moves)
        return sent[moves], hashlib.sha256(f"{player} {moves}".encode()).hexdigest()

    return min(choice, key=rank)


def add_puzzle(session: Session, player: int, game: str, puzzle: Puzzle, now: float) -> int:
    """Store that a puzzle is mailed to a player. Return its number."""
    row = {
        "player_id": player,
        "game": game,
        "strength": puzzle.strength,
        "moves": " ".join(puzzle.moves),
        "sent": now,
        "state": OPEN,
    }
    query = insert(puzzles).values(row).returning(puzzles.c.id)
    return int(session.execute(query).scalar_one())


def count_answer(session: Session, number: int, outcome: str, now: float) -> bool:
    """Store the result of a puzzle. Return False if it already had one."""
    values = {"number": number, "outcome": outcome, "at": now}
    return session.execute(_COUNT_ANSWER, values).rowcount == 1


def find_scores(session: Session, player: int) -> Sequence[ScoreRow]:
    """Return the scores of a player's puzzles."""
    return session.all(_SCORES, {"player": player})
