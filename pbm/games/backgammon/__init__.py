"""Backgammon, Nackgammon and Hypergammon: one engine, three ways to begin.

The engine is a match, see `match`; here are the games and their options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.games.backgammon.match import Backgammon
from pbm.games.backgammon.match_help import page
from pbm.games.backgammon.match_record import record
from pbm.games.backgammon.vocabulary import COLOURS
from pbm.rules import Game, GameInfo, Option, OptionError, Played, Value
from pbm.rules.families.backgammon_men import lay


class BackgammonGame(Game):
    """A game of which `begin` says where the men begin."""

    position: ClassVar[type[Backgammon]]
    begin: ClassVar[Mapping[int, int]]

    def start(self, players: int, options: Mapping[str, Value]) -> Backgammon:
        if options["jacoby"] and options["nocube"]:
            raise OptionError("-jacoby and -nocube exclude each other: no gammon would count")
        men = lay(self.begin)
        return self.position(options, (men, men))

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> Backgammon:
        return self.position.loaded(options, data)

    def record(self, played: Played) -> str:
        return record(self.start(2, played.options), played, self.variation)

    variation: ClassVar[str]
    """What programs call the game."""


_OPTIONS = (
    Option("points", "int", "the points that win the match", default=1, low=1, high=25),
    Option("nocube", "flag", "a match without doubling"),
    Option("nocrawford", "flag", "a match without the Crawford game"),
    Option("jacoby", "flag", "gammons count only once the cube has been turned"),
)


def _info(name: str, title: str, summary: str, *aliases: str) -> GameInfo:
    return GameInfo(
        name=name,
        title=title,
        version=1,
        players=range(2, 3),
        seats={2: COLOURS},
        summary=summary,
        help=page(title.upper()),
        aliases=aliases,
        options=_OPTIONS,
        features=frozenset({"chance"}),
    )


@dataclass(frozen=True, slots=True)
class Nackgammon(Backgammon):
    """A moment of Nackgammon."""


@dataclass(frozen=True, slots=True)
class Hypergammon(Backgammon):
    """A moment of Hypergammon."""


class Usual(BackgammonGame):
    """Backgammon."""

    position = Backgammon
    begin: ClassVar[Mapping[int, int]] = {24: 2, 13: 5, 8: 3, 6: 5}
    variation = "Backgammon"
    info = _info(
        "backgammon", "Backgammon", "race your men home by dice, hit, block and double", "bg"
    )


class Nack(BackgammonGame):
    """Nackgammon, as Nack Ballard invented it."""

    position = Nackgammon
    begin: ClassVar[Mapping[int, int]] = {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}
    variation = "NackGammon"
    info = _info("nackgammon", "Nackgammon", "backgammon with four men back at the start")


class Hyper(BackgammonGame):
    """Hypergammon."""

    position = Hypergammon
    begin: ClassVar[Mapping[int, int]] = {24: 1, 23: 1, 22: 1}
    variation = "HyperGammon"
    info = _info("hypergammon", "Hypergammon", "backgammon with three men, fast and sharp")


Backgammon.game = Usual()
Nackgammon.game = Nack()
Hypergammon.game = Hyper()
GAMES = (Backgammon.game, Nackgammon.game, Hypergammon.game)
