"""Private notes at the positions of a board."""

from __future__ import annotations

from pbm.core.feature import Button, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.notes import commands
from pbm.rules.phrases import phrase

_VERBS = (
    Verb(
        "note",
        ("board", "user", "password", "text*"),
        commands.note,
        "a remark at this position that only you see",
        Act.SEAT,
        Group.PLAYING,
        "On the line or in the body. Without a text it shows your notes, none removes those at\n"
        "this position. Mails and showas show you the last ones; export has them all.",
        game="yes",
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
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    shows_own=commands.show_notes,
    personal_data=commands.list_personal_data,
    on_merge=commands.pass_on_rows,
)
