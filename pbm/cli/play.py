"""`pbm play`: one board at a terminal, move by move.

What is typed becomes a command, as in a mail; nothing is decided here."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Sequence

import click
from msgspec.structs import replace

from pbm.cli import REFUSED, USAGE, CommandFailed, completion, get_config
from pbm.cli.act import submit
from pbm.cli.open_database import open_database
from pbm.cli.terminal import command_line
from pbm.cli.terminal.command_line import CommandOptions, prompt_password
from pbm.cli.terminal.output import choose_protocol, clean, colour_board, format_columns, show
from pbm.config import Config
from pbm.core.board import Board
from pbm.core.command import Command, NotACommand, Sender
from pbm.core.notices import BoardAtTerminal, BoardShown, BoardUpdate, Drawing, Notice, Refused
from pbm.core.parser import read_line
from pbm.core.refusal import Refusal
from pbm.core.storing import load
from pbm.core.words import find_unnamed, map_words_to_verbs
from pbm.daemon.keys import load_secrets
from pbm.features.finding.notices import BoardList
from pbm.features.talk.rows import find_chats, find_last_chat
from pbm.mail.render import render
from pbm.pictures.board_picture import draw_board
from pbm.pictures.png import PictureError, make_png
from pbm.store import reads
from pbm.store.engine import Store
from pbm.store.tables import BoardRow

_PAUSE = 0.5
_WORDS = (
    "resign",
    "propose",
    "undo",
    "accept",
    "reject",
    "cancel",
    "decline",
    "swap",
    "pass",
    "chat ",
    "queue ",
    "plan",
    "note ",
    "submit ",
    "confirm",
    "show",
    "help",
    "moves",
    "quit",
)
_HELP = """\
Type a move as in a mail; Tab completes it, moves lists them all.
Out of turn, queue MOVE plays it when your turn comes, and
  if MOVE then MOVE answers a move at once; several branches go on one line, with
  a semicolon before each further if. plan shows your plan, plan none clears it,
  plan #2 shows the board at the end of a branch. Tab completes these too:
  resign (asks first), propose (a draw), undo, accept, reject, cancel, chat TEXT
  note TEXT is for you alone, note shows your notes
  submit MOVE shows the move without playing it, confirm plays it
  show is the spectators' view, show 1#2 is board 1 after two moves
  help explains the game, help commands lists all commands
