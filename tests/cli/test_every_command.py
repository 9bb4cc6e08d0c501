"""Every command there is, once, through click against a real database of each kind.

The table is held against the tables of the program: a command without a line here fails."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import select, update

from pbm.cli.table import ADMIN, COMMANDS
from pbm.core.feature import list_verbs
from pbm.core.player import find_player
from pbm.core.trust import hold
from pbm.store.engine import Store
from pbm.store.tables import inbound, outbound
from tests.cli.test_signups import wait_for_approval
from tests.harness.databases import Cluster
from tests.harness.shell import MOVES, SERVER, Shell

_CODE = re.compile(r"\b[a-z2-9]{4}(?:-[a-z2-9]{4}){2}\b")
_MAIL = "From: ann@example.org\nSubject: list\nMessage-ID: <1@example.org>\n\nx\n"
_WHY = ("--yes", "--reason", "because")
_NEW = {"PBM_NEW_PASSWORD": "brandnew1"}


class Step(NamedTuple):
    """A command line, who types it, what it must end with and say at its beginning. `name` is that
    of the verb, with GAME before it where it needs one."""

    name: str
    line: str
    who: str = ""
    says: str = "["
    stdin: str | None = None


_PLAYED = (
    Step("signup", "signup ann ann@example.org", "ann"),
    Step("signup", "signup bob bob@example.org", "bob"),
    Step("signup", "signup cat cat@example.org", "cat"),
    Step("add", "add ann anna@example.org", "ann"),
    Step("remove", "remove ann anna@example.org", "ann"),
    Step("forgot", "forgot bob", says="[pbm] a code"),
    Step("set", "set ann own=yes", "ann"),
    Step("vacation", "vacation ann", "ann"),
    Step("help", "help tutorial"),
    Step("list", "list"),
    Step("games", "games"),
    Step("search", "search connection"),
    Step("players", "players"),
    Step("who", "who ann"),
    Step("stats", "stats ann bob"),
    Step("mine", "mine ann", "ann"),
    Step("mydata", "mydata ann", "ann", "[pbm] what is kept about ann"),
    Step("report", "report ann bob", "ann", "[pbm] your report about bob", stdin="He cheats.\n"),
    Step("block", "block ann bob", "ann"),
    Step("unblock", "unblock ann bob", "ann"),
    Step("all show", "all show ann"),
    Step("rating", "rating ann"),
    Step("message", "message ann bob", "ann", stdin="hello\n"),
    Step("broadcast", "broadcast ann --body hello", "ann"),
    Step("event new", "event new roundrobin hex ann --name=Spring cup", "ann"),
    Step("events", "events", says="[pbm] events\n\nOpen to enter:\n   1  Spring cup: round robin"),
    Step("event enter", "event enter 1 ann", "ann", "[event 1] you have entered Spring cup"),
    Step("event enter", "event enter 1 bob", "bob"),
    Step("event leave", "event leave 1 bob", "bob", "[event 1] you have left Spring cup"),
    Step("event show", "event show 1", says="[event 1] Spring cup"),
    Step("event standings", "event standings 1"),
    Step("event pairings", "event pairings 1"),
    Step("event why", "event why 1 ann"),
    Step("event calendar", "event calendar 1"),
    Step("event record", "event record 1"),
    Step("GAME challenge", "cradle challenge ann bob", says="[cradle 1]"),
    Step("GAME show", "show cradle 1", says="[cradle 1] ann - bob\n\nIt is ann's turn (1)."),
    Step(
        "GAME showas", "showas cradle ann 1", "ann", "[cradle 1] ann - bob\n\nIt is your move (1)."
    ),
    Step("GAME preview", f"preview cradle 1 {MOVES[0]}", says="[cradle 1] preview"),
    Step(
        "GAME submit",
        f"submit cradle 1 ann {MOVES[0]}",
        "ann",
        "[cradle 1] ann - bob\n\nPreview: the board after",
    ),
    Step("GAME confirm", "confirm cradle 1 ann", "ann", "[cradle 1] ann - bob\n\nYou played"),
    Step(
        "GAME queue",
        f"queue cradle 1 ann {MOVES[2]}",
        "ann",
        f"[cradle 1] ann - bob\n\n{MOVES[2]} will be played",
    ),
    Step("GAME plan", "plan cradle 1 ann", "ann", "[cradle 1] ann - bob\n\nYour plan"),
    Step("GAME note", "note cradle 1 ann A remark.", "ann", "[cradle 1] ann - bob\n\nYour notes"),
    Step(
        "GAME variations", "variations cradle 1 ann", "ann", "[cradle 1] ann - bob\n\nYou keep no"
    ),
    Step("puzzle", "cradle puzzle ann easy", "ann", "[pbm] cradle puzzle 1, easy"),
    Step("puzzle", "puzzle 1 ann solution", "ann", "[pbm] cradle puzzle 1: the solution"),
    Step(
        "GAME move",
        f"move cradle 1 bob {MOVES[1]}",
        "bob",
        "[cradle 1] ann - bob\n\nYour move in 21 days: you played",
    ),
    Step("GAME chat", "chat cradle 1 ann hello", "ann"),
    Step("watch best", "watch best cat", "cat"),
    Step("GAME watch", "watch cradle 1 cat", "cat"),
    Step("GAME unwatch", "unwatch cradle 1 cat", "cat"),
    Step("GAME time", "time cradle 1 ann 3", "ann", "[cradle 1] ann - bob\n\nYou gave bob 3"),
    Step("GAME pause", "pause cradle 1 ann until monday", "ann"),
    Step("GAME reject", "reject cradle 1 bob", "bob"),
    Step("GAME propose", "propose cradle 1 ann", "ann"),
    Step("GAME reject", "reject cradle 1 bob", "bob"),
    Step("GAME undo", "undo cradle 1 ann", "ann"),
    Step("GAME accept", "accept cradle 1 bob", "bob", "[cradle 1] ann - bob\n\nBack to"),
    Step("GAME cancel", "cancel cradle 1 ann", "ann"),
    Step(
        "GAME resign",
        "resign cradle 1 ann",
        "ann",
        "[cradle 1] ann - bob\n\nYou resigned. bob won (2).",
    ),
    Step(
        "GAME analyse", "analyse cradle 1 ann", "ann", "[cradle 1] ann - bob\n\nThe end of board 1"
    ),
    Step("GAME rematch", "rematch cradle 1 ann", "ann", "[cradle 2]"),
    Step(
        "GAME decline",
        "decline cradle 2 ann",
        "ann",
        "[cradle 2] bob - ann\n\nYou declined. The game is cancelled.",
    ),
    Step("GAME games", "games cradle ann all"),
    Step("GAME history", "history cradle"),
    Step("GAME ratings", "ratings cradle"),
    Step("GAME standings", "standings cradle"),
    Step("GAME export", "export cradle 1"),
    Step("find", "find cradle ann"),
    Step("openings", "openings cradle"),
    Step("GAME challenge", "challenge go ann bob -size=9", says="[go 3]"),
    Step("GAME pass", "pass go 3 ann", "ann", "[go 3] ann - bob\n\nYou passed."),
    Step("GAME challenge", "challenge hex ann bob", says="[hex 4]"),
    Step("GAME move", "hex move 4 ann a1", "ann"),
    Step("GAME swap", "swap hex 4 bob", "bob", "[hex 4]"),
    Step("GAME seek", "seek cradle ann", "ann"),
    Step("seeks", "seeks"),
    Step("join", "join 1 bob", "bob", "[cradle 5]"),
    Step("GAME challenge", "challenge cradle bob cat", says="[cradle 6]"),
    Step("change address", "change address cat kitty@example.org", "cat"),
    Step("signoff", "signoff cat", "cat"),
    Step("confirm", "confirm CODE"),
    Step("erase", "erase bob", "bob", "[pbm] erase your account?"),
    Step("change password", "change password bob", "bob"),
)

_OPERATED = (
    Step("boards", "boards --overdue"),
    Step("board", "board 1"),
    Step("players", "players --search ann"),
    Step("player", "player ann"),
    Step("mails", "mails --board 1 --limit 5"),
    Step("mail", "mail out:1"),
    Step("moves", "moves --board 1"),
    Step("ratings", "ratings --game cradle"),
    Step("clubs", "clubs"),
    Step("audit", "audit"),
    Step("limits", "limits"),
    Step("messages-of-the-day", "messages-of-the-day"),
    Step("bans", "bans"),
    Step("held", "held"),
    Step("stats", "stats --days 3"),
    Step("top", "top --once"),
    Step("deliverability", "deliverability --days 3"),
    Step("sql", "sql SELECT_count(*)_AS_n_FROM_boards"),
    Step("check", "check"),
    Step("db", "db status"),
    Step("keys", "keys list"),
)

_ACTED = (
    Step("drop", "drop out:1"),
    Step("retry", "retry out:1"),
    Step("release", "release in:1"),
    Step("deliver", "deliver 1", says="done; mailed to bob@example.org"),
    Step("discard", "discard 2"),
    Step("reset-password", "reset-password bob", says="done; mailed to bob@example.org"),
    Step("set-address", "set-address bob bob@example.org", says="done; mailed to bob@example.org"),
    Step("suspend", "suspend bob", says="done; mailed to bob@example.org"),
    Step("unsuspend", "unsuspend bob", says="done; mailed to bob@example.org"),
    Step("suspend", "suspend ann@example.org"),
    Step("unsuspend", "unsuspend ann@example.org"),
    Step("ban", "ban @spam.example"),
    Step("unban", "unban @spam.example"),
    Step("invite", "invite kim@example.org"),
    Step("answer", "answer ann", says="done; mailed to ann@example.org"),
    Step("silence", "silence ann 7", says="done; mailed to ann@example.org"),
    Step("unsilence", "unsilence ann", says="done; mailed to ann@example.org"),
    Step("undo", "undo LAST", says="done; mailed to ann@example.org"),
    Step("moderator", "moderator add ann", says="done; mailed to ann@example.org"),
    Step("maker", "maker add ann", says="done; mailed to ann@example.org"),
    Step("message-of-the-day", "message-of-the-day set The server moves."),
    Step("message-of-the-day", "message-of-the-day clear"),
    Step("approve", "approve ida"),
    Step("deny", "deny uma"),
    Step("rollback", "rollback 1 0", says="done; mailed to ann@example.org, bob@example.org"),
    Step("master", "master 1 extend 3", says="done; mailed to ann@example.org, bob@example.org"),
    Step("adjudicate", "adjudicate 1 1,1", says="done; mailed to ann@example.org, bob@example.org"),
    Step("cancel", "cancel 5", says="done; mailed to "),
    Step("reopen", "reopen 5", says="done; mailed to "),
    Step("event", "event add 1 bob", says="done; mailed to bob@example.org"),
    Step("event", "event remove 1 bob", says="done; mailed to bob@example.org"),
    Step("event", "event cancel 1", says="done; mailed to ann@example.org"),
    Step("announce", "announce hello --body again", says="done; mailed to "),
    Step("import", "import RECORD"),
    Step("resend", "resend out:SENT"),
    Step("rename", "rename bob robert", says="done; mailed to bob@example.org"),
    Step("merge", "merge cat robert", says="done; mailed to bob@example.org"),
    Step("erase", "erase robert", says="done; mailed to "),
)
_ACTS_OF_PLAYERS, _MERGED = 1, 1
"""Rows of the audit beside those of the operator's acts: the report, and the other account."""

