"""What is told of each mail on its way: events in the log, with `[log] mails`, and a trace, with
`[tracing] url`. Both carry numbers and codes, no text, address or secret."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy import select

from pbm.config import Config, ConfigError
from pbm.mail.outbox import Delivered, Result, find_answer, find_code, find_message_id, name_result
from pbm.store.engine import Store
from pbm.store.rows import Query, Row
from pbm.store.tables import ASIDE, WAITING, OutboundRow, boards, inbound, players
from pbm.version import find_version

if TYPE_CHECKING:
    from opentelemetry.trace import SpanContext

log = structlog.get_logger()


class FinishedRow(Row):
    """The logged data of a finished mail."""

    id: int
    via: str
    received: float
    finished: float | None
    state: str
    code: str
    refusals: str
    no_answer: str
    board_id: int | None
    game: str | None
    userid: str | None


_FINISHED = (
    select(
        inbound.c.id,
        inbound.c.via,
        inbound.c.received,
        inbound.c.finished,
        inbound.c.state,
        inbound.c.code,
        inbound.c.refusals,
        inbound.c.no_answer,
        inbound.c.board_id,
        boards.c.game,
        players.c.userid,
    )
    .outerjoin(players, players.c.id == inbound.c.player_id)
    .outerjoin(boards, boards.c.id == inbound.c.board_id)
    .where(inbound.c.state != WAITING)
    .order_by(inbound.c.id)
)


class MailEvents:
    """Logs and traces mails in one process of the server. ConfigError when the libraries for traces
    are not installed."""

    def __init__(
        self,
        config: Config,
        store: Store,
        keys: Sequence[bytes],
        name: str,
        clock: Callable[[], float],
    ) -> None:
        self._config = config
        self._store = store
        self._clock = clock
        self._key = keys[0]
        self._name = name
        self._tracer: Tracer | None = None
        if config.tracing.url:
            require_libraries()

    def open(self) -> None:
        """Begin to send traces; call it after any fork, since it starts a thread."""
        if self._config.tracing.url:
            self._tracer = Tracer(self._config.tracing.url, self._key, self._name)

    def note_arrival(self, number: int, row: Mapping[str, Any]) -> None:
        """Log that a mail was stored in the journal."""
        if self._config.log.mails:
            log.info("mail in", mail=number, via=row["via"], code=row.get("code"))
        if self._tracer is not None:
            self._tracer.add_span(
                "journal",
                _name_mail(number),
                row["received"],
                self._clock(),
                parent=_name_mail(number),
                attributes={"mail": number, "via": row["via"]},
            )

    def note_executed(self, numbers: Sequence[int], began: Mapping[int, float]) -> None:
        """Log that these mails were executed, each from its time in `began`, or set aside; mails
        that wait again are left out."""
        if not numbers or not (self._config.log.mails or self._tracer):
            return
        with self._store.reading() as session:
            rows = session.all(Query(FinishedRow, _FINISHED.where(inbound.c.id.in_(numbers))))
        for row in rows:
            if self._config.log.mails:
                _log_executed(row)
            if self._tracer is not None:
                _trace_executed(self._tracer, row, began.get(row.id), self._clock())

    def note_delivery(
        self, row: OutboundRow, result: Result, is_last: bool, began: float, ended: float
    ) -> None:
        """Log that a mail was offered to the relay; `is_last` if it will not be offered again."""
        if self._tracer is None:
            return
        is_lost = is_last and not isinstance(result, Delivered)
        attributes = {
            "mail": row.inbound_id,
            "out": row.id,
            "board": row.board_id,
            "attempt": row.attempts + 1,
            "result": name_result(result, is_last=is_last),
            "why": "" if isinstance(result, Delivered) else find_code(result.why),
            "message_id": find_message_id(row.message),
            "answer": find_answer(result) or "",
        }
        own = f"out {row.id}"
        mail = _name_mail(row.inbound_id) if row.inbound_id is not None else ""
        add = self._tracer.add_span
        add(
            "deliver",
            mail or own,
            began,
            ended,
            parent=own,
            failed=is_lost,
            attributes=attributes,
        )
        if is_last:
            add(
                "outbox",
                mail or own,
                row.created,
                ended,
                own=own,
                parent=mail,
                failed=is_lost,
                attributes=attributes,
            )

    def close(self) -> None:
        """Send the remaining data."""
        if self._tracer is not None:
            self._tracer.close()


def _name_mail(number: int) -> str:
    """Return the id of a mail's trace, and of its root."""
    return f"mail {number}"


def _log_executed(row: FinishedRow) -> None:
    log.info(
        "mail done",
        mail=row.id,
        via=row.via,
        state=row.state,
        code=row.code,
        why=" ".join(filter(None, (row.refusals, row.no_answer))) or None,
        game=row.game,
        board=row.board_id,
        player=row.userid,
        seconds=round((row.finished or row.received) - row.received, 3),
    )


