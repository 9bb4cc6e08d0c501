"""`pbm manual`: the manual pages pbm(8), from the commands' help, and pbm.toml(5), from the text of
config/pbm.toml."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from typing import cast

import click

from pbm.cli import LazyGroup
from pbm.cli.open_database import read_config_file
from pbm.cli.table import COMMANDS
from pbm.version import find_version

_PAGES = ("pbm.8", "pbm.toml.5")
_FILES = (
    ("/etc/pbm/pbm.toml", "The configuration; see pbm.toml(5)."),
    ("/var/lib/pbm", "The state of the server: its database, and what was left for it."),
)
_ENVIRONMENT = (
    ("PBM_CONFIG", "The configuration file, unless --config names one."),
    ("PBM_DATABASE_URL", "Overrides [database] url."),
    ("PBM_PASSWORD", "The password of a player's command, which is asked for otherwise."),
)


@click.command("manual")
@click.argument("page", type=click.Choice(_PAGES))
@click.pass_context
def command(ctx: click.Context, page: str) -> None:
    """Print the manual page PAGE in the format of man(1).

    \b
      pbm manual pbm.toml.5 | man -l -
    """
    root = cast(LazyGroup, ctx.find_root().command)
    if page == "pbm.8":
        lines = _write_commands(root)
    else:
        lines = _write_configuration(read_config_file("pbm.toml"))
    click.echo("\n".join(lines))


def _write_commands(root: LazyGroup) -> Iterator[str]:
    yield _write_title("PBM", 8, "pbm")
    yield from (".SH NAME", r"pbm \- play-by-email game server", ".SH SYNOPSIS", ".B pbm")
    yield from ("[\\fB\\-\\-config\\fR \\fIFILE\\fR] \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]",)
    yield from (".SH DESCRIPTION", _escape("A server of board games that are played by mail: it"))
    yield _escape("takes mail by SMTP, LMTP, a pipe or IMAP, and mails boards and answers.")
    yield _escape("Players send the same commands by mail as are given here; see pbm help.")
    yield ".SH COMMANDS"
    for path, each in _list_commands(root, "pbm"):
        yield from (".SS", _escape(f"{path} {_describe_arguments(each)}".rstrip()))
        yield from _write_text(each.help or "")
        context = click.Context(each, info_name=path)
        for parameter in each.params:
            record = parameter.get_help_record(context)
            if record is not None:
                yield from (".TP", f"\\fB{_escape(record[0])}\\fR", _escape(record[1]) or r"\&")
    yield ".SH FILES"
    yield from _write_terms(_FILES)
    yield ".SH ENVIRONMENT"
    yield from _write_terms(_ENVIRONMENT)
    yield ".SH EXIT STATUS"
    yield _escape("0 done, 1 refused, 2 wrong usage or configuration, 75 try again later.")
    yield from (".SH SEE ALSO", r"\fBpbm.toml\fR(5)")


def _list_commands(group: LazyGroup, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield the commands of the tables, each group followed by its own."""
    context = click.Context(group)
    for row in group.rows if path != "pbm" else COMMANDS:
        each = group.get_command(context, row.name)
        if isinstance(each, LazyGroup):
            yield from _list_commands(each, f"{path} {row.name}")
        elif each is not None:
            yield f"{path} {row.name}", each


def _describe_arguments(each: click.Command) -> str:
    context = click.Context(each)
    words = [
        word
        for parameter in each.params
        if isinstance(parameter, click.Argument)
        for word in parameter.get_usage_pieces(context)
    ]
    return " ".join(words)


def _write_configuration(text: str) -> Iterator[str]:
    """Write pbm.toml(5) from the comments of the file."""
    yield _write_title("PBM.TOML", 5, "pbm.toml")
    yield from (".SH NAME", r"pbm.toml \- configuration of pbm(8)", ".SH DESCRIPTION")
    remark: list[str] = []
    section = ""
    for line in text.splitlines():
        if line.startswith("#"):
            remark.append(line.removeprefix("#").strip())
        elif match := re.fullmatch(r"\[(\w+)\]", line):
            section = match[1]
            yield from (f".SH [{section}]", *_flush(remark))
        elif match := re.fullmatch(r"(\w+) = (.*)", line):
            yield from (".TP", rf"\fB{_escape(match[1])}\fR = {_escape(match[2])}", *_flush(remark))
        elif remark and not section:
            yield from _flush(remark)
    yield from (".SH FILES", ".I /etc/pbm/pbm.toml", ".SH SEE ALSO", r"\fBpbm\fR(8)")


def _flush(remark: list[str]) -> Iterator[str]:
    """Yield the lines of a finished comment."""
    yield from (_escape(line) for line in remark)
    remark.clear()


def _write_title(name: str, section: int, source: str) -> str:
    return f'.TH {name} {section} "" "{source} {find_version()}" "System administration"'


def _write_text(text: str) -> Iterator[str]:
    """Write paragraphs; those that click must not wrap keep their line breaks."""
    for paragraph in cleandoc(text).split("\n\n"):
        lines = paragraph.splitlines()
        if lines[:1] == ["\b"]:
            yield from (".PP", ".nf", *map(_escape, lines[1:]), ".fi")
        else:
            yield from (".PP", *map(_escape, lines))


def _write_terms(terms: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for term, text in terms:
        yield from (".TP", f"\\fB{_escape(term)}\\fR", _escape(text))


def _escape(text: str) -> str:
    """Return the text escaped so that man prints it unchanged."""
    plain = text.replace("\\", r"\e").replace("-", r"\-").replace("\b", "")
    plain = plain.replace("'", r"\(aq").replace("`", r"\(ga").replace("^", r"\(ha")
    return rf"\&{plain}" if plain[:1] in (".", "'") else plain
