"""The checks of `pbm doctor`, in order. A check yields findings and never raises."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbm.cli.doctor.engines import check_engines
from pbm.cli.doctor.finding import Finding
from pbm.cli.doctor.host import (
    check_certificate,
    check_configuration,
    check_disk,
    check_games,
    check_permissions,
    check_versions,
)
from pbm.cli.doctor.mail_routes import (
    check_listener,
    check_mailbox,
    check_relay,
    check_trusted_peers,
)
from pbm.cli.doctor.monitoring import check_health, check_tracing
from pbm.cli.doctor.round_trip import check_round_trip
from pbm.cli.doctor.state import check_database
from pbm.config import Config


def examine(config: Config, *, round_trip: bool, wait: float) -> Iterator[Finding]:
    """Run all checks, each before those that its failure would explain."""
    yield from check_versions()
    yield from check_games()
    yield from check_configuration(config)
    yield from check_permissions(config)
    yield from check_certificate(config)
    yield from check_disk(config)
    yield from check_database(config)
    for view in config.list_senders():
        yield from check_listener(view)
    yield from check_trusted_peers(config)
    yield from check_mailbox(config)
    yield from check_health(config)
    yield from check_relay(config)
    yield from check_tracing(config)
    yield from check_engines(config)
    if round_trip:
        for view in config.list_senders():
            yield from check_round_trip(view, wait)


def examine_delivery(
    config: Config,
    name_server: str,
    selector: str,
    senders: Sequence[str],
    block_lists: Sequence[str],
    arrived: bytes,
    wait: float,
) -> Iterator[Finding]:
    """Run the checks of --delivery, for each domain that mails come from; `arrived` is a mail of
    the server as a receiver has it. What they need is imported now: no other check does."""
    from pbm.cli.doctor.names import Names, NamesError
    from pbm.cli.doctor.receivers_view import (
        check_names,
        check_senders,
        find_view,
        plan_route,
        verify_signature,
    )
    from pbm.cli.doctor.transport import check_port_25, check_relay_tls

    try:
        names = Names(name_server)
    except NamesError as error:
        do = "--name-server HOST:PORT, an IP address"
        yield Finding("name server", "BAD", str(error), do)
        return
    views = config.list_senders()
    for view in views:
        route = plan_route(view, names, selector, senders, block_lists)
        yield from check_names(view, route)
        if view is config:
            yield from check_senders(route)
        yield from check_port_25(view, names)
    yield from check_relay_tls(config)
    if arrived:
        view = find_view(views, arrived)
        route = plan_route(view, names, selector, senders, block_lists)
        yield verify_signature(view, route, arrived, "the mail that arrived")
    for view in views:
        yield from check_round_trip(view, wait)


def examine_without_configuration(error: str) -> Iterator[Finding]:
    """Run the checks that need no configuration; `error` says why it cannot be used."""
    yield from check_versions()
    yield from check_games()
    do = "correct it; config/pbm.toml lists every key with its default"
    yield Finding("configuration", "BAD", error, do)
