"""Options of a game, declared as data: the challenge command, the command line and the help are
made from the declarations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pbm.rules.typed import quoted

Value: TypeAlias = int | float | bool | str


class OptionError(ValueError):
    """An option or a number of players that the game does not take; the text says what it does."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game.

    kind      "int" and "float" (from `low` to `high`), "flag" (off unless given), "choice" (one of
              `choices`), "text" (anything `pattern` describes; the game checks it)
    default   the value when it is not given; None where the game means "no limit" or the like
    shown     how the help writes the default and the allowed text where the plain form misleads
    unrated   a board with this option given is not rated
    """

    name: str
    kind: str
    help: str
    default: Value | None = None
    low: float = 0
    high: float = 0
    choices: tuple[str, ...] = ()
    pattern: str = ""
    unrated: bool = False
    shown: str = ""

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if self.kind in ("int", "float"):
            return f"a number from {self.low:g} to {self.high:g}"
        if self.kind == "choice":
            return "one of " + ", ".join(self.choices)
        return self.pattern or "given without a value"

    @property
    def usage(self) -> str:
        """How it is written: `-size=2..6`, `-must_reduce`."""
        if self.kind == "flag":
            return f"-{self.name}"
        if self.kind in ("int", "float"):
            return f"-{self.name}={self.low:g}..{self.high:g}"
        return f"-{self.name}={'|'.join(self.choices) or self.pattern}"

    def read(self, value: Value) -> Value:
        """The value in its declared type; text is understood. OptionError lists what is allowed."""
        wrong = OptionError(f"-{self.name} is {self.allowed}, not {quoted(str(value))}")
        if self.kind == "flag":
            if isinstance(value, str):
                value = {
                    "": True,
                    "yes": True,
                    "true": True,
                    "on": True,
                    "1": True,
                    "no": False,
                    "false": False,
                    "off": False,
                    "0": False,
                }.get(value.strip().lower(), value)
            if not isinstance(value, bool):
                raise wrong
            return value
        if isinstance(value, bool):
            raise OptionError(f"-{self.name} needs a value: {self.allowed}")
        if self.kind in ("int", "float"):
            try:
                number = float(value)
                whole = int(value) if isinstance(value, (str, int)) else int(number)
            except (ValueError, OverflowError):
                try:
                    whole, number = 0, float(value)
                except (ValueError, OverflowError):
                    raise wrong from None
                if self.kind == "int":
                    raise wrong from None
            if not self.low <= number <= self.high or (self.kind == "int" and whole != number):
                raise wrong
            return whole if self.kind == "int" else number
        text = str(value).strip().lower()
        if self.kind == "choice" and text not in self.choices:
            raise wrong
        return text


def settle(options: Iterable[Option], values: Mapping[str, Value]) -> dict[str, Value]:
    """Every declared option with its value: the given one in its type, or the default (an option
    without a default that is not given is left out). OptionError for an unknown name."""
    declared = {option.name: option for option in options}
    for name in values:
        if name not in declared:
            usages = ", ".join(option.usage for option in declared.values())
            raise OptionError(
                f"there is no option -{name}; "
                + (f"the options are {usages}" if usages else "this game has no options")
            )
    settled: dict[str, Value] = {}
    for name, option in declared.items():
        if name in values:
            settled[name] = option.read(values[name])
        elif option.kind == "flag":
            settled[name] = bool(option.default)
        elif option.default is not None:
            settled[name] = option.default
    return settled
