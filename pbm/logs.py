"""The log: one line an event on standard error, plain or as JSON.

No event carries a secret or the text of an exception, which may quote a mail: of an exception only
its kind and its place are written, for this program's own events and for those of libraries."""

from __future__ import annotations

import json
import logging
import os
import socket
import ssl
import sys
import threading
import traceback
from collections.abc import Mapping, MutableMapping
from typing import Any, TextIO

import structlog

_LONGEST = 300


def set_up(format: str, stream: TextIO | None = None) -> None:
    """Write events in that format from now on, also those of libraries from WARNING up and what
    ends a thread."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="at_time"),
            _replace_errors,
            _format_json if format == "json" else _format_line,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(stream or sys.stderr),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[_Library()], level=logging.WARNING, force=True)
    threading.excepthook = _log_dead_thread


def place(error: BaseException) -> str:
    """Return file and line where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else ""


def describe_cause(error: BaseException) -> str:
    """Return what a database, TLS or the system says of an error, without any data: SQLite's name
    for it and its words, the SQLSTATE of PostgreSQL, what is wrong with a certificate, the words
    for an errno; else ""."""
    reason: Any = getattr(error, "orig", None) or error
    if getattr(reason, "sqlite_errorname", None):
        words = f": {reason}" if type(reason).__name__ == "OperationalError" else ""
        return f"{reason.sqlite_errorname}{words}"
    if getattr(reason, "sqlstate", None):
        return f"{reason.sqlstate} {type(reason).__name__}"
    if isinstance(reason, ssl.SSLCertVerificationError):
        return reason.verify_message
    if isinstance(reason, ssl.SSLError | socket.gaierror):
        return reason.strerror or ""
    if isinstance(reason, TimeoutError) and reason.errno is None:
        return "no answer in time"
    return os.strerror(reason.errno) if isinstance(reason, OSError) and reason.errno else ""


class LoggedOnce(Exception):
    """An error that every part of a server meets and one of them logs, in an event of its own:
    events that are about it are left out."""


class Outage:
    """What fails again and again is logged when it begins, and whenever it fails in another way."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._last = ""

    def report(self, error: BaseException, **facts: Any) -> None:
        """Report that it has failed."""
        now = f"{type(error).__name__} {place(error)} {describe_cause(error)}"
        if now != self._last:
            structlog.get_logger().error(self._event, exc_info=error, **facts)
        self._last = now

    def end(self) -> None:
        """Note that it works again."""
        self._last = ""


def _replace_errors(
    _logger: Any, _method: str, event: MutableMapping[str, Any]
) -> Mapping[str, Any]:
    """Replace an exception by its kind and its place, wherever it stands in the event."""
    error = event.pop("exc_info", None)
    if isinstance(error, tuple):
        error = error[1]
    elif error and not isinstance(error, BaseException):
        error = sys.exc_info()[1]
    event.pop("stack_info", None)
    if isinstance(error, LoggedOnce):
        raise structlog.DropEvent
    if isinstance(error, BaseException):
        event.setdefault("error", type(error).__name__)
        event.setdefault("at", place(error))
        if text := describe_cause(error):
            event.setdefault("cause", text)
    for name, value in event.items():
        if isinstance(value, BaseException):
            event[name] = type(value).__name__
    return event


def _format_json(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> str:
    """Return one JSON object: time, level, event and what else is known."""
    return json.dumps(_order_fields(event), default=str)


def _format_line(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> str:
    """Format an entry as time, level and event, then name=value for what is known; a value with
    blanks or control characters is quoted as in JSON."""
    fields = _order_fields(event)
    head = f"{fields.pop('time')} {fields.pop('level'):<7} {_quote_word(fields.pop('event'), ' ')}"
    named = (f"{name}={_quote_word(value)}" for name, value in fields.items() if value is not None)
    return " ".join([head, *named])


def _order_fields(event: MutableMapping[str, Any]) -> dict[str, Any]:
    fields = {
        "time": event.pop("at_time"),
        "level": event.pop("level"),
        "event": event.pop("event"),
        **event,
    }
    return {
        name: value[:_LONGEST] if isinstance(value, str) else value
        for name, value in fields.items()
    }


def _quote_word(value: Any, allowed: str = "") -> str:
    text = str(value)
    plain = all(
        letter in allowed or (letter.isprintable() and letter not in ' "=') for letter in text
    )
    return text if plain and text else json.dumps(text)


class _Library(logging.Handler):
    """Events of libraries. Their arguments stay out, and all but the first line: they may quote."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write the event under the name of the library."""
        text = str(record.msg).partition("\n")[0]
        structlog.get_logger().log(
            record.levelno, text, library=record.name, exc_info=record.exc_info
        )


def _log_dead_thread(args: threading.ExceptHookArgs) -> None:
    name = args.thread.name if args.thread is not None else ""
    structlog.get_logger().error("thread died", thread=name, exc_info=args.exc_value)
