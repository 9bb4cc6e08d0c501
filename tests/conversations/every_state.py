"""A club in which every state of a board, an event and an account occurs at once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqlalchemy import select

from pbm.config import Config, Database, Events, Limits, Trust, Web
from pbm.config import Server as Address
from pbm.core.call import MustWrite
from pbm.core.command import Sender
from pbm.core.operator import OperatorAct
from pbm.core.parser import read_line
from pbm.core.player import find_player
from pbm.core.refusal import Refusal
from pbm.core.submit import CommandService, Unread
from pbm.features.accounts import banning
from pbm.mail.render import render
from pbm.store.tables import boards, events
from pbm.store.transaction import Session
from tests.conversations.test_passwords import UNLIMITED
from tests.harness.conversation import SERVER, Clock, Conversation, address_of
from tests.harness.servers import InProcess

MATED = ("f3", "e5", "g4", "Qh4")
PEOPLE = ("ann", "bob", "cat", "dan")
GONE = ("una", "sue", "clo", "era")
"""Accounts that are unconfirmed, suspended, closed and erased."""
TERMS = (
    "swiss cradle -size=2 --rounds=3",
    "roundrobin cradle -size=2",
    "knockout cradle -size=2",
    "league cradle -size=2",
    "ladder cradle -size=2",
    "roundrobin cradle -size=2 --seats=3",
)
"""Every kind of event; a tour has events of its own."""


@dataclass
class World:
    """The server, and the numbers of what there is."""

    talk: Conversation
    server: InProcess
    config: Config
    service: CommandService
    boards: list[tuple[int, str]] = field(default_factory=list)
    events: list[int] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    invitations: list[str] = field(default_factory=list)

    def asks(self, session: Session, line: str, sender: Sender) -> list[tuple[str, str]]:
        """The answers to a command that only looks, as mails; the server counts nothing. An error
        is raised here."""
        try:
            part = read_line(line, sender)
        except Refusal as refusal:
            notices = self.service.show(session, Unread(sender, refusal), self.talk.clock())
            return [render(notice, self.config) for notice in notices]
        if not part.verb.is_read_only:
            return []
        try:
            notices = self.service.show(session, part, self.talk.clock())
        except MustWrite:
            return []
        return [render(notice, self.config) for notice in notices]

    def find_senders(self, session: Session) -> list[Sender]:
        """A stranger, the operator's terminal, and players in every state, by their proof or by
        their From alone."""
        senders = [Sender(address="eve@example.org"), Sender(via="terminal")]
        for who in ("ann", *GONE):
            senders.append(Sender(address=address_of(who)))
            player = find_player(session, who)
            if player is not None:
                senders.append(Sender(address=address_of(who), player=player.id))
        return senders


def build_world(url: str, *, is_small: bool = False) -> World:
    """Play until every state has come up; where it `is_small`, events have not begun."""
    config = Config(
        server=Address(address=SERVER),
        database=Database(url),
        limits=Limits(**UNLIMITED, notices_a_day=0, news_a_day=0),
        events=Events(open_events=0),
        trust=Trust(newcomer=0),
        web=Web("", "https://club.ex"),
    )
    clock = Clock()
    server = InProcess(config, clock)
    talk = Conversation(server, clock, confirms=config.players.confirm_addresses)
    service = CommandService(config, server.secrets)
    world = World(talk, server, config, service)
    talk.signup(*PEOPLE, "sue", "clo", "era")
    talk.proves("ann", "club new rooks")
    talk.everything()
    if not is_small:
        _make_events(world, days=3, ends=21)
        talk.passes(days=30, step=86400.0)
        talk.everything()
        _make_events(world, days=2, ends=40)
        talk.passes(days=2.5, step=43200.0)
        talk.everything()
    _make_events(world, days=20, ends=60)
    _make_boards(talk)
    _leave(world)
    with server.store.reading() as session:
        world.boards = [
            (row[0], row[1]) for row in session.tuples(select(boards.c.id, boards.c.game))
        ]
        world.events = [row[0] for row in session.tuples(select(events.c.id))]
    return world


def _make_events(world: World, days: int, ends: int) -> None:
    """Events of all kinds without entrants, with one and with four."""
    talk = world.talk
    begins = _date(talk, days)
    talk.proves("ann", f"event new tour cradle --name=Tour --ends={_date(talk, ends + 1)}")
    tour = talk.any_mail("ann").subject.split()[1].rstrip("]")
    for number, terms in enumerate((*TERMS, f"roundrobin cradle -size=2 --tour={tour}")):
        who = PEOPLE[number % 4]
        for count in (0, 1, 4) if terms.startswith("swiss") else (0, 4):
            talk.proves(
                who, f"event new {terms} --begins={begins} --ends={_date(talk, ends)} --name=Cup"
            )
            made = talk.any_mail(who).subject
            assert "is open" in made, made
            event = made.split()[1].rstrip("]")
            for entrant in PEOPLE[:count]:
                talk.proves(entrant, f"event enter {event}")
            talk.everything()


def _date(talk: Conversation, days: int) -> str:
    return f"{datetime.fromtimestamp(talk.clock.now + days * 86400, UTC):%Y-%m-%d}"


def _make_boards(talk: Conversation) -> None:
    for game in ("chess", "backgammon", "darkchess", "battleship", "cradle"):
        people = ("ann", "bob", "era") if game == "cradle" else ("ann", "bob")
        for _ in range(3):  # just made, over, cancelled
            talk.proves("ann", f"{game} challenge {' '.join(people)} --ask")
            talk.everything()
        last = _newest_board(talk)
        for number in (last - 2, last - 1):
            for who in people[1:]:
                talk.proves(who, f"{game} accept {number}")
        talk.proves("bob", f"{game} decline {last}")
        talk.proves("bob", f"{game} resign {last - 1}")
        talk.proves("ann", f"{game} resign {last - 1}")
        talk.proves("ann", f"{game} challenge {' '.join(people)} --ask")  # invited
        talk.mails("ann", f"{game} challenge {' '.join(people)}")  # asleep
        talk.everything()
    mated = talk.challenge("chess", "cat", "dan")
    talk.plays(MATED, "cat", "dan", latest=mated)
    talk.proves("dan", f"chess resign {_newest_board(talk)}")
    talk.proves("cat", "chess seek")
    talk.everything()


def _newest_board(talk: Conversation) -> int:
    with talk.server.store.reading() as session:
        query = select(boards.c.id).order_by(boards.c.id.desc()).limit(1)
        return int(session.execute(query).scalar_one())


def _leave(world: World) -> None:
    """Some accounts are not, or no longer, what they were."""
    talk, server = world.talk, world.server
    talk.mails("una", f"signup una {talk.password('una')}")
    talk.proves("ann", "invite link")
    talk.mails("clo", f"signoff clo {talk.password('clo')}")
    talk.mails("era", f"erase era {talk.password('era')}")
    for mail in talk.everything():
        world.codes += re.findall(r"https://club\.ex/c/(\S+)", mail.text)
        world.invitations += re.findall(r"https://club\.ex/join/(\S+)", mail.text)
        if mail.address == "era@example.org" and "Code: " in mail.text:
            talk.mails("era", f"confirm {mail.line('Code: ')}")
    with server.store.writing() as session:
        act = OperatorAct(session, "op", "", talk.clock(), server.secrets, world.config)
        banning.suspend(act, "sue")
    talk.everything()
