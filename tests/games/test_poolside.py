"""Poolside, the game of a plugin: loaded by its entry point, using every part of the interface,
revealing nothing hidden."""

import random
import re
from collections.abc import Iterator
from importlib.metadata import entry_points

import pytest
from pbm_poolside import GAME, PoolsidePosition

from pbm.games import get_game, list_game_names
from pbm.rules import CHANCE, IllegalMove, InvalidMove, OptionError, Position, Value
from pbm.rules.testing import check

VIEWERS = (None, 0, 1, 2)
RED, WHITE, BLUE = range(3)


def ready(*towels: int, **options: Value) -> PoolsidePosition:
    """A game in which those towels have been dealt, one to each seat in turn."""
    return answered(GAME.setup(options=options), *towels)


def answered(position: Position, *answers: int) -> PoolsidePosition:
    for answer in answers:
        position = position.play(CHANCE, str(answer))
    assert isinstance(position, PoolsidePosition)
    return position


def bidden(position: Position, **moves: str) -> PoolsidePosition:
    """The position after sealed moves, in the order given."""
    for name, move in moves.items():
        position = position.play(("red", "white", "blue").index(name), move)
    assert isinstance(position, PoolsidePosition)
    return position


def usual() -> PoolsidePosition:
    """White (9, 3) is on turn after the bids; red holds 5 and 2, blue 7 and 1 and passed."""
    dealt = ready(5, 9, 7, 2, 3, 1)
    return answered(bidden(dealt, red="bid-2", white="bid-3", blue="pass"), 4)


# It is found


def test_the_entry_point_is_found() -> None:
    (entry,) = [one for one in entry_points(group="pbm.games") if one.name == "poolside"]
    assert entry.dist is not None
    assert (entry.dist.name, entry.dist.version) == ("pbm-poolside", "1.0")


def test_it_stands_on_the_shelf_with_its_alias() -> None:
    assert "poolside" in list_game_names()
    assert get_game("poolside") is get_game("Towels") is GAME
    assert list_game_names() == sorted(list_game_names())


@pytest.mark.long
def test_it_conforms_in_many_games() -> None:
    assert check(GAME, games=40) > 400


def test_it_is_short() -> None:
    rng = random.Random(1)
    for _ in range(50):
        position, moves = GAME.setup(options={"hand": 3}), 0
        while position.to_move:
            seat = rng.choice(sorted(position.to_move))
            position = position.play(seat, rng.choice(position.legal_moves(seat)))
            moves += seat != CHANCE
        assert moves < 20


# Chance


def test_towels_are_dealt_one_to_each_seat_in_turn() -> None:
    position = GAME.setup()
    assert position.to_move == {CHANCE}
    assert position.chance is not None
    assert (position.chance.kind, len(position.chance.outcomes)) == ("pick", 9)
    position = ready(5, 9, 7)
    assert position.hands == ((5,), (9,), (7,))
    assert position.chance is not None
    assert position.chance.outcomes == ("1", "2", "3", "4", "6", "8")
    with pytest.raises(IllegalMove, match="not one of the outcomes"):
        position.play(CHANCE, "5")
    with pytest.raises(IllegalMove, match="it is chance's turn"):
        position.play(RED, "bid-5")


def test_a_turn_begins_with_a_roll() -> None:
    position = bidden(ready(5, 9, 7, 2, 3, 1), red="bid-2", white="bid-3", blue="pass")
    assert position.turn == 1
    assert position.chance is not None
    assert (position.chance.kind, len(position.chance.outcomes)) == ("roll", 6)
    assert answered(position, 4).to_move == {WHITE}
    assert answered(position, 4).die == 4


# Sealed bids


def test_all_seats_bid_at_the_same_time_and_any_order_gives_the_same() -> None:
    dealt = ready(5, 9, 7, 2, 3, 1)
    assert dealt.to_move == {RED, WHITE, BLUE}
    one = bidden(dealt, red="bid-2", white="bid-3", blue="pass")
    other = bidden(dealt, blue="pass", white="bid-3", red="bid-2")
    assert one == other
    assert one.encode() == other.encode()
    assert one.news == ("the bids are red 2, white 3, blue passes",)
    assert one.order == (WHITE, RED, BLUE)


def test_who_has_bid_is_not_on_the_move_until_all_have() -> None:
    position = bidden(ready(5, 9, 7, 2, 3, 1), white="bid-3")
    assert position.to_move == {RED, BLUE}
    assert position.turn == 0
    with pytest.raises(IllegalMove, match="it is red and blue's turn"):
        position.play(WHITE, "pass")


