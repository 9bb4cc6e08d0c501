"""The conformance suite that every game, including those of plugins, must pass, and playthroughs.

Call `check(game)` from a test. This is the only module of the pure rooms that may use `random`."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import isfinite

from pbm.rules.game import CHANCE, CHANCE_TO_MOVE, Game, IllegalMove, MoveError, Outcome, Position
from pbm.rules.options import Option, OptionError, Value
from pbm.rules.testing.nonconforming import Nonconforming, require
from pbm.rules.testing.scene_checks import check_hiding, check_scene, check_steps

COLUMNS = 78
"""The widest line a board may have in a mail."""
SPOKEN = 200
"""The longest line of a board in words."""
PLAYED = 400
"""The number of moves of a playthrough whose header gives no other."""

EARLIER = 6
"""How many earlier moves are tried again; those no longer listed must be refused."""
LOOKED_AT = 5
"""In every fifth turn a decoded position is also drawn and compared with the original."""

_NONSENSE = (
    "",
    "?",
    "zz99",
    "a1-",
    "0",
    "pass pass",
    "b1,,",
    "x" * 300,
    "\u00e9",
    "a1\n",
    " a1",
    "-1",
)


def check(game: Game, *, games: int = 12, moves: int = 300, seed: int = 0) -> int:
    """Play `games` random games (at most `moves` moves each) with all numbers of players and
    sampled options, and check every position against the interface. Returns the number of positions
    seen; raises Nonconforming."""
    _check_info(game)
    rng = random.Random(seed)  # noqa: S311 (not cryptography)
    seen = 0
    for number in range(max(games, len(game.info.players))):
        players = game.info.players[number % len(game.info.players)]
        options = {} if number < len(game.info.players) else random_options(game, rng)
        try:
            position = game.setup(players, options)
        except OptionError:
            position = game.setup(players)
        seen += _check_game(position, rng, moves, resignations=number % 3 == 2)
    return seen


def random_options(game: Game, rng: random.Random) -> dict[str, Value]:
    """Some options of the game with allowed values; together they may exclude each other."""
    return {
        option.name: value
        for option in game.info.options
        if rng.random() < 0.5 and (value := _random_value(option, rng)) is not None
    }


def _random_value(option: Option, rng: random.Random) -> Value | None:
    if option.kind == "flag":
        return True
    if option.kind == "int":
        return rng.randint(int(option.low), int(option.high))
    if option.kind == "float":
        return rng.uniform(option.low, option.high)
    return rng.choice(option.choices) if option.choices else None


def _check_info(game: Game) -> None:
    info = game.info
    require(
        info.name == info.name.lower() and info.name.isalnum(), "name: lower case, alphanumeric"
    )
    require(info.name[0].isalpha(), "name begins with a letter")
    require(info.title and info.summary and info.help, "title, summary and help are written")
    require("\n" not in info.summary and len(info.summary) <= 70, "summary is one short line")
    for line in info.help.splitlines():
        require(len(line) <= COLUMNS, f"help is wider than {COLUMNS} columns: {line!r}")
        require(line.isascii() and (line.isprintable() or not line), f"help is ASCII: {line!r}")
    for count in info.players:
        require(len(info.seats[count]) == count, f"{count} seats have {count} names")
        require(len(set(info.seats[count])) == count, "seats have different names")
    unknown = info.features - {"chance", "hidden", "sealed", "swap", "turned", "paired"}
    require(not unknown, f"unknown features {sorted(unknown)}")
    for option in info.options:
        require(option.help, f"-{option.name} has a line of help")
        if option.default is not None:
            read = option.read(option.default)
            require(
                read == option.default and type(read) is type(option.default),
                f"-{option.name} has a default of its type",
            )


def _check_game(position: Position, rng: random.Random, moves: int, *, resignations: bool) -> int:
    start, seen = position, 0
    log: list[tuple[int, str]] = []
    while position.to_move and len(log) < moves:
        _check_position(position, rng, [move for _, move in log[-EARLIER:]])
        seen += 1
        if resignations and position.to_move != CHANCE_TO_MOVE and rng.random() < 0.02:
            leaver = rng.choice(sorted(position.playing))
            following = position.resign(leaver)
            require(leaver not in following.playing, "who resigned no longer plays")
            log.append((leaver, "resign"))
        else:
            seat, move = _choose(position, rng)
            following = position.play(seat, move)
            require(following.turn >= position.turn, "the turn never falls")
            log.append((seat, move))
        position = following
    _check_position(position, rng)
    replay = start
    for seat, move in log:
        replay = replay.resign(seat) if move == "resign" else replay.play(seat, move)
    require(replay.encode() == position.encode(), "a replay reaches the same position")
    return seen + 1


def _choose(position: Position, rng: random.Random) -> tuple[int, str]:
    if position.to_move == CHANCE_TO_MOVE:
        require(position.chance is not None, "a position that awaits chance asks a question")
        outcomes = position.chance.outcomes if position.chance else ()
        return CHANCE, rng.choice(outcomes)
    seat = rng.choice(sorted(position.to_move))
    return seat, rng.choice(position.legal_moves(seat))


def _check_position(position: Position, rng: random.Random, earlier: Sequence[str] = ()) -> None:
    over = position.outcome is not None
    _check_standing(position)
    require(over == (not position.to_move), "it is over exactly when nobody is to move")
    require(
        (CHANCE in position.to_move) == (position.to_move == CHANCE_TO_MOVE), "chance moves alone"
    )
    require(
        (position.chance is not None) == (position.to_move == CHANCE_TO_MOVE),
        "there is a question exactly when chance is to move",
    )
    require(over or position.to_move - {CHANCE} <= position.playing, "who moves is playing")
    looks = over or position.turn % LOOKED_AT == 0
    _check_encoding(position, looks=looks)
    _check_text(position, rng, looks=looks)
    if looks and {"hidden", "sealed"} & position.game.info.features:
        _check_hiding(position, rng)
    if position.outcome is not None:
        _check_outcome(position.outcome, position.players)
        for seat in range(position.players):
            require(not position.legal_moves(seat), "nothing is legal when it is over")
            _refused(position, seat, "pass")
        return
    for seat in range(position.players):
        if seat in position.to_move:
            _check_moves(position, seat, rng, earlier, looks=looks)
        else:
            require(not position.legal_moves(seat), f"seat {seat} is not on the move")
            for move in earlier[-1:]:
                _refused(position, seat, move)
    outsiders = set(range(position.players)) - position.playing
    for seat in [*outsiders, position.players, CHANCE]:
        try:
            position.resign(seat)
        except IllegalMove:
            continue
        raise Nonconforming(f"seat {seat} cannot resign")


def _check_standing(position: Position) -> None:
    """Check that there is a number for each seat, and that at the end nobody with less is ranked
    above a seat still playing."""
    standing, outcome = position.standing, position.outcome
    if standing is None:
        return
    require(len(standing) == position.players, "the standing has a number for each seat")
    require(all(isfinite(points) for points in standing), "the standing is finite")
    if outcome is None:
        return
    for one, other in permutations(position.playing, 2):
        require(
            standing[one] >= standing[other] or outcome.ranks[one] > outcome.ranks[other],
            "at the end the standing agrees with the ranks",
        )


def _check_encoding(position: Position, *, looks: bool) -> None:
    text = position.encode()
    require("\n" not in text, "an encoded position is one line")
    copy = position.game.decode(text)
    require(copy.encode() == text, "encode and decode are inverse")
    for name in (
        *("to_move", "turn", "playing", "outcome", "chance", "key", "players", "seat_names"),
        "standing",
    ):
        require(
            getattr(copy, name) == getattr(position, name), f"a decoded position has its {name}"
        )
    require(dict(copy.options) == dict(position.options), "a decoded position has its options")
    if looks:
        require(copy.render() == position.render(), "a decoded position looks the same")
        require(copy.scene() == position.scene(), "a decoded position has its scene")


def _check_text(position: Position, rng: random.Random, *, looks: bool) -> None:
    viewers: list[int | None] = [None, *range(position.players)]
    everyone = position.outcome or {"hidden", "sealed"} & position.game.info.features
    chosen = viewers[position.turn % len(viewers)]
    moves: Sequence[str] = ()
    if position.to_move and position.to_move != CHANCE_TO_MOVE:
        moves = position.legal_moves(min(position.to_move))
    if not {"hidden", "sealed", "turned"} & position.game.info.features:
        is_same = position.turn % 5 or position.picture(0) == position.picture(viewers[-1])
        require(is_same, "everybody sees the same picture")
    for viewer in viewers:
        last = (rng.choice(moves),) if moves and rng.random() < 0.5 else ()
        if not everyone and viewer != chosen:  # they hardly differ, and drawing is slow
            continue
        if looks:
            check_scene(position, viewer, last)
            _check_words(position.words(viewer, last))
        text = position.render(viewer, last)
        require(text.strip(), "a board shows something")
        for line in text.split("\n"):
            require(len(line) <= COLUMNS, f"a line is wider than {COLUMNS} columns: {line!r}")
            require(
                line.isascii() and (line.isprintable() or not line), f"not plain ASCII: {line!r}"
            )
    for sentence in position.news:
        require(sentence.isascii() and sentence.isprintable(), f"not plain ASCII: {sentence!r}")


def _check_words(words: str) -> None:
    require(words.strip(), "the words say something")
    for line in words.split("\n"):
        require(len(line) <= SPOKEN, f"a line of words is longer than {SPOKEN}: {line!r}")
        require(line.isascii() and line.isprintable(), f"not plain ASCII: {line!r}")


def _check_outcome(outcome: Outcome, players: int) -> None:
    require(len(outcome.ranks) == players, "every seat is ranked")
    require(outcome.reason, "an outcome has a reason")
    for rank in outcome.ranks:
        better = sum(other < rank for other in outcome.ranks)
        require(rank == better + 1, "a rank is 1 + the number of seats that did better")


def _check_hiding(position: Position, rng: random.Random) -> None:
    """Compare what two moves of a seat or two answers of chance look like to the others."""
    for seat in position.to_move:
        moves = position.legal_moves(seat)
        if len(moves) > 1:
            one, other = rng.sample(moves, 2)
            check_hiding(position, seat, (one, other))


def _check_moves(
    position: Position, seat: int, rng: random.Random, earlier: Sequence[str], *, looks: bool
) -> None:
    moves = position.legal_moves(seat)
    require(len(moves) > 0, f"seat {seat} is on the move and has one")
    legal = set(moves)
    require(len(legal) == len(moves), "each legal move is listed once")
    require(list(position.legal_moves(seat)) == list(moves), "the list of moves is stable")
    some = rng.sample(list(moves), min(4, len(moves)))
    if looks:
        check_steps(position, seat, moves, some[:1])
    for move in some:
        require(move.isascii() and move.isprintable(), f"{move!r} is plain ASCII")
        following = position.play(seat, move)
        first, implied = position.parse(move, seat)
        require(first == move, f"{move!r} parses to itself")
        if implied:  # the rules say that the end of the turn is implied
            require(following.parse(implied, seat) == (implied, ""), f"{implied!r} is one move")
            ended = following.play(seat, implied)
            require(ended.turn > position.turn, f"{implied!r} after {move!r} ends the turn")
        for viewer in (None, *range(position.players)):
            words = position.describe(seat, move, viewer)
            require(words and words.isascii() and words.isprintable(), f"{move!r} is described")
        require(following.encode() != position.encode(), f"{move!r} changes the position")
    strange = [*_NONSENSE, *earlier, *(_mutations(rng.choice(list(moves)), rng))]
    for text in strange:
        if text not in legal:
            _refused(position, seat, text)
        try:
            parsed, _rest = position.parse(text, seat)
        except MoveError as error:
            require(str(error), "an error has a text")
        else:
            require(parsed, "a parsed move is not empty")


def _mutations(move: str, rng: random.Random) -> Iterator[str]:
    for _ in range(3):
        at = rng.randrange(len(move))
        yield move[:at] + rng.choice("abcdefgh12345,-x@:/ ") + move[at + 1 :]
    yield move.upper() if move.upper() != move else move + move
    yield move + " "


def _refused(position: Position, seat: int, move: str) -> None:
    try:
        position.play(seat, move)
    except MoveError as error:
        require(str(error), "an error has a text")
    else:
        raise Nonconforming(f"{move!r} is not listed for seat {seat} and was played")


def finished(position: Position, rng: random.Random, most: int = 100_000) -> tuple[Position, int]:
    """Play at random to the end; returns the last position and the number of moves. Raises
    Nonconforming if a seat on the move has no legal move, or if the game is not over after `most`
    moves."""
    number = 0
    while position.to_move:
        require(number < most, f"not over after {most} moves: {position.encode()}")
        seat = CHANCE if position.to_move == CHANCE_TO_MOVE else min(position.to_move)
        question = position.chance
        moves = position.legal_moves(seat) if question is None else question.outcomes
        require(len(moves) > 0, f"seat {seat} is on the move and has one: {position.encode()}")
        position = position.play(seat, rng.choice(moves))
        number += 1
    return position, number


def playthrough(
    game: Game,
    *,
    players: int,
    seed: int,
    options: dict[str, Value] | None = None,
    moves: int = PLAYED,
    every: int = 1,
) -> str:
    """A random game written out state by state, for a file that is committed, regenerated and
    compared: the board as each viewer sees it, seats on the move, legal moves, question, choice,
    news, outcome. For large boards, boards and legal moves are written only for each `every`-th
    state and the last."""
    rng = random.Random(seed)  # noqa: S311 (not cryptography)
    position = game.setup(players, options or {})
    lines = [f"game {game.info.name} version {game.info.version}", f"players {players}"]
    lines.append(f"seed {seed}")
    lines += [] if moves == PLAYED else [f"moves {moves}"]
    lines += [] if every == 1 else [f"every {every}"]
    lines += [f"option {name} = {value}" for name, value in (options or {}).items()]
    last: tuple[str, ...] = ()
    viewers: list[int | None] = [None]
    if "hidden" in game.info.features or "sealed" in game.info.features:
        viewers += range(players)
    for number in range(moves):
        lines += ["", f"# state {number}, turn {position.turn}"]
        full = number % every == 0 or not position.to_move
        for viewer in viewers if full else ():
            lines += [] if viewer is None else [f"as seat {viewer} sees it:"]
            lines += position.render(viewer, last).split("\n")
        if not position.to_move:
            break
        for seat in sorted(position.to_move - {CHANCE}) if full else ():
            legal = list(position.legal_moves(seat))
            shown = " | ".join(legal[:60]) + (" | ..." if len(legal) > 60 else "")
            lines.append(f"seat {seat} has {len(legal)} moves: {shown}")
        if position.chance is not None:
            lines.append(f"chance {position.chance.kind} of {len(position.chance.outcomes)}")
        seat, move = _choose(position, rng)
        lines.append(f"{'chance' if seat == CHANCE else f'seat {seat}'} plays {move}")
        for viewer in viewers:
            words = position.describe(seat, move, viewer)
            if words != move:
                lines.append(
                    f"  which reads {words}" + ("" if viewer is None else f" for {viewer}")
                )
        position = position.play(seat, move)
        lines += [f"  {sentence}" for sentence in position.news]
        last = (*last, move) if position.to_move == CHANCE_TO_MOVE else (move,)
    if position.outcome is not None:
        lines += ["", f"ranks {position.outcome.ranks}: {position.outcome.reason}"]
    return "\n".join(line.rstrip() for line in lines) + "\n"
