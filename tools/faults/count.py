"""Compares the database, the accepted mails and what the relay received after a run."""

from __future__ import annotations

import asyncio
import json
import quopri
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

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
from tests.harness.databases import all_rows
from tools.faults.population import Population, Relay

_SLACK = 5.0
"""Seconds after a death in which a busy relay may still read what the dead one wrote."""


@dataclass
class Figures:
    """The counts of a run: `lost` and `doubled` mails and results, `repeated` results (which SMTP
    cannot exclude), of how many of them the page with the picture was not the same bytes as before
    (`redrawn`), and in `wrong` a sentence for every broken promise."""

    kills: int = 0
    at_calls: int = 0
    accepted: int = 0
    clicks: int = 0
    refused: int = 0
    moves: int = 0
    planned: int = 0
    results: int = 0
    lost: int = 0
    doubled: int = 0
    repeated: int = 0
    redrawn: int = 0
    most_repeated_by_a_kill: int = 0
    boards_replayed: int = 0
    longest_recovery: float = 0.0
    seconds: float = 0.0
    strikes: list[tuple[float, float]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        shown = asdict(self)
        del shown["strikes"]
        return json.dumps(shown, indent=1)


def count(url: str, people: Population, relay: Relay, figures: Figures) -> None:
    """Fill in the figures."""
    store = Store(url)
    wrong = figures.wrong
    with store.reading() as session:
        mails = all_rows(session, select(inbound.c.state, inbound.c.outcome, inbound.c.raw))
        sent = all_rows(
            session,
            select(outbound.c.id, outbound.c.state, outbound.c.recipient, outbound.c.message),
        )
        played = all_rows(
            session,
            select(moves.c.board_id, moves.c.move).order_by(moves.c.board_id, moves.c.number),
        )
        states = all_rows(session, select(boards.c.id, boards.c.ply, boards.c.state))
        figures.boards_replayed = len(states)
        wrong += find_differences(session)
    store.close()
    lost = [
        *(f"no result ever came of {what}" for what in people.unanswered),
        *list_lost_mails(mails, people),
        *list_lost_results(sent, relay),
    ]
    ended = {(row.id, row.ply) for row in states if row.state == "over"}
    doubled = [*_doubled(sent, len(played) - people.planned, ended), *list_repeated(relay, figures)]
    figures.lost, figures.doubled = len(lost), len(doubled)
    wrong += [*lost, *doubled, *_wrong_moves(played, people)]
    wrong += [f"{key!r} arrived and is not known" for key in _strangers(sent, relay)]
    figures.moves, figures.planned = len(played), people.planned
    figures.results = len(sent)
    figures.redrawn = len(relay.redrawn)
    wrong += [f"{key!r} came with two texts" for key in relay.different]


def list_lost_mails(mails: Sequence[Any], people: Population) -> Iterator[str]:
    """Yield the mails that were accepted and are gone, or are not done."""
    ids = set()
    for mail in mails:
        if mail.state != "done" or not mail.outcome:
            yield f"a mail is {mail.state} with the outcome {mail.outcome!r}"
        for line in bytes(mail.raw).split(b"\r\n"):
            if line.lower().startswith(b"message-id:"):
                ids.add(line.split(b":", 1)[1].strip().decode())
    for key in people.ids - ids:
        yield f"{key} was accepted and is gone"


def _wrong_moves(played: Sequence[Any], people: Population) -> Iterator[str]:
    """Return boards whose log differs from what their players played: no move twice, none missing,
    no forfeit."""
    logs: dict[int, list[str]] = {}
    for row in played:
        logs.setdefault(row.board_id, []).append(row.move)
    for table in people.tables:
        if logs.get(table.number, []) != table.moves:
            log = logs.get(table.number, [])
            yield f"board {table.number} has the moves {log}, not {table.moves}"


def read_key(message: bytes) -> bytes:
    """Return the Message-ID of a mail."""
    return bytes(message).split(b"Message-ID: ", 1)[1].split(b"\r\n", 1)[0]


def list_lost_results(sent: Sequence[Any], relay: Relay) -> Iterator[str]:
    """Yield the outgoing mails that never arrived."""
    for row in sent:
        if row.state != "sent":
            yield f"outgoing mail {row.id} is {row.state}"
        elif read_key(row.message) not in relay.taken:
            yield f"outgoing mail {row.id} counts as sent and never arrived"


def _strangers(sent: Sequence[Any], relay: Relay) -> set[bytes]:
    return relay.taken.keys() - {read_key(row.message) for row in sent}


def _doubled(sent: Sequence[Any], played: int, ended: set[tuple[int, int]]) -> Iterator[str]:
    """Return moves with more than two results, one for each player; copies of a mail have none, nor
    has a move that was planned. The Message-ID of a result names board, seat and the ply of the
    next move, or of the last one where the board has `ended`."""
    if len(sent) != 2 * played:
        yield f"{played} moves have {len(sent)} results"
    tokens = Counter((row.recipient, read_key(row.message).rpartition(b"-")[0]) for row in sent)
    for (recipient, token), number in tokens.items():
        board, _, ply = token.decode().removeprefix("<b").split("-")[:3]
        if number > 1 + ((int(board), int(ply)) in ended):
            yield f"{recipient} has {number} results {token!r}"


def list_repeated(relay: Relay, figures: Figures) -> Iterator[str]:
    """Return results that arrived again without a reason: the sender must have seen the 250, and
    nobody was killed in between."""
    by_kill: Counter[int] = Counter()
    for key, times in relay.taken.items():
        figures.repeated += len(times) - 1
        for one, next_one in pairwise(times):
            strike = next(
                (
                    number
                    for number, (began, ended) in enumerate(figures.strikes)
                    if one <= ended + _SLACK and next_one >= began
                ),
                None,
            )
            if strike is not None and key not in relay.unsure:
                by_kill[strike] += 1
            elif key not in relay.unsure:
                yield f"{key!r} arrived twice, and nobody was killed in between"
    figures.most_repeated_by_a_kill = max(by_kill.values(), default=0)


# Boards of Diplomacy for the kill rig: seven seats whose orders stay sealed until the last are
# in, and the count of what came of each.


SEATS = 7
_PHASE = re.compile(r"^ ((?:Spring|Fall|Winter) \d+, \w+) {3,}", re.M)
_BOARD = re.compile(r'^\[Board "(\d+)"\]', re.M)


@dataclass
class DiplomacyBoard:
    """A board: its position, what each seat has ordered in all, and the orders of each phase that
    the phase before did not have, by the power that sealed them."""

    number: int
    position: Position
    ordered: dict[int, Counter[str]] = field(default_factory=dict)
    sealed: dict[str, dict[int, set[str]]] = field(default_factory=dict)


class DiplomacyPlayers(Population):
    """Plays Diplomacy on so many boards, seven people on each, who order at the same time."""

    def __init__(self, ports: list[int], relay: Relay, boards: int, seed: int) -> None:
        super().__init__(ports, relay, 0, SEATS, seed)
        self.boards = [
            DiplomacyBoard(number, get_game("dip").setup(SEATS)) for number in range(1, boards + 1)
        ]

    async def play(self) -> None:
        """Play on all boards until `stopping`."""
        await asyncio.gather(*map(self._play, self.boards))

    async def _play(self, board: DiplomacyBoard) -> None:
        while not self.stopping and board.position.to_move:
            position = board.position
            phase = read_phase(position)
            orders = {seat: [*position.advise(seat)] for seat in sorted(position.to_move)}
            shown = {text for lines in _list_shown(position) for text in lines}
            board.sealed[phase] = {
                seat: {line.upper() for line in lines if " " in line} - shown
                for seat, lines in orders.items()
            }
            for seat, lines in orders.items():
                board.ordered.setdefault(seat, Counter()).update(lines)
                for line in lines:
                    position = position.play(seat, line)
            await asyncio.gather(*(self._order(board, *each) for each in orders.items()))
            board.position = position
            if not await self._goes_on(board.number, read_phase(position)):
                self.unanswered.append(f"{phase} on board {board.number}")
                return

    async def _order(self, board: DiplomacyBoard, seat: int, lines: list[str]) -> None:
        self._sent += 1
        self.bringing += 1
        key = f"<{board.number}.{seat}.{self._sent}@mta.example>"
        await asyncio.sleep(self._random.uniform(0.0, 0.5))
        sender = f"p{seat}@game.example"
        head = [
            f"From: {sender}",
            "To: pbm@game.example",
            f"Subject: dip move {board.number} p{seat} secret",
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


def seat_diplomacy_boards(url: str, count: int) -> None:
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


def count_diplomacy_boards(
    url: str, people: DiplomacyPlayers, relay: Relay, figures: Figures
) -> None:
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
    people: DiplomacyPlayers, logs: Mapping[tuple[int, int], Counter[str]]
) -> Iterator[str]:
    """Yield what a log has more or less often than its power ordered it."""
    for board in people.boards:
        for seat, ordered in board.ordered.items():
            log = logs.get((board.number, seat), Counter())
            if log != ordered:
                lost, doubled = dict(ordered - log), dict(log - ordered)
                yield f"board {board.number}, seat {seat}: lost {lost}, doubled {doubled}"


def _list_early(people: DiplomacyPlayers, relay: Relay) -> Iterator[str]:
    """Yield the mails that show an order of another power while its phase goes on."""
    by_number = {board.number: board for board in people.boards}
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
