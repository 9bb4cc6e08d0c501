"""Words that people write to a board: what counts as a greeting, as yes and no, as talk."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.core.intents import Intent, Occasion, read_wish
from pbm.core.talk import (
    find_act,
    find_question,
    find_verb_asked,
    is_greeting,
    is_talk,
    mentions_move,
    read_consent,
)


def is_square(word: str) -> bool:
    """Whether the word is a square of chess."""
    return re.fullmatch("[a-h][1-8]", word.lower()) is not None


def is_column(word: str) -> bool:
    """Whether the word is a column of a game whose moves are letters."""
    return re.fullmatch("[a-g]", word.lower()) is not None


YES = ("yes", "Yes.", "YES!", "Yes, sure", "yes please", "Ja, gerne!", "Oui, bien sûr", "Sí, claro")
NO = ("no", "No!", "No thanks", "No, sorry", "Nein, danke", "Non merci", "No, gracias")
NEITHER = (
    "yes and no",
    "Yes, but not now",
    "yes?no",
    "no yes",
    "No idea",
    "Nobody knows",
    "y",
    "n",
    "sure thing, e4",
    "thanks",
    "please",
    "Tak",
    "",
    "...",
)


def test_consent() -> None:
    assert [line for line in YES if read_consent(line) is not True] == []
    assert [line for line in NO if read_consent(line) is not False] == []
    assert [line for line in NEITHER if read_consent(line) is not None] == []


@pytest.mark.parametrize(
    ("line", "intent"),
    [
        ("I forgot my pasword", Intent.PASSWORD),
        ("change my adress", Intent.ADDRESS),
        ("other oponent", Intent.OPPONENT),
        ("Zug zuruecknehmen", Intent.UNDO),
        ("I forgot my parrot", None),
    ],
)
def test_slips_of_spelling_change_nothing(line: str, intent: Intent | None) -> None:
    wish = read_wish(line, Occasion.BOARD)
    assert (wish and wish.intent) == intent


def test_greetings() -> None:
    for line in ("Hi Bob,", "hello", "Dear Ann,", "Guten Tag", "¡Hola!", "Hoi!"):
        assert is_greeting(line), line
    for line in ("Hit d4", "High", "Oil", "Bob", "d4", "Cheers", "Carl", "", "Careful now"):
        assert not is_greeting(line), line


def test_questions_and_acts() -> None:
    assert find_question("help") == find_question("Hilfe!") == "here"
    assert find_question("Rules!") == "rules"
    assert find_question("moves ?") == "moves"
    assert find_question("moves like jagger") is None
    assert find_verb_asked("Draw?") == "propose"
    assert find_verb_asked("Draw!") == find_verb_asked("Draw near?") == ""
    assert find_act("OK, I give up now.") == "resign"
    assert find_act("Shall we call it a draw?") == "propose"
    assert find_act("What a drawing!") == ""


TALK = (
    "Thanks, nice game!",
    "gg",
    "See you at 8pm!",
    "I am 45 years old",
    "Have a nice day",
    "Спасибо!",
    "👍",
    ":-)",
    "Hmm...",
    "?!",
)
NO_TALK = (
    "e4",
    "I play e4",
    "e4?",
    "Nf9",
    "e9",
    "45",
    "resing",
    "I resign",
    "accept it",
    "draw me a sheep",
    "play b1,c1,d1,d2",
    "",
)


def test_talk() -> None:
    assert [line for line in TALK if not is_talk(line, is_square)] == []
    assert [line for line in NO_TALK if is_talk(line, is_square)] == []
    for line in ("a", "gg", "a b", "d!", "a or b"):
        assert not is_talk(line, is_column), line
    assert is_talk("What a lovely day", is_column)
    assert is_talk("What a position!", is_column)
    assert is_talk("Take your time, I'm on holiday.", lambda word: word.lower() == "take")
    assert not is_talk("take it please", lambda word: word == "take")
    assert not is_talk("12-16 please", lambda word: word == "12-16")


def test_talk_after_the_end() -> None:
    for line in ("I should have resigned", "e4 was strong", "2-0", "Draw?"):
        assert is_talk(line, is_square, is_over=True), line


def test_what_looks_like_a_move() -> None:
    assert all(map(mentions_move, ("or d4", "Nf9!", "b1,c1", "(e12-e11)", "maybe 3b")))
    assert not any(map(mentions_move, ("Cheers", "at 8pm", "the 2nd one", "2-0", "5 minutes")))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read(line: str) -> None:
    """Nothing raises, and nothing says yes and greets at once."""
    is_talk(line, is_square)
    is_talk(line, is_square, is_over=True)
    find_question(line)
    find_act(line)
    mentions_move(line)
    assert read_consent(line) is None or not mentions_move(line)


@pytest.mark.parametrize("piece", ["no ", "yes, ", "a-1", "hi ", "!", "1/1", "take back "])
def test_long_texts_cost_little(piece: str) -> None:
    line = piece * 50_000
    assert not find_question(line)
    is_talk(line, is_square)
    is_greeting(line)
    find_act(line)
    mentions_move(line)
    assert read_consent(line) is None
