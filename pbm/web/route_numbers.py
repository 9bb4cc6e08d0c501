"""Numbers in the paths of pages: those of boards and events, of at most nine digits.

No page has a longer one, and no database takes it; importing this makes `{name:number}` known."""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor


class NumberConvertor(Convertor[int]):
    """The number of a board or an event."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        """Return the number in a path."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Return the number as a path has it."""
        return str(value)


register_url_convertor("number", NumberConvertor())
