"""Boards that are saved several times in one transaction, whose writes go out together."""

from __future__ import annotations

from pbm.config import Config
from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.command import Command, Sender
from pbm.core.options import Terms
from pbm.core.secrets import Secrets
from pbm.core.storing import load, save
from pbm.core.words import get_verb
from pbm.features.lobby.challenges import begin
from pbm.games import get_game
from pbm.store import reads
from pbm.store.engine import Store
from pbm.store.transaction import Session
from tests.core.test_board_record import enrol

_NOW = 1772452800.0


def begun(session: Session, *userids: str) -> Board:
    secrets = Secrets((bytes(32),), lambda count: bytes(count))
    command = Command(get_verb("challenge"), Sender(via="terminal"), game="tictactoe")
    call = Call(session, _NOW, secrets, Config(), command=command)
    people = [enrol(session, userid) for userid in userids]
    board, _ = begin(call, get_game("tictactoe"), people, Terms(), "", agreed=True)
    return load(session, board.id)


def test_what_a_board_is_at_last_is_stored_whatever_was_before(store: Store) -> None:
    with store.writing() as session:
        one, two = begun(session, "ann", "bob"), begun(session, "cat", "dan")
        one.resign(1, "", _NOW)
        save(session, one, _NOW)
        two.play_text(0, "b2", "", _NOW)
        save(session, two, _NOW)
        two.begin_act()
        two.resign(0, "", _NOW)
        save(session, two, _NOW)
    with store.reading() as session:
        for board, winner, ply in ((one, 0, 0), (two, 1, 1)):
            stored = load(session, board.id)
            assert (stored.state, stored.ply) == ("over", ply)
            assert stored.position == board.position
            ranks = {seat.seat: seat.rank for seat in reads.find_seats(session, board.id)}
            assert ranks == {winner: 1, 1 - winner: 2}
