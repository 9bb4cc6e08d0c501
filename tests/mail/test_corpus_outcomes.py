"""The corpus of mails from bytes to outcome: who is answered, what is executed."""

from __future__ import annotations

import re

import pytest

from tests.harness.mail import rows
from tests.harness.mail_room import PASSWORD, SERVER, Room
from tests.mail.test_corpus import DOUBTFUL, MAILS, UNMARKED, arrived, filled

MOVE = "b1,c1,d1,d2"
EXCEPTIONS = UNMARKED | DOUBTFUL


def envelopes(row: dict[str, str]) -> set[str]:
    return {row["env_from"].strip("<>"), row["from_addr"]}


def outcomes(room: Room, row: dict[str, str], *, known: bool) -> list[list[str]]:
    """Who is answered, for each envelope that the mail may have."""
    found = []
    for envelope in sorted(envelopes(row)):
        with room.tried() as session:
            if known and row["from_addr"]:
                room.player(session, "carl", row["from_addr"])
            sent = room.takes(session, arrived(row), envelope)
            assert room.last.state in ("done", "aside")
            assert len(room.played(session)) == 0
            found.append([mail["recipient"] for mail in sent])
    return found


@pytest.mark.parametrize("known", [False, True])
def test_machines_and_nobody_are_not_answered(room: Room, known: bool) -> None:
    wrong = []
    for row in MAILS:
        if row["expect"] not in ("never-reply", "ignore") or row["strength"] != "must":
            continue
        if row["file"] in EXCEPTIONS:
            continue
        told = outcomes(room, row, known=known)
        wrong += [(row["file"], names) for names in told if names]
    assert wrong == []


def test_people_are_answered_once_at_their_address(room: Room) -> None:
    wrong = []
    for row in MAILS:
        if row["expect"] == "error-reply" and row["strength"] == "must":
            told = outcomes(room, row, known=True)
            if row["file"] in EXCEPTIONS:
                continue
            wanted = [row["from_addr"].lower()]
            wrong += [(row["file"], names) for names in told if names != wanted]
    assert wrong == []


def test_strangers_are_answered_at_most_once(room: Room) -> None:
    for row in MAILS:
        told = outcomes(room, row, known=False)
        assert all(len(names) <= 1 for names in told), row["file"]
        assert all(name == row["from_addr"].lower() for names in told for name in names)


def test_a_second_mail_of_a_day_from_a_stranger_is_not_answered(room: Room) -> None:
    plain = [row for row in MAILS if row["expect"] == "error-reply" and row["kind"] == "plain"]
    assert plain
    for row in plain[:1]:
        with room.tried() as session:
            first = room.takes(session, arrived(row), row["from_addr"])
            second = room.takes(session, arrived(row), row["from_addr"])
            room.now += 86400
            third = room.takes(session, arrived(row), row["from_addr"])
        assert (len(first), len(second), len(third)) == (1, 0, 1)


RESIGN = b"cradle resign 1 ann " + PASSWORD.encode()
TRAPS = (
    b"Original text",
    b"This is just another part",
    b"The second text part.",
    b"Plain text attachment",
    b"TEST MESSAGE",
)


def trapped(row: dict[str, str], text: str) -> bytes:
    """The template with the text where the person wrote, and another command in quotes, further
    parts and attachments."""
    head, blank, body = re.split(rb"(\r?\n\r?\n)", filled(row, text), maxsplit=1)
    for words in TRAPS:
        body = body.replace(words, RESIGN)
    return head + blank + body


def check_templates(room: Room, line: str, recipient: str = SERVER) -> None:
    """In every template the line is found, executed, and answered to both players, who are no
    newcomers: a program's last line goes to the other with the move."""
    wrong = []
    room.now += 3 * 86400
    for row in rows("templates"):
        with room.tried() as session:
            room.moved(session, "ann", row["from_addr"])
            sent = room.takes(session, trapped(row, line), row["from_addr"], recipient)
            told = sorted(mail["recipient"] for mail in sent)
            if told != sorted([row["from_addr"].lower(), "bob@example.org"]):
                wrong.append((row["file"], told, room.last.outcome))
            if room.played(session) != [MOVE]:
                wrong.append((row["file"], room.played(session), room.last.outcome))
    assert wrong == []


def test_templates_with_a_full_command(room: Room) -> None:
    check_templates(room, f"cradle move 1 ann {PASSWORD} {MOVE}")


def test_templates_with_a_move_and_a_token(room: Room) -> None:
    token = room.secrets.make_board_token(1, 0, 1, 0, room.hash)
    check_templates(room, MOVE, SERVER.replace("@", f"+{token}@"))
