"""Events: their two forms, and that no exception's text gets into them."""

from __future__ import annotations

import io
import json
import logging
import re
import threading

import structlog
from structlog.testing import capture_logs

from pbm import logs

_SECRET = "orchard7"


def _fail() -> None:
    password = _SECRET
    raise ValueError(f"cradle move 1 ann {password}")


def _say_everything() -> None:
    log = structlog.get_logger()
    log.info("mail", mail=3, board=17, player="ann", said='a "b"\x1b[2J\nc')
    try:
        _fail()
    except ValueError as error:
        log.error("failed", mail=4, exc_info=error)
        log.error("failed", mail=5, exc_info=True)
        log.error("failed", mail=6, why=error)
        logging.getLogger("mail.log").exception("lost %r", error)
        logging.getLogger("asyncio").error(f"never retrieved\nfuture: {error!r}")
    log.debug("not shown")
    thread = threading.Thread(target=_fail, name="worker")
    thread.start()
    thread.join()


def test_a_line_an_event_without_the_text_of_exceptions(stream: io.StringIO) -> None:
    logs.set_up("lines", stream)
    _say_everything()
    said = [re.sub(r"^\S+Z ", "", line) for line in stream.getvalue().splitlines()]
    here = re.sub(r":\d+", ":N", "at=test_logs.py:0")
    assert [re.sub(r"\.py:\d+", ".py:N", line) for line in said] == [
        r'info    mail mail=3 board=17 player=ann said="a \"b\"\u001b[2J\nc"',
        f"error   failed mail=4 error=ValueError {here}",
        f"error   failed mail=5 error=ValueError {here}",
        "error   failed mail=6 why=ValueError",
        f"error   lost %r library=mail.log error=ValueError {here}",
        "error   never retrieved library=asyncio",
        f"error   thread died thread=worker error=ValueError {here}",
    ]


def test_an_object_an_event(stream: io.StringIO) -> None:
    logs.set_up("json", stream)
    _say_everything()
    events = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert len(events) == 7
    assert list(events[0])[:3] == ["time", "level", "event"]
    assert (events[0]["mail"], events[0]["board"], events[0]["player"]) == (3, 17, "ann")
    assert (events[1]["level"], events[1]["error"]) == ("error", "ValueError")
    assert _SECRET not in stream.getvalue()


def test_a_long_value_is_cut(stream: io.StringIO) -> None:
    logs.set_up("lines", stream)
    structlog.get_logger().info("mail", said="x" * 5000)
    assert len(stream.getvalue()) < 400


def test_what_fails_again_and_again_is_logged_once() -> None:
    outage = logs.Outage("worker failed")
    with capture_logs() as events:
        for error in (OSError("x"), OSError("x"), ValueError("y")):
            outage.report(error, mails=3)
        outage.end()
        outage.report(ValueError("y"))
    assert [type(event["exc_info"]) for event in events] == [OSError, ValueError, ValueError]
    assert events[0]["mails"] == 3
