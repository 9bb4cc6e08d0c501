"""The operator's acts in place of a board's master."""

from __future__ import annotations

from pbm.core.feature import ActRow, Argument
from pbm.features.masters import commands

ACTS = (
    ActRow(
        "master",
        "do what the master of a board does",
        "Do what the master of a board does, whether it has one or not: extend 3 (days, or 12h), "
        "process, vacate POWER, replace POWER USERID, set POWER UNITS, back N. Everybody at the "
        "board is told, with the reason.\n\n\b\n"
        "  pbm admin master 17 extend 3\n"
        "  pbm admin master 17 set france A PAR, F BRE",
        "Do this at board {number}, in the place of its master?",
        commands.act_as_operator,
        (Argument("number", "board"), Argument("act", is_many=True)),
    ),
)
