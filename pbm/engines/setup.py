"""What the configuration says of an engine: one table `[[bots.engine]]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

Userid = Annotated[
    str,
    Meta(
        pattern=r"\A[a-zA-Z][a-zA-Z0-9_-]{1,17}\Z",
        description="2 to 18 letters, digits, - and _, a letter first",
    ),
]
ProtocolName = Annotated[
    Literal["uci", "usi", "ucci", "xboard", "gtp", "hub", "gnubg"],
    Meta(description='"uci", "usi", "ucci", "xboard", "gtp", "hub" or "gnubg"'),
]
Command = Annotated[
    str, Meta(pattern=r"\S", description="a program, and its arguments separated by blanks")
]
GameNames = Annotated[
    tuple[str, ...], Meta(min_length=1, description='names of games, ["chess", "xiangqi"]')
]
Mib = Annotated[int, Meta(ge=0, le=2**30, description="a whole number, 0 or more")]
Nodes = Annotated[int, Meta(ge=0, le=10**12, description="a whole number, 0 or more")]
Skill = Annotated[
    int | None, Meta(description="a whole number, as the engine itself counts its levels")
]
ThinkingTime = Annotated[
    float, Meta(ge=0, le=3600, description="a number of seconds from 0 to 3600")
]
TimeLimit = Annotated[float, Meta(gt=0, le=7200, description="a number of seconds up to 7200")]


class EngineLevel(Struct, frozen=True):
    """One level of an engine: its own level, and how long it thinks: by `nodes`, or else for so
    many `seconds`, 0 for those of [bots]."""

    skill: Skill = None
    nodes: Nodes = 0
    seconds: ThinkingTime = 0.0


Strengths = Annotated[
    tuple[EngineLevel, ...], Meta(description="levels, [{skill = 1}, {nodes = 50000}]")
]


class EngineSetup(Struct, frozen=True):
    """An engine that plays as `userid`, or with several levels as that userid with 1, 2, 3 … behind
    it. `limit_seconds` is when its turn is over at the latest."""

    userid: Userid
    protocol: ProtocolName
    command: Command
    games: GameNames
    levels: Strengths = (EngineLevel(),)
    memory_mib: Mib = 512
    limit_seconds: TimeLimit = 30.0

    def list_players(self) -> Iterator[EnginePlayer]:
        """Return its computer players, one for each level."""
        for number, level in enumerate(self.levels, 1):
            number_text = str(number) if len(self.levels) > 1 else ""
            yield EnginePlayer(f"{self.userid}{number_text}", self, level)


class EnginePlayer(Struct, frozen=True):
    """A computer player whose moves an engine chooses."""

    userid: str
    setup: EngineSetup
    level: EngineLevel

    @property
    def name(self) -> str:
        """The userid in lower case."""
        return self.userid.lower()


Engines = Annotated[
    tuple[EngineSetup, ...], Meta(description="a list of tables, [[bots.engine]] for each engine")
]
