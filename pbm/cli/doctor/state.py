"""Checks of the running installation: database, mail routes, transports, monitoring, engines."""

from __future__ import annotations

import http.client
import json
import os
import smtplib
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from sqlalchemy import false, func, inspect, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from pbm.cli import CommandFailed
from pbm.cli.doctor.host import (
    RESTART,
    NameLookup,
    NamesError,
    ReportLine,
    check_certificate,
    check_configuration,
    check_disk,
    check_games,
    check_permissions,
    check_versions,
    summarize,
)
from pbm.cli.doctor.receivers_view import (
    check_listener,
    check_mailbox,
    check_names,
    check_relay,
    check_senders,
    check_trusted_peers,
    connect_to_relay,
    find_view,
    is_loopback,
    plan_route,
    verify_signature,
)
from pbm.cli.mailing import find_smtp_address
from pbm.cli.open_database import database_errors, open_database
from pbm.cli.terminal.output import format_duration
from pbm.config import Config, ConfigError
from pbm.core.due import EVERY, HEARTBEAT, measure_backup_age
from pbm.core.fsck import find_unplayable
from pbm.core.player import find_player
from pbm.daemon.engine_process import describe_engine, open_engine
from pbm.daemon.presence import FORGOTTEN, find_daemons, list_daemons, require_files
from pbm.daemon.tracing import require_libraries
from pbm.engines.dialogue import EngineError, replay
from pbm.engines.setup import EnginePlayer
from pbm.features.analysis.tables import analyses
from pbm.features.moderation.roles import list_unread
from pbm.games import UnknownGame, get_game
from pbm.mail.signer import load_signer
from pbm.rules import CHANCE, CHANCE_TO_MOVE, Game
from pbm.store import migrate, reads
from pbm.store.engine import Store
from pbm.store.tables import inbound, outbound, settings
from pbm.store.transaction import Session
from pbm.version import find_version

_MOST_BOARDS = 20
_OLD = 3600.0
_OLD_ANALYSIS = 86400.0
_OLD_BACKUP = 2 * 86400.0
_SHIFT = 300.0


def check_database(config: Config, *, is_first: bool) -> Iterator[ReportLine]:
    try:
        with database_errors():
            require_files(Store(config.database.url))
        with open_database(config) as store, store.reading() as session:
            yield ReportLine(
                "database",
                "ok",
                f"{store.url.render_as_string(hide_password=True)}, schema {migrate.find_head()}",
            )
            yield from [_NEVER_STARTED] if is_first else _check_server(store, session)
            yield from _check_daemons(store, session)
            yield from _check_backup(config, session)
            yield from _check_settings(store, session)
            yield from _check_clock(store, session)
            yield from _check_queues(session)
            yield from _check_analyses(session)
            yield from _check_boards(session)
            yield from _check_names(config, session)
            yield from _check_writing(store)
    except CommandFailed as failed:
        if is_first:
            yield from _list_first_steps(config)
        else:
            yield ReportLine("database", "BAD", failed.message, _advise(config))


def has_run(config: Config) -> bool:
    """Whether a server has ever run here, as far as can be seen: one runs, or has left a heartbeat
    in the database, or the SQLite file is missing and something that belongs to it lies where it
    would be, or nobody can look."""
    try:
        with database_errors(), closing(Store(config.database.url)) as store:
            if find_daemons(store):
                return True
            if store.path is not None and not store.path.exists():
                folder = store.path.parent
                return folder.exists() and any(folder.glob(f"*{store.path.suffix}*"))
            with store.reading() as session:
                if not migrate.exists(store):
                    return bool(inspect(session.connection).get_table_names())
                return reads.read_setting(session, HEARTBEAT) is not None
    except CommandFailed:
        return True


def _list_first_steps(config: Config) -> Iterator[ReportLine]:
    """Return the commands to type where there is no database yet."""
    maker = "pbm serve" if config.makes_database else "pbm admin db create"
    says = f"no database at {migrate.describe(Store(config.database.url))}: {maker} makes one"
    says += ", unless a disk is still to be mounted there"
    yield ReportLine("database", "next", says, maker)
    yield _NEVER_STARTED


