"""Masters: players who run a board."""

from __future__ import annotations

from pbm.core.feature import SEATED, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.masters import commands, rows
from pbm.features.masters.admin import ACTS

_VERBS = (
    Verb(
        "master",
        (*SEATED, "act*"),
        commands.master,
        "what a master does: extend, process, vacate, replace, set, back",
        Act.PLAYER,
        Group.BOARDS,
        "--master=USERID in a challenge names one, who does not play. extend DAYS gives more\n"
        "time in this phase, process ends it now, vacate POWER lets somebody else take that\n"
        "power over, replace POWER USERID asks a player to go on with it, set POWER UNITS (or set\n"
        "POWER centres ...) changes the position, back N returns to the position after move N.\n"
        "Everybody is told.",
        is_final=True,
        remedy="pbm admin audit",
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    operator_acts=ACTS,
    personal_data=rows.list_personal_data,
    on_merge=rows.pass_on_rows,
    on_erase=rows.erase_rows,
)
