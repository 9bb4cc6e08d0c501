"""What all contents of notices have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbm.core.model.refusal import RefusalCode
from pbm.rules import Picture


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture with what an HTML page needs of it: the names of the seats, which may be colours,
    and the moves that the reader may choose from, when they are few."""

    picture: Picture
    colours: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a notice says, as data; the edges write it as text. `is_failure`: something was not
    done."""

    is_failure: ClassVar[bool] = False

    @property
    def named_games(self) -> tuple[str, ...]:
        """The names of the games that it is about."""
        return ()

    @property
    def refusal(self) -> RefusalCode | None:
        """Why a command was refused."""
        return None

    @property
    def drawing(self) -> Drawing | None:
        """The picture that it shows."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameContent(Content):
    """What is about one game: `game` is its name."""

    game: str

    @property
    def named_games(self) -> tuple[str, ...]:
        """The one game, if any."""
        return (self.game,) if self.game else ()
