"""Every game on the shelf: a board played at random, recorded, imported and replayed."""

from __future__ import annotations

import json
import random

import pytest
from sqlalchemy import insert

from pbm.config import Config
from pbm.core import fsck
from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.command import Command, Sender
from pbm.core.feature import list_verbs
from pbm.core.log import audit_rolls, build_entry
from pbm.core.options import Terms
from pbm.core.player import Player, get_player
from pbm.core.secrets import Secrets
from pbm.core.storing import load, save
from pbm.features.lobby.challenges import begin
from pbm.features.records.importing import check_record, store_record
from pbm.features.records.record import build_record, format_record, parse_record
from pbm.games import get_game
from pbm.store import reads
from pbm.store.engine import Store
from pbm.store.tables import addresses, players
from pbm.store.transaction import Session
from tools.games.sampling import list_sampled_names

_PLIES = 400
_NOW = 1772452800.0


def enrol(session: Session, userid: str) -> Player:
    row = {
        "userid": userid,
        "name": userid,
        "password": "x",
        "state": "active",
        "created": _NOW,
        "seen": _NOW,
    }
    number = session.execute(insert(players).values(row).returning(players.c.id)).scalar_one()
    session.execute(
        insert(addresses).values(player_id=number, address=f"{userid}@example.org", confirmed=_NOW)
    )
    player = get_player(session, number)
    assert player is not None
    return player


def played(session: Session, name: str, count: int, dice: random.Random) -> Board:
    """A board of the game, played by legal moves chosen at random and then given up."""
    verb = next(verb for verb in list_verbs() if verb.name == "challenge")
    secrets = Secrets((bytes(32),), dice.randbytes)
    call = Call(
        session,
        _NOW,
        secrets,
        Config(),
        command=Command(verb, Sender(via="terminal"), game=name),
    )
    people = [enrol(session, f"player{name[:8]}{seat}") for seat in range(count)]
    begun, _ = begin(call, get_game(name), people, Terms(), "", agreed=True)
    board = load(session, begun.id)
    for turn in range(_PLIES):
        if not board.position.to_move:
            break
        seat = min(board.position.to_move)
        move = dice.choice(board.position.legal_moves(seat))
        board.play_text(seat, move, f"comment {turn}" if not turn % 9 else "", _NOW + turn)
    while board.position.outcome is None:
        board.resign(min(board.position.playing), "enough", _NOW + _PLIES)
    save(session, board, _NOW + _PLIES)
    return load(session, board.id)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", list_sampled_names())
def test_a_record_replays_to_the_same_positions(sqlite_store: Store, name: str) -> None:
    dice = random.Random(f"{name} record")
    counts = get_game(name).info.players
    with sqlite_store.writing() as session:
        board = played(session, name, dice.choice(list(counts)), dice)
        record = build_record(session, board, "pbm@example.net", comments=True)
        text = format_record(record)
        assert all(len(line) <= 78 for line in text.splitlines())
        number = store_record(session, check_record(parse_record(text)))
        copy = load(session, number)
        assert copy.position == board.position
        assert copy.outcome == board.outcome
        again = build_record(session, copy, "pbm@example.net", comments=True)
        assert again["moves"] == record["moves"]
        assert again["final"] == record["final"]
        assert list(fsck.find_differences(session)) == []
        row = reads.find_board(session, board.id)
        assert row is not None
        start = board.game.setup(len(board.seats), board.options)
        log = [build_entry(entry) for entry in reads.find_log(session, board.id)]
        asked = list(audit_rolls(start, board.id, row.secret, log))
        assert all(roll.is_right for roll in asked)
        assert bool(asked) <= ("chance" in board.game.info.features)
        assert json.loads(row.options) == board.options
