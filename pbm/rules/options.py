"""Options of a game, declared as data.

The challenge command, the command line and the help are generated from the declarations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pbm.rules.phrases import Phrase, fill_in, make_phrase, phrase
from pbm.rules.typed import listing, quoted

Value: TypeAlias = int | float | bool | str


class OptionError(ValueError):
    """An option or number of players that the game does not allow; the text says what it allows.
    `missing` is what makes the options of a board allowed if it is added to them: `-num_each=6`."""

    def __init__(self, text: str, missing: str = "") -> None:
        super().__init__(text)
        self.missing = missing


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game.

    kind      "int" and "float" (from `low` to `high`), "flag" (off unless given), "choice" (one of
              `choices`), "text" (as `pattern` describes it; the game validates it)
    default   the value when it is not given; None for "no limit" and the like
    shown the default in the help, where the plain value would mislead
    unrated   whether giving this option makes a board unrated
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
        """The allowed values, in words."""
        if self.kind in ("int", "float"):
            return phrase(
                "a number from {low} to {high}", low=f"{self.low:g}", high=f"{self.high:g}"
            )
        if self.kind == "choice":
            return phrase("one of {choices}", choices=", ".join(self.choices))
        return self.pattern or phrase("given without a value")

    @property
    def usage(self) -> str:
        """The option in written form: `-size=2..6`, `-must_reduce`."""
        if self.kind == "flag":
            return f"-{self.name}"
        if self.kind in ("int", "float"):
            return f"-{self.name}={self.low:g}..{self.high:g}"
        return f"-{self.name}={'|'.join(self.choices) or self.pattern}"

    def read(self, value: Value) -> Value:
        """Return the value in its declared type; strings are parsed. OptionError lists what is
        allowed."""
        wrong = OptionError(
            phrase(
                "{option} is {allowed}, not {value}",
                option=make_phrase(f"-{self.name}"),
                allowed=self.allowed,
                value=quoted(str(value)),
            )
        )
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
            raise OptionError(
                phrase(
                    "{option} needs a value: {allowed}",
                    option=make_phrase(f"-{self.name}"),
                    allowed=self.allowed,
                )
            )
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
    """Return each declared option with its value: the given one in its type, or the default (an
    option that has no default and is not given is left out). OptionError for an unknown name."""
    declared = {option.name: option for option in options}
    for name in values:
        if name not in declared:
            usages = ", ".join(option.usage for option in declared.values())
            raise OptionError(
                phrase(
                    "there is no option -{name}; the options are {usages}", name=name, usages=usages
                )
                if usages
                else phrase("there is no option -{name}; this game has no options", name=name)
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


def read_colours(
    text: str, colours: Sequence[str], count: int, *, twice: Phrase, too_few: Phrase
) -> tuple[str, ...]:
    """Return the different colours in a text, `count` of them, separated by commas. OptionError for
    any other text, with `twice` ({option}, {word}) or `too_few` ({option}, {players}, {named})."""
    words = tuple(word.strip() for word in text.split(","))
    for word in words:
        if word not in colours:
            raise OptionError(
                phrase(
                    "{option} takes {colours}, not {word}",
                    option=make_phrase("-colors"),
                    colours=listing(colours),
                    word=quoted(word),
                )
            )
        if words.count(word) > 1:
            raise OptionError(fill_in(twice, option=make_phrase("-colors"), word=word))
    if len(words) != count:
        raise OptionError(
            fill_in(too_few, option=make_phrase("-colors"), players=count, named=len(words))
        )
    return words
