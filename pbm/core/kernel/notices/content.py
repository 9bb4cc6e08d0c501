"""The base of all contents of notices."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from pbm.core.kernel.notices.appearance import Appearance
from pbm.core.kernel.players.stopped import ALL
from pbm.core.kernel.refusal import RefusalCode
from pbm.rules import Picture
from pbm.rules.phrases import phrase


class Drawing(Struct, frozen=True):
    """A picture as text, and what other pictures need besides: how the position appears to the
    reader, what it is, and the names of the seats, which may be colours. `offers_moves`: the
    reader's legal moves, if few, belong beside it."""

    picture: Picture
    appearance: Appearance
    title: str
    colours: tuple[str, ...] = ()
    offers_moves: bool = False


class Attachment(Struct, frozen=True):
    """A file that goes along with a mail: its name, its MIME type and what is in it."""

    name: str
    kind: str
    text: str


class Content(Struct, frozen=True, kw_only=True):
    """What a notice says, as data; the edges render it as text.

    is_failure  something was not done
    is_code     it brings a code that only its reader may see
    stopped_by  the command that ends mails of this kind, "" where there is none
    mail_kind   of the mails that a player can stop: ALL, unless they are about boards or events
    goes_anyway a reader who has stopped mails gets it: a code that was asked for, and the last mail
    link_label  what stands before the link of its mail, and `link_text` on its page
    """

    is_failure: ClassVar[bool] = False
    is_code: ClassVar[bool] = False
    stopped_by: ClassVar[str] = ""
    mail_kind: ClassVar[str] = ALL
    goes_anyway: ClassVar[bool] = False
    link_label: ClassVar[str] = phrase("On the web")
    link_text: ClassVar[str] = phrase("Open the board")

    @property
    def has_home(self) -> bool:
        """Whether it goes to one player alone, about that player: the link to the player's own page
        belongs there."""
        return False

    @property
    def named_games(self) -> tuple[str, ...]:
        """The games that it is about, by name."""
        return ()

    @property
    def refusal(self) -> RefusalCode | None:
        """Why a command was refused."""
        return None

    @property
    def is_in_words(self) -> bool:
        """Whether it shows a board in words instead of a drawing."""
        return False

    @property
    def is_move(self) -> bool:
        """Whether it tells of moves that were played, which no limit holds back."""
        return False

    @property
    def passed_on(self) -> str:
        """The texts of players that it passes on."""
        return ""

    @property
    def is_personal(self) -> bool:
        """Whether it holds what its reader alone may know, such as a plan."""
        return False

    @property
    def attachment(self) -> Attachment | None:
        """The file that goes along with it, if any."""
        return None

    @property
    def drawing(self) -> Drawing | None:
        """The picture that it shows, if any."""
        return None


class GameContent(Content, frozen=True, kw_only=True):
    """Content about one game, or none ("")."""

    game: str

    @property
    def named_games(self) -> tuple[str, ...]:
        """The game, if any."""
        return (self.game,) if self.game else ()


class PositionContent(GameContent, frozen=True, kw_only=True):
    """Content that shows a position of no board, as a spectator sees it. The picture has no moves
    beside it."""

    title: str
    picture: Picture
    appearance: Appearance
    in_words: bool
    colours: tuple[str, ...]

    @property
    def is_in_words(self) -> bool:
        """Whether the reader wants words."""
        return self.in_words

    @property
    def drawing(self) -> Drawing | None:
        """The position."""
        return Drawing(self.picture, self.appearance, self.title, self.colours)


class AccountContent(Content, frozen=True, kw_only=True):
    """Content about the account of one player."""

    userid: str
