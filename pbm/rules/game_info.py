"""The description of a game, under which lists name it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbm.rules.options import Option

FAMILIES: Mapping[str, str] = {
    "kings": "corner a king, or bring it out",
    "capture": "capture the other's pieces",
    "lines": "line up your pieces",
    "connection": "join sides, or your pieces",
    "territory": "have more of the board",
    "blocking": "leave the other no move",
    "race": "be the first to arrive",
    "sowing": "sow and gather seeds",
    "tiles": "lay pieces, side by side or stacked",
    "war": "fleets and armies",
}
"""The families of games, with descriptions."""
VARIANTS = ("chess", "shogi", "xiangqi")
"""The games under which lists gather their variants."""
LENGTHS = ("short", "medium", "long")


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The description of a game.

    name      the game word of commands: lower case letters and digits, beginning with a letter
    title     the name as people write it
    version   changes whenever an old encoded position could be decoded differently or an old game
              replayed differently: boards in progress are then replayed (`upgrade`), or finished as
              they began (`earlier`)
    players   the allowed numbers of players, the usual one first
    seats     for each number of players, the names of the seats (colours where there are any)
    summary   one line for the list of games
    features  any of "chance", "hidden", "sealed", "swap"; "orders" where turns are of orders,
              which `advise` gives for computer players; "turned" where nothing is hidden and the
              picture still depends on the viewer; "shuffled" where chance gives the first position
              and nothing else; "paired" where a move and its answer share a
              number, as in chess; "partners" where seats that share the first rank have won
              together: in a rematch the first and the second seat change places, the third and the
              fourth
    help      the page of `GAME help`: aim, board, moves with examples, endings, decisions
    family    one word for what it is about, under which lists name it: any of FAMILIES, or ""
    length    one of LENGTHS: "short" is some twenty moves a player at most, "long" is over forty
    is_decisive  the rules know no draw
    variant_of   the game under whose name lists gather it with its like: chess, shogi, xiangqi; ""
    """

    name: str
    title: str
    version: int
    players: Sequence[int]
    seats: Mapping[int, tuple[str, ...]]
    summary: str
    help: str
    aliases: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    features: frozenset[str] = field(default_factory=frozenset)
    family: str = ""
    length: str = "medium"
    is_decisive: bool = False
    variant_of: str = ""
