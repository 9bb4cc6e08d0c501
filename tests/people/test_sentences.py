"""What people say besides moves, in five languages: each sentence is mailed to a server, and what
is right for it stands beside it in `sentences.txt` and `held_out.txt`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from sqlalchemy import delete, select

from pbm.config import Config, Database, Players, Trust
from pbm.config import Server as Address
from pbm.locale import LANGUAGES
from pbm.store.tables import boards, counters, moves
from tests.harness.conversation import SERVER, UNLIMITED, Clock, Conversation
from tests.harness.mail import Mail
from tests.harness.servers import InProcess

_HERE = Path(__file__).parent
_UNDERSTOOD = 0.85
_PASSED_ON = 0.01


class Said(NamedTuple):
    """A sentence, and what is right."""

    language: str
    place: str
    text: str
    right: str


def read_sentences(name: str) -> list[Said]:
    """Read the sentences of a file."""
    lines = _HERE.joinpath(name).read_text("utf-8").splitlines()
    rows = (line.split(" | ") for line in lines if line and not line.startswith("#"))
    return [
        Said(lang, place, text.replace("\\n", "\n"), right) for lang, place, text, right in rows
    ]


class Room:
    """A server on which each place is one to which a sentence can be mailed."""

    def __init__(self, url: str) -> None:
        config = Config(
            server=Address(address=SERVER),
            database=Database(url),
            players=Players(pictures=False),
            trust=Trust(newcomer=0),
        )
        config = replace(config, limits=replace(config.limits, **UNLIMITED))
        self.clock = Clock()
        self.talk = Conversation(InProcess(config, self.clock), self.clock, confirms=True)
        self._number = 0
        self._mails: dict[str, Mail] = {}
        self.talk.signup("bob")
        self.talk.mails("ann", f"signup ann {self.talk.password('ann')}")
        code = self.talk.any_mail("ann")
        self.talk.replies(code, f"confirm {code.line('Code: ')}")
        self._welcome = self.talk.any_mail("ann")

    def find(self, place: str) -> Mail:
        """Return the mail that is answered at a place."""
        talk = self.talk
        if place == "welcome":
            return self._welcome
        if place == "invitation":
            self._number += 1
            talk.proves("ann", f"invite kim{self._number}@example.org chess")
            mails = talk.everything()
            return next(each for each in mails if each.address.startswith("kim"))
        if place not in self._mails:
            self._mails |= self._start(place)
        return self._mails[place]

    def _start(self, place: str) -> dict[str, Mail]:
        talk = self.talk
        if place == "list":
            talk.challenge("chess", "ann", "bob")
            talk.challenge("hex", "ann", "bob")
            talk.proves("ann", "mine")
            return {"list": talk.everything()[0]}
        if place == "event":
            talk.proves("ann", "event new swiss chess --rounds=3 --begins=2026-03-20")
            made = talk.everything()[0]
            talk.replies(made, "event enter 1")
            return {"event": talk.everything()[0]}
        if place == "refusal":
            talk.replies(self.find("chess on"), "Ne5")
            return {"refusal": talk.everything()[0]}
        game = place.split(" ")[0]
        begin = talk.agreed if game == "backgammon" else talk.challenge
        first = begin(game, "ann", "bob")
        first.sort(key=lambda mail: "It is your move" not in mail.text)
        if game == "chess":
            first = talk.plays(["e4", "e5"], "ann", "bob", latest=first)
        elif game == "go":
            first = talk.plays(["d4", "q16"], "ann", "bob", latest=first)
        found = {f"{game} on": first[0], f"{game} off": first[1]}
        if place == "chess over":
            talk.replies(first[0], "resign")
            found = {
                "chess over": next(m for m in talk.everything() if m.address.startswith("ann"))
            }
        return found

    def say(self, said: Said) -> tuple[list[Mail], list[Mail], str]:
        """Mail a sentence; what its writer receives, what others receive, and what became of it:
        "" for nothing."""
        self.clock.advance(seconds=1)
        mail = self.find(said.place) if said.place != "new" else None
        with self.talk.server.store.writing() as session:
            session.execute(delete(counters))
        before = self.state()
        if mail is None:
            self._number += 1
            who = f"new{self._number}"
            self.talk.mails(who, "Hello", said.text)
        else:
            self.talk.replies(mail, said.text)
            who = mail.address.partition("@")[0]
        mails = self.talk.everything()
        own = [each for each in mails if each.address.partition("@")[0] == who]
        others = [each for each in mails if each not in own]
        is_changed = self.state() != before
        if is_changed and said.place not in ("invitation", "welcome", "event", "new"):
            self._mails = {name: mail for name, mail in self._mails.items() if name == "event"}
        return own, others, "changed" if is_changed else ""

    def state(self) -> object:
        """What acts change: boards, their logs and proposals."""
        with self.talk.server.store.reading() as session:
            query = select(boards.c.id, boards.c.state, boards.c.ply, boards.c.proposals)
            rows = list(session.tuples(query))
            log = list(session.tuples(select(moves.c.board_id, moves.c.move)))
        return sorted(map(str, rows)), sorted(map(str, log))


def judge(said: Said, own: Sequence[Mail], others: Sequence[Mail], change: str) -> str:
    """Return "right", "useless", "passed on" or "wrong act"."""
    right, text = said.right, "\n".join(mail.text for mail in own)
    flat = " ".join(text.split()).lower()
    reached = [mail for mail in others if "writes on board" in mail.text or "> " in mail.text]
    if right[0] == "*":
        is_offered = f"    {right[1:]}" in text and "the word yes" in flat
        return "right" if is_offered or (change and right[1:].lower() in flat) else "useless"
    if right[0] == "!":
        return "right" if change and right[1:].lower() in flat else "useless"
    if right == "+":
        return "right" if "changed" in change or "[Board" in text else "useless"
    if right == "-":
        return "right" if not own and not others else "useless"
    if change:
        return "wrong act"
    if right == ">":
        return "right" if reached else "useless"
    if right == ">?":
        is_offered = f"chat {said.text}".lower() in flat or "the word chat before it" in flat
        return "right" if reached or is_offered else "useless"
    if (reached or others) and "your words were passed on" not in flat:
        return "passed on"
    if right == ".":
        return "right" if not own else "useless"
    if right == "#":
        return "right" if own else "useless"
    wanted = right[1:].lower()
    if right[0] == "=":
        is_offered = any(
            line.lower().startswith(f"    {wanted}") for mail in own for line in mail.lines
        )
        return "right" if is_offered and "the word yes" in flat else "useless"
    return "right" if wanted in flat else "useless"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A server with two players."""
    made = Room(f"sqlite:///{tmp_path_factory.mktemp('people') / 'pbm.db'}")
    yield made
    made.talk.server.close()


@pytest.mark.parametrize(
    "name", ["sentences.txt", pytest.param("held_out.txt", marks=pytest.mark.long)]
)
def test_what_people_say_is_understood(room: Room, name: str) -> None:
    counts: dict[str, Counter[str]] = {}
    wrong = []
    for said in read_sentences(name):
        verdict = judge(said, *room.say(said))
        counts.setdefault(said.language, Counter())[verdict] += 1
        if verdict != "right":
            wrong.append(f"{verdict}: {said}")
    told = "\n".join([*wrong, *(f"{each}: {dict(count)}" for each, count in counts.items())])
    print(told)
    everything = sum(counts.values(), Counter())
    assert everything["wrong act"] == 0, told
    assert everything["passed on"] <= _PASSED_ON * everything.total(), told
    for count in counts.values():
        assert count["right"] >= _UNDERSTOOD * count.total(), told


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_words_stand_for_is_written_once(language: str) -> None:
    """The second of two rows would hide the first."""
    text = Path(f"pbm/locale/{language}/intents.txt").read_text("utf-8")
    names = [line.partition(":")[0] for line in text.splitlines() if not line.startswith("#")]
    assert [name for name, count in Counter(names).items() if count > 1] == []