_KEPT = (
    Step("export", "export 1", says="{"),
    Step("player-data", "player-data ann --reason because", says="{"),
    Step("vacuum", "vacuum", says="bytes_before"),
    Step("backup", "backup FOLDER/backup", says="/"),
    Step("copy", "copy --to sqlite:///FOLDER/copy.db", says="table"),
    Step("db", "db upgrade", says="already at schema "),
)

_ELSEWHERE = {
    "serve": "test_watch",
    "setup": "test_setup",
    "send": "test_watch",
    "reload": "test_watch",
    "demo": "test_serve",
    "admin": "below",
    "receive": "below",
    "play": "below",
    "verify-dice": "below",
    "tables": "test_tables",
    "doctor": "test_watch",
    "completion": "test_play",
    "check-language": "test_languages",
    "manual": "test_manual",
    "new-game": "test_authors",
    "try": "test_authors",
    "check-game": "test_authors",
}
"""The tests of what is no line of the tables above; those of serve, send, reload and doctor run a
server on each kind of database."""

_IN_CONVERSATIONS = {
    *(
        "moderate",
        "invite",
        "stop",
        "event challenge",
        "event bye",
        "GAME ready",
        "ask",
        "offer yes",
        *(f"team {name}" for name in ("new", "invite", "join", "leave", "captain", "show", "say")),
        "team reserves",
        "clubs",
        *(f"club {name}" for name in ("new", "invite", "join", "leave", "show", "say", "remove")),
        *(
            f"club {name}"
            for name in ("officer", "colour", "hook", "match", "enter", "begin", "stay")
        ),
    )
} | {
    f"GAME {name}"
    for name in (
        *("wait", "vote", "press", "master", "takeover", "handover", "confer", "simul"),
        "kibitz",
    )
}
"""Verbs that need what only the scheduler does, a ladder that has begun, a game with orders, a
second watcher, or the mail that they answer."""


