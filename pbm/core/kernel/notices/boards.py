"""Notices that show a board, or are about one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbm.core.kernel.notices.appearance import Appearance
from pbm.core.kernel.notices.content import (
    Attachment,
    Content,
    Drawing,
    GameContent,
    PositionContent,
)
from pbm.core.kernel.refusal import RefusalCode
from pbm.rules import Picture
from pbm.rules.phrases import combine


class Proposal(Struct, frozen=True):
    """A proposal in words, and who has not answered it (`missing`). The viewer may have made it
    (`is_own`) or have to answer it (`is_asked`)."""

    proposer: str
    what: str
    missing: str
    is_own: bool
    is_asked: bool


class SeatLine(Struct, frozen=True):
    """A seat as everybody is told of it: its player, its name, and what else there is to note."""

    player: str
    name: str
    notes: str

    @property
    def sentence(self) -> str:
        """The same in words."""
        if not self.notes:
            return combine("{player}: {name}", player=self.player, name=self.name)
        return combine(
            "{player}: {name}, {notes}", player=self.player, name=self.name, notes=self.notes
        )


class LogLine(Struct, frozen=True):
    """A line of a log: what stands before its text, the columns by which further lines of it are
    indented, when it was, and whether it begins with a capital. To be read aloud it
    `is_sentence`; what somebody wrote with a move `is_quoted`."""

    text: str
    before: str = ""
    indent: int = 0
    time: str = ""
    has_capital: bool = False
    is_sentence: bool = False
    is_quoted: bool = False


class BoardView(Struct, frozen=True, kw_only=True):
    """A board as one viewer may see it.

    in_words   the mail says what stands where instead of showing the picture
    people     what is said of each seat
    officials  those beside the players, and what they are
    log        the last moves, a line each; all of them when the board is over
    status     whose turn it is, or how the board ended, as the viewer is told
    reason     why it ended
    rolled     a roll of the dice is known
    until      when the viewer's clock runs out, if the viewer is to move
    userid     the viewer's; USERID for a spectator
    text_only  the viewer gets no page beside the text
    example    a legal turn
    next_first who would move first in a rematch
    rated_as   the ratings as programs read them
    plan       the viewer's plan, which nobody else sees: what it is, and a line a branch
    notes      the viewer's last notes, which nobody else sees
    event      the number of the event that it belongs to, or 0
    pool       the ratings that it counts for
    takes_orders  a turn consists of orders
    press      the kind of press that the seats may write
    """

    game: str
    title: str
    board: int
    picture: Picture
    appearance: Appearance
    in_words: bool
    colours: tuple[str, ...]
    people: Sequence[SeatLine]
    officials: Sequence[tuple[str, str]]
    options: str
    terms: str
    log: Sequence[LogLine | str]
    state: str
    status: str
    reason: str
    is_seated: bool
    on_move: bool
    accepted: bool
    moved: bool
    rolled: bool
    until: str
    userid: str
    text_only: bool
    example: str
    can_be_drawn: bool
    next_first: str
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
    plan: Sequence[str] = ()
    notes: Sequence[str] = ()
    event: int = 0
    pool: str = ""
    takes_orders: bool = False
    press: str = ""

    def draw(self, *, offers_moves: bool = False) -> Drawing:
        """Return the board's picture; `offers_moves` puts the moves of a viewer who is to move
        beside it."""
        title = f"{self.title}, board {self.board}"
        offers = offers_moves and self.on_move
        return Drawing(self.picture, self.appearance, title, self.colours, offers)


class BoardContent(Content, frozen=True, kw_only=True):
    """Content that shows a board."""

    view: BoardView

    @property
    def named_games(self) -> tuple[str, ...]:
        """The board's game."""
        return (self.view.game,)

    @property
    def is_in_words(self) -> bool:
        """Whether the reader wants words."""
        return self.view.in_words

    @property
    def is_personal(self) -> bool:
        """Whether it has a plan or notes."""
        return bool(self.view.plan or self.view.notes)

    @property
    def drawing(self) -> Drawing | None:
        """The board's picture."""
        return self.view.draw()


