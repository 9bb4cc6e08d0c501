"""The boards that the front page shows as pictures."""

from __future__ import annotations

from pbm.core.view import BoardSummary
from pbm.web.board_lists import choose_live


def summarize(number: int, game: str, ply: int) -> BoardSummary:
    return BoardSummary(
        id=number,
        game=game,
        ply=ply,
        state="running",
        rated=True,
        commitment="",
        created=0.0,
        moved=0.0,
        options={},
        seats=(),
        status="",
    )


def test_boards_of_different_games_on_which_something_was_played() -> None:
    """The one with most moves first: what has just begun does not fill the page with empty
    boards."""
    played = ((52, "hex", 0), (51, "hex", 0), (37, "chess", 19), (28, "hex", 21), (27, "go", 44))
    boards = [summarize(*each) for each in played]
    assert [each.id for each in choose_live(boards, 3)] == [27, 28, 37]
    assert [each.id for each in choose_live(boards[:3], 3)] == [37, 52, 51]
    assert choose_live([], 3) == []
