"""Analyses of finished boards."""

from __future__ import annotations

from pbm.core.feature import SEATED, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.analysis import commands, queue, views

_VERBS = (
    Verb(
        "analyse",
        SEATED,
        commands.analyse,
        "the three turns that changed a finished board the most",
        Act.SEAT,
        Group.BOARDS,
        "A mail brings them, with what would have been better, as soon as no computer player has\n"
        "to move. Any board that is over may be analysed, unless something is hidden in the\n"
        "game; each only once, and a few a day for each player. Dice are nobody's fault: a turn\n"
        "is compared with others of the same roll. Where the server has an engine for the game,\n"
        "that analyses, else the search with which mcts plays. It errs: help house. An end that\n"
        "a player may still take back (help undo) is analysed when that hour is over.",
        aliases=("analyze", "analysis"),
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    adds_to_record=views.add_to_record,
    adds_to_mail=views.add_to_mail,
    old_rows=queue.list_old_rows,
    personal_data=commands.list_personal_data,
    on_merge=commands.pass_on_rows,
    on_erase=commands.erase_rows,
)
