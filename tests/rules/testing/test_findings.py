"""The suite finds each mistake of a table of broken games, and explains it to their author."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from pbm_poolside import GAME, PoolsidePosition

from pbm.cli.authors.check_game import find_slow_moves
from pbm.rules.testing import Nonconforming, check, find_faults, find_warnings
from pbm.rules.testing.topics import CRASHES, HIDING, MOVES, PAGE, SPEED, TOPICS
from pbm.rules.testing.whole_games import FEW
from tests.rules.nim import Nim, NimPosition
from tests.rules.testing.broken_boards import BOARDS
from tests.rules.testing.broken_games import (
    BROKEN,
    LEAKS,
    TAKE_THREE,
    Broken,
    nim_game,
    with_puzzles,
)

ROOT = Path(__file__).parents[3]
RESERVED = frozenset({"undo", "resign", "help"})


@pytest.mark.parametrize("broken", [*BROKEN, *BOARDS], ids=lambda broken: broken.mistake)
def test_each_mistake_is_found_and_explained(broken: Broken) -> None:
    game = broken.build()
    findings = find_faults(game, games=4, moves=40, reserved=RESERVED)
    findings += [] if findings else find_warnings(game, games=FEW * 4)
    matching = [
        finding
        for finding in findings
        if finding.topic is broken.topic and broken.expected in finding.expected
    ]
    assert matching, [finding.expected for finding in findings]
    text = matching[0].explain()
    assert re.match(rf"(Warning, )?{broken.topic.name}: expected: ", text)
    assert broken.topic.cause in text
    assert broken.topic.page in text
    if matching[0].players:
        assert re.search(r"^  moves: +\S", text, re.MULTILINE)


@pytest.mark.parametrize("leak", LEAKS)
def test_what_a_viewer_sees_too_much_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    members, expected = LEAKS[leak]
    for name, member in members.items():
        monkeypatch.setattr(PoolsidePosition, name, member)
    findings = [one for one in find_faults(GAME, games=4, moves=30) if one.topic is HIDING]
    assert findings
    assert any(expected in one.expected for one in findings)


def test_a_game_without_a_mistake_has_no_findings() -> None:
    assert find_faults(Nim(), games=4, reserved=RESERVED) == []
    assert find_faults(GAME, games=4, reserved=RESERVED) == []
    assert find_warnings(Nim()) == find_warnings(GAME, games=200) == []


def test_a_solved_game_with_a_puzzle_has_no_findings() -> None:
    assert find_faults(with_puzzles(TAKE_THREE)(), games=4, reserved=RESERVED) == []


def test_a_finding_about_a_puzzle_shows_its_position() -> None:
    broken = next(row for row in BROKEN if row.mistake == "a puzzle that is lost")
    (finding,) = find_faults(broken.build(), games=4)
    assert (finding.moves, finding.picture) == (((0, "take-1"),), "8 stones")
    with pytest.raises(Nonconforming) as raised:
        check(broken.build(), games=4)
    assert raised.value.finding == finding


def test_a_seat_without_a_move_is_one_finding_not_a_crash() -> None:
    def legal_moves(self: NimPosition, seat: int) -> Sequence[str]:
        return [] if self.turn == 2 else NimPosition.legal_moves(self, seat)

    findings = find_faults(nim_game(legal_moves=legal_moves), games=2, moves=20)
    expected = [one.expected for one in findings if one.topic in (MOVES, CRASHES)]
    assert expected == ["seat 0 is on the move and has one"]


def test_the_table_has_every_kind_of_mistake() -> None:
    assert {row.topic for row in (*BROKEN, *BOARDS)} | {HIDING, SPEED} == set(TOPICS)


def test_every_kind_is_explained_on_the_page() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE)[: len(TOPICS)] == [
        topic.name for topic in TOPICS
    ]


def test_pytest_and_the_command_find_the_same() -> None:
    broken = next(row for row in BROKEN if row.mistake == "listed, refused")
    with pytest.raises(Nonconforming) as raised:
        check(broken.build(), games=4, moves=40)
    assert raised.value.finding == find_faults(broken.build(), games=4, moves=40)[0]
    assert str(raised.value) == raised.value.finding.explain()


def test_a_slow_list_is_profiled() -> None:
    now = [0.0]

    def legal_moves(self: NimPosition, seat: int) -> list[str]:
        now[0] += 0.1 * self.stones
        return sorted(NimPosition.legal_moves(self, seat))

    finding = find_slow_moves(nim_game(legal_moves=legal_moves), lambda: now[0], seed=1)
    assert finding is not None
    assert finding.topic is SPEED
    assert "these 3 take 0.9 s" in finding.expected
    assert "calls  legal_moves (" in finding.detail
    assert find_slow_moves(Nim(), lambda: now[0], seed=1) is None


def test_a_finding_names_the_board_and_the_moves() -> None:
    broken = next(row for row in BROKEN if row.mistake == "resigned and on the move")
    game = broken.build()
    finding = find_faults(game, games=4, moves=40)[0]
    position = game.setup(finding.players, dict(finding.options))
    for seat, move in finding.moves:
        position = position.resign(seat) if move == "resign" else position.play(seat, move)
    assert position.render() == finding.picture
    assert position.encode() == finding.stored