def _trace_executed(
    tracer: Tracer, row: FinishedRow, began: float | None, committed: float
) -> None:
    """Send the root of the trace, and the execution if it was in this process."""
    name = _name_mail(row.id)
    attributes = {
        "mail": row.id,
        "via": row.via,
        "state": row.state,
        "code": row.code,
        "refusals": row.refusals,
        "no_answer": row.no_answer,
        "game": row.game,
        "board": row.board_id,
    }
    ended, failed = row.finished or row.received, row.state == ASIDE
    if began is not None:
        tracer.add_span(
            "execute", name, began, committed, parent=name, failed=failed, attributes=attributes
        )
    tracer.add_span(
        "mail", name, row.received, ended, own=name, failed=failed, attributes=attributes
    )


# Traces are in OpenTelemetry's format (`pbm-server[tracing]`), sent by OTLP over HTTP. Any process
# of any daemon of one database continues the trace of a mail without being told: its ids are made
# of the number of the mail, with the server's key.

_LIBRARIES = (
    "opentelemetry.sdk.trace",
    "opentelemetry.sdk.trace.export",
    "opentelemetry.sdk.trace.sampling",
    "opentelemetry.sdk.resources",
    "opentelemetry.exporter.otlp.proto.http.trace_exporter",
)
_SECONDS = 5.0
"""The most seconds for the receiver, and for the end of the server to wait for it."""


def require_libraries() -> None:
    """Raise ConfigError when the libraries for traces are not installed. Nothing is imported."""
    try:
        version("opentelemetry-exporter-otlp-proto-http")
    except PackageNotFoundError:
        raise ConfigError(
            "[tracing] url needs OpenTelemetry: install pbm-server[tracing]"
        ) from None


class Tracer:
    """Sends spans to `url` from a thread of its own; spans that the receiver does not take in time
    are dropped. `key` is a secret of the server, `name` that of this process."""

    def __init__(self, url: str, key: bytes, name: str) -> None:
        sdk, export, sampling, resources, otlp = map(import_module, _LIBRARIES)
        self._key = key
        self._ids = ContextVar("ids", default=(0, 0))
        about = {
            "service.name": "pbm",
            "service.version": find_version(),
            "service.instance.id": name,
        }
        self._provider = sdk.TracerProvider(
            sampler=sampling.ALWAYS_ON,
            resource=resources.Resource(about),
            shutdown_on_exit=False,
            id_generator=_Ids(self._ids),
        )
        exporter = otlp.OTLPSpanExporter(endpoint=url, timeout=_SECONDS)
        self._provider.add_span_processor(export.BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("pbm", find_version())

    def add_span(
        self,
        name: str,
        trace: str,
        began: float,
        ended: float,
        *,
        own: str = "",
        parent: str = "",
        failed: bool = False,
        attributes: Mapping[str, object],
    ) -> None:
        """Add a finished span to the trace of that name. `own` names it, so that others can have it
        as their `parent`; without a parent it is the root. Attributes that are None or "" are left
        out."""
        from opentelemetry import trace as api

        within = None
        if parent:
            span = api.NonRecordingSpan(self._make_context(trace, parent))
            within = api.set_span_in_context(span)
        ids = self._ids.set((self._make_id(trace, 16), self._make_id(own, 8) if own else 0))
        try:
            span = self._tracer.start_span(
                name,
                within,
                start_time=round(began * 1e9),
                attributes={
                    f"pbm.{key}": value
                    for key, value in attributes.items()
                    if value is not None and value != ""
                },
            )
        finally:
            self._ids.reset(ids)
        if failed:
            span.set_status(api.StatusCode.ERROR)
        span.end(round(ended * 1e9))

    def close(self) -> None:
        """Send the remaining spans, within the time limit."""
        sending = threading.Thread(target=self._provider.shutdown, daemon=True)
        sending.start()
        sending.join(_SECONDS)

    def _make_context(self, trace: str, span: str) -> SpanContext:
        from opentelemetry import trace as api

        flags = api.TraceFlags(api.TraceFlags.SAMPLED)
        ids = self._make_id(trace, 16), self._make_id(span, 8)
        return api.SpanContext(*ids, is_remote=True, trace_flags=flags)

    def _make_id(self, name: str, size: int) -> int:
        digest = blake2b(name.encode(), digest_size=size, key=self._key, person=b"trace")
        return int.from_bytes(digest.digest(), "big") or 1


class _Ids:
    """Gives a span its chosen ids; 0 for the span means any."""

    def __init__(self, chosen: ContextVar[tuple[int, int]]) -> None:
        self._chosen = chosen

    def generate_trace_id(self) -> int:
        return self._chosen.get()[0]

    def generate_span_id(self) -> int:
        return self._chosen.get()[1] or int.from_bytes(os.urandom(8), "big") or 1

    def is_trace_id_random(self) -> bool:
        return False
