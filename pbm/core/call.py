"""A call: a command being executed, with what its handler needs."""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec.structs import replace

from pbm.core.board import Board, format_time
from pbm.core.clubs import is_inside, is_match_guest
from pbm.core.command import Command
from pbm.core.context import Context
from pbm.core.feature import Verb
from pbm.core.notices import Content, Notice, WordsHeld
from pbm.core.player import Player, find_players_by_address, prefers_words
from pbm.core.proofs import GUEST_ACTS, Act, Proof
from pbm.core.refusal import Offer, Refusal, RefusalCode, refuse_password
from pbm.core.storing import load, refuse_no_board
from pbm.core.talk import remove_moves
from pbm.core.trust import (
    Principal,
    Verdict,
    Writer,
    find_principal,
    guess_writer,
    is_heard,
    keep_words,
    weigh_words,
)
from pbm.core.words import get_verb, list_unnamed
from pbm.rules.phrases import Listing, phrase
from pbm.store.reads import find_asked, find_master, find_match_captains, find_strangers

Handler = Callable[["Call"], list[Notice]]


_ANSWERS = ("help", "ask", "offer yes")
"""Verbs that explain, or do what their words name: that is asked about again."""


class MustWrite(Exception):
    """A read-only command has to write after all."""


class Call(Context, kw_only=True):
    """A command being executed, by the `player` whom password, reply token or operator name.

    proof       how the sender is known
    is_elsewhere  the reply address is genuine, and From no address of its player
    undos       the board's undos when its reply address was made
    asleep      the sleeping board whose mail it answers
    reads_only  it must not write
    below       lines below its move that are another verb's, and go with the move
    is_unheard  its comment was left out: the player is silenced
    waiting     what of its words waits for a moderator
    """

    command: Command
    proof: Proof = Proof.NOTHING
    is_elsewhere: bool = False
    undos: int = -1
    asleep: int = 0
    reads_only: bool = False
    below: tuple[str, ...] = ()
    is_unheard: bool = False
    waiting: tuple[WordsHeld, ...] = ()
    _senders: tuple[Player, ...] | None = None

    @property
    def has_left_lines(self) -> bool:
        """Whether the answer has to name lines of its mail that were left."""
        return bool(self.command.left or self.command.withheld)

    @property
    def senders(self) -> tuple[Player, ...]:
        """The active players with this confirmed address in From. Anybody can write it there: it
        says where an answer goes and proves nothing (see `vouched`)."""
        if self._senders is None:
            address = self.command.sender.address
            self._senders = tuple(find_players_by_address(self.session, address)) if address else ()
        return self._senders

    @property
    def vouched(self) -> tuple[Player, ...]:
        """The players whom From proves: on a trial server, and when the operator's own mail server
        has authenticated it. Any other From proves nothing."""
        is_believed = self.command.sender.vouched or not self.config.players.confirm_addresses
        return self.senders if is_believed else ()

    @property
    def is_proved(self) -> bool:
        """Whether it is known who sent it."""
        sender = self.command.sender
        is_local = sender.via == "terminal" or bool(sender.operator)
        return is_local or self.player is not None or bool(self.vouched)

    @property
    def me(self) -> Player:
        """The player who sent it. Refused when nobody was identified."""
        if self.player is None:
            raise refuse_password(self.command.form)
        return self.player

    @property
    def is_silenced(self) -> bool:
        """Whether the words of the sender, or of a player whom From alone names, are not passed on
        now."""
        return not all(is_heard(each) for each in self._find_principals())

    @property
    def is_newcomer(self) -> bool:
        """Whether words of the sender, or of a player whom From alone names, to everybody would
        wait for a moderator."""
        people = [] if self.command.sender.operator else self._find_principals()
        weighed = [weigh_words(self.session, each, None, self.now, self.config) for each in people]
        return Verdict.HELD in weighed

    def _find_principals(self) -> list[Principal | None]:
        people = [self.player] if self.player is not None else self.senders
        return [find_principal(self.session, each.id, self.now) for each in people]

    def require_voice(self) -> None:
        """Refuse to pass on the words of a player who is silenced, or suspended, with any account
        of the same mailbox."""
        if self.is_silenced:
            ends = [each.silenced for each in self._find_principals() if each and each.silenced]
            until = format_time(max(ends, default=self.now), self.me.preferences)
            raise Refusal(
                RefusalCode.SILENCED,
                phrase(
                    "you are silenced until {until}: nothing that you write is passed on; your "
                    "moves go on",
                    until=until,
                ),
            )
        if self.command.implied and self.command.verb.name != "chat":
            self._require_person()

    def _require_person(self) -> None:
        """Refuse words of a reply that a program seems to have written, which a yes passes on."""
        answered = self.command.sender.answers
        writer = guess_writer(
            self.session, self.me, self.now, self.config, answered, is_error=False
        )
        if writer is not Writer.PERSON:
            raise Refusal(
                RefusalCode.SENTENCE,
                phrase("your mail came as soon as that of a program, and was not passed on"),
                offer=Offer(self.command.line, self.command.text),
            )

    def drop_comment(self, board: Board | None = None) -> None:
        """Leave out the comment of a player who is silenced, and hold that of a newcomer to whoever
        at the board has not agreed to play. What is written for later is asked then."""
        command = self.command
        if command.verb.text != "comment" or not command.text.strip():
            return
        if self.is_silenced:
            self.command = replace(command, text="")
            self.is_unheard = True
        elif (
            board is not None
            and not command.verb.is_for_writer
            and self.hold_at(board, "comment", command.text)
        ):
            self.command = replace(command, text="")

    def hold_at(self, board: Board, kind: str, text: str) -> bool:
        """Hold words to the others of a board, as `hold` does."""
        me = self.player.id if self.player is not None else 0
        others = [seat for seat in board.seats if not seat.is_bot and seat.player != me]
        names = Listing(list(dict.fromkeys(seat.userid for seat in others)))
        return self.hold(kind, text, [seat.player for seat in others], names, board.id)

    def hold(
        self,
        kind: str,
        text: str,
        readers: Collection[int] | None = None,
        names: str = phrase("everybody"),
        about: int = 0,
    ) -> bool:
        """Hold words for a moderator if they are a newcomer's and a reader does not know the
        newcomer (readers None: the public). Return whether they wait, which the answer then says. A
        text that is read twice, because its mail is taken for something else, is held once."""
        writer = self.player or next(iter(self.vouched), None)
        if writer is None or writer.is_bot or self.reads_only or self.command.sender.operator:
            return False
        principal = find_principal(self.session, writer.id, self.now)
        verdict = weigh_words(self.session, principal, readers, self.now, self.config)
        if verdict is not Verdict.HELD or not text.strip():
            return False
        if any((each.text, each.names) == (text, names) for each in self.waiting):
            return True
        to = tuple(map(str, dict.fromkeys(readers or ())))
        is_kept = keep_words(self.session, writer.id, kind, to, text, self.now, about=about)
        told = WordsHeld(userid=writer.userid, names=names, text=text, is_kept=is_kept)
        self.waiting = (*self.waiting, told)
        return True

    @property
    def own_userid(self) -> str:
        """The sender's userid for a suggested line, or USERID when it is not clear."""
        if self.player is None and len(self.senders) == 1:
            return self.senders[0].userid
        return self.player.userid if self.player else "USERID"

    @property
    def wants_words(self) -> bool:
        """Whether the answer's reader wants boards in words."""
        reader = self.player or next(iter(self.senders), None)
        return reader is not None and prefers_words(reader.preferences)

    @property
    def zone(self) -> str:
        """The time zone of the most likely sender."""
        sender = self.player or next(iter(self.senders), None)
        return "UTC" if sender is None else sender.get_preference("zone", "UTC")

    @property
    def language(self) -> str:
        """The language of the most likely sender."""
        sender = self.player or next(iter(self.senders), None)
        chosen = "" if sender is None else sender.get_preference("language", "")
        return chosen or self.config.server.language

    @property
    def readers(self) -> list[Player]:
        """Who reads the answer: the sender, and whom From alone names."""
        people = [each for each in (self.player, *self.senders) if each is not None]
        return list({each.id: each for each in people}.values())

    @property
    def sees_all(self) -> bool:
        """Whether it comes from the operator, or from somebody at the terminal."""
        return bool(self.command.sender.operator) or self.command.sender.via == "terminal"

    @property
    def is_standin(self) -> bool:
        """Whether a computer player sends it for a player who is silent."""
        return (
            self.command.sender.via == "bot" and self.player is not None and not self.player.is_bot
        )

    @property
    def knows_sender(self) -> bool:
        """Whether it came from somebody with a confirmed address, or from the terminal."""
        return bool(self.player or self.senders or self.command.sender.via == "terminal")

    @property
    def hidden_players(self) -> set[int]:
        """The players whom the reader does not see: those whom the reader blocks, and those who
        block the reader."""
        readers = [self.player] if self.player is not None else self.senders
        return {each for reader in readers for each in find_strangers(self.session, reader.id)}

    def load_board(self, *, lock: bool = True) -> Board:
        """Return the board of the command. Refused when there is none, when it is of another game,
        and when the command is for another ply."""
        command = self.command
        number = command.board or command.sender.board
        board = load(self.session, number, lock=lock)
        self.require_sight(board)
        name = board.game.info.name
        if command.game and command.game != name:
            raise Refusal(
                RefusalCode.WRONG_GAME,
                phrase("board {board} is a game of {game}", board=number, game=name),
                command.verb.build_form(name),
                board=number,
            )
        if command.ply and command.ply != board.next_ply and not command.verb.is_for_later:
            raise Refusal(
                RefusalCode.STALE,
                phrase(
                    "it is move {present} now, not move {named}",
                    present=board.next_ply,
                    named=command.ply,
                ),
                f"{name} show {number}",
                board=number,
                shows=True,
            )
        self.remove_stray_moves(board)
        for seat in board.seats:
            if self.player is not None and seat.player == self.player.id and not self.is_standin:
                seat.standin = None
        return board

    def require_game(self, form: str) -> None:
        """Refuse a command without a game."""
        if not self.command.game:
            raise Refusal(RefusalCode.MISSING_ARGUMENT, phrase("the game is missing"), form)

    def require_sight(self, board: Board) -> None:
        """Refuse a private board, as if it did not exist, to all but those who hold its seats or
        are asked to take one over, its master, the captains of its match, the members of its club
        and the operator. Refuse a guest every board but those of their own match. A player whom
        From alone names is answered at that player's address."""
        senders = (self.player,) if self.player is not None else self.senders
        has_guest = any(each.is_guest for each in senders)
        if self.sees_all or not (board.private or has_guest):
            return
        people = self.readers
        readers = {each.id for each in people}
        master = find_master(self.session, board.id)
        is_master = master is not None and master.id in readers
        asked = find_asked(self.session, board.id) | find_match_captains(self.session, board.id)
        if is_master or readers & (board.people | asked):
            return
        is_club = bool(board.club) and board.private and not has_guest
        if not (is_club and is_inside(self.session, board.club, people)) and not (
            has_guest and is_match_guest(self.session, board.id, people)
        ):
            raise refuse_no_board()

    def remove_stray_moves(self, board: Board) -> None:
        """Remove lines that are moves on the board from the text to be passed on. Lines of another
        verb that may stand below a move are kept apart."""
        command = self.command
        verb = command.verb
        if board.has_parties:
            self._require_public()
        if verb.has_moves and board.position.takes_orders:
            return
        if (verb.is_for_writer and not verb.has_moves) or not command.text:
            return
        if verb.takes_below:
            for _, lines in list_unnamed():
                text, found = lines.take(self, board)
                if found:
                    self.below = found
                    self.command = command = replace(command, text=text)
        inline, below = "", command.text
        if verb.has_message and command.words:
            inline, _, below = below.partition("\n")
        if below:
            below, moves = remove_moves(below, board.position, unnamed=verb.text == "comment")
            text = "\n".join(filter(None, (inline, below)))
            self.command = replace(command, text=text, left=(*command.left, *moves))
        self.drop_comment(board)

    def _require_public(self) -> None:
        """Refuse a text to others with a line for the writer's own side: what follows that line
        would be passed on with it. A yes sends that line, with what follows, to the own side."""
        command, lines = self.command, self.command.text.split("\n")
        own = [each for verb, each in list_unnamed() if verb is not command.verb]
        private = [each.is_one for each in own if each.is_private]
        found = (at for at, line in enumerate(lines) if any(is_one(line) for is_one in private))
        if (at := next(found, None)) is None:
            return
        raise Refusal(
            RefusalCode.SENTENCE,
            phrase(
                "what is for your own side stands alone, in a mail that begins with team: "
                "nothing was played and nothing was passed on"
            ),
            *([command.rest] if command.verb.has_moves and command.rest else []),
            offer=Offer(lines[at].strip(), "\n".join(lines[at + 1 :]).strip()),
        )

    def require_guest_may(self, verb: Verb) -> None:
        """Refuse a guest of a match anything that is not about its boards or the guest's own
        account."""
        people = (self.player,) if self.player is not None else self.senders
        if not any(each.is_guest for each in people) or verb.act in GUEST_ACTS:
            return
        names_board = any(slot.startswith("board") for slot in verb.slots)
        is_number = all(word.lstrip("#")[:1].isdigit() for word in self.command.words[:1])
        if verb.act is not Act.LOOK or not (verb.name in _ANSWERS or (names_board and is_number)):
            raise Refusal(
                RefusalCode.NOT_PERMITTED,
                phrase(
                    "you are a guest here, for the boards of a match: all else is for the players "
                    "of this server. To become one, reply with club stay"
                ),
                "club stay {user} PASSWORD",
                "mine {user} PASSWORD",
                "help clubs",
            )

    def do_as(self, name: str) -> list[Notice]:
        """Do the command as one of another verb."""
        verb = get_verb(name)
        self.require_guest_may(verb)
        self.command = replace(self.command, verb=verb)
        return verb.do(self)

    def answer(self, content: Content) -> Notice:
        """Return an answer to the sender of the command."""
        return Notice(content, is_answer=True)
