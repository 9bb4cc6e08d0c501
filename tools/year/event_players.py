"""What the players of the year do in events: one of them makes a league and a ladder, and nobody
organises anything after that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tools.year.simulated_players import Person

NEW = (
    "league tictactoe --divisions=3 --exchange=2 --every={every} --silent=15 --forfeit=8 "
    "--name=Club league",
    "ladder fourinarow --reach=3 --answer=6 --decay=14 --forfeit=9 --name=Club ladder",
)
"""What is made on the first day."""
_CHALLENGES = 0.12
"""How often somebody on the ladder looks who is above them."""
_LEAVES = 0.002
_STAYS_AWAY = 0.08
"""How often somebody does not take part in the next season."""
_REACH = 3


def announce(talk: Conversation, maker: Person, every: int) -> None:
    """Make the league, with seasons of so many days, and the ladder."""
    for terms in NEW:
        talk.proves(maker.name, f"event new {terms.format(every=every)}", "For everybody.")


def answer(talk: Conversation, each: Person, mail: Mail, did: Counter[str]) -> None:
    """Answer a mail about an event: enter a new one, stay away from the next season, challenge
    somebody above."""
    number = _find_event(mail)
    if re.search(r"\] (new: .*|Club .* is open)$", mail.subject):
        talk.replies(mail, f"event enter {number}")
        did["enter event"] += 1
    elif re.search(r"\] (Club ladder has begun|you have entered Club ladder)$", mail.subject):
        each.ladder = number
    elif mail.subject.endswith("is over"):
        _read_prizes(talk, each, mail, did)
    elif mail.subject.endswith("standings") and each.ladder == number:
        _challenge(talk, each, mail, did)


def _find_event(mail: Mail) -> int:
    found = re.match(r"\[event (\d+)\]", mail.subject)
    return int(found[1]) if found else 0


def _read_prizes(talk: Conversation, each: Person, mail: Mail, did: Counter[str]) -> None:
    """Read the prize list, which names the next season."""
    found = re.search(r"is event (\d+)\s+and begins", mail.text)
    if found is not None and each.dice.random() < _STAYS_AWAY:
        talk.replies(mail, f"event leave {found[1]}")
        did["stays away"] += 1


def _challenge(talk: Conversation, each: Person, mail: Mail, did: Counter[str]) -> None:
    rungs = [line.split()[1] for line in mail.lines if re.match(r" {0,2}\d+  \S", line)]
    place = rungs.index(each.name) if each.name in rungs else 0
    above = rungs[max(place - _REACH, 0) : place]
    if above:
        talk.replies(mail, f"event challenge {each.ladder} {each.dice.choice(above)}")
        did["challenge event"] += 1


def look(talk: Conversation, each: Person, running: Sequence[int], did: Counter[str]) -> None:
    """Ask now and then who is above on the ladder, how it stands, why; seldom somebody leaves."""
    dice = each.dice
    if each.ladder and dice.random() < _CHALLENGES:
        talk.proves(each.name, f"event standings {each.ladder}")
        did["look at ladder"] += 1
    if running and dice.random() < 0.01:
        number = dice.choice(running)
        word = dice.choice(("show", "standings", "pairings", "why", "calendar", "record"))
        talk.proves(each.name, f"event {word} {number}")
        did["look at event"] += 1
    if running and dice.random() < _LEAVES:
        talk.proves(each.name, f"event leave {dice.choice(running)}")
        did["leave event"] += 1
