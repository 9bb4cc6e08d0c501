"""The findings of the conformance suite: what was expected, and the position and moves that show
the opposite."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import indent

from pbm.rules.chance import CHANCE
from pbm.rules.errors import MoveError
from pbm.rules.game import Position
from pbm.rules.options import Value
from pbm.rules.testing.topics import CRASHES, Topic

Log = Sequence[tuple[int, str]]
"""The moves that led to a position: (seat, move); "resign" for a resignation."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach of the game interface.

    topic     the kind of mistake
    expected  what should hold, with what was seen instead
    players   the number of seats of the board that shows it; 0 where none is needed
    options   its options
    seats     the names of its seats
    moves     the moves that lead there, those of chance included
    picture   the position as spectators see it
    stored    the position as `encode` writes it
    detail    more lines: where an exception was raised, what took the time
    is_warning  whether it may be as its author wants it
    """

    topic: Topic
    expected: str
    players: int = 0
    options: Mapping[str, Value] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    moves: tuple[tuple[int, str], ...] = ()
    picture: str = ""
    stored: str = ""
    detail: str = ""
    is_warning: bool = False

    def explain(self) -> str:
        """Return the finding as a paragraph for the author of the game."""
        kind = f"Warning, {self.topic.name}" if self.is_warning else self.topic.name
        lines = [f"{kind}: expected: {self.expected}"]
        lines += [indent(self.detail, "  ")] if self.detail else []
        if self.players:
            lines.append(f"  board:    {self.players} players{_options_text(self.options)}")
            lines.append(f"  moves:    {self._moves_text()}")
        if self.picture:
            lines += ["  position:", indent(self.picture, "    ")]
        lines += [f"  stored:   {self.stored}"] if self.stored else []
        lines += [f"  usually:  {self.topic.cause}", f"  page:     {self.topic.page}"]
        return "\n".join(lines)

    def _moves_text(self) -> str:
        names = dict(enumerate(self.seats)) | {CHANCE: "chance"}
        played = ", ".join(f"{names.get(seat, seat)} {move}" for seat, move in self.moves)
        return played or "none; it is the first position"


def _options_text(options: Mapping[str, Value]) -> str:
    return "".join(f" {name}={value}" for name, value in options.items())


class Nonconforming(AssertionError):
    """The game breaks the contract of the game interface; the text says how."""

    def __init__(self, what: str, topic: Topic = CRASHES, finding: Finding | None = None) -> None:
        super().__init__(what if finding is None else finding.explain())
        self.what = what
        self.topic = topic
        self.finding = finding


def require(condition: object, what: str, topic: Topic) -> None:
    """Raise Nonconforming unless the condition holds; unlike `assert` it is never optimized
    away."""
    if not condition:
        raise Nonconforming(what, topic)


def build_finding(
    topic: Topic, what: str, position: Position | None, log: Log, detail: str = ""
) -> Finding:
    """Return the finding with its position, as far as the position can be shown."""
    if position is None:
        return Finding(topic, what, detail=detail)
    try:
        picture = position.render()
    except Exception as error:
        picture = f"(it cannot be drawn: {error!r})"
    try:
        stored = position.encode()
    except Exception as error:
        stored = f"(it cannot be stored: {error!r})"
    return Finding(
        topic,
        what,
        position.players,
        position.options,
        position.game.info.seats.get(position.players, ()),
        tuple(log),
        picture,
        stored,
        detail,
    )


def play_listed(position: Position, seat: int, move: str, topic: Topic) -> Position:
    """Return the position after a listed move; Nonconforming when it is refused."""
    try:
        return position.play(seat, move)
    except MoveError as error:
        raise Nonconforming(
            f"{move!r} can be played, since it is listed; it was refused: {error}", topic
        ) from error


def find_lines(error: Exception) -> str:
    """Return where an exception was raised: the last lines of the game's own code."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/rules/testing/" not in frame.filename.replace("\\", "/")]
    return "\n".join(
        f"{frame.filename}, line {frame.lineno}, in {frame.name}: {frame.line}"
        for frame in own[-3:]
    )
