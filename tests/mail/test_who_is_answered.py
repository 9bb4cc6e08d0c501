"""Whom the server answers and how often: machines never, robots a few times, and only at addresses
that belong to who sent the command."""

from __future__ import annotations

import hashlib

import pytest
from sqlalchemy import select

from pbm.config import Config, Server
from pbm.core.notices import Refused
from pbm.store.engine import Store
from pbm.store.tables import inbound
from pbm.store.transaction import Session
from tests.harness.databases import all_rows
from tests.harness.mail import mail
from tests.harness.mail_room import PASSWORD, SERVER, Room

MOVE = "b1,c1,d1,d2"


def token_address(room: Room, ply: int = 1) -> str:
    return SERVER.replace("@", f"+{room.secrets.make_board_token(1, 0, ply, 0, room.hash)}@")


HARD = (
    ("Auto-Submitted: auto-replied",),
    ("Return-Path: <>",),
    ("X-Autoreply: yes",),
    ("Precedence: auto_reply",),
)
SOFT = (
    ("Precedence: bulk",),
    ("List-Id: <x.example.org>",),
    ("X-Auto-Response-Suppress: All",),
)


@pytest.mark.parametrize("headers", HARD)
def test_hard_marks_nothing_runs(room: Room, headers: tuple[str, ...]) -> None:
    subject = f"cradle move 1 ann {PASSWORD} {MOVE}"
    raw = mail("", sender="ann@example.org", subject=subject, headers=headers)
    with room.tried() as session:
        assert room.takes(session, raw, "ann@example.org") == []
        assert room.played(session) == []
        assert room.last.state == "done"
        assert room.last.outcome.startswith("a machine")


@pytest.mark.parametrize("headers", SOFT)
def test_soft_marks_a_right_command_runs_and_errors_stay_unsent(
    room: Room, headers: tuple[str, ...]
) -> None:
    for subject, played, told in (
        (f"cradle move 1 ann {PASSWORD} {MOVE}", [MOVE], 2),
        (f"cradle move 1 ann {PASSWORD} z9", [], 0),
        (f"cradle move 1 ann wrong-{PASSWORD} {MOVE}", [], 0),
        ("hello there", [], 0),
        ("help", [], 0),
    ):
        raw = mail("", sender="ann@example.org", subject=subject, headers=headers)
        with room.tried() as session:
            assert len(room.takes(session, raw, "ann@example.org")) == told, subject
            assert room.played(session) == played


def test_from_is_compared_without_case(room: Room) -> None:
    raw = mail(MOVE, sender="Ann <ANN@Example.ORG>")
    with room.tried() as session:
        sent = room.takes(session, raw, "ann@example.org", token_address(room))
        assert sorted(row["recipient"] for row in sent) == ["ann@example.org", "bob@example.org"]
        assert room.played(session) == [MOVE]


def test_answers_go_to_no_other_address_of_the_mail(room: Room) -> None:
    headers = (
        "Reply-To: eve@example.net",
        "Sender: eve@example.net",
        "Errors-To: eve@example.net",
        "Return-Receipt-To: eve@example.net",
        "Disposition-Notification-To: eve@example.net",
        "Cc: eve@example.net",
        "Resent-From: eve@example.net",
        "X-Original-From: eve@example.net",
    )
    for subject in (
        f"cradle move 1 ann {PASSWORD} {MOVE}",
        "hello",
        f"cradle move 1 ann {PASSWORD} z9",
    ):
        raw = mail("", sender="ann@example.org", subject=subject, headers=headers)
        with room.tried() as session:
            sent = room.takes(session, raw, "eve@example.net")
            told = {row["recipient"] for row in sent}
            assert told
            assert told <= {"ann@example.org", "bob@example.org"}


def test_the_answer_goes_to_the_player_whose_password_was_right(room: Room) -> None:
    raw = mail("", sender="eve@example.net", subject=f"cradle move 1 ann {PASSWORD} {MOVE}")
    with room.tried() as session:
        sent = room.takes(session, raw, "eve@example.net")
        assert sorted(row["recipient"] for row in sent) == ["ann@example.org", "bob@example.org"]


