"""Diplomacy on a map of the operator's own: a game that is read from a map file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from pbm.games.dip import Dip, DipPosition, FirstPosition
from pbm.rules import Game, GameInfo, Value
from pbm.rules.boards.stone_groups import fingerprint
from pbm.rules.diplomacy.board import GameMap
from pbm.rules.diplomacy.maps import MapError, find_file, read_map
from pbm.rules.lessons import Lesson
from pbm.rules.phrases import phrase

_MOST_POWERS = 34
_MOST_MAPS = 1_000_000
"""The number of map versions for each version of the game's rules."""
_NAME = re.compile(r"[a-z][a-z0-9]*")
_HELP = """{title}, {count} players

AIM. Hold {victory} of the {centres} supply centres after a fall, and more than
any other power.

BOARD. {provinces} provinces. The game begins in {begins}.

ORDERS. This is Diplomacy on another map. The page help dip says how orders
are given, how powers write to each other, and how the game ends.

WRITING MOVES. One order a line, as help dip has them:
  > {example}
"""


class OwnMap(Dip):
    """The game on the map of a file."""

    def __init__(
        self,
        name: str,
        game_map: GameMap,
        version: int,
        base: type[DipPosition] = DipPosition,
        earlier: tuple[Game, ...] = (),
    ) -> None:
        self.name, self.game_map, self.version = name, game_map, version
        self.earlier = earlier  # type: ignore[misc]  # each map has its own
        self.position_kind = type("OwnMapPosition", (base,), {"__slots__": (), "game": self})

    def list_lessons(self) -> Sequence[Lesson]:
        return ()  # its provinces are others

    @cached_property
    def info(self) -> GameInfo:  # type: ignore[override]
        """The description of the game."""
        found, usual = self.game_map, Dip.info
        count = len(found.powers)
        return replace(
            usual,
            name=self.name,
            title=found.title,
            version=self.version,
            players=(count,),
            seats={count: tuple(power.name for power in found.powers)},
            summary=phrase("Diplomacy on another map, for {count}", count=count),
            help=self._write_page(),
            options=tuple(option for option in usual.options if option.name != "map"),
        )

    def choose_map(self, players: int, options: Mapping[str, Value]) -> GameMap | None:
        return self.game_map if players == len(self.game_map.powers) else None

    def _write_page(self) -> str:
        found = self.game_map
        first = found.powers[0]
        return _HELP.format(
            title=found.title,
            count=len(found.powers),
            victory=found.victory,
            centres=len(found.centres),
            provinces=len(found.provinces),
            begins=f"{found.season.value.lower()} {found.year}",
            example=f"{first.units[0]} H" if first.units else f"A {first.homes[0]} B",
        )


def read_own_map(text: str, stem: str) -> OwnMap:
    """Return the game of a map file whose name, without its ending, is the game's. Raise a MapError
    with every fault."""
    faults = list[str]()
    name = re.sub("[^a-z0-9]", "", stem.lower())
    if not _NAME.fullmatch(name):
        faults.append(
            f"The name of the file, {stem}, is that of the game: it begins with a letter."
        )
    try:
        found = read_map(text, name, find_file)
    except MapError as error:
        raise MapError(*faults, *error.faults) from None
    if not found.spots:
        faults.append("The map does not say where its places are drawn: at PAR 2.7 6.9")
    if not 2 <= len(found.powers) <= _MOST_POWERS:
        faults.append(f"A map has 2 to {_MOST_POWERS} powers, and this has {len(found.powers)}.")
    if faults:
        raise MapError(*faults)
    version = 1 + fingerprint(text) % _MOST_MAPS
    first = OwnMap(name, found, version, FirstPosition)
    return OwnMap(name, found, version + _MOST_MAPS, earlier=(first,))
