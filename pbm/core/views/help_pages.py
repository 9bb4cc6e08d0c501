"""The help pages: texts of `pbm/help/`, those that are made from the table of commands, and the
page of each game. Mail, command line and later the web show the same."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from pbm.core.language.board_options import option_lines
from pbm.core.language.verb import Verb
from pbm.core.language.verbs import VERBS
from pbm.core.language.words import one_slip
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.games import MissingGame, UnknownGame, game_names, get_game
from pbm.rules import Game

_FILLING = {"rules", "of", "the", "game", "about", "on", "for", "page", "topic", "me"}
_GROUPS = (
    ("Accounts", "signup"),
    ("Looking", "help"),
    ("Talking", "message"),
    ("Playing", "challenge"),
    ("Agreeing", "propose"),
    ("Boards", "show"),
)


@cache
def load() -> dict[str, str]:
    """Read the pages of `pbm/help`, by their names: a server that runs needs the files no more."""
    texts = (page for page in files("pbm.help").iterdir() if page.name.endswith(".txt"))
    return {page.name[:-4]: page.read_text(encoding="utf-8").rstrip("\n") for page in texts}


def topics() -> tuple[str, ...]:
    """The names of the pages that are no games."""
    return tuple(sorted({*load(), "commands"} - {"start"}))


def page(topic: str) -> tuple[str, str]:
    """(title, text) of a page; "" is the first one. One slip of the hand is understood; Refusal
    names the topics there are."""
    found = _page(topic)
    topic = " ".join(word for word in topic.split() if word not in _FILLING)
    if found is None and not topic:
        return "pbm", load()["start"]
    found = found or _page(topic)
    if found is None:
        names = {*topics(), *game_names(), *(verb.name for verb in VERBS)}
        near = [name for name in sorted(names) if one_slip(topic, name)]
        found = _page(near[0]) if len(near) == 1 else None
    if found is None:
        raise Refusal(
            RefusalCode.NO_SUCH_TOPIC,
            "there is no help page of that name; the pages are " + ", ".join(topics()),
            "help",
            "help commands",
            f"help {game_names()[0]}",
            "games",
        )
    return found


def _page(topic: str) -> tuple[str, str] | None:
    if topic == "commands":
        return "commands", _commands()
    if topic in topics():
        return topic, load()[topic]
    try:
        game = get_game(topic)
    except MissingGame:
        raise
    except UnknownGame:
        verbs = [verb for verb in VERBS if topic in (verb.name, *verb.aliases)]
        return (topic, "\n\n".join(_one(verb) for verb in verbs)) if verbs else None
    return game.info.name, game_page(game)


def game_page(game: Game) -> str:
    """The page of a game: what its author wrote, then its options."""
    lines = [game.info.help.rstrip("\n"), "", "Options of a challenge"]
    return "\n".join([*lines, *(f"  {line}" for line in option_lines(game))])


def _commands() -> str:
    starts = {verb: title for title, verb in _GROUPS}
    lines = [
        "A command is the subject of a mail. GAME is the name of a game, BOARD the",
        "number of a board, [] may be left out. In a reply to a mail about a board, as",
        "the first line, GAME, BOARD, USERID and PASSWORD are not needed. More about",
        "one of them: help and its name, for instance help challenge.",
    ]
    seen: set[str] = set()
    for verb in VERBS:
        if verb.name in starts and verb.name not in seen:
            lines += ["", starts[verb.name]]
        seen.add(verb.name)
        lines += [f"  {_usage(verb)}", f"      {verb.summary}"]
    return "\n".join(lines)


_SLOTS = {"user": "USERID", "new_password": "NEWPASSWORD"}


def _usage(verb: Verb) -> str:
    """How it is written: [] may be left out, ... may be repeated."""
    words = ["GAME"] if verb.game == "yes" else []
    words.append(verb.name)
    for slot in verb.slots:
        name = slot.rstrip("?*+")
        word = _SLOTS.get(name, name.upper())
        if name == "new_password" and not verb.needs_password:
            word = "PASSWORD"
        word = f"[{word}]" if slot[-1] in "?*" else word
        words.append(f"{word} ..." if slot[-1] in "*+" and name != "move" else word)
    if verb.options:
        words.append("[-OPTION] ...")
    return " ".join(words)


def _one(verb: Verb) -> str:
    lines = [f"  {_usage(verb)}", f"      {verb.summary}"]
    lines += [f"      {line}" for line in verb.detail.splitlines()]
    aliases = [alias for alias in verb.aliases if not one_slip(alias, verb.name)]
    if aliases:
        lines.append(f"      Also: {', '.join(aliases)}")
    return "\n".join(lines)
