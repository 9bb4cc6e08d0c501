"""Vacations, in which clocks stand still."""

from __future__ import annotations

from pbm.core.feature import SIGNED, Button, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.vacations import commands
from pbm.rules.phrases import phrase

_VERBS = (
    Verb(
        "vacation",
        (*SIGNED, "from?", "to?"),
        commands.vacation,
        "stop your clocks from one day to another; off ends it",
        Act.SETTING,
        Group.ACCOUNTS,
        "Days are YYYY-MM-DD, both included. vacation until 2026-12-07 begins today. Without any,\n"
        "shows what is planned and left.",
        remedy="pbm admin player {who}",
        button=Button(
            phrase("Change my vacation"),
            phrase("Your vacation is changed."),
            needs=("from",),
            words={"from": phrase("First day"), "to": phrase("Last day")},
        ),
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    on_moved=commands.end_vacation_by_move,
    personal_data=commands.list_personal_data,
    on_merge=commands.pass_on_rows,
    on_erase=commands.erase_rows,
    due=commands.do_due,
    on_clock_back=commands.repair_times,
    finds_differences=commands.find_differences,
)
