"""The conformance suite that every game, including those of plugins, must pass.

`check(game)` from a test raises what is found first; `find_faults(game)` lists all. Chance is a
seeded generator: the same seed finds the same."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator
from typing import ParamSpec

from pbm.rules.chance import CHANCE_TO_MOVE
from pbm.rules.errors import MoveError
from pbm.rules.game import Game, Position
from pbm.rules.options import OptionError, Value
from pbm.rules.solutions import Puzzle
from pbm.rules.testing import info_checks, position_checks, showing_checks, solution_checks
from pbm.rules.testing.hiding_checks import check_hiding
from pbm.rules.testing.nonconforming import (
    Finding,
    Log,
    Nonconforming,
    build_finding,
    find_lines,
    play_listed,
    require,
)
from pbm.rules.testing.playthroughs import choose, finished, random_options
from pbm.rules.testing.topics import (
    AMBIGUITY,
    CRASHES,
    ENDING,
    HELP,
    HIDING,
    INFO,
    LEGALITY,
    REPLAY,
    RESIGNING,
    SCENE,
    SHARING,
    STORAGE,
    TURNS,
    Topic,
)

EARLIER = 6
"""The number of earlier moves that are tried again; those no longer listed must be refused."""
LOOKED_AT = 5
"""In every fifth turn a decoded position is also drawn and compared with the original."""
RESIGNED_AT = 30
"""The number of positions, from the first on, in which every seat resigns; in a short game all of
them."""
MOVERS = 3
"""The number of seats whose moves are checked in each position, if more move at once."""
ENOUGH = 20
"""The number of comparisons after which a game counts as hiding nothing."""
SOLVED = 12
"""The number of positions checked for which `solve` has a result."""
PUZZLES = 20
"""The number of puzzles that `check` tries, drawn at random; `find_faults` tries them all."""
LONGEST = 20_000
"""The most moves of a random game that is played to its end."""
_ARGUMENT = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9]+")

P = ParamSpec("P")


def check(
    game: Game,
    *,
    games: int = 12,
    moves: int = 300,
    seed: int = 0,
    reserved: Collection[str] = (),
) -> int:
    """Play `games` random games (at most `moves` moves each) with all numbers of players and
    sampled options, and check every position against the interface. `reserved` are the words that
    no name and no move may be. Returns the number of positions seen; raise Nonconforming."""
    suite = _Suite(game, seed, reserved, is_first=True)
    return suite.run(games, moves)


def find_faults(
    game: Game,
    *,
    games: int = 12,
    moves: int = 300,
    seed: int = 0,
    reserved: Collection[str] = (),
) -> list[Finding]:
    """Return everything that `check` finds, each kind of fault once, where it showed first."""
    suite = _Suite(game, seed, reserved, is_first=False)
    suite.run(games, moves)
    return list(suite.findings.values())


class _Suite:
    """The checks of one game. `findings` are those so far; with `is_first` the first is raised."""

    def __init__(self, game: Game, seed: int, reserved: Collection[str], *, is_first: bool) -> None:
        self.findings: dict[str, Finding] = {}
        self._game = game
        self._seed = seed
        self._rng = random.Random(seed)  # noqa: S311 (not cryptography)
        self._looking = random.Random(seed)  # noqa: S311 (not cryptography)
        self._reserved = reserved
        self._is_first = is_first
        self._examples = info_checks.find_examples(game)
        self._compared = 0
        self._solved = 0
        self._is_hiding = False
        self._has_ended = False
        self._asks = False
        self._places = set[str]()
        self._owners = dict[int, set[int]]()
        self._news = showing_checks.NewsWatch()
        self._resigns_always = False

    def run(self, games: int, moves: int) -> int:
        """Check the game; the number of positions seen."""
        game, info = self._game, self._game.info
        if not self._holds(None, (), info_checks.check_info, game):
            return 0
        self._holds(None, (), info_checks.check_names, game, self._reserved)
        self._holds(None, (), info_checks.check_help, game)
        for option in info.options:
            self._holds(None, (), info_checks.check_option, game, option)
        seen = 0
        for number in range(max(games, len(info.players))):
            players = info.players[number % len(info.players)]
            options = {} if number < len(info.players) else random_options(game, self._rng)
            try:
                position = _begin(game, players, options)
            except Exception as error:
                self._fail(error, None, ())
                return seen
            has_begun = bool(position.to_move)
            self._holds(position, (), require, has_begun, "the game is not over at once", TURNS)
            self._resigns_always = number < len(info.players)
            seen += self._play(position, moves, resigns=number % 3 == 2)
        self._check_whole(moves)
        return seen

    def _check_whole(self, moves: int) -> None:
        """Check what no single game shows."""
        game, info = self._game, self._game.info
        if self._examples:
            unread = f"help shows moves, and {sorted(self._examples)[0]!r} is none"
            self._fail(Nonconforming(unread, HELP), None, ())
        if self._compared >= ENOUGH and not self._is_hiding:
            open_ = "something is hidden from somebody, as `features` says; everybody saw all"
            self._fail(Nonconforming(open_, HIDING), None, ())
        puzzles = list[Puzzle]()
        if self._holds(None, (), self._list_puzzles, puzzles):
            for puzzle in puzzles:
                self._check_puzzle(puzzle)
        for option in info.options:
            for position in self._each(info_checks.check_extremes(game, option)):
                self._holds(position, (), position_checks.check_turn, position)
            self._holds(None, (), info_checks.check_effect, game, option, self._seed)
        self._check_shown()
        if self._is_first and not self._has_ended:
            start = game.setup()
            self._holds(start, (), finished, start, self._rng, max(moves, LONGEST))

    def _check_shown(self) -> None:
        info, holds = self._game.info, self._holds
        examples = info_checks.find_examples(self._game)
        holds(None, (), info_checks.check_example_places, examples, self._places)
        for players, owners in self._owners.items():
            missing = showing_checks.name_missing(info.seats[players], owners)
            what = f"scenes show something of every seat, with its `seat`; nothing of {missing}"
            holds(None, (), require, not owners or not missing, what, SCENE)
        asks = "a game that asks chance says so: `features` has 'chance'"
        holds(None, (), require, "chance" in info.features or not self._asks, asks, INFO)

    def _list_puzzles(self, puzzles: list[Puzzle]) -> None:
        """Check the list of puzzles; `puzzles` gets those that are tried."""
        listed = list(self._game.list_puzzles())
        solution_checks.check_list(listed)
        is_sample = self._is_first and len(listed) > PUZZLES
        puzzles += self._rng.sample(listed, PUZZLES) if is_sample else listed

    def _check_puzzle(self, puzzle: Puzzle) -> None:
        """Play the moves of a puzzle, and check the position to which they lead."""
        position, log = self._game.setup(), list[tuple[int, str]]()
        for move in puzzle.moves:
            following = list[Position]()
            follow = solution_checks.follow
            if not self._holds(position, log, follow, position, move, following):
                return
            log.append((min(position.to_move), move))
            position = following[0]
        self._holds(position, log, solution_checks.check_puzzle, position)

    def _each(self, positions: Iterator[Position]) -> Iterator[Position]:
        """Yield the positions, as long as their checks hold."""
        position: Position | None = None
        try:
            for position in positions:
                yield position
        except Exception as error:
            self._fail(error, position, ())

    def _holds(
        self,
        position: Position | None,
        log: Log,
        check: Callable[P, object],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> bool:
        try:
            check(*args, **kwargs)
        except Exception as error:
            self._fail(error, position, log)
            return False
        return True

    def _fail(self, error: Exception, position: Position | None, log: Log) -> None:
        """Record what a check found, or raise it."""
        if isinstance(error, Nonconforming):
            finding = build_finding(error.topic, error.what, position, log)
        elif isinstance(error, MoveError):
            what = f"a listed move can be played; it was refused: {error}"
            finding = build_finding(LEGALITY, what, position, log, find_lines(error))
        else:
            what = f"no exception but MoveError; raised: {type(error).__name__}: {error}"
            finding = build_finding(CRASHES, what, position, log, find_lines(error))
        if self._is_first:
            raise Nonconforming(finding.expected, finding.topic, finding) from error
        self.findings.setdefault(
            finding.topic.name + _ARGUMENT.sub("", finding.expected.partition(":")[0]), finding
        )

    def _play(self, position: Position, moves: int, *, resigns: bool) -> int:
        """Play a random game and check its positions; how many they were. A game ends at the first
        move that cannot be made."""
        start, log = position, list[tuple[int, str]]()
        keys = dict[str | None, str]()
        while position.to_move and len(log) < moves:
            self._check(position, log)
            self._holds(position, log, position_checks.check_rough_key, position, keys)
            following = list[Position]()
            if not self._holds(position, log, self._move, position, log, following, resigns):
                return len(log) + 1
            position = following[0]
        self._check(position, log)
        has_resigned = any(move == "resign" for _, move in log)
        self._has_ended |= not position.to_move and not has_resigned
        self._holds(position, log, _check_replay, start, log, position)
        return len(log) + 1

    def _move(
        self,
        position: Position,
        log: list[tuple[int, str]],
        following: list[Position],
        resigns: bool,
    ) -> None:
        """Make a random move, or have somebody resign."""
        if resigns and position.to_move != CHANCE_TO_MOVE and self._rng.random() < 0.02:
            seat, move = self._rng.choice(sorted(position.playing)), "resign"
            after = position.resign(seat)
            require(seat not in after.playing, "who resigned no longer plays", RESIGNING)
        else:
            seat, move = choose(position, self._rng)
            after = play_listed(position, seat, move, LEGALITY)
            require(after.turn >= position.turn, "the turn never falls", TURNS)
            self._holds(after, (*log, (seat, move)), self._news.check, position, seat, move, after)
        following.append(after)
        log.append((seat, move))

    def _check(self, position: Position, log: Log) -> None:
        """Check a position that a game has reached."""
        stored: list[str] = []
        if not self._holds(position, log, lambda: stored.append(position.encode())):
            return
        looks = position.outcome is not None or position.turn % LOOKED_AT == 0
        rng, holds = self._rng, self._holds
        holds(position, log, position_checks.check_turn, position)
        holds(position, log, position_checks.check_encoding, position, looks=looks)
        holds(position, log, position_checks.check_text, position, rng, looks=looks)
        if looks and {"hidden", "sealed"} & position.game.info.features:
            holds(position, log, self._check_hiding, position)
        if looks and self._solved < SOLVED:
            holds(position, log, self._check_solution, position)
        if looks:
            holds(position, log, self._look, position)
        self._asks |= position.to_move == CHANCE_TO_MOVE
        if position.outcome is not None:
            holds(position, log, position_checks.check_end, position, position.outcome)
            holds(position, log, position_checks.check_deserters, position, position.outcome, log)
            is_drawn = len(set(position.outcome.ranks)) == 1
            never = "there is no draw, as `is_decisive` says; this game was drawn"
            is_decisive = position.game.info.is_decisive
            holds(position, log, require, not (is_decisive and is_drawn), never, ENDING)
        else:
            self._check_seats(position, log, looks=looks)
            holds(position, log, position_checks.check_outsiders, position)
            if looks or (self._resigns_always and len(log) < RESIGNED_AT):
                holds(position, log, position_checks.check_resignations, position)
        same = position.encode() == stored[0]
        unchanged = "a position stays as it is while moves are listed, read and played"
        holds(position, log, require, same, unchanged, SHARING)

    def _look(self, position: Position) -> None:
        """Note what a board shows, and check it against its text."""
        owners = self._owners.setdefault(position.players, set())
        for viewer in (None, *range(position.players)):
            scene = position.scene(viewer)
            owners.update(showing_checks.find_owners(scene))
            self._places.update(place.name for place in scene.places)
        if not {"hidden", "sealed"} & position.game.info.features:
            showing_checks.check_transposed(position, self._looking)

    def _check_seats(self, position: Position, log: Log, *, looks: bool) -> None:
        earlier = [move for _, move in log[-EARLIER:]]
        movers = sorted(position.to_move)
        movers = movers if len(movers) <= MOVERS else self._rng.sample(movers, MOVERS)
        for seat in range(position.players):
            if seat in position.to_move and seat not in movers:
                continue
            if seat in position.to_move:
                args = position, seat, self._rng, earlier
                self._holds(position, log, position_checks.check_moves, *args, looks=looks)
                if self._reserved:
                    self._holds(position, log, self._check_reserved, position, seat)
            elif seat not in position.may_revise:
                self._holds(position, log, _check_waiting, position, seat, earlier)
        if self._examples and looks:
            self._examples -= info_checks.find_readable(position, self._examples)

    def _check_reserved(self, position: Position, seat: int) -> None:
        for move in position.legal_moves(seat):
            what = f"the move {move!r} is not a word of the command language"
            require(move not in self._reserved, what, AMBIGUITY)

    def _check_solution(self, position: Position) -> None:
        self._solved += solution_checks.check_solution(position) is not None

    def _check_hiding(self, position: Position) -> None:
        self._compared += len(position.to_move)
        self._is_hiding |= check_hiding(position, self._rng)
        if "hidden" in position.game.info.features and position.outcome is None:
            nothing = "`key` is None while something is hidden, and equal keys would tell it"
            require(position.key is None, nothing, HIDING)


def _begin(game: Game, players: int, options: dict[str, Value]) -> Position:
    """Return the first position, with the usual options if these exclude each other."""
    try:
        return game.setup(players, options)
    except OptionError:
        return game.setup(players)


def _check_waiting(position: Position, seat: int, earlier: Collection[str]) -> None:
    """Check that a seat that is not on the move cannot play."""
    require(not position.legal_moves(seat), f"seat {seat} is not on the move", LEGALITY)
    for move in list(earlier)[-1:]:
        position_checks.check_refusal(position, seat, move)


def _check_replay(start: Position, log: Log, end: Position) -> None:
    """Check that the moves lead to the same position again, and do so too when each position on
    the way is stored and loaded, as a server does."""
    decode = start.game.decode
    if _replay(start, log, lambda position: decode(position.encode())) != end.encode():
        is_stored = _replay(start, log, lambda position: position) == end.encode()
        topic: Topic = STORAGE if is_stored else REPLAY
        how = ", each position being stored and loaded" if is_stored else ""
        require(False, f"a replay of the moves reaches the same position{how}", topic)


def _replay(start: Position, log: Log, renew: Callable[[Position], Position]) -> str:
    position = start
    for seat, move in log:
        position = renew(position)
        try:
            position = position.resign(seat) if move == "resign" else position.play(seat, move)
        except ValueError as error:
            return str(error)
    return position.encode()
