"""Boards of Diplomacy for the kill rig: seven seats whose orders stay sealed until the last are in,
and the count of what came of each."""

from __future__ import annotations

import asyncio
import quopri
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlalchemy import select

from pbm.config import Config
from pbm.core.context import Context
from pbm.core.fsck import find_differences
from pbm.core.making import insert_board
from pbm.core.options import Terms
from pbm.core.player import Player, find_player
from pbm.core.storing import save
from pbm.daemon.keys import load_secrets
from pbm.games import get_game
from pbm.rules import Position
from pbm.store.engine import Store
from pbm.store.tables import boards, inbound, moves, outbound
from tests.harness.statements import all_rows
from tools.faults.count import Figures, list_lost_mails, list_lost_results, list_repeated, read_key
from tools.faults.population import Population
from tools.faults.recording_relay import Relay

SEATS = 7
_PHASE = re.compile(r"^ ((?:Spring|Fall|Winter) \d+, \w+) {3,}", re.M)
_BOARD = re.compile(r'^\[Board "(\d+)"\]', re.M)


@dataclass
class Council:
    """A board: its position, what each seat has ordered in all, and the orders of each phase that
    the phase before did not have, by the power that sealed them."""

    number: int
    position: Position
    ordered: dict[int, Counter[str]] = field(default_factory=dict)
    sealed: dict[str, dict[int, set[str]]] = field(default_factory=dict)


class Councils(Population):
    """Plays Diplomacy on so many boards, seven people on each, who order at the same time."""

    def __init__(self, ports: list[int], relay: Relay, boards: int, seed: int) -> None:
        super().__init__(ports, relay, 0, SEATS, seed)
        self.councils = [
            Council(number, get_game("dip").setup(SEATS)) for number in range(1, boards + 1)
        ]

    async def play(self) -> None:
        """Play on all boards until `stopping`."""
        await asyncio.gather(*map(self._council, self.councils))

    async def _council(self, council: Council) -> None:
        while not self.stopping and council.position.to_move:
            position = council.position
            phase = read_phase(position)
            orders = {seat: [*position.advise(seat)] for seat in sorted(position.to_move)}
            shown = {text for lines in _list_shown(position) for text in lines}
            council.sealed[phase] = {
                seat: {line.upper() for line in lines if " " in line} - shown
                for seat, lines in orders.items()
            }
            for seat, lines in orders.items():
                council.ordered.setdefault(seat, Counter()).update(lines)
                for line in lines:
                    position = position.play(seat, line)
            await asyncio.gather(*(self._order(council, *each) for each in orders.items()))
            council.position = position
            if not await self._goes_on(council.number, read_phase(position)):
                self.unanswered.append(f"{phase} on board {council.number}")
                return

    async def _order(self, council: Council, seat: int, lines: list[str]) -> None:
        self._sent += 1
        self.bringing += 1
        key = f"<{council.number}.{seat}.{self._sent}@mta.example>"
        await asyncio.sleep(self._random.uniform(0.0, 0.5))
        sender = f"p{seat}@game.example"
        head = [
            f"From: {sender}",
            "To: pbm@game.example",
            f"Subject: dip move {council.number} p{seat} secret",
            f"Message-ID: {key}",
            "",
        ]
        text = "\r\n".join([*head, *lines]).encode()
        copies = 2 if self._random.random() < 0.1 else 1
        await asyncio.gather(*(self._bring(sender, text) for _ in range(copies)))
        self.ids.add(key)
        self.bringing -= 1

    async def _goes_on(self, board: int, phase: str) -> bool:
        """Whether a mail shows that phase of the board before `over`."""
        while not any((board, phase) == read_place(text) for text in [*self._relay.texts.values()]):
            if self.over:
                return False
            await asyncio.sleep(0.2)
        return True


