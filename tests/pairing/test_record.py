"""The record of an event: JSON and back, and what it keeps to itself."""

import hashlib

import msgspec
import pytest

from pbm.pairing.record import (
    Entrant,
    EventGame,
    Options,
    Record,
    commit,
    draw_all_lots,
    draw_lot,
    read_json,
    write_json,
)

SECRET = "2a" * 32


def spring_cup() -> Record:
    """A round robin of three, with one board played, one open, and a bye."""
    names = ("ann", "bob", "cyd")
    return Record(
        event=3,
        name="Spring Cup",
        options=Options(kind="roundrobin", game="hex"),
        secret=SECRET,
        commitment=commit(SECRET),
        entrants=tuple(
            Entrant(number=number, name=name, rating=1500) for number, name in enumerate(names, 1)
        ),
        games=(
            EventGame(id=1, round=1, table=1, seats=(2, 1), points=(1, 0), how="played", board=17),
            EventGame(id=2, round=1, table=2, seats=(3,), points=(0,), how="bye"),
            EventGame(id=3, round=2, table=1, seats=(3, 2), board=18),
        ),
    )


def test_another_userid_changes_no_lot() -> None:
    """The lots drawn under the first one are kept, and published when the event is over."""
    cup = spring_cup()
    purposes = ("start", "colour", "place")
    drawn = [draw_lot(cup, 2, purpose) for purpose in purposes]
    renamed = msgspec.structs.replace(cup.entrant(2), name="former-2", lots=draw_all_lots(cup, 2))
    entrants = (cup.entrant(1), renamed, cup.entrant(3))
    after = msgspec.structs.replace(cup, entrants=entrants)
    assert [draw_lot(after, 2, purpose) for purpose in purposes] == drawn
    assert "lots" not in write_json(after)
    over = msgspec.structs.replace(after, ended=5.5)
    assert read_json(write_json(over)) == over


def test_a_record_comes_back_from_its_json() -> None:
    over = msgspec.structs.replace(spring_cup(), ended=5.5)
    assert read_json(write_json(over)) == over


def test_the_secret_is_published_when_the_event_is_over_and_not_before() -> None:
    cup = spring_cup()
    assert SECRET not in write_json(cup)
    assert SECRET in write_json(msgspec.structs.replace(cup, ended=5.5))
    assert cup.commitment == hashlib.sha256(b"\x2a" * 32).hexdigest()


def test_a_record_with_a_field_that_nobody_knows_is_refused() -> None:
    text = write_json(spring_cup()).replace('"name": "Spring Cup"', '"nmae": "Spring Cup"')
    with pytest.raises(ValueError, match="nmae"):
        read_json(text)


def test_games_and_entrants_are_replaced_by_their_numbers() -> None:
    cup = spring_cup()
    (unfinished,) = cup.open_games
    decided = msgspec.structs.replace(unfinished, points=(0.5, 0.5), how="played")
    after = cup.with_games([decided])
    assert [game.id for game in after.games] == [1, 2, 3]
    assert after.games[2].points_of(2) == 0.5
    gone = msgspec.structs.replace(cup.entrant(2), left=9.0, why="withdrew")
    assert [entrant.name for entrant in cup.with_entrants([gone]).present] == ["ann", "cyd"]


def test_lots_are_decided_by_the_secret_the_purpose_and_the_name() -> None:
    cup = spring_cup()
    lots = {draw_lot(cup, number) for number in (1, 2, 3)}
    assert len(lots) == 3
    assert draw_lot(cup, 1) == draw_lot(msgspec.structs.replace(cup, games=()), 1)
    assert draw_lot(cup, 1) != draw_lot(cup, 1, "start")
    assert draw_lot(cup, 1) != draw_lot(msgspec.structs.replace(cup, secret="00" * 32), 1)
