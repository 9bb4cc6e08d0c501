"""The conformance suite: warnings from a thousand random games as a whole, since chance plays
badly."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from pbm.rules.chance import CHANCE, CHANCE_TO_MOVE
from pbm.rules.errors import MoveError
from pbm.rules.game import Game, Position
from pbm.rules.testing.info_checks import find_examples
from pbm.rules.testing.nonconforming import Finding, build_finding
from pbm.rules.testing.playthroughs import choose
from pbm.rules.testing.topics import BALANCE, ENDLESS, HELP, PIECES
from pbm.rules.testing.untold import find_untold, has_more_pieces

GAMES = 1000
LONGEST = 2000
"""The most moves of one of these games."""
MOST = 400_000
"""The most moves of all of them together, so that a long game takes its time."""
FEW = 100
"""Of fewer games nothing is concluded: games that ended, and games that were won."""
SOME = 5
"""Of fewer games none need have ended."""
EARLY = 2
"""A game should not be over within this many moves."""
_TRIED = 1000
"""The number of positions in which the help's examples are tried."""
_LOOKED_AT = 500
"""The number of moves of which it is looked at what they change on the board."""
_BEGINS = r"\b({names})\b (?:begins|starts|(?:moves|plays|goes) first|has the first move)\b"

Log = list[tuple[int, str]]


@dataclass(slots=True)
class _Count:
    """What came of the games: those that ended, by winner, the seats that their reasons name, and
    the first one of each oddity."""

    players: int
    games: int = 0
    ended: int = 0
    decided: int = 0
    won: Counter[int] = field(default_factory=Counter)
    named: set[frozenset[str]] = field(default_factory=set)
    reason: str = ""
    moved: set[int] = field(default_factory=set)
    early: int = 0
    shortest: tuple[Position, Log] | None = None
    longest: tuple[Position, Log] | None = None


def find_warnings(
    game: Game, *, games: int = GAMES, seed: int = 0, is_late: Callable[[], bool] = lambda: False
) -> list[Finding]:
    """Find oddities in random games of the usual options, for each number of players. They stop
    after `games`, after MOST moves, or when `is_late` says so."""
    rng = random.Random(seed)  # noqa: S311 (not cryptography)
    unplayed, tried = find_examples(game), Counter[str]()
    odd: dict[str, Finding] = {}
    if game.setup().takes_orders:  # most orders are legal in few phases
        unplayed = set()
    counts = {players: _Count(players) for players in game.info.players}
    moves = 0
    for number in range(games):
        count = counts[game.info.players[number % len(counts)]]
        position, log = game.setup(count.players), Log()
        while position.to_move and len(log) < LONGEST:
            if unplayed and tried["positions"] < _TRIED and CHANCE not in position.to_move:
                tried["positions"] += 1
                unplayed -= {text for text in unplayed if _is_legal(position, text)}
            seat, move = choose(position, rng)
            before, position = position, position.play(seat, move)
            log.append((seat, move))
            if tried["moves"] < _LOOKED_AT:
                tried["moves"] += 1
                for what, text in _list_odd(before, seat, move, position):
                    odd.setdefault(what, build_finding(PIECES, text, position, log[:]))
        _add(game, count, position, log)
        moves += len(log)
        if moves >= MOST or is_late():
            break
    found = [one for count in counts.values() for one in _judge(game, count)]
    found += [*odd.values(), *_find_false_beginners(game)]
    for text in sorted(unplayed):
        what = (
            f"help shows moves that can be played; {text!r} was legal in none of "
            f"{tried['positions']} positions of random games"
        )
        found.append(Finding(HELP, what))
    return [replace(one, is_warning=True) for one in found]


def _list_odd(before: Position, seat: int, move: str, after: Position) -> Iterator[tuple[str, str]]:
    """Yield what a move does to the board that a game seldom means: the kind, and all of it. What
    names no place, such as a number of stones, changes what it changes."""
    places = {place.name for place in before.scene(seat).places}
    if seat == CHANCE or not places.intersection(before.steps(seat, move)):
        return
    untold = [*find_untold(before, seat, move, after)]
    if untold:
        text = f"what a move changes is told by it or by the news; after {move!r} {untold[0]}"
        yield "untold", text
    if has_more_pieces(before, seat, move, after):
        yield "more", f"a piece that moves leaves none behind; after {move!r} there are more"


def _find_false_beginners(game: Game) -> Iterator[Finding]:
    """Find seats of which the help says that they begin, where others do."""
    for players in game.info.players:
        names, to_move = game.info.seats[players], game.setup(players).to_move
        first = {names[seat].lower() for seat in to_move - CHANCE_TO_MOVE}
        pattern = _BEGINS.format(names="|".join(map(re.escape, names)))
        said = {name.lower() for name in re.findall(pattern, game.info.help, re.IGNORECASE)}
        if first and said and not first & said:
            what = f"help says who begins; it is {' and '.join(sorted(first))}, not {min(said)}"
            yield Finding(HELP, what)


def _is_legal(position: Position, text: str) -> bool:
    """Whether a seat on the move can play this."""
    for seat in position.to_move - {CHANCE}:
        try:
            move, _ = position.parse(text, seat)
            position.play(seat, move)
        except MoveError:
            continue
        return True
    return False


def _add(game: Game, count: _Count, position: Position, log: Log) -> None:
    count.games += 1
    count.moved |= {seat for seat, _ in log} - CHANCE_TO_MOVE
    if position.outcome is None:
        count.longest = count.longest or (position, log)
        return
    count.ended += 1
    if len(set(position.outcome.ranks)) > 1:
        count.decided += 1
        count.won.update(position.outcome.winners)
        words = re.findall(r"[a-z]+", position.outcome.reason.lower())
        names = {name.lower() for name in game.info.seats[count.players]}
        count.named.add(frozenset(names.intersection(words)))
        count.reason = position.outcome.reason
    if sum(seat != CHANCE for seat, _ in log) <= EARLY:
        count.early += 1
        count.shortest = count.shortest or (position, log)


def _judge(game: Game, count: _Count) -> Iterator[Finding]:
    """Find oddities in the games of one number of players."""
    names = game.info.seats[count.players]
    of = f"of {count.games} random games of {count.players} players"
    if count.longest is not None and not count.ended and count.games >= SOME:
        position, log = count.longest
        what = f"games end; none {of} was over after {len(log)} moves"
        yield build_finding(ENDLESS, what, position, log[:20])
    if count.shortest is not None:
        what = f"a game takes more than {EARLY} moves; {count.early} {of} were over by then"
        yield build_finding(BALANCE, what, *count.shortest)
    if count.ended < FEW:
        return
    idle = [names[seat] for seat in range(count.players) if seat not in count.moved]
    if idle:
        yield Finding(BALANCE, f"every seat moves; {' and '.join(idle)} never did, {of}")
        return
    losers = [names[seat] for seat in range(count.players) if not count.won[seat]]
    if not count.won:
        yield Finding(BALANCE, f"somebody wins now and then; nobody did, {of}")
    elif not losers and count.decided >= FEW and [*map(len, count.named)] == [1]:
        what = "a reason names the seat that it is about; each says"
        yield Finding(BALANCE, f"{what} {' '.join(*count.named)}, as in {count.reason!r}, {of}")
    elif losers and count.decided >= FEW:
        yield Finding(BALANCE, f"every seat can win; {' and '.join(losers)} never did, {of}")
