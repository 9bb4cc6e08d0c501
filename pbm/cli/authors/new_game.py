"""`pbm new-game`: the package of a new game, which can be played at once."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from pbm.cli import REFUSED, USAGE, Failed
from pbm.cli.authors.topics import show_topic

_SEATS = re.compile(r"\s*([0-9]+)\s*(?:-\s*([0-9]+)\s*)?")
_SHAPES = ("squares", "hexagons", "track")


def _read_seats(text: str) -> tuple[int, int]:
    """Return the smallest and the largest number of players that `2` or `2-4` means."""
    from pbm.cli.authors.skeleton import MOST_SEATS

    if match := _SEATS.fullmatch(text):
        seats = int(match[1]), int(match[2] or match[1])
        if 2 <= seats[0] <= seats[1] <= MOST_SEATS:
            return seats
    raise click.BadParameter(
        f"{text} is no number of players: type one from 2 to {MOST_SEATS}, or two such as 2-4"
    )


@click.command("new-game")
@click.argument("name", required=False, default="")
@click.option("--title", default="", help="the name as people write it")
@click.option("--shape", type=click.Choice(_SHAPES), help="the shape of the board")
@click.option("--players", type=_read_seats, metavar="N or N-M", help="how many play: 2, or 2-4")
@click.option("--dice/--no-dice", default=None, help="whether dice are rolled")
@click.option("--hidden/--no-hidden", default=None, help="whether players have hidden hands")
@click.option("--sealed/--no-sealed", default=None, help="whether all move at the same time")
@click.option("--openspiel", metavar="GAME", help="a game of OpenSpiel, such as 'go(board_size=9)'")
@click.option("--folder", metavar="PATH", help="where to write it (default: ./pbm-NAME)")
@click.option(
    "--help-topic",
    metavar="TOPIC",
    help="show a page for authors and end; `list` names them",
)
def command(
    name: str,
    title: str,
    shape: str | None,
    players: tuple[int, int] | None,
    dice: bool | None,
    hidden: bool | None,
    sealed: bool | None,
    openspiel: str | None,
    folder: str | None,
    help_topic: str | None,
) -> None:
    """Write the package of a new game: module, rules, help, tests, pyproject.toml.

    What it writes is a small game that can be played at once, to be changed into yours. Questions
    choose where to begin; each has an option that answers it. Nothing is ever overwritten.
    """
    from pbm.cli.authors.skeleton import SkeletonError, Wishes, check_name, write_package

    if help_topic is not None:
        show_topic(help_topic)
        return
    if not name:
        raise Failed("new-game needs a name: pbm new-game harbour", USAGE)
    name = name.lower()
    try:
        check_name(name)
    except SkeletonError as error:
        raise Failed(str(error), USAGE) from None
    asks = sys.stdin.isatty()
    if openspiel is None:
        if asks:
            shape = shape or click.prompt("The board", "squares", type=click.Choice(_SHAPES))
            question = "How many play (2, or 2-4)"
            players = players or click.prompt(question, "2", value_proc=_read_seats)
        dice = _ask_yes("Are there dice?", dice, asks)
        hidden = _ask_yes("Have players hidden hands?", hidden, asks)
        sealed = _ask_yes("Do all move at the same time, sealed?", sealed, asks)
    else:
        from pbm.adapters.openspiel import OpenSpielError, adapt

        try:
            adapt(openspiel)
        except OpenSpielError as error:
            raise Failed(str(error), REFUSED) from None
    low, high = players or (2, 2)
    wishes = Wishes(
        name=name,
        title=title or name.capitalize(),
        shape=shape or "squares",
        low=low,
        high=high,
        has_dice=bool(dice),
        has_hands=bool(hidden),
        is_sealed=bool(sealed),
        openspiel=openspiel or "",
    )
    target = Path(folder or f"pbm-{wishes.name}")
    try:
        files = write_package(wishes, target)
    except SkeletonError as error:
        raise Failed(str(error), USAGE) from None
    except OSError as error:
        raise Failed(f"{target} cannot be written: {error.strerror}", REFUSED) from None
    for file in files:
        click.echo(f"  {file}")
    click.echo(f"\nTo play it: pbm try {target}\nTo check it: pbm check-game {target}")


def _ask_yes(question: str, given: bool | None, asks: bool) -> bool:
    if given is None and asks:
        return click.confirm(question, default=False)
    return bool(given)
