"""A player at one board: what the seat sees, what it may play, and what a typed line does.

Every line goes through `read_line` and `execute`, like a mail's."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy.orm import Session

from pbm.cli.act import perform
from pbm.cli.line import Asked
from pbm.cli.post import shown
from pbm.config import Config
from pbm.daemon import load_secrets
from pbm.server.board import Board, load
from pbm.server.command import Command, NotACommand, Sender, read_line
from pbm.server.notice import Notice
from pbm.server.refusal import Refusal
from pbm.server.verbs import verbs_by_word
from pbm.store import reads
from pbm.store.engine import Store


class Table:
    """The board, seen from a seat. `sit_down` comes first."""

    def __init__(
        self, config: Config, store: Store, number: int, userid: str, password: str, asked: Asked
    ) -> None:
        self._config = config
        self._store = store
        self._number = number
        self._userid = userid.lower()
        self._password = password
        self._asked = asked
        self._secrets = load_secrets(store)
        self._seen: tuple[int, str, int] = (-1, "", 0)

    def sit_down(self) -> str:
        """Hold userid and password against a `showas`; "" or why not."""
        try:
            with self._store.reading() as session:
                self._load(session)
        except Refusal as refusal:
            return refusal.text
        if not any(seat.userid.lower() == self._userid for seat in self._board.seats):
            return f"{self._userid} does not play on board {self._number}"
        notices = self._run(self._command("showas", str(self._number), board=False))
        failed = next((notice for notice in notices if notice.failed), None)
        return str(failed.data["reason"]) if failed is not None else ""

    def _load(self, session: Session) -> None:
        self._board: Board = load(session, self._number)
        self._seen = (self._board.number, self._board.state, self._board.undos)

    @property
    def _seats(self) -> list[int]:
        return [seat.seat for seat in self._board.seats if seat.userid.lower() == self._userid]

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be played here."""
        return self._board.is_over

    @property
    def on_move(self) -> bool:
        """Whether the player may type a move now, or has an invitation to answer."""
        if self._board.state == "invited":
            return any(not self._board.seats[seat].accepted for seat in self._seats)
        return any(seat in self._board.position.to_move for seat in self._seats)

    @property
    def waits_for(self) -> str:
        """Who is on the move, in words."""
        return self._board.userids(seat for seat in self._board.position.to_move if seat >= 0)

    def has_changed(self) -> bool:
        """Whether something happened at the board since it was shown."""
        with self._store.reading() as session:
            row = reads.board(session, self._number)
        return row is not None and (row.number, row.state, row.undos) != self._seen

    def legal_moves(self) -> list[str]:
        """What the seat on the move may play."""
        on_move = [seat for seat in self._seats if seat in self._board.position.to_move]
        return list(self._board.position.legal_moves(on_move[0])) if on_move else []

    def shown(self) -> str:
        """The board as the player may see it."""
        with self._store.reading() as session:
            self._load(session)
        return self._text(self._command("showas", str(self._number), board=False))

    def do(self, typed: str) -> str:
        """Do what was typed: a verb of the table, or else a move. What its answer says."""
        word, _, rest = typed.partition(" ")
        known = [verb for verb in verbs_by_word().get(word.lower(), ()) if verb.game != "no"]
        try:
            if any(verb.has_board and verb.needs_password for verb in known):
                command = self._command(word.lower(), rest)
            elif known:
                number = str(self._number) if word.lower() == "show" and not rest else rest
                line = f"{self._board.game.info.name} {word} {number}"
                command = read_line(line.strip(), Sender(via="terminal"))
            else:
                command = self._command("move", typed)
        except Refusal as refusal:
            return f"Not done: {refusal.text}."
        except NotACommand:
            return "Not done: this is no command."
        said = self._text(command)
        with self._store.reading() as session:
            self._load(session)
        return said

    def _command(self, verb: str, rest: str, *, board: bool = True) -> Command:
        words = [self._board.game.info.name, verb]
        words += [str(self._number)] if board else []
        words += [self._userid]
        operator = self._asked.as_operator
        words += [] if operator else [self._password]
        command = read_line(" ".join([*words, rest]), Sender(via="terminal", operator=operator))
        if operator and command.verb.text == "comment":
            command = replace(command, text="(by the operator)")
        return command

    def _run(self, command: Command) -> list[Notice]:
        return perform(self._config, self._store, self._secrets, command, self._asked)

    def _text(self, command: Command) -> str:
        mails = [mail for mail in shown(self._run(command), self._config) if mail.answer]
        return "\n".join(dict.fromkeys(f"{mail.subject}\n\n{mail.text}" for mail in mails))
