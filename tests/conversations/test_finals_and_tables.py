"""Events of several stages and of three seats a board, and what a closed account leaves in one."""

from __future__ import annotations

from collections import Counter

from tests.conversations.test_kinds_of_events import FOUR, make, play_open_boards
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


def play_to_the_end(talk: Conversation) -> tuple[list[list[str]], list[Mail]]:
    """Play whatever is begun, for as long as anything is; who played whom, and the last mails."""
    talk.passes(days=7)
    rounds, mails = [], talk.everything()
    while played := play_open_boards(talk, mails):
        rounds.append(played)
        talk.passes(days=0.5)
        mails = talk.everything()
    return rounds, mails


def test_who_loses_once_in_a_double_knockout_plays_on(talk: Conversation) -> None:
    make(talk, "doubleknockout cradle -size=2 --name=Cup", *FOUR)
    rounds, over = play_to_the_end(talk)
    assert 6 <= sum(map(len, rounds)) <= 7, "four players, everybody but one loses twice"
    met = Counter(name for played in rounds for names in played for name in names.split())
    assert min(met.values()) == 2
    assert {mail.subject for mail in over} == {"[event 1] Cup is over"}
    assert sum("You are number 1 of 4." in mail.text for mail in over) == 1


def test_the_first_of_each_group_meet_in_a_final(talk: Conversation) -> None:
    people = (*FOUR, "emil", "fay")
    make(talk, "roundrobin cradle -size=2 --groups=2 --advance=1 --name=Cup", *people)
    rounds, over = play_to_the_end(talk)
    assert [len(played) for played in rounds] == [6, 1]
    (final,) = rounds[1]
    for who in final.split():
        (mail,) = [mail for mail in over if mail.address.startswith(who)]
        assert "Final" in mail.text
    talk.mails("ann", "event show 1")
    shown = talk.receives("ann", "[event 1] Cup", "Group 1", "Group 2", "Final")
    assert max(map(len, shown.lines)) <= 78


def test_tables_of_three_are_balanced(talk: Conversation) -> None:
    """Each of six plays with different people, and nobody sits in the same place each time."""
    people = (*FOUR, "emil", "fay")
    make(talk, "roundrobin cradle --seats=3 --rounds=3 --name=Cup", *people)
    talk.passes(days=7)
    seated = {
        int(mail.fact("Board")): mail.fact("Players").split()
        for mail in talk.everything()
        if "new board" in mail.subject
    }
    assert all(len(set(names)) == 3 for names in seated.values())
    tables = Counter(name for names in seated.values() for name in names)
    assert set(tables.values()) == {3}
    for who in people:
        places = Counter(names.index(who) for names in seated.values() if who in names)
        assert max(places.values()) == 1, (who, places)


def test_a_closed_account_loses_its_boards_and_is_paired_no_more(talk: Conversation) -> None:
    make(talk, "swiss cradle -size=2 --rounds=3 --name=Cup", *FOUR, "emil", "fay")
    talk.passes(days=7)
    mails = talk.everything()
    talk.mails("fay", f"signoff fay {talk.password('fay')}")
    question = talk.receives("fay", "[pbm] close your account?")
    talk.replies(question, f"confirm {question.line('Code: ')}")
    talk.everything()
    talk.mails("ann", "event pairings 1")
    talk.receives("ann", "[event 1] pairings", "forfeit")
    rest = [mail for mail in mails if "fay" not in mail.text]
    play_open_boards(talk, rest)
    talk.passes(days=1)
    after = [mail for mail in talk.everything() if "new board" in mail.subject]
    assert after
    assert all("fay" not in mail.fact("Players").split() for mail in after)
