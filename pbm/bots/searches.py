"""The two searches for a move: the tree search of `mcts`, and alpha-beta."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, islice

from pbm.bots.evaluations import Evaluation
from pbm.bots.playouts import PLAY_OUTS, PRUNINGS
from pbm.bots.simple import Dice, shares
from pbm.rules import CHANCE, CHANCE_TO_MOVE, Outcome, Position

# The bot `mcts`: Monte Carlo tree search for any game, any number of seats, with chance.
#
# Every seat maximises its own share; chance is sampled; the value of a move is also learnt from
# playouts in which the same seat played it later (RAVE: Gelly and Silver, 2011). If there are many
# moves only some are tried, more with each visit, first those that did well later on (progressive
# widening: Coulom, 2007). If a game has a standing, playouts are short, play the best of a few
# moves and are judged by how they changed the outlook; instead of its later value, what a move
# changes at once counts. Sealed moves and hidden positions are not searched: the tree would see
# what the seat may not.

_EXPLORE = 0.4
_RAVE = 300.0
"""The number of visits from which a move's own playouts outweigh its later occurrences."""
_LONGEST = 3000
_LOOK = 64
"""Plies between two checks of the time within a playout."""
_SHORT = 1
"""Turns of each seat in a playout judged by the outlook."""
_DRAWN = 6
"""How many moves a playout judged by the outlook draws at random, to play the best of them."""
_TRUST = 40
"""Playouts that what a move does to the outlook at once is worth."""
_VISITED = 12
"""The root, and a node visited so often, looks at that."""
_FEW, _WIDER = 24, 3.0
"""A node tries this many moves at first, plus this factor times the root of its visits."""


def unfinished_shares(position: Position) -> tuple[float, ...]:
    """Return each seat's share of a playout that was cut off: those still playing share equally."""
    playing = position.playing
    others = max(1, position.players - 1)
    out = position.players - len(playing)
    share = (out + (len(playing) - 1) / 2) / others
    return tuple(
        share if seat in playing else max(0.0, (out - 1) / 2 / others)
        for seat in range(position.players)
    )


def standing_shares(
    before: Sequence[float], after: Sequence[float], spread: float
) -> tuple[tuple[float, ...], float]:
    """Return each seat's share of a playout that changed the standing, and the mean difference
    between two seats in it; `spread` is the usual difference."""
    changes = [now - then for then, now in zip(before, after, strict=True)]
    others = max(1, len(changes) - 1)
    got = tuple(
        (sum(1 + math.tanh((mine - other) / spread) for other in changes) - 1) / 2 / others
        for mine in changes
    )
    differences = [abs(one - other) for one, other in combinations(changes, 2)]
    return got, sum(differences) / max(1, len(differences))


def _lead(position: Position, seat: int) -> float:
    """Return by how much a seat is ahead of the next one."""
    outlook = position.outlook or (0.0,) * position.players
    return outlook[seat] - max(outlook[:seat] + outlook[seat + 1 :], default=0.0)


class Node:
    """A position in the tree: visits, each seat's share in them, and the child positions."""

    __slots__ = (
        *("children", "later", "moves", "position"),
        *("promises", "seat", "totals", "tried", "visits"),
    )

    def __init__(self, position: Position) -> None:
        self.position = position
        to_move = position.to_move
        self.seat = min(to_move) if to_move else None
        self.moves: Sequence[str] | None = None
        self.tried: dict[str, None] = {}
        self.visits = 0
        self.totals = [0.0] * position.players
        self.children: dict[str, Node] = {}
        self.later: dict[str, list[float]] = {}
        self.promises: dict[str, float] = {}


