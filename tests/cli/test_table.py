"""The command line is made of tables, and costs nothing until a command is called."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from pbm.cli import Pbm, cli
from pbm.cli.admin import Admin
from pbm.cli.table import ADMIN, COMMANDS, CommandRow, OperatorRow
from pbm.core.feature import ActRow, ListRow, list_verbs
from pbm.core.words import map_words_to_verbs
from tests.harness.shell import Shell, environment

_WORDS = sorted({word.partition(" ")[0] for word in map_words_to_verbs()})


def test_help_names_every_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pbm", "--help"],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name in [row.name for row in COMMANDS] + [verb.name for verb in list_verbs()]:
        assert name in done.stdout


def test_no_command_of_ours_hides_one_of_the_players() -> None:
    assert not {row.name for row in COMMANDS} & set(_WORDS)


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_every_row_names_a_command(row: CommandRow) -> None:
    context = click.Context(cli)
    command = Pbm("pbm").get_command(context, row.name)
    assert command is not None
    assert command.get_help(context)


@pytest.mark.parametrize("row", ADMIN, ids=lambda row: row.name)
def test_every_row_of_the_operator_names_a_command(row: OperatorRow | ActRow | ListRow) -> None:
    context = click.Context(cli)
    group: click.Group = Admin("admin")
    *groups, name = row.name.split()
    for each in groups:
        found = group.get_command(context, each)
        assert isinstance(found, click.Group)
        group = found
    command = group.get_command(context, name)
    assert command is not None
    assert command.name == name
    assert command.get_help(context)
    if isinstance(row, ActRow) and row.do:
        asked = {each.name: each.name for each in row.arguments}
        assert row.question.format(**asked).endswith(("?", "? This cannot be undone."))
        params = {param.name for param in command.params}
        assert {*asked, "yes", "reason", "as_json"} <= params


@pytest.mark.parametrize("word", _WORDS)
def test_every_verb_and_alias_is_a_command_with_its_summary(word: str, shell: Shell) -> None:
    said = " ".join(shell.ok(word, "--help").split())
    known = map_words_to_verbs().get(word) or [v for v in list_verbs() if v.name.split()[0] == word]
    for verb in known:
        assert verb.summary[1:] in said
        assert "PASSWORD" not in said.replace("PBM_PASSWORD", "")


def test_an_unknown_command_is_usage(shell: Shell) -> None:
    assert shell.run("frobnicate").exit_code == 2
    assert shell.run("cradle", "frobnicate").exit_code == 2


def test_a_wrong_configuration_is_one_sentence_and_usage(shell: Shell) -> None:
    shell.config.write_text("[server]\nadress = 'x@y'\n", encoding="utf-8")
    result = shell.run("list")
    assert result.exit_code == 2
    place = f"{shell.config}:2"
    assert result.stderr == f"pbm: {place}: [server] has no key adress; did you mean address?\n"


def test_a_game_has_its_verbs_behind_it(shell: Shell) -> None:
    assert "[pbm] help cradle" in shell.ok("cradle", "help")
    assert "[pbm] help cradle" in shell.ok("help", "cradle")


def test_help_and_the_list_of_games_need_no_database(shell: Shell) -> None:
    shell.write("postgresql://127.0.0.1:1/none", "")
    assert "cradle" in shell.ok("games")
    assert "challenge" in shell.ok("help", "commands")


def test_help_comes_in_the_language_of_the_environment(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "de_AT:en")
    assert "Rot beginnt." in shell.ok("help", "hex")
    assert "cradle" in shell.ok("games")
    monkeypatch.setenv("LANGUAGE", "C")
    assert "Red begins." in shell.ok("help", "hex")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("show", "9" * 25), "too large a number"),
        (("admin", "board", "9" * 25), "too large a number"),
        (("admin", "mail", f"in:{'9' * 25}"), "too large a number"),
        (("admin", "player", "\udcff"), "not valid UTF-8"),
        (("rating", "ann\udcff"), "not valid UTF-8"),
    ],
)
def test_words_that_no_database_takes_are_refused_as_usage(
    words: tuple[str, ...], says: str
) -> None:
    found = CliRunner().invoke(cli, words)
    assert found.exit_code == 2
    assert says in found.output
    assert not isinstance(found.exception, ValueError | OverflowError)
