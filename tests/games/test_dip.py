"""Diplomacy as a game of the shelf: sealed orders, phases, who has to order, and how it ends."""

from __future__ import annotations

import json
from functools import partial

import pytest

from pbm.games import get_game
from pbm.locale import LANGUAGES, translate
from pbm.rules import IllegalMove, MoveError, OptionError, Position
from pbm.rules.drawing.scene import BUILT, ORDERED
from pbm.rules.game import ENDED, LATE, TAKEOVER
from pbm.rules.phrases import Phrase, get_text, pack, unpack
from tools.games.hiding import compare

DIP = get_game("dip")


def give(position: Position, seat: int, text: str) -> Position:
    """Give all orders of a text."""
    rest = text
    while rest:
        move, rest = position.parse(rest, seat)
        position = position.play(seat, move)
    return position


def hold_all(position: Position) -> Position:
    """The position after all seats that are awaited were ready."""
    for seat in sorted(position.to_move):
        position = position.play(seat, "ready")
    return position


def start(players: int = 7, **options: str | int) -> Position:
    return DIP.setup(players, options)


def test_seven_powers_order_and_the_last_order_adjudicates() -> None:
    position = start()
    assert position.seat_names == (
        *("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"),
    )
    assert position.to_move == frozenset(range(7))
    position = give(position, 2, "A PAR - BUR; F BRE - MAO, A MAR S A PAR - BUR")
    assert position.to_move == frozenset({0, 1, 3, 4, 5, 6})
    assert position.turn == 0
    position = hold_all(position)
    assert position.turn == 1
    units = {piece.place for piece in position.scene().pieces if piece.seat == 2}
    assert units == {"bur", "mao", "mar"}
    assert "Fall 1901, movement" in position.render()


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_other_languages_name_a_power_where_english_has_its_adjective(language: str) -> None:
    """In words, news, tasks and refusals, stored ones too."""
    position = give(start(), 0, "A VIE - GAL; A BUD - RUM")
    position = hold_all(give(position, 5, "A WAR - UKR; F SEV - BLA"))
    with pytest.raises(IllegalMove) as refused:
        position.parse("A UKR H", 0)
    position = give(position, 5, "F BLA - RUM; A UKR S F BLA - RUM")
    position = hold_all(position)
    (news,) = (each for each in position.news if "dislodged" in each)
    assert news == "the Austrian A RUM is dislodged from BLA"
    texts = [news, unpack(pack(news)), get_text(refused.value), position.words(0)]
    for text in texts:
        assert "Austrian" in text or "Russian" in text
        said = translate(text, language)
        assert "Austrian" not in said
        assert "Russian" not in said
        assert any(translate(Phrase(name), language) in said for name in ("Austria", "Russia"))
    picture = position.picture()
    assert "Dislodged: Austrian A RUM" in picture.text
    assert "Austrian" not in picture.say(partial(translate, language=language)).text


def test_orders_may_be_changed_until_the_phase_is_adjudicated() -> None:
    position = give(start(), 2, "A PAR - BUR; F BRE - MAO; A MAR H")
    assert position.may_revise == {2}
    position = give(position, 2, "A PAR - PIC")
    assert 2 not in position.to_move
    assert "A PAR - PIC" in position.render(2)
    after = hold_all(position)
    places = {piece.place for piece in after.scene().pieces if piece.seat == 2}
    assert places == {"pic", "mao", "mar"}


def test_others_see_that_there_are_orders_and_not_which() -> None:
    one = give(start(), 2, "A PAR - BUR; F BRE - MAO; A MAR H")
    other = give(start(), 2, "A PAR - PIC; F BRE H; A MAR - SPA")
    for viewer in (None, 0, 1, 3):
        assert one.render(viewer) == other.render(viewer)
        assert one.words(viewer) == other.words(viewer)
        assert one.scene(viewer) == other.scene(viewer)
    assert start().describe(2, "a par - bur", 1) == "(sealed)"
    assert start().describe(2, "a par - bur", 2) == "A PAR - BUR"


def test_no_viewer_can_tell_sealed_orders_and_votes_apart() -> None:
    """`python -m tools.games.hiding dip 10000` compares more."""
    count, different = compare("dip", 40)
    assert different > count / 2


