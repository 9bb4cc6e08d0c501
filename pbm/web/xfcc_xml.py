"""The XML of Xfcc, the calls with which chess programs fetch games and send moves: bounded to read,
without entities, and to write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from xml.parsers import expat
from xml.sax.saxutils import escape

NAMESPACE = "http://www.bennedik.com/webservices/XfccBasic"
LARGEST = 16_384
"""How many bytes of a call are read."""
_DEEPEST, _MOST = 8, 40
_ENVELOPE = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">'
    "<soap:Body>{body}</soap:Body></soap:Envelope>\n"
)


class UnreadableCall(ValueError):
    """What came is no call; the text says why."""


class XfccCall(NamedTuple):
    """A call: its name, and its parameters by their names in lower case."""

    name: str
    values: Mapping[str, str]

    def is_set(self, name: str) -> bool:
        """Whether a parameter that is true or false is true."""
        return self.values.get(name, "").strip().lower() in ("true", "1")


class _Reader:
    """Reads a call as expat reports it."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.call = ""
        self.values: dict[str, str] = {}
        self._count = 0

    def begin(self, name: str, _attributes: object) -> None:
        """Enter an element."""
        self._count += 1
        if len(self.names) >= _DEEPEST or self._count > _MOST:
            raise UnreadableCall("a call has fewer elements")
        self.names.append(name.rpartition(":")[2])
        if len(self.names) == 3 and not self.call:
            self.call = self.names[-1]
        if len(self.names) == 4:
            key = self.names[-1].lower()
            if key in self.values:
                raise UnreadableCall("a call has each parameter once")
            self.values[key] = ""

    def end(self, _name: str) -> None:
        """Leave an element."""
        self.names.pop()

    def add(self, text: str) -> None:
        """Take text of a parameter."""
        if len(self.names) == 4:
            self.values[self.names[-1].lower()] += text

    def refuse(self, *_declared: object) -> None:
        """Refuse what no call has: a document type, with which entities are declared."""
        raise UnreadableCall("a call declares nothing")


def read_call(body: bytes) -> XfccCall:
    """Return the call in an envelope. UnreadableCall where there is none."""
    reader, parser = _Reader(), expat.ParserCreate()
    parser.StartElementHandler = reader.begin
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.add
    parser.StartDoctypeDeclHandler = reader.refuse
    parser.EntityDeclHandler = reader.refuse
    parser.ProcessingInstructionHandler = reader.refuse
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        if isinstance(error, UnreadableCall):
            raise
        raise UnreadableCall("this is no XML") from None
    return XfccCall(reader.call, reader.values)


def write_fault(text: str) -> str:
    """Write why there is no answer."""
    fault = f"<faultcode>soap:Client</faultcode><faultstring>{escape(text)}</faultstring>"
    return _ENVELOPE.format(body=f"<soap:Fault>{fault}</soap:Fault>")


def write_result(name: str, result: str) -> str:
    """Write what came of a call, as XML in its element."""
    inside = f"<{name}Result>{result}</{name}Result>"
    return _ENVELOPE.format(body=f'<{name}Response xmlns="{NAMESPACE}">{inside}</{name}Response>')


def write_element(name: str, values: Mapping[str, str]) -> str:
    """Write an element with elements of text."""
    inside = "".join(f"<{key}>{escape(text)}</{key}>" for key, text in values.items())
    return f"<{name}>{inside}</{name}>"
