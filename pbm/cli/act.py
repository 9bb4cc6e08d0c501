"""The commands of players from the shell, submitted like those of a mail. No password is ever an
argument."""

from __future__ import annotations

import getpass
import os
import re
import time
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

import click
from msgspec import Struct
from sqlalchemy import insert

from pbm.cli import DONE, REFUSED, TRY_AGAIN, USAGE, CommandFailed, completion, get_config
from pbm.cli.open_database import open_database
from pbm.cli.rendered_mails import RenderedMail, is_private, render_mails
from pbm.cli.terminal.command_line import CommandOptions, build_command
from pbm.cli.terminal.output import print_json, show
from pbm.config import Config
from pbm.core.authenticate import PasswordChecks, authenticate, record_failures
from pbm.core.command import Command, NotACommand, Sender
from pbm.core.feature import Verb, list_verbs
from pbm.core.notices import Notice, Refused
from pbm.core.parser import read_line
from pbm.core.refusal import Refusal
from pbm.core.secrets import Secrets
from pbm.core.submit import CommandService, Submission, send_all, send_nothing
from pbm.core.words import find_game_name, list_two_words, map_words_to_verbs
from pbm.daemon.keys import load_secrets
from pbm.features.finding.notices import HelpPage
from pbm.locale import ENGLISH, LANGUAGES
from pbm.mail.compose import build_service
from pbm.pictures.board_picture import draw_board
from pbm.pictures.png import PictureError, make_png
from pbm.store.engine import Store
from pbm.store.tables import audit, metadata
from pbm.store.transaction import Session

_PASSWORD = re.compile(r" \w*PASSWORD")


def is_game(word: str) -> bool:
    """Whether the word is a game or an alias of one."""
    return bool(find_game_name(word))


def build_click_command(word: str) -> click.Command:
    """Return the click command for a first word: a verb of the table or a game."""
    verbs = _verbs(word)
    if verbs:
        forms = [f"{verb.build_form().format(board='BOARD', user='USERID')}" for verb in verbs]
        about = "\n\n".join(f"{verb.summary[0].upper()}{verb.summary[1:]}." for verb in verbs)
        details = _PASSWORD.sub("", "\n".join(verb.detail for verb in verbs if verb.detail))
    else:
        forms = [f"{word} VERB ..."]
        about, details = "A command of this game: challenge, move, show, help and so on.", ""
    shown_forms = [_PASSWORD.sub("", form) for form in forms]
    lines = "\n".join(f"  {form}" for form in shown_forms)
    return click.Command(
        word,
        callback=_run,
        help=f"{about}\n\n\b\n{lines}\n" + (f"\n\b\n{details}\n" if details else ""),
        epilog="The password is asked for, or taken from PBM_PASSWORD.",
        params=[
            click.Argument(
                ["words"],
                nargs=-1,
                type=click.UNPROCESSED,
                shell_complete=completion.complete_words,
            ),
            click.Option(
                ["--body"], metavar="TEXT|-", help="comment or text; - reads it from standard input"
            ),
            click.Option(
                ["--as-operator"],
                is_flag=True,
                help="without the password; recorded, and the board shows it",
            ),
            click.Option(["--reason"], default="", help="the reason, for the audit log"),
            click.Option(
                ["--reveal"],
                is_flag=True,
                help="with --as-operator: show what only the "
                "player may see; needs --reason, recorded",
            ),
            click.Option(["--json", "as_json"], is_flag=True, help="the answer as JSON"),
            *OPTIONS,
        ],
        context_settings={"ignore_unknown_options": True, "allow_interspersed_args": True},
    )


def _verbs(word: str) -> list[Verb]:
    plain = word.lower().partition("#")[0]
    verbs = list(map_words_to_verbs().get(plain, ()))
    return verbs or [verb for verb in list_verbs() if verb.name.partition(" ")[0] == plain]


