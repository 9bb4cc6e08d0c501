"""What a server does before it takes mail: it updates the schema, loads the games, settles what the
last run left undone, and reads the files that an upgrade may replace."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Sequence
from importlib import import_module
from pkgutil import walk_packages

import structlog

from pbm import games, logs, ratings
from pbm.config import Config, adopt, load
from pbm.core import due
from pbm.daemon import upgrading
from pbm.daemon.workers.attempts import find_interrupted
from pbm.features.finding import help as help_pages
from pbm.mail import render
from pbm.store import inbound_queue, migrate, reads
from pbm.store.engine import Store
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.migrate import name_installation

log = structlog.get_logger()
_PACKAGES = ("pbm.core", "pbm.mail.outgoing", "pbm.store", "jinja2")
"""Packages of which a process may need what it has not needed before."""
FOR_MAILS = ("pbm.mail.incoming", "email_validator", "flufl.bounce", "icalendar")
"""The same for a process that executes mails."""
OPTIONAL = ("pbm.mail.imap", "pbm.mail.signer")
"""Modules whose libraries only some servers need."""
_DEADLY = 5
"""Times that a server without worker processes may die during a mail before that is set aside: it
may also be killed, or lose its power, while an innocent mail is executed."""

_SERVER_DIED = MailResult(MailOutcome.CRASHED, "failed: the server died")


def open_store(config: Config) -> Store:
    """Return the database, brought to the schema that this program knows. NoDatabase when there is
    none; the trial server makes it."""
    store = Store(config.database.url, flushes_unlocked=True)
    try:
        if config.makes_database and not migrate.exists(store):
            migrate.create(store)
        migrate.require_database(store)
        upgrade_store(store)
        name_installation(store)
        store.pin()
    except BaseException:
        store.close()
        raise
    return store


def upgrade_store(store: Store) -> None:
    """Bring the database to this program's schema, after a copy of what was before."""
    done = upgrading.upgrade(store, time.time(), "pbm")
    if done is None:
        return
    log.info("database upgraded", before=done.before, after=done.after, copy=str(done.copy or ""))
    if done.why:
        log.warning("no copy was made before", cause=done.why)


def load_games(store: Store) -> None:
    """Load the games; log those that cannot be loaded, and those that are gone but have boards."""
    with store.reading() as session:
        games.expect(reads.find_games_with_boards(session))
    log_faults()
    for name in games.list_missing_names():
        log.error("game missing, its boards wait", game=name, do="see pbm doctor")


def log_faults() -> None:
    """Log the games that are left out, and why."""
    for fault in games.list_faults():
        log.error("game not loaded", game=fault.name, package=fault.package, cause=fault.cause)


def hold_restored(store: Store, now: float) -> None:
    """Set aside what waits in a database that was restored from a backup. A backup that is being
    written looks like one, but is locked."""
    with store.lock_exclusively("backup") as is_alone:
        if not is_alone:
            return
        with store.writing() as session:
            held = due.hold_queues(session, now)
            if held is not None:
                due.renew_dice(session, os.urandom)
    if held is not None:
        made, aside, dropped = held
        log.warning(
            "restored from a backup: nothing old is executed or sent",
            made=made,
            set_aside=aside,
            dropped=dropped,
        )


def count_interrupted(store: Store, now: float, *, has_workers: bool) -> None:
    """Count an attempt at each mail that was being executed when a server died. Where workers
    execute, that sets no mail aside: whatever a mail does ends its worker, and the server died of
    something else."""
    for mails in find_interrupted(store):
        if not mails:
            continue
        log.warning("server died during a mail", mails=",".join(map(str, mails)))
        with store.writing() as session:
            most = 0 if has_workers else _DEADLY
            aside = inbound_queue.blame(session, mails, _SERVER_DIED, now, most=most)
        for mail in aside:
            log.error("mail set aside", mail=mail, why=_SERVER_DIED.code.value)


def retry_failed(store: Store) -> None:
    """Have mails tried again that were set aside for an error of the server's own: an upgrade may
    have mended it."""
    with store.writing() as session:
        count = inbound_queue.retry_faults(session)
    if count:
        log.info("mails set aside are tried again", mails=count)


def reload(config: Config) -> list[str]:
    """Take over from the file what may change at once; the sections that need a restart.
    ConfigError when the file is wrong."""
    later = adopt(config, load(config.source))
    logs.set_up(config.log.format)
    if config.games.variants:
        log_faults()
    return later


def read_files(game_names: Iterable[str], packages: Sequence[str] = ()) -> None:
    """Import or load what this process may need later, these games and the modules of these
    packages: an upgrade replaces the files under a server that runs."""
    for package in (*_PACKAGES, *packages):
        module = import_module(package)
        if package.startswith("pbm."):
            for found in walk_packages(getattr(module, "__path__", ()), f"{package}."):
                if found.name not in OPTIONAL:
                    import_module(found.name)
    for game in game_names:
        with contextlib.suppress(games.UnknownGame):
            games.get_game(game)
    help_pages.load_pages()
    render.load_templates()
    ratings.get_model()
