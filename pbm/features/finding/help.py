"""The command `help`: a page, or in a reply to a board's mail what can be written there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files

from msgspec.structs import replace

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.feature import Verb, get_features, list_hooks, list_verbs
from pbm.core.log_view import BoardLog
from pbm.core.notices import BoardHelp, Notice
from pbm.core.parser import read_own_verb
from pbm.core.player import prefers_words
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.seat import Seat
from pbm.core.storing import find_title, load
from pbm.core.talk import Question
from pbm.core.turns import list_acts
from pbm.core.view import build_view, find_thread
from pbm.core.words import find_named_game, say_verb
from pbm.features.analysis.views import is_analysable
from pbm.features.finding.game_page import build_game_page
from pbm.features.finding.notices import HelpPage
from pbm.games import MissingGame, UnknownGame, get_game, list_game_names
from pbm.locale import ENGLISH, Page, say_in, translate
from pbm.locale.pages import HELP, find_translated, mark_untranslated
from pbm.locale.words import is_typo_of, list_meanings, read_command_word
from pbm.rules.phrases import phrase, wrap
from pbm.store import reads

_BETWEEN = f"\n\n\n{'- ' * 38}-\n\n"


def help_page(call: Call) -> list[Notice]:
    """Show the page of a topic or a game, those of several, or the start page; in a reply to a
    board's mail, what can be written there."""
    if here := find_board_help(call):
        return here
    words = [*([call.command.game] if call.command.game else []), *call.command.words]
    topic = " ".join(words).lower().rstrip(".?!")
    in_words = wants_words(call)
    pages = find_pages(topic, in_words=in_words)
    added = [
        [add(call, title) for add in list_hooks(lambda each: each.adds_to_page)]
        for title, _ in pages
    ]
    text = Page(partial(_write, topic, pages, added, in_words))
    titles = [title for title, _ in pages]
    games = () if in_words else tuple(filter(list_game_names().__contains__, titles))
    return [call.answer(HelpPage(topic=", ".join(titles), text=text, games=games))]


def _write(
    topic: str,
    pages: Sequence[tuple[str, str]],
    added: Sequence[Sequence[str]],
    in_words: bool,
    language: str,
) -> str:
    """Return the pages of a topic in a language, with additions by features; `pages` are those in
    English."""
    if language != ENGLISH:
        pages = find_pages(topic, in_words=in_words, language=language)
    texts = []
    for (_, text), more in zip(pages, added, strict=True):
        parts = [text, *(translate(each, language) for each in more)]
        texts.append("\n\n".join(filter(None, parts)))
    return _BETWEEN.join(texts)


# The help pages: the texts of `pbm/help` and of the features, pages made from the table of
# commands, and one page for each game. All edges show the same pages.

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
"""The titles of the parts of the page of all commands, by the first command of each part."""
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
    """Return the pages of `pbm/help` and of the features, by name."""
    # Read once: an upgrade may replace the files under a running server.
    if not _pages:
        own = (files(feature.package).joinpath("help") for feature in get_features())
        for folder in (files("pbm.help"), *(each for each in own if each.is_dir())):
            texts = (page for page in folder.iterdir() if page.name.endswith(".txt"))
            _pages.update((page.name[:-4], page.read_text("utf-8").rstrip("\n")) for page in texts)
    return _pages


def list_topics() -> tuple[str, ...]:
    """Return the names of all pages that are not about a game."""
    return tuple(sorted({*load_pages(), "commands"} - {"start"}))