def _run(
    words: Sequence[str],
    body: str | None,
    as_operator: bool,
    reason: str,
    reveal: bool,
    as_json: bool,
    svg: str,
    png: str,
    dark: bool,
) -> None:
    """Read the command, ask for secrets, submit it, print its answers."""
    ctx = click.get_current_context()
    config = get_config(ctx)
    if reveal and not (as_operator and reason):
        raise CommandFailed("--reveal needs --as-operator and --reason", USAGE)
    options = CommandOptions(body, as_operator, reveal, reason)
    try:
        code, notices = _submit_line(config, [ctx.info_name or "", *words], options)
        files = BoardFiles(svg, png, dark)
        if code == DONE and files.are_wanted:
            files.write([notice for notice in notices if _is_readable(notice, options)])
    except CommandFailed as failed:
        if as_json:
            error = {"ok": False, "code": failed.code, "mails": [], "error": failed.message}
            print_json(error)
            ctx.exit(failed.code)
        raise
    reveal = not options.as_operator or options.reveal
    mails = render_mails(notices, config, reveal=reveal, language=_find_language(notices))
    if as_json:
        rows = [{"to": mail.to, "subject": mail.subject, "text": mail.text} for mail in mails]
        answer: dict[str, object] = {"ok": code == DONE, "code": code}
        if code != DONE:
            answer["refusal"] = next((mail.refusal for mail in mails if mail.refusal), None)
        print_json(answer | {"mails": rows})
    else:
        _print(mails, is_refused=code != DONE)
    ctx.exit(code)


_LANGUAGE = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The variables that name the language of messages (gettext), the strongest first."""


def _find_language(notices: Sequence[Notice]) -> str:
    """Return the language of the answers: for help pages that of the environment, else English."""
    if not any(isinstance(notice.content, HelpPage) for notice in notices):
        return ENGLISH
    named = next(filter(None, map(os.environ.get, _LANGUAGE)), "")
    language = re.split(r"[_.@:]", named, maxsplit=1)[0]
    return language if language in LANGUAGES else ENGLISH


def _print(mails: Sequence[RenderedMail], *, is_refused: bool) -> None:
    """Print the answers in full; list on standard error who else was mailed."""
    answers = [mail for mail in mails if mail.is_answer]
    for text in dict.fromkeys(f"{mail.subject}\n\n{mail.text}" for mail in answers):
        if is_refused:
            click.echo(text, err=True)
        else:
            show(text)
    others = list(dict.fromkeys(mail.to for mail in mails if not mail.is_answer and mail.to))
    if others:
        click.echo(f"mailed to {', '.join(others)}", err=True)


_LISTS_OF_GAMES = ("games", "search")
"""What `show` displays without a database."""


def _submit_line(
    config: Config, words: Sequence[str], options: CommandOptions
) -> tuple[int, list[Notice]]:
    try:
        command = build_command(words, options)
    except NotACommand:
        raise CommandFailed(f"this is not a command: {_advise(words)}", USAGE) from None
    except Refusal as refusal:
        send = [line.format(board="BOARD", user="USERID") for line in refusal.send]
        content = Refused(code=refusal.code, game="", reason=refusal.text, send=send, verb=words[0])
        return USAGE, [Notice(content, is_answer=True)]
    if command.verb.name == "help":
        notices = _show_page(config, command)
    else:
        try:
            with open_database(config) as store:
                notices = submit(config, store, load_secrets(store), command, options)
        except CommandFailed as error:
            if command.verb.name not in _LISTS_OF_GAMES or error.code != TRY_AGAIN:
                raise
            notices = _show_page(config, command)  # the games, without how often they were played
    failed = any(notice.is_failure for notice in notices)
    return REFUSED if failed else DONE, notices


def _advise(words: Sequence[str]) -> str:
    """Return what may have been meant, without the words, which may be a password."""
    first, second = [*map(str.lower, words), "", ""][:2]
    seconds = sorted(last for head, last in list_two_words() if head == first)
    near = get_close_matches(second, seconds, n=1)
    if near:
        return f"did you mean {first} {near[0]}?"
    if seconds:
        return f"{first} is followed by {', '.join(seconds)}"
    return "see pbm help commands, or pbm --help"


def _show_page(config: Config, command: Command) -> list[Notice]:
    """Return the answer to a command that needs no data of the server."""
    store = Store("sqlite://")
    metadata.create_all(store.engine)
    service = CommandService(config, Secrets((b"",), os.urandom))
    try:
        with store.reading() as session:
            return _show(session, service, command, time.time())
    finally:
        store.close()


def _show(session: Session, service: CommandService, command: Command, now: float) -> list[Notice]:
    """Submit a command whose answer is only shown here, not mailed."""
    return service.submit(session, Submission((command,), now, send_nothing), now).notices


def submit(
    config: Config, store: Store, secrets: Secrets, command: Command, options: CommandOptions
) -> list[Notice]:
    """Verify the password and submit the command in one transaction. Return its notices; when none
    of them answers the terminal, a spectator's view of the board is added."""
    now = time.time()
    service = _build_service(config, secrets, command)
    checks = PasswordChecks(secrets, config)
    with store.reading() as session:
        command = authenticate(session, command, checks, now)
    if checks.wrong:
        with store.writing() as session:
            record_failures(session, checks.wrong, now)
    return _submit_verified(store, service, command, options, now)