def test_others_see_only_that_a_sealed_move_is_in() -> None:
    dealt = ready(5, 9, 7, 2, 3, 1)
    bids = [bidden(dealt, white=move) for move in dealt.legal_moves(WHITE)]
    assert len(bids) == 3
    for viewer in (None, RED, BLUE):
        for last in ((), ("bid-3",), ("pass",)):
            assert len({bid.render(viewer, last) for bid in bids}) == 1
        moves = ("bid-3", "bid-9", "pass")
        assert {dealt.describe(WHITE, move, viewer) for move in moves} == {"bid -"}
    assert len({bid.render(WHITE) for bid in bids}) == 3
    assert dealt.describe(WHITE, "bid-3", WHITE) == "bid 3"


# Hidden hands


def exchanged(position: PoolsidePosition, one: int, other: int) -> PoolsidePosition:
    """The same position with two hidden towels exchanged."""
    encoded = position.encode()
    hands, deck = re.findall(r"\[\[.*?\]\],\[[0-9,]*\]", encoded)[0], encoded
    swapped = {str(one): str(other), str(other): str(one)}
    there = re.sub(r"[0-9]", lambda digit: swapped.get(digit[0], digit[0]), hands)
    after = GAME.decode(deck.replace(hands, there))
    assert isinstance(after, PoolsidePosition)
    return after


def test_views_do_not_depend_on_what_is_hidden_from_them() -> None:
    position = usual()
    for one, other, owners in ((5, 7, {RED, BLUE}), (5, 8, {RED}), (9, 6, {WHITE})):
        changed = exchanged(position, one, other)
        assert changed != position
        for viewer in VIEWERS:
            same = changed.render(viewer).encode() == position.render(viewer).encode()
            assert same == (viewer not in owners)


def test_a_draw_is_read_by_its_owner_only() -> None:
    position = ready(5)
    assert position.describe(CHANCE, "9", WHITE) == "white draws 9"
    for viewer in (None, RED, BLUE):
        assert position.describe(CHANCE, "9", viewer) == "white draws -"


def test_dice_and_played_towels_are_read_by_all() -> None:
    position = usual()
    for viewer in VIEWERS:
        assert position.describe(WHITE, "play-9", viewer) == "play 9"
    waiting = bidden(ready(5, 9, 7, 2, 3, 1), red="bid-2", white="pass", blue="pass")
    assert waiting.describe(CHANCE, "6", None) == "red rolls 6"


def test_a_spectator_sees_no_towel_before_one_is_shown() -> None:
    assert not re.search(r"[1-9]", ready(5, 9, 7, 2, 3, 1).render())
    assert "5" in ready(5, 9, 7, 2, 3, 1).render(RED)


def test_open_hands_are_seen_by_all_and_sealed_bids_are_not() -> None:
    dealt = ready(5, 9, 7, 2, 3, 1, open=True)
    assert dealt.render(None) == dealt.render(RED)
    assert "2 5" in dealt.render(None)
    assert bidden(dealt, red="pass").render() == bidden(dealt, red="bid-2").render()
    (option,) = [one for one in GAME.info.options if one.unrated]
    assert option.name == "open"


def test_repetition_means_nothing_where_something_is_hidden() -> None:
    assert usual().key is None


# Turns


def test_a_towel_above_the_die_and_all_others_scores_its_number() -> None:
    position = usual().play(WHITE, "play-9")
    assert isinstance(position, PoolsidePosition)
    assert position.scores == (0, 9, 0)
    assert position.news == ("white's towel 9 scores 9",)
    assert position.turn == 1
    position = answered(position.play(WHITE, "end"), 4)
    assert position.turn == 2
    position = position.play(RED, "play-5")
    assert isinstance(position, PoolsidePosition)
    assert position.scores == (1, 9, 0)


def test_the_last_move_has_a_star() -> None:
    position = usual().play(WHITE, "play-9")
    assert "9*" in position.render(None, ("play-9",))
    assert "*" not in position.render()


def test_several_moves_of_a_turn_come_in_one_text() -> None:
    position: Position = ready(5, 9, 7, 2, 3, 1)
    position = bidden(position, red="pass", white="bid-3", blue="pass").play(CHANCE, "6")
    position = position.play(WHITE, "end").play(CHANCE, "1")
    text, played = " Play 5, 2; END. ", []
    while text:
        move, text = position.parse(text, RED)
        position = position.play(RED, move)
        played.append(move)
    assert played == ["play-5", "play-2", "end"]
    assert position.turn == 3


