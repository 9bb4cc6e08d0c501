"""Traces in OpenTelemetry's format (`pbm-server[tracing]`), sent by OTLP over HTTP.

Any process of any daemon of one database continues the trace of a mail without being told: its ids
are made of the number of the mail, with the server's key."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from contextvars import ContextVar
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from pbm.config import ConfigError
from pbm.version import find_version

if TYPE_CHECKING:
    from opentelemetry.trace import SpanContext


_LIBRARIES = (
    "opentelemetry.sdk.trace",
    "opentelemetry.sdk.trace.export",
    "opentelemetry.sdk.trace.sampling",
    "opentelemetry.sdk.resources",
    "opentelemetry.exporter.otlp.proto.http.trace_exporter",
)
_SECONDS = 5.0
"""How long the receiver may take, and how long the end of the server waits for it."""


def require_libraries() -> None:
    """Raise ConfigError when what traces need is not installed. Nothing is imported."""
    try:
        version("opentelemetry-exporter-otlp-proto-http")
    except PackageNotFoundError:
        raise ConfigError(
            "[tracing] url needs OpenTelemetry: install pbm-server[tracing]"
        ) from None


class Tracer:
    """Sends spans to `url` from a thread of its own; what the receiver does not take in time is
    dropped. `key` is a secret of the server, `name` that of this process."""

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
        """Add a span that has ended to the trace of that name. `own` names it, so that others can
        have it as their `parent`; without a parent it is the root. Attributes that are None or ""
        are left out."""
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
        """Send what waits, for as long as that may take."""
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
    """Gives a span the ids that were chosen for it; 0 for the span means any."""

    def __init__(self, chosen: ContextVar[tuple[int, int]]) -> None:
        self._chosen = chosen

    def generate_trace_id(self) -> int:
        return self._chosen.get()[0]

    def generate_span_id(self) -> int:
        return self._chosen.get()[1] or int.from_bytes(os.urandom(8), "big") or 1

    def is_trace_id_random(self) -> bool:
        return False
