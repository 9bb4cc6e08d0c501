"""What moderators do: some of the operator's acts, by mail and at a terminal."""

from __future__ import annotations

from pbm.core.kernel.feature import Feature
from pbm.core.kernel.language.verb import Group, Verb
from pbm.core.kernel.proofs import Act

FEATURE = Feature(
    __package__,
    verbs=(
        Verb(
            "moderate",
            ("user", "password", "act+"),
            "commands:moderate",
            "for moderators: ban, unban, cancel, adjudicate; the body says why",
            Act.ACCOUNT,
            Group.TALKING,
            "ban USERID, unban USERID, cancel BOARD, adjudicate BOARD 1,2, or answer USERID to\n"
            "somebody who reported a player. The players concerned read why, and the operator\n"
            "sees who did it. Only for those whom the operator has named.",
            text="text",
            is_final=True,
        ),
    ),
    templates=True,
)
