"""Messages, chat, watching, blocks and reports."""

from __future__ import annotations

from pbm.core.feature import SEATED, SIGNED, Button, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.talk import chat, reporting, rows
from pbm.features.talk.reporting import ACTS
from pbm.rules.phrases import phrase

_VERBS = (
    Verb(
        "message",
        (*SIGNED, "userid+"),
        chat.message,
        "the body of the mail to other players; addresses stay private",
        Act.PLAYER,
        Group.TALKING,
        "To ten players at most.",
        text="text",
        means_addresses=True,
        button=Button(
            phrase("Send"),
            phrase("Your message is on its way: a mail tells you if it has to wait."),
            needs=("text",),
            words={"text": phrase("Message")},
        ),
    ),
    Verb(
        "broadcast",
        SIGNED,
        chat.broadcast,
        "the body of the mail to all players who want such mails",
        Act.PLAYER,
        Group.TALKING,
        text="text",
        is_final=True,
    ),
    Verb(
        "block",
        (*SIGNED, "userid*"),
        chat.block,
        "no more challenges, messages and offers from a player, who is not told",
        Act.SETTING,
        Group.TALKING,
        "Boards that you play together go on. From one on which you have neither accepted nor\n"
        "moved, you hear nothing more of that player. Without a userid, lists whom you block.",
        button=Button(
            phrase("Block"),
            phrase("You hear nothing more of that player, who is not told."),
            needs=("userid",),
        ),
    ),
    Verb(
        "unblock",
        (*SIGNED, "userid+"),
        chat.unblock,
        "hear of a player again",
        Act.SETTING,
        Group.TALKING,
        button=Button(phrase("Unblock"), phrase("You hear of that player again.")),
    ),
    Verb(
        "report",
        (*SIGNED, "userid"),
        reporting.report,
        "tell the operator what a player has done; the body says what",
        Act.SEAT,
        Group.TALKING,
        "In a reply to a mail of a board, the operator also sees what that player wrote there\n"
        "last. The player is not told.",
        text="text",
        is_final=True,
        remedy="pbm admin audit --action report",
    ),
    Verb(
        "chat",
        SEATED,
        chat.chat,
        "the body, or the rest of the line, to the others",
        Act.SEAT,
        Group.BOARDS,
        text="text",
        hides_words=True,
        has_message=True,
        button=Button(
            phrase("Send"),
            phrase("Passed on."),
            needs=("text",),
            words={"text": phrase("Write to the others")},
        ),
    ),
    Verb(
        "kibitz",
        SEATED,
        chat.kibitz,
        "the body, or the rest of the line, to the others who watch",
        Act.SEAT,
        Group.BOARDS,
        "For those who watch a board. Its players read it once the game is over, and from then on\n"
        "at once.",
        text="text",
        hides_words=True,
        has_message=True,
    ),
    Verb(
        "watch",
        SEATED,
        chat.watch,
        "get the mails of a board that you do not play on",
        Act.SEAT,
        Group.BOARDS,
        meant_by=("follow", "spectate", "observe"),
        button=Button(phrase("Watch this board"), phrase("You get the mails of this board.")),
    ),
    Verb(
        "unwatch",
        SEATED,
        chat.unwatch,
        "get no more mails of a board that you watch",
        Act.SEAT,
        Group.BOARDS,
        button=Button(phrase("Watch it no more"), phrase("You get no more mails of this board.")),
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    operator_acts=ACTS,
    old_rows=rows.list_old_rows,
    personal_data=chat.list_personal_data,
    on_merge=chat.pass_on_rows,
    on_erase=chat.erase_rows,
    passes_on={
        "message": chat.pass_on_message,
        "broadcast": chat.pass_on_broadcast,
        "comment": chat.pass_on_comment,
        "kibitz": chat.pass_on_kibitz,
    },
)
