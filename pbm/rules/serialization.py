"""Serialize positions whose dataclass fields are the whole state.

Options and the number of players are stored beside a position, and fields that do not take part in
comparison are not stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from pbm.rules.game import Position
from pbm.rules.options import Value
from pbm.rules.outcome import Outcome
from pbm.rules.phrases import pack, unpack

P = TypeVar("P", bound=Position)
_BESIDE = ("options", "players")


@cache
def _serialized_names(kind: type[Any]) -> tuple[str, ...]:
    """Return the names of the fields that `dump_fields` writes, in order."""
    return tuple(f.name for f in fields(kind) if f.compare and f.name not in _BESIDE)


def dump_fields(position: Position) -> list[Any]:
    """Return the values of the fields of a position, for its `dump`."""
    return [_to_json(getattr(position, name)) for name in _serialized_names(type(position))]


def load_fields(kind: type[P], options: Mapping[str, Value], data: list[Any], **beside: Any) -> P:
    """Return the position of that class from the values of `dump_fields`; `beside` are the fields
    that it does not write, such as `players`."""
    values = {
        name: _to_tuples(value) for name, value in zip(_serialized_names(kind), data, strict=True)
    }
    if over := values.get("outcome"):
        values["outcome"] = Outcome(over[0], unpack(over[1]))
    return kind(**{**values, **beside, "options": options})


def _to_json(value: Any) -> Any:
    return [value.ranks, pack(value.reason)] if isinstance(value, Outcome) else value


def _to_tuples(value: Any) -> Any:
    return tuple(map(_to_tuples, value)) if isinstance(value, list) else value
