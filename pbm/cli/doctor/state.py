"""Checks of the database: access, settings, clock, queues, boards."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

from sqlalchemy import false, func, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from pbm.cli import Failed
from pbm.cli.doctor.finding import RESTART, Finding
from pbm.cli.open_database import database_errors, open_database
from pbm.cli.terminal.output import format_duration
from pbm.config import Config
from pbm.core.due import EVERY, HEARTBEAT, measure_backup_age
from pbm.core.fsck import find_unplayable
from pbm.core.player import find_player
from pbm.daemon.presence import FORGOTTEN, find_daemons, list_daemons, require_files
from pbm.features.accounts.userids import list_empowered_names
from pbm.store import backlog, migrate, reads
from pbm.store.analysis_tables import analyses
from pbm.store.engine import Store
from pbm.store.tables import inbound, outbound, settings
from pbm.store.transaction import Session

_MOST_BOARDS = 20
_OLD = 3600.0
_OLD_ANALYSIS = 86400.0
_OLD_BACKUP = 2 * 86400.0
_SHIFT = 300.0


def check_database(config: Config) -> Iterator[Finding]:
    try:
        with database_errors(config):
            require_files(Store(config.database.url))
        with open_database(config) as store, store.reading() as session:
            yield Finding(
                "database",
                "ok",
                f"{store.url.render_as_string(hide_password=True)}, schema {migrate.find_head()}",
            )
            yield from _check_server(store, session)
            yield from _check_daemons(session)
            yield from _check_backup(config, session)
            yield from _check_settings(store, session)
            yield from _check_clock(store, session)
            yield from _check_queues(session)
            yield from _check_analyses(session)
            yield from _check_boards(session)
            yield from _check_names(config, session)
            yield from _check_writing(config, store)
    except Failed as failed:
        yield Finding("database", "BAD", failed.message, _advise(config))


def _advise(config: Config) -> str:
    """Return what to do when the database cannot be used."""
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


def _check_server(store: Store, session: Session) -> Iterator[Finding]:
    """Check whether a server is running on this database and has written its heartbeat lately. With
    SQLite, one on this machine also holds a lock beside the file."""
    beat = float(reads.read_setting(session, HEARTBEAT) or 0)
    age = time.time() - beat
    is_alive = age < 3 * EVERY
    heard = f"last heartbeat {format_duration(age)} ago" if beat else "never started"
    processes = find_daemons(store)
    who = f"process {', '.join(map(str, processes))}"
    if store.is_sqlite and not processes:
        yield Finding("server", "BAD", "none on this database", "start it with pbm serve")
    elif is_alive:
        yield Finding("server", "ok", who if processes else heard)
    else:
        says = f"{who}: {heard}" if processes else heard
        yield Finding("server", "BAD", says, RESTART if processes else "start it with pbm serve")


def _check_daemons(session: Session) -> Iterator[Finding]:
    """Report which daemons there are, on whichever hosts: whether each still notes that it is
    there, and whether all run one version."""
    now, daemons = time.time(), list_daemons(session)
    versions = {each.version for each in daemons if not each.is_silent(now)}
    for each in daemons:
        since = format_duration(now - each.since)
        says = f"{each.name}, process {each.pid}: pbm {each.version}, for {since}"
        if each.is_silent(now):
            silence = format_duration(now - each.seen)
            do = f"look at its host; forgotten {format_duration(FORGOTTEN)} after its last word"
            yield Finding("daemon", "note", f"{says}; silent for {silence}", do)
        elif each.wrong:
            do = "correct the file, then pbm admin reload"
            says = f"{says}; could not read its configuration again: {each.wrong}"
            yield Finding("daemon", "BAD", says, do)
        else:
            yield Finding("daemon", "ok", says)
    if len(versions) > 1:
        says = f"daemons of this database run {' and '.join(sorted(versions))}"
        yield Finding("daemon", "note", says, "restart those that run the older one")


def _check_backup(config: Config, session: Session) -> Iterator[Finding]:
    """Report how old the newest backup is, of those that pbm itself made."""
    age = measure_backup_age(session, time.time())
    if age is None:
        if not config.trial:
            says, do = "pbm has made none", "pbm admin backup FILE, each day, unless others copy it"
            yield Finding("backup", "note", says, do)
    else:
        old = age > _OLD_BACKUP
        do = "pbm admin backup FILE, each day, and away from this machine" if old else ""
        yield Finding("backup", "note" if old else "ok", f"{format_duration(age)} old", do)


def _check_writing(config: Config, store: Store) -> Iterator[Finding]:
    """Check whether the database is writable; the statement changes nothing."""
    try:
        with database_errors(config), store.writing() as session:
            session.execute(update(settings).where(false()).values(value=""))
    except Failed as failed:
        do = "check its disk and permissions; on PostgreSQL, whether it is a standby"
        yield Finding("writing", "BAD", failed.message, do)


def _check_settings(store: Store, session: Session) -> Iterator[Finding]:
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
    yield Finding("settings", "ok" if right else "BAD", says, do)


def _check_clock(store: Store, session: Session) -> Iterator[Finding]:
    now = time.time()
    last = session.execute(select(func.max(inbound.c.received))).scalar()
    if last is not None and last > now + _SHIFT:
        yield Finding(
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
        yield Finding(
            "clock",
            "BAD",
            f"differs from the database's by {format_duration(shift)}",
            "set the clocks",
        )
    else:
        yield Finding("clock", "ok", formatdate(now))


def _check_queues(session: Session) -> Iterator[Finding]:
    now = time.time()
    for what, table, hint in (
        ("mails in", inbound, "is pbm serve running? pbm admin mails --in"),
        ("mails out", outbound, "pbm admin mails --out --state waiting"),
    ):
        count, first = backlog.measure_backlog(session, table)
        age = now - first if first is not None else 0.0
        old = f", the oldest for {format_duration(age)}" if count else ""
        late = age > _OLD
        yield Finding(what, "BAD" if late else "ok", f"{count} waiting{old}", hint if late else "")
    aside = session.execute(
        select(func.count()).select_from(inbound).where(inbound.c.state == "aside")
    ).scalar_one()
    if aside:
        faults = session.execute(
            select(func.count()).where(inbound.c.state == "aside", inbound.c.faults > 0)
        ).scalar_one()
        says = f"{aside} could not be executed"
        says += f", {faults} of them because of an internal error" if faults else ""
        yield Finding(
            "mails aside",
            "BAD" if faults else "note",
            says,
            "pbm admin mails --state aside; a restart retries internal errors"
            if faults
            else "pbm admin mails --state aside",
        )


def _check_analyses(session: Session) -> Iterator[Finding]:
    """Report how many boards wait to be analysed; that takes a minute each while no bot has to
    move."""
    count, first = backlog.measure_backlog(session, analyses)
    age = time.time() - first if first is not None else 0.0
    old = f", the oldest for {format_duration(age)}" if count else ""
    hint = "lower analyses_a_day or analysis_seconds" if age > _OLD_ANALYSIS else ""
    yield Finding("analyses", "note" if hint else "ok", f"{count} waiting{old}", hint)


def _check_boards(session: Session) -> Iterator[Finding]:
    """Check whether the installed games can play every running board."""
    for number, why in find_unplayable(session)[:_MOST_BOARDS]:
        do = "install a matching version of its game, or use pbm admin adjudicate or cancel"
        yield Finding("boards", "BAD", f"{number} waits: {why}", do)


def _check_names(config: Config, session: Session) -> Iterator[Finding]:
    """Check whether the userids to which the configuration gives powers are somebody's, and say
    since when. Nobody can sign up under one."""
    for name, key in sorted(list_empowered_names(config).items()):
        player = find_player(session, name)
        if player is None:
            says = f"{key} names {name}, who is nobody"
            do = f"correct it, or let them sign up as another: pbm admin rename USERID {name}"
            yield Finding("userids", "BAD", says, do)
        elif not player.is_active:
            says = f"{key} names {name}, whose account is {player.state}"
            yield Finding("userids", "BAD", says, "take the name out of it")
        else:
            says = f"{key} names {name}, a player since {formatdate(player.created)}"
            yield Finding("userids", "ok", says)