def test_wait_holds_a_phase_open_until_ready() -> None:
    position = give(start(2), 1, "wait; A PAR H; A MAR H; F BRE H")
    position = hold_all(give(position, 0, "A BUD H; A VIE H; F TRI H"))
    assert position.turn == 1
    position = give(start(2), 1, "wait; A PAR H; A MAR H; F BRE H")
    position = give(position, 0, "A BUD H; A VIE H; F TRI H")
    assert position.turn == 0
    assert position.to_move == {1}
    assert give(position, 1, "ready").turn == 1


def test_of_winter_orders_the_last_count() -> None:
    position = start(2)
    for text in ("A MAR - SPA; A PAR H; F BRE - MAO", "A SPA H; A PAR H; F MAO - POR"):
        position = give(position.play(0, "ready"), 1, text)
    assert "Winter 1901" in position.render()
    assert position.to_move == {1}
    position = give(position, 1, "wait; A MAR B; A BRE B; F BRE B")
    assert "Your orders: A MAR B, F BRE B." in position.render(1)
    with pytest.raises(IllegalMove, match="nothing to build"):
        give(position, 0, "A BUD B")


def test_who_resigns_is_in_civil_disorder_and_the_last_power_wins() -> None:
    position = start()
    for seat in (0, 1, 3, 4, 5):
        position = position.resign(seat)
    assert position.to_move == {2, 6}
    assert position.outcome is None
    position = position.resign(6)
    assert position.outcome is not None
    assert position.outcome.winners == (2,)
    assert position.outcome.ranks == (7, 6, 1, 5, 4, 3, 2)


def end_phase(position: Position, *ordering: int, move: str = LATE) -> Position:
    """The position after these seats are ready and the time of all others was up."""
    turn = position.turn
    for seat in ordering:
        if seat in position.to_move:
            position = position.play(seat, position.suggest(seat))
            position = position.play(seat, "ready")
    for seat in sorted(position.to_move):
        if position.turn == turn and position.outcome is None:
            position = position.play(seat, move)
    assert position.game.decode(position.encode()) == position
    return position


def test_civil_disorder_of_few_lets_the_others_play_on_and_they_share_a_rank() -> None:
    position = start()
    for _ in range(2):
        position = end_phase(position, 0, 1, 2, 3, 4)
    assert position.outcome is None
    assert position.vacant == {5, 6}
    assert position.playing == {0, 1, 2, 3, 4}
    for seat in (1, 2, 3, 4):
        position = position.resign(seat)
    assert position.outcome is not None
    assert position.outcome.ranks == (1, 5, 4, 3, 2, 6, 6)


def test_several_who_would_fall_at_once_are_given_time() -> None:
    position = end_phase(start(), 0, 1, 2, 3, 4)
    assert position.grace == 48
    position = position.play(5, position.suggest(5))
    assert position.grace == 0, "one of seven is waited for by nobody"
    assert end_phase(start(disorder=3), 0).grace == 0
    assert end_phase(start(2), 0).grace == 48