_NEVER_STARTED = ReportLine(
    "server", "next", "it has never run here", "then start it; pbm doctor looks again"
)


def _advise(config: Config) -> str:
    """Return advice when the database cannot be used."""
    try:
        url = make_url(config.database.url)
    except ArgumentError:
        return "correct [database] url"
    if url.get_backend_name() != "sqlite":
        return "is PostgreSQL running there? see [database] url; pbm admin db status says more"
    path = Path(url.database or ".").absolute()
    if not path.exists():
        return "mount its disk or put it back; pbm admin db create makes a new one"
    folder = path.parent
    if folder.exists() and not os.access(folder, os.W_OK):
        return f"nothing can be written in {folder}: is its disk read-only, is its owner right?"
    return "pbm admin db status says more"


def _check_server(store: Store, session: Session) -> Iterator[ReportLine]:
    """Check whether a server runs on this database and has written its heartbeat lately. With
    SQLite, a server on this machine also holds a lock beside the file."""
    beat = float(reads.read_setting(session, HEARTBEAT) or 0)
    age = time.time() - beat
    is_alive = age < 3 * EVERY
    heard = f"last heartbeat {format_duration(age)} ago" if beat else "no heartbeat yet"
    processes = find_daemons(store)
    who = f"process {', '.join(map(str, processes))}"
    if store.is_sqlite and not processes:
        yield ReportLine("server", "BAD", "none on this database", "start it with pbm serve")
    elif is_alive:
        yield ReportLine("server", "ok", who if processes else heard)
    else:
        says = f"{who}: {heard}" if processes else heard
        yield ReportLine("server", "BAD", says, RESTART if processes else "start it with pbm serve")


def _check_daemons(store: Store, session: Session) -> Iterator[ReportLine]:
    """Report which daemons there are, on whichever hosts: whether each still notes that it is
    there, and whether all run one version. An SQLite file has one, which holds the lock: what
    others noted before a crash, or in the backup that the file was, says nothing."""
    now, daemons = time.time(), list_daemons(session)
    if store.is_sqlite:
        daemons = [each for each in daemons if each.pid in find_daemons(store)]
    versions = {each.version for each in daemons if not each.is_silent(now)}
    for each in daemons:
        since = format_duration(now - each.since)
        says = f"{each.name}, process {each.pid}: pbm {each.version}, for {since}"
        if each.is_silent(now):
            silence = format_duration(now - each.seen)
            do = f"look at its host; forgotten {format_duration(FORGOTTEN)} after its last word"
            yield ReportLine("daemon", "note", f"{says}; silent for {silence}", do)
        elif each.wrong:
            do = "correct the file, then pbm admin reload"
            says = f"{says}; could not read its configuration again: {each.wrong}"
            yield ReportLine("daemon", "BAD", says, do)
        else:
            yield ReportLine("daemon", "ok", says)
    if len(versions) > 1:
        says = f"daemons of this database run {' and '.join(sorted(versions))}"
        yield ReportLine("daemon", "note", says, "restart those that run the older one")


def _check_backup(config: Config, session: Session) -> Iterator[ReportLine]:
    """Report the age of the newest backup made by pbm itself."""
    age = measure_backup_age(session, time.time())
    if age is None:
        if not config.trial:
            says, do = "pbm has made none", "pbm admin backup FILE, each day, unless others copy it"
            yield ReportLine("backup", "note", says, do)
    else:
        old = age > _OLD_BACKUP
        do = "pbm admin backup FILE, each day, and away from this machine" if old else ""
        yield ReportLine("backup", "note" if old else "ok", f"{format_duration(age)} old", do)


def _check_writing(store: Store) -> Iterator[ReportLine]:
    """Check whether the database is writable; the statement changes nothing."""
    try:
        with database_errors(), store.writing() as session:
            session.execute(update(settings).where(false()).values(value=""))
    except CommandFailed as failed:
        do = "check its disk and permissions; on PostgreSQL, whether it is a standby"
        yield ReportLine("writing", "BAD", failed.message, do)


