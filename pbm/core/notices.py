"""Notices: what somebody is to learn, as data that the edges render."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, StrEnum, unique
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from pbm.core.limits import Asker
from pbm.core.player import ALL, BOARDS
from pbm.core.refusal import Offer, RefusalCode
from pbm.rules import Picture, Position
from pbm.rules.drawing.scene import Scene
from pbm.rules.phrases import combine, phrase

if TYPE_CHECKING:
    from pbm.core.view import BoardSummary


class Drawing(Struct, frozen=True):
    """A picture as text, and what other pictures need besides: how the position appears to the
    reader, what it is, and the names of the seats, which may be colours. `offers_moves`: the
    reader's legal moves, if few, belong beside it."""

    picture: Picture
    appearance: Appearance
    title: str
    colours: tuple[str, ...] = ()
    offers_moves: bool = False


class Figure(Struct, frozen=True):
    """A picture in a text: the `lesson` of a game, which stands on the page of a mail in place of
    `text`, with its caption below. Without a text it goes on the row of the figure before it."""

    game: str
    lesson: int
    text: str
    caption: str


class Attachment(Struct, frozen=True):
    """A file that goes along with a mail: its name, its MIME type and what is in it."""

    name: str
    kind: str
    text: str


@unique
class Kind(Enum):
    """What a notice asks of its reader's attention."""

    ANSWER = "own answer"
    LIMIT = "answer that a limit is reached"
    MOVE = "news of moves"
    NEWS = "other news of what a player did"
    WORDS = "words to somebody"
    CHAT = "words of a reply that names no command"
    ANNOUNCEMENT = "words to everybody"
    INVITATION = "words to an address that has not asked for them"
    CODE = "code"


class Content(Struct, frozen=True, kw_only=True):
    """The content of a notice, as data; the edges render it as text.

    is_failure  something was not done
    is_code     it brings a code that only its reader may see
    held_as     the name of its words while they wait for a moderator; "" if they never do
    stopped_by  the command that ends mails of this kind, "" where there is none
    is_told_alone  the server answers its reader alone: words in reply are not for other players
    mail_kind   of the mails that a player can stop: ALL, unless they are about boards or events
    goes_anyway a reader who has stopped mails gets it: a requested code, and the last mail
    link_label  the text before the link of its mail, and `link_text` on its page
    """

    is_failure: ClassVar[bool] = False
    is_code: ClassVar[bool] = False
    held_as: ClassVar[str] = ""
    stopped_by: ClassVar[str] = ""
    is_told_alone: ClassVar[bool] = False
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
    def waiting(self) -> Sequence[Waiting]:
        """The boards of its lines that wait for the reader, who can answer each by itself."""
        return ()

    @property
    def once(self) -> str:
        """The name under which a reader gets it at most once a day; "" for always."""
        return ""

    @property
    def is_error(self) -> bool:
        """Whether it answers what cannot be read, or is not done, and is no move. A player gets a
        limited number of these a day."""
        return self.is_failure

    @property
    def refusal(self) -> StrEnum | None:
        """Why a command was refused."""
        return None

    @property
    def offered(self) -> Offer | None:
        """What a yes in reply to it does."""
        return None

    @property
    def answer(self) -> str:
        """The line that sends the words of a reply back to where these came from: to who wrote
        them, or to the server (`ask`); "" where a reply is read as any other."""
        return "ask" if self.is_told_alone else ""

    @property
    def is_in_words(self) -> bool:
        """Whether it shows a board in words instead of a drawing."""
        return False

    @property
    def is_move(self) -> bool:
        """Whether it tells of moves that were played or of a result, which no limit holds back."""
        return False

    @property
    def passed_on(self) -> str:
        """The texts of players that it passes on."""
        return ""

    @property
    def attention(self) -> Kind:
        """What it asks of the attention of somebody who has not caused it."""
        return Kind.MOVE if self.is_move else Kind.NEWS

    @property
    def held_about(self) -> int:
        """The event that its words are about, or 0."""
        return 0

    def tell_held(self, names: str, *, is_kept: bool) -> Content | None:
        """Return the same answer, which says that words to these people wait for a moderator, or
        (not `is_kept`) that too many wait already; None where it answers no words."""
        return None

    @property
    def is_personal(self) -> bool:
        """Whether it contains what only its reader may know, such as a plan."""
        return False

    @property
    def is_brief(self) -> bool:
        """Whether its headline says all to somebody who has the board in front of them."""
        return False

    def build_typed(self) -> Content:
        """Return it as the answer at a terminal, where nothing is a reply."""
        return self

    @property
    def attachment(self) -> Attachment | None:
        """The file that goes along with it, if any."""
        return None

    @property
    def drawing(self) -> Drawing | None:
        """The picture that it shows, if any."""
        return None

    @property
    def sender(self) -> tuple[str, str]:
        """The club that it comes from, and its colour; "" for the server."""
        return "", ""

    def list_figures(self, language: str) -> Sequence[Figure]:
        """Return the pictures in its text in a language, in their order."""
        return ()


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
    is_in_words: bool
    colours: tuple[str, ...]

    @property
    def drawing(self) -> Drawing | None:
        """The position."""
        return Drawing(self.picture, self.appearance, self.title, self.colours)


