"""Plans, and queued moves, which are the shortest plans."""

from __future__ import annotations

from pbm.core.feature import SEATED, Button, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.plans import commands, lines, running
from pbm.features.plans.rules import PlanRefusalCode
from pbm.rules.phrases import phrase

_VERBS = (
    Verb(
        "queue",
        (*SEATED, "move+"),
        commands.queue,
        "a move to play when your turn comes",
        Act.SEAT,
        Group.PLAYING,
        "none clears it; on your own turn it plays at once. It is the shortest plan.",
        text="comment",
        takes_ply=True,
        is_for_writer=True,
        is_for_later=True,
        goes_with_board=True,
        button=Button(
            phrase("Queue"),
            phrase("Your plan is changed."),
            at_position=True,
            words={"move": phrase("When my turn comes, play (none clears it)")},
        ),
    ),
    Verb(
        "plan",
        (*SEATED, "plan*"),
        commands.plan,
        "what you answer to what the others may do",
        Act.SEAT,
        Group.PLAYING,
        "A line a branch, on the line or in the body: if MOVE then MOVE if MOVE then MOVE. any\n"
        "is what no other branch names. plan alone shows it, none clears it, plan 17#2.1 shows\n"
        "the board at the end of that branch. More: help plans.",
        unnamed=lines.UNNAMED,
        arranges=lines.split_place,
        text="comment",
        takes_ply=True,
        is_for_writer=True,
        goes_with_board=True,
        button=Button(
            phrase("Keep this plan"),
            phrase("Your plan is changed."),
            at_position=True,
            is_quiet=True,
            needs=("text",),
            words={
                "text": phrase(
                    "Plan: a line for each branch, as in if MOVE then MOVE, or if any then MOVE; "
                    "none clears it"
                )
            },
        ),
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    refusals=PlanRefusalCode,
    prepares_turn=running.prepare_plan,
    on_moved=running.run_plans,
    shows_own=commands.show_plan,
)