The board is redrawn when something happens. quit or Ctrl-D leaves the board as it is."""


@click.command("play")
@click.argument("number", type=int, required=False, shell_complete=completion.complete_boards)
@click.option(
    "--as",
    "userid",
    required=True,
    metavar="USERID",
    shell_complete=completion.complete_userids,
    help="your userid",
)
@click.option(
    "--as-operator", is_flag=True, help="without the password; recorded, and players see it"
)
@click.option("--reason", default="", help="the reason, for the audit log")
@click.pass_context
def command(
    ctx: click.Context, number: int | None, userid: str, as_operator: bool, reason: str
) -> None:
    """Play a board at this terminal: see it, type a move, wait for the answer.

    Without a number it lists your open boards; the only one is played at once.

    Tab completes moves and words, ? lists what you can type. The other players get their mails as
    usual. Prompts for the password, or takes it from PBM_PASSWORD. Exits 0 even if you leave
    before the end.
    """
    config = get_config(ctx)

    if as_operator and not reason.strip():
        raise CommandFailed(
            "--as-operator needs --reason here, because it shows what the player sees", USAGE
        )
    options = CommandOptions(as_operator=as_operator, reveal=as_operator, reason=reason)
    password = "" if as_operator else prompt_password("PBM_PASSWORD", f"Password of {userid}")
    with open_database(config) as store:
        if number is None:
            number = _choose_board(config, store, userid, password, options)
        while number:
            table = BoardSession(config, store, number, userid, password, options)
            problem = table.sit_down()
            if problem:
                raise CommandFailed(problem, REFUSED)
            following = 0
            with contextlib.suppress(EOFError, KeyboardInterrupt):
                _play(table)
                following = _offer_rematch(table)
            if not table.is_over:
                click.echo(
                    f"\nboard {number} goes on; to continue: pbm play {number} --as {userid}"
                )
            number = following


def _choose_board(
    config: Config, store: Store, userid: str, password: str, options: CommandOptions
) -> int:
    """Return the player's only open board. Of several, list them, the most urgent first, and return
    0. Fails when there is none."""
    text, numbers = list_boards(config, store, userid, password, options)
    if not numbers:
        raise CommandFailed(f"{text}; to start one: pbm GAME challenge {userid} OTHER", REFUSED)
    if len(numbers) > 1:
        show(text)
        click.echo(f"\nTo play one of them: pbm play {numbers[0]} --as {userid}")
        return 0
    return numbers[0]


def _offer_rematch(table: BoardSession) -> int:
    """Offer a rematch when the game has a result. Return the number of the new board, else 0."""
    if not table.has_result:
        return 0
    if input("\nrematch plays it again, Enter leaves: ").strip().lower() != "rematch":
        return 0
    number, text = table.rematch()
    if text:
        show(text)
    return number


def _play(table: BoardSession) -> None:
    """Show the board whenever it changes and execute what is typed, until the board is over or the
    player leaves."""
    while True:
        if table.has_changed():
            headline, text = table.show_changes()
            click.secho(f"\n{headline}", bold=True)
            _show_picture(table)
            drawing = table.drawing
            if drawing is not None and not os.environ.get("NO_COLOR"):
                text = colour_board(text, drawing.picture, drawing.colours)
            click.echo(f"\n{text}")
        if table.is_over:
            return
        line = _read_line(table)
        if line in ("quit", "exit"):
            return
        if line == "moves":
            show(format_columns(table.legal_moves()) or "None: it is not your turn.\n")
        elif line == "?":
            click.echo(_HELP)
        elif line and (not _is_resignation(line) or _is_sure()):
            answer = table.do(line)
            if answer:
                show(answer)


def _show_picture(table: BoardSession) -> None:
    """Show the board as a picture, if the terminal can."""
    write = choose_protocol(os.environ)
    if write is None or table.drawing is None or not sys.stdout.isatty():
        return
    with contextlib.suppress(PictureError):
        if svg := draw_board(table.drawing, dark=True):
            click.echo(write(make_png(svg)))


def _is_resignation(line: str) -> bool:
    return line.lower().removeprefix("move ").rstrip(".!") == "resign"


def _is_sure() -> bool:
    return input("Really resign? (yes/no): ").strip().lower() in ("yes", "y")


def _read_line(table: BoardSession) -> str:
    """Return the next line the player types; "" as soon as the board changes. From a pipe, one line
    is read for each of the player's turns."""
    number = f"move {table.next_ply}"
    if sys.stdin.isatty():
        turn = f"your {number}" if table.on_move else f"{table.waits_for} to move"
        ask = f"{turn} (? for help): "
        return command_line.ask(ask, table.legal_moves(), _WORDS, table.has_changed)
    if not table.on_move:
        while not table.has_changed():
            time.sleep(_PAUSE)
        return ""
    return input(f"your {number} (? for help): ").strip()


# A player at one board: what the seat sees, what it may play, and what a typed line does.
#
# Every line goes through `read_line` and `execute`, like a mail's.

_MOST_TEXTS = 20
"""The comments and chats shown when the player sits down."""