class AccountContent(Content, frozen=True, kw_only=True):
    """Content about the account of one player."""

    userid: str


class Words(Content, frozen=True, kw_only=True):
    """What `writer` wrote to the reader."""

    userid: str
    writer: str
    text: str

    @property
    def answer(self) -> str:
        """A message to the writer, whom the writer's own copy does not name."""
        return f"message {self.writer}" if self.writer else ""

    @property
    def attention(self) -> Kind:
        """Words to somebody."""
        return Kind.WORDS

    @property
    def passed_on(self) -> str:
        """The text."""
        return self.text


class BoardWords(Words, frozen=True, kw_only=True):
    """What `writer` wrote at a board, or about it."""

    game: str
    board: int

    @property
    def answer(self) -> str:
        """None: a reply is read at the board."""
        return ""

    @property
    def named_games(self) -> tuple[str, ...]:
        """The game."""
        return (self.game,)


# Notices: what somebody is told, and where it goes. Mail and terminal write it as text.


class Thread(Struct, frozen=True):
    """The conversation that a mail belongs to: a board of a game, the seat (None for a spectator),
    the ply to play, how often moves were taken back, and the userids at the seats; whether a
    party holds the seat, of whom each member has a reply address of their own."""

    game: str
    board: int
    seat: int | None
    ply: int
    undos: int
    names: tuple[str, ...]
    is_party: bool = False


class Waiting(Struct, frozen=True):
    """A board of a list that waits for its reader: what is asked, and how soon."""

    thread: Thread
    asked: str


_OF_LIMITS = {RefusalCode.LIMIT_REACHED, RefusalCode.TOO_MANY_GUESSES}


class Notice(Struct, frozen=True):
    """A content on its way to a reader.

    content    its content
    addresses  its recipients; empty for a terminal
    player     whose reply token it carries; 0 for a stranger
    thread     the board's conversation it belongs to
    is_answer  it answers the command itself: it goes to whoever sent it
    left       lines of the mail that were neither done nor passed on
    withheld   lines of the mail that were taken for a program's and not passed on
    about      what of the player's it is about, whose reply token it carries instead of the
               player's, as `Sender.about`; or ""
    cause      the player whose act it tells somebody else of; 0 where no limit counts it
    code       the reply token of the code that it brings, or ""
    language   that of its reader, where no player's preferences tell it; or ""
    is_unproved  a mail that does not prove who wrote it has caused it, or it brings a code to an
               address that nobody has confirmed: it counts in the budget of its addresses
    is_late    a program may have caused it: others learn it later, in a summary
    added      sentences at its end, each a paragraph
    asker      who has asked for it, where it goes to an address that is nobody's: it counts in what
               strangers get in an hour
    """

    content: Content
    addresses: tuple[str, ...] = ()
    player: int = 0
    thread: Thread | None = None
    is_answer: bool = False
    left: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    about: str = ""
    cause: int = 0
    code: str = ""
    language: str = ""
    is_unproved: bool = False
    is_late: bool = False
    added: tuple[str, ...] = ()
    asker: Asker | None = None

    @property
    def refusal(self) -> StrEnum | None:
        """Why a command was refused."""
        return self.content.refusal

    @property
    def kind(self) -> Kind:
        """What it asks of its reader's attention."""
        if self.content.is_code:
            return Kind.CODE
        if self.is_answer:
            return Kind.LIMIT if self.refusal in _OF_LIMITS else Kind.ANSWER
        return self.content.attention

    @property
    def mail_kind(self) -> str:
        """The kind of mails that it belongs to, which its reader can stop: all about the reader's
        own boards is one."""
        thread = self.thread
        return BOARDS if thread is not None and thread.seat is not None else self.content.mail_kind

    @property
    def is_failure(self) -> bool:
        """Whether it says that something was not done."""
        return self.content.is_failure


