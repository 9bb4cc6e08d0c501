"""A command as parsed from a line, its sender, and the lines that are no command."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from pbm.core.feature import Replies, Verb, find_replies
from pbm.core.refusal import Refusal
from pbm.core.secrets import Token

Suggest = Callable[[Callable[[str], str]], str]
CLAIM = ("user", "password")
"""The slots that say who sends a command."""


class Sender(Struct, frozen=True):
    """Where a command came from.

    address   the From address in lower case; "" for a trusted terminal
    token     the reply token of the mail, not verified yet
    via       "mail", "terminal", "bot", "web"
    operator  the operator's word stands for the password (recorded)
    vouched   the operator's own mail server authenticated the From address
    failed    that server looked at the From address and could not authenticate it
    answers   the number of the answered mail of the server, as the sender's mail has it; or 0
    is_person nothing about the mail suggests that a program wrote it
    player    the player of the followed secret link, verified in this transaction; or 0
    peer      the network of the client that brought the mail; "" where that is this machine
    seat_at   the board, where that was the link of a seat; 0 where it was the player's
    stops     that was a link that stops mails, and nothing else
    code      the tag of the code that brought the mail which was answered or the link which was
              followed, not verified yet
    invitation  the token of the invitation that was answered, or of the link to forward that was
                followed, not verified yet
    to        the address of the server that the mail went to, where it has several to write from
    event     the number of the event whose mail was answered, as its subject has it, or 0
    language  that of the page, or of the mail of ours that was answered, where the sender is no
              player whose preferences tell it; or ""
    """

    address: str = ""
    token: Token | None = None
    via: str = "mail"
    operator: bool = False
    vouched: bool = False
    failed: bool = False
    answers: int = 0
    is_person: bool = True
    player: int = 0
    peer: str = ""
    seat_at: int = 0
    stops: bool = False
    code: str = ""
    invitation: Token | None = None
    to: str = ""
    event: int = 0
    language: str = ""

    @property
    def board(self) -> int:
        """The board whose mail was answered, or 0."""
        return self.find_number("b")

    @property
    def replies(self) -> Replies | None:
        """The mails of a feature of which one was answered, if it was."""
        return find_replies(self.token.kind) if self.token is not None else None

    @property
    def about(self) -> str:
        """What the answered mail of a feature was about, as its reply address names it; or ""."""
        return self.token.open if self.token is not None and self.replies is not None else ""

    def find_number(self, letter: str) -> int:
        """Return the number of what was answered, where its reply address has that letter; or 0."""
        return self.token.number if self.token is not None and self.token.kind == letter else 0


class Command(Struct, frozen=True):
    """One request to the server.

    words     the words after board, userid and password, options included
    rest      the same words as the sender wrote them, for moves
    text      the comment, or the text to pass on
    is_cut    the text was longer than a mail may have
    left      lines below it that look like commands or moves and were not executed, without those
              that must not be repeated
    withheld  lines below or above it that are taken for a program's, and are not passed on
    ply       the number in `move#n`, or 0
    guessed   the verb was misspelt
    line      all of it as it was written, where it is the first line of a reply that names a verb
    implied   the line names no verb: a move, or other words to a board
    proof     player and stored hash that the password was verified against, before any lock
    is_spent  the account has had too many wrong passwords today: this one was not verified
    new_hash  the hash of the new password it carries
    offer     the number of the mail whose offer it answers with a yes or no, or 0
    is_declining  whether it is a no to that offer, which ends nothing that has begun since
    """

    verb: Verb
    sender: Sender
    game: str = ""
    board: int = 0
    user: str = ""
    password: str = ""
    words: tuple[str, ...] = ()
    rest: str = ""
    text: str = ""
    is_cut: bool = False
    left: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    ply: int = 0
    guessed: bool = False
    line: str = ""
    implied: bool = False
    proof: tuple[int, str] | None = None
    is_spent: bool = False
    new_hash: str = ""
    offer: int = 0
    is_declining: bool = False

    def __repr__(self) -> str:
        """Return the line without passwords and texts, for debugging."""
        return f"Command({self.verb.name!r}, {self.game!r}, {self.board}, {self.user!r})"

    @property
    def form(self) -> str:
        """The correct form of this command."""
        suggested = self.verb.suggests(self) if self.verb.suggests else ""
        return suggested or self.verb.build_form(self.game or "GAME")

    @property
    def is_complete(self) -> bool:
        """Whether the line names a game or board and has all required arguments, or is a single
        word that requires none. A sentence that begins with a verb seldom is."""
        verb, has_context = self.verb, bool(self.game or self.board)
        if verb.stands_alone and self.words:
            return has_context and len(self.words) == len(CLAIM)
        if has_context:
            return bool(self.words or not verb.has_moves)
        needed = {slot for slot in verb.slots if slot[-1] not in "?*"}
        is_single_word = not (self.words or self.user) and (verb.has_board or verb.game != "yes")
        return is_single_word and needed <= {"board", *CLAIM}

    @property
    def own_words(self) -> tuple[str, ...]:
        """The words in the order of the verb's arguments: the number of an event or offer stands
        before the others."""
        words, is_numbered = self.words, bool({"event", "offer"} & {*self.verb.slots})
        if is_numbered and words and words[-1].strip("#").isdecimal():
            return (words[-1], *words[:-1])
        return words

    def count_surplus(self) -> int:
        """Return how many of the last words none of the verb's arguments takes. The name of an
        event may have several words, its number is one; days may have several words too; words
        beside options are refused where these are read."""
        verb, words = self.verb, self.own_words
        own = [slot for slot in verb.slots if slot not in ("board", *CLAIM)]
        own = [slot for slot in own if not (slot == "game?" and self.game)]
        takes_any = verb.has_message or verb.stands_alone or verb.options or self.implied
        if takes_any or "to?" in own or any(slot[-1] in "*+" for slot in own):
            return 0
        if "event" in own and not any(word.strip("#").isdecimal() for word in words[:1]):
            return 0
        return max(len(words) - len(own), 0)


class NotACommand(Exception):
    """The line is not a command, not even a misspelt one."""


class Misread(Refusal):
    """A command that cannot be understood; `command` holds the part that can. `suggest` writes the
    line that was most likely meant, given how each of the sender's words may be repeated."""

    def __init__(self, refusal: Refusal, command: Command, suggest: Suggest | None = None) -> None:
        super().__init__(
            refusal.code,
            refusal.text,
            *refusal.send,
            board=refusal.board,
            shows=refusal.shows,
            offer=refusal.offer,
        )
        self.command = command
        self.suggest = suggest


def get_misread(refusal: Refusal | None) -> Command | None:
    """Return the readable part of a misread command; None for any other refusal."""
    return refusal.command if isinstance(refusal, Misread) else None
