"""What takes traces on loopback, as an OpenTelemetry collector does."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


class Receiver:
    """What takes traces: OTLP over HTTP."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = ExportTraceServiceRequest()
                request.ParseFromString(self.rfile.read(int(self.headers["Content-Length"])))
                for resource in request.resource_spans:
                    for scope in resource.scope_spans:
                        receiver.spans += scope.spans
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1/traces"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    def __enter__(self) -> Receiver:
        return self

    def __exit__(self, *_: object) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def trace(self, mail: int) -> dict[str, list[Span]]:
        """The spans of that mail's trace, by name."""
        (root,) = [s for s in self.spans if s.name == "mail" and read(s)["pbm.mail"] == mail]
        found: dict[str, list[Span]] = {}
        for span in self.spans:
            if span.trace_id == root.trace_id:
                found.setdefault(span.name, []).append(span)
        return found


def read(span: Span) -> dict[str, str | int]:
    """Its attributes."""
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}
