"""What happens to a board happens in one place: each transition with all that it changes."""

from __future__ import annotations

import ast
from functools import partial
from pathlib import Path

import pytest

import pbm
from pbm.core import log_view
from pbm.core.board import Board
from pbm.core.clock import HOUR
from pbm.core.log import LogEntry
from pbm.core.seat import Seat, SubmittedMove
from pbm.core.storing import UnreadablePosition
from pbm.features.plans.rules import build_queued
from pbm.features.plans.tree import find_plan, make_plan
from pbm.games import get_game
from pbm.locale import translate
from pbm.rules import MoveError, Outcome

NOW = 1_700_000_000.0
NAMES = ("ann", "bob")


def board_of(name: str = "hex", state: str = "running", names: tuple[str, ...] = NAMES) -> Board:
    game = get_game(name)
    return Board(
        id=7,
        game=game,
        options={},
        state=state,
        position=game.setup(len(names), {}),
        seats=[
            Seat(at, at + 1, userid, True, {}, True, False, None, None, None)
            for at, userid in enumerate(names)
        ],
        rated=True,
        secret=b"0123456789abcdef",
        commitment="",
        created=NOW,
        turn_began=NOW,
    )


def play(board: Board, *moves: str) -> list[LogEntry]:
    """Play some moves, a minute apart; the log."""
    for at, text in enumerate(moves, 1):
        board.play_text(min(board.position.to_move), text, "", NOW + 60 * at)
    return list(board.entries)


def ranks(board: Board) -> list[int | None]:
    return [seat.rank for seat in board.seats]


def test_a_move_voids_what_waited_for_it() -> None:
    board = board_of()
    board.seats[0].submit(SubmittedMove(1, 0, "d4", ""))
    board.seats[1].submit(SubmittedMove(1, 0, "e5", ""))
    board.propose("cancel", [1])
    board.propose("draw", [1])
    play(board, "d4")
    assert board.seats[0].submitted_move is None
    assert board.seats[1].submitted_move == SubmittedMove(1, 0, "e5", "")
    assert board.proposals == {}
    assert [(stop[0], stop[2]) for stop in board.stopped] == [(0, NOW + 60)]
    assert (board.ply, board.turn_began) == (1, NOW + 60)


def test_a_draw_that_was_offered_with_the_move_stands() -> None:
    board = board_of()
    board.propose("draw", [0])
    play(board, "d4")
    assert board.proposals == {"draw": [0]}


def test_a_refused_move_changes_nothing() -> None:
    board = board_of()
    board.seats[0].submit(SubmittedMove(1, 0, "d4", ""))
    board.propose("draw", [1])
    with pytest.raises(MoveError):
        board.play_text(0, "d4 nonsense", "", NOW)
    assert (board.ply, board.number, board.entries, board.stopped) == (0, 0, [], [])
    assert board.proposals == {"draw": [1]}
    assert board.seats[0].submitted_move is not None
    assert not board.seats[0].moved


def test_resigning_ends_a_board_of_two() -> None:
    board = board_of()
    board.propose("draw", [1])
    board.resign(0, "well played", NOW)
    board.conclude(NOW)
    assert (board.state, board.ended, ranks(board)) == ("over", NOW, [2, 1])
    assert board.proposals == {}
    entry = board.entries[-1]
    assert (entry.kind, entry.seat, entry.comment) == ("resign", 0, "well played")


def test_resigning_leaves_a_board_of_three_running() -> None:
    board = board_of("spacefighters", names=("ann", "bob", "cat"))
    board.start(NOW)
    board.resign(0, "", NOW)
    board.conclude(NOW)
    assert (board.state, board.ended, ranks(board)) == ("running", None, [None] * 3)
    assert 0 not in board.position.playing


def test_a_forfeit_is_the_reason_of_the_result() -> None:
    board = board_of()
    board.forfeit(1, NOW)
    assert (board.state, ranks(board)) == ("over", [1, 2])
    assert board.outcome is not None
    assert board.outcome.reason == "bob ran out of time"
    assert board.entries[-1].kind == "forfeit"


