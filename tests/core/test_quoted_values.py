"""The value of an option in quotes: one word of the command, whatever stands between them."""

from __future__ import annotations

import pytest

from pbm.core.command import Sender
from pbm.core.parser import find_meant, read_line


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('--name="Spring, cup." 3,', ['--name="Spring, cup."', "3"]),
        ('--name="Spring - cup", 3', ['--name="Spring - cup"', "3"]),
        ("-name=\u201eSpring cup\u201c 3", ["-name=\u201eSpring cup\u201c", "3"]),
        ('--name="Spring" cup"', ['--name="Spring"', 'cup"']),
        ('--name=" Spring"', ['--name=" Spring"']),
        ('--name="Spring cup, 3', ['--name="Spring', "cup", "3"]),
        ("--name=Spring cup, 3", ["--name=Spring", "cup", "3"]),
    ],
)
def test_what_stands_in_quotes_is_one_word(line: str, words: list[str]) -> None:
    command = read_line(f"hex challenge {line}", Sender(via="mail"))
    assert list(command.words) == words


@pytest.mark.parametrize("line", [".", "# ...", "chat ticket - .", "& note ."])
def test_a_sign_alone_is_nearly_no_title(line: str) -> None:
    meant = find_meant(line)
    assert meant is None or not meant.game