class Told(Struct, frozen=True, kw_only=True):
    """The news of a board's mail that a later one repeats, which goes out in its place: see
    BoardUpdate.

    lead  the first sentences without the last, which says how the board stood
    """

    lead: Sequence[str]
    news: Sequence[str]
    remark: str
    problem: str
    comments: Sequence[tuple[str, str]]
    personal: bool
    has_moved: bool
    is_first: bool

    def change(self, change: Callable[[str], str]) -> Told:
        """Return the same with each sentence changed."""
        return replace(
            self,
            lead=[*map(change, self.lead)],
            news=[*map(change, self.news)],
            remark=change(self.remark),
            problem=change(self.problem),
            comments=[(change(above), text) for above, text in self.comments],
        )


class BoardUpdate(BoardContent, frozen=True, kw_only=True):
    """Something has changed at a board.

    lead         the first sentences: the news, and whose turn it is or how the board ended
    news         sentences that follow
    remark       how the board came about, or that a vacation has ended
    problem      why the rest of the typed moves was not played
    comments     what was written with it, each below a line that says by whom
    is_open      the reader's turn goes on after what was played; `ending` is the word that ends it,
                 if the game has one
    retractable  the reader may still take back what has just been done
    claim        why the reader may claim a draw
    analysable   the reader may have the board analysed
    personal     some of the sentences are about the reader's plan
    planned      the first sentences tell what was done as planned
    has_moved    moves were played
    is_first     it is the reader's first mail of the board
    has_bots     computer players play there
    awaits_bot   it is for them to move or to answer
    is_offered   the reader runs the board without watching it: further mails are theirs to ask for
    """

    headline: str
    lead: Sequence[str]
    news: Sequence[str] = ()
    remark: str = ""
    problem: str = ""
    comments: Sequence[tuple[str, str]] = ()
    is_open: bool = False
    ending: str = ""
    retractable: bool = False
    claim: str = ""
    analysable: bool = False
    personal: bool = False
    planned: bool = False
    has_moved: bool = False
    is_first: bool = False
    has_bots: bool = False
    awaits_bot: bool = False
    is_offered: bool = False

    @property
    def told(self) -> Told:
        """What a later mail repeats of this one, while the board is not over."""
        return Told(
            lead=self.lead[:-1],
            news=self.news,
            remark=self.remark,
            problem=self.problem,
            comments=self.comments,
            personal=self.personal,
            has_moved=self.has_moved,
            is_first=self.is_first,
        )

    def repeat(self, told: Told) -> BoardUpdate:
        """Return this mail with the news of an earlier one, in whose place it goes out. How the
        board ended stays the first sentence."""
        lead, news = [*told.lead, *self.lead], [*told.news, *self.news]
        if len(self.lead) == 1:
            lead, news = [*self.lead], [*told.lead, *news]
        return replace(
            self,
            lead=lead,
            news=news,
            remark=told.remark or self.remark,
            problem=told.problem or self.problem,
            comments=[*told.comments, *self.comments],
            personal=told.personal or self.personal,
            has_moved=told.has_moved or self.has_moved,
            is_first=told.is_first or self.is_first,
        )

    @property
    def is_move(self) -> bool:
        """Whether moves were played."""
        return self.has_moved

    @property
    def passed_on(self) -> str:
        """The comments."""
        return "\n\n".join(text for _, text in self.comments)

    @property
    def is_personal(self) -> bool:
        """Whether it has a plan or notes, or says what became of a plan."""
        return self.personal or bool(self.view.plan or self.view.notes)

    @property
    def drawing(self) -> Drawing | None:
        """The board's picture, with the moves of whoever is to move."""
        return self.view.draw(offers_moves=True)


class BoardShown(BoardContent, frozen=True, kw_only=True):
    """A board on request, at a ply or (None) as it stands."""

    headline: str
    at: int | None = None


class BoardsShown(Content, frozen=True, kw_only=True):
    """Several boards on request; `missing` says why others are not shown."""

    names: str
    boards: Sequence[BoardShown]
    missing: Sequence[str] = ()

    @property
    def named_games(self) -> tuple[str, ...]:
        """The games of all these boards."""
        return tuple(dict.fromkeys(shown.view.game for shown in self.boards))


