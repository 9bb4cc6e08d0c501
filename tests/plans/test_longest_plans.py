"""The two longest plans that a server takes answer each other to their end, within the limits of
one mail."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from pbm.config import Config
from pbm.core.storing import load
from pbm.rules import Position
from pbm.store.engine import Store
from tests.harness.mail import Mail
from tests.harness.mail_room import PASSWORD, SERVER, Room
from tools.populations.random_trees import read_turn, take_turn


def _line(position: Position, most: int) -> Iterator[tuple[int, str]]:
    """A game of random turns: who plays what."""
    dice = random.Random(11)
    for _ in range(most):
        if position.outcome is not None:
            return
        (seat,) = position.to_move
        text, position = take_turn(position, seat, dice)
        yield seat, text


def _write(turns: list[tuple[int, str]], seat: int) -> str:
    """One branch of a plan, on a line for each answer."""
    words = [f"{'then' if who == seat else 'if'} {text}" for who, text in turns]
    pairs = zip(words[::2], words[1::2], strict=False)
    return "\r\n    ".join(f"{question} {answer}" for question, answer in pairs)


def _mail(who: str, subject: str, body: str) -> bytes:
    head = (
        f"From: {who}@example.org",
        f"To: {SERVER}",
        f"Subject: {subject}",
        f"Message-ID: <{who}@example.org>",
    )
    return "\r\n".join([*head, "", body, ""]).encode()


@pytest.mark.parametrize("game", ["chess", "connect6", "oware"])
def test_they_run_to_their_end(game: str, sqlite_store: Store) -> None:
    room = Room(sqlite_store)
    most = Config().limits.plan_moves
    with room.tried() as session:
        for name in ("ann", "bob"):
            room.player(session, name)
        room.says(session, f"{game} challenge ann bob", "ann@example.org", vouched=True)
        start = load(session, 1).position
        (first, opening), *line = _line(start, most + 1)
        owner, other = ("ann", "bob")[first], ("ann", "bob")[1 - first]
        plan = _write([(first, opening), *line][:most], 1 - first)
        raw = _mail(other, f"{game} plan 1 {other} {PASSWORD}", plan)
        (shown,) = room.takes(session, raw, f"{other}@example.org")
        assert "Your plan, which only you can see:" in Mail(other, shown["message"]).text
        raw = _mail(owner, f"{game} move 1 {owner} {PASSWORD} {opening}", _write(line, first))
        sent = room.takes(session, raw, f"{owner}@example.org")
        assert sorted(row["recipient"] for row in sent) == ["ann@example.org", "bob@example.org"]
        end = start
        for seat, text in [(first, opening), *line]:
            for move in read_turn(end, seat, text):
                end = end.play(seat, move)
        board = load(session, 1)
        is_played = board.position.encode() == end.encode()
        assert is_played, f"move {board.ply} of {len(line) + 1}"
        assert [seat.plan for seat in board.seats] == [None, None]
