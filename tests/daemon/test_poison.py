"""A mail that hangs, eats memory or ends its process costs two workers, and is set aside; the mails
that were executed together with it are executed exactly once, and the server goes on."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from pbm.daemon.attempts import Attempts, find_interrupted
from pbm.daemon.startup import count_interrupted
from pbm.store.engine import Store
from tests.daemon.poison import Poisoned
from tests.harness.packages import Packages
from tests.harness.servers import until


@pytest.fixture(params=["sqlite", "postgresql"])
def poisoned(
    request: pytest.FixtureRequest, tmp_path: Path, packages: Packages
) -> Iterator[Poisoned]:
    url = request.getfixturevalue(f"{request.param}_url")
    made = Poisoned(tmp_path, url, packages, tables=5)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("loop", "timed_out", marks=pytest.mark.long),
        ("grow", "out_of_memory"),
        pytest.param("abort", "crashed", marks=pytest.mark.long),
    ],
)
def test_a_poison_mail_is_set_aside_and_its_neighbours_are_done(
    poisoned: Poisoned, text: str, code: str
) -> None:
    _is_contained(poisoned, text, code)


@pytest.mark.parametrize("poisoned", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("text", "code"), [("share", "out_of_memory"), ("leave", "crashed")])
def test_a_limit_of_the_process_alone_would_not_do(
    poisoned: Poisoned, text: str, code: str
) -> None:
    """Shared memory, which only the front sees, and an end that looks like a proper one."""
    _is_contained(poisoned, text, code)


def _is_contained(poisoned: Poisoned, text: str, code: str) -> None:
    poisoned.plays("take-1", "take-2", text, "take-3")
    poisoned.start()
    poisoned.rests()
    poisoned.plays("take-1")  # it goes on
    poisoned.rests()
    done = ("done", "executed", 0)
    assert poisoned.outcomes() == [done, done, ("aside", code, 2), done, done]
    assert poisoned.played() == [1, 1, 0, 1, 1]
    assert poisoned.mailed() == [2, 2, 0, 2, 2]
    assert poisoned.writers_told() == ["ann@example.org"]
    assert poisoned.log().count("worker died") == 2
    mail = poisoned.mails()[2]
    assert f"mail failed mail={mail} why={code}\n" in poisoned.log()
    assert f"mail set aside mail={mail} why={code}\n" in poisoned.log()
    assert "aside" in poisoned.admin("mails", "--why", code)
    poisoned.stop()
    assert poisoned.attempt() is None


@pytest.mark.long
def test_the_attempt_counts_when_the_whole_server_dies(poisoned: Poisoned) -> None:
    poisoned.plays("take-1", "take-2", "loop", "take-3", "take-1")
    mail = poisoned.mails()[2]
    for attempts in (0, 1):
        poisoned.start(seconds=1000)
        until(lambda: poisoned.hangs(mail), "nothing hangs")
        assert poisoned.outcomes()[2][2] == attempts
        poisoned.kill()
    poisoned.start()
    poisoned.rests()
    done = ("done", "executed", 0)
    assert poisoned.outcomes() == [done, done, ("aside", "timed_out", 3), done, done]
    assert poisoned.played() == [1, 1, 0, 1, 1]
    assert poisoned.log().count("worker died") == 1
    poisoned.stop()


@pytest.mark.parametrize("poisoned", ["sqlite"], indirect=True)
def test_its_writer_is_told_once_however_often_the_operator_tries_it_again(
    poisoned: Poisoned,
) -> None:
    poisoned.plays("abort")
    poisoned.start()
    poisoned.rests()
    (mail,) = poisoned.mails()
    poisoned.admin("retry", f"in:{mail}", "--yes", "--reason", "once more")
    poisoned.rests()
    assert poisoned.log().count("worker died") == 3
    assert poisoned.states() == ["aside"]
    assert poisoned.writers_told() == ["ann@example.org"]
    poisoned.stop()


@pytest.mark.long
def test_several_workers_do_the_rest_while_one_hangs(poisoned: Poisoned) -> None:
    poisoned.plays("take-1", "loop", "abort", "take-2", "take-3")
    poisoned.start(processes=2)
    poisoned.rests()
    assert poisoned.states() == ["done", "aside", "aside", "done", "done"]
    assert poisoned.played() == [1, 0, 0, 1, 1]
    poisoned.stop()


@pytest.mark.parametrize("poisoned", ["sqlite"], indirect=True)
def test_a_worker_that_somebody_kills_is_started_again(poisoned: Poisoned) -> None:
    poisoned.start()
    until(partial(_has_others, poisoned, []), "no worker is started")
    for move in range(1, 4):
        (worker,) = poisoned.children()
        os.kill(worker, signal.SIGKILL)
        until(partial(_has_others, poisoned, [worker]), "no worker is started")
        poisoned.plays("take-1")
        poisoned.rests()
        assert poisoned.outcomes() == [("done", "executed", 0)] * move
    poisoned.stop()


def _has_others(poisoned: Poisoned, dead: list[int]) -> bool:
    """Whether the daemon has started other processes than the dead one."""
    return poisoned.children() not in ([], dead)


@pytest.mark.parametrize("has_workers", [False, True])
def test_a_mail_is_set_aside_for_killing_a_server_that_has_no_workers(
    poisoned: Poisoned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_workers: bool
) -> None:
    """The fifth start sets it aside. A worker would have died in the server's place: where there
    are some, the mail is innocent, however often the server was killed."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    poisoned.plays("loop")
    (mail,) = poisoned.mails()
    for attempts in range(1, 6):
        _dies_during(poisoned.store, tmp_path, mail)
        count_interrupted(poisoned.store, 0.0, has_workers=has_workers)
        state = "aside" if attempts == 5 and not has_workers else "waiting"
        assert poisoned.outcomes() == [(state, "crashed", attempts)]
    assert list(find_interrupted(poisoned.store)) == []


def test_a_server_that_ends_in_order_counts_nothing(sqlite_store: Store) -> None:
    attempts = Attempts(sqlite_store, 2)
    assert list(find_interrupted(sqlite_store)) == []  # it is locked
    with attempts.slots[1].attempt(7):
        pass
    attempts.close()
    assert list(find_interrupted(sqlite_store)) == []


def _dies_during(store: Store, folder: Path, mail: int) -> None:
    """Leave what a daemon leaves that is killed while it executes that mail."""
    attempts = Attempts(store, 1)
    with attempts.slots[0].attempt(mail):
        (path,) = folder.glob("*-attempts-*")
        shutil.copy(path, f"{path}-left")
    attempts.close()
