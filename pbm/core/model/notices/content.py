"""The base of all contents of notices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbm.core.model.refusal import RefusalCode
from pbm.rules import Picture


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture, and what an HTML page needs besides: the names of the seats, which may be colours,
    and the reader's legal moves, if few."""

    picture: Picture
    colours: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a notice says, as data; the edges render it as text.

    is_failure  something was not done
    stopped_by  the command that ends mails of this kind, "" where there is none
    """

    is_failure: ClassVar[bool] = False
    stopped_by: ClassVar[str] = ""

    @property
    def named_games(self) -> tuple[str, ...]:
        """The games that it is about, by name."""
        return ()

    @property
    def refusal(self) -> RefusalCode | None:
        """Why a command was refused."""
        return None

    @property
    def drawing(self) -> Drawing | None:
        """The picture that it shows, if any."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameContent(Content):
    """Content about one game, or none ("")."""

    game: str

    @property
    def named_games(self) -> tuple[str, ...]:
        """The game, if any."""
        return (self.game,) if self.game else ()
