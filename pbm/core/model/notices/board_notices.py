"""Notices that show a board, or are about one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbm.core.model.notices.content import Content, Drawing, GameContent
from pbm.core.model.refusal import RefusalCode
from pbm.rules import Picture


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal in words, and who has not answered it (`missing`). The viewer may have made it
    (`is_own`) or have to answer it (`is_asked`)."""

    proposer: str
    what: str
    missing: str
    is_own: bool
    is_asked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """A board as one viewer may see it, in words and as a picture.

    people     a line for each seat
    log        the last moves, a line each; all of them when the board is over
    reason     how it ended, and `result` who won, as the viewer is told
    rolled     a roll of the dice is known
    until      when the viewer's clock runs out, if the viewer is to move
    userid     the viewer's; USERID for a spectator
    example    a legal move, for the first turns
    rated_as   the ratings as programs read them
    """

    game: str
    title: str
    board: int
    picture: Picture
    colours: tuple[str, ...]
    people: Sequence[str]
    options: str
    terms: str
    log: Sequence[str]
    state: str
    reason: str
    result: str
    is_seated: bool
    on_move: bool
    accepted: bool
    moved: bool
    rolled: bool
    until: str
    userid: str
    example: str
    ply: int
    next_ply: int
    to_move: str
    names: str
    ranks: str
    proposals: Sequence[Proposal]
    ratings: Sequence[str]
    rated_as: str
    commitment: str
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardContent(Content):
    """Content that shows a board."""

    view: BoardView

    @property
    def named_games(self) -> tuple[str, ...]:
        """The board's game."""
        return (self.view.game,)

    @property
    def drawing(self) -> Drawing | None:
        """The board's picture."""
        return Drawing(self.view.picture, self.view.colours)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardUpdate(BoardContent):
    """Something has changed at a board.

    news         sentences that follow the event
    remark       how the board came about, or that a vacation has ended
    problem      why the rest of the typed moves was not played
    comments     what was written with it, each below a line that says by whom
    retractable  the reader may still take back what has just been done
    claim        why the reader may claim a draw
    moves        the legal moves, if few, for a page with links
    """

    headline: str
    event: str
    news: Sequence[str] = ()
    remark: str = ""
    problem: str = ""
    comments: Sequence[tuple[str, str]] = ()
    retractable: bool = False
    claim: str = ""
    moves: tuple[str, ...] = ()

    @property
    def drawing(self) -> Drawing | None:
        """The board's picture, with the moves as links."""
        return Drawing(self.view.picture, self.view.colours, self.moves)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardShown(BoardContent):
    """A board on request, at a ply or (None) as it stands."""

    headline: str
    at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardsShown(Content):
    """Several boards on request."""

    names: str
    boards: Sequence[BoardShown]

    @property
    def named_games(self) -> tuple[str, ...]:
        """The games of all these boards."""
        return tuple(dict.fromkeys(shown.view.game for shown in self.boards))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAtTerminal(BoardContent):
    """A board as `pbm play` shows it, with what others wrote since the last time."""

    headline: str
    comments: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview(BoardContent):
    """A board after moves that are not played; `asks`: chance decides next."""

    submitted: str
    asks: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBoardPreview(GameContent):
    """The board that a challenge would start."""

    title: str
    players: int
    options: str
    picture: Picture
    asks: bool
    userid: str

    @property
    def drawing(self) -> Drawing | None:
        """The first position."""
        return Drawing(self.picture)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveQueued(BoardContent):
    """A move is queued for the player's turn, or ("") none is."""

    queued: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSubmitted(BoardContent):
    """A move waits for `confirm`. The view shows the position after it, unless that `is_hidden`;
    `asks`: chance decides next."""

    submitted: str
    asks: bool
    is_hidden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder(BoardContent):
    """The seat of `late` has long been to move, and loses on time at `until` ("": never)."""

    late: str
    is_late: bool
    since: str
    until: str
    others: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAsleep(BoardContent):
    """A board sleeps until its challenger is proven, by a first move if it `begins`."""

    begins: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDropped(GameContent):
    """A sleeping board is dropped."""

    board: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRecord(GameContent):
    """The record of a board, and the game in its field's format, if there is one."""

    board: int
    record: str
    is_whole: bool
    is_seated: bool
    field: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(GameContent):
    """A command was refused: why, what to send instead, and the board as it stands where that
    helps."""

    is_failure = True

    code: RefusalCode
    reason: str
    send: Sequence[str] = ()
    verb: str = ""
    board: int = 0
    view: BoardView | None = None

    @property
    def refusal(self) -> RefusalCode | None:
        """Why the command was refused."""
        return self.code

    @property
    def drawing(self) -> Drawing | None:
        """The board's picture, where it is shown."""
        return None if self.view is None else Drawing(self.view.picture, self.view.colours)
