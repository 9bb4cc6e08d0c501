"""A plugin whose game cannot be loaded does not affect the other games."""

import pytest

import pbm.features  # noqa: F401 (reserves the words of commands)
from pbm.games import (
    MissingGame,
    UnknownGame,
    expect,
    get_game,
    list_faults,
    list_game_names,
    list_missing_names,
)
from tests.harness.packages import Packages, nim


def test_the_game_of_a_plugin_is_registered(packages: Packages) -> None:
    packages.install("nim", nim())
    assert get_game("nim").info.title == "Nim"
    assert list_faults() == []


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        (None, "ModuleNotFoundError: No module named 'pbm_nim'"),
        ("import nosuchmodule", "ModuleNotFoundError: No module named 'nosuchmodule'"),
        (
            "from pbm.rules.families.move_lists import Listed",
            "ImportError: cannot import name 'Listed' from 'pbm.rules.families.move_lists'",
        ),
        ("raise KeyError('x')", "KeyError: 'x'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def", "SyntaxError: invalid syntax"),
        ("", "AttributeError: module 'pbm_nim' has no attribute 'GAME'"),
        ("GAME = object()", "it is not an instance of pbm.rules.Game with a GameInfo"),
        (nim(info=", name='Nim!'"), "its name or alias 'Nim!' is not lower case"),
        (nim(info=", name='chess'"), "the name chess is taken by another game"),
        (nim(info=", aliases=('chess',)"), "the name chess is taken by another game"),
        (nim(info=", aliases=('checkers',)"), "the name checkers is taken by another game"),
        (nim(info=", name='move'"), "the name move is taken by a word of the command language"),
        (nim(info=", aliases=('info',)"), "the name info is taken by a word of the command"),
        (nim(info=", seats={}"), "its seats do not have a name each for every number of players"),
        (nim().replace("version=1", "version='1'"), "its version is not a number"),
        (nim(info=", help=None"), "its version is not a number, or its title, summary or help"),
        (nim(info=", options=('size',)"), "its options are not all instances of Option"),
    ],
)
def test_a_broken_game_is_left_out_and_the_cause_recorded(
    packages: Packages, source: str | None, cause: str
) -> None:
    before, chess = list_game_names(), get_game("chess")
    packages.install("nim", source)
    assert list_game_names() == before
    assert get_game("chess").info is chess.info
    (fault,) = list_faults()
    assert (fault.name, fault.package) == ("nim", "pbm-nim")
    assert fault.cause.startswith(cause)
    with pytest.raises(MissingGame):
        get_game("Nim")


def test_of_two_plugins_with_one_name_the_first_wins(packages: Packages) -> None:
    packages.install("nim", nim())
    packages.install("zwei", nim(info=", title='Nim II'"))
    assert get_game("nim").info.title == "Nim"
    assert [fault.name for fault in list_faults()] == ["zwei"]
    with pytest.raises(MissingGame):
        get_game("zwei")


def test_a_game_with_boards_is_missing_when_its_plugin_is_gone(packages: Packages) -> None:
    expect(["nim", "chess"])
    assert list_missing_names() == ["nim"]
    with pytest.raises(MissingGame):
        get_game("nim")
    with pytest.raises(UnknownGame) as raised:
        get_game("nosuchgame")
    assert not isinstance(raised.value, MissingGame)
