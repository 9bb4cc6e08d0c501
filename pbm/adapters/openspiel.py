"""Games of OpenSpiel (the extra `openspiel`): those of perfect information, where seats move in
turn, with or without dice.

A position is the list of OpenSpiel's actions since the start, so a replay needs nothing else. Moves
are OpenSpiel's own words for its actions."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, ClassVar, cast

from pbm.rules import (
    CHANCE,
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    Canvas,
    Chance,
    Game,
    GameInfo,
    IllegalMove,
    InvalidMove,
    Outcome,
    Picture,
    Position,
    Value,
    outcome_of,
    pick,
)
from pbm.rules.drawing.scene import Entry, Panel, Scene
from pbm.rules.typed import left_of, quoted

COLUMNS = 78
_MOST_SEATS = 10
_MOST_OUTCOMES = 1000
_LONGEST_STEP = 30
_WORD = re.compile(r"[^\s;]+")
_SIGNS = str.maketrans("\u25cb\u25cf\u25ef\u2b24\u00b7\u2219", "oxox..")
"""Signs of boards that mails cannot show, and what stands for them."""


class OpenSpielError(ValueError):
    """A game of OpenSpiel that cannot be played here; the text says why."""


def _import() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise OpenSpielError(
            "OpenSpiel is not installed: pip install 'pbm-server[openspiel]'"
        ) from None
    return pyspiel


def load_spiel(text: str) -> Any:
    """Return the game of OpenSpiel that a text such as `go(board_size=9)` means. OpenSpielError
    when there is none, or when it is of a kind that cannot be played here."""
    pyspiel = _import()
    if text.partition("(")[0] not in pyspiel.registered_names():
        raise OpenSpielError(f"OpenSpiel has no game {quoted(text)}")
    try:
        game = pyspiel.load_game(text)
    except (pyspiel.SpielError, IndexError) as error:  # a parameter that is missing
        raise OpenSpielError(f"OpenSpiel refuses {quoted(text)}: {error}") from None
    kind = game.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise OpenSpielError(f"{text} is not played in turn")
    if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        raise OpenSpielError(f"{text} hides something")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise OpenSpielError(f"{text} rolls its own dice")
    if not 2 <= game.num_players() <= _MOST_SEATS:
        count = game.num_players()
        raise OpenSpielError(f"{text} is for {count} player{'s' * (count != 1)}")
    return game


@dataclass(frozen=True, slots=True)
class SpielPosition(Position):
    """A position of such a game.

    actions  OpenSpiel's actions since the start, those of chance included
    turn     how many of them were made by seats
    left     the seats that resigned, in that order: nobody moves any more
    """

    options: Mapping[str, Value]
    players: int
    actions: tuple[int, ...] = ()
    turn: int = 0
    left: tuple[int, ...] = ()

    @property
    def state(self) -> Any:
        """The same position in OpenSpiel; not to be changed."""
        game: Any = self.game
        return _find_state(game.spiel, self.actions)

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(range(self.players)).difference(self.left)

    @property
    def to_move(self) -> frozenset[int]:
        if self.left or self.state.is_terminal():
            return NOBODY
        return CHANCE_TO_MOVE if self.state.is_chance_node() else SEAT_TO_MOVE[self._mover]

    @property
    def _mover(self) -> int:
        return int(self.state.current_player())

    @property
    def chance(self) -> Chance | None:
        if self.to_move != CHANCE_TO_MOVE:
            return None
        names = _name_actions(self.state)
        outcomes = [
            (names[action], Fraction(part).limit_denominator(_MOST_OUTCOMES))
            for action, part in self.state.chance_outcomes()
        ]
        whole = lcm(*(part.denominator for _, part in outcomes))
        return pick([name for name, part in outcomes for _ in range(int(part * whole))])

    @property
    def outcome(self) -> Outcome | None:
        if self.left:
            gone = [[seat] for seat in reversed(self.left)]
            return outcome_of([self.playing, *gone], f"{self.seat_names[self.left[-1]]} resigns")
        if not self.state.is_terminal():
            return None
        returns = self.state.returns()
        points = sorted(set(returns), reverse=True)
        groups = [[seat for seat, own in enumerate(returns) if own == one] for one in points]
        return outcome_of(groups, "the game is decided" if len(points) > 1 else "it is a draw")

    def legal_moves(self, seat: int) -> Sequence[str]:
        return list(_name_actions(self.state).values()) if seat in self.to_move else ()

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        match = _WORD.search(text[:400])
        if match is None or seat not in self.to_move:
            raise InvalidMove(f"there is no move in {quoted(text)}")
        names = set(self.legal_moves(seat))
        words = text[:400].strip().lower()
        if (whole := _spell(words)) in names:
            return whole, ""
        move = _spell(match[0].rstrip(",").lower())
        if move not in names:
            example = self.suggest(seat)
            raise IllegalMove(f"{quoted(words)} is no move here; a move looks like {example}")
        return move, left_of(text, match.end())

    def apply(self, seat: int, move: str) -> SpielPosition:
        return replace(self._act(move), turn=self.turn + 1)

    def answer(self, outcome: str) -> SpielPosition:
        return self._act(outcome)

    def _act(self, move: str) -> SpielPosition:
        for action, name in _name_actions(self.state).items():
            if name == move:
                return replace(self, actions=(*self.actions, action))
        raise IllegalMove(f"{quoted(move)} is not a legal move here")

    def resign(self, seat: int) -> SpielPosition:
        if not self.to_move or seat not in self.playing:
            raise IllegalMove("only a seat that still plays can resign")
        return replace(self, left=(*self.left, seat), turn=self.turn + 1)

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = Canvas()
        for line in self._lines():
            canvas.line(f" {line}")
        canvas.line()
        if self.outcome is not None:
            canvas.line(f" the game is over: {self.outcome.reason}")
        else:
            movers = (self.seat_names[seat] for seat in self.to_move - {CHANCE})
            canvas.line(f" {', '.join(movers) or 'chance'} to move")
        return canvas.picture()

    def _lines(self) -> list[str]:
        """Return OpenSpiel's drawing of the board, as far as a mail can show it."""
        text = str(self.state).translate(_SIGNS).expandtabs(4)
        plain = "".join(sign if sign == "\n" or " " <= sign <= "~" else "?" for sign in text)
        return [
            part
            for line in plain.split("\n")
            for part in textwrap.wrap(line, COLUMNS - 1, drop_whitespace=False) or [""]
        ]

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        """Return panels alone: OpenSpiel does not say where the places are."""
        board = tuple(Entry(line) for line in map(str.rstrip, self._lines()) if line)
        seats = self.to_move - {CHANCE}
        moves = tuple(
            Entry(move, name=step)
            for seat in seats
            for move in self.legal_moves(seat)
            for step in self.steps(seat, move)
        )
        panels = [Panel("board", board or (Entry("empty"),))]
        return Scene(panels=(*panels, Panel("moves", moves)) if moves else tuple(panels))

    def steps(self, seat: int, move: str) -> tuple[str, ...]:
        """Return the whole move as one button; a long one in pieces."""
        return tuple(textwrap.wrap(move, _LONGEST_STEP, break_on_hyphens=False))

    def words(
        self,
        viewer: int | None = None,
        last: Sequence[str] = (),
        *,
        is_stopped: bool = False,
        is_short: bool = False,
    ) -> str:
        lines = [f"Row {number}: {line}." for number, line in enumerate(self._lines(), 1) if line]
        opening = "The game is over." if not self.to_move else "The game goes on."
        return opening if is_short else "\n".join([opening, *lines])

    def dump(self) -> list[Any]:
        return [self.actions, self.turn, self.left]