# How a position appears to one viewer.


class Appearance(Struct, frozen=True):
    """A position as a seat, or (None) a spectator, may see it, with the moves `last` marked. It is
    described when that is asked for: few mails need it.

    is_stopped  the board has ended, even if not by its rules, or has not begun
    is_short    words leave out what stands on the board
    since       the moves of each turn since the viewer's own, where several have moved
    """

    _position: Position
    viewer: int | None
    last: tuple[str, ...] = ()
    is_stopped: bool = False
    is_short: bool = False
    since: tuple[tuple[str, ...], ...] = ()

    def scene(self) -> Scene:
        """Return the scene, with a number where each of several turns has ended; without places if
        the game has no scene."""
        scene = self._position.scene(self.viewer, self.last)
        if not self.since:
            return scene
        turns = [self._position.scene(self.viewer, moves) for moves in self.since]
        return scene.number_turns(turns)

    @property
    def takes_orders(self) -> bool:
        """Whether it is one of orders, which the text lists below what stands where."""
        return self._position.takes_orders

    def words(self) -> str:
        """Return the same in sentences."""
        words = self._position.words
        if self.is_short:
            return words(self.viewer, self.last, is_stopped=self.is_stopped, is_short=True)
        return words(self.viewer, self.last, is_stopped=self.is_stopped)

    def describe(self, move: str) -> str:
        """Return a legal move of the viewer's, as players write it."""
        return self._position.describe(self.viewer or 0, move, self.viewer)

    def list_moves(self, most: int) -> tuple[str, ...]:
        """Return the legal moves of a viewer who is to move; none if there are more than `most`."""
        if self.is_stopped or self.viewer is None or self.viewer not in self._position.to_move:
            return ()
        moves = self._position.legal_moves(self.viewer)
        return tuple(moves) if len(moves) <= most else ()

    def encode(self) -> str:
        """Return the position as text, hidden things included."""
        return self._position.encode()

    @property
    def is_turned(self) -> bool:
        """Whether the viewer looks from the other side of the board."""
        return self.viewer == 1 and self._position.turns_board


# Notices that show a board, or are about one.


class Proposal(Struct, frozen=True):
    """A proposal in words, and who has not answered it (`missing`). The viewer may have made it
    (`is_own`) or have to answer it (`is_asked`)."""

    proposer: str
    what: str
    missing: str
    is_own: bool
    is_asked: bool


