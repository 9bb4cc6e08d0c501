"""The second player sees a board of chess from the own side, in text as in the picture; everybody
else sees it from the first's."""

from __future__ import annotations

import pytest

from pbm.games import get_game
from tests.harness.conversation import Conversation
from tests.harness.every_game import list_every_game

FROM_WHITE = "   1  R N B Q K B N R 1"
FROM_BLACK = "   1  R N B K Q B N R 1"


def test_each_player_has_the_own_men_below(talk: Conversation) -> None:
    talk.signup("ann", "bob", "cat")
    first = talk.challenge("chess", "ann", "bob")[0]
    talk.mails("cat", f"chess watch 1 cat {talk.password('cat')}")
    talk.any_mail("cat")
    talk.replies(first, "e4")
    mails = {who: talk.any_mail(who) for who in ("ann", "bob", "cat")}
    told = {who: mail.lines for who, mail in mails.items()}
    assert told["ann"].index(FROM_WHITE) > told["ann"].index("   8  r n b q k b n r 8")
    assert told["cat"].index(FROM_WHITE) > told["cat"].index("   8  r n b q k b n r 8")
    assert told["bob"].index(FROM_BLACK) < told["bob"].index("   8  r n b k q b n r 8")
    assert told["bob"][told["bob"].index(FROM_BLACK) - 1] == "      h g f e d c b a"
    talk.replies(mails["bob"], "showas 1")
    assert FROM_BLACK in talk.any_mail("bob").lines
    talk.mails("bob", "chess show 1")
    assert FROM_WHITE in talk.any_mail("bob").lines, "who has not said who they are is nobody"


@pytest.mark.parametrize("name", list_every_game())
def test_a_turned_board_has_the_same_signs_in_the_opposite_order(name: str) -> None:
    position = get_game(name).setup()
    if not position.turns_board:
        assert type(position).turns_board is False
        return
    pictures = [position.picture(viewer).lines for viewer in (0, 1)]
    rows = [
        [line.replace("--", " ").split() for line in lines[: lines.index("")]] for lines in pictures
    ]
    squares = [[row[1:-1] for row in board if row[0] == row[-1]] for board in rows]
    assert len(squares[0]) >= 3
    if "hidden" not in position.game.info.features:
        assert squares[0] == [row[::-1] for row in reversed(squares[1])]
    assert pictures[0] != pictures[1]