@pytest.mark.parametrize(
    "second", ["From: ann@example.org", "From : ann@example.org", "FROM: eve@example.net"]
)
def test_two_authors_are_nobody(room: Room, second: str) -> None:
    raw = mail(
        "",
        sender="eve@example.net",
        subject=f"cradle move 1 ann {PASSWORD} {MOVE}",
        headers=(second,),
    )
    with room.tried() as session:
        assert room.takes(session, raw, "eve@example.net") == []
        assert room.played(session) == []


def test_no_answer_quotes_what_came_in(room: Room) -> None:
    for known in ("ann@example.org", "eve@example.net"):
        raw = mail("Buy my watches", sender=known, subject="Dear friend")
        with room.tried() as session:
            for row in room.takes(session, raw, known):
                assert b"watches" not in row["message"]
                assert b"friend" not in row["message"]
                assert len(row["message"]) < 4000


def test_one_mail_a_day_to_a_stranger_whatever_it_sends(room: Room) -> None:
    with room.tried() as session:
        sent = []
        for subject in ("hello", "help", "list", f"cradle move 1 ann wrong {MOVE}", "x", "set"):
            raw = mail("", sender="eve@example.net", subject=subject)
            sent += room.takes(session, raw, "eve@example.net")
        assert [row["recipient"] for row in sent] == ["eve@example.net"]


def robot(room: Room, session: Session, text: str, rounds: int, *, tokens: bool) -> int:
    """Ann's mail program answers every mail of ours to her with that text, and nothing marks its
    mails; how many mails we write to her."""
    told = 0
    raw = mail(text.replace("@", "0"), sender="ann@example.org")
    recipient = SERVER
    for count in range(1, rounds):
        sent = [
            row
            for row in room.takes(session, raw, "ann@example.org", recipient)
            if row["recipient"] == "ann@example.org"
        ]
        if not sent:
            return told
        told += len(sent)
        message = sent[0]["message"].decode()
        head = dict(
            line.split(": ", 1)
            for line in message.split("\r\n\r\n")[0].split("\r\n")
            if ": " in line
        )
        recipient = head["Reply-To"] if tokens else SERVER
        raw = mail(
            text.replace("@", str(count)),
            sender="ann@example.org",
            subject=f"Re: {head['Subject']}",
            headers=(f"In-Reply-To: {head['Message-ID']}",),
        )
    return told


@pytest.mark.parametrize("tokens", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "I am travelling and will read your mail when I am back.",
        "Thank you for writing to us. Your request was received and has the number @ in our books.",
        "a1",
        "",
    ],
)
def test_a_robot_gets_three_answers_at_most(room: Room, text: str, tokens: bool) -> None:
    """Besides the one to its first mail, which answers nothing. Where it does not prove to be
    somebody's, what its address may get a day is all."""
    most = 1 + 3 if tokens else 10
    with room.tried() as session:
        assert 1 <= robot(room, session, text, 30, tokens=tokens) <= most


def test_a_person_may_err_more_often(room: Room) -> None:
    """Different wrong moves are all answered, and so is a command sent anew."""
    with room.tried() as session:
        for number in range(8):
            raw = mail(f"a{number},b{number}", sender="ann@example.org")
            assert len(room.takes(session, raw, "ann@example.org", token_address(room))) == 1
        for _ in range(8):
            raw = mail("", sender="ann@example.org", subject=f"cradle move 1 ann {PASSWORD} z9")
            assert len(room.takes(session, raw, "ann@example.org")) == 1


def test_two_servers_of_ours_do_not_talk(room: Room, sqlite_template: object) -> None:
    """Each is a player at the other one: what one sends, the other drops."""
    other = "pbm@other.example"
    with room.tried() as session:
        room.player(session, "carl", other)
        told = room.says(session, "cradle challenge carl ann", "ann@example.org", vouched=True)
        assert any(other in notice.addresses for notice in told)
        raw = mail("", sender="ann@example.org", subject="cradle challenge carl bob")
        (to_other,) = (
            row
            for row in room.takes(session, raw, "ann@example.org", room.proves(1))
            if row["recipient"] == other
        )
        ours = to_other["message"].replace(SERVER.encode(), other.encode())
        for recipient in (SERVER, token_address(room)):
            assert room.takes(session, ours, to_other["envelope_from"], recipient) == []
            assert room.last.outcome.startswith("a machine")
        own = mail("help", sender=f"pbm <{SERVER}>", subject="help")
        assert room.takes(session, own, SERVER) == []
        assert room.last.outcome == "our own address"