def test_the_log_says_why_somebody_had_to_leave() -> None:
    for why, said in (("left event 1", "left event 1"), ("ran out of time", "")):
        board = board_of()
        board.forfeit(1, NOW, why)
        assert board.entries[-1].words == said
        assert log_view._describe_act(board.entries[-1]) == why


def test_cancelling_leaves_no_result_and_no_rating() -> None:
    board = board_of()
    board.propose("cancel", [0])
    board.cancel(1, "agreed", NOW)
    board.conclude(NOW)
    assert (board.state, board.ended) == ("cancelled", NOW)
    assert board.rated  # as before, for when it is reopened: without an outcome nothing is rated
    assert (board.proposals, board.outcome, ranks(board)) == ({}, None, [None, None])
    assert (board.entries[-1].kind, board.entries[-1].seat) == ("cancel", 1)


def test_a_draw_ranks_both_first() -> None:
    board = board_of()
    board.propose("draw", [0])
    assert board.propose("draw", [1])
    board.draw(1, Outcome((1, 1), "a draw by agreement"), "fine", NOW)
    assert (board.state, ranks(board), board.proposals) == ("over", [1, 1], {})
    assert board.outcome == Outcome((1, 1), "a draw by agreement")
    assert (board.entries[-1].kind, board.entries[-1].comment) == ("draw", "fine")


def test_the_operator_decides() -> None:
    board = board_of()
    board.adjudicate(Outcome((2, 1), "the operator decided"), NOW)
    assert (board.state, board.ended, ranks(board)) == ("over", NOW, [2, 1])
    entry = board.entries[-1]
    assert (entry.kind, entry.seat, entry.move) == ("adjudicate", None, "2,1")


def test_a_decided_position_ends_the_board_once() -> None:
    board = board_of("fourinarow")
    play(board, "a", "b", "a", "b", "a", "b", "a")
    assert board.position.outcome is not None
    make_plan(board.seats[1], build_queued("c", "", 0, board.number))
    board.seats[1].warn(NOW + 1, 1)
    board.conclude(NOW + 500)
    assert (board.state, board.ended, ranks(board)) == ("over", NOW + 500, [1, 2])
    assert find_plan(board.seats[1]) is None
    assert (board.seats[1].due, board.seats[1].reminded) == (None, 0)
    board.conclude(NOW + 900)
    assert board.ended == NOW + 500


def test_taking_back_moves() -> None:
    board = board_of()
    start = board.position
    log = play(board, "d4", "e5", "f6")
    after_one = board.positions_before[1]
    make_plan(board.seats[1], build_queued("g7", "", 0, board.number))
    board.propose("undo", [0, 1])
    board.begin_act()
    board.take_back(1, 0, "a slip", log, NOW + 300)
    assert (board.position, board.ply, board.undos, board.number) == (after_one, 1, 1, 4)
    assert [seat.moved for seat in board.seats] == [True, False]
    assert (find_plan(board.seats[1]), board.proposals, board.turn_began) == (None, {}, NOW + 300)
    board.take_back(0, 0, "", [*log, *board.entries], NOW + 301)
    assert (board.position, board.ply, board.undos) == (start, 0, 2)


def test_rolling_back_takes_the_result_away() -> None:
    board = board_of("fourinarow")
    log = play(board, "a", "b", "a", "b", "a", "b", "a")
    board.conclude(NOW + 500)
    secret = board.secret
    board.roll_back(6, "a fault", log, NOW + 600, b"another")
    assert (board.secret, board.former) == (secret, [])  # nothing is left to chance
    assert (board.state, board.ended, ranks(board)) == ("running", None, [None, None])
    assert (board.ply, board.outcome) == (6, None)
    assert (board.entries[-1].kind, board.entries[-1].seat) == ("undo", None)


