"""The help pages: the texts of `pbm/help`, pages made from the table of commands, and one page for
each game. All edges show the same pages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from importlib.resources import files

from pbm.core.finding.game_page import build_game_page
from pbm.core.kernel.feature import get_features
from pbm.core.kernel.language.verb import Verb
from pbm.core.kernel.language.verbs import VERBS
from pbm.core.kernel.language.words import find_named_game, is_typo_of
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.games import MissingGame, UnknownGame, get_game, list_game_names
from pbm.locale import ENGLISH, say_in, translate
from pbm.locale.pages import HELP, find_translated, mark_untranslated
from pbm.rules.phrases import phrase

_FILLING = {"rules", "of", "the", "game", "about", "on", "for", "page", "topic", "me"}
_AMONG = _FILLING | {"and"}
_MOST_PAGES = 4
_GROUPS: Mapping[str, str] = {
    "signup": phrase("Accounts"),
    "help": phrase("Looking"),
    "events": phrase("Events"),
    "message": phrase("Talking"),
    "challenge": phrase("Playing"),
    "propose": phrase("Agreeing"),
    "show": phrase("Boards"),
}
"""The titles of the parts of the page of all commands, by the command that each begins with."""
_ABOUT_COMMANDS = phrase(
    "A command is the subject of a mail. GAME is the name of a game, BOARD the number of a board, "
    "[] may be left out. In a reply to a mail about a board, as the first line, GAME, BOARD, "
    "USERID and PASSWORD are not needed. More about one of them: help and its name, for instance "
    "help challenge."
)
_COLUMNS = 78
_INDENT = " " * 6
_pages: dict[str, str] = {}


def load_pages() -> dict[str, str]:
    """Read the pages of `pbm/help`, by name. They are kept: an upgrade may replace the files."""
    if not _pages:
        texts = (page for page in files("pbm.help").iterdir() if page.name.endswith(".txt"))
        _pages.update((page.name[:-4], page.read_text("utf-8").rstrip("\n")) for page in texts)
    return _pages


def list_topics() -> tuple[str, ...]:
    """Return the names of all pages that are not about a game."""
    return tuple(sorted({*load_pages(), "commands"} - {"start"}))


def find_pages(
    topics: str, *, in_words: bool = False, language: str = ENGLISH
) -> list[tuple[str, str]]:
    """Return title and text of the page of a topic or, where there is none, of those that the words
    name one by one; a Refusal lists the topics."""
    try:
        return [find_page(topics, in_words=in_words, language=language)]
    except Refusal:
        words = [word for word in topics.replace(",", " ").split() if word not in _AMONG]
        found = [_find_exact_page(word, language, in_words=in_words) for word in words]
        pages = list(dict.fromkeys(page for page in found if page is not None))
        if None in found or not 0 < len(pages) <= _MOST_PAGES:
            raise
        return pages


def find_page(topic: str, *, in_words: bool = False, language: str = ENGLISH) -> tuple[str, str]:
    """Return title and text of a page; "" is the first page. One typing error is forgiven; a
    Refusal lists the topics. `in_words`: boards in words, not drawn. What is not translated, or
    was before the page changed, comes in English, and says so."""
    match = _find_exact_page(topic, language, in_words=in_words)
    topic = " ".join(word for word in topic.split() if word not in _FILLING)
    if match is None and not topic:
        return "pbm", _read_page("start", language)
    match = match or _find_exact_page(topic, language, in_words=in_words)
    if match is None:
        names = {*list_topics(), *list_game_names(), *(verb.name for verb in VERBS)}
        near = [name for name in sorted(names) if is_typo_of(topic, name)]
        if len(near) == 1:
            match = _find_exact_page(near[0], language, in_words=in_words)
    if match is None:
        raise Refusal(
            RefusalCode.NO_SUCH_TOPIC,
            phrase(
                "there is no help page with that name; the pages are {pages}",
                pages=", ".join(list_topics()),
            ),
            "help",
            "help commands",
            f"help {list_game_names()[0]}",
            "games",
        )
    return match


def _find_exact_page(topic: str, language: str, *, in_words: bool) -> tuple[str, str] | None:
    if topic == "commands":
        return "commands", _build_command_page(language)
    if topic in list_topics():
        return topic, _read_page(topic, language)
    try:
        game = get_game(topic)
    except MissingGame:
        raise
    except UnknownGame:
        verbs = [verb for verb in VERBS if topic in (verb.name, *verb.aliases)]
        page = "\n\n".join(_describe_command(verb, language) for verb in verbs)
        if not verbs and (name := find_named_game(topic)):
            return _find_exact_page(name, language, in_words=in_words)
        return (topic, page) if verbs else None
    return game.info.name, build_game_page(game, in_words=in_words, language=language)


def _read_page(name: str, language: str) -> str:
    """Return a page of `pbm/help` in a language."""
    page = load_pages()[name]
    return find_translated(language, HELP, name, page) or mark_untranslated(page, language)


def list_table_sentences() -> Iterator[tuple[str, str]]:
    """Yield what the table of commands says of each of them, for translators, and the package that
    says it."""
    for feature in get_features():
        for verb in feature.verbs:
            yield feature.package, verb.summary
            if verb.detail:
                yield feature.package, _join_lines(verb.detail)


def _build_command_page(language: str) -> str:
    lines = textwrap.wrap(translate(_ABOUT_COMMANDS, language), _COLUMNS)
    seen: set[str] = set()
    for verb in VERBS:
        if verb.name in _GROUPS and verb.name not in seen:
            lines += ["", translate(_GROUPS[verb.name], language)]
        seen.add(verb.name)
        lines += [f"  {_format_usage(verb)}", *_wrap(say_in(language, verb.summary, {}))]
    return "\n".join(lines)


def _join_lines(text: str) -> str:
    return " ".join(text.split("\n"))


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(
        text, _COLUMNS, initial_indent=_INDENT, subsequent_indent=_INDENT, break_on_hyphens=False
    )


_SLOTS = {"user": "USERID", "new_password": "NEWPASSWORD"}


def _format_usage(verb: Verb) -> str:
    """Return the form of a command: [] is optional, ... may be repeated."""
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


def _describe_command(verb: Verb, language: str) -> str:
    lines = [f"  {_format_usage(verb)}", *_wrap(say_in(language, verb.summary, {}))]
    if verb.detail:
        lines += _wrap(say_in(language, _join_lines(verb.detail), {}))
    aliases = [alias for alias in verb.aliases if not is_typo_of(alias, verb.name)]
    if aliases:
        also = phrase("Also: {words}", words=", ".join(aliases))
        lines.append(f"{_INDENT}{translate(also, language)}")
    return "\n".join(lines)