def test_every_command_is_in_a_table() -> None:
    verbs = {f"{'GAME ' if verb.game == 'yes' else ''}{verb.name}" for verb in list_verbs()}
    assert {step.name for step in _PLAYED} | _IN_CONVERSATIONS == verbs
    operators = {step.name for step in (*_OPERATED, *_ACTED, *_KEPT)}
    assert operators | {"reload"} == {row.name for row in ADMIN if " " not in row.name}
    assert {row.name for row in COMMANDS} | {"reload"} == set(_ELSEWHERE)


@pytest.fixture
def every_shell(any_shell: Shell, request: pytest.FixtureRequest) -> Shell:
    """A shell on each kind of database, with the programs of PostgreSQL at hand."""
    if any_shell.url.startswith("postgresql"):
        cluster: Cluster = request.getfixturevalue("cluster")
        monkeypatch = request.getfixturevalue("monkeypatch")
        monkeypatch.setenv("PATH", f"{cluster.programs}{os.pathsep}{os.environ['PATH']}")
    return any_shell


def test_every_command_on_each_database(every_shell: Shell, tmp_path: Path) -> None:
    shell = every_shell
    for step in _PLAYED:
        line = step.line.replace("CODE", _newest_code(shell) if "CODE" in step.line else "")
        said = shell.ok(*line.split(), who=step.who, stdin=step.stdin, **_NEW)
        assert said.startswith(step.says), (step, said)
    assert shell.json("admin", "player", "cat")[0]["state"] == "closed"

    shell.ok("receive", "--from", "ann@example.org", "--to", SERVER, stdin=_MAIL)
    sent = _set_aside(shell)
    _hold_words(shell)
    for step in _OPERATED:
        words = [word.replace("_", " ") for word in step.line.split()]
        assert shell.ok("admin", *words).strip(), step
        assert isinstance(shell.json("admin", *words), list | dict)

    record = tmp_path / "record.json"
    record.write_text(shell.ok("admin", "export", "1"), encoding="utf-8")
    for userid in ("ida", "uma"):
        wait_for_approval(shell, userid)
    for step in _ACTED:
        last = str(max(row["number"] for row in shell.json("admin", "audit")))
        line = step.line.replace("RECORD", str(record)).replace("SENT", str(sent))
        words = line.replace("LAST", last).split()
        done = shell.ok("admin", *words, *_WHY)
        assert done.startswith(step.says if step.says != "[" else "done"), (step, done)
    assert len(shell.json("admin", "audit")) == len(_ACTED) + _ACTS_OF_PLAYERS + _MERGED
    assert shell.ok("admin", "check") == "no difference\n"

    for step in _KEPT:
        said = shell.ok("admin", *step.line.replace("FOLDER", str(tmp_path)).split())
        assert said.startswith(step.says), (step, said)
    assert (tmp_path / "backup").stat().st_size > 1000
    assert shell.ok("verify-dice", str(record)).startswith("right: ")
    said = shell.ok("play", "4", "--as", "ann", who="ann", stdin="quit\n")
    assert "[hex 4] ann won (2)" in said  # as bob was erased
    assert shell.run("admin", "reload").exit_code == 75