def test_a_resignation_can_be_retracted_for_an_hour() -> None:
    board = board_of()
    log = play(board, "d4")
    board.propose("draw", [0])
    before = board.snapshot_for_undo()
    board.resign(1, "", NOW + 100)
    board.keep("resign", 2, before, NOW + 100)
    board.conclude(NOW + 100)
    assert (board.undo_state["player"], board.undo_state["until"]) == (2, NOW + 100 + HOUR)
    log = list(board.entries)
    assert board.retract(1, "", log, NOW + 200) == "resign"
    assert (board.state, board.ended, ranks(board)) == ("running", None, [None, None])
    assert board.proposals == {"draw": [0]}
    assert board.position.playing == {0, 1}
    assert board.undo_state == {}


def test_what_shows_hidden_things_cannot_be_retracted() -> None:
    board = board_of("battleship")
    before = board.snapshot_for_undo()
    board.resign(0, "", NOW)
    board.keep("resign", 1, before, NOW)
    assert board.undo_state == {}


def test_an_invitation_starts_when_all_have_accepted() -> None:
    board = board_of(state="invited")
    for seat in board.seats:
        seat.accepted = False
    board.accept(1, NOW + 10)
    assert (board.state, [seat.accepted for seat in board.seats]) == ("invited", [True, False])
    board.accept(2, NOW + 20)
    assert (board.state, board.turn_began) == ("running", NOW + 20)


def test_a_sleeping_board_wakes_as_an_invitation_or_at_once() -> None:
    board = board_of()
    board.sleep(ask=True)
    assert (board.state, board.undo_state) == ("sleeping", {"ask": True})
    board.wake(NOW + 50, ask=True, accepted=[1])
    assert (board.state, board.created, board.undo_state) == ("invited", NOW + 50, {})
    assert [seat.accepted for seat in board.seats] == [True, False]
    board.sleep(ask=False)
    board.wake(NOW + 60, ask=False, accepted=[1, 2])
    assert (board.state, board.created, board.turn_began) == ("running", NOW + 60, NOW + 60)


def test_proposals_gather_seats_until_all_agree() -> None:
    board = board_of()
    assert not board.propose("undo", [1])
    assert board.propose("undo", [0, 1])
    assert board.proposals == {"undo": [1, 0]}
    board.reject("undo")
    assert board.proposals == {}


def test_a_warning_stands_for_the_reminders_before_it() -> None:
    seat = board_of().seats[0]
    seat.remind(1)
    seat.warn(NOW + 5, 3)
    assert (seat.due, seat.reminded) == (NOW + 5, 3)
    seat.warn(NOW + 9, 2)
    assert (seat.due, seat.reminded, seat.has_changed) == (NOW + 9, 3, True)
    seat.stop_clock(120.0)
    assert (seat.spent, seat.due, seat.reminded) == (120.0, None, 0)


def test_nobody_sets_a_board_by_hand() -> None:
    """State, result and what waits at a board change in its own methods only."""
    own = {"board.py", "seat.py"}
    fields = {"state", "ended", "agreed", "proposals", "rank", "lapsed", "submitted", "due"}
    fields |= {"reminded", "spent", "accepted", "kept", "entries", "positions_before"}
    by_hand = []
    package = Path(pbm.__file__).parent
    for path in [
        *package.joinpath("core").rglob("*.py"),
        *package.joinpath("features").rglob("*.py"),
    ]:
        if path.name in own:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            targets = node.targets if isinstance(node, ast.Assign) else []
            if isinstance(node, ast.AugAssign | ast.AnnAssign):
                targets = [node.target]
            by_hand += [
                f"{path}:{each.lineno} {each.attr}"
                for target in targets
                for each in ast.walk(target)
                if isinstance(each, ast.Attribute)
                and each.attr in fields
                and ast.unparse(each.value) in ("board", "seat", "own", "each", "old")
            ]
    assert not by_hand


def test_a_position_that_nobody_can_read_is_stored_as_it_was() -> None:
    position = UnreadablePosition('["lost"]', NAMES, {})
    assert position.encode() == '["lost"]'


def test_a_position_that_cannot_be_shown_says_so_in_each_language() -> None:
    picture = UnreadablePosition("", ("white", "black"), {}).picture()
    assert picture.text == "  (the position cannot be shown)"
    said = picture.say(partial(translate, language="de")).text
    assert said == "  (die Stellung kann nicht gezeigt werden)"
