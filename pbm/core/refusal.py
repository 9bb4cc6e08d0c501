"""Refusals: why a command was not done, as a code for programs and a sentence for the player."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from pbm.rules import AmbiguousMove, InvalidMove, MoveError
from pbm.rules.phrases import Phrase, phrase, phrase_number


class RefusalCode(StrEnum):
    """Why a command was not done. Codes are stored and printed: they are never renamed."""

    # Who sends it
    NOT_IDENTIFIED = "not_identified"
    """Userid and password are needed, or a reply to a mail of the player's."""
    WRONG_PASSWORD = "wrong_password"  # noqa: S105 (a code)
    TOO_MANY_GUESSES = "too_many_guesses"
    OTHER_ADDRESS = "other_address"
    """A genuine reply address, used from an address that is not the player's."""
    NOT_CONFIRMED = "not_confirmed"
    """The sender has not confirmed an address yet."""
    NOT_APPROVED = "not_approved"
    """The operator has not approved the account yet."""
    SIGNUP_REFUSED = "signup_refused"
    """The address may not sign up here."""
    SUSPENDED = "suspended"
    SILENCED = "silenced"
    """No word of the player is passed on for some time."""
    ACCOUNT_CLOSED = "account_closed"

    # How it is written
    NO_COMMAND = "no_command"
    UNKNOWN_COMMAND = "unknown_command"
    MISSING_ARGUMENT = "missing_argument"
    BAD_ARGUMENT = "bad_argument"
    TRAILING_TEXT = "trailing_text"
    """Text follows a command that must stand alone on its line."""
    SENTENCE = "sentence"
    """On the player's own turn, words to somebody and no move: nothing is guessed."""
    BAD_OPTION = "bad_option"

    # What it names
    NO_SUCH_GAME = "no_such_game"
    NO_SUCH_BOARD = "no_such_board"
    NO_SUCH_PLAYER = "no_such_player"
    NO_SUCH_OFFER = "no_such_offer"
    NO_SUCH_EVENT = "no_such_event"
    NO_SUCH_TOPIC = "no_such_topic"
    NO_SUCH_PLY = "no_such_ply"
    """The board has not had that many moves."""
    NO_SUCH_MAIL = "no_such_mail"
    NO_SUCH_BAN = "no_such_ban"
    WRONG_GAME = "wrong_game"
    """The board or offer is of another game than the command names."""
    WRONG_BOARD = "wrong_board"
    """A reply to one board's mail names another board."""

    # The state of the board
    NOT_SEATED = "not_seated"
    ALREADY_SEATED = "already_seated"
    NOT_CAPTAIN = "not_captain"
    """The captain of the party that holds the seat decides that."""
    HAS_LEFT = "has_left"
    """The player no longer plays on that board."""
    NOT_STARTED = "not_started"
    BOARD_OVER = "board_over"
    BOARD_NOT_OVER = "board_not_over"
    UNPLAYABLE = "unplayable"
    """The game is missing, or its rules no longer allow the moves that were made."""
    WRONG_TURN = "wrong_turn"
    STALE = "stale"
    """The board has moved on since the mail, or since the move number, that the command names."""
    NOT_A_MOVE = "not_a_move"
    ILLEGAL_MOVE = "illegal_move"
    AMBIGUOUS_MOVE = "ambiguous_move"
    HIDDEN = "hidden"
    """It would show what the game hides."""
    NOTHING_SUBMITTED = "nothing_submitted"
    NOTHING_PROPOSED = "nothing_proposed"
    SEVERAL_PROPOSED = "several_proposed"
    NOTHING_TO_UNDO = "nothing_to_undo"
    TOO_LATE = "too_late"
    """The player has moved or seen a roll, and can no longer decline."""
    ALREADY_DONE = "already_done"

    # Players and limits
    PLAYER_UNAVAILABLE = "player_unavailable"
    BOT_UNAVAILABLE = "bot_unavailable"
    RATING_OUT_OF_RANGE = "rating_out_of_range"
    LIMIT_REACHED = "limit_reached"
    """Too many in a day, or at the same time."""

    # Events
    EVENT_CLOSED = "event_closed"
    """Nobody can enter it, or do this in it, any more or yet."""
    NOT_ENTERED = "not_entered"
    NO_CHALLENGE = "no_challenge"
    """The ladder does not allow this challenge."""
    NOT_PERMITTED = "not_permitted"
    """The configuration reserves it for others."""
    IN_EVENT = "in_event"
    """The board belongs to an event, whose rules do not allow it."""

    # Accounts
    USERID_TAKEN = "userid_taken"
    BAD_USERID = "bad_userid"
    BAD_PASSWORD = "bad_password"  # noqa: S105 (a code)
    BAD_ADDRESS = "bad_address"
    BARRED_ADDRESS = "barred_address"
    LAST_ADDRESS = "last_address"
    BAD_CODE = "bad_code"
    BAD_PREFERENCE = "bad_preference"
    BAD_DATE = "bad_date"
    NO_DAYS_LEFT = "no_days_left"

    # The server
    FAULT = "fault"
    """An error in the server kept it from doing this; its log says where."""

    # The operator
    WRONG_STATE = "wrong_state"
    """The account or board is not in a state in which this can be done."""
    BAD_RECORD = "bad_record"


class Offer(Struct, frozen=True):
    """A line that does what was most likely meant, and the text that goes along with it; `declined`
    is the line that a no sends, "" where a no does nothing."""

    line: str
    text: str = ""
    declined: str = ""


_UNREAD = phrase("this line could not be read")


class Refusal(Exception):
    """A command is not done. `text` is a phrase; `send` are lines the player could send instead,
    with GAME, {board} and {user} for the sender's own. `shows` asks for the board to be shown with
    it. `offer` is what was most likely meant, which a yes in reply does. `brief` is said in place
    of a text that quotes too much of the command. `apart` keeps it out of every board's thread: a
    reply to it is then one of the player, not of a seat. `field` names the option or preference
    that is wrong.

    Neither may repeat a word of the command that could be a password."""

    def __init__(
        self,
        code: StrEnum,
        text: str,
        *send: str,
        board: int = 0,
        shows: bool = False,
        brief: str = _UNREAD,
        apart: bool = False,
        offer: Offer | None = None,
        field: str = "",
    ) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.send = send
        self.board = board
        self.shows = shows
        self.brief = brief
        self.apart = apart
        self.offer = offer
        self.field = field


def get_move_code(error: MoveError) -> RefusalCode:
    """Return the code of a move that the game refuses."""
    if isinstance(error, InvalidMove):
        return RefusalCode.NOT_A_MOVE
    if isinstance(error, AmbiguousMove):
        return RefusalCode.AMBIGUOUS_MOVE
    return RefusalCode.ILLEGAL_MOVE


def tell_limit(most: int) -> Phrase:
    """Return that the player has as many boards as one may have."""
    return phrase_number(
        "you already have {count} game running, the limit",
        "you already have {count} games running, the limit",
        most,
    )


def refuse_waiting() -> Refusal:
    """Return the refusal of an act that needs an account approved by the operator."""
    reason = phrase("the operator has not approved this account yet: you will get a mail")
    return Refusal(RefusalCode.NOT_APPROVED, reason)


def refuse_password(*send: str) -> Refusal:
    """Return the refusal of a wrong userid or a wrong password, the same for both."""
    wrong = phrase("wrong userid or password")
    return Refusal(RefusalCode.WRONG_PASSWORD, wrong, *send, "forgot {user}")
