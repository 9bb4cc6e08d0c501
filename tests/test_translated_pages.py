"""Help pages in other languages show the same commands and moves as the English ones that they
translate; one whose original has changed since comes in English."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from pbm.cli.check_language import (
    count_left,
    find_original,
    is_current_file,
    list_page_files,
)
from pbm.core.command import NotACommand, Sender
from pbm.core.parser import read_line
from pbm.core.refusal import Refusal
from pbm.features.finding.game_page import (
    _REPLY,
    build_game_page,
    is_heading,
    split_sections,
)
from pbm.features.finding.help import find_page, list_topics, load_pages
from pbm.games import get_game, list_game_names
from pbm.games.chess import ChessPosition
from pbm.locale import LANGUAGES
from pbm.locale.pages import FIRST_WORD, find_translated, list_translated
from pbm.locale.words import reply_word
from pbm.mail.render import say_command
from pbm.rules import Game, MoveError
from pbm.rules.examples import begin
from pbm.rules.testing.info_checks import find_example_lines, find_named_options
from pbm.rules.typed_moves import read_letters
from tests.games.chesses import position_from_fen
from tests.harness.languages import say

_WHOLE = ("de", "es", "fr", "nl")
"""Languages in which the pages of the games played most are there."""
_PLAYED_MOST = (
    "cradle spacecradles cyclone spacefighters spacetruckin chess go reversi fourinarow hex gomoku "
    "backgammon draughts battleship dotsandboxes xiangqi minishogi mancala morris connect6 "
    "tictactoe linesofaction breakthrough ataxx amazons"
)
_FILES = [path for language in LANGUAGES[1:] for path in list_page_files(language)]
_CURRENT = [path for path in _FILES if is_current_file(path)]
_PAGES = [path for path in _CURRENT if path.parent.name == "help"]
_GAMES = [path for path in _CURRENT if path.parent.name == "games"]
_ENGLISH = "This page has not been translated; here it is in English."
_UNTRANSLATED = "nicht übersetzt"
_PLACEHOLDER = re.compile(r"{\w+}")
_LEAD = re.compile(r"\w*> ")
_PROSE = re.compile(r"^\d+[. ]|;|, |[.:]$")
_CHATS = "|".join(reply_word("chat", language) for language in LANGUAGES)
_NOTES = "|".join(reply_word("note", language) for language in LANGUAGES)
_SAID = re.compile(rf"(\b(?:{_CHATS})|\b(?:{_NOTES}) 17 ann PASSWORD) .*")


def _name(path: Path) -> str:
    return f"{path.parent.parent.name}-{path.stem}"


def _read(path: Path) -> str:
    language, folder = path.parent.parent.name, path.parent.name
    return find_translated(language, folder, path.stem, find_original(path))


def _list_commands(text: str) -> list[str]:
    """The indented lines that are commands or replies, without what is said beside them, and
    without what people say to each other."""
    commands = []
    for line in text.splitlines():
        typed = re.split(r" {2,}", line.strip())[0]
        if line.startswith("  ") and not _PROSE.search(typed):
            lead = _LEAD.match(typed)
            try:
                bare = typed[lead.end() :] if lead else typed
                command = read_line(bare.replace("USERID", "ann"), Sender("a@example.org"))
            except (NotACommand, Refusal):
                pass
            else:
                if not command.guessed or lead:
                    commands.append(_SAID.sub(r"\1", typed))
                continue
            commands += [_SAID.sub(r"\1", typed)] if lead else []
    return commands


def _say(line: str, language: str) -> str:
    lead = _LEAD.match(line)
    at = lead.end() if lead else 0
    return line[:at] + say_command(line[at:], language)


@pytest.mark.parametrize("path", _FILES, ids=_name)
def test_a_page_says_what_it_translates_and_fits_into_a_mail(path: Path) -> None:
    first, *lines = path.read_text("utf-8").splitlines()
    assert re.fullmatch(f"{FIRST_WORD} [0-9a-f]{{12}}", first)
    for line in lines:
        assert len(line) <= 78
        assert line.isprintable()
        assert line == line.rstrip()


@pytest.mark.parametrize("path", _PAGES, ids=_name)
def test_a_page_of_the_server_has_the_same_commands(path: Path) -> None:
    """They are named as mails to its readers name them."""
    text, original, language = _read(path), find_original(path), path.parent.parent.name
    own, commands = _list_commands(text), _list_commands(original)
    if path.stem == "records":  # what is one word is a field of a record there
        own, commands = ([each for each in lines if " " in each] for lines in (own, commands))
    assert own == [_say(line, language) for line in commands]
    assert sorted(_PLACEHOLDER.findall(text)) == sorted(_PLACEHOLDER.findall(original))


@pytest.mark.parametrize("path", _PAGES, ids=_name)
def test_a_page_of_the_server_has_the_same_headings_and_options(path: Path) -> None:
    text, original = _read(path), find_original(path)
    headings, wanted = (
        [line for line in each.splitlines() if is_heading(line)] for each in (text, original)
    )
    assert len(headings) == len(wanted)
    options, needed = (re.findall(r"--\w+(?:=\S+)?", each) for each in (text, original))
    assert options == needed


def _read_examples(game: Game, text: str, language: str = "en") -> list[str]:
    """Return what stands on lines of its own as the moves that it means, of which no letter may be
    asked about; what cannot be played at the beginning as it is read."""
    position = begin(game)
    (seat, *_) = position.to_move
    found = list[str]()
    for line in find_example_lines(text):
        said = read_letters(position, seat, line, language)
        try:
            found.append(position.parse(said, seat)[0])
        except MoveError:
            found.append(said)
    return found


@pytest.mark.parametrize("path", _GAMES, ids=_name)
def test_a_page_of_a_game_has_the_same_sections_and_examples(path: Path) -> None:
    game = get_game(path.stem)
    language = path.parent.parent.name
    text, original = _read(path), game.info.help
    sections, wanted = [*split_sections(text)], [*split_sections(original)]
    assert len(sections) == len(wanted)
    for (heading, translated), (english, prose) in zip(sections, wanted, strict=True):
        assert bool(heading) == bool(english)
        assert _read_examples(game, translated, language) == _read_examples(game, prose), english
    assert _read_examples(game, text, language) == _read_examples(game, original)
    assert find_named_options(text) == find_named_options(original)
    page, english_page = build_game_page(game, language=language), build_game_page(game)
    assert page.count("\n\n") >= len(sections)
    for line in page.splitlines():
        assert len(line) <= 78
    assert page != english_page
    assert say_command(f"{game.info.name} challenge", language) in page


_MOVE = re.compile(
    r"(?<![\w-])(?:[^\W\d_]{4,} (?:to )?|[A-Z]|[a-h]x)[a-h]?[1-8]?[a-h][1-8](?:=[A-Z])?(?!\w)"
)
"""A move of chess in a sentence: `Sf3`, `Läufer e7`, `bxc3`."""
_FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
    "k7/8/8/8/4R3/2n2N2/1P5K/1N5R w - - 0 1",
    "3k4/7P/8/8/8/8/8/3QK3 w - - 0 1",
)


@pytest.mark.parametrize(
    "path", [path for path in _GAMES if path.stem in ("chess", "chess960")], ids=_name
)
def test_a_move_in_a_sentence_is_read_in_the_language_of_the_page(path: Path) -> None:
    """In one of these positions it is a move, about which nothing is asked."""
    first, language = get_game("chess").setup(), path.parent.parent.name
    assert isinstance(first, ChessPosition)
    _, _, writing = " ".join(_read(path).split()).partition(" > ")
    examples = find_example_lines(_read(path))  # they are played where the game begins
    moves = [each for each in _MOVE.findall(writing) if each not in examples]
    moves = [each.replace("e8=", "h8=") for each in moves]
    assert len(moves) >= 4
    for text in moves:
        read = list[str]()
        for position in (position_from_fen(first, fen) for fen in _FENS):
            try:
                said = read_letters(position, position.side, text, language)
                read.append(position.parse(said, position.side)[0])
            except MoveError:
                continue
        assert read, text


def test_a_page_without_translation_comes_in_english_and_says_so() -> None:
    title, text = find_page("konane", language="de")
    first, _, rest = text.partition("\n\n")
    assert title == "konane"
    assert first == say("de", _ENGLISH)
    assert rest == find_page("konane")[1]
    first, _, rest = find_page("konane", language="nl")[1].partition("\n\n")
    assert first == say("nl", _ENGLISH)
    assert rest == find_page("konane")[1]


def test_a_page_that_has_changed_since_it_was_translated_comes_in_english_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages = load_pages()
    german = find_page("dice", language="de")[1]
    monkeypatch.setitem(pages, "dice", f"{pages['dice']}\n\nDice never lie.")
    first, _, rest = find_page("dice", language="de")[1].partition("\n\n")
    assert first == say("de", _ENGLISH)
    assert rest == pages["dice"]
    assert german in list_translated()
    left = count_left("de", Catalog())
    assert [page.stem for page in left.old if page.parent.name == "help"] == ["dice"]


def test_the_page_of_all_commands_is_made_in_each_language() -> None:
    for language in LANGUAGES[1:]:
        for topic in ("commands", "challenge"):
            text, english = find_page(topic, language=language)[1], find_page(topic)[1]
            assert all(len(line) <= 78 for line in text.splitlines())
            forms, wanted = (
                [line for line in page.splitlines() if re.match(r"  \S", line)]
                for page in (text, english)
            )
            assert [line.split("USERID")[1:] for line in forms] == [
                line.split("USERID")[1:] for line in wanted
            ]


@pytest.mark.parametrize("language", _WHOLE)
@pytest.mark.parametrize("name", ["shogi", "threecheck", "atomic", "janggi", "seirawan"])
def test_the_page_of_a_variant_is_made_in_each_language(name: str, language: str) -> None:
    game = get_game(name)
    page, english = build_game_page(game, language=language), build_game_page(game)
    headings, wanted = ([*filter(is_heading, each.splitlines())] for each in (page, english))
    assert len(headings) == len(wanted)
    assert _read_examples(game, page, language) == _read_examples(game, english)
    assert all(len(line) <= 78 for line in page.splitlines())
    assert page != english


@pytest.mark.parametrize("language", _WHOLE)
def test_how_moves_are_written_goes_on_in_the_same_sentence(language: str) -> None:
    """The page of each game with a page in that language, and of each variant."""
    begun = " ".join(say(language, _REPLY).split())
    pages = [build_game_page(get_game(name), language=language) for name in list_game_names()]
    texts = [" ".join(page.split()).partition(f"{begun} ")[2] for page in pages]
    assert sum(bool(text) for text in texts) > 100
    assert language == "de" or not any(text[:1].isupper() for text in texts)


def test_headings_of_german_pages_have_nouns_at_their_beginning_alone() -> None:
    """A heading is written in capitals, and in small letters behind its first in mails and on the
    web, where nouns of German have capitals."""
    pages = [build_game_page(get_game(name), language="de") for name in list_game_names()]
    pages += [find_page(topic, language="de")[1] for topic in list_topics()]
    lines = [line for page in pages if _UNTRANSLATED not in page for line in page.splitlines()]
    headings = {line.capitalize() for line in lines if is_heading(line)}
    text = " ".join(lines)
    small = {word for heading in headings for word in heading.split()[1:]}
    never = {word for word in small if not re.search(rf"\b{word}\b", text)}
    assert not {word for word in never if re.search(rf"[a-z,] {word.capitalize()}\b", text)}


def test_no_line_begins_with_a_mark_that_french_sets_apart() -> None:
    pages = [build_game_page(get_game(name), language="fr") for name in list_game_names()]
    pages += [find_page(topic, language="fr")[1] for topic in list_topics()]
    lines = [line for page in pages for line in page.splitlines()]
    assert not [line for line in lines if re.match(r" *[:;!?»](?: |$)", line)]


@pytest.mark.parametrize("language", _WHOLE)
def test_the_pages_of_the_games_played_most_are_there(language: str) -> None:
    names = {path.stem for path in list_page_files(language)}
    games = {get_game(name).info.name for name in _PLAYED_MOST.split()}
    assert games <= names


def test_pages_are_known_for_what_quotes_them() -> None:
    assert len([*list_translated()]) == len([each for each in _FILES if each.parent.name == "help"])
