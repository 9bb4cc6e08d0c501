"""Whole games in which something is hidden, by mail: what leaves the server is searched for what
its reader must not know, and when the board is over everything is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from pbm.server.records import read
from tests.conversations.house import House
from tests.conversations.mail import Mail

PEOPLE = ("ann", "bob")
READERS = (*PEOPLE, "carl")
NORTH = ("a1-a4", "c1-c3", "e7-e8")
SOUTH = ("h5-h8", "f6-f8", "b7-c7")


def begun(house: House, game: str, options: str) -> list[Mail]:
    """A board of ann and bob that carl watches."""
    house.signup(*READERS)
    mails = house.challenge(game, *PEOPLE, options=options)
    house.mails("carl", f"{game} watch 1 carl {house.password('carl')}")
    house.any_mail("carl")
    return mails


def seas(mail: Mail) -> tuple[str, str]:
    """The left and the right sea of a mail."""
    rows = re.findall(r"^ +[0-9]+ ([^a-z\n]{3}.*?) [0-9]+ +[0-9]+ (.*?) [0-9]+$", mail.text, re.M)
    return "".join(left for left, _ in rows), "".join(right for _, right in rows)


def unread(house: House, who: str) -> list[Mail]:
    """The mails that somebody has not read."""
    return [house.any_mail(who) for _ in range(house.waiting(who))]


def asked(house: House, commands: Sequence[str]) -> None:
    """Everybody asks for all that a board tells."""
    for command in commands:
        for who in READERS:
            house.mails(who, command.format(who=who, password=house.password(who)))


EVERYTHING = (
    "battleship show 1", "battleship show 1#2", "battleship showas {who} {password} 1",
    "battleship export 1", "battleship preview 1 b7", "list", "battleship games",
    "battleship move 1 {who} {password} a0", "battleship move 1 {who} {password} d4-g4",
)  # fmt: skip


SHOTS = ("h5", "b7", "a8", "c7", "h6", "h7", "h8", "f6", "f7", "f8")
ANSWERS = ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2")


@pytest.mark.postgresql
def test_a_whole_game_of_battleship(house: House) -> None:
    """bob's ships are in no mail to ann before the end, ann's in none to bob, and carl, who
    watches, learns of neither."""
    first = begun(house, "battleship", "-fleet=short -size=8")
    got: dict[str, list[Mail]] = {who: [] for who in READERS}

    def told() -> None:
        for who in READERS:
            got[who] += unread(house, who)

    def does(who: str, command: str) -> None:
        verb, _, text = command.partition(" ")
        house.mails(who, f"battleship {verb} 1 {who} {house.password(who)} {text}")
        told()

    house.replies(first[1], f"{' '.join(SOUTH)}\n\nMy fleet is at sea.")
    told()
    words = "bob played battleship -, cruiser -, destroyer -"
    assert got["ann"][-1].subject == f"[battleship 1] your move (4), {words}"
    does("ann", f"move {NORTH[0]}")
    does("ann", f"submit {NORTH[1]}")
    house.replies(got["ann"][-1], f"{NORTH[1]} {NORTH[2]}")
    told()
    words = "ann played cruiser -, destroyer -"
    assert got["bob"][-1].subject == f"[battleship 1] ann to move (7), {words}"
    asked(house, EVERYTHING)
    does("bob", f"queue {ANSWERS[0]}")
    house.passes(days=8)
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
    asked(house, ("battleship show 1", "battleship export 1"))
    _check_end(house)


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


def _check_end(house: House) -> None:
    """Both fleets are shown to everybody, and the record is whole and can be played again."""
    for who in READERS:
        shown, record = unread(house, who)
        assert "battleship a1-a4" in shown.text
        left, right = seas(shown)
        assert left.count("#") + left.count("X") == right.count("X") + right.count("#") == 9
        told = read(record.text)
        assert told["view"] == "full"
        placed = [move["move"] for move in told["moves"][:6]]
        assert sorted(placed) == sorted((*NORTH, *SOUTH))
