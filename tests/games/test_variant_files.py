"""The operator's own variants: files of the configuration whose sections are on the shelf, and the
author's commands that take such a file."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbm import games
from pbm.cli.authors.check_game import command as check_game
from pbm.cli.authors.try_game import command as try_game
from pbm.cli.doctor.host import check_games
from pbm.config import MOST_BYTES, Config, adopt, load
from pbm.games import MissingGame, UnknownGame, get_game

GOOD = "[hillside:chess]\nflagPiece = k\nflagRegion = *5\n\n"
BAD = "[broken:chess]\nfrobnicate = true\n"
SMALL = (
    "[tiny:losalamos]\nmaxFile = 4\nstartFen = rnqk/pppp/4/4/PPPP/RNQK w - - 0 1\n"
    "nMoveRule = 20\n\n"
)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Path]:
    """A configuration with a file of variants, which is gone afterwards."""
    ini, toml = tmp_path / "mine.ini", tmp_path / "pbm.toml"
    toml.write_text(f'[games]\nvariants = ["{ini}"]\n')
    ini.write_text(GOOD + BAD)
    yield toml
    games.reload()
    games.bring_variants({}, {})


def reload(config: Config, toml: Path) -> None:
    assert adopt(config, load(str(toml), {})) == []


def test_sections_are_on_the_shelf_and_a_faulty_one_is_named(shelf: Path) -> None:
    load(str(shelf), {})
    game = get_game("hillside")
    assert game.setup(2).legal_moves(0)
    assert "hillside" in games.list_game_names()
    assert "hillside" not in games.list_shown_names()
    (fault,) = [each for each in games.list_faults() if each.name == "broken"]
    assert fault.package == str(shelf.with_name("mine.ini"))
    assert "[broken]: frobnicate" in fault.cause


def test_a_reload_reads_the_file_again_and_a_board_of_what_is_gone_waits(shelf: Path) -> None:
    config = load(str(shelf), {})
    before = get_game("hillside").info.version
    ini = shelf.with_name("mine.ini")
    ini.write_text(GOOD.replace("*5", "*6"))
    reload(config, shelf)
    assert get_game("hillside").info.version != before
    assert [fault for fault in games.list_faults() if fault.name == "broken"] == []
    ini.write_text(SMALL)
    reload(config, shelf)
    games.expect(["hillside"])
    with pytest.raises(MissingGame):
        get_game("hillside")
    assert get_game("tiny").info.title == "Tiny"
    ini.unlink()
    reload(config, shelf)
    assert any("cannot be read" in fault.cause for fault in games.list_faults())
    with pytest.raises(UnknownGame):
        get_game("tiny")


def test_what_is_no_file_or_too_long_is_a_fault_and_not_read_for_ever(shelf: Path) -> None:
    ini = shelf.with_name("mine.ini")
    ini.write_bytes(b"#" * (MOST_BYTES + 1))
    pipe, folder = shelf.with_name("pipe.ini"), shelf.with_name("folder.ini")
    os.mkfifo(pipe)
    folder.mkdir()
    binary = shelf.with_name("binary.ini")
    binary.write_bytes(bytes(range(256)))
    paths = [ini, pipe, folder, binary, Path("/dev/zero")]
    shelf.write_text(f"[games]\nvariants = {[str(path) for path in paths]}\n")
    load(str(shelf), {})
    causes = {fault.package: fault.cause for fault in games.list_faults()}
    assert [causes[str(path)] for path in paths] == [
        "the file is longer than 4,000,000 bytes",
        "it is no file",
        "it is no file",
        "the file is not UTF-8 text",
        "it is no file",
    ]
    refused = CliRunner().invoke(check_game, [str(ini)])
    assert "longer than 4,000,000 bytes" in str(refused.exception) + refused.output
    (finding, *_) = [each for each in check_games() if str(ini) in each.says]
    assert "systemctl reload pbm" in finding.do


def test_a_section_cannot_take_the_name_of_another_game(shelf: Path) -> None:
    shelf.with_name("mine.ini").write_text("[hex:chess]\nmustCapture = true\n")
    load(str(shelf), {})
    assert get_game("hex").info.title == "Hex"
    assert any("taken by another game" in fault.cause for fault in games.list_faults())


def test_authors_commands_take_a_file_and_a_section(tmp_path: Path) -> None:
    path = tmp_path / "mine.ini"
    path.write_text(SMALL)
    checked = CliRunner().invoke(check_game, [str(path), "--games", "1", "--moves", "20"])
    assert (checked.exit_code, "Tiny: nothing found" in checked.output) == (0, True), checked.output
    played = CliRunner().invoke(try_game, [str(path), "tiny", "--random", "1"])
    assert played.exit_code == 0, played.output
    path.write_text(SMALL + BAD)
    refused = CliRunner().invoke(check_game, [str(path)])
    assert refused.exit_code != 0
    assert "[broken]: frobnicate" in str(refused.exception) + refused.output
    played = CliRunner().invoke(try_game, [str(path), "tiny", "--random", "1"])
    assert played.exit_code == 0, played.output
    faulty = CliRunner().invoke(try_game, [str(path), "broken", "--random", "1"])
    assert "[broken]: frobnicate" in str(faulty.exception) + faulty.output