def _check_settings(store: Store, session: Session) -> Iterator[ReportLine]:
    if store.is_sqlite:
        mode = session.execute(text("PRAGMA journal_mode")).scalar()
        synchronous = session.execute(text("PRAGMA synchronous")).scalar()
        right = mode == "wal" and synchronous in (2, 3)
        says = f"journal_mode={mode}, synchronous={synchronous}"
        do = "" if right else "the file system does not support WAL: move the file to a local disk"
    else:
        says = ", ".join(
            f"{name}={session.execute(text(f'SHOW {name}')).scalar()}"
            for name in ("server_version", "synchronous_commit", "fsync")
        )
        right = "fsync=on" in says and "synchronous_commit=on" in says
        do = "" if right else "set fsync and synchronous_commit to on"
    yield ReportLine("settings", "ok" if right else "BAD", says, do)


def _check_clock(store: Store, session: Session) -> Iterator[ReportLine]:
    now = time.time()
    last = session.execute(select(func.max(inbound.c.received))).scalar()
    if last is not None and last > now + _SHIFT:
        yield ReportLine(
            "clock",
            "BAD",
            f"the last mail arrived {format_duration(last - now)} in the future",
            "set the clock of this machine",
        )
        return
    shift = 0.0
    if not store.is_sqlite:
        database_time = session.execute(
            text("SELECT extract(epoch FROM clock_timestamp())")
        ).scalar_one()
        shift = abs(float(database_time) - now)
    if shift > _SHIFT:
        yield ReportLine(
            "clock",
            "BAD",
            f"differs from the database's by {format_duration(shift)}",
            "set the clocks",
        )
    else:
        yield ReportLine("clock", "ok", formatdate(now))


def _check_queues(session: Session) -> Iterator[ReportLine]:
    now = time.time()
    for what, since, hint in (
        ("mails in", inbound.c.received, "is pbm serve running? pbm admin mails --in"),
        ("mails out", outbound.c.created, "pbm admin mails --out --state waiting"),
    ):
        count, first = reads.measure_backlog(session, since)
        age = now - first if first is not None else 0.0
        old = f", the oldest for {format_duration(age)}" if count else ""
        late = age > _OLD
        yield ReportLine(
            what, "BAD" if late else "ok", f"{count} waiting{old}", hint if late else ""
        )
    aside = session.execute(
        select(func.count()).select_from(inbound).where(inbound.c.state == "aside")
    ).scalar_one()
    if aside:
        faults = session.execute(
            select(func.count()).where(inbound.c.state == "aside", inbound.c.faults > 0)
        ).scalar_one()
        says = f"{aside} could not be executed"
        says += f", {faults} of them because of an internal error" if faults else ""
        yield ReportLine(
            "mails aside",
            "BAD" if faults else "note",
            says,
            "pbm admin mails --state aside; a restart retries internal errors"
            if faults
            else "pbm admin mails --state aside",
        )


def _check_analyses(session: Session) -> Iterator[ReportLine]:
    """Report the number of boards that wait for analysis, which takes a minute each while no bot
    has to move."""
    count, first = reads.measure_backlog(session, analyses.c.asked)
    age = time.time() - first if first is not None else 0.0
    old = f", the oldest for {format_duration(age)}" if count else ""
    hint = "lower analyses_a_day or analysis_seconds" if age > _OLD_ANALYSIS else ""
    yield ReportLine("analyses", "note" if hint else "ok", f"{count} waiting{old}", hint)


def _check_boards(session: Session) -> Iterator[ReportLine]:
    """Check whether the installed games can play every running board."""
    for number, why in find_unplayable(session)[:_MOST_BOARDS]:
        do = "install a matching version of its game, or use pbm admin adjudicate or cancel"
        yield ReportLine("boards", "BAD", f"{number} waits: {why}", do)