def test_after_the_last_towel_the_end_of_the_turn_is_implied() -> None:
    assert usual().parse("9", WHITE) == ("play-9", "end")
    assert usual().parse("9 end", WHITE) == ("play-9", "end")
    assert usual().parse("8", WHITE) == ("play-8", "")


@pytest.mark.parametrize(("order", "expected"), [("bids", (2, 0, 1)), ("seats", (0, 1, 2))])
def test_the_order_of_the_turns(order: str, expected: tuple[int, ...]) -> None:
    dealt = ready(5, 9, 7, 2, 3, 1, order=order)
    assert bidden(dealt, red="bid-5", white="pass", blue="bid-7").order == expected


@pytest.mark.parametrize(
    ("move", "error", "reason"),
    [
        ("play-8", IllegalMove, "you have no towel 8"),
        ("bid-9", IllegalMove, "the bids are in: write play 5, or end"),
        ("pass", IllegalMove, "the bids are in"),
        ("play 9", InvalidMove, "'play 9' is not a move of this game"),
        ("dive", InvalidMove, "'dive' is not a move of this game"),
    ],
)
def test_a_wrong_move_is_refused(move: str, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=re.escape(reason)):
        usual().play(WHITE, move)


def test_towels_wait_for_the_bids() -> None:
    with pytest.raises(IllegalMove, match="all bids must be in first: write bid 5 or pass"):
        ready(5, 9, 7, 2, 3, 1).play(RED, "play-5")


@pytest.mark.parametrize(
    "options", [{"hand": 1}, {"hand": 4}, {"order": "age"}, {"depth": 2}, {"open": "maybe"}]
)
def test_wrong_options_are_refused(options: dict[str, Value]) -> None:
    with pytest.raises(OptionError):
        GAME.setup(options=options)


def test_it_takes_three_players() -> None:
    with pytest.raises(OptionError, match="is for 3 players, not 2"):
        GAME.setup(2)


# The end, and resigning


def test_most_points_win_and_equals_share_a_rank() -> None:
    position: Position = usual().play(WHITE, "play-9").play(WHITE, "end")
    position = position.play(CHANCE, "1").play(RED, "end").play(CHANCE, "1").play(BLUE, "end")
    assert position.outcome is not None
    assert position.outcome.ranks == (2, 1, 2)
    assert position.to_move == frozenset()
    assert "1 7" in position.render()


def test_a_resignation_completes_the_sealed_round() -> None:
    position = bidden(ready(5, 9, 7, 2, 3, 1), red="bid-2", blue="pass").resign(WHITE)
    assert isinstance(position, PoolsidePosition)
    assert position.order == (RED, BLUE)
    assert position.news[-1] == "the bids are red 2, blue passes"


def test_a_resignation_during_the_deal_shortens_it() -> None:
    position = ready(5, 9, 7, 2, 3).resign(BLUE)
    assert position.to_move == {RED, WHITE}


def test_who_resigns_on_turn_hands_it_on() -> None:
    position = usual().resign(WHITE)
    assert position.to_move == {CHANCE}
    assert position.turn == 2
    assert answered(position, 3).to_move == {RED}


def test_the_last_who_is_left_wins() -> None:
    position = usual().resign(RED).resign(BLUE)
    assert position.outcome is not None
    assert (position.outcome.ranks, position.outcome.reason) == ((3, 1, 2), "the others resigned")
    with pytest.raises(IllegalMove):
        position.resign(WHITE)


# Help


def examples() -> Iterator[str]:
    return iter(re.findall(r"^ +> (.+)$", GAME.info.help, re.MULTILINE))


def test_the_examples_of_the_help_can_be_played() -> None:
    bids, turns = list[str](), list[str]()
    for text in examples():
        (bids if text.startswith(("bid", "pass")) else turns).append(text)
    assert len(bids) == len(turns) == 2
    dealt = ready(5, 9, 7, 2, 3, 1)
    for text in bids:
        assert dealt.play(RED, dealt.parse(text, RED)[0]).to_move == {WHITE, BLUE}
    for text in turns:
        position: Position = ready(7, 9, 5, 3, 2, 1)
        position = bidden(position, red="pass", white="pass", blue="pass").play(CHANCE, "1")
        left = text
        while left:
            move, left = position.parse(left, RED)
            position = position.play(RED, move)
        assert position.turn == 2
