"""The one table of commands: complete, and everything made from it agrees with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbm.core.command import Sender
from pbm.core.feature import Verb, list_verbs
from pbm.core.parser import read_line
from pbm.core.refusal import Refusal
from pbm.features.finding.help import find_page, list_topics
from pbm.games import list_game_names
from pbm.mail.render import load_templates

COLUMNS = 78
SCREEN = 24
CONVERSATIONS = Path(__file__).parents[1] / "conversations"
SLOTS = {
    "board": "17",
    "user": "ann",
    "password": "secret",
    "new_password": "sesame",
    "code": "abcd",
    "move": "d4",
    "userid": "bob",
    "offer": "3",
    "event": "3",
    "kind": "roundrobin",
    "round": "2",
    "what": "17",
    "act": "ban",
    "until": "until",
    "days": "3",
    "question": "what games are there",
    "name": "rooks",
    "colour": "#1d4e89",
    "address": "https://hooks.example.org/x",
    "match": "3",
}


def name(verb: Verb) -> str:
    return f"{verb.game} {verb.name}"


@pytest.mark.parametrize("verb", list_verbs(), ids=name)
def test_a_row(verb: Verb) -> None:
    """A row's help fits and is shown where a player looks for it."""
    assert verb.summary
    assert verb.summary[-1] not in ".!"
    assert verb.game in ("yes", "no", "maybe")
    assert verb.text in ("", "comment", "text")
    assert not (verb.is_read_only and verb.is_final)
    for word in (verb.name, *verb.aliases):
        title, text = find_page(word)
        assert title
        assert verb.summary in text or word in list_topics()
    assert verb.summary in find_page("commands")[1]


@pytest.mark.parametrize("verb", list_verbs(), ids=name)
def test_a_row_has_a_conversation(verb: Verb) -> None:
    """Somebody mails it, by its name, in a conversation; a yes to what is offered, by that."""
    written = "\n".join(
        path.read_text(encoding="utf-8")
        for path in sorted(CONVERSATIONS.glob("test_*.py"))
        if path.name not in ("test_lines.py", "test_passwords.py")
    )
    lead = r"(hex|cradle|cyclone|dip|spacecradles|poolside|\{\w+\}) " if verb.game == "yes" else ""
    written_as = verb.name.removeprefix("offer ")
    assert re.search(rf'["\'(\n]{lead}{re.escape(written_as)}\b', written), verb


@pytest.mark.parametrize("verb", list_verbs(), ids=name)
def test_the_form_of_a_row_is_read_as_that_row(verb: Verb) -> None:
    """What a refusal tells people to send is understood."""
    line = verb.build_form("hex").format(board="17", user="ann")
    line = line.replace("GAME", "hex")
    for slot, word in SLOTS.items():
        line = re.sub(rf"\b{slot.upper().replace('_', '')}\b", word, line)
    command = read_line(line, Sender())
    assert command.verb is verb
    assert bool(command.user) is ("user" in verb.slots)
    assert command.board == (17 if verb.has_board else 0)


@pytest.mark.parametrize("verb", list_verbs(), ids=name)
def test_words_of_a_row_are_reserved(verb: Verb) -> None:
    from pbm.features.accounts.userids import list_reserved_names

    assert {*verb.name.split(), *verb.aliases} <= list_reserved_names()


def test_no_two_rows_share_a_word() -> None:
    seen = set()
    for verb in list_verbs():
        for word in (verb.name, *verb.aliases):
            for with_game in ("yes", "no") if verb.game == "maybe" else (verb.game,):
                assert (word, with_game) not in seen
                seen.add((word, with_game))


def test_a_page_fits() -> None:
    verbs = dict.fromkeys(verb.name for verb in list_verbs())
    for topic in ["", "commands", *list_topics(), *list_game_names(), *verbs]:
        _, text = find_page(topic)
        lines = text.replace("{server}", "pbm@games.example.org").splitlines()
        wrong = [line for line in lines if len(line) > COLUMNS or not line.isprintable()]
        assert wrong == [], topic
        assert lines[0].strip(), topic
        assert lines[-1].strip(), topic


def test_the_first_page_is_a_screenful_with_ten_commands() -> None:
    _, text = find_page("")
    lines = text.splitlines()
    assert len(lines) <= SCREEN
    commands = [line for line in lines if line.startswith("  ")]
    assert len(commands) == 10
    for line in commands:
        typed = re.split(r"\s{3,}", line.strip())[0]
        assert read_line(typed, Sender()).verb in list_verbs()


def test_every_page_is_named_on_the_first_one_or_in_the_commands() -> None:
    named = find_page("")[1]
    assert [
        topic for topic in list_topics() if f"help {topic}" not in " ".join(named.split())
    ] == []


def test_pages_and_mails_name_only_pages_that_there_are() -> None:
    texts = [find_page(topic)[1] for topic in ("", *list_topics())]
    texts += [text for name, text in load_templates().items() if name.endswith(".txt")]
    for text in texts:
        for found in re.finditer(r"\bhelp ([a-z]+)\b", " ".join(text.split())):
            if found[1] not in ("of", "and", "for", "in"):
                assert find_page(found[1])


def test_an_unknown_page_is_refused_without_repeating_it() -> None:
    with pytest.raises(Refusal) as caught:
        find_page("s3cret")
    assert "s3cret" not in caught.value.text
    assert "tutorial" in caught.value.text