def _check_names(config: Config, session: Session) -> Iterator[ReportLine]:
    """Check whether the userids with roles in the configuration exist, and report who has a role,
    and since when they are players. Nobody can sign up with a named userid."""
    for (role, name), key in list_unread(session, config).items():
        player = find_player(session, name)
        if player is None:
            says = f"{key} names {name}, who is nobody"
            do = f"take it out; pbm admin {role} add USERID makes a player a {role}"
            yield ReportLine("roles", "BAD", says, do)
        else:
            says = f"{key} names {name}, who is no {role} yet"
            yield ReportLine("roles", "note", says, "the server reads names when it starts")
    for row in reads.find_players_with_roles(session):
        roles = " and ".join(row.roles.split())
        says = f"{row.userid} is {roles}, a player since {formatdate(row.created)}"
        if row.state != "active":
            do = f"pbm admin {row.roles.split()[0]} remove {row.userid}"
            yield ReportLine("roles", "BAD", f"{says}, whose account is {row.state}", do)
        else:
            yield ReportLine("roles", "ok", says)


# The checks of `pbm doctor`, in order. A check yields findings and never raises.


def examine(config: Config, *, round_trip: bool, wait: float) -> Iterator[ReportLine]:
    """Run all checks, each before those that its failure would explain."""
    yield from check_versions()
    yield from check_games()
    yield from check_configuration(config)
    yield from check_permissions(config)
    yield from check_certificate(config)
    yield from check_disk(config)
    is_first = not has_run(config)
    yield from check_database(config, is_first=is_first)
    if not is_first:
        for view in config.list_senders():
            yield from check_listener(view)
    yield from check_trusted_peers(config)
    yield from check_mailbox(config)
    if not is_first:
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
) -> Iterator[ReportLine]:
    """Run the checks of --delivery for each domain of outgoing mails; `arrived` is a mail of the
    server as a receiver has it."""
    try:
        names = NameLookup(name_server)
    except NamesError as error:
        do = "--name-server HOST:PORT, an IP address"
        yield ReportLine("name server", "BAD", str(error), do)
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


def examine_without_configuration(error: str) -> Iterator[ReportLine]:
    """Run the checks that need no configuration; `error` says why it cannot be used."""
    yield from check_versions()
    yield from check_games()
    do = "correct it; config/pbm.toml lists every key with its default"
    yield ReportLine("configuration", "BAD", error, do)


# A mail of `pbm doctor` to the server itself, by the route that players' mails take.


def check_round_trip(config: Config, wait: float) -> Iterator[ReportLine]:
    """Send a mail to a subaddress of the server through the relay (or the listener, when the relay
    is a folder) and wait until the server has received and ignored it."""
    began = time.time()
    mail = _compose(config)
    try:
        by_relay = "smtp" in config.relay.url.partition(":")[0]
        client = (
            connect_to_relay(config)
            if by_relay
            else smtplib.SMTP(*find_smtp_address(config), timeout=20)
        )
        with client:
            client.sendmail(config.server.address, [mail["To"]], _sign(config, mail))
        while time.time() < began + wait:
            state = _read_mail_state(config, mail["Message-ID"], began)
            if state is not None and state != "waiting":
                yield ReportLine("round trip", "ok", f"returned in {time.time() - began:.1f} s")
                return
            time.sleep(0.2)
        yield ReportLine(
            "round trip",
            "BAD",
            f"the mail did not return within {wait:g} s",
            f"route {config.server.address} and its subaddresses (+) to this server",
        )
    except (OSError, smtplib.SMTPException, CommandFailed) as error:
        yield ReportLine("round trip", "BAD", summarize(error), "see the lines above")


def _compose(config: Config) -> EmailMessage:
    server = config.server
    mail = EmailMessage()
    mail["From"] = server.address
    mail["To"] = f"{server.local}+u0-aaaaaaaaaaaaaaaa@{server.host}"
    mail["Subject"], mail["Date"] = "pbm doctor", formatdate()
    mail["Message-ID"] = make_msgid(domain=server.host)
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content("A test: this mail should return to the server that sent it.\n")
    return mail