class PlaceShown(GameContent, frozen=True, kw_only=True):
    """What stands on some places of a board, and around them, as sentences."""

    board: int
    places: str
    lines: Sequence[str]


class BoardAtTerminal(BoardContent, frozen=True, kw_only=True):
    """A board as `pbm play` shows it, with what others wrote since the last time."""

    headline: str
    comments: Sequence[tuple[str, str]]


class Preview(BoardContent, frozen=True, kw_only=True):
    """A board after moves that are not played; `asks`: chance decides next."""

    submitted: str
    asks: bool


class NewBoardPreview(PositionContent, frozen=True, kw_only=True):
    """The board that a challenge would start."""

    players: int
    options: str
    asks: bool
    userid: str


class PersonalContent(BoardContent, frozen=True, kw_only=True):
    """Content for one player alone: what is planned, noted or not played yet."""

    @property
    def is_personal(self) -> bool:
        """It always is."""
        return True


class MoveQueued(PersonalContent, frozen=True, kw_only=True):
    """A move is queued for the player's turn, or ("") none is."""

    queued: str


class PlanShown(PersonalContent, frozen=True, kw_only=True):
    """The player's plan, a line a branch; none without lines.

    is_after_own  it begins after the player's own next move
    place         the branch at whose end the view shows the board; "" for the present one
    is_known      what the board is there follows from the branch alone
    is_typed      it was asked for at a terminal, where nothing is a reply
    """

    lines: Sequence[str]
    is_after_own: bool = False
    place: str = ""
    is_known: bool = True
    is_typed: bool = False


class NotesShown(PersonalContent, frozen=True, kw_only=True):
    """All notes of a player at a board; `is_added`: one has just been made."""

    lines: Sequence[str]
    is_added: bool = False


class MoveSubmitted(PersonalContent, frozen=True, kw_only=True):
    """A move waits for `confirm`. The view shows the position after it, unless that `is_hidden`;
    `asks`: chance decides next."""

    submitted: str
    asks: bool
    is_hidden: bool


class Reminder(BoardContent, frozen=True, kw_only=True):
    """The seat of `late` has long been to move, and loses on time at `until` ("": never); with
    `others` the rest then play on."""

    late: str
    is_late: bool
    since: str
    until: str
    others: bool


class BoardHelp(GameContent, frozen=True, kw_only=True):
    """What the reader can reply to the mails of a board as it stands.

    words    what to write, each with what it does
    to_move  whose turn it is, when it is not the reader's
    moves    the reader's legal moves, the first ones of `count`
    """

    board: int
    title: str
    words: Sequence[tuple[str, str]]
    to_move: str
    moves: Sequence[str]
    count: int


class BoardAsleep(BoardContent, frozen=True, kw_only=True):
    """A board sleeps until its challenger is proven, by a first move if it `begins`."""

    begins: bool


class BoardDropped(GameContent, frozen=True, kw_only=True):
    """A sleeping board is dropped."""

    board: int


_RECORD_KINDS = {"pgn": "application/vnd.chess-pgn", "sgf": "application/x-go-sgf"}


class BoardRecord(GameContent, frozen=True, kw_only=True):
    """The record of a board, and the game in its field's format, if there is one; with the notes of
    the reader, if any."""

    board: int
    record: str
    is_whole: bool
    is_seated: bool
    field: str
    format: str = "txt"
    has_notes: bool = False

    @property
    def attachment(self) -> Attachment | None:
        """The game in its field's format, as a file that other programs open."""
        if not self.field:
            return None
        kind = _RECORD_KINDS.get(self.format, "text/plain")
        return Attachment(f"{self.game}-{self.board}.{self.format}", kind, f"{self.field}\n")

    @property
    def is_personal(self) -> bool:
        """Whether it has notes."""
        return self.has_notes


class Refused(GameContent, frozen=True, kw_only=True):
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
    def is_in_words(self) -> bool:
        """Whether the reader wants words."""
        return self.view is not None and self.view.in_words

    @property
    def drawing(self) -> Drawing | None:
        """The board's picture, where it is shown."""
        return None if self.view is None else self.view.draw(offers_moves=True)
