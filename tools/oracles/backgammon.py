"""Backgammon and its kin: OpenSpiel for the plays of backgammon and hypergammon, and a second
implementation, by trying everything, for nackgammon, the cube and matches.

OpenSpiel's hypergammon has no winner, since it looks for fifteen men borne off: who has none left
on the board is asked instead. It plays equal dice in two halves, and ends a game as drawn after 500
turns of each side, before which it is left here."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import pyspiel

from pbm.games.backgammon import Backgammon
from pbm.games.backgammon.men import to_text
from pbm.games.backgammon.state import ASK, PLAY
from pbm.rules import Position
from tools.oracles import Row
from tools.oracles.territory import SPIEL

BAR_OF_SPIEL = 100


def board_after(position: Position, move: str) -> str:
    """Return a play by what it leads to: the men of who made it and of the other, from bar to
    off."""
    assert isinstance(position, Backgammon)
    if position.phase != PLAY or move == ASK:
        return move
    own, other = position.plays()[move]
    return f"{to_text(own)} {to_text(other)}"


Half = tuple[list[int], pyspiel.State]


class SpielTables:
    """A game of OpenSpiel. Rolls without a choice are played at once, as our server does."""

    def __init__(self, parameters: str, men: int) -> None:
        self.state = pyspiel.load_game(f"backgammon{parameters}").new_initial_state()
        self.men = men
        self.dice: list[int] = []
        self.prefetched: dict[str, list[int]] = {}

    def text(self, state: pyspiel.State, seat: int) -> str:
        """Return the men of a seat, from the bar to those borne off."""
        points = [state.board(seat, n) for n in range(24)]
        row = [state.board(seat, BAR_OF_SPIEL), *(points if seat == 0 else points[::-1])]
        return "".join(f"{count:x}" for count in [*row, self.men - sum(row)])

    def moves(self) -> Iterable[str]:
        return self.prefetched

    def _look(self) -> None:
        """Find the plays by their results; equal dice are played in two halves."""
        seat = self.state.current_player()
        plays = self._halves(self.state, seat, [])
        if any(half.current_player() == seat for _, half in plays.values()):
            halves, plays = plays, {}
            for text, (actions, half) in halves.items():
                goes_on = half.current_player() == seat
                plays |= self._halves(half, seat, actions) if goes_on else {text: (actions, half)}
        self.prefetched = {text: actions for text, (actions, _) in plays.items()}

    def _halves(self, state: pyspiel.State, seat: int, before: list[int]) -> dict[str, Half]:
        """Return what its actions lead to, by the men: all actions of the turn, and the state."""
        found: dict[str, Half] = {}
        for action in state.legal_actions():
            after = state.child(action)
            text = f"{self.text(after, seat)} {self.text(after, 1 - seat)}"
            found[text] = ([*before, action], after)
        return found

    def play(self, move: str) -> None:
        if len(move) > 1:
            self._apply(move)
            return
        self.dice.append(int(move))
        first, second = self.dice[0], self.dice[-1]
        opens = self.state.is_initial_state()
        if len(self.dice) == 1 or (opens and first == second):
            self.dice = self.dice if len(self.dice) == 1 else []
            return
        self.dice = []
        wanted = {f"roll: {first}{second})", f"roll: {second}{first})"}
        starts = "X starts" if first > second else "O starts"
        for outcome, _ in self.state.chance_outcomes():
            text = self.state.action_to_string(-1, outcome)
            if any(one in text for one in wanted) and (not opens or starts in text):
                self.state.apply_action(outcome)
                break
        self._look()
        if len(self.prefetched) == 1:
            self._apply(next(iter(self.prefetched)))

    def _apply(self, result: str) -> None:
        for action in self.prefetched[result]:
            self.state.apply_action(action)

    def ranks(self) -> tuple[int, ...] | None:
        if not self.state.is_terminal():
            return None
        return (1, 2) if self.text(self.state, 0).endswith(f"{self.men:x}") else (2, 1)


Men = Counter[int]
Both = tuple[Men, Men]


class PlainTables:
    """A match, played by trying each die with each man."""

    def __init__(
        self, begin: dict[int, int], points: int = 1, *, jacoby: bool = False, crawford: bool = True
    ) -> None:
        self.begin, self.points, self.jacoby = begin, points, jacoby
        self.score = [0, 0]
        self.plans_crawford, self.is_crawford = crawford, False
        self.result: tuple[int, ...] | None = None
        self.new_game()

    def new_game(self) -> None:
        self.men = [Counter(self.begin), Counter(self.begin)]
        self.dice: list[int] = []
        self.seat, self.opens = 0, True
        self.cube, self.holders = 1, {0, 1}
        self.silent = {0: False, 1: False}
        self.choices: dict[str, Both | None] = {}

    def text(self, men: Men) -> str:
        return "".join(f"{men[place]:x}" for place in range(25, -1, -1))

    def moves(self) -> Iterable[str]:
        return self.choices

    def one_die(self, own: Men, other: Men, die: int) -> Iterator[Both]:
        """Yield everything that one die can do."""
        rear = max(place for place in own if own[place])
        for place in range(1, 26):
            if not own[place] or (own[25] and place != 25):
                continue
            end = place - die
            if end <= 0 and (rear > 6 or (end < 0 and place != rear)):
                continue
            if end > 0 and other[25 - end] > 1:
                continue
            mine, theirs = own.copy(), other.copy()
            mine[place] -= 1
            mine[max(end, 0)] += 1
            if end > 0 and theirs[25 - end]:
                theirs[25 - end] -= 1
                theirs[25] += 1
            yield mine, theirs

    def sequences(self, own: Men, other: Men, dice: list[int]) -> Iterator[tuple[list[int], Both]]:
        """Yield every order and manner of playing some of the dice."""
        yield [], (own, other)
        if not +Counter({p: n for p, n in own.items() if p}):
            return
        for die in set(dice):
            rest = dice.copy()
            rest.remove(die)
            for mine, theirs in self.one_die(own, other, die):
                for used, end in self.sequences(mine, theirs, rest):
                    yield [die, *used], end

    def results(self) -> dict[str, Both]:
        """Return the plays that the rules allow, by what they lead to."""
        own, other = self.men[self.seat], self.men[1 - self.seat]
        dice = self.dice * 2 if self.dice[0] == self.dice[1] else self.dice
        found = list(self.sequences(own, other, dice))
        most = max(len(used) for used, _ in found)
        found = [(used, end) for used, end in found if len(used) == most]
        if most == 1:
            largest = max(used[0] for used, _ in found)
            found = [(used, end) for used, end in found if used[0] == largest]
        return {f"{self.text(a)} {self.text(b)}": (a, b) for used, (a, b) in found if used}

    def play(self, move: str) -> None:
        if move.isdigit() and len(move) == 1:
            self.rolled(int(move))
        elif move in ("roll", "auto"):
            self.silent[self.seat] |= move == "auto"
            self.choices = {}
        elif move == "ask":
            self.silent[self.seat] = False
            del self.choices["ask"]
        elif move == "double":
            self.choices = {"take": None, "drop": None}
        elif move == "take":
            self.cube *= 2
            self.holders = {1 - self.seat}
            self.choices = {}
        elif move == "drop":
            self.win(1)
        else:
            self.take_result(self.choices[move])

    def rolled(self, die: int) -> None:
        self.dice.append(die)
        if len(self.dice) < 2:
            return
        if self.opens:
            if self.dice[0] == die:
                self.dice = []
                return
            self.seat, self.opens = (0 if self.dice[0] > die else 1), False
        self.choices = dict(self.results())
        if not self.choices:
            self.next_turn()
        elif len(self.choices) == 1:
            self.take_result(next(iter(self.choices.values())))
        elif self.silent[self.seat]:
            self.choices["ask"] = None

    def take_result(self, result: Both | None) -> None:
        assert result is not None
        self.men[self.seat], self.men[1 - self.seat] = result
        loser = self.men[1 - self.seat]
        if self.men[self.seat][0] < sum(self.begin.values()):
            self.next_turn()
        elif loser[0] or (self.jacoby and self.cube == 1):
            self.win(1)
        else:
            self.win(3 if any(loser[place] for place in range(19, 26)) else 2)

    def next_turn(self) -> None:
        self.seat, self.dice, self.choices = 1 - self.seat, [], {}
        needs = self.points - self.score[self.seat]
        may = self.seat in self.holders and not self.is_crawford and self.cube < needs
        if may and not self.silent[self.seat]:
            self.choices = {"roll": None, "auto": None, "double": None}

    def win(self, size: int) -> None:
        self.score[self.seat] += size * self.cube
        if self.score[self.seat] >= self.points:
            self.result = (1, 2) if self.seat == 0 else (2, 1)
            return
        self.is_crawford = self.plans_crawford and self.points - 1 in self.score
        self.plans_crawford &= not self.is_crawford
        self.new_game()

    def ranks(self) -> tuple[int, ...] | None:
        return self.result


def not_too_long(position: Position) -> bool:
    """Leave out long games: OpenSpiel ends a game as drawn after 500 turns of each."""
    return position.turn < 900


USUAL, NACK, HYPER = (
    {24: 2, 13: 5, 8: 3, 6: 5},
    {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    {24: 1, 23: 1, 22: 1},
)
PLAIN = "plain"


def plain(begin: dict[int, int], points: int, **more: bool) -> Callable[[], PlainTables]:
    return lambda: PlainTables(begin, points, **more)


ROWS = (
    Row(
        "backgammon",
        SPIEL,
        lambda: SpielTables("", 15),
        within=not_too_long,
        seen=board_after,
        slow=2,
    ),
    Row(
        "hypergammon",
        SPIEL,
        lambda: SpielTables("(hyper_backgammon=true)", 3),
        within=not_too_long,
        seen=board_after,
        note="OpenSpiel's games have no winner",
    ),
    Row("backgammon", PLAIN, plain(USUAL, 5), {"points": 5}, seen=board_after, slow=8),
    Row(
        "nackgammon",
        PLAIN,
        plain(NACK, 3, jacoby=True, crawford=False),
        {"points": 3, "jacoby": True, "nocrawford": True},
        seen=board_after,
        slow=8,
    ),
    Row("hypergammon", PLAIN, plain(HYPER, 9), {"points": 9}, seen=board_after),
)