class SeatLine(Struct, frozen=True):
    """A seat for everybody to read: its player, its name, and remarks."""

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

    in_words   the mail has the board in words instead of the picture
    people     a line for each seat
    officials  those beside the players, and what they are
    log        the last moves, a line each; all of them when the board is over
    status     whose turn it is, or how the board ended, in words for the viewer
    reason     why it ended
    rolled     a roll of the dice is known
    until      when the viewer's clock runs out, if the viewer is to move, and how far away that is
               (`span`)
    userid     the viewer's; USERID for a spectator
    text_only  the viewer gets no page beside the text
    example    a legal turn, and `duties` what binds whoever is to play one, as clauses
    turn       the number of the turn, of which each may have several plies
    players    the names of the seats, and `names` also those of the people who hold the viewer's: a
               sentence that begins with one gets no capital
    next_first the player who would move first in a rematch
    rated_as   the ratings as programs read them
    own        what only the viewer sees, by feature: a title and further lines
    event      the number of the event that it belongs to, or 0
    pool       the ratings that it counts for
    colour     that of its club, or ""
    takes_orders  a turn consists of orders
    press      the kind of press that the seats may write
    """

    game: str
    summary: BoardSummary
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
    span: str
    userid: str
    text_only: bool
    example: str
    duties: Sequence[str]
    can_be_drawn: bool
    next_first: str
    ply: int
    next_ply: int
    turn: int
    to_move: str
    players: str
    names: str
    ranks: str
    proposals: Sequence[Proposal]
    ratings: Sequence[str]
    rated_as: str
    commitment: str
    secret: str
    own: Mapping[str, Sequence[str]] = field(default_factory=dict)
    event: int = 0
    pool: str = ""
    colour: str = ""
    takes_orders: bool = False
    press: str = ""

    def without(self, feature: str) -> BoardView:
        """Return the view without what that feature shows to the viewer alone."""
        return replace(self, own={name: own for name, own in self.own.items() if name != feature})

    def draw(self, *, offers_moves: bool = False) -> Drawing:
        """Return the board's picture; `offers_moves` puts the moves of a viewer who is to move
        beside it."""
        offers = offers_moves and self.on_move
        heading = f"{self.summary.heading}"
        return Drawing(self.picture, self.appearance, heading, self.colours, offers)


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
        """Whether it shows what the reader alone may see."""
        return bool(self.view.own)

    @property
    def drawing(self) -> Drawing | None:
        """The board's picture."""
        return self.view.draw()

    @property
    def sender(self) -> tuple[str, str]:
        """The club whose board it is."""
        return (self.view.pool, self.view.colour) if self.view.colour else ("", "")


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
    comments     the comments with it, each below a line with its writer
    is_open      the reader's turn goes on after what was played; `ending` is the word that ends it,
                 if the game has one
    retractable  the reader may still take back what has just been done
    claim        why the reader may claim a draw
    personal     some of the sentences are about the reader's plan
    planned      the first sentences tell what was done as planned
    has_moved    moves were played, or a game that the reader agreed to has ended for a seat
    is_first     it is the reader's first mail of the board
    has_bots     computer players play there
    awaits_bot   it is their turn to move or to answer
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
    personal: bool = False
    planned: bool = False
    has_moved: bool = False
    is_first: bool = False
    has_bots: bool = False
    awaits_bot: bool = False
    is_offered: bool = False

    @property
    def told(self) -> Told:
        """The part that a later mail repeats, while the board is not over."""
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
        """Whether it tells of a move or a result."""
        return self.has_moved

    @property
    def passed_on(self) -> str:
        """The comments."""
        return "\n\n".join(text for _, text in self.comments)

    @property
    def is_personal(self) -> bool:
        """Whether it shows what the reader alone may see, or says what became of a plan."""
        return self.personal or bool(self.view.own)

    @property
    def drawing(self) -> Drawing | None:
        """The board's picture, with the legal moves of the seat on the move."""
        return self.view.draw(offers_moves=True)


class BoardShown(BoardContent, frozen=True, kw_only=True):
    """A board on request, at a ply or (None) as it stands; `example` is a legal turn, where a reply
    to the mail is the reader's turn."""

    is_told_alone = True

    headline: str
    at: int | None = None
    example: str = ""

    def build_typed(self) -> BoardShown:
        """Return it without the reply."""
        return replace(self, example="")


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

    is_told_alone = True

    board: int
    places: str
    lines: Sequence[str]


class BoardAtTerminal(BoardContent, frozen=True, kw_only=True):
    """A board as `pbm play` shows it, with what others wrote since the last time."""

    headline: str
    comments: Sequence[tuple[str, str]]


