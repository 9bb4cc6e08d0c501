"""`pbm try`: a game at the author's terminal, against oneself or the computer player."""

from __future__ import annotations

import contextlib
import os
import random
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from textwrap import indent

import click

from pbm.bots import NAMES
from pbm.bots.turns import choose_turn
from pbm.cli import REFUSED, USAGE, CommandFailed
from pbm.cli.authors.check_game import VARIANTS, GameSource
from pbm.cli.terminal import command_line
from pbm.cli.terminal.output import (
    choose_protocol,
    colour_board,
    format_columns,
    format_table,
    show,
)
from pbm.pictures.png import PictureError, make_png
from pbm.rules import CHANCE, CHANCE_TO_MOVE, Game, MoveError, OptionError, Value
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.testing import Nonconforming, finished
from pbm.rules.testing.nonconforming import find_lines
from pbm.rules.turn_text import require_whole

_WORDS = ("moves", "words", "svg ", "undo", "resign", "help", "rules", "quit")
_HELP = """\
Type a move; Tab completes it. What else you can type:
  moves       all legal moves
  words       the board in words, as somebody hears it who cannot see it
  svg FILE    the board as a picture, for a browser
  undo        takes your last move back
  resign      the seat to move gives up
  rules       the game's help page
  quit        ends (or Ctrl-D)
A game that is a file is loaded again whenever you save it; the moves stay."""


@click.command("try")
@click.argument("game", metavar="PATH|NAME")
@click.argument("options", nargs=-1, metavar="[OPTION=VALUE]...")
@click.option("--players", default=0, help="the number of seats, if not the smallest")
@click.option(
    "--against",
    type=click.Choice(NAMES),
    help="a computer player for all seats but the first",
)
@click.option("--seed", default=0, show_default=True, help="of dice, draws and computer player")
@click.option(
    "--random",
    "rounds",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="play N random games, count them",
)
@click.option("--svg", metavar="FILE", help="write the board there after each move")
def command(
    game: str,
    options: tuple[str, ...],
    players: int,
    against: str | None,
    seed: int,
    rounds: int,
    svg: str | None,
) -> None:
    """Play a game at this terminal: all seats yourself, or against a computer player.

    PATH is a module, a package or a folder with a pyproject.toml, or an .ini file of chess
    variants, after which comes the SECTION to play; NAME a game that is installed.
    Options of the game follow: size=5 misere. The board is shown as text, in words and as a
    picture. A game that is a file is loaded again when you save it. Nothing is stored.
    """
    section, options = _split_section(game, options)
    source = GameSource(game, section)
    chosen = source.find(section)
    settled = _read_options(options)
    try:
        chosen.setup(players, settled)
    except OptionError as error:
        raise CommandFailed(str(error), USAGE) from None
    if rounds:
        _play_out(chosen, players, settled, rounds, seed)
        return
    trial = Trial(chosen, players, settled, seed, against or "")
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        _play(source, trial, svg)


