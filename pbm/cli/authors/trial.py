"""A board at the author's terminal: no server, no players, no mail.

The log of moves is the truth: when the game is loaded anew, it is replayed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from pbm.bots.turns import choose_turn
from pbm.rules import CHANCE, CHANCE_TO_MOVE, Game, MoveError, Position, Value
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.turn_text import require_whole

_THOUGHTS = 400
"""How often a search looks at the board before the computer player moves."""


class Trial:
    """A board on which all seats are played here, or all but one by the computer player.

    position  the present one
    last      the moves to mark: those since the seat that looks was last on the move
    """

    def __init__(
        self, game: Game, players: int, options: Mapping[str, Value], seed: int, opponent: str = ""
    ) -> None:
        self.game = game
        self._options = options
        self._players = players
        self._seed = seed
        self._opponent = opponent
        self._dice = random.Random(seed)  # noqa: S311 (not cryptography)
        self._log: list[tuple[int, str]] = []
        self._said: list[str] = []
        self.position = game.setup(players, options)
        self.last: tuple[str, ...] = ()
        self._go_on()

    @property
    def seat(self) -> int | None:
        """The seat that is played here next; None when the game is over."""
        seats = sorted(self.position.to_move)
        return seats[0] if seats else None

    @property
    def viewer(self) -> int | None:
        """The seat whose view is shown: the one to move, or the only one played here."""
        return 0 if self._opponent else self.seat

    def take_news(self) -> list[str]:
        """Return what happened since this was last asked, in sentences."""
        said, self._said = self._said, []
        return said

    def play(self, text: str) -> None:
        """Play what was typed, which may be several moves. MoveError when a move is refused: the
        ones before it are played."""
        before = len(self._log)
        if self.seat is not None:
            require_whole(self.position, self.seat, text)
        while text:
            seat = self.seat
            if seat is None:
                raise MoveError("the game is over")
            move, text = self.position.parse(text, seat)
            self._make(seat, move)
            self._answer_chance()
            if text and self.seat != seat:
                raise MoveError(f"the turn is over; {text!r} was not played")
        self.last = tuple(move for _, move in self._log[before:])
        self._go_on()

    def resign(self) -> None:
        """Have the seat to move resign."""
        if (seat := self.seat) is None:
            raise MoveError("the game is over")
        self._make(seat, "resign")
        self._go_on()

    def undo(self) -> None:
        """Take back the last move that was made here, with all that followed it."""
        own = [
            number
            for number, (seat, _) in enumerate(self._log)
            if seat == 0 or (seat != CHANCE and not self._opponent)
        ]
        if not own:
            raise MoveError("there is no move to take back")
        self._replay(self._log[: own[-1]])
        self._answer_chance()
        self.last = ()

    def reload(self, game: Game) -> str:
        """Go on with the game as it was saved now. What became of the moves, as a sentence. When
        the game fails on the way, the board stays as it is, played by the game as it was."""
        before, log = (self.game, self.position, self._log, self.last), self._log
        self.game = game
        try:
            fault = self._replay(log)
            self._go_on()
        except Exception:
            self.game, self.position, self._log, self.last = before
            raise
        if not fault:
            return f"Loaded again, {len(log)} move{'s' * (len(log) != 1)} replayed."
        return (
            f"Loaded again. Move {len(self._log) + 1} is refused now: {fault}. Earlier ones stand."
        )

    def _replay(self, log: Sequence[tuple[int, str]]) -> str:
        """Play a log from the start, as far as it goes; why it went no further."""
        self.position = self.game.setup(self._players, self._options)
        self._log, self.last = [], ()
        for seat, move in log:
            try:
                self._make(seat, move)
            except MoveError as error:
                return str(error)
            finally:
                self._said = []
        return ""

    def _make(self, seat: int, move: str) -> None:
        before = self.position
        if move == "resign":
            after, words = before.resign(seat), "resigns"
        else:
            after = before.play(seat, move)
            words = before.describe(seat, move, self.viewer if self._opponent else None)
        self.position = after
        self._log.append((seat, move))
        name = "" if seat == CHANCE else f"{before.seat_names[seat]}: "
        self._said.append(name + words)
        self._said += [f"  {sentence}" for sentence in self.position.news]

    def _answer_chance(self) -> None:
        while self.position.to_move == CHANCE_TO_MOVE and self.position.chance is not None:
            self._make(CHANCE, self._dice.choice(self.position.chance.outcomes))

    def _go_on(self) -> None:
        """Answer chance and have the computer player move, until somebody here is on the move."""
        self._answer_chance()
        while self._opponent and (others := sorted(self.position.to_move - {0})):
            before = len(self._log)
            for move in self._choose_turn(self.position, others[0]):
                self._make(others[0], move)
            self.last = tuple(move for _, move in self._log[before:])
            self._answer_chance()

    def _choose_turn(self, position: Position, seat: int) -> list[str]:
        return choose_turn(position, seat, self._opponent, self._dice, _count_thoughts())

    def show(self) -> str:
        """Return the board as text."""
        return self.position.render(self.viewer, self.last)

    def say(self) -> str:
        """Return the board in words."""
        return self.position.words(self.viewer, self.last)

    def draw(self) -> str:
        """Return the board as SVG; "" when its scene has no places."""
        scene = self.position.scene(self.viewer, self.last)
        title = self.game.info.title
        return draw_svg(scene, self.position.colours, title=title) if scene.places else ""


def _count_thoughts() -> Callable[[float], bool]:
    """Return a budget that is counted, not timed: the same seed gives the same moves."""
    thoughts = 0

    def is_enough(part: float) -> bool:
        nonlocal thoughts
        thoughts += 1
        return thoughts > part * _THOUGHTS

    return is_enough
