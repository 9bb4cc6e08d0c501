"""Options: how values are parsed, what is refused and with what message."""

import pytest

from pbm.rules import Option, OptionError, Value
from pbm.rules.options import settle

SIZE = Option("size", "int", "how large", 8, 3, 19)
KOMI = Option("komi", "float", "points for white", 6.5, -10, 10)
SWAP = Option("swap", "flag", "with the swap rule")
BOARD = Option("board", "choice", "which board", "plain", choices=("plain", "torus"))
START = Option("start", "text", "who stands where", pattern="a cell for each seat")
LIMIT = Option("limit", "int", "how many there are", low=1, high=9, shown="unlimited")
ALL = (SIZE, KOMI, SWAP, BOARD, START, LIMIT)


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (SIZE, 3, 3),
        (SIZE, "19", 19),
        (SIZE, " 7 ", 7),
        (SIZE, 5.0, 5),
        (KOMI, "-0.5", -0.5),
        (KOMI, 3, 3.0),
        (SWAP, True, True),
        (SWAP, "", True),
        (SWAP, "Yes", True),
        (SWAP, "off", False),
        (BOARD, "Torus ", "torus"),
        (START, " A1 B2", "a1 b2"),
    ],
)
def test_a_value_is_read_in_its_type(option: Option, given: Value, value: Value) -> None:
    read = option.read(given)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("option", "given"),
    [
        (SIZE, 2),
        (SIZE, 20),
        (SIZE, "8.5"),
        (SIZE, 8.5),
        (SIZE, "eight"),
        (SIZE, ""),
        (SIZE, "nan"),
        (SIZE, "9" * 5000),
        (SIZE, float("inf")),
        (SIZE, True),
        (KOMI, "nan"),
        (KOMI, "inf"),
        (KOMI, 10.5),
        (KOMI, "1e999"),
        (KOMI, False),
        (SWAP, "perhaps"),
        (SWAP, 1),
        (BOARD, "round"),
        (BOARD, ""),
        (BOARD, True),
        (START, True),
    ],
)
def test_another_value_is_refused(option: Option, given: Value) -> None:
    with pytest.raises(OptionError) as refused:
        option.read(given)
    assert f"-{option.name} " in str(refused.value)
    assert option.allowed in str(refused.value)


def test_a_refusal_repeats_the_value_in_bounds() -> None:
    with pytest.raises(OptionError) as refused:
        BOARD.read("\u00e9" * 3000)
    text = str(refused.value)
    assert text.isprintable()
    assert len(text) < 120
    with pytest.raises(OptionError, match="-size is a number from 3 to 19, not 'big'"):
        SIZE.read("big")


@pytest.mark.parametrize(
    ("option", "usage", "allowed"),
    [
        (SIZE, "-size=3..19", "a number from 3 to 19"),
        (KOMI, "-komi=-10..10", "a number from -10 to 10"),
        (SWAP, "-swap", "given without a value"),
        (BOARD, "-board=plain|torus", "one of plain, torus"),
        (START, "-start=a cell for each seat", "a cell for each seat"),
    ],
)
def test_how_it_is_written_and_what_is_allowed(option: Option, usage: str, allowed: str) -> None:
    assert option.usage == usage
    assert option.allowed == allowed


def test_settled_options_have_their_defaults() -> None:
    assert settle(ALL, {}) == {"size": 8, "komi": 6.5, "swap": False, "board": "plain"}


def test_settled_options_have_what_was_given_in_the_order_declared() -> None:
    settled = settle(ALL, {"limit": "4", "swap": True, "size": "9"})
    assert list(settled) == ["size", "komi", "swap", "board", "limit"]
    assert (settled["size"], settled["swap"], settled["limit"]) == (9, True, 4)


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    with pytest.raises(OptionError, match=r"no option -depth; the options are -size=3\.\.19"):
        settle(ALL, {"depth": 3})
    with pytest.raises(OptionError, match="this game has no options"):
        settle((), {"depth": 3})