def seat_councils(url: str, count: int) -> None:
    """Begin so many boards of Diplomacy, with the first seven seeded players on each."""
    store, game = Store(url), get_game("dip")
    secrets = load_secrets(store)
    with store.writing() as session:
        context = Context(session, time.time(), secrets, Config())
        people = [find_player(session, f"p{seat}") for seat in range(SEATS)]
        seated = [player for player in people if isinstance(player, Player)]
        for _ in range(count):
            accepted = [player.id for player in seated]
            board = insert_board(
                context,
                game,
                game.setup(SEATS),
                seated,
                Terms(),
                state="running",
                accepted=accepted,
            )
            board.start(context.now)
            save(session, board, context.now)
    store.close()


def read_phase(position: Position) -> str:
    """Return the phase that a position's picture names; "over" once the game has ended."""
    found = _PHASE.search("\n".join(position.picture(None).lines))
    return "over" if position.outcome or found is None else found[1]


def read_place(raw: bytes) -> tuple[int, str]:
    """Return the board and the phase that a mail shows; "over" for one of the end."""
    text = _read_text(raw)
    board, phase = _BOARD.search(text), _PHASE.search(text)
    shown = "over" if "The game is over" in text else phase[1] if phase else ""
    return int(board[1]) if board else 0, shown


def count_councils(url: str, people: Councils, relay: Relay, figures: Figures) -> None:
    """Fill in the figures of a run with boards of Diplomacy."""
    store = Store(url)
    with store.reading() as session:
        mails = all_rows(session, select(inbound.c.state, inbound.c.outcome, inbound.c.raw))
        sent = all_rows(
            session,
            select(outbound.c.id, outbound.c.state, outbound.c.recipient, outbound.c.message),
        )
        played = all_rows(session, select(moves.c.board_id, moves.c.seat, moves.c.move))
        figures.boards_replayed = len(all_rows(session, select(boards.c.id)))
        figures.wrong += find_differences(session)
    store.close()
    lost = [
        *(f"no result ever came of {what}" for what in people.unanswered),
        *list_lost_mails(mails, people),
        *list_lost_results(sent, relay),
    ]
    tokens = Counter((row.recipient, read_key(row.message).rpartition(b"-")[0]) for row in sent)
    doubled = [
        *(
            f"{who} has {number} results {key!r}"
            for (who, key), number in tokens.items()
            if number > 2
        ),
        *list_repeated(relay, figures),
    ]
    logs: dict[tuple[int, int], Counter[str]] = {}
    for row in played:
        logs.setdefault((row.board_id, row.seat), Counter())[row.move] += 1
    figures.lost, figures.doubled = len(lost), len(doubled)
    figures.wrong += [*lost, *doubled, *_compare_orders(people, logs), *_list_early(people, relay)]
    figures.moves, figures.results = len(played), len(sent)


def _compare_orders(
    people: Councils, logs: Mapping[tuple[int, int], Counter[str]]
) -> Iterator[str]:
    """Yield what a log has more or less often than its power ordered it."""
    for council in people.councils:
        for seat, ordered in council.ordered.items():
            log = logs.get((council.number, seat), Counter())
            if log != ordered:
                lost, doubled = dict(ordered - log), dict(log - ordered)
                yield f"board {council.number}, seat {seat}: lost {lost}, doubled {doubled}"


def _list_early(people: Councils, relay: Relay) -> Iterator[str]:
    """Yield the mails that show an order of another power while its phase goes on."""
    by_number = {council.number: council for council in people.councils}
    for raw in relay.texts.values():
        board, phase = read_place(raw)
        if board not in by_number:
            continue
        reader = re.search(rb"^To: p(\d+)@", raw, re.M)
        said = " ".join(_read_text(raw).split())
        for seat, orders in by_number[board].sealed.get(phase, {}).items():
            early = [order for order in orders if f"{order}," in f"{said},"]
            if early and (reader is None or int(reader[1]) != seat):
                yield f"{early} of seat {seat} in a mail of {phase}"


def _list_shown(position: Position) -> Iterator[set[str]]:
    """Yield the orders that everybody is shown: those of the phases before."""
    for record in getattr(position, "latest", ()):
        yield {order for _, order, _ in record.judged}


def _read_text(raw: bytes) -> str:
    """Return the headers and the text of a mail as the relay keeps it."""
    return quopri.decodestring(raw).decode("utf-8", "replace").replace("\r\n", "\n")