def _build_service(config: Config, secrets: Secrets, command: Command) -> CommandService:
    """Return the service for a command; one that only reads needs no mail services."""
    if command.verb.is_read_only:
        return CommandService(config, secrets)
    return build_service(config, secrets)


def _submit_verified(
    store: Store, service: CommandService, command: Command, options: CommandOptions, now: float
) -> list[Notice]:
    is_page = command.verb.is_read_only
    only_reads = is_page and not command.password and not command.sender.operator
    policy = send_nothing if is_page else send_all
    with store.reading() if only_reads else store.writing() as session:
        submission = Submission((command,), now, policy)
        result = service.submit(session, submission, now)
        notices = result.notices
        if command.sender.operator and not result.is_refused:
            _audit(session, command, notices, options, now)
        if not any(_is_readable(notice, options) for notice in notices):
            notices += _find_spectators_view(session, service, notices, now)
    return notices


def _is_readable(notice: Notice, options: CommandOptions) -> bool:
    """Whether the terminal may show the notice as the answer."""
    return notice.is_answer and not (
        options.as_operator and not options.reveal and is_private(notice)
    )


def _find_spectators_view(
    session: Session, service: CommandService, notices: Sequence[Notice], now: float
) -> list[Notice]:
    """Return the board of these notices as a spectator sees it."""
    board = next((notice.thread.board for notice in notices if notice.thread is not None), 0)
    if not board:
        return []
    return _show(session, service, read_line(f"show {board}", Sender(via="terminal")), now)


def _audit(
    session: Session,
    command: Command,
    notices: Sequence[Notice],
    options: CommandOptions,
    now: float,
) -> None:
    """Add an audit row for what was done without a password."""
    player = next((notice.player for notice in notices if notice.is_answer), None)
    board = next((notice.thread.board for notice in notices if notice.thread is not None), None)
    action = f"as {command.user}: {command.game} {command.verb.name}".replace("  ", " ")
    session.execute(
        insert(audit).values(
            build_audit_row(
                now,
                f"{action}, revealed" if options.reveal else action,
                options.reason,
                player,
                board,
            )
        )
    )


def build_audit_row(
    now: float, action: str, reason: str, player: int | None = None, board: int | None = None
) -> dict[str, object]:
    """Return a row of the audit table in the name of the logged-in user."""
    return {
        "at": now,
        "actor": find_actor(),
        "action": action,
        "player_id": player or None,
        "board_id": board or None,
        "reason": reason,
    }


def find_actor() -> str:
    """Return the login name of the user who runs the command, before sudo or config/pbm changed
    it."""
    try:
        return os.environ.get("SUDO_USER") or getpass.getuser()
    except (KeyError, OSError):
        return "operator"


# Writes the board that a command shows to files: `--svg FILE`, `--png FILE`.


class BoardFiles(Struct, frozen=True):
    """Where to write pictures of the board ("" for nowhere), and whether they are dark."""

    svg: str
    png: str
    dark: bool

    @property
    def are_wanted(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.svg or self.png)

    def write(self, notices: Sequence[Notice]) -> None:
        """Write the board of the first of these notices that shows one. Fails if none does."""
        drawings = (notice.content.drawing for notice in notices if notice.is_answer)
        drawing = next(filter(None, drawings), None)
        if drawing is None:
            raise CommandFailed("there is no board to draw: --svg and --png go with show 17", USAGE)
        is_dark = self.dark or None
        try:
            if self.svg:
                svg = draw_board(drawing, dark=is_dark, described=True)
                Path(self.svg).write_text(_drawn(svg), encoding="utf-8")
            if self.png:
                Path(self.png).write_bytes(make_png(_drawn(draw_board(drawing, dark=self.dark))))
        except PictureError as error:
            raise CommandFailed(str(error), REFUSED) from error
        except OSError as error:
            raise CommandFailed(f"{error.filename}: {error.strerror}", REFUSED) from error


def _drawn(svg: str) -> str:
    if not svg:
        raise CommandFailed("this game has no picture", REFUSED)
    return svg


OPTIONS = (
    click.Option(["--svg"], default="", metavar="FILE", help="write the board as SVG"),
    click.Option(["--png"], default="", metavar="FILE", help="write the board as PNG"),
    click.Option(["--dark"], is_flag=True, help="with --svg or --png: a dark picture"),
)