class Preview(BoardContent, frozen=True, kw_only=True):
    """A board after moves that are not played; `asks`: chance decides next. `turn` is what plays
    the first turn of them, where a reply to the mail is the reader's turn."""

    is_told_alone = True

    submitted: str
    asks: bool
    turn: str = ""

    def build_typed(self) -> Preview:
        """Return it without the reply."""
        return replace(self, turn="")


class NewBoardPreview(PositionContent, frozen=True, kw_only=True):
    """The board that a challenge would start."""

    players: int
    options: str
    asks: bool
    userid: str


class PersonalContent(BoardContent, frozen=True, kw_only=True):
    """Content for one player alone: what is planned, noted or not played yet."""

    is_personal = True
    is_told_alone = True


class MoveSubmitted(PersonalContent, frozen=True, kw_only=True):
    """A move waits for `confirm`. The view shows the position after it, unless that `is_hidden`;
    `asks`: chance decides next."""

    submitted: str
    asks: bool
    is_hidden: bool

    @property
    def offered(self) -> Offer | None:
        """A yes plays it."""
        return Offer("confirm")


class Reminder(BoardContent, frozen=True, kw_only=True):
    """The seat of `late` has long been to move, and loses on time at `until` ("": never); with
    `others` the rest then play on. `rule` says for whom the result counts if somebody else takes
    the seat over before, where that may happen."""

    late: str
    is_late: bool
    since: str
    until: str
    others: bool
    rule: str = ""


class BoardHelp(BoardContent, frozen=True, kw_only=True):
    """What the reader can reply to the mails of a board as it stands.

    title    the game's
    words    what to write, each with its effect
    to_move  whose turn it is, when it is not the reader's
    moves    the reader's legal moves, the first ones of `count`
    """

    is_told_alone = True

    title: str
    words: Sequence[tuple[str, str]]
    to_move: str
    moves: Sequence[str]
    count: int
    begins_with_moves: bool = False

    @property
    def drawing(self) -> Drawing | None:
        """The board's picture, with the moves that are told."""
        return self.view.draw(offers_moves=bool(self.moves))


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

    is_told_alone = True

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


class AnswerContent(GameContent, frozen=True, kw_only=True):
    """Common data of answers to a person's mail.

    send   lines that the reader may send
    offer  the effect of a yes in reply, if any
    board  the number of the board that it is about, or 0
    view   that board, where it helps
    """

    is_told_alone = True

    send: Sequence[str] = ()
    offer: Offer | None = None
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


class Refused(AnswerContent, frozen=True, kw_only=True):
    """A command was refused: why, what to send instead, the one of these lines that a yes in reply
    does, and the board as it stands where that helps. What `is_of_move` refuses what may well be
    meant as a move: that is always answered. `field` is the option that is wrong."""

    is_failure = True

    code: StrEnum
    reason: str
    verb: str = ""
    field: str = ""
    is_of_move: bool = False

    @property
    def once(self) -> str:
        """Where a reply came from is explained once."""
        return "elsewhere" if self.code is RefusalCode.OTHER_ADDRESS else ""

    @property
    def is_error(self) -> bool:
        """Whether no move is refused."""
        return not self.is_of_move

    @property
    def refusal(self) -> StrEnum | None:
        """Why the command was refused."""
        return self.code


# Notices about mails themselves: unread ones, those of several commands, those that bounce.


class NoCommand(Content, frozen=True, kw_only=True):
    """A mail held no command: what its writer can send, with the writer's userid, game and board,
    or USERID, GAME and BOARD where they are not known. `is_empty`: nothing was written in it."""

    refusal = RefusalCode.NO_COMMAND
    is_failure = True

    userid: str = "USERID"
    game: str = "GAME"
    board: str = "BOARD"
    is_empty: bool = False


class CodeWaits(Content, frozen=True, kw_only=True):
    """Answers an address that has yet to send back a code, of a signup or of an account's, which
    went there at the time `asked`."""

    userid: str
    asked: str


