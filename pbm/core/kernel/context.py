"""The context in which something is done: the transaction, the time, secrets and configuration."""

from __future__ import annotations

from msgspec import Struct

from pbm.config import Config
from pbm.core.kernel.notices.content import Content
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.secrets import Secrets
from pbm.store import reads
from pbm.store.transaction import Session


class Context(Struct):
    """A context. `player` is who does it; None for the scheduler and the operator."""

    session: Session
    now: float
    secrets: Secrets
    config: Config
    player: Player | None = None

    @property
    def vouched(self) -> tuple[Player, ...]:
        """The players whom the From of a mail proves."""
        return ()

    @property
    def has_left_lines(self) -> bool:
        """Whether lines were left that have to be named as not done."""
        return False

    def build_notice(self, player: Player, content: Content) -> Notice:
        """Build a notice to a player at all confirmed addresses."""
        addresses = reads.find_addresses(self.session, player.id)
        return Notice(content, addresses=addresses, player=player.id)
