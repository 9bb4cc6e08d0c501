"""Whole games in which something is hidden, by mail: what leaves the server is searched for what
its reader must not know, and when the board is over everything is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import pytest

from pbm.core import fsck
from pbm.features.records.importing import check_record, store_record
from pbm.features.records.record import parse_record
from pbm.games import get_game
from pbm.games.darkchess import DarkPosition
from pbm.mail.render import shorten
from pbm.rules import Position
from tests.games.darkchesses import sight
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

PEOPLE = ("ann", "bob")
READERS = (*PEOPLE, "carl")
NORTH = ("a1-a4", "c1-c3", "e7-e8")
SOUTH = ("h5-h8", "f6-f8", "b7-c7")


def begun(talk: Conversation, game: str, options: str) -> list[Mail]:
    """A board of ann and bob that carl watches."""
    talk.signup(*READERS)
    mails = talk.challenge(game, *PEOPLE, options=options)
    talk.mails("carl", f"{game} watch 1 carl {talk.password('carl')}")
    talk.any_mail("carl")
    return mails


def seas(mail: Mail) -> tuple[str, str]:
    """The left and the right sea of a mail."""
    rows = re.findall(r"^ +[0-9]+ ([^a-z\n]{3}.*?) [0-9]+ +[0-9]+ (.*?) [0-9]+$", mail.text, re.M)
    return "".join(left for left, _ in rows), "".join(right for _, right in rows)


def unread(talk: Conversation, who: str) -> list[Mail]:
    """The mails that somebody has not read."""
    return [talk.any_mail(who) for _ in range(talk.waiting(who))]


def asked(talk: Conversation, commands: Sequence[str]) -> None:
    """Everybody asks for all that a board tells."""
    for command in commands:
        for who in READERS:
            talk.mails(who, command.format(who=who, password=talk.password(who)))


EVERYTHING = (
    "battleship show 1",
    "battleship show 1#2",
    "battleship showas {who} {password} 1",
    "battleship export 1",
    "battleship preview 1 b7",
    "list",
    "battleship games",
    "battleship move 1 {who} {password} a0",
    "battleship move 1 {who} {password} d4-g4",
)


SHOTS = ("h5", "b7", "a8", "c7", "h6", "h7", "h8", "f6", "f7", "f8")
ANSWERS = ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2")


@pytest.mark.postgresql
def test_a_whole_game_of_battleship(talk: Conversation) -> None:
    """bob's ships are in no mail to ann before the end, ann's in none to bob, and carl, who
    watches, learns of neither."""
    first = begun(talk, "battleship", "-fleet=short -size=8")
    got: dict[str, list[Mail]] = {who: [] for who in READERS}

    def told() -> None:
        for who in READERS:
            got[who] += unread(talk, who)

    def does(who: str, command: str) -> None:
        verb, _, text = command.partition(" ")
        talk.mails(who, f"battleship {verb} 1 {who} {talk.password(who)} {text}")
        told()

    talk.replies(first[1], f"{' '.join(SOUTH)}\n\nMy fleet is at sea.")
    told()
    words = "bob played battleship (hidden), cruiser (hidden), destroyer (hidden)"
    assert got["ann"][-1].subject == shorten(f"[battleship 1] your move (1), {words}")
    does("ann", f"move {NORTH[0]}")
    does("ann", f"submit {NORTH[1]}")
    talk.replies(got["ann"][-1], f"{NORTH[1]} {NORTH[2]}")
    told()
    words = "ann played battleship (hidden), cruiser (hidden), destroyer (hidden)"
    assert got["bob"][-1].subject == shorten(f"[battleship 1] ann to move (2), {words}")
    asked(talk, EVERYTHING)
    does("bob", f"queue {ANSWERS[0]}")
    talk.passes(days=8)
    told()
    for aim, answer in zip(SHOTS, (*ANSWERS, ""), strict=True):
        does("ann", f"submit {aim}")
        before, shown = (seas(mail)[1] for mail in got["ann"][-2:])
        assert [shown.count(sign) for sign in "Xo"] == [before.count(sign) for sign in "Xo"]
        assert "hidden until it is played" in " ".join(got["ann"][-1].text.split())
        does("ann", f"move {aim}")
        if answer not in ("", ANSWERS[0]):
            does("bob", f"move {answer}")
    _check_secrecy(got)
    asked(talk, ("battleship show 1", "battleship export 1"))
    _check_end(talk)


def _check_secrecy(got: dict[str, list[Mail]]) -> None:
    """Before the last mail to each, ships of others are nowhere."""
    secrets = {"ann": SOUTH, "bob": NORTH, "carl": (*NORTH, *SOUTH)}
    for who, places in secrets.items():
        assert len(got[who]) > 15
        for mail in got[who][:-1]:
            raw = mail.raw.decode("ascii") + mail.text
            assert not any(place in raw for place in places), mail
            left, right = seas(mail)
            assert "#" not in right, mail
            assert "#" not in left or who != "carl", mail
        assert who == "carl" or any("#" in seas(mail)[0] for mail in got[who][:-1])
        assert "#" in "".join(seas(got[who][-1]))


def _check_import(talk: Conversation, record: dict[str, Any]) -> None:
    """A record is complete: it replays to the same position, as this server keeps it."""
    with talk.server.store.writing() as session:
        store_record(session, check_record(record))
        assert list(fsck.find_differences(session)) == []
    assert "-" not in {move["words"] for move in record["moves"]}


def _check_end(talk: Conversation) -> None:
    """Both fleets are shown to everybody, and the record is whole and can be played again."""
    for who in READERS:
        shown, record = unread(talk, who)
        assert "battleship a1-a4" in shown.text
        left, right = seas(shown)
        assert left.count("#") + left.count("X") == right.count("X") + right.count("#") == 9
        told = parse_record(record.text)
        _check_import(talk, told)
        assert told["view"] == "full"
        placed = [move["move"] for move in told["moves"][:6]]
        assert sorted(placed) == sorted((*NORTH, *SOUTH))


WHITE = ("e4", "exd5", "Nc3", "Be2", "Nf3", "Qxe2", "Qe5", "Qxe7", "Qxd8")
BLACK = ("d5", "Qxd5", "Qe5+", "Kd8", "Qxe2", "Bg4", "Nc6", "b6")
ASKED = (
    "darkchess show 1",
    "darkchess show 1#3",
    "darkchess showas {who} {password} 1",
    "darkchess export 1",
    "darkchess preview 1 e5",
    "darkchess games",
    "darkchess move 1 {who} {password} e8e1",
    "darkchess submit 1 {who} {password} Qd3",
)


def test_a_whole_game_of_dark_chess(talk: Conversation) -> None:
    """Every board in every mail is the one that python-chess finds its reader may see, and no mail
    says what the other side moved before the end."""
    latest = begun(talk, "darkchess", "")
    got: dict[str, list[Mail]] = {"ann": [latest[0]], "bob": [latest[1]], "carl": []}
    position, log = get_game("darkchess").setup(), list[tuple[int, str]]()
    positions = [position]
    for number, typed in enumerate(turns(WHITE, BLACK)):
        seat, who = number % 2, PEOPLE[number % 2]
        move, _ = position.parse(typed, seat)
        position = position.play(seat, move)
        log.append((seat, move))
        positions.append(position)
        asking = [
            mail
            for mail in got[who]
            if re.search("your move .*(played|moved|draw)|new board", mail.subject)
        ]
        talk.replies(asking[-1], typed)
        for reader in READERS:
            got[reader] += unread(talk, reader)
        if number == 8:
            asked(talk, ASKED)
            for proposer, verb in (("ann", "propose"), ("bob", "reject")):
                talk.mails(proposer, f"darkchess {verb} 1 {proposer} {talk.password(proposer)}")
            talk.passes(days=8)
            for reader in READERS:
                got[reader] += unread(talk, reader)
    for reader, viewer in zip(READERS, (0, 1, None), strict=True):
        assert len(got[reader]) > 20
        for mail in got[reader][:-1]:
            _check_fog(mail, reader, viewer, positions, log)
    asked(talk, ("darkchess show 1", "darkchess export 1"))
    for who in READERS:
        assert "white has taken the king" in got[who][-1].text.replace("ann has", "white has")
        assert "?" not in "".join(board_of(got[who][-1]))
        shown, record = unread(talk, who)
        assert board_of(shown) == board_of(got[who][-1])
        for typed in (*WHITE, *BLACK):
            assert re.search(rf" {re.escape(typed.rstrip('+'))}( |$)", shown.text, re.MULTILINE)
        told = parse_record(record.text)
        assert (told["view"], told["moves"][3]["move"]) == ("full", "d8d5")
        assert '[Variant "Fog of War"]' in record.text
    _check_import(talk, told)


def turns(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """Moves of two sides in their order."""
    return [move for pair in zip_longest(one, other) for move in pair if move]


def board_of(mail: Mail) -> list[str]:
    """The signs of the board in a mail, a1 first; none where it has no board."""
    found = re.findall(r"^ +([1-8]) ([ \[].{16}) \1$", mail.text, re.MULTILINE)
    return [sign for _, row in reversed(found[:8]) for sign in row[1:16:2]]


def _check_fog(
    mail: Mail,
    reader: str,
    viewer: int | None,
    positions: Sequence[Position],
    log: Sequence[tuple[int, str]],
) -> None:
    """Nothing in a mail tells its reader what the other side does."""
    raw = mail.raw.decode("ascii") + mail.text
    raw = re.sub(r"-[0-9a-z]{16}@", "@", raw)  # a reply address has letters at random
    for seat, move in log:
        assert seat == viewer or move not in raw, mail
    for line in re.findall(r"^ *[0-9]+ (?:ann|bob) .*$", mail.text, re.MULTILINE):
        _, who, *words = line.split()
        assert who == reader or words[0] == "-", mail  # and the time, which is no secret
    assert not re.search(rf"(?!{reader})\b(ann|bob) played (?!-)", raw), mail
    board = board_of(mail)
    if not board:
        return
    assert len(board) == 64, mail
    position = positions[int(mail.fact("Ply"))]
    assert isinstance(position, DarkPosition)
    seated = re.search(rf"^  {reader} +(white|black) +you", mail.text, re.MULTILINE)
    known = sight(position, viewer) if seated and viewer is not None else set()
    for cell, sign in enumerate(board):
        truth = position.board[cell]
        if cell in known and sign not in "?#":
            assert sign == truth or (truth == "." and sign == ":"), (cell, mail)
        else:
            assert sign in "?#", (cell, mail)
