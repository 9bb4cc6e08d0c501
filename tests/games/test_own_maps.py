"""Maps of Diplomacy of an operator's own: a file of the configuration is a game on the shelf, and
each of its faults gets its sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbm import games
from pbm.cli.authors.check_game import command as check_game
from pbm.cli.authors.try_game import command as try_game
from pbm.config import adopt, load
from pbm.features.finding.game_page import build_game_page
from pbm.games import get_game
from pbm.games.dip.own_map import read_own_map
from pbm.rules.diplomacy.maps import MapError
from pbm.rules.game import Position
from tools.games.map_shapes import shape_map

_PAGE = Path(__file__).parents[2] / "docs" / "rules" / "diplomacy.md"
STRAIT = _PAGE.read_text(encoding="utf-8").split("```\n")[1]
"""The example of the documentation."""
DRAWN = STRAIT[STRAIT.index("at SEE") :]
HOLES = (
    ("neutral  CCC", "", "CCC is a centre without a home: no power's, and not neutral."),
    ("fleet    SEE BBB/SC", "fleet    SEE", "BBB/SC has CCC as a neighbour for a fleet, but CCC "
     "does not have BBB/SC."),
    (DRAWN, "", "The map does not say where its places are drawn: at PAR 2.7 6.9"),
)  # fmt: skip


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Path]:
    """A configuration with a map file, which is gone afterwards."""
    toml = tmp_path / "pbm.toml"
    path = tmp_path / "The-Strait.map"
    toml.write_text(f'[games]\nvariants = ["{path}"]\n')
    path.write_text(STRAIT)
    yield toml
    games.reload()
    games.bring_variants({}, {})


def order(position: Position, seat: int, text: str) -> Position:
    while text:
        move, text = position.parse(text, seat)
        position = position.play(seat, move)
    return position


def test_a_map_is_a_game_of_its_own(shelf: Path) -> None:
    load(str(shelf), {})
    game = get_game("thestrait")
    assert (game.info.title, game.info.players) == ("Strait", (2,))
    assert "thestrait" in games.list_shown_names()
    position = game.setup(2)
    assert position.seat_names == ("Red", "Blue")
    assert position.game is game
    position = order(order(position, 0, "A Aland - BBB"), 1, "F BBB - SEE")
    again = game.decode(position.encode())
    assert again == position
    assert "Fall 1901, movement" in again.picture(0).text
    page = build_game_page(game)
    assert "Hold 2 of the 3 supply centres" in page
    assert "A AAA H" in page
    assert max(map(len, page.splitlines())) <= 78
    standard = get_game("dip").setup(7)
    assert standard.game.info.name == "dip"


def test_each_hole_gets_its_sentence_and_a_reload_reads_the_file_again(shelf: Path) -> None:
    config, path = load(str(shelf), {}), shelf.with_name("The-Strait.map")
    before = get_game("thestrait").info.version
    text = STRAIT
    for old, new, _ in HOLES[:2]:
        text = text.replace(old, new)
    path.write_text(text)
    assert adopt(config, load(str(shelf), {})) == []
    found = [fault for fault in games.list_faults() if fault.package == str(path)]
    assert {fault.cause for fault in found} == {sentence for _, _, sentence in HOLES[:2]}
    path.write_text(STRAIT.replace("victory  2", "victory  3"))
    assert adopt(config, load(str(shelf), {})) == []
    assert get_game("thestrait").info.version != before
    assert not [fault for fault in games.list_faults() if fault.package == str(path)]


def test_a_map_cannot_take_the_name_of_another_game(shelf: Path) -> None:
    path = shelf.with_name("hex.map")
    path.write_text(STRAIT)
    shelf.write_text(f'[games]\nvariants = ["{path}"]\n')
    load(str(shelf), {})
    assert get_game("hex").info.title == "Hex"
    assert any("taken by another game" in fault.cause for fault in games.list_faults())


@pytest.mark.parametrize(("old", "new", "sentence"), HOLES, ids=[each[2] for each in HOLES])
def test_authors_commands_take_a_map(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    path = tmp_path / "strait.map"
    path.write_text(STRAIT)
    checked = CliRunner().invoke(
        check_game, [str(path), "--games", "1", "--moves", "20", "--whole", "0"]
    )
    assert (checked.exit_code, "Strait: nothing found" in checked.output) == (0, True), (
        checked.output
    )
    played = CliRunner().invoke(try_game, [str(path), "--random", "1"])
    assert played.exit_code == 0, played.output
    assert STRAIT.count(old) == 1
    path.write_text(STRAIT.replace(old, new))
    refused = CliRunner().invoke(check_game, [str(path)])
    assert refused.exit_code == 1
    assert sentence in str(refused.exception) + refused.output


def test_a_map_may_begin_like_one_that_is_there(tmp_path: Path, shelf: Path) -> None:
    path = shelf.with_name("winter.map")
    path.write_text("like standard\ntitle Winter in Europe\nfirst Fall 1914\n")
    shelf.write_text(f'[games]\nvariants = ["{path}"]\n')
    load(str(shelf), {})
    position = get_game("winter").setup(7)
    assert len(position.scene().pieces) == 22
    assert "Fall 1914, movement" in position.picture(None).text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title    Strait", "title    " + "S" * 100_000),
        ("title    Strait", "title    \x1b[2JStrait"),
        ("victory  2", "victory  " + "9" * 5_000),
        ("at BBB    3 5", "at BBB    " + "9" * 400 + " 5"),
        ("at BBB    3 5", "at BBB    3." + "9" * 400 + " 5"),
        ("victory  2", "victory  2\n" + "nonsense\n" * 100_000),
        ("victory  2", "victory  2\n" + "".join(f"power P{n}\n" for n in range(100_000))),
    ],
    ids=["title", "escape", "victory", "place", "fraction", "lines", "powers"],
)
def test_a_hostile_map_gets_a_few_short_sentences(old: str, new: str) -> None:
    """The server starts with it all the same."""
    assert STRAIT.count(old) == 1
    with pytest.raises(MapError) as caught:
        read_own_map(STRAIT.replace(old, new), "strait")
    assert 1 <= len(caught.value.faults) <= 101
    assert all(len(fault) < 200 and "\x1b" not in fault for fault in caught.value.faults)


def test_a_map_of_areas_is_drawn_as_such_and_one_without_by_discs(tmp_path: Path) -> None:
    drawn = tmp_path / "strait.map"
    drawn.write_text(STRAIT)
    assert shape_map(drawn) == []
    text = drawn.read_text()
    heights = [float(line.split()[-1]) for line in text.splitlines() if line.startswith("name ")]
    assert min(heights) > 1.5 + 0.15, "the map begins at 1.5, and a name reaches up 0.1"
    assert shape_map(drawn, "-  5 2.5") == [], "run again"
    assert drawn.read_text().count("\narea AAA ") == text.count("\narea AAA ") == 1
    assert "\nimpassable " in drawn.read_text()
    scenes = [read_own_map(each, "strait").setup(2).scene() for each in (STRAIT, drawn.read_text())]
    assert [scene.ground for scene in scenes] == ["", "map"]
    discs, areas = scenes
    assert all(isinstance(place.shape, float) for place in discs.places)
    assert {place.name for place in areas.places} == {place.name for place in discs.places}
    shapes = {place.name: place.shape for place in areas.places}
    assert [name for name, shape in shapes.items() if isinstance(shape, float)] == [
        "bbb/nc",
        "bbb/sc",
    ]
    borders = {
        name: {frozenset(side) for side in zip(shape, (*shape[1:], shape[0]), strict=True)}
        for name, shape in shapes.items()
        if not isinstance(shape, float)
    }
    assert not borders["aaa"].isdisjoint(borders["bbb"])
    assert not borders["see"].isdisjoint(borders["ccc"])
    assert borders["aaa"].isdisjoint(borders["ccc"]), "they are no neighbours"
