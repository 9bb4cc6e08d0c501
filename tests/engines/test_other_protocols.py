"""What XBoard, GTP, Hub and GNU Backgammon are sent, and what is read from their answers."""

from __future__ import annotations

import pytest

from pbm.engines.dialogue import Effort, EngineError, replay
from pbm.engines.gnubg import Gnubg, spell_match
from pbm.engines.gtp import Gtp
from pbm.engines.hub import Hub
from pbm.engines.xboard import Xboard
from pbm.games import get_game
from pbm.games.backgammon.state import MatchState
from tests.engines.dialogues import answer, play


def test_xboard_is_shown_a_position_and_the_moves_since() -> None:
    line = play("chess", "e4", "e5", "Nf3")
    engine = Xboard(features={"usermove": "1"})
    sent, thought = answer(
        engine.think(line, Effort(seconds=2.4)), "1 -30 0 20 Nc6", "move b8c6", ""
    )
    assert sent[0].splitlines() == [
        "force",
        "setboard rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "usermove g1f3",
        "st 2",
        "go",
    ]
    assert thought.moves == ("b8c6",)
    assert thought.share is not None
    assert thought.share < 0.5


def test_an_xboard_engine_without_ping_is_told_all_at_once() -> None:
    engine, line = Xboard(), play("minishogi")
    says = 'feature setboard=1 variants="minishogi" done=1'
    sent, _ = answer(engine.greet(line.position, Effort(skill=4)), says)
    assert sent == ["xboard\nprotover 2\n"]
    told = ["new", "variant minishogi", "force", "easy", "post", "sd 4", "force"]
    for begin in (told, ["force", "setboard rbsgk/4p/5/P4/KGSBR[] w - - 0 1"]):
        sent, _ = answer(engine.think(line, Effort()), "move a2a3")
        assert sent[0].splitlines()[: len(begin)] == begin


def test_xboard_engines_without_setboard_or_the_game_are_refused() -> None:
    first = get_game("minishogi").setup(2)
    for said, why in (
        ("feature done=0 usermove=1 done=1", "shown a position"),
        ('feature setboard=1 variants="normal,xiangqi" done=1', "does not play minishogi"),
    ):
        with pytest.raises(EngineError, match=why):
            answer(Xboard().greet(first, Effort()), "hello", said)


def test_an_xboard_engine_cannot_claim_a_draw() -> None:
    """It is asked once more, as if nothing had been before."""
    line = play("chess", "Nf3", "Nf6", "Ng1", "Ng8")
    sent, thought = answer(Xboard().think(line, Effort()), "1/2-1/2 {3 repetitions}", "move e2e4")
    assert ["g1f3" in text for text in sent] == [True, False]
    assert thought.moves == ("e2e4",)


@pytest.mark.parametrize("says", ["resign", "1-0 {White mates}", "Illegal move: e2e4", "move a1a8"])
def test_xboard_answers_other_than_a_legal_move_are_errors(says: str) -> None:
    with pytest.raises(EngineError):
        answer(Xboard().think(play("chess"), Effort()), says)


def test_gtp_is_shown_every_stone() -> None:
    line = play("go", "c3", "d4", "pass", size=5, handicap=0)
    sent, thought = answer(Gtp().think(line, Effort()), *["=", ""] * 4, "= E5", "")
    commands = ["clear_board", "play black c3", "play white d4", "play black pass", "genmove white"]
    assert sent == [f"{command}\n" for command in commands]
    assert thought.moves == ("e5",)
    with pytest.raises(EngineError, match="refuses"):
        answer(Gtp().think(line, Effort()), "? unknown command", "")
    with pytest.raises(EngineError, match="illegal move 'c3'"):
        answer(Gtp().think(line, Effort()), *["=", ""] * 4, "= C3", "")


def test_gtp_answers_what_is_dead() -> None:
    """White names, black agrees or names others; at last it is play on or agree."""
    naming = play("go", "c3", "d4", "pass", "pass", size=5)
    heard = ["=", ""] * 5
    assert answer(Gtp().think(naming, Effort()), *heard, "= D4", "")[1].moves == (
        "dead d4",
        "done",
    )
    assert answer(Gtp().think(naming, Effort()), *heard, "=", "")[1].moves == ("done",)
    named = play("go", "c3", "d4", "pass", "pass", "dead d4", size=5)
    named = replay(named.positions[0], [*named.moves, (0, "done")])
    assert answer(Gtp().think(named, Effort()), *heard, "= D4", "")[1].moves == ("agree",)
    assert answer(Gtp().think(named, Effort()), *heard, "=", "")[1].moves == ("alive d4", "done")


def test_hub_has_captures_by_what_is_captured() -> None:
    line = play("internationaldraughts", "32-28", "19-23")
    sent, thought = answer(
        Hub().think(line, Effort(nodes=10)), "info depth=3 score=-0.25", "done move=28x19x23"
    )
    assert sent[0].splitlines() == [
        "pos pos=Wbbbbbbbbbbbbbbbbbbebeebeeeeweewewwwwwwwwwwwwwwwwww",
        "level nodes=10",
        "go think",
    ]
    assert thought.moves == ("28x19",)
    assert thought.share is not None
    assert thought.share < 0.5


def test_gnu_backgammon_sees_the_board_from_the_seat_that_moves() -> None:
    line = play("backgammon", "3", "1", points=5)
    position = line.position
    assert isinstance(position, MatchState)
    assert spell_match(position) == (
        "board:own:other:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0"
        ":1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"
    )
    assert answer(Gnubg().think(line, Effort()), "8/5 6/5 ")[1].moves == ("8/5 6/5",)
    for says in ("roll", "9/1", ""):
        with pytest.raises(EngineError):
            answer(Gnubg().think(line, Effort()), says)
    doubled = play("backgammon", "3", "1", "8/5 6/5", "double", points=5)
    assert answer(Gnubg().think(doubled, Effort()), "take")[1].moves == ("take",)
