"""Plans where more than one comes between, where dice decide, and where moves are sealed."""

from __future__ import annotations

import re
from itertools import combinations_with_replacement

from pbm.core.storing import load
from pbm.rules import CHANCE, Position
from pbm.rules.turn_text import turn_text
from pbm.store import reads
from pbm.store.tables import MoveRow
from tests.harness.conversation import Conversation

_FOUR = ("ann", "bob", "carl", "dora")


def _position(talk: Conversation) -> Position:
    with talk.server.store.reading() as session:
        return load(session, 1).position


def _log(talk: Conversation) -> list[MoveRow]:
    with talk.server.store.reading() as session:
        return list(reads.find_log(session, 1))


def _turn(position: Position, seat: int, which: int = 0) -> list[str]:
    """The first (or last) legal moves of a seat until its turn is over."""
    turn, moves = position.turn, list[str]()
    while position.turn == turn and seat in position.to_move:
        moves.append(position.legal_moves(seat)[which])
        position = position.play(seat, moves[-1])
    return moves


def _text(position: Position, seat: int, which: int = 0) -> str:
    return turn_text(position, seat, _turn(position, seat, which))


def _after(position: Position, seat: int, which: int = 0) -> Position:
    for move in _turn(position, seat, which):
        position = position.play(seat, move)
    return position


def test_an_if_for_each_of_four(talk: Conversation) -> None:
    """Three turns come before the owner's; two branches differ in the third of them."""
    talk.signup(*_FOUR)
    latest = talk.challenge("spacecradles", *_FOUR)
    position, seats, turns = _position(talk), list[int](), list[str]()
    for _ in range(3):
        before = position
        seats.append(min(position.to_move))
        turns.append(_text(position, seats[-1]))
        position = _after(position, seats[-1])
    (owner,) = position.to_move
    first, second, third = turns
    answer = _text(position, owner)
    other, reply = _text(before, seats[-1], -1), _text(_after(before, seats[-1], -1), owner, -1)
    plan = f"if {first} if {second} if {third} then {answer}"
    talk.replies(latest[owner], f"{plan}\nif {first} if {second} if {other} then {reply}")
    shown = talk.receives(_FOUR[owner], "[spacecradles 1] plan")
    words = " ".join(shown.text.split())
    assert re.search(r"1 if (.+) if (.+) 1\.1 if (.+) then (.+) 1\.2 if (.+) then (.+)", words)
    talk.replies(latest[owner], f"plan\nif {first} if {second} then {answer}")
    refused = talk.any_mail(_FOUR[owner])
    assert f"it is {_FOUR[seats[-1]]}'s turn there, not yours" in " ".join(refused.text.split())
    for seat, move in zip(seats, (first, second, other), strict=True):
        talk.replies(latest[seat], move)
        latest = [talk.any_mail(who) for who in _FOUR]
    assert all("as planned." in " ".join(mail.text.split()) for mail in latest)
    with talk.server.store.reading() as session:
        assert (
            load(session, 1).position.encode()
            == _after(_after(before, seats[-1], -1), owner, -1).encode()
        )


def test_each_roll_has_its_answer(talk: Conversation) -> None:
    """Twenty-one rolls are named, and what is played is the answer to the one that came."""
    talk.signup("ann", "bob")
    talk.agreed("backgammon", "ann", "bob", options="-nocube")
    talk.everything()
    position = _position(talk)
    mover = min(position.to_move)
    who, other = ("ann", "bob")[mover], ("ann", "bob")[1 - mover]
    move, position = _text(position, mover), _after(position, mover)
    lines, answers = list[str](), dict[str, list[str]]()
    for roll in combinations_with_replacement("123456", 2):
        rolled = position
        for die in roll:
            rolled = rolled.play(CHANCE, die)
        answers["".join(roll)] = _turn(rolled, 1 - mover)
        lines.append(f"if {move} if {''.join(roll)} then {_text(rolled, 1 - mover)}")
    line = f"backgammon plan 1 {other} {talk.password(other)}"
    talk.mails(other, line, "\n".join(lines))
    talk.receives(other, "[backgammon 1] plan")
    talk.mails(who, f"backgammon move 1 {who} {talk.password(who)} {move}")
    for reader in ("ann", "bob"):
        assert "as planned." in talk.any_mail(reader).text
    log = _log(talk)
    last = max(row.number for row in log if row.kind == "move" and row.seat == mover)
    dice = [row.move for row in log if row.kind == "chance" and row.number > last][:2]
    planned = [row.move for row in log if row.kind == "move" and row.seat == 1 - mover]
    assert planned == answers["".join(sorted(dice))]


def test_a_sealed_game_answers_anything(talk: Conversation) -> None:
    """Both place their ships, and the shot goes with the plan when both have."""
    talk.signup("ann", "bob")
    latest = talk.challenge("battleship", "ann", "bob")
    position = _position(talk)
    fleets = [_text(position, seat) for seat in (0, 1)]
    talk.replies(latest[1], f"{fleets[1]}\nif {fleets[0]} then a1")
    answer = talk.any_mail("bob")
    assert "so a plan can only say `if any" in " ".join(answer.text.split())
    talk.replies(latest[1], f"{fleets[1]}\nif any then a1")
    assert "Your plan, which only you can see" in talk.any_mail("bob").text
    talk.replies(latest[0], fleets[0])
    latest = talk.everything()
    assert "for when your turn comes:\n  1  then a1\n" in latest[-1].text
    talk.replies(latest[-2], "b1")
    for who, words in (("ann", "bob played a1"), ("bob", "You played a1")):
        assert f"{words} as planned." in " ".join(talk.any_mail(who).text.split())
