"""The notation of Space Fighters: parses a typed order, legal or not.

Rules: docs/rules/spacefighters.md, "Notation"."""

from __future__ import annotations

import re

from pbm.games.spacefighters.battlefield import GRID, NAMES, PLAN
from pbm.games.spacefighters.fighters_state import FightersState
from pbm.games.spacefighters.teams import SETUP
from pbm.rules import InvalidMove
from pbm.rules.typed import SEPARATORS, left_of, quoted

FORM = "a set-up is 'setup FIGHTER FIGHTER CONTROLSHIP' with a tile for each"
_SETUP = re.compile(
    r"(set-?\s?up[\s:]+)?([a-z]\d{1,3})[\s,]+([a-z]\d{1,3})[\s,]+([a-z]\d{1,3})(?![a-z0-9])"
)
_BUY = re.compile(r"buy\s+(?:a\s+)?([fc])(?:ighter|ontrol(?:\s+ship)?)?")
_DEPLOY = re.compile(r"deploy\s+([fc])(?:ighter|ontrol(?:\s+ship)?)?\s+(?:to\s+)?([a-z]+\d*)")
_GO = re.compile(r"([a-wyz]+\d*)\s*([-x])\s*([a-z]+\d*)")


def _place(word: str) -> int:
    """The place with that name; InvalidMove if there is none."""
    place = PLAN.place(word)
    if place is not None:
        return place
    if GRID.looks_like_cell(word):
        raise InvalidMove(f"{quoted(word)} is off the board: columns are a to m, rows 1 to 13")
    raise InvalidMove(
        f"{quoted(word)} is neither a tile nor a station (red, blue, green, yellow, star)"
    )


def read(position: FightersState, text: str, seat: int) -> tuple[str, str]:
    """The first order of a list, and the rest. Accepts any case and blanks, long names of ships,
    cells of stations, and `-` for `x` if the target holds an enemy."""
    if len(text) > 2000:
        raise InvalidMove("that is more text than the orders of a turn")
    text = left_of(text, 0).lower()
    if (match := _SETUP.match(text)) and (match[1] or position.phase == SETUP):
        *fighters, control = (_place(word) for word in match.groups()[1:])
        names = [NAMES[place] for place in (*sorted(fighters), control)]
        return f"setup {' '.join(names)}", left_of(text, match.end())
    first = re.split("[,;]", text, maxsplit=1)[0]
    if not first:
        raise InvalidMove("an order is missing; 'end' ends the turn")
    return _order(position, first.strip(SEPARATORS), seat), left_of(text, len(first))


def _order(position: FightersState, text: str, seat: int) -> str:
    """One order in canonical notation."""
    if text in ("end", "end turn"):
        return "end"
    if match := _BUY.fullmatch(text):
        return f"buy {match[1]}"
    if match := _DEPLOY.fullmatch(text):
        return f"deploy {match[1]} {NAMES[_place(match[2])]}"
    if text.startswith("deploy"):
        raise InvalidMove(
            f"{quoted(text)}: write 'deploy f c1' for a fighter, 'deploy c c1' for a control ship"
        )
    if match := _GO.fullmatch(text):
        source, target = _place(match[1]), _place(match[3])
        fights = match[2] == "x" or (
            position.holder_of(source) == seat
            and position.kind_on(source) == "f"
            and position.holder_of(target) not in (None, seat)
        )
        return f"{NAMES[source]}{'x' if fights else '-'}{NAMES[target]}"
    if text.startswith("set"):
        raise InvalidMove(f"{quoted(text)}: {FORM}, as 'setup c1 a3 c3'")
    raise InvalidMove(
        f"{quoted(text)} is no order; orders look like 'deploy f c1', 'c3-c6', 'c3xd5', "
        "'buy f' and 'end'"
    )