def test_what_costs_too_much_is_set_aside(room: Room) -> None:
    """Whatever it says, it may hold a password: who and when is kept, and what tells it apart."""
    raw = mail(
        "set ann orchard7",
        sender="ann@example.org",
        subject="set ann orchard7",
        headers=("X-Y: z" * 20000,),
    )
    with room.tried() as session:
        assert room.takes(session, raw, "ann@example.org") == []
        assert room.last.state == "aside"
        assert room.last.outcome.startswith("too costly: ")
        assert b"orchard7" not in room.last.raw
        assert b"From: ann@example.org" in room.last.raw
        said = f"({len(raw)} bytes, SHA-256 {hashlib.sha256(raw).hexdigest()})"
        assert said.encode() in room.last.raw
        again = all_rows(session, select(inbound).where(inbound.c.state == "waiting"))
        assert again == []


@pytest.mark.parametrize(
    ("subject", "says"),
    [
        ("set", "preferences of ann"),
        ("set broadcasts=no", "broadcasts=no"),
        ("cradle unwatch 2", "no more mails"),
    ],
)
def test_the_ways_to_fewer_mails_work_without_a_password(
    room: Room, subject: str, says: str
) -> None:
    """What List-Unsubscribe has a mail program send: from the player's own address it is done,
    from elsewhere it is not."""
    recipient = SERVER.replace("@", f"+{room.secrets.make_player_token(1, room.hash, room.now)}@")
    with room.tried() as session:
        room.player(session, "carl")
        room.says(session, "cradle challenge bob carl", "bob@example.org", vouched=True)
        room.says(session, f"cradle watch 2 ann {PASSWORD}", "ann@example.org")
        raw = mail("", sender="eve@example.net", subject=subject)
        for row in room.takes(session, raw, "eve@example.net", recipient):
            assert row["recipient"] == "eve@example.net"
            assert says.encode() not in row["message"]
        raw = mail("", sender="ann@example.org", subject=subject)
        (row,) = room.takes(session, raw, "ann@example.org", recipient)
        assert row["recipient"] == "ann@example.org"
        assert says.encode() in row["message"], row["message"]


@pytest.mark.parametrize("userid", ["Parlour", "level7"])
def test_the_local_part_of_the_servers_address_is_no_userid(
    sqlite_store: Store, userid: str
) -> None:
    room = Room(sqlite_store, Config(server=Server("parlour@games.example")))
    with room.tried() as session:
        (answer,) = room.says(session, f"signup {userid} Sesame-eve", "eve@example.org")
        assert isinstance(answer.content, Refused)
        assert answer.content.reason == "this userid is taken: choose another"


def test_what_is_kept_of_a_mail_tells_no_hidden_move(room: Room) -> None:
    """Nor what is queued or submitted on any board, though the move's writer reads all of it."""
    with room.kept() as session:
        room.says(
            session,
            "battleship challenge ann bob -fleet=short -size=8",
            "ann@example.org",
            vouched=True,
        )
    ships = ("a2-a5", "c1-c3", "e7-e8")
    lines = [
        f"battleship move 2 ann {PASSWORD} {' '.join(ships)}",
        f"battleship move 2 bob {PASSWORD} h5-h9",
        f"cradle queue 1 bob {PASSWORD} d3,d4,e4,f4",
        f"cradle submit 1 ann {PASSWORD} {MOVE}",
        f"cradle submit 1 ann {PASSWORD} z1,z2",
        f"cradle move 1 ann {PASSWORD} {MOVE}",
    ]
    raw = mail(*lines, sender="ann@example.org", subject="multiple")
    with room.tried() as session:
        rows = room.takes(session, raw, "ann@example.org")
        transcript = b"".join(row["message"] for row in rows if b"of 6 done" in row["message"])
        outcome = room.last.outcome
    for hidden in (*ships, "h5", "h9", "d3,d4", "z1"):
        assert hidden not in outcome, outcome
    assert outcome.count("done: ") == 4
    assert outcome.count(MOVE) == 1
    for named in ("battleship move 2 ann", "cradle queue 1 bob", "cradle submit 1 ann"):
        assert f"done: {named} ******** ..." in outcome
    for shown in (b"a2-a5", b"d3,d4"):
        assert shown in transcript
