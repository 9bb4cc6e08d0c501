"""A command of the language: its word, its arguments and what kind of command it is."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from pbm.core.kernel.proofs import Act


class Group(StrEnum):
    """The parts of the page `help commands`, in their order."""

    ACCOUNTS = "Accounts"
    LOOKING = "Looking"
    EVENTS = "Events"
    TALKING = "Talking"
    PLAYING = "Playing"
    AGREEING = "Agreeing"
    BOARDS = "Boards"


class Verb(NamedTuple):
    """One command.

    name             its word; for the commands of a game it follows the game
    slots            its arguments: board, user, password, each once and in this order, then a name
                     for the words that follow, with * or + for several and ? for optional
    do               the function that does it, module:function in its feature
    summary          one line of help
    act              what kind of act it is, which says what proof it needs
    group            the part of the page `help commands` in which it stands
    detail           more help, after the line
    implied          the function for a line of a reply to a board's mail that names no verb
    asked            the function that knows its question in a player's own words: (line, event) ->
                     its words, or None
    verify           the function that adds what it needs before any lock is taken:
                     (session, command, checks, now) -> Command
    game             "yes": needs a game (or a board that tells it); "no": never has one; "maybe"
    options          takes options
    text             what the body of the mail is to it: "comment", "text" (to pass on) or ""
    is_read_only     changes nothing
    takes_ply        may say `#n`, the number of the move it is meant for
    is_final         cannot be undone: never guessed from a misspelt word
    takes_plan       a plan may stand below it
    replaces_move    may stand where moves stand: `move 17 ann PASSWORD resign`
    has_message      a text may stand on the line, behind the board
    hides_words      its words are repeated to nobody: they may be a password or code, or hold one
    is_for_writer    its words are for their writer alone, not for the operator who sees the mail
    ignores_claim    a userid and password may stand where it needs none
    is_for_later     its move number is that of a later turn
    stands_alone     ends or settles something: a line on which more follows is a sentence, not it
    meant_by         words that people write for it: never done, the answer has the right line
    """

    name: str
    slots: tuple[str, ...]
    do: str
    summary: str
    act: Act
    group: Group
    detail: str = ""
    aliases: tuple[str, ...] = ()
    implied: str = ""
    asked: str = ""
    verify: str = ""
    game: str = "no"
    options: bool = False
    text: str = ""
    is_read_only: bool = False
    takes_ply: bool = False
    is_final: bool = False
    takes_plan: bool = False
    replaces_move: bool = False
    has_message: bool = False
    hides_words: bool = False
    is_for_writer: bool = False
    ignores_claim: bool = False
    is_for_later: bool = False
    stands_alone: bool = False
    meant_by: tuple[str, ...] = ()

    @property
    def needs_password(self) -> bool:
        """Whether a userid and a password say who sends it."""
        return "password" in self.slots

    @property
    def has_board(self) -> bool:
        """Whether a board number comes first."""
        return "board" in self.slots

    @property
    def has_moves(self) -> bool:
        """Whether moves end the line, which only the game can read."""
        return "move+" in self.slots

    @property
    def has_plan(self) -> bool:
        """Whether the branches of a plan may stand on the line."""
        return "plan*" in self.slots

    def build_form(self, game: str = "GAME") -> str:
        """Return the shortest line to send. {board} and {user} stand for the sender's own."""
        places = {
            "board": "{board}",
            "board+": "{board}",
            "user": "{user}",
            "password": "PASSWORD",
            "new_password": "NEWPASSWORD" if self.needs_password else "PASSWORD",
        }
        if not self.needs_password and "new_password" in self.slots:
            places["user"] = "USERID"
        is_left_out = self.game == "no" or (self.game == "maybe" and game == "GAME")
        words = [] if is_left_out else [game]
        words.append(self.name)
        required = [slot for slot in self.slots if slot[-1] not in "?*"]
        words += [places.get(slot) or slot.rstrip("+").upper() for slot in required]
        return " ".join(words)