def _split_section(game: str, options: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return the game word of the section of a file of variants, and the remaining options."""
    if not game.endswith(VARIANTS) or not options or "=" in options[0]:
        return "", options
    word = re.sub(r"[^a-z0-9]", "", options[0].lower())
    digits = re.match(r"[0-9]*", word)
    lead = digits[0] if digits else ""
    return word[len(lead) :] + lead, options[1:]


def _read_options(words: tuple[str, ...]) -> dict[str, Value]:
    pairs = (word.lstrip("-").partition("=") for word in words)
    return {name: value if equals else True for name, equals, value in pairs}


def _play(source: GameSource, trial: Trial, svg: str | None) -> None:
    """Show the board and do what is typed, until the player leaves."""
    if not _shows(trial, svg):
        click.echo("Mend and save it, or type quit.")
    while True:
        line = _read_line(source, trial)
        if line in ("quit", "exit"):
            return
        if source.has_changed():
            _reload(source, trial, svg)
        if not line:
            continue
        if _does(trial, line):
            _shows(trial, svg)


def _does(trial: Trial, line: str) -> bool:
    """Do what was typed. Return whether the board changed. If the game fails, print where."""
    try:
        return _do(trial, line)
    except MoveError as error:
        click.echo(f"Not done: {error}.")
    except CommandFailed:
        raise
    except Exception as error:
        click.echo(_describe_crash(error))
    return False


def _describe_crash(error: Exception) -> str:
    """Return the exception raised by a mistake in the game, and the lines that led there."""
    where = indent(find_lines(error), "  ")
    return f"The game fails: {type(error).__name__}: {error}\n{where}"


def _do(trial: Trial, line: str) -> bool:
    """Do what was typed. Return whether the board changed."""
    word, _, rest = line.partition(" ")
    position = trial.position
    if word == "moves":
        moves = () if trial.seat is None else position.legal_moves(trial.seat)
        show(format_columns(moves) or "None: the game is over.\n")
    elif word == "words":
        click.echo(trial.say())
    elif word == "svg":
        _write_svg(trial, rest or f"{trial.game.info.name}.svg")
    elif word in ("?", "help"):
        click.echo(_HELP)
    elif word == "rules":
        show(trial.game.info.help)
    elif word == "undo":
        trial.undo()
        return True
    elif word == "resign":
        trial.resign()
        return True
    else:
        trial.play(line)
        return True
    return False


def _reload(source: GameSource, trial: Trial, svg: str | None) -> None:
    """Continue with the saved game; the former one stays when it cannot be loaded."""
    try:
        source.reload()
        click.echo(trial.reload(source.find(trial.game.info.name)))
    except CommandFailed as failed:
        click.echo(f"Saved, but it cannot be loaded: {failed.message}")
    except Exception as error:
        click.echo(f"Saved. {_describe_crash(error)}")
        click.echo("The board goes on as it was loaded before.")
    else:
        _shows(trial, svg)


def _shows(trial: Trial, svg: str | None) -> bool:
    """Show the board. Return whether the game could draw it."""
    try:
        _show(trial, svg)
    except CommandFailed:
        raise
    except Exception as error:
        click.echo(_describe_crash(error))
        return False
    return True


def _show(trial: Trial, svg: str | None) -> None:
    for sentence in trial.take_news():
        click.echo(sentence)
    text = trial.show()
    if not os.environ.get("NO_COLOR"):
        picture = trial.position.picture(trial.viewer, trial.last)
        text = colour_board(text, picture, trial.position.colours)
    click.echo(f"\n{text}\n")
    _show_picture(trial)
    if svg:
        _write_svg(trial, svg)
    if (outcome := trial.position.outcome) is not None:
        names = trial.position.seat_names
        ranks = ", ".join(f"{names[seat]} {rank}" for seat, rank in enumerate(outcome.ranks))
        click.echo(f"The game is over: {outcome.reason}. Ranks: {ranks}.")


def _show_picture(trial: Trial) -> None:
    """Show the board as a picture, if the terminal can."""
    write = choose_protocol(os.environ)
    if write is None or not sys.stdout.isatty():
        return
    with contextlib.suppress(PictureError):
        if svg := trial.draw():
            click.echo(write(make_png(svg)))


def _write_svg(trial: Trial, name: str) -> None:
    if not (svg := trial.draw()):
        click.echo("The game has no places to draw: `scene` shows panels alone.")
        return
    try:
        Path(name).write_text(svg, encoding="utf-8")
    except OSError as error:
        raise CommandFailed(f"{name} cannot be written: {error.strerror}", REFUSED) from None
    click.echo(f"The picture is in {name}.")


def _read_line(source: GameSource, trial: Trial) -> str:
    seat = trial.seat
    ask = "over" if seat is None else trial.position.seat_names[seat]
    if sys.stdin.isatty():
        moves = () if seat is None else trial.position.legal_moves(seat)
        return command_line.ask(f"{ask} (? for help): ", moves, _WORDS, source.has_changed)
    return input(f"{ask}: ").strip()


def _play_out(game: Game, players: int, options: dict[str, Value], rounds: int, seed: int) -> None:
    """Play random games to the end, and print their results."""
    results: dict[str, int] = {}
    lengths = []
    for number in range(rounds):
        dice = random.Random(f"{seed}.{number}")  # noqa: S311 (not cryptography)
        try:
            last, moves = finished(game.setup(players, options), dice)
        except (Nonconforming, MoveError) as error:
            raise CommandFailed(f"game {number} (seed {seed}): {error}", REFUSED) from None
        except Exception as error:
            crash = _describe_crash(error)
            raise CommandFailed(f"game {number} (seed {seed}): {crash}", REFUSED) from None
        lengths.append(moves)
        outcome, names = last.outcome, last.seat_names
        if outcome is not None:
            result = (
                " and ".join(names[winner] for winner in outcome.winners) + f": {outcome.reason}"
            )
            results[result] = results.get(result, 0) + 1
    click.echo(
        f"{rounds} random games of {game.info.title} (seed {seed}): "
        f"{min(lengths)} to {max(lengths)} moves, median {median(lengths):g}"
    )
    rows = sorted(results.items(), key=lambda row: -row[1])
    cells = [[f"{count}", f"{count / rounds:.1%}", result] for result, count in rows]
    show("\n".join(format_table(["games", "share", "first"], cells)) + "\n")


# A board at the author's terminal: no server, no players, no mail.
#
# The log of moves is the truth: when the game is loaded anew, it is replayed.

_THOUGHTS = 400
"""The number of positions that a search examines before the computer player moves."""


class Trial:
    """A board whose seats are all played here, or all but one by the computer player.

    position  the present position
    last      the moves to mark: those since the viewing seat was last on the move
    """

    def __init__(
        self, game: Game, players: int, options: Mapping[str, Value], seed: int, opponent: str = ""
    ) -> None:
        self.game = game
        self._options = options
        self._players = players
        self._seed = seed
        self._opponent = opponent
        self._dice = random.Random(seed)  # noqa: S311 (not cryptography)
        self._log: list[tuple[int, str]] = []
        self._said: list[str] = []
        self.position = game.setup(players, options)
        self.last: tuple[str, ...] = ()
        self._go_on()

    @property
    def seat(self) -> int | None:
        """The next seat to be played here; None when the game is over."""
        seats = sorted(self.position.to_move)
        return seats[0] if seats else None

    @property
    def viewer(self) -> int | None:
        """The seat whose view is shown: the one to move, or the only one played here."""
        return 0 if self._opponent else self.seat

    def take_news(self) -> list[str]:
        """Return what has happened since the last call, in sentences."""
        said, self._said = self._said, []
        return said

    def play(self, text: str) -> None:
        """Play what was typed, perhaps several moves. MoveError when one is refused; those before
        it remain."""
        before = len(self._log)
        if self.seat is not None:
            require_whole(self.position, self.seat, text)
        while text:
            seat = self.seat
            if seat is None:
                raise MoveError("the game is over")
            move, text = self.position.parse(text, seat)
            self._make(seat, move)
            self._answer_chance()
            if text and self.seat != seat:
                raise MoveError(f"the turn is over; {text!r} was not played")
        self.last = tuple(move for _, move in self._log[before:])
        self._go_on()

    def resign(self) -> None:
        """Have the seat to move resign."""
        if (seat := self.seat) is None:
            raise MoveError("the game is over")
        self._make(seat, "resign")
        self._go_on()

    def undo(self) -> None:
        """Take back the last move made here, with all that followed it."""
        own = [
            number
            for number, (seat, _) in enumerate(self._log)
            if seat == 0 or (seat != CHANCE and not self._opponent)
        ]
        if not own:
            raise MoveError("there is no move to take back")
        self._replay(self._log[: own[-1]])
        self._answer_chance()
        self.last = ()

    def reload(self, game: Game) -> str:
        """Continue with the saved game. Return a sentence on the moves that were kept. When the
        game fails on the way, the board and the former game stay."""
        before, log = (self.game, self.position, self._log, self.last), self._log
        self.game = game
        try:
            fault = self._replay(log)
            self._go_on()
        except Exception:
            self.game, self.position, self._log, self.last = before
            raise
        if not fault:
            return f"Loaded again, {len(log)} move{'s' * (len(log) != 1)} replayed."
        return (
            f"Loaded again. Move {len(self._log) + 1} is refused now: {fault}. Earlier ones stand."
        )

    def _replay(self, log: Sequence[tuple[int, str]]) -> str:
        """Replay a log from the start, as far as possible. Return why it went no further."""
        self.position = self.game.setup(self._players, self._options)
        self._log, self.last = [], ()
        for seat, move in log:
            try:
                self._make(seat, move)
            except MoveError as error:
                return str(error)
            finally:
                self._said = []
        return ""

    def _make(self, seat: int, move: str) -> None:
        before = self.position
        if move == "resign":
            after, words = before.resign(seat), "resigns"
        else:
            after = before.play(seat, move)
            words = before.describe(seat, move, self.viewer if self._opponent else None)
        self.position = after
        self._log.append((seat, move))
        name = "" if seat == CHANCE else f"{before.seat_names[seat]}: "
        self._said.append(name + words)
        self._said += [f"  {sentence}" for sentence in self.position.news]

    def _answer_chance(self) -> None:
        while self.position.to_move == CHANCE_TO_MOVE and self.position.chance is not None:
            self._make(CHANCE, self._dice.choice(self.position.chance.outcomes))

    def _go_on(self) -> None:
        """Answer chance and have the computer player move, until a seat here is on the move."""
        self._answer_chance()
        while self._opponent and (others := sorted(self.position.to_move - {0})):
            before = len(self._log)
            for move in choose_turn(
                self.position, others[0], self._opponent, self._dice, _count_thoughts()
            ):
                self._make(others[0], move)
            self.last = tuple(move for _, move in self._log[before:])
            self._answer_chance()

    def show(self) -> str:
        """Return the board as text."""
        return self.position.render(self.viewer, self.last)

    def say(self) -> str:
        """Return the board in words."""
        return self.position.words(self.viewer, self.last)

    def draw(self) -> str:
        """Return the board as SVG; "" when its scene has no places."""
        scene = self.position.scene(self.viewer, self.last)
        title = self.game.info.title
        return draw_svg(scene, self.position.colours, title=title) if scene.places else ""


def _count_thoughts() -> Callable[[float], bool]:
    """Return a budget that is counted, not timed: the same seed gives the same moves."""
    thoughts = 0

    def is_enough(part: float) -> bool:
        nonlocal thoughts
        thoughts += 1
        return thoughts > part * _THOUGHTS

    return is_enough
