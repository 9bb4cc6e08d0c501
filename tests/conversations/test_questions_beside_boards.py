"""What a player asks in a mail that is about no board is answered, not only what stands in a
command's own words."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation


@pytest.mark.parametrize(
    ("line", "page"),
    [
        ("tell me the rules of chess", "chess"),
        ("What is hex?", "hex"),
        ("Wie sind die Regeln von Go?", "go"),
        ("quelles sont les règles des échecs ?", "chess"),
        ("¿Cuáles son las reglas del ajedrez?", "chess"),
        ("wat zijn de regels van dammen?", "internationaldraughts"),
    ],
)
def test_the_rules_of_a_game(talk: Conversation, line: str, page: str) -> None:
    talk.signup("ann")
    talk.proves("ann", line)
    talk.receives("ann", f"[pbm] help {page}")


@pytest.mark.parametrize(
    ("line", "subject"),
    [
        ("how many boards do I have?", "[pbm] open boards of ann"),
        ("wie viele Bretter habe ich?", "[pbm] open boards of ann"),
        ("who is bob?", "[pbm] bob"),
        ("who bob now", "[pbm] bob"),
    ],
)
def test_other_questions(talk: Conversation, line: str, subject: str) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", line)
    talk.receives("ann", subject)


def test_rules_of_no_game_bring_the_list_of_games(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", "the rules, please")
    assert talk.any_mail("ann").subject.endswith(" games")


def test_other_words_for_a_command(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", "rank")
    asked = talk.any_mail("ann")
    talk.replies(asked, "yes")
    talk.receives("ann", "[pbm] ratings of ann")
