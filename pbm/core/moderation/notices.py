"""What a moderator is told."""

from __future__ import annotations

from pbm.core.kernel.notices.content import AccountContent


class Moderated(AccountContent, frozen=True, kw_only=True):
    """Confirms a moderator's act."""

    userid: str
    act: str
