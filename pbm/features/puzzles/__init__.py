"""Puzzles."""

from __future__ import annotations

from pbm.core.feature import SIGNED, Feature, Group, Replies, Verb
from pbm.core.proofs import Act
from pbm.features.puzzles import commands, sent

_VERBS = (
    Verb(
        "puzzle",
        (*SIGNED, "puzzle*"),
        commands.puzzle,
        "find the only move that wins",
        Act.PLAYER,
        Group.PLAYING,
        "cradle puzzle, with easy, medium or hard at its end, mails you a board. Reply with\n"
        "your move, or with solution. Only your first move counts. puzzle alone is your score.",
        aliases=("puzzles",),
        arranges=commands.arrange,
        suggests=commands.suggest,
        for_game="maybe",
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    replies=Replies(commands.LETTER, "puzzle", "puzzle", sent.find_owner),
    refusals=commands.PuzzleRefusalCode,
    personal_data=commands.list_personal_data,
    on_merge=commands.pass_on_rows,
    on_erase=commands.erase_rows,
)