class Search:
    """A tree that grows by one position a playout; `work` counts them. `dice` decides everything
    random; `before` is the outlook from which changes count, if not that of the position."""

    def __init__(
        self, position: Position, dice: Dice, before: Sequence[float] | None = None
    ) -> None:
        self.root = Node(position)
        self._dice = dice
        self._play_out = PLAY_OUTS.get(position.game.info.name)
        self._prune = PRUNINGS.get(position.game.info.name)
        self._before = position.outlook if before is None else before
        self._differences = 1.0
        self.work = 0

    def run(self, enough: Callable[[], bool]) -> None:
        """Run playouts until `enough()`; fewer than the position has moves are of little use."""
        while not enough() and self._playout(enough):
            self.work += 1

    @property
    def is_ready(self) -> bool:
        """Whether there was a playout."""
        return self.work > 0

    @property
    def position(self) -> Position:
        """The position at the root."""
        return self.root.position

    def best(self) -> str:
        """Return the move tried most often; any legal one if there was no time."""
        root = self.root
        if root.seat is None or root.seat == CHANCE:
            raise ValueError("no seat is on the move")
        if not root.children:
            return self._dice.choice(root.position.legal_moves(root.seat))
        seat = root.seat
        return max(
            root.children,
            key=lambda move: (
                root.children[move].visits,
                root.children[move].totals[seat] / max(1, root.children[move].visits),
            ),
        )

    def prospect(self) -> float:
        """Return what the seat to move gets after the best move, from 0 (loses) to 1 (wins); a half
        if nothing was tried."""
        root, after = self.root, self.root.children.get(self.best())
        if after is None or root.seat is None or not after.visits:
            return 0.5
        return after.totals[root.seat] / after.visits

    @property
    def doubt(self) -> float:
        """The standard error of the prospect, at most: a half if nothing was tried."""
        after = self.root.children.get(self.best())
        return 0.5 / math.sqrt(max(1, after.visits if after is not None else 0))

    def run_once(self) -> None:
        """Run one playout."""
        self._playout(lambda: False)
        self.work += 1

    def list_shares(self) -> tuple[float, ...]:
        """Return what each seat got in the playouts, from 0 to 1; a half if there were none."""
        root = self.root
        return tuple(share / root.visits if root.visits else 0.5 for share in root.totals)

    def list_values(self) -> list[tuple[str, float]]:
        """Return the moves tried with what the seat to move gets after each, best first."""
        root = self.root
        if root.seat is None:
            return []
        tried = [
            (after.visits, after.totals[root.seat] / after.visits, move)
            for move, after in root.children.items()
            if after.visits
        ]
        return [(move, share) for _, share, move in sorted(tried, reverse=True)]

    def advance(self, move: str) -> None:
        """Continue from the position after a move, keeping what was learnt about it."""
        seat = self.root.seat
        if seat is None:
            raise ValueError("the game is over")
        self.root = self.root.children.get(move) or Node(self.root.position.play(seat, move))
        self._before = self.root.position.outlook

    def _playout(self, enough: Callable[[], bool]) -> bool:
        """Run one playout; False if the time was over before it was worth anything."""
        path, played = self._descend()
        position = path[-1].position
        if self._play_out is not None and position.outcome is None:
            whole = self._play_out(position, self._dice)
            if whole is not None:
                self._learn(path, played + whole[0], whole[1])
                return True
        dice, plies = self._dice, 0
        last_turn = math.inf if self._before is None else position.turn + _SHORT * position.players
        while position.outcome is None and plies < _LONGEST and position.turn < last_turn:
            if position.to_move == CHANCE_TO_MOVE and position.chance is not None:
                position = position.play(CHANCE, dice.choice(position.chance.outcomes))
                continue
            seat = min(position.to_move)
            move, position = self._choose(position, seat)
            played.append((seat, move))
            plies += 1
            if not plies % _LOOK and enough() and self.work:
                return False
        self._learn(path, played, self._evaluate(position))
        return True

    def _choose(self, position: Position, seat: int) -> tuple[str, Position]:
        """Return a move of a playout, and the position after it: any, or the best of some by what
        they do to the outlook at once."""
        moves = position.legal_moves(seat)
        if self._before is None:
            move = self._dice.choice(moves)
            return move, position.play(seat, move)
        drawn = {self._dice.choice(moves) for _ in range(min(_DRAWN, len(moves)))}
        tried = [(move, position.play(seat, move)) for move in sorted(drawn)]
        return max(tried, key=lambda each: _lead(each[1], seat))

    def _evaluate(self, position: Position) -> tuple[float, ...]:
        """Return each seat's share of a playout that ended there, by result, standing, or both."""
        outcome, after = position.outcome, position.outlook
        result = None if outcome is None else shares(outcome)
        if self._before is None or after is None:
            return result or unfinished_shares(position)
        spread = self._differences / (self.work + 1)
        got, difference = standing_shares(self._before, after, spread)
        self._differences += difference
        if result is None:
            return got
        return tuple((one + other) / 2 for one, other in zip(got, result, strict=True))

    def _descend(self) -> tuple[list[Node], list[tuple[int, str]]]:
        """Walk from the root to a new node; returns the path and the moves of seats on it."""
        node = self.root
        path, played = [node], []
        while node.seat is not None:
            if node.seat == CHANCE:
                question = node.position.chance
                move = self._dice.choice(question.outcomes if question is not None else ())
            else:
                move = self._select(node)
                played.append((node.seat, move))
            child = node.children.get(move)
            node_after = child or Node(node.position.play(node.seat, move))
            node.children[move] = node_after
            path.append(node_after)
            if child is None and node.seat != CHANCE:
                break
            node = node_after
        return path, played

    def _select(self, node: Node) -> str:
        """Return the most promising move; ties are drawn."""
        seat = node.seat
        if node.moves is None:
            moves = node.position.legal_moves(0 if seat is None else seat)
            node.moves = moves if self._prune is None else self._prune(node.position, moves)
        if len(node.moves) == 1 or seat is None:
            return node.moves[0]
        if node is self.root or node.visits == _VISITED:
            self._look_ahead(node, node.moves)
        log = math.log(node.visits + 1)
        best, chosen = -1.0, node.moves[0]
        mean = node.totals[seat] / node.visits if node.visits else 0.5
        for move in self._candidates(node, node.moves):
            score = self._score(node, seat, move, log, mean) + 1e-6 * self._dice.random()
            if score > best:
                best, chosen = score, move
        return chosen

    def _candidates(self, node: Node, moves: Sequence[str]) -> Iterable[str]:
        """Return the moves tried so far: all, or those that did well later on or were drawn."""
        count = _FEW + int(_WIDER * math.sqrt(node.visits))
        if 2 * count >= len(moves):
            return moves
        if node.promises:
            return islice(node.promises, count)
        tried = node.tried
        if len(tried) < count:
            later = node.later
            promising = [move for move in {*moves}.intersection(later) if move not in tried]
            promising.sort(key=lambda move: ((later[move][1] + 1) / (later[move][0] + 2), move))
            while len(tried) < count:
                use = promising and len(tried) % 2
                tried[promising.pop() if use else self._dice.choice(moves)] = None
        return tried

    def _look_ahead(self, node: Node, moves: Sequence[str]) -> None:
        """Find out what each move does to the outlook at once, if the game has one; the best come
        first."""
        before, seat = node.position.outlook, node.seat
        if before is None or seat is None or node.promises:
            return
        gains: dict[str, float] = {}
        for move in moves:
            after = node.position.play(seat, move).outlook or before
            changes = [now - then for then, now in zip(before, after, strict=True)]
            gains[move] = changes[seat] - max(changes[:seat] + changes[seat + 1 :], default=0.0)
        mean = sum(gains.values()) / len(gains)
        spread = 2 * math.sqrt(sum((gain - mean) ** 2 for gain in gains.values()) / len(gains))
        for move, gain in sorted(gains.items(), key=lambda pair: -pair[1]):
            node.promises[move] = (1 + math.tanh((gain - mean) / (spread or 1.0))) / 2

    @staticmethod
    def _score(node: Node, seat: int, move: str, log: float, mean: float) -> float:
        """Return the upper confidence bound of a move: its own share, blended with its value later
        on."""
        child, later = node.children.get(move), node.later.get(move)
        visits = child.visits if child is not None else 0
        own = child.totals[seat] / visits if child is not None and visits else mean
        if move in node.promises:
            own = (visits * own + _TRUST * node.promises[move]) / (visits + _TRUST)
        if later is not None and not node.promises:
            weight = math.sqrt(_RAVE / (3 * visits + _RAVE)) * later[0] / (later[0] + 5.0)
            own = (1 - weight) * own + weight * later[1] / later[0]
        return own + _EXPLORE * math.sqrt(log / (visits + 1))

    @staticmethod
    def _learn(
        path: Sequence[Node], played: Sequence[tuple[int, str]], got: tuple[float, ...]
    ) -> None:
        """Record the playout along its path."""
        at = 0
        for node in path:
            node.visits += 1
            for seat, share in enumerate(got):
                node.totals[seat] += share
            if node.seat is None or node.seat == CHANCE:
                continue
            share = got[node.seat]
            for move in {move for seat, move in played[at:] if seat == node.seat}:
                later = node.later.get(move)
                if later is None:
                    node.later[move] = [1.0, share]
                else:
                    later[0] += 1.0
                    later[1] += share
            at += 1