class SpielGame(Game):
    """A game of OpenSpiel; `spiel` is how OpenSpiel spells it with its parameters."""

    spiel: ClassVar[str]
    position: ClassVar[type[SpielPosition]]

    def start(self, players: int, options: Mapping[str, Value]) -> SpielPosition:
        return self.position(options, players)

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> SpielPosition:
        actions, turn, left = data
        return self.position(options, players, tuple(actions), turn, tuple(left))


def adapt(text: str, *, name: str = "", title: str = "", summary: str = "") -> SpielGame:
    """Return the game of OpenSpiel that a text such as `go(board_size=9)` means, as a game of pbm.
    OpenSpielError when it cannot be played here."""
    spiel = load_spiel(text)
    kind, players = spiel.get_type(), spiel.num_players()
    name = name or re.sub("[^a-z0-9]", "", f"spiel{kind.short_name}".lower())
    title = title or kind.long_name
    seats = tuple(f"player {seat + 1}" for seat in range(players))
    has_chance = kind.chance_mode.name != "DETERMINISTIC"
    start = replace(SpielPosition({}, players), actions=())
    game_info = GameInfo(
        name=name,
        title=title,
        version=1,
        players=range(players, players + 1),
        seats={players: seats},
        summary=summary or f"{title}, as OpenSpiel plays it"[:56],
        help="",
        features=frozenset({"chance"} if has_chance else ()),
    )
    body = {"__slots__": (), "__doc__": f"A position of {title}."}
    position: type[SpielPosition] = type("AdaptedPosition", (SpielPosition,), body)
    members = {"spiel": text, "info": game_info, "position": position}
    game: SpielGame = type("AdaptedGame", (SpielGame,), members)()
    position.game = game
    example = _find_first_move(position(start.options, players))
    help_text = f"{title.upper()}, {players} players\n\n" + "\n".join(
        textwrap.wrap(
            f"The rules are those of OpenSpiel's {text}. Moves are written as OpenSpiel writes "
            "them, in lower case; moves lists all. For example:",
            COLUMNS,
        )
    )
    help_text += f"\n  > {example}\n\nResigning ends the game: the others have won.\n"
    type(game).info = replace(game_info, help=help_text)
    return game


def _find_first_move(position: SpielPosition) -> str:
    while position.chance is not None:
        if not position.chance.outcomes:
            text = cast("SpielGame", position.game).spiel
            raise OpenSpielError(f"{text} has rolls of more than {_MOST_OUTCOMES} outcomes")
        position = position.answer(position.chance.outcomes[0])
    (seat,) = position.to_move
    return position.suggest(seat)


@lru_cache(maxsize=2048)
def _find_state(spiel: str, actions: tuple[int, ...]) -> Any:
    """Return OpenSpiel's state after these actions, made from the one before."""
    if not actions:
        return load_spiel(spiel).new_initial_state()
    state = _find_state(spiel, actions[:-1]).clone()
    state.apply_action(actions[-1])
    return state


def _name_actions(state: Any) -> dict[int, str]:
    """Return the move for each legal action of a state: OpenSpiel's words; where two are alike,
    with the number of the action."""
    player = state.current_player()
    names = {action: _spell(state.action_to_string(player, action)) for action in _actions(state)}
    spelled = Counter(names.values())
    return {
        action: name if spelled[name] == 1 and name else f"{name}#{action}"
        for action, name in names.items()
    }


def _actions(state: Any) -> list[int]:
    if state.is_terminal():
        return []
    if state.is_chance_node():
        return [action for action, _ in state.chance_outcomes()]
    return list(state.legal_actions())


def _spell(words: str) -> str:
    """Return OpenSpiel's words for an action as a move: lower case, without blanks."""
    plain = "".join(sign if " " <= sign <= "~" else "?" for sign in words.lower())
    return "-".join(plain.replace(";", ",").split())
