"""`config/README.md` is true: its configurations are read, its commands exist as they are written,
its files are there, and nothing that an operator can set is missing."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
from msgspec.structs import fields

from pbm.cli import LazyGroup, cli
from pbm.cli.setup.plan import SetupAnswers
from pbm.config import SECTIONS, Config, parse
from pbm.core.command import Sender
from pbm.core.parser import read_line
from tests.docs.markdown import ROOT, leaf
from tools.release.folder import read_address

CONFIG = ROOT / "config"
README = (CONFIG / "README.md").read_text(encoding="utf-8")
_SYSTEM = {
    ".",
    "apt",
    "cd",
    "curl",
    "echo",
    "gpg",
    "podman",
    "sha256sum",
    "tar",
    "datasette",
    "dpkg-buildpackage",
    "sh",
    "python3",
    "export",
    "grep",
    "useradd",
    "install",
    "sed",
    "postconf",
    "postfix",
    "systemctl",
    "cp",
    "chown",
    "chmod",
    "openssl",
    "printf",
    "opendkim-genkey",
    "patronictl",
    "runuser",
    "/opt/pbm/bin/pip",
}
"""Programs of the system; all other lines are commands of ours, or mailed ones."""


_OURS = re.compile(r"(?:/opt/pbm/bin/)?pbm ")


def lines() -> list[str]:
    """What is to be typed, or mailed as a subject: lines indented by four blanks or more."""
    rows = re.findall(r"^(?: {4}| {8})(\S.*)$", README, re.MULTILINE)
    assert len(rows) > 30
    return [str(row) for row in rows]


def configurations() -> list[Config]:
    """The blocks of TOML; each is the whole file, or what changes in it."""
    return [parse(text) for text in re.findall(r"^```toml\n(.*?)^```$", README, re.M | re.S)]


def test_every_command_of_ours_is_one_with_these_options() -> None:
    called = [shlex.split(line)[1:] for line in lines() if _OURS.match(line)]
    assert {"setup", "doctor", "mails", "backup", "copy", "check"} <= {
        leaf(words)[0].name for words in called
    }


def test_every_other_line_is_a_program_or_a_mailed_command() -> None:
    mailed = []
    for line in lines():
        first = shlex.split(line)[0]
        if first.startswith("RELEASE="):
            assert first.removeprefix("RELEASE=") == read_address()
        elif first not in _SYSTEM and not _OURS.match(line):
            mailed.append(read_line(line, Sender("ann@example.org")))
    assert [command.verb.name for command in mailed] == ["signup", "challenge"]


def test_every_file_is_there_and_every_file_is_named() -> None:
    linked = {name for name in re.findall(r"\]\(([\w./]+)\)", README) if not name.startswith("#")}
    copied = {name for line in lines() for name in re.findall(r"\bconfig/([\w./]+)", line)}
    for name in copied:
        assert (CONFIG / name).is_file(), name
    files = {str(path.relative_to(CONFIG)) for path in CONFIG.rglob("*") if path.is_file()}
    assert files - linked - copied == {"README.md"}


def test_the_configurations_name_a_database() -> None:
    databases = configurations()
    assert len(databases) == 2
    assert all(config.database.url.startswith("postgresql://") for config in databases)


def test_all_files_start_the_same_program_with_the_same_configuration() -> None:
    for name in ("systemd/pbm.service", "pbm", "postfix/master.cf"):
        text = (CONFIG / name).read_text(encoding="utf-8")
        assert "/opt/pbm/bin/pbm --config /etc/pbm/pbm.toml " in text, name
    assert "python3 -m venv /opt/pbm\n" in README
    assert "/opt/pbm/bin/pbm setup --way " in README
    assert str(SetupAnswers("mx", "a@b").folder / "pbm.toml") == "/etc/pbm/pbm.toml"


def test_every_variable_of_the_environment_is_in_the_table() -> None:
    documented = set(re.findall(r"`([A-Z]+_[A-Z_]+)`", README.partition("## The environment")[2]))
    used = set()
    for path in (ROOT / "pbm").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "environ" in text or "envvar" in text or "ask_password(" in text:
            used |= set(re.findall(r"\"((?:PBM|NOTIFY|WATCHDOG|LISTEN)_[A-Z_]+)\"", text))
    assert used == documented - {"SSL_CERT_FILE"}
    assert "SSL_CERT_FILE" in documented


def test_every_key_has_a_full_sentence_above_it() -> None:
    """Of each key in `config/pbm.toml`, and no remark beside it."""
    text = (CONFIG / "pbm.toml").read_text(encoding="utf-8")
    keys = re.findall(r"^((?:#.*\n)*)(\w+) = (.*)$", text, re.MULTILINE)
    assert len(keys) == sum(len(fields(section)) for section in SECTIONS.values())
    for comment, key, value in keys:
        sentence = " ".join(re.findall(r"^# (.*)$", comment, re.MULTILINE))
        assert re.fullmatch(r"[A-Z/].*\w\)?\.", sentence), (key, sentence)
        assert "#" not in value, key


def _commands(group: LazyGroup, path: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for row in group.rows:
        command = group.get_command(context, row.name)
        assert command is not None
        yield f"{path} {row.name}", command
        if isinstance(command, LazyGroup):
            yield from _commands(command, f"{path} {row.name}")
        elif isinstance(command, click.Group):
            yield from (
                (f"{path} {row.name} {name}", one) for name, one in command.commands.items()
            )


def test_every_command_and_option_says_what_it_does() -> None:
    assert isinstance(cli, LazyGroup)
    commands = list(_commands(cli, "pbm"))
    assert len(commands) >= 40
    for path, command in commands:
        assert command.help, path
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, (path, option.name)
