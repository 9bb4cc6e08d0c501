"""From the record of a Swiss to its contestants, and from pairs to games with their reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby, product

from msgspec.structs import replace

from pbm.pairing.game_points import HALF, show_points
from pbm.pairing.record import Entrant, EventGame, Record, draw_lot
from pbm.pairing.swiss.bracket import (
    Bracket,
    BracketRole,
    NoPairingError,
    Pair,
    can_complete,
    pair_bracket,
)
from pbm.pairing.swiss.contestant import (
    BLACK,
    DOWN,
    UP,
    WHITE,
    Contestant,
    build_contestant,
    choose_white,
)
from pbm.rules.phrases import fill_in, join_phrases, phrase

# Pairing a round of a Swiss: bracket after bracket, from the highest score to the lowest (A.9).


def pair_round(contestants: Iterable[Contestant]) -> tuple[list[Pair], Contestant | None]:
    """Return the pairs of a round, higher ranked player first and in the order of their tables, and
    who has the bye. NoPairingError if the absolute criteria leave no pairing."""
    players = sorted(contestants, key=lambda contestant: contestant.rank)
    if not can_complete(players):
        raise NoPairingError
    groups = [tuple(each) for _, each in groupby(players, key=lambda player: player.score)]
    pairs: list[Pair] = []
    moved_down: list[Contestant] = []
    while groups:
        residents, *others = groups
        bracket = Bracket(
            moved_down=tuple(moved_down),
            residents=residents,
            below=others[0] if others else (),
            role=BracketRole.USUAL if others else BracketRole.LAST,
        )
        made, left = pair_bracket(bracket)
        below = tuple(player for group in others for player in group)
        if others and not can_complete([*left, *below]):
            bracket = Bracket(tuple(moved_down), residents, below, BracketRole.PENULTIMATE)
            made, left = pair_bracket(bracket)
            others = [below]
        pairs += made
        moved_down, groups = left, others
    bye = moved_down[0] if moved_down else None
    pairs.sort(key=lambda pair: (-pair[0].score, -pair[1].score, pair[0].number))
    return pairs, bye


RULES = {
    "E.1": phrase("both colours are due"),
    "E.2": phrase("the colour is more urgently due to {player}"),
    "E.3": phrase("the colours alternate with the last round in which theirs differed"),
    "E.4": phrase("the same colour is due to both, and {player} ranks higher"),
    "E.5": phrase("neither has a colour due yet, and start numbers alternate"),
}
MOST_OPEN = 2
"""So many open boards are thought through, at the most, for pairs that they cannot change."""
MOST_PLAYERS = 100
"""Players of an event, at the most, where open boards are thought through."""


def find_initial_colour(record: Record) -> int:
    """Return the colour of the lowest start number in the first round, by lot; white in what is
    shown without the secret, or when nobody has entered."""
    if not (record.secret and record.entrants):
        return WHITE
    first = min(entrant.number for entrant in record.entrants)
    return BLACK if draw_lot(record, first, "colour") % 2 else WHITE


def pair_swiss(record: Record) -> Iterator[EventGame]:
    """Yield the games of the next round that nothing can change any more, byes included."""
    if (found := _find_round(record)) is not None:
        yield from _pair_certain(record, *found)


def is_large_round(record: Record) -> bool:
    """Whether the round to be paired now has so many players that pairing takes long."""
    return len(record.present) > MOST_PLAYERS and _find_round(record) is not None


def _find_round(record: Record) -> tuple[int, Sequence[EventGame]] | None:
    """Return the round that is to be paired now, as far as that can be, and the open boards before
    it; None while too many of them are open, and after the last round."""
    last = max((game.round for game in record.games), default=0)
    paired = {number for game in record.games if game.round == last for number in game.seats}
    undecided: Sequence[EventGame] = [game for game in record.open_games if game.round < last]
    is_begun = any(each.joins <= last and each.number not in paired for each in record.present)
    round = last if undecided or (last and is_begun) else last + 1
    if round > last:
        undecided = record.open_games
    is_too_large = bool(undecided) and len(record.present) > MOST_PLAYERS
    if round > record.options.rounds or len(undecided) > MOST_OPEN or is_too_large:
        return None
    return round, undecided


def _pair_certain(
    record: Record, round: int, undecided: Sequence[EventGame]
) -> Iterator[EventGame]:
    """Yield the games of a round that are the same however the undecided boards end."""
    rounds = [
        _pair_rest(_suppose(record, undecided, results), round)
        for results in product(((1.0, 0.0), (HALF, HALF), (0.0, 1.0)), repeat=len(undecided))
    ]
    certain = [
        game
        for game in rounds[0]
        if all(any(_is_same(game, each) for each in other) for other in rounds)
    ]
    if undecided:
        certain = [game for game in certain if not game.is_bye]
    yield from certain


def _is_same(game: EventGame, other: EventGame) -> bool:
    return game.seats == other.seats and game.is_bye == other.is_bye


def _suppose(
    record: Record, games: Sequence[EventGame], results: Sequence[tuple[float, ...]]
) -> Record:
    """Return the record as it would be if some boards ended so."""
    return record.with_games(
        replace(game, points=points, how="played")
        for game, points in zip(games, results, strict=True)
    )


def _pair_rest(record: Record, round: int) -> list[EventGame]:
    """Return the games of a round for all who have none in it yet. Where the absolute criteria
    leave no pairing, first C.3, then C.2 is given up, and then those play who can without meeting
    again."""
    paired = {number for game in record.games if game.round == round for number in game.seats}
    waiting = [each for each in record.present if each.number not in paired and each.joins <= round]
    absent = [each for each in waiting if round in each.away]
    present = [each for each in waiting if round not in each.away]
    contestants = list_contestants(record, present, round)
    pairs, byes = _pair_somehow(contestants)
    initial = find_initial_colour(record)
    tables = max((game.table for game in record.games if game.round == round), default=0)
    games = []
    for table, (higher, lower) in enumerate(pairs, tables + 1):
        white, black, rule = choose_white(higher, lower, initial)
        games.append(
            EventGame(
                id=0,
                round=round,
                table=table,
                seats=(white.number, black.number),
                reason=_give_reason(record, (higher, lower), white, rule, present),
            )
        )
    for number in byes:
        games.append(
            EventGame(
                id=0, round=round, table=len(games) + tables + 1, seats=(number,), how="bye",
                points=(record.options.bye,), reason=_explain_bye(record, number),
            )
        )  # fmt: skip
    for entrant in absent:
        games.append(
            EventGame(
                id=0, round=round, table=len(games) + tables + 1, seats=(entrant.number,),
                how="bye", points=(HALF,),
                reason=phrase(
                    "{player} asked not to be paired in round {round}.",
                    player=entrant.name,
                    round=round,
                ),
            )
        )  # fmt: skip
    return games


def _pair_somehow(
    contestants: Sequence[Contestant],
) -> tuple[list[tuple[Contestant, Contestant]], list[int]]:
    """Return the pairs, and the numbers of those who have a bye."""
    for attempt in (
        contestants,
        [_forget_colours(each) for each in contestants],
        [_forget_byes(_forget_colours(each)) for each in contestants],
    ):
        try:
            pairs, bye = pair_round(attempt)
        except NoPairingError:
            continue
        own = {each.number: each for each in contestants}
        restored = [(own[higher.number], own[lower.number]) for higher, lower in pairs]
        return restored, [bye.number] if bye else []
    return _pair_most(contestants)


def _forget_colours(contestant: Contestant) -> Contestant:
    return build_contestant(
        contestant.number,
        contestant.score,
        opponents=contestant.opponents,
        is_barred_from_bye=contestant.is_barred_from_bye,
        floats=contestant.floats,
    )


def _forget_byes(contestant: Contestant) -> Contestant:
    return build_contestant(contestant.number, contestant.score, opponents=contestant.opponents)


def _pair_most(
    contestants: Sequence[Contestant],
) -> tuple[list[tuple[Contestant, Contestant]], list[int]]:
    """Return where not all can be paired: the best player left meets the best who is new to
    them."""
    left = sorted(contestants, key=lambda each: each.rank)
    pairs = []
    for one, two in combinations(list(left), 2):
        if one in left and two in left and two.number not in one.opponents:
            pairs.append((one, two))
            left.remove(one)
            left.remove(two)
    return pairs, [each.number for each in left]


def list_contestants(record: Record, entrants: Sequence[Entrant], round: int) -> list[Contestant]:
    """Return the contestants of a round with their scores, opponents, colours and floats before it.
    Players whose board ended by forfeit are not paired again either."""
    games: dict[tuple[int, int], EventGame] = {}
    for game in record.games:
        if game.round < round:
            games.update({(number, game.round): game for number in game.seats})
    scores = {each.number: _list_scores(games, each.number, round) for each in record.entrants}
    last = record.options.rounds
    return [
        build_contestant(
            each.number,
            scores[each.number][round - 1],
            opponents=frozenset(
                number
                for n in range(1, round)
                if (each.number, n) in games
                for number in games[each.number, n].seats
                if number != each.number
            ),
            colours=[
                WHITE if one.seats[0] == each.number else BLACK
                for n in range(1, round)
                if (one := games.get((each.number, n))) and one.is_played
            ],
            is_barred_from_bye=any(
                _bars_bye(games.get((each.number, n)), each, n) for n in range(1, round)
            ),
            floats=(
                _find_float(games, scores, each.number, round - 1),
                _find_float(games, scores, each.number, round - 2),
            ),
            is_topscorer=round == last and scores[each.number][round - 1] > round - 1,
        )
        for each in entrants
    ]


def _list_scores(games: Mapping[tuple[int, int], EventGame], number: int, round: int) -> list[int]:
    """Return the half points before each round up to this one."""
    scores = [0]
    for n in range(1, round):
        game = games.get((number, n))
        scores.append(scores[-1] + (int(2 * game.points_of(number)) if game else 0))
    return scores


def _bars_bye(game: EventGame | None, entrant: Entrant, round: int) -> bool:
    """Whether a round was a pairing-allocated bye or a win by forfeit (C.2)."""
    if game is None:
        return False
    if game.is_bye:
        return round not in entrant.away
    return game.how == "forfeit" and game.points_of(entrant.number) > HALF


def _find_float(
    games: Mapping[tuple[int, int], EventGame],
    scores: Mapping[int, Sequence[int]],
    number: int,
    round: int,
) -> int:
    """Return the float of a player in a round (A.4); who did not play has floated down."""
    if round < 1:
        return 0
    game = games.get((number, round))
    if game is None or not game.is_played:
        return DOWN
    (opponent,) = (each for each in game.seats if each != number)
    own, other = scores[number][round - 1], scores[opponent][round - 1]
    return DOWN if own > other else UP if own < other else 0


def _give_reason(
    record: Record,
    pair: tuple[Contestant, Contestant],
    white: Contestant,
    rule: str,
    present: Sequence[Entrant],
) -> str:
    """Return why two players meet, and why one moves first, as two sentences."""
    higher, lower = pair
    one, two = record.name_of(higher.number), record.name_of(lower.number)
    points = show_points(higher.score / 2)
    if higher.score == lower.score:
        met = phrase("{one} and {two} both had {points} points.", one=one, two=two, points=points)
    else:
        met = phrase(
            "{one} had {points} points and {two} {fewer}: among those with {points} nobody was "
            "left for {one}.",
            one=one,
            two=two,
            points=points,
            fewer=show_points(lower.score / 2),
        )
    preferred = _find_preferred(pair)
    because = fill_in(RULES[rule], player=record.name_of(preferred.number))
    first = phrase(
        "{player} moves first: {because}.", player=record.name_of(white.number), because=because
    )
    return join_phrases(" ", [met, first])


def _find_preferred(pair: tuple[Contestant, Contestant]) -> Contestant:
    """Return the one whose wish was granted where only one could be."""
    higher, lower = pair
    if higher.strength != lower.strength:
        return max(pair, key=lambda each: each.strength)
    if abs(higher.imbalance) != abs(lower.imbalance):
        return max(pair, key=lambda each: abs(each.imbalance))
    return higher


def _explain_bye(record: Record, number: int) -> str:
    """Return why a player has the bye, as a sentence."""
    return phrase(
        "The number of players is odd, and {player} is the one for whom the rules leave no "
        "opponent; nobody has this bye twice.",
        player=record.name_of(number),
    )