@pytest.mark.parametrize(
    ("players", "ordering", "ranks"),
    [
        (7, (), (1,) * 7),
        (7, (6,), (1,) * 7),
        (2, (0,), (1, 1)),
        (7, (2, 5, 6), (4, 4, 1, 4, 4, 1, 1)),
    ],
)
def test_too_few_wait_and_then_draw_or_have_no_result(
    players: int, ordering: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    position = end_phase(end_phase(start(players), *ordering), *ordering)
    away = frozenset(range(players)).difference(ordering)
    assert position.outcome is None
    assert position.to_move == position.vacant == away
    said = " ".join(position.render().split())
    assert "The phase waits for" in said
    assert ("over without a result" in said) is (len(ordering) < 2)
    assert "Fall 1901" in position.render(), "the phase is the same"
    with pytest.raises(MoveError):
        position.play(0, "nonsense")
    for move in (LATE, ENDED):
        ended = end_phase(position, move=move)
        assert ended.outcome is not None
        assert ended.outcome.ranks == ranks
        assert ended.is_deserted is (len(ordering) < 2)


def test_whoever_comes_back_in_time_plays_on() -> None:
    held = end_phase(end_phase(start(), 6), 6)
    position = held.play(0, held.suggest(0))
    assert position.vacant == {1, 2, 3, 4, 5}
    for seat in (1, 2, 3):
        position = position.play(seat, "ready" if seat > 1 else "vote draw")
    assert position.vacant == {4, 5}
    position = end_phase(position, 0, 1)
    assert position.outcome is None
    assert position.turn == held.turn + 1
    assert position.vacant == {4, 5}
    position = held.play(0, TAKEOVER)
    assert position.vacant == {1, 2, 3, 4, 5}
    assert 0 in position.to_move


def test_only_the_waiting_are_left_and_none_of_them_wins() -> None:
    held = end_phase(end_phase(start(2), 0), 0)
    assert held.vacant == {1}
    alone = held.resign(0)
    assert alone.outcome is None
    assert alone.to_move == {1}
    ended = end_phase(alone)
    assert ended.is_deserted
    back = alone.play(1, alone.suggest(1))
    assert back.outcome is not None
    assert back.outcome.winners == (1,), "the other resigned"


def test_a_phase_that_a_master_ended_is_not_missed() -> None:
    position = start()
    for _ in range(6):
        position = end_phase(position, move=position.ending)
    assert position.outcome is None
    assert not position.vacant
    for move in (LATE, ENDED):
        with pytest.raises(MoveError):
            position.parse(move, 0)
        assert move not in position.legal_moves(0)


def test_boards_of_version_1_are_replayed_as_they_were() -> None:
    """There the last power that had ordered won, and the last seat if nobody ever had."""
    first = DIP.find_version(1)
    assert first is not None
    position = first.setup(7)
    for _ in range(2):
        assert position.grace == 0
        position = end_phase(position)
        assert DIP.decode(position.encode()) == position
    assert position.outcome is not None
    assert position.outcome.ranks == (7, 6, 5, 4, 3, 2, 1)
    assert not position.is_deserted
    stored = json.loads(position.encode())
    assert stored[1] == 1
    assert [0, 1, 2, 3, 4, 5, 6] in stored


def test_after_the_last_year_the_survivors_draw() -> None:
    position = start(years=1)
    for _ in range(2):
        position = hold_all(position)
    assert position.outcome is not None
    assert set(position.outcome.ranks) == {1}
    assert position.outcome.reason == "a draw of all survivors after 1 year"


@pytest.mark.parametrize("players", [2, 3])
def test_a_computer_player_gives_orders_that_get_it_somewhere(players: int) -> None:
    """All are taken, they complete its turn, and together they end a short game."""
    position = start(players, years=8)
    while seats := sorted(position.to_move):
        for seat in seats:
            turn = position.turn
            for order in position.advise(seat):
                position = position.play(seat, order)
            assert position.turn != turn or seat not in position.to_move
    assert position.outcome is not None
    assert "holds" in position.outcome.reason


def test_a_map_for_another_number_is_refused() -> None:
    with pytest.raises(OptionError, match="is not for 7 players"):
        start(7, map="franceaustria")
    with pytest.raises(OptionError, match="is for 2, 3, 5, 7, 10 or 34 players, not 4"):
        start(4)
    assert [len(start(7, map="colonial").seat_names), start(10).press] == [7, "white"]


def test_votes_end_the_game_when_all_agree_and_nobody_sees_them_before() -> None:
    one, other = start(3), give(start(3), 0, "vote draw")
    for viewer in (None, 1, 2):
        assert one.render(viewer) == other.render(viewer)
        assert one.words(viewer) == other.words(viewer)
        assert one.scene(viewer) == other.scene(viewer)
    assert start(3).describe(0, "vote draw", 1) == "(sealed)"
    assert "Your vote draw stands" in other.render(0)
    position = give(give(other, 1, "vote draw"), 2, "wait; A BER H")
    assert position.outcome is None
    position = give(position, 2, "vote draw")
    assert position.outcome is not None
    assert set(position.outcome.ranks) == {1}
    assert DIP.decode(position.encode()) == position


def test_a_draw_of_some_survivors_and_a_concession() -> None:
    with pytest.raises(IllegalMove, match="-draw=any"):
        give(start(3), 0, "vote draw France Germany")
    position = start(3, draw="any")
    for seat in range(3):
        assert position.outcome is None
        position = give(position, seat, "vote draw of France and Germany")
    assert position.outcome is not None
    assert position.outcome.ranks == (3, 1, 1)
    position = give(start(3), 0, "vote solo germany")
    with pytest.raises(IllegalMove, match="your vote already"):
        give(position, 0, "vote solo germany")
    assert give(position, 1, "vote concede").outcome is not None
    assert give(position, 1, "vote draw").outcome is None


def test_what_cannot_be_given_is_refused_with_what_may_be() -> None:
    position = start()
    with pytest.raises(MoveError, match="A PAR \\(Paris\\) may hold"):
        position.parse("A PAR fnord", 2)
    with pytest.raises(IllegalMove, match="complete already"):
        give(give(position, 2, "A PAR H; A MAR H; F BRE H"), 2, "ready")


def test_thirty_four_powers_play_two_phases_of_chaos() -> None:
    """They build, move and take; the picture tells the units of all powers apart."""
    position = start(34, map="chaos")
    assert "Winter 1900" in position.render()
    for seat, name in enumerate(position.seat_names):
        builds = [move for move in position.legal_moves(seat) if move.startswith("a ")]
        position = give(position, seat, "F BRE B" if name == "Brest" else builds[0])
    assert position.turn == 1
    drawn = position.scene().pieces
    assert len({piece.label for piece in drawn}) == len(drawn) == 34
    moves = {"Brest": "F BRE - ENG", "Paris": "A PAR - BRE"}
    for seat, name in enumerate(position.seat_names):
        position = give(position, seat, moves[name]) if name in moves else ready(position, seat)
    assert "Fall 1901, movement" in position.render()
    moves = {"Brest": "F ENG - WAL"}
    for seat, name in enumerate(position.seat_names):
        position = give(position, seat, moves[name]) if name in moves else ready(position, seat)
    paris = position.seat_names.index("Paris")
    assert "Paris           2: BRE PAR; A BRE" in position.render()
    assert "Paris holds BRE and PAR" in str(position.scene().panels)
    assert any(piece.label == "APAR" for piece in position.scene().pieces if piece.seat == paris)
    for viewer in (None, 0, 33):
        assert max(map(len, position.render(viewer).splitlines())) <= 78


def ready(position: Position, seat: int) -> Position:
    """The position after a seat was ready, where it is awaited."""
    return position.play(seat, "ready") if seat in position.to_move else position


def test_so_many_powers_share_a_draw_among_all_survivors_alone() -> None:
    with pytest.raises(OptionError, match="-draw can be any with at most 10 players"):
        start(34, map="chaos", draw="any")


def test_a_power_sees_its_own_orders_as_arrows_and_nobody_else_does() -> None:
    position = get_game("dip").setup(7)
    for order in ("a vie - gal", "a bud s a vie - gal", "f tri h"):
        position = position.play(0, order)
    own = [mark for mark in position.scene(0).marks if mark.role.startswith(ORDERED)]
    assert [(mark.places, mark.role.removeprefix(ORDERED)) for mark in own] == [
        (("vie", "gal"), "move"),
        (("bud", "vie", "gal"), "support"),
        (("tri",), "hold"),
    ]
    fresh = get_game("dip").setup(7)
    for viewer in (None, *range(1, 7)):
        assert position.scene(viewer).marks == fresh.scene(viewer).marks
    assert position.words(0).count("gal") == 2, "the panel says them, the marks need not"


def test_orders_lead_from_coast_to_coast_and_builds_and_disbandments_are_marked() -> None:
    spots = {place.name: place.centre for place in start().scene().places}
    position = give(start(), 5, "F STP - BOT")
    assert position.scene(5).marks[-1].at == (spots["stp/sc"], spots["bot"])
    position = give(hold_all(give(position, 2, "F BRE - MAO; A MAR - GAS")), 5, "F BOT - SWE")
    position = hold_all(give(position, 2, "F MAO - SPA/NC; A GAS S F MAO - SPA/NC"))
    own = give(position, 5, "F STP/NC B")
    assert own.scene(5).marks[-1].role == f"{ORDERED}build"
    assert own.scene(5).marks[-1].at == (spots["stp/nc"],)
    position = give(own, 2, "F BRE B")
    built = [mark.places for mark in position.scene().marks if mark.role == BUILT]
    assert built == [("bre",), ("stp",)]
    assert "Built: bre and stp." in position.words()
    own = give(position, 2, "A GAS S F SPA")
    assert own.scene(2).marks[-1].at[1] == spots["spa/nc"], "where the fleet stands"
