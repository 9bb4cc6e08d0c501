"""An act of the operator: who, why and when. Each adds a row to the audit table, and the players
concerned are notified with the reason."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from sqlalchemy import insert, update

from pbm.config import Config
from pbm.core.call import Call
from pbm.core.command import Command, Sender
from pbm.core.context import Context
from pbm.core.notices import Notice, OperatorMessage
from pbm.core.player import Player, find_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.secrets import Secrets
from pbm.core.words import get_verb
from pbm.rules.phrases import combine, phrase
from pbm.store import reads
from pbm.store.tables import audit
from pbm.store.transaction import Session

MODERATOR = "moderator "
"""What stands before the userid of a moderator in the name of who acts."""
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class OperatorAct:
    """An act of an operator: who, why and when, inside the caller's transaction."""

    session: Session
    actor: str
    reason: str
    now: float
    secrets: Secrets
    config: Config
    remarks: list[str] = field(default_factory=list)
    """What the operator is told besides that it is done."""
    undoable: list[int] = field(default_factory=list)
    """The numbers in the audit of what was done and can be undone."""

    @property
    def reason_line(self) -> str:
        """The reason as one line that may stand in a mail."""
        plain = "".join(letter if letter.isprintable() else " " for letter in self.reason)
        return " ".join(plain.split())[:_LONGEST]

    def record(
        self,
        action: str,
        *,
        player: int | None = None,
        board: int | None = None,
        undo: tuple[object, ...] = (),
    ) -> None:
        """Add a row to the audit table. `undo` is what `ActRow.undo` of the act needs to undo it:
        the act's name, then the values, which JSON must be able to hold."""
        row = {
            "at": self.now,
            "actor": self.actor,
            "action": action,
            "player_id": player,
            "board_id": board,
            "reason": self.reason_line,
            "undo": json.dumps(undo) if undo else None,
        }
        number = self.session.execute(insert(audit).values(row).returning(audit.c.id)).scalar_one()
        if undo:
            self.undoable.append(int(number))

    def let_undo(self, number: int, undo: tuple[object, ...]) -> None:
        """Let an act be undone that is in the audit under that number."""
        own = update(audit).where(audit.c.id == number)
        self.session.execute(own.values(undo=json.dumps(undo)))
        self.undoable.append(number)

    def add_reason(self, event: str) -> str:
        """Return the event with its reason, as players read it."""
        return self.give_reason(f"{self.who} {event}")

    def give_reason(self, event: str) -> str:
        """Return a sentence about what was done, with the reason."""
        if not self.reason_line:
            return event
        return combine("{event}: {reason}", event=event, reason=self.reason_line)

    @property
    def who(self) -> str:
        """The person who does it, as players read of them."""
        return phrase("a moderator") if self.is_moderators else phrase("the operator")

    @property
    def is_moderators(self) -> bool:
        """Whether a moderator does it, and not the operator."""
        return self.actor.startswith(MODERATOR)

    @property
    def context(self) -> Context:
        """The context of what the operator does."""
        return Context(self.session, self.now, self.secrets, self.config)

    def build_call(self, board: int) -> Call:
        """Return the call of a command that the operator sent."""
        verb = get_verb("cancel")
        command = Command(verb, Sender(via="terminal", operator=True), board=board)
        return Call(self.session, self.now, self.secrets, self.config, command=command)

    def find_player(self, userid: str) -> Player:
        """Return the player of that userid. Refused when there is none."""
        player = find_player(self.session, userid)
        if player is None:
            raise Refusal(RefusalCode.NO_SUCH_PLAYER, phrase("there is no player with that userid"))
        return player

    def notify(self, player: Player, subject: str, text: str) -> Notice:
        """Return a notice to a player from the operator."""
        recipients = reads.find_addresses(self.session, player.id)
        message = OperatorMessage(subject=subject, text=text, is_moderators=self.is_moderators)
        return Notice(message, recipients, player.id)


def refuse_changed() -> Refusal:
    """Return the refusal to undo an act after which something else was done about the same."""
    return Refusal(
        RefusalCode.WRONG_STATE,
        phrase("this has changed since, so that nothing is left to be undone"),
    )
