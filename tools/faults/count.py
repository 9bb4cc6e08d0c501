"""Compares the database, the accepted mails and what the relay received after a run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

from sqlalchemy import select

from pbm.core.fsck import find_differences
from pbm.store.engine import Store
from pbm.store.tables import boards, inbound, moves, outbound
from tests.harness.statements import all_rows
from tools.faults.population import Population
from tools.faults.recording_relay import Relay

_SLACK = 5.0
"""Seconds after a death in which a busy relay may still read what the dead one wrote."""


@dataclass
class Figures:
    """The counts of a run: `lost` and `doubled` mails and results, `repeated` results (the same
    bytes again, which SMTP cannot exclude), and in `wrong` a sentence for every broken promise."""

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
