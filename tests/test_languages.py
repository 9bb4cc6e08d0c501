"""The catalogues: all that the server says in another language, whole, and what a translator is
told of a bad one."""

from __future__ import annotations

from copy import copy
from datetime import UTC, datetime
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from click.testing import CliRunner

from pbm.cli.check_language import count_left, is_short
from pbm.cli.translating import command
from pbm.features.finding.help import load_pages
from pbm.games import get_game
from pbm.locale import LANGUAGES, compile_catalogue, list_forms, translate
from pbm.locale.checking import find_faults, read_catalogue
from pbm.locale.pages import FIRST_WORD
from pbm.rules.examples import begin
from pbm.rules.phrases import (
    EnglishWord,
    Listing,
    Phrase,
    SeatName,
    change_values,
    combine,
    get_text,
    make_phrase,
    pack,
    phrase,
    phrase_number,
    unpack,
)
from tests.harness.languages import find_sentences
from tools.languages import find_catalogue, note_original, renew

LOCALE = Path(__file__).parents[1] / "pbm" / "locale"
HEAD = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
"""The beginning of every catalogue."""


def test_no_catalogue_has_a_fault_and_each_can_be_brought_up_to_date() -> None:
    """`python -m tools.languages` does so. What is not translated yet is said in English."""
    folders = {path.parent.parent.name for path in LOCALE.rglob("pbm.po")}
    assert folders == {*LANGUAGES[1:]}
    source = find_sentences()
    assert len(source) > 100
    for language in LANGUAGES[1:]:
        text = find_catalogue(language).read_bytes()
        assert [str(fault) for fault in find_faults(read_catalogue(text))] == []
        renewed = renew(text, source)
        assert {each.id for each in read_catalogue(renewed)} == {each.id for each in source}
        assert renew(renewed, source) == renewed


def test_what_a_language_lacks_is_counted_and_said_in_english() -> None:
    """Sentences that the catalogue lacks, or has without a translation; one and many as one."""
    source = Catalog()
    source.add("confirm this address")
    source.add("No player has ever seen this sentence.")
    source.add(("{count} zebra plays", "{count} zebras play"))
    left = count_left("de", source)
    assert left.untranslated == ["No player has ever seen this sentence.", "{count} zebra plays"]
    assert left.sentences == 3
    assert not left.is_whole
    zebras = phrase_number("{count} zebra plays", "{count} zebras play", 2)
    assert translate(zebras, "de") == "2 zebras play"


def test_no_english_page_begins_as_a_translation_does() -> None:
    pages = load_pages()
    assert not [name for name, text in pages.items() if text.startswith(FIRST_WORD)]
    with pytest.raises(SystemExit):
        note_original(Path("pbm/help/options.txt"))


def test_every_language_is_counted() -> None:
    result = CliRunner().invoke(command, [])
    assert result.exit_code == 0
    counts = [line for line in result.output.splitlines() if not line.startswith("  ")]
    assert [line.partition(":")[0] for line in counts] == [*LANGUAGES[1:]]
    sentences = f"{len(find_sentences())} sentences, "
    assert all(sentences in line for line in counts)


def test_numbers_and_phrases_inside_a_phrase_are_said_in_the_same_language() -> None:
    days = "The code expires in {count} day. To keep the account, do nothing."
    many = "The code expires in {count} days. To keep the account, do nothing."
    assert translate(phrase_number(days, many, 1), "nl").startswith("De code verloopt over 1 dag.")
    assert translate(phrase_number(days, many, 3), "fr").startswith("Le code expire dans 3 jours.")
    inner = phrase("Not you? Send: {line}", line=phrase("confirm this address"))
    assert inner == "Not you? Send: confirm this address"
    assert translate(inner, "de") == "Das warst nicht du? Schick: bestätige diese Adresse"
    assert translate("words of somebody", "de") == "words of somebody"
    assert translate(phrase("never said by anybody"), "de") == "never said by anybody"


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_said_as_nothing(language: str) -> None:
    """A catalogue has what it says of itself where a sentence without text would stand."""
    assert translate(Phrase(""), language) == ""
    assert translate(combine("{nothing}.", nothing=make_phrase("")), language) == "."


def test_a_side_that_stands_by_itself_is_called_as_in_a_list() -> None:
    """As below a board, where the plural is meant: in a sentence it may be a player."""
    counted = combine("{side} {count}", side=SeatName("white", 0), count=3)
    assert translate(counted, "fr") == "Blancs 3"
    assert translate(counted, "es") == "blancas 3"
    assert translate(phrase("{colour} resigns", colour=SeatName("white", 0)), "fr").startswith("Bl")
    for game, told in (
        ("modernreversi", "Noirs 2, Blancs 2"),
        ("minishogi", "Noirs -, Blancs -"),
        ("backgammon", "O Noirs"),
    ):
        position = begin(get_game(game), 2, {})
        assert told in translate(position.render(0), "fr")


def test_things_in_a_row_and_what_is_put_together_are_said_in_that_language_too() -> None:
    line = phrase("confirm this address")
    row = Listing(["ann", "bob", line])
    assert row == "ann, bob and confirm this address"
    assert translate(row, "de") == "ann, bob und bestätige diese Adresse"
    assert translate(Listing(["a", "b"], "or"), "fr") == "a ou b"
    assert Listing([]) == ""
    assert translate(combine("{who}: {line}", who=row, line=line), "de").endswith(
        "Adresse: bestätige diese Adresse"
    )
    french = translate(combine("{who}: {line}; {again}:", who="bob", line="a1:b2", again=row), "fr")
    assert french == "bob : a1:b2 ; ann, bob et confirme cette adresse :"
    hidden = change_values(combine("{who}: {line}", who=row, line=line), lambda _: "...")
    assert hidden == "..., ... and confirm this address: confirm this address"
    assert translate(hidden, "de").startswith("..., ... und bestätige")
    assert copy(row).items == row.items
    assert get_text(ValueError(line)) is line