def find_pages(
    topics: str, *, in_words: bool = False, language: str = ENGLISH
) -> list[tuple[str, str]]:
    """Return title and text of the page of a topic or, where there is none, of the pages that its
    words name one by one. A Refusal lists the topics."""
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
    Refusal lists the topics. `in_words`: boards in words, not drawn. A page without an up-to-date
    translation comes in English, and says so."""
    match = _find_exact_page(topic, language, in_words=in_words)
    topic = " ".join(word for word in topic.split() if word not in _FILLING)
    if match is None and not topic:
        return "pbm", _read_page("start", language)
    match = match or _find_exact_page(topic, language, in_words=in_words)
    if match is None:
        names = {*list_topics(), *list_game_names(), *(verb.name for verb in list_verbs())}
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
    named = read_command_word(topic, list_topics())
    meant = list_meanings(topic, language)
    topic = meant[0] if len(meant) == 1 else read_own_verb(topic)
    topic = named if named in list_topics() else topic
    if topic == "commands":
        return "commands", _build_command_page(language)
    if topic in list_topics():
        return topic, _read_page(topic, language)
    try:
        game = get_game(topic)
    except MissingGame:
        raise
    except UnknownGame:
        verbs = [verb for verb in list_verbs() if topic in (verb.name, *verb.aliases)]
        page = "\n\n".join(_describe_command(verb, language) for verb in verbs)
        if not verbs and (name := find_named_game(topic)):
            return _find_exact_page(name, language, in_words=in_words)
        return (topic, page) if verbs else None
    return game.info.name, build_game_page(game, in_words=in_words, language=language)


def _read_page(name: str, language: str) -> str:
    """Return a page from its file, in a language."""
    page = load_pages()[name]
    return find_translated(language, HELP, name, page) or mark_untranslated(page, language)


def list_table_sentences() -> Iterator[tuple[str, str]]:
    """Yield the sentences of the table of commands with their package, for translators."""
    for feature in get_features():
        for verb in feature.verbs:
            yield feature.package, verb.summary
            if verb.detail:
                yield feature.package, _join_lines(verb.detail)


def _build_command_page(language: str) -> str:
    lines = wrap(translate(_ABOUT_COMMANDS, language), _COLUMNS)
    seen: set[str] = set()
    for verb in list_verbs():
        if verb.name in _GROUPS and verb.name not in seen:
            lines += ["", translate(_GROUPS[verb.name], language)]
        seen.add(verb.name)
        lines += [f"  {_format_usage(verb, language)}", *_wrap(say_in(language, verb.summary, {}))]
    return "\n".join(lines)


def _join_lines(text: str) -> str:
    return " ".join(text.split("\n"))


def _wrap(text: str) -> list[str]:
    return wrap(text, _COLUMNS, first=_INDENT, later=_INDENT)


_SLOTS = {"user": "USERID", "new_password": "NEWPASSWORD"}


def _format_usage(verb: Verb, language: str) -> str:
    """Return the form of a command: [] is optional, ... may be repeated."""
    words = ["GAME"] if verb.game == "yes" else []
    words.append(say_verb(verb, language))
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
    lines = [f"  {_format_usage(verb, language)}", *_wrap(say_in(language, verb.summary, {}))]
    if verb.detail:
        lines += _wrap(say_in(language, _join_lines(verb.detail), {}))
    own = say_verb(verb, language)
    names = (verb.name, *verb.aliases)
    aliases = [each for each in names if each != own and not is_typo_of(each, verb.name)]
    if aliases:
        also = phrase("Also: {words}", words=", ".join(aliases))
        lines.append(f"{_INDENT}{translate(also, language)}")
    return "\n".join(lines)


# Help in a reply to a board's mail: what can be written there, the legal moves, the rules.

_MOST_MOVES = 150
_RULES = ("rules", phrase("how the game is played"))
_ANALYSE = ("analyse", phrase("the three turns that changed the most"))
_WORDS: Mapping[str, tuple[str, str]] = {
    "accept": ("accept", phrase("agree to what is proposed")),
    "reject": ("reject", phrase("do not agree")),
    "ready": ("ready", phrase("no more orders: your other units hold")),
    "wait": ("wait", phrase("keep the phase open until its deadline")),
    "queue": ("queue MOVE", phrase("a move for when your turn comes")),
    "undo": ("undo", phrase("ask to take back your last move")),
    "decline": ("decline", phrase("do not play; allowed until you move")),
    "propose": ("draw", phrase("offer a draw")),
    "resign": ("resign", phrase("give up the game")),
    "rematch": ("rematch", phrase("play again with the seats swapped")),
    "chat": ("chat TEXT", phrase("write to the others")),
    "press": ("press to all", phrase("write to all, or to the powers named, the text below")),
}
"""What is written for each act, with its effect."""
_INVITED = {
    **_WORDS,
    "accept": ("accept", phrase("play")),
    "decline": ("decline", phrase("do not play")),
}


def find_board_help(call: Call) -> list[Notice]:
    """Return the help asked for in a reply to a mail about a board; nothing if the words ask for
    another page, or the sender is not proved to play there."""
    command = call.command
    if command.game or not command.sender.board or call.player is None:
        return []
    topic = " ".join(command.words).lower().rstrip(".?!")
    if topic not in ("", *Question) or call.asleep:
        return []
    row = reads.find_board(call.session, command.sender.board)
    if row is None or row.state == "sleeping":
        return []
    board = load(call.session, row.id, lock=False)
    if call.player.id not in board.people:
        return []
    if topic == Question.RULES:
        name, in_words = board.game.info.name, wants_words(call)
        text = Page(partial(_write_rules, name, in_words))
        return [call.answer(HelpPage(topic=name, text=text, games=() if in_words else (name,)))]
    seat = board.find_seat(call.player)
    return [_build_help(call, board, seat, asks_moves=topic == Question.MOVES)]


def _write_rules(game: str, in_words: bool, language: str) -> str:
    return find_page(game, in_words=in_words, language=language)[1]


def wants_words(context: Context) -> bool:
    """Whether the sender prefers boards in words."""
    return context.player is not None and prefers_words(context.player.preferences)


def _build_help(call: Call, board: Board, seat: Seat, *, asks_moves: bool) -> Notice:
    """Return what can be replied; the moves first where the reader asks for them."""
    is_on_move = board.state == "running" and seat.seat in board.position.to_move
    position = board.position
    moves = position.legal_moves(seat.seat) if is_on_move else ()
    shown = [position.describe(seat.seat, move, seat.seat) for move in moves[:_MOST_MOVES]]
    content = BoardHelp(
        view=build_view(board, seat.seat, BoardLog(call, board), in_words=call.wants_words),
        title=find_title(board.game.info.name),
        words=_list_words(call, board, seat, shown[0] if shown else ""),
        to_move="" if is_on_move or board.is_over else board.join_userids(position.to_move),
        moves=shown,
        count=len(moves),
        begins_with_moves=asks_moves,
    )
    return replace(call.answer(content), thread=find_thread(board, seat.seat))


def _list_words(context: Context, board: Board, seat: Seat, example: str) -> list[tuple[str, str]]:
    """Return what can be written at the board now, each line with its effect."""
    takes_orders = board.position.takes_orders
    named = _INVITED if board.state == "invited" else _WORDS
    words = list[tuple[str, str]]()
    for act in list_acts(board, seat):
        if act == "move" and example:
            words += (
                [(example, phrase("an order")), ("moves", phrase("the orders you can give"))]
                if takes_orders
                else [(example, phrase("a move")), ("moves", phrase("your legal moves"))]
            )
        elif act in named:
            words.append(named[act])
    if is_analysable(context.config, board.game, board.state, board.ply):
        words.insert(1, _ANALYSE)
    return [*words, _RULES]