def _newest_code(shell: Shell) -> str:
    store = Store(shell.url)
    with store.reading() as session:
        query = select(outbound.c.message).order_by(outbound.c.id.desc())
        found = (_CODE.search(raw.decode()) for raw in session.execute(query).scalars())
        code = next(match[0] for match in found if match)
    store.close()
    return code


def _hold_words(shell: Shell) -> None:
    """Have two texts of ann's to bob wait for a yes."""
    store = Store(shell.url)
    with store.writing() as session:
        ann, bob = (find_player(session, name) for name in ("ann", "bob"))
        assert ann is not None
        assert bob is not None
        for text in ("Good evening!", "Buy my boat!"):
            hold(session, ann.id, "message", (str(bob.id),), text, time.time())
    store.close()


def _set_aside(shell: Shell) -> int:
    """Set the mail that came in aside, and have the second one that goes out sent: its number."""
    store = Store(shell.url)
    with store.writing() as session:
        session.execute(update(inbound).values(state="aside", attempts=3, finished=1.0))
        numbers = session.execute(select(outbound.c.id).order_by(outbound.c.id)).scalars()
        _, number, *_ = numbers
        sent = update(outbound).where(outbound.c.id == number)
        session.execute(sent.values(state="sent", finished=1.0))
    store.close()
    return int(number)