def _sign(config: Config, mail: EmailMessage) -> bytes:
    """Return the mail signed as the server would send it."""
    raw = mail.as_bytes(policy=SMTP)
    if not config.dkim.key:
        return raw
    try:
        return load_signer(config).sign(raw)
    except ConfigError:
        return raw  # the check of the key says so


def _read_mail_state(config: Config, number: str, since: float) -> str | None:
    """Return the state of the inbound mail with that Message-ID."""
    query = select(inbound.c.state, inbound.c.raw).where(inbound.c.received >= since - 1)
    with open_database(config) as store, store.reading() as session:
        for state, raw in session.tuples(query):
            if number.encode() in raw:
                return str(state)
    return None


# Checks of TLS on the way in, to the domain's mail hosts, and on the way out, to the relay.

_SECONDS = 10.0
_DAY = 86400.0
_SOON = 14
"""Days before its end at which a certificate should have been renewed."""


def check_port_25(config: Config, names: NameLookup) -> Iterator[ReportLine]:
    """Connect to each mail host of the domain as another mail server would."""
    try:
        for host in names.find_exchangers(config.server.host):
            for address in names.find_addresses(host) if host else []:
                yield _check_host(host, str(address))
    except NamesError:
        return  # the check of MX records says so


def _check_host(host: str, address: str) -> ReportLine:
    what = "port 25"
    try:
        with smtplib.SMTP(address, 25, timeout=_SECONDS) as client:
            client.ehlo()
            if not client.has_extn("starttls"):
                says = f"{host} ({address}) has no STARTTLS: mail arrives unencrypted"
                return ReportLine(what, "note", says, "give that mail server a certificate")
            # The name that the certificate must have; smtplib would look it up for itself.
            client._host = host  # type: ignore[attr-defined]
            client.starttls(context=ssl.create_default_context())
            return _describe_tls(what, f"{host} ({address})", client)
    except ssl.SSLCertVerificationError as error:
        says = f"{host} ({address}): {error.verify_message}"
        return ReportLine(what, "note", says, "get a certificate for that name; few senders mind")
    except (OSError, smtplib.SMTPException) as error:
        do = "open port 25, or, if this machine may not connect to that port, ask from another"
        return ReportLine(what, "BAD", f"{host} ({address}): {summarize(error)}", do)


def check_relay_tls(config: Config) -> Iterator[ReportLine]:
    """Check whether mails, and a password, reach the relay encrypted."""
    parts = urlsplit(config.relay.url)
    if "smtp" not in parts.scheme:
        return
    host = parts.hostname or "localhost"
    what, is_local = "relay TLS", is_loopback(host)
    if parts.scheme == "smtp":
        says = f"mails go to {host} unencrypted"
        if parts.username and not is_local:
            do = "write smtp+starttls:// or smtps:// in [relay] url"
            yield ReportLine(what, "BAD", f"{says}, and so does the password", do)
        else:
            yield ReportLine(what, "ok" if is_local else "note", says)
        return
    try:
        with connect_to_relay(config) as client:
            yield _describe_tls(what, host, client)
    except (OSError, smtplib.SMTPException) as error:
        says = error.verify_message if isinstance(error, ssl.SSLCertVerificationError) else ""
        do = "check [relay] url, its user and its certificate; SSL_CERT_FILE for authorities"
        yield ReportLine(what, "BAD", f"{host}: {says or summarize(error)}", do)