@pytest.mark.parametrize(
    ("english", "translated", "said"),
    [
        ("{writer} writes", "schreibt", "the value {writer} is missing"),
        ("{writer} writes", "{wer} schreibt", "there is no value {wer} here"),
        ("{writer} writes", "{writer schreibt", "a brace is wrong"),
        ("Send USERID again.", "Schick NAME noch einmal.", "USERID must stay as it is"),
        ("Send it:", "Schick es.", "it must end as the English does, with a colon"),
        ("one step", "e" * 61, "a word is longer than 60 letters"),
        ("one step", "ein Schritt " * 8, "a headline may have 78 letters"),
    ],
)
def test_a_translator_is_told_what_is_wrong(
    tmp_path: Path, english: str, translated: str, said: str
) -> None:
    file = tmp_path / "de.po"
    file.write_text(f'{HEAD}\nmsgid "{english}"\nmsgstr "{translated}"\n', encoding="utf-8")
    result = CliRunner().invoke(command, [str(file)])
    assert said in result.output
    assert english in result.output
    assert result.exit_code == 1


def test_what_is_missing_is_listed_and_what_is_no_catalogue_refused(tmp_path: Path) -> None:
    file = tmp_path / "de.po"
    file.write_text(f'{HEAD}\nmsgid "one step"\nmsgstr ""\n', encoding="utf-8")
    result = CliRunner().invoke(command, [str(file)])
    assert result.output == "not translated: one step\n1 sentences, 1 not translated, 0 faults\n"
    file.write_text("dear translator\n", encoding="utf-8")
    result = CliRunner().invoke(command, [str(file)])
    assert result.exit_code == 1
    assert "this is no catalogue" in result.output


def test_a_packed_phrase_is_the_same_phrase() -> None:
    """As it is stored, with what it is made of."""
    days = phrase_number("{count} day", "{count} days", 3)
    made = phrase("{who} waits: {time}", who=Listing(["ann", days, "bob"]), time="now", board=17)
    king = EnglishWord("king", phrase("crowned man"))
    for text in (made, king, Listing(["a", king], "or"), "plain words", ""):
        packed = pack(text)
        assert type(packed) is str
        again = unpack(packed)
        assert (again, type(again)) == (text, type(text))
        assert translate(again, "de") == translate(text, "de")
    assert isinstance(again := unpack(pack(made)), Phrase)
    assert again.values["board"] == 17


@pytest.mark.parametrize(
    "text",
    [
        "\x1e",
        "\x1enothing",
        "\x1e[]",
        "\x1e[1]",
        "\x1e{}",
        "\x1e[2, 3, 4]",
        '\x1e["a", 1]',
        '\x1e["a", "b"]',
        '\x1e["a", 1, ""]',
        '\x1e["{x}", {}, "several"]',
        '\x1e["{x!r}", {"x": "a"}, ""]',
        '\x1e["{x[0]}", {"x": "a"}, ""]',
        '\x1e["{x.__class__}", {"x": "a"}, ""]',
        '\x1e["{x:>999999999}", {"x": "a"}, ""]',
        '\x1e["{x}", {"x": "a", "count": 2}, "{x:>999999999}"]',
        "\x1enull",
        pytest.param("\x1e" + "[" * 100_000, id="nested"),
    ],
)
def test_what_only_begins_like_a_packed_phrase_stays_as_it_is(text: str) -> None:
    assert unpack(text) == text


@pytest.mark.parametrize("marks", [1, 2, 3])
def test_what_a_person_wrote_is_never_read_back_as_a_phrase(marks: int) -> None:
    written = "\x1e" * marks + '["{name} won", {"name": "ann"}, ""]'
    assert not isinstance(unpack(pack(written)), Phrase)
    whole, row = unpack(pack(phrase("no: {text}", text=written))), unpack(pack(Listing([written])))
    assert isinstance(whole, Phrase)
    assert not isinstance(whole.values["text"], Phrase)
    assert isinstance(row, Listing)
    assert not isinstance(row.items[0], Phrase)


def test_a_compiled_catalogue_does_not_tell_when_it_was_made() -> None:
    """So that two builds of a release are equal, whenever they are made."""
    text = find_catalogue("de").read_bytes()
    compiled = compile_catalogue(text)
    year = str(datetime.now(UTC).year).encode()
    head = compiled[compiled.index(b"Project-Id") : compiled.index(b"Content-Type")]
    assert b"Creation-Date: 1970-01-01" in head
    assert year not in head


def test_what_is_not_clear_alone_has_a_context_for_translators(tmp_path: Path) -> None:
    """A comment of the engineer, or where it stands; `pbm check-language` shows it."""
    forms = [(each, list_forms(each.id)[0]) for each in find_sentences() if each.id]
    short = [(each, form) for each, form in forms if is_short(form)]
    assert len(short) > 100
    assert [form for each, form in short if not each.auto_comments] == []
    file = tmp_path / "de.po"
    entry = '#. links under a board\nmsgid "first"\nmsgstr ""\n'
    file.write_text(f"{HEAD}\n{entry}", encoding="utf-8")
    said = CliRunner().invoke(command, [str(file)]).output
    assert said.startswith("not translated: first\n  (links under a board)\n")