class BoardSession:
    """The board, seen from a seat. `sit_down` comes first. `drawing` is the last one shown."""

    def __init__(
        self,
        config: Config,
        store: Store,
        number: int,
        userid: str,
        password: str,
        options: CommandOptions,
    ) -> None:
        self._config = config
        self._store = store
        self._number = number
        self._userid = userid.lower()
        self._password = password
        self._asked = options
        self._secrets = load_secrets(store)
        self._seen: tuple[object, ...] = ()
        self._read = 0
        self._heard = 0
        self.drawing: Drawing | None = None

    def sit_down(self) -> str:
        """Check userid and password with a `showas`. Return "", or the reason for a refusal."""
        try:
            self._load()
        except Refusal as refusal:
            return refusal.text
        if not any(seat.userid.lower() == self._userid for seat in self._board.seats):
            return f"{self._userid} does not play on board {self._number}"
        notices = self._run(self._build_command("showas", str(self._number), board=False))
        refusals = (each.content for each in notices if isinstance(each.content, Refused))
        return next((refused.reason for refused in refusals), "")

    def _load(self) -> None:
        with self._store.reading() as session:
            self._board: Board = load(session, self._number)

    @property
    def _seats(self) -> list[int]:
        return [seat.seat for seat in self._board.seats if seat.userid.lower() == self._userid]

    @property
    def is_over(self) -> bool:
        """Whether the board has ended."""
        return self._board.is_over

    @property
    def has_result(self) -> bool:
        """Whether the board has ended with a result."""
        return self._board.state == "over"

    @property
    def on_move(self) -> bool:
        """Whether the player may type a move now, or has an invitation to answer."""
        if self._board.state == "invited":
            return any(not self._board.seats[seat].accepted for seat in self._seats)
        return any(seat in self._board.position.to_move for seat in self._seats)

    @property
    def waits_for(self) -> str:
        """The userids on the move."""
        return self._board.join_userids(self._board.position.to_move)

    @property
    def next_ply(self) -> int:
        """The number of the next move."""
        return self._board.next_ply

    def has_changed(self) -> bool:
        """Whether the board has changed since it was shown, or somebody has written."""
        with self._store.reading() as session:
            if _read_state(reads.find_board(session, self._number)) != self._seen:
                return True
            return find_last_chat(session, self._number) > self._heard

    def legal_moves(self) -> list[str]:
        """Return the legal moves of the player's seat; none out of turn."""
        on_move = [seat for seat in self._seats if seat in self._board.position.to_move]
        return list(self._board.position.legal_moves(on_move[0])) if on_move else []

    def show_changes(self) -> tuple[str, str]:
        """Show headline and text of the player's view, with what all have written since it was last
        shown."""
        with self._store.reading() as session:
            self._seen = _read_state(reads.find_board(session, self._number))
            log = reads.find_log(session, self._number)
            chats = find_chats(session, self._number, _MOST_TEXTS, is_settled=False)
        self._load()
        content = self._run(self._build_command("showas", str(self._number), board=False))[
            0
        ].content
        if not isinstance(content, BoardShown):
            reason = content.reason if isinstance(content, Refused) else "it cannot be shown"
            raise CommandFailed(reason, REFUSED)
        texts = [
            (row.at, self._board.seats[row.seat].userid, row.comment)
            for row in log
            if row.number > self._read and row.comment and row.seat is not None
        ]
        texts += [(row.at, row.userid, row.text) for row in chats if row.id > self._heard]
        comments = [(who, text) for _, who, text in sorted(texts)[-_MOST_TEXTS:]]
        self._read = log[-1].number if log else 0
        self._heard = chats[-1].id if chats else 0
        self.drawing = content.drawing
        table = BoardAtTerminal(view=content.view, headline=content.headline, comments=comments)
        subject, text = render(Notice(table), self._config)
        return clean(subject), clean(text)

    def do(self, entry: str) -> str:
        """Execute what was typed, a verb or else a move. Return the answer's text; "" if the
        changed board says it all."""
        word, _, rest = entry.partition(" ")
        verbs = [verb for verb in map_words_to_verbs().get(word.lower(), ()) if verb.game != "no"]
        try:
            if (unnamed := find_unnamed(entry)) is not None:
                command = self._build_command(unnamed.name, entry)
            elif any(verb.has_board and verb.needs_password for verb in verbs):
                command = self._build_command(word.lower(), rest)
            elif verbs:
                number = str(self._number) if word.lower() == "show" and not rest else rest
                line = f"{self._board.game.info.name} {word} {number}"
                command = read_line(line.strip(), Sender(via="terminal"))
            else:
                command = self._build_command("move", entry)
        except Refusal as refusal:
            return self._format_refusal(refusal.text, refusal.send)
        except NotACommand:
            return "Not done: not a command; type ? for help.\n"
        notices = [notice for notice in self._run(command) if notice.is_answer]
        self._load()
        if command.verb.name == "chat":
            self._skip_own_chats()
        return "\n".join(filter(None, map(self._format_answer, notices)))

    def _skip_own_chats(self) -> None:
        """Skip the player's own words, unless somebody else wrote before them."""
        with self._store.reading() as session:
            chats = find_chats(session, self._number, _MOST_TEXTS, is_settled=False)
        new = [row for row in chats if row.id > self._heard]
        if new and all(row.userid.lower() == self._userid for row in new):
            self._heard = new[-1].id

    def rematch(self) -> tuple[int, str]:
        """Challenge the same players again. Return the number of the new board, or 0 and the
        reason."""
        notices = self._run(self._build_command("rematch", ""))
        for notice in notices:
            if notice.thread is not None and notice.thread.board != self._number:
                return notice.thread.board, ""
        answers = [self._format_answer(notice) for notice in notices if notice.is_answer]
        return 0, "\n".join(answers)

    def _format_answer(self, notice: Notice) -> str:
        """Return an answer without the board, which is shown anyway, and without parts only for
        mails."""
        content = notice.content
        if isinstance(content, Refused):
            return self._format_refusal(content.reason, content.send)
        if isinstance(content, BoardUpdate):
            problem = f"The rest was not played: {content.problem}.\n" if content.problem else ""
            if content.planned or content.personal:
                _, text = render(notice, self._config)
                return clean(text.partition("\n\n")[0]) + f"\n{problem}"
            return problem
        if content.is_brief:
            news, _ = render(notice, self._config, subject="news")
            tag = f"[{self._board.game.info.name} {self._number}] "
            return clean(news.removeprefix(tag).capitalize()) + ".\n"
        typed = replace(notice, content=content.build_typed())
        subject, text = render(typed, self._config)
        text = text.replace(" USERID PASSWORD", "")  # here nobody has to say who they are
        return clean(f"{subject}\n\n{text}".partition("\n-- \n")[0]).rstrip("\n") + "\n"

    def _format_refusal(self, reason: str, send: Sequence[str]) -> str:
        """Return a refusal, with the suggested lines as they are typed here."""
        mine = {self._board.seats[seat].userid for seat in self._seats}
        game, lines = f"{self._board.game.info.name} ", list[str]()
        for line in send:
            line = line.replace("{board}", str(self._number)).replace("{user}", self._userid)
            for userid in {self._userid, *mine}:
                verb, separator, rest = line.partition(f" {self._number} {userid} PASSWORD")
                verb = verb.removeprefix(game)
                if separator and (verb, rest) != ("move", " MOVE"):
                    lines.append(f"{verb}{rest}".removeprefix("move "))
        advice = f" Type instead: {', or '.join(lines)}" if lines else ""
        mark = "" if reason.endswith("?") else "."
        return clean(f"Not done: {reason}{mark}{advice}") + "\n"

    def _build_command(self, verb: str, rest: str, *, board: bool = True) -> Command:
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
        return submit(self._config, self._store, self._secrets, command, self._asked)


def _read_state(row: BoardRow | None) -> tuple[object, ...]:
    """Return the part of a board's row that changes with every event on the board."""
    if row is None:
        return ()
    return row.number, row.state, row.undos, row.proposals, row.to_move


def list_boards(
    config: Config, store: Store, userid: str, password: str, options: CommandOptions
) -> tuple[str, list[int]]:
    """Return the open boards of a player as text, the most urgent first, and their numbers; without
    a list, the reason and no numbers."""
    operator = options.as_operator
    words = ["mine", userid] if operator else ["mine", userid, password]
    try:
        command = read_line(" ".join(words), Sender(via="terminal", operator=operator))
    except Refusal as refusal:
        return clean(refusal.text), []
    (notice, *_) = submit(config, store, load_secrets(store), command, options)
    if isinstance(notice.content, Refused):
        return clean(notice.content.reason), []
    if not isinstance(notice.content, BoardList) or not notice.content.rows:
        return f"{clean(userid)} has no open board", []
    _, text = render(notice, config)
    return clean(text), [line.id for line in notice.content.rows]