def _describe_tls(what: str, place: str, client: smtplib.SMTP) -> ReportLine:
    """Return version and certificate of the connection."""
    connection = cast(ssl.SSLSocket, client.sock)
    certificate = connection.getpeercert() or {}
    ends = ssl.cert_time_to_seconds(str(certificate["notAfter"]))
    days = int((ends - time.time()) // _DAY)
    says = f"{place}: {connection.version()}, certificate for {days} more days"
    late = days < _SOON
    return ReportLine(what, "note" if late else "ok", says, "renew the certificate" if late else "")


# Checks of the engines in [[bots.engine]]: each has to answer a position of each of its games.


def check_engines(config: Config) -> Iterator[ReportLine]:
    """Try every level of every engine in every game."""
    for player in config.bots.list_engine_players():
        for name in player.setup.games:
            try:
                game = get_game(name)
            except UnknownGame:
                says = f"{player.userid}: there is no game called {name!r}"
                yield ReportLine("engines", "BAD", says, "correct games in [[bots.engine]]")
            else:
                yield _try(config, player, game)


def _try(config: Config, player: EnginePlayer, game: Game) -> ReportLine:
    first = position = game.setup(2)
    moves = list[tuple[int, str]]()
    while position.to_move == CHANCE_TO_MOVE and position.chance is not None:
        outcomes = position.chance.outcomes  # not always the same: two equal dice are rolled again
        moves.append((CHANCE, outcomes[len(moves) % len(outcomes)]))
        position = position.play(*moves[-1])
    what, began = f"{player.userid} in {game.info.name}", time.monotonic()
    try:
        with open_engine(describe_engine(player, config.bots.seconds), first) as talk:
            thought = talk.think(replay(first, moves))
    except EngineError as error:
        do = f"try by hand: {player.setup.command}; see docs/bots.md"
        return ReportLine("engines", "BAD", f"{what}: {error}", do)
    took = f"{time.monotonic() - began:.1f} s"
    return ReportLine("engines", "ok", f"{what} played {', '.join(thought.moves)} after {took}")


# Checks of what watches the server: its /health, and the receiver of its traces.

_PATIENCE = 10
_TOO_BUSY = "mails have their boards as text then: a faster machine, or [players] pictures = false"


def check_health(config: Config) -> Iterator[ReportLine]:
    """Report the state of the running server from /health, if [http] listen is set."""
    host, _, port = config.http.listen.rpartition(":")
    if not host:
        return
    client = http.client.HTTPConnection(host.strip("[]"), int(port), timeout=_PATIENCE)
    try:
        client.request("GET", "/health")
        reply = json.loads(client.getresponse().read())
        do = "" if reply["ok"] else "see the other lines that are BAD, and the server's log"
        says = reply["why"] or "the server is healthy"
        yield ReportLine("health", "ok" if reply["ok"] else "BAD", says, do)
        if late := reply.get("pictures_late"):
            says = f"{late} came too late for their mails since the server started"
            yield ReportLine("pictures", "note", says, _TOO_BUSY)
        if reply["version"] != find_version():
            says = f"pbm {reply['version']} runs, {find_version()} is installed"
            yield ReportLine("health", "note", says, "restart the server")
    except (OSError, http.client.HTTPException, ValueError, LookupError) as error:
        says = summarize(error) if isinstance(error, OSError) else "not an answer of pbm"
        do = "start it with pbm serve" if isinstance(error, ConnectionRefusedError) else RESTART
        yield ReportLine("health", "BAD", f"{config.http.listen}: {says}", do)
    finally:
        client.close()


def check_tracing(config: Config) -> Iterator[ReportLine]:
    """Check whether traces can be sent, and are accepted; the test is an empty request."""
    url = config.tracing.url
    if not url:
        return
    try:
        require_libraries()
        kind = {"Content-Type": "application/x-protobuf"}
        request = urllib.request.Request(url, b"", kind)  # noqa: S310 (http or https, see its type)
        with urllib.request.urlopen(request, timeout=_PATIENCE):  # noqa: S310 (likewise)
            yield ReportLine("tracing", "ok", f"{url} takes traces")
    except ConfigError as error:
        yield ReportLine("tracing", "BAD", str(error), "install it, or leave [tracing] url empty")
    except urllib.error.HTTPError as error:
        do = "the path is mostly /v1/traces: see [tracing] url"
        yield ReportLine("tracing", "BAD", f"{url}: {error.code} {error.reason}", do)
    except OSError as error:
        reason = getattr(error, "reason", error)
        says = summarize(reason) if isinstance(reason, OSError) else str(reason)
        do = "start the collector, or correct [tracing] url; mails are handled all the same"
        yield ReportLine("tracing", "BAD", f"{url}: {says}", do)
