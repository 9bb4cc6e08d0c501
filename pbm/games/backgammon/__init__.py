"""Backgammon, Nackgammon and Hypergammon: one engine, three starting positions.

Rules: docs/rules/backgammon.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.games.backgammon.match import Backgammon
from pbm.games.backgammon.match_record import record
from pbm.games.backgammon.men import pack_men
from pbm.games.backgammon.vocabulary import COLOURS
from pbm.rules import Game, GameInfo, Option, OptionError, Played, Value
from pbm.rules.help_page import read_help


@dataclass(frozen=True, slots=True)
class Nackgammon(Backgammon):
    """A position of Nackgammon."""

    start: ClassVar[Mapping[int, int]] = {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}


@dataclass(frozen=True, slots=True)
class Hypergammon(Backgammon):
    """A position of Hypergammon."""

    start: ClassVar[Mapping[int, int]] = {24: 1, 23: 1, 22: 1}


class BackgammonGame(Game):
    """One of the three games."""

    record_format: ClassVar[str] = "mat"
    position: ClassVar[type[Backgammon]]
    variation: ClassVar[str]
    """What other programs call the game in their records."""

    def start(self, players: int, options: Mapping[str, Value]) -> Backgammon:
        if options["jacoby"] and options["nocube"]:
            raise OptionError("-jacoby and -nocube exclude each other: no gammon would ever count")
        men = pack_men(self.position.start)
        return self.position(options, (men, men))

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> Backgammon:
        return self.position.load(options, data)

    def record(self, played: Played) -> str:
        return record(self.start(2, played.options), played, self.variation)


_OPTIONS = (
    Option("points", "int", "the points that win the match", default=1, low=1, high=25),
    Option("nocube", "flag", "a match without the doubling cube"),
    Option("nocrawford", "flag", "a match without the Crawford game"),
    Option("jacoby", "flag", "gammons count only once the cube has been turned"),
)
_AS_BACKGAMMON = "\nEverything else is as in Backgammon."


def _info(
    title: str, summary: str, aim: str, men: str, examples: tuple[str, ...], *aliases: str
) -> GameInfo:
    page = read_help(__name__).format(
        title=title.upper(),
        aim=aim,
        men=men,
        rest="" if title == "Backgammon" else _AS_BACKGAMMON,
        examples="".join(f"  > {example}\n" for example in examples),
        ask=examples[1],
    )
    return GameInfo(
        name=title.lower(),
        title=title,
        version=1,
        players=range(2, 3),
        seats={2: COLOURS},
        summary=summary,
        help=page,
        aliases=aliases,
        options=_OPTIONS,
        features=frozenset({"chance", "turned"}),
        family="race",
        is_decisive=True,
    )


class Usual(BackgammonGame):
    """Backgammon."""

    position = Backgammon
    variation = "Backgammon"
    info = _info(
        "Backgammon",
        "race your men home by dice; hit, block and double",
        "Bring all your men home and bear them off before your opponent does.",
        "two men on 24,\nfive on 13, three on 8 and five on 6",
        ("13/10(2) 8/5(2)", "24/18/13", "13/7 8/7"),
        "bg",
    )


class Nack(BackgammonGame):
    """Nackgammon, as Nack Ballard invented it."""

    position = Nackgammon
    variation = "NackGammon"
    info = _info(
        "Nackgammon",
        "backgammon with four men back at the start",
        "Backgammon from another start: bring all your men home and bear them off.",
        "two men on 24,\ntwo on 23, four on 13, three on 8 and four on 6",
        ("13/10(2) 8/5(2)", "24/18 13/11", "8/5, 6/5"),
    )


class Hyper(BackgammonGame):
    """Hypergammon."""

    position = Hypergammon
    variation = "HyperGammon"
    info = _info(
        "Hypergammon",
        "backgammon with three men, fast and sharp",
        "Backgammon with three men: bring them home and bear them off.",
        "one man on 24,\none on 23 and one on 22",
        ("24-20, 22-21", "24/18/13", "bar/22"),
    )


Backgammon.game = Usual()
Nackgammon.game = Nack()
Hypergammon.game = Hyper()
GAMES = (Backgammon.game, Nackgammon.game, Hypergammon.game)