# Alpha-beta for two seats, nothing random, and a way to tell who is ahead.
#
# Iterative deepening with a table of positions seen, killer moves and a history of good ones; where
# the horizon cuts an exchange, captures are followed to their end. Of moves that are about equally
# good one is drawn, so that few games are the same: on a small board, where often a single move is
# best, some are.

_WIN = 10_000.0
_DEEPEST = 60
_QUIET = 8
"""The number of captures that are followed beyond the horizon."""
_MARGIN = 0.06
"""Moves whose values differ by less, in pieces, are equally good."""
_FIRST_TURNS, _FIRST_MARGIN = 8, 0.2
"""The same in the first turns, so that games part early."""
_CLEAR = 3.0
"""Pieces ahead that are as good as a win in three games of four."""
_POSITIONS = 60_000
"""The size of the table: some 20 MiB."""
_REPLIES = 1
"""The depth at which every reply to every move has been seen."""
_FIRST_LOOK = 20_000
"""Positions, about a second, after which that may be left: a board may be crowded with pieces that
take each other."""
_EXACT, _AT_LEAST, _AT_MOST = range(3)


class _Enough(Exception):
    """The search is over."""


class AlphaBeta:
    """A search that goes one move deeper at a time. `work` counts the positions it has seen."""

    doubt = 0.0
    """Nothing that it finds is a matter of chance."""

    def __init__(self, position: Position, evaluation: Evaluation, dice: Dice) -> None:
        self._position = position
        self.work = 0
        self._has_seen_replies = False
        self._evaluation = evaluation
        self._dice = dice
        self._table: dict[str, tuple[int, int, float, str]] = {}
        self._killers: dict[int, str] = {}
        self._history: dict[tuple[int, str], int] = {}
        self._path: set[str] = set()
        self._values: dict[str, float] = {}
        self._whole: dict[str, float] = {}
        self._is_over: Callable[[], bool] = lambda: False

    @property
    def is_ready(self) -> bool:
        """Whether it has seen every reply to every move, or so much that it need not."""
        return self._has_seen_replies or self.work >= _FIRST_LOOK

    @property
    def position(self) -> Position:
        """The position at the root."""
        return self._position

    @property
    def _margin(self) -> float:
        return _FIRST_MARGIN if self._position.turn < _FIRST_TURNS else _MARGIN

    def run(self, enough: Callable[[], bool]) -> None:
        """Search deeper and deeper until `enough()`, or until the end of the game is in sight."""
        position, self._is_over = self._position, enough
        (seat,) = position.to_move
        moves = [(self._dice.random(), move) for move in position.legal_moves(seat)]
        moves.sort()
        order = [move for _, move in moves]
        order.sort(key=lambda move: not self._evaluation.takes(position, move))
        for depth in range(_DEEPEST):
            values: dict[str, float] = {}
            began = self.work
            try:
                self._look_at(order, seat, depth, values)
            except _Enough:
                if values.keys() >= {order[0]}:
                    self._values = values
                break
            self._values = self._whole = values
            self._has_seen_replies = self._has_seen_replies or depth >= _REPLIES
            order.sort(key=lambda move: -values[move])
            is_decided = abs(values[order[0]]) > _WIN / 2
            if is_decided or self.work == began or enough():
                break

    def _look_at(
        self, order: Sequence[str], seat: int, depth: int, values: dict[str, float]
    ) -> None:
        """Fill in the values of the moves at the root; only those near the best are exact."""
        best = -math.inf
        self._path.clear()
        for move in order:
            after = self._position.play(seat, move)
            lowest = best - self._margin
            values[move] = self._value_after(after, seat, depth, lowest, math.inf, 1)
            best = max(best, values[move])

    def best(self) -> str:
        """Return one of the best moves; any legal one if there was no time."""
        values = self._values
        if not values:
            (seat,) = self._position.to_move
            return self._dice.choice(self._position.legal_moves(seat))
        least = max(values.values()) - self._margin
        return self._dice.choice([move for move, value in values.items() if value > least])

    def prospect(self) -> float:
        """Return what the seat to move gets after the best move, from 0 (loses) to 1 (wins); a half
        if nothing was tried."""
        return _share(max(self._values.values())) if self._values else 0.5

    def list_values(self) -> list[tuple[str, float]]:
        """Return the moves searched with what the seat to move gets after each, best first; of bad
        ones only at most so much."""
        ranked = sorted(self._values.items(), key=lambda pair: -pair[1])
        return [(move, _share(value)) for move, value in ranked]

    def list_losses(self) -> list[tuple[str, float]]:
        """Return all moves with how much less the seat to move gets after each than after the best
        one, as deep as each was searched, best first; of bad ones at least so much."""
        losses: dict[str, float] = {}
        for values in (self._whole, self._values):
            best = max(values.values(), default=0.0)
            losses |= {move: _share(best) - _share(value) for move, value in values.items()}
        return sorted(losses.items(), key=lambda pair: pair[1])

    def compare(self, after: Sequence[Position], enough: Callable[[], bool]) -> list[float]:
        """Return what the seat to move gets in each of these positions after its turn, from 0 to 1,
        all searched to the same depth: until `enough()`, once it `is_ready`."""
        (seat,) = self._position.to_move
        values = [self._evaluation.judge(position, seat) for position in after]
        self._is_over = lambda: self.is_ready and enough()
        for depth in range(_DEEPEST):
            try:
                deeper = [self._value_exactly(position, seat, depth) for position in after]
            except _Enough:
                break
            values = deeper
            self._has_seen_replies = self._has_seen_replies or depth >= _REPLIES
            if all(abs(value) > _WIN / 2 for value in values):
                break
        return [_share(value) for value in values]

    def _value_exactly(self, position: Position, seat: int, depth: int) -> float:
        self._path.clear()
        return self._value_after(position, seat, depth, -math.inf, math.inf, 1)

    def advance(self, move: str) -> None:
        """Continue from the position after a move, keeping what was learnt about others."""
        (seat,) = self._position.to_move
        self._position = self._position.play(seat, move)
        self._values = self._whole = {}
        self._has_seen_replies = False

    def _value_after(
        self, position: Position, seat: int, depth: int, alpha: float, beta: float, ply: int
    ) -> float:
        if position.outcome is not None:
            self._count()
            return _judge(position.outcome, seat, ply)
        (mover,) = position.to_move
        if mover == seat:
            return self._search(position, seat, depth, alpha, beta, ply)
        return -self._search(position, mover, depth, -beta, -alpha, ply)

    def _count(self) -> None:
        self.work += 1
        if self._is_over():
            raise _Enough

    def _search(
        self, position: Position, seat: int, depth: int, alpha: float, beta: float, ply: int
    ) -> float:
        self._count()
        if depth <= 0:
            return self._settle(position, seat, depth, alpha, beta, ply)
        key, first = position.key, ""
        if key is not None:
            if key in self._path:
                return 0.0
            entry = self._table.get(key)
            if entry is not None:
                at, kind, value, first = entry
                if at >= depth and (
                    kind == _EXACT
                    or (kind == _AT_LEAST and value >= beta)
                    or (kind == _AT_MOST and value <= alpha)
                ):
                    return value
            self._path.add(key)
        best, chosen, lowest = -math.inf, "", alpha
        for move in self._order(position, seat, ply, first):
            after = position.play(seat, move)
            value = self._value_after(after, seat, depth - 1, alpha, beta, ply + 1)
            if value > best:
                best, chosen = value, move
                alpha = max(alpha, value)
                if alpha >= beta:
                    self._killers[ply] = move
                    place = seat, move
                    self._history[place] = self._history.get(place, 0) + depth * depth
                    break
        if key is not None:
            self._path.discard(key)
            kind = _AT_LEAST if best >= beta else _EXACT if best > lowest else _AT_MOST
            if len(self._table) >= _POSITIONS:
                self._table.clear()
            self._table[key] = depth, kind, best, chosen
        return best

    def _settle(
        self, position: Position, seat: int, depth: int, alpha: float, beta: float, ply: int
    ) -> float:
        """Return the value at the horizon: as it stands, or after captures, which may be
        compulsory."""
        value = self._evaluation.judge(position, seat)
        if depth <= -_QUIET or not self._evaluation.follows:
            return value
        moves, takes = position.legal_moves(seat), self._evaluation.takes
        captures = [move for move in moves if takes(position, move)]
        if not captures:
            return value
        best = -math.inf if len(captures) == len(moves) else value
        alpha = max(alpha, best)
        for move in captures:
            if alpha >= beta:
                break
            after = position.play(seat, move)
            best = max(best, self._value_after(after, seat, depth - 1, alpha, beta, ply + 1))
            alpha = max(alpha, best)
        return best

    def _order(self, position: Position, seat: int, ply: int, first: str) -> list[str]:
        """Return the moves, those first that are likely to be good."""
        killer, history, takes = self._killers.get(ply), self._history, self._evaluation.takes

        def rank(move: str) -> float:
            if move == first:
                return -math.inf
            urgency = history.get((seat, move), 0) + 1e6 * takes(position, move)
            return -urgency - 1e5 * (move == killer)

        return sorted(position.legal_moves(seat), key=rank)


def _judge(outcome: Outcome, seat: int, ply: int) -> float:
    """Return what a result is worth to a seat: a sooner win more, a sooner loss less."""
    mine, other = outcome.ranks[seat], outcome.ranks[1 - seat]
    if mine == other:
        return 0.0
    return _WIN - ply if mine < other else ply - _WIN


def _share(value: float) -> float:
    """Return a value in pieces as a share of the game, from 0 to 1."""
    return (1 + math.tanh(value / (2 * _CLEAR))) / 2
