"""The answer to what somebody asked or wished for."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.notices import BoardView, Drawing, GameContent
from pbm.core.refusal import Offer


class Answered(GameContent, frozen=True, kw_only=True):
    """A question or a wish is answered.

    sentences  what is to be said
    excerpt    what a help page says about it, or ""
    offer      what a yes in reply does, if anything
    send       lines that the reader may send
    board      the number of the board that it is about, or 0
    view       that board, where it helps
    """

    sentences: Sequence[str]
    excerpt: str = ""
    offer: Offer | None = None
    send: Sequence[str] = ()
    board: int = 0
    view: BoardView | None = None

    @property
    def offered(self) -> Offer | None:
        """What a yes in reply to it does."""
        return self.offer

    @property
    def is_in_words(self) -> bool:
        """Whether the reader wants words."""
        return self.view is not None and self.view.in_words

    @property
    def drawing(self) -> Drawing | None:
        """The board's picture, where it is shown."""
        return None if self.view is None else self.view.draw(offers_moves=True)