class Stranger(Content, frozen=True, kw_only=True):
    """What this server is, the names of its games, how many variants of them it has, and who may
    sign up (`signups`: "" for everybody), for a writer whose address is unknown. `may_join`: some
    may; `waits`: the writer's account waits for the operator."""

    once = "page"
    is_failure = True

    games: Sequence[str] = ()
    variants: int = 0
    signups: str = ""
    may_join: bool = True
    waits: bool = False


class MailKept(Content, frozen=True, kw_only=True):
    """A mail failed because of an error in the server and will be tried again."""

    is_failure = True


class MailFailed(Content, frozen=True, kw_only=True):
    """A mail failed because of an error in the server and is not kept: it proved nothing, or it
    would only have shown something."""

    is_failure = True


class MailSetAside(Content, frozen=True, kw_only=True):
    """A mail ended the process that executed it, and is not tried again."""

    is_failure = True


class ProgramAsked(GameContent, frozen=True, kw_only=True):
    """Asks a player whose mails without a command have each answered ours within minutes whether a
    program writes them: `text`, to the others of a board, is held until the player says no.
    Who `was_asked` before gets no such mail."""

    board: int
    text: str
    was_asked: bool = False


class Believed(AccountContent, frozen=True, kw_only=True):
    """The reader, who was asked whether a program writes, is taken for a person."""


class ErrorsOver(Content, frozen=True, kw_only=True):
    """Errors go unanswered for the rest of the day."""

    is_error = False
    once = "errors"
    is_failure = True


class TranscriptPart(Struct, frozen=True):
    """One line of a mail, with the subjects and texts that answer it."""

    line: str
    texts: Sequence[tuple[str, str]]


class Transcript(Content, frozen=True, kw_only=True):
    """The answer to a mail of several commands; `facts` are the blocks at the end of all boards."""

    parts: Sequence[TranscriptPart]
    done: int
    count: int
    facts: Sequence[str]


class AddressStopped(Content, frozen=True, kw_only=True):
    """Mail to one of the reader's addresses keeps coming back, or was reported as spam there, and
    is stopped."""

    userid: str
    address: str
    is_complaint: bool = False


class Unreachable(Content, frozen=True, kw_only=True):
    """Mail to an opponent of the reader's bounces; `reached`: other addresses still work;
    `is_wish`: it does not bounce, the opponent has stopped it."""

    userid: str
    boards: Sequence[int]
    reached: bool
    is_wish: bool = False


class HeldRow(Struct, frozen=True):
    """Notices of one kind about one board, or none: the news of the last, how many there were, and
    what was written in them."""

    subject: str
    count: int
    text: str


class HeldNotices(Content, frozen=True, kw_only=True):
    """What the players `names`, of whom one is `example`, have caused beyond the notices of a day,
    and how many."""

    userid: str
    names: str
    example: str
    count: int
    rows: Sequence[HeldRow]


class WordsHeld(AccountContent, frozen=True, kw_only=True):
    """Tells a newcomer that words to the people `names` wait for a moderator or, if not `is_kept`,
    that too many wait already."""

    names: str
    text: str
    is_kept: bool


class MailResumed(AccountContent, frozen=True, kw_only=True):
    """Mails go to the reader again, who had stopped them and has sent a command."""


class Unheard(AccountContent, frozen=True, kw_only=True):
    """Tells a silenced player that the words beside a command were not passed on."""

    once = "unheard"

    userid: str
    until: str


# Notices from the server's operator.


class OperatorMessage(Content, frozen=True, kw_only=True):
    """What the operator wrote to the reader, or a moderator."""

    subject: str
    text: str
    is_moderators: bool = False


class DailyDigest(Content, frozen=True, kw_only=True):
    """Tells the operator what happened in a day, and what is wrong."""

    lines: Sequence[str]


class PlayerWaits(Content, frozen=True, kw_only=True):
    """Tells the operator that a new player waits to be approved."""

    userid: str
    address: str
