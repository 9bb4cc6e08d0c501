"""Private notes and variations of players at positions of a board."""

from __future__ import annotations

from pbm.core.feature import SEATED, Button, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.notes import commands, variations
from pbm.rules.phrases import phrase

_VERBS = (
    Verb(
        "note",
        (*SEATED, "text*"),
        commands.note,
        "a remark at this position that only you see",
        Act.SEAT,
        Group.PLAYING,
        "On the line or in the body. Without a text it shows your notes, none removes those at\n"
        "this position. Mails and showas show you the last ones; export has them all.",
        text="comment",
        hides_words=True,
        has_message=True,
        is_for_writer=True,
        button=Button(
            phrase("Keep this note"),
            phrase("Your notes are changed."),
            at_position=True,
            is_quiet=True,
            needs=("text",),
            words={
                "text": phrase("Note at this position, for you alone; none removes those made here")
            },
        ),
    ),
    Verb(
        "variations",
        (*SEATED, "text*"),
        variations.keep,
        "lines of moves that you try, which only you see",
        Act.SEAT,
        Group.PLAYING,
        "A line each, on the line or in the body: 12: MOVE MOVE MOVE, from the position after\n"
        "move 12; without a number from the present one. They are added to those that you keep,\n"
        "until the board is over, and are on its page under try moves. Without any it shows\n"
        "them, none removes all, none 12: MOVE those that begin so. Where several people hold a\n"
        "seat, they keep them together.",
        text="comment",
        hides_words=True,
        has_message=True,
        is_for_writer=True,
        button=Button(
            phrase("Keep these variations"),
            phrase("Your variations are changed."),
            is_quiet=True,
            needs=("text",),
            words={"text": phrase("Variations: a line each, as in 12: MOVE MOVE")},
        ),
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    shows_own=commands.show_notes,
    personal_data=commands.list_personal_data,
    on_merge=commands.pass_on_rows,
)
