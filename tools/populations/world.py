"""The world of the year: a server in this process, a fast clock, everybody's mail, and the bots'
answers."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from pbm.bots.turns import accepts_draw, choose_turn
from pbm.config import Config, Database, Limits, Trust
from pbm.config import Server as Address
from pbm.core import house_players as bots
from pbm.core.command import Command
from pbm.features.events.rows import find_events_in_state
from pbm.games import get_game
from pbm.rules.turn_text import turn_text
from pbm.store.tables import moves
from pbm.store.transaction import Session
from tests.harness.conversation import DAY, SERVER, Clock, Conversation
from tests.harness.mail import Mail
from tests.harness.servers import InProcess
from tools.populations.simulated_players import Person, acts, joins, person, reads, settle_in

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


STEP = DAY / 4
_TURNS_OF_BOTS = 6


@dataclass(frozen=True, slots=True)
class Received:
    """A mail that somebody got, and when."""

    at: float
    who: str
    subject: str
    text: str


class World:
    """`live` lets days pass; `wrong` has a sentence for every violation. `plans`: the players can
    be foreseen, and (True) they write plans. `every`: days of a season of the league."""

    def __init__(
        self,
        url: str,
        *,
        players: int,
        days: float,
        seed: int,
        plans: bool | None = None,
        every: int = 60,
    ) -> None:
        self.dice = random.Random(seed)
        self.clock = Clock()
        self.begin, self.days = self.clock.now, days
        config = Config(
            server=Address(address=SERVER),
            database=Database(url),
            limits=Limits(mails_a_day=0),
            trust=Trust(newcomer=0),
        )
        self.server = InProcess(config, self.clock, self.dice.randbytes)
        self.talk = Conversation(self.server, self.clock, confirms=True)
        self.people = [person(n, self.dice, self.begin, days) for n in range(players)]
        for each in self.people:
            each.foresees, each.plans = plans is not None, bool(plans)
        self._by_name = {each.name: each for each in self.people}
        self.did: Counter[str] = Counter()
        self.post: list[Received] = []
        self._events: list[tuple[Person, Mail]] = []
        self.wrong: list[str] = []
        with self.server.store.writing() as session:
            bots.enrol(session, self.clock.now)
        for each in self.people:
            settle_in(self.talk, each)
        self._deliver()
        announce(self.talk, self.people[0], every)
        self._deliver()

    def live(self) -> None:
        """Run the year, a quarter of a day at a time, with the server down now and then and its
        clock wrong once."""
        steps = int(self.days * DAY / STEP)
        down = set(self.dice.sample(range(4, steps), max(1, steps // 300)))
        mad = self.dice.randrange(steps // 2, steps)
        for number in range(steps):
            if number in down:
                self._is_down(self.dice.choice((0.4, 2, 9)))
            if number == mad:
                self._is_down(400)
                self._is_down(-400)
            self._quarter()

    def falls_silent(self, days: float, step: float = 0.25) -> None:
        """Let the clocks run while nobody writes any more."""
        end = self.clock.now + days * DAY
        while self.clock.now < end:
            self.clock.advance(days=step)
            self.server.tick(step * DAY)
            self._deliver()

    def _quarter(self) -> None:
        start = self.clock.now
        there = [each for each in self.people if each.is_there(start) and each.looks()]
        self.dice.shuffle(there)
        for each in there:
            self.clock.advance(seconds=self.dice.uniform(0, STEP / len(self.people)))
            with self.server.store.reading() as session:
                acts(self.talk, each, self.people, session, self.did)
                running = [row.id for row in find_events_in_state(session, "running", 5)]
            look(self.talk, each, running, self.did)
            self._deliver()
        self._answer_events()
        self.clock.now = start + STEP
        self._bots_answer()
        self.server.tick(STEP)
        self._deliver()

    def _is_down(self, days: float) -> None:
        """Stop everything for a while, or let the clock jump; nobody may forfeit because of it."""
        self.server.tick(STEP)
        before = self.forfeits()
        self.clock.advance(days=days)
        self.server.tick(60.0)
        if self.forfeits() != before:
            self.wrong.append(f"{days} days without a server: somebody was out afterwards")
        self.did["down"] += 1

    def forfeits(self) -> int:
        """Return the number of forfeits so far."""
        with self.server.store.reading() as session:
            query = select(func.count()).select_from(moves).where(moves.c.kind == "forfeit")
            return int(session.execute(query).scalar_one())

    def _deliver(self) -> None:
        """Deliver the mails; whoever asked for offers accepts one."""
        for mail in self.talk.everything():
            name = mail.address.partition("@")[0]
            self.post.append(Received(self.clock.now, name, mail.subject, mail.text))
            each = self._by_name[name]
            if "] not done" in mail.subject:
                continue
            if mail.subject.startswith("[event "):
                self._events.append((each, mail))
                continue
            if mail.subject.startswith("[pbm] open offers"):
                joins(self.talk, each, mail, self.did)
            else:
                reads(each, mail)

    def _answer_events(self) -> None:
        """Have whoever is there answer mails about events; the others do so later."""
        waiting, self._events = self._events, []
        for each, mail in waiting:
            if each.is_there(self.clock.now):
                answer(self.talk, each, mail, self.did)
            elif not each.gone:
                self._events.append((each, mail))
        self._deliver()

    def export(self, who: str, game: str, board: int) -> Mail:
        """Return the record of a board, by mail."""
        self.talk.mails(who, f"{game} export {board}")
        (mail,) = self.talk.everything()
        return mail

    def _bots_answer(self) -> None:
        """Run the bots' turns, as a running server does."""
        store = self.server.store
        for _ in range(_TURNS_OF_BOTS):
            with store.reading() as session:
                waiting = bots.find_waiting(session, 100)
            for wait in waiting:
                with store.writing() as session:
                    if bots.is_current(session, wait):
                        self._answer(session, wait)
            if not waiting:
                break

    def _answer(self, session: Session, wait: bots.BotBoard) -> None:
        command = bots.answer_or_ask(session, wait)
        if isinstance(command, bots.BotQuestion):
            command = self._thinks(wait, command)
        result = self.server.services.service.submit(session, command, self.clock.now)
        if result.is_refused:
            self.wrong.append(f"{wait.name} could not answer on board {wait.board}")
        self.did["bot"] += 1

    def _thinks(self, wait: bots.BotBoard, question: bots.BotQuestion) -> Command:
        """Return a bot's turn or claim of a draw after a short search."""
        position = get_game(wait.game).decode(question.position)
        looks = iter(range(12))

        def enough(part: float) -> bool:
            return next(looks, -1) < 0

        if question.may_claim and accepts_draw(position, wait.name, self.dice, enough):
            return bots.build_command(wait, bots.CLAIM)
        found = choose_turn(position, wait.seat, wait.name, self.dice, enough)
        return bots.build_command(wait, "move", turn_text(position, wait.seat, found))
