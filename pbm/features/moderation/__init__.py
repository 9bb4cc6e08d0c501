"""Moderators: players who may do some of the operator's acts, by mail and at a terminal."""

from __future__ import annotations

from pbm.core.feature import (
    SIGNED,
    ActRow,
    AdminPart,
    Argument,
    Button,
    Feature,
    Group,
    Replies,
    Verb,
)
from pbm.core.proofs import Act
from pbm.features.moderation import admin, commands, queue, roles
from pbm.rules.phrases import phrase

_UNDO = ActRow(
    "undo",
    "undo what an operator or a moderator did",
    "Undo an act within 30 days, by its number in `pbm admin audit`: a ban, a silence, a board "
    "that was ended, a signup that was approved or denied, a report that was decided. The "
    "players are told, with the reason. What mails have said stays said.",
    "Undo act {number}?",
    commands.undo,
    (Argument("number", "number"),),
    AdminPart.PLAYERS,
)

FEATURE = Feature(
    __package__,
    verbs=(
        Verb(
            "moderate",
            (*SIGNED, "act*"),
            commands.moderate,
            "for moderators: what waits for them, yes or no, ban, silence, undo",
            Act.MODERATE,
            Group.TALKING,
            "Alone it mails what waits: reports, signups, held words. Reply yes or no to each,\n"
            "a reason if you like; or send yes NUMBER, no NUMBER. Also ban USERID, unban USERID,\n"
            "silence USERID DAYS, unsilence USERID, cancel BOARD, adjudicate BOARD 1,2, and\n"
            "answer USERID to somebody who reported a player, each with a reason in the body,\n"
            "which the players concerned read. undo NUMBER takes back, within 30 days, what you\n"
            "did. What concerns you or your opponent is for others to decide; the operator is\n"
            "mailed all of it. Only for those whom the operator has made moderators.",
            text="text",
            is_final=True,
            remedy="pbm admin audit",
            button=Button(
                phrase("Yes"),
                phrase("Done. A mail confirms it, and says how to undo it."),
                needs=("act",),
                words={"text": phrase("Reason (the players concerned read it)")},
            ),
        ),
    ),
    replies=Replies(queue.LETTER, "case", "moderate", queue.find_owner),
    on_merge=queue.drop_rows,
    on_erase=queue.erase_rows,
    operator_acts=(*admin.ACTS, _UNDO, *roles.ACTS),
    lists=(*admin.LISTS, *roles.LISTS),
)
