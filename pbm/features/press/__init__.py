"""Press: letters in games that are also about talk."""

from __future__ import annotations

from pbm.core.feature import SEATED, Button, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.press import commands
from pbm.rules.phrases import phrase

_VERBS = (
    Verb(
        "press",
        (*SEATED, "reader*"),
        commands.press,
        "the body of the mail to some seats of a board, and to nobody else",
        Act.SEAT,
        Group.BOARDS,
        "In games that are also talked, such as dip: press to england germany, or press to all.\n"
        "press alone lists what you have sent and received. See help dip for the kinds of press.",
        text="text",
        hides_words=True,
        button=Button(
            phrase("Send this letter"),
            phrase("The letter is sent."),
            needs=("reader", "text"),
            words={"reader": phrase("To whom: all, or some powers"), "text": phrase("Letter")},
        ),
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    prepares_turn=commands.prepare_turn,
    answers=commands.answer_words,
    adds_to_record=commands.describe_press,
    personal_data=commands.list_personal_data,
    on_merge=commands.pass_on_rows,
    passes_on={
        "press": commands.pass_on_press,
        "unsigned press": commands.pass_on_press,
        "letter": commands.pass_on_letter,
    },
    on_erase=commands.erase_rows,
)
