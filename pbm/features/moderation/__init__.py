"""What moderators do: some of the operator's acts, by mail and at a terminal."""

from __future__ import annotations

from pbm.core.feature import Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.moderation import commands
from pbm.features.moderation.admin import ACTS, LISTS

FEATURE = Feature(
    __package__,
    verbs=(
        Verb(
            "moderate",
            ("user", "password", "act+"),
            commands.moderate,
            "for moderators: ban, silence, cancel, adjudicate; the body says why",
            Act.ACCOUNT,
            Group.TALKING,
            "ban USERID, unban USERID, silence USERID DAYS, unsilence USERID, cancel BOARD,\n"
            "adjudicate BOARD 1,2, or answer USERID to somebody who reported a player. The\n"
            "players concerned read why, and the operator sees who did it. Only for those whom\n"
            "the operator has named.",
            text="text",
            is_final=True,
            remedy="pbm admin audit",
        ),
    ),
    operator_acts=ACTS,
    lists=LISTS,
)
