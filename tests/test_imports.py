"""Who may import whom, and what is not imported at all."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.bench.seed import seed

ROOT = Path(__file__).parents[1]

_IMPORTED = """
import importlib, pkgutil, sys
before = set(sys.modules)
for package in sys.argv[1].split(","):
    module = importlib.import_module(package)
    for found in pkgutil.walk_packages(module.__path__, package + "."):
        importlib.import_module(found.name)
print("\\n".join(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""


def child(*arguments: str) -> str:
    """What a fresh interpreter prints."""
    path = {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_arrows_between_rooms() -> None:
    """The contracts of pyproject.toml."""
    said = child("-c", "from importlinter.cli import lint_imports_command as run; run()")
    assert "Contracts: " in said
    assert " 0 broken" in said


def test_rules_and_games_import_nothing_but_the_standard_library() -> None:
    loaded = set(child("-S", "-c", _IMPORTED, "pbm.rules,pbm.games").split())
    assert "pbm" in loaded
    assert loaded - {"pbm"} <= sys.stdlib_module_names


def test_help_of_the_command_line_needs_no_database_and_no_mail() -> None:
    program = (
        "import sys\n"
        "from pbm.cli import cli\n"
        "cli(['--help'], standalone_mode=False)\n"
        "print(*sorted(name for name in sys.modules if '.' not in name))\n"
    )
    loaded = child("-c", program).splitlines()[-1].split()
    assert "click" in loaded
    assert not {"sqlalchemy", "alembic", "psycopg", "aiosmtpd", "jinja2", "argon2"} & set(loaded)


_NOT_SHOWN = {
    "alembic",
    "jinja2",
    "pbm.features.lobby.challenges",
    "pbm.features.finding.players",
    "pbm.features.finding.looking",
    "pbm.features.puzzles.sent",
    "pbm.features.lobby.sleeping",
    "pbm.core.talk",
    "pbm.features.ratings.rating_boards",
    "pbm.features.events.running",
    "pbm.features.finding.game_page",
    "pbm.features.analysis.views",
    "pbm.mail.compose",
    "pbm.mail.postbox",
    "pbm.rules.composition",
    "pbm.rules.drawing.scene",
    "pbm.rules.drawing.sentences",
    "pbm.rules.solutions",
    "pbm.store.analysis_queue",
    "pbm.store.inbound_queue",
    "pbm.store.outbound_queue",
    "pbm.store.reads.board_rows",
    "pbm.store.reads.event_rows",
    "pbm.store.reads.player_rows",
    "pbm.store.tables",
}
"""What is imported only where it is needed, so that other commands start sooner."""
_SHOW = """
import sys
from pbm.cli import cli
try:
    cli(["--config", sys.argv[1], "cradle", "show", "1"])
finally:
    print(*sys.modules, sep="\\n", file=sys.stderr)
"""


def test_showing_a_board_imports_neither_mails_nor_what_changes_boards(tmp_path: Path) -> None:
    """A command starts within the time that its imports take."""
    url = f"sqlite:///{tmp_path}/pbm.db"
    seed(url, 2, 0, 2)
    configuration = tmp_path / "pbm.toml"
    configuration.write_text(f'[database]\nurl = "{url}"\n', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _SHOW, str(configuration)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "[cradle 1] p0 - p1" in done.stdout
    loaded = set(done.stderr.split())
    assert "pbm.features.finding.looking" in loaded
    assert not loaded & _NOT_SHOWN
    others = {name for name in loaded if name.startswith("pbm.games.")} - {"pbm.games.index"}
    assert all(name.startswith("pbm.games.cradle") for name in others), others


def test_the_front_imports_no_search() -> None:
    """Bots think in a process of their own; what they think with would delay each start."""
    program = (
        "import sys\n"
        "import pbm.daemon.app\n"
        "print(*(name for name in sys.modules if name.startswith('pbm.bots.')))\n"
    )
    loaded = set(child("-c", program).split())
    light = {"pbm.bots.analysis", "pbm.bots.simple"}
    assert {name for name in loaded if not name.startswith("pbm.bots.analysis.")} <= light
    assert "pbm.bots.analysis.judging" not in loaded


_SERVICE = "pbm/core/submit.py"
_WAYS_ROUND = {
    "pbm.core.submit": {"execute", "show", "refuse"},
    "pbm.mail.compose": {"Composer", "build_outbound_row"},
    "pbm.store.inbound_queue": {"finish"},
    "pbm.store.outbound_queue": {"enqueue"},
}
"""What executes, composes, enqueues and marks done, by module."""
_OF_THE_POSTBOX = {"enqueue", "address_notices"}
_OUTGOING = ("pbm/mail/postbox.py", "pbm/mail/compose.py")


def ways_round(source: str) -> Iterator[str]:
    """The functions in this source that `submit` alone may use."""
    modules: dict[str, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                if alias.name in _WAYS_ROUND.get(node.module, ()):
                    yield f"{node.module}.{alias.name}"
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Attribute):
            module = modules.get(node.value.id, "") if isinstance(node.value, ast.Name) else ""
            if node.attr in _WAYS_ROUND.get(module, ()):
                yield f"{module}.{node.attr}"
            elif node.attr in _OF_THE_POSTBOX:
                yield node.attr


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from pbm.core.submit import execute, MustWrite", ["execute"]),
        (
            "from pbm.store.queues import inbound_queue as q\ndef f(s):\n    q.finish(s, 1)",
            ["finish"],
        ),
        ("from pbm.mail.outgoing import compose\ncompose.Composer", ["Composer"]),
        ("def f(box):\n    box.address_notices()", ["address_notices"]),
        ("from pbm.mail.compose import build_outbound_row", ["build_outbound_row"]),
        ("from pbm.store.queues import inbound_queue\ninbound_queue.claim", []),
    ],
)
def test_a_way_round_is_found(source: str, names: list[str]) -> None:
    assert [name.rpartition(".")[2] for name in ways_round(source)] == names


def test_there_is_one_way_in() -> None:
    """Nobody but `submit` executes a command, enqueues its mails or marks a mail done."""
    for path in ROOT.joinpath("pbm").rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        if name in (_SERVICE, *_OUTGOING):
            continue
        assert list(ways_round(path.read_text(encoding="utf-8"))) == [], name
