"""Checks of what watches the server: its /health, and the receiver of its traces."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Iterator

from pbm.cli.doctor.finding import RESTART, Finding, summarize
from pbm.config import Config, ConfigError
from pbm.version import find_version

_SECONDS = 10
_TOO_BUSY = "mails have their boards as text then: a faster machine, or [players] pictures = false"


def check_health(config: Config) -> Iterator[Finding]:
    """Report what the running server reports at /health, when [http] listen is set."""
    host, _, port = config.http.listen.rpartition(":")
    if not host:
        return
    client = http.client.HTTPConnection(host.strip("[]"), int(port), timeout=_SECONDS)
    try:
        client.request("GET", "/health")
        reply = json.loads(client.getresponse().read())
        do = "" if reply["ok"] else "see the other lines that are BAD, and the server's log"
        says = reply["why"] or "the server is healthy"
        yield Finding("health", "ok" if reply["ok"] else "BAD", says, do)
        if late := reply.get("pictures_late"):
            says = f"{late} came too late for their mails since the server started"
            yield Finding("pictures", "note", says, _TOO_BUSY)
        if reply["version"] != find_version():
            says = f"pbm {reply['version']} runs, {find_version()} is installed"
            yield Finding("health", "note", says, "restart the server")
    except (OSError, http.client.HTTPException, ValueError, LookupError) as error:
        says = summarize(error) if isinstance(error, OSError) else "not an answer of pbm"
        do = "start it with pbm serve" if isinstance(error, ConnectionRefusedError) else RESTART
        yield Finding("health", "BAD", f"{config.http.listen}: {says}", do)
    finally:
        client.close()


def check_tracing(config: Config) -> Iterator[Finding]:
    """Check whether traces can be sent, and are taken; an empty request is."""
    url = config.tracing.url
    if not url:
        return
    from pbm.daemon.tracing import require_libraries

    try:
        require_libraries()
        kind = {"Content-Type": "application/x-protobuf"}
        request = urllib.request.Request(url, b"", kind)  # noqa: S310 (http or https, see its type)
        with urllib.request.urlopen(request, timeout=_SECONDS):  # noqa: S310 (likewise)
            yield Finding("tracing", "ok", f"{url} takes traces")
    except ConfigError as error:
        yield Finding("tracing", "BAD", str(error), "install it, or leave [tracing] url empty")
    except urllib.error.HTTPError as error:
        do = "the path is mostly /v1/traces: see [tracing] url"
        yield Finding("tracing", "BAD", f"{url}: {error.code} {error.reason}", do)
    except OSError as error:
        reason = getattr(error, "reason", error)
        says = summarize(reason) if isinstance(reason, OSError) else str(reason)
        do = "start the collector, or correct [tracing] url; mails are handled all the same"
        yield Finding("tracing", "BAD", f"{url}: {says}", do)
