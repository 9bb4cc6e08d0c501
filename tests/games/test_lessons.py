"""What the captions of lessons say is true: the moves that they call legal are, what they refuse is
refused, and what they say has happened did."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image

from pbm.games import get_game
from pbm.mail.paged_mail import draw_at_once
from pbm.pictures.board_picture import draw_lesson
from pbm.pictures.mailed_board import write_lesson
from pbm.rules import MoveError, Position
from pbm.rules.drawing.scene import Piece
from pbm.rules.lessons import Lesson, build_lesson_scene, play_lesson
from tools.games.sampling import list_sampled_names

_TAUGHT = (
    "chess",
    "cradle",
    "cyclone",
    "dip",
    "go",
    "hex",
    "spacecradles",
    "spacefighters",
    "spacetruckin",
)


def _find(name: str, begin: str) -> Lesson:
    """The lesson whose caption begins so."""
    (found,) = (each for each in get_game(name).list_lessons() if each.caption.startswith(begin))
    return found


def _play(name: str, begin: str) -> Position:
    return play_lesson(get_game(name), _find(name, begin))


def _find_pieces(position: Position, *places: str) -> Iterator[Piece]:
    return (piece for piece in position.scene().pieces if piece.place in places)


def _list_kinds(position: Position, *places: str) -> list[tuple[str, int | None]]:
    return [(piece.kind, piece.seat) for piece in _find_pieces(position, *places)]


@pytest.mark.parametrize("name", [*_TAUGHT, *(set(list_sampled_names()) - {*_TAUGHT})])
def test_a_lesson_can_be_played_and_calls_legal_what_is(name: str) -> None:
    game = get_game(name)
    for lesson in game.list_lessons():
        position = play_lesson(game, lesson)
        movers = sorted(position.to_move | position.may_revise)
        for move in lesson.can:
            assert any(move in position.legal_moves(seat) for seat in movers), move
        for move in lesson.cannot:
            for seat in movers:
                assert move not in position.legal_moves(seat)
                with pytest.raises(MoveError):
                    position.play(seat, move)


@pytest.mark.parametrize("name", _TAUGHT)
def test_a_lesson_shows_the_places_that_it_names(name: str) -> None:
    game = get_game(name)
    assert len(game.list_lessons()) >= 3
    for number, lesson in enumerate(game.list_lessons(), 1):
        scene = build_lesson_scene(game, lesson)
        there = {place.name for place in scene.places}
        assert there == (set(lesson.area) or there)
        assert {piece.place for piece in scene.pieces} <= there
        named = {place.name for place in play_lesson(game, lesson).scene().places}
        said = {word.strip(".,:;") for word in lesson.caption.split()}
        assert said & named <= there
        assert "</svg>" in draw_lesson(game, number)


def test_what_the_lessons_of_chess_say_comes() -> None:
    castled = _play("chess", "Castling")
    assert _list_kinds(castled, "f1", "g1") == [("rook", 0), ("king", 0)]
    assert _list_kinds(castled, "e1", "h1") == []
    passed = _play("chess", "In passing")
    assert _list_kinds(passed, "d5", "e5", "d6") == [("pawn", 0)]
    assert _list_kinds(_play("chess", "A pawn that"), "g8") == [("queen", 0)]
    stale = _play("chess", "Stalemate")
    assert stale.outcome is not None
    assert stale.outcome.ranks == (1, 1)


def test_what_the_lessons_of_go_say_comes() -> None:
    assert _list_kinds(_play("go", "Black has taken"), "c3", "c4") == [("stone", 0)]
    assert _list_kinds(_play("go", "Ko"), "c3", "d3") == [("stone", 0)]
    counted = _play("go", "Both have passed")
    assert "black 15, white 10 + 7.5" in counted.render()
    agreed = counted.play(0, "done").play(1, "agree").outcome
    assert agreed is not None
    assert agreed.ranks == (2, 1)


def test_what_the_lessons_of_hex_say_comes() -> None:
    bridge = _play("hex", "A bridge")
    for one, other in (("b4", "c4"), ("c4", "b4")):
        assert other in bridge.play(1, one).legal_moves(0)
    won = _play("hex", "Red's chain")
    assert won.outcome is not None
    assert won.outcome.ranks == (1, 2)


def test_what_the_lessons_of_space_cradles_say_comes() -> None:
    walled = _play("spacecradles", "The wall")
    assert list(walled.legal_moves(1)) == ["d-e1"]
    assert "stands at the edge and is taken" in " ".join(walled.news)
    before, after = (_play("spacecradles", begin) for begin in ("Before a", "After: the drone ran"))
    assert before.outcome is None
    assert "hits green's mothership on f1: both are taken" in " ".join(after.news)
    assert after.outcome is not None
    assert after.outcome.ranks == (1, 2)


def test_what_the_lessons_of_cyclone_say_comes() -> None:
    told = [" ".join(_play("cyclone", begin).news) for begin in ("It lands", "Now the stack")]
    assert "on b5 moves on to b2" in told[0]
    assert "on b2 dissolves in b0" in told[0]
    assert told[1] == "the stack bby on b5 moves on to x"


def test_what_the_lessons_of_space_truckin_say_comes() -> None:
    assert len(_play("spacetruckin", "Edges").news) == 1
    told = [
        " ".join(_play("spacetruckin", begin).news)
        for begin in ("Yellow has laid", "Red's battleship", "Space is round")
    ]
    assert "red takes 6 for the planetary system at e6, 3 tiles" in told[0]
    assert "red gets a new ship" in told[0]
    assert told[1].count("takes 8 for the planetary system at e8 and e6") == 2
    assert told[2].endswith("red takes 8 for the wormhole at i3, 3 tiles over the border")


def test_what_the_lessons_of_space_fighters_say_comes() -> None:
    for begin, told in (
        ("The attacker", "red's fighter from g9 rolls 5, green's fighter on g5 3"),
        ("Later", "green's control ship on green 4: the defender is destroyed"),
        ("Red has destroyed", "green is out: no ship in space and an enemy in its own station"),
    ):
        assert told in " ".join(_play("spacefighters", begin).news)
    assert "none (+0)" in _play("spacefighters", "Later").render()
    won = _play("spacefighters", "Red has destroyed").outcome
    assert won is not None
    assert won.ranks == (1, 2)


def test_a_fight_marks_the_tiles_where_it_was_and_no_station_of_the_teams() -> None:
    game = get_game("spacefighters")
    scene = build_lesson_scene(game, _find("spacefighters", "The attacker rolled 5"))
    assert {place for mark in scene.marks for place in mark.places} == {"g5", "g9"}


def test_a_promoted_man_is_drawn_as_on_the_board() -> None:
    (lesson,) = (each for each in get_game("shogi").list_lessons() if "dragon" in each.caption)
    assert lesson.scene is not None
    assert {(piece.kind, piece.label) for piece in lesson.scene.pieces} == {("promoted rook", "+R")}


def test_what_the_lessons_of_diplomacy_say_comes() -> None:
    text = {
        begin: " ".join(_play("dip", begin).render().split())
        for begin in ("Paris", "The same with", "The same once", "Munich", "A convoy")
    }
    assert "A PAR - BUR (bounced) Germany A MUN - BUR (bounced)" in text["Paris"]
    assert "A BUR, A MAR, F BRE" in text["The same with"]
    assert "A MAR S A PAR - BUR (cut)" in text["The same once"]
    assert "Dislodged: French A BUR, which may retreat to BEL, GAS, PAR or PIC" in text["Munich"]
    assert "A BEL, F EDI, F NTH" in text["A convoy"]


def test_a_picture_of_what_may_come_marks_no_move() -> None:
    shown = [
        (lesson.is_before, {mark.role for mark in build_lesson_scene(game, lesson).marks})
        for game in map(get_game, ("chess", "go", "spacecradles"))
        for lesson in game.list_lessons()
    ]
    assert sum(is_before for is_before, _ in shown) >= 4
    assert any("last" in roles for is_before, roles in shown if not is_before)
    assert not any("last" in roles for is_before, roles in shown if is_before)


def test_the_page_of_a_mail_is_seen_behind_a_lesson() -> None:
    """Which may be dark."""
    picture = draw_at_once(write_lesson("go", 1, "en"), 12_000)
    assert picture is not None
    with Image.open(BytesIO(picture.png)) as image:
        corner = image.convert("RGBA").getpixel((0, 0))
    assert isinstance(corner, tuple)
    assert corner[3] == 0
