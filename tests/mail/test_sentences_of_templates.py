"""No template of a mail has an English sentence outside of the catalogues: it stands in `_()` or
`ngettext()`, from which each reader gets their own language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from jinja2 import Environment, nodes

from pbm.mail.render import load_templates

OPERATORS = {"abuse_report.txt", "daily_digest.txt", "player_waits.txt"}
"""Mails to the operator, in English as the operator's terminal is."""
FOR_PROGRAMS = {"_event_lots.txt"}
"""What programs read."""
EXCEPTIONS = {
    "offer_expired.txt": "an option of a line to send",
    "event_byes.txt": "the name of a filter",
    "stop_choices.txt": "the name of a filter",
    "mail_stopped.txt": "the name of a filter",
    "boards_resigned.txt": "the name of a filter",
    "friend_invitation.txt": "a userid for an example",
    "help_page.txt": "the word `help`, which is the command that was answered",
}
"""Other templates with a word outside, and why."""
SENTENCES = {"_", "ngettext"}
COMMANDS = {"line", "lines", "example", "short", "send", "first", "words"}
"""Values that are lines to send, which each reader sees as they write them."""
_WORDS = re.compile(r"\b(?!pbm\b)(?![A-Z]+\b)[A-Za-z]{2,}")
"""Words but those in capitals, which stand for something in a line to send, and the mark `pbm`."""
_MARK = re.compile(r"\[(?:pbm|event [^]]*)\]")


def find_bare(template: str) -> Iterator[str]:
    """Yield the words that a template says outside of its sentences."""
    tree = Environment(trim_blocks=True, lstrip_blocks=True).parse(template)  # noqa: S701
    for line in _read_lines(tree).splitlines():
        if not line.startswith("    ") and _WORDS.search(text := _MARK.sub("", line)):
            yield text.strip()
    yield from _find_in_expressions(tree)


def _read_lines(tree: nodes.Template) -> str:
    """Return the text of a template, with \x00 for what is filled in."""
    parts = []
    for output in tree.find_all(nodes.Output):
        parts += [
            each.data if isinstance(each, nodes.TemplateData) else "\x00" for each in output.nodes
        ]
    return "".join(parts)


def _find_in_expressions(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Compare | nodes.Include | nodes.Getattr):
        return
    if isinstance(node, nodes.Assign) and getattr(node.target, "name", "") in COMMANDS:
        return
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        if _WORDS.search(node.value):
            yield node.value
        return
    if isinstance(node, nodes.Call):
        if getattr(node.node, "name", "") in SENTENCES:
            for value in node.kwargs:
                if value.key not in COMMANDS:
                    yield from _find_in_expressions(value.value)
        return
    if isinstance(node, nodes.Filter) and node.name == "command":
        return  # which says it as its reader writes it
    if isinstance(node, nodes.Filter):
        if node.node is not None and node.name != "format":
            yield from _find_in_expressions(node.node)
        yield from (each for arg in node.args for each in _find_in_expressions(arg))
        return
    for child in node.iter_child_nodes():
        yield from _find_in_expressions(child)


def test_every_sentence_of_a_mail_is_in_the_catalogues() -> None:
    found = {name: [*find_bare(text)] for name, text in load_templates().items()}
    bare = {name: said for name, said in found.items() if said}
    allowed = OPERATORS | FOR_PROGRAMS | EXCEPTIONS.keys()
    assert {name: said for name, said in bare.items() if name not in allowed} == {}
    assert allowed - bare.keys() == set(), "these need no exception any more"


@pytest.mark.parametrize(
    "template",
    [
        "[pbm] you have won\n",
        "[pbm] {{ userid }} has won\n",
        '[pbm] {{ _("news") }}\n{{ (userid ~ " has won") | fill }}\n',
        '{{ "board" if count == 1 else "boards" }}\n',
        '{{ _("{what} has begun", what="the game") }}\n',
        '{% set told = "you have won" %}{{ told }}\n',
    ],
)
def test_a_sentence_outside_is_found(template: str) -> None:
    assert [*find_bare(template)]


def test_commands_and_marks_are_left_alone() -> None:
    template = (
        '[event {{ event }}] {{ _("{name} is over", name=name) }}\n'
        '{{ _("Other events: {line}", line="events") | fill(4) }}\n'
        "    event enter {{ event }} {{ userid }} PASSWORD\n"
        '{% if state == "running" %}{{ "%4d" | format(count) }}{% endif %}\n'
    )
    assert [*find_bare(template)] == []
