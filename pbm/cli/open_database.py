"""Opens the database for a command, or says why it cannot. No command but `admin db create` makes
one."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from pbm.cli import TRY_AGAIN, USAGE, Failed
from pbm.config import Config
from pbm.store import migrate
from pbm.store.engine import DatabaseReplaced, DriverMissing, Store


@contextmanager
def open_database(config: Config) -> Iterator[Store]:
    """Open the store, at this program's schema. Failed with 75 if there is none, or if it cannot be
    reached or is locked, with 2 if its URL is wrong."""
    with database_errors(config):
        store = Store(config.database.url)
        try:
            if config.makes_database and not migrate.exists(store):
                where = migrate.describe(store)
                raise Failed(f"no database at {where}: pbm serve makes one", TRY_AGAIN)
            migrate.require_database(store)
            migrate.require(store)
            gc.freeze()  # what was imported is no garbage
            gc.enable()
            yield store
        finally:
            store.close()


@contextmanager
def database_errors(config: Config) -> Iterator[None]:
    """Turn database errors into one sentence and an exit code."""
    try:
        yield
    except migrate.SchemaError as error:
        raise Failed(str(error), TRY_AGAIN) from None
    except (ArgumentError, NoSuchModuleError) as error:
        reason = _get_first_line(error)
        raise Failed(f"invalid [database] url: {reason}", USAGE) from None
    except DriverMissing as error:
        raise Failed(
            f"[database] url needs a module that is not installed: {error}", USAGE
        ) from None
    except DatabaseReplaced as error:
        reason = f"the server has another one open: {error.what}; restart it on the right one"
        raise Failed(f"database replaced: {reason}", TRY_AGAIN) from None
    except DBAPIError as error:
        reason = _get_first_line(error.orig)
        raise Failed(f"database unavailable: {reason}", TRY_AGAIN) from None
    except OSError as error:
        if error.filename is None:
            raise
        raise Failed(f"{error.filename} cannot be used: {error.strerror}", TRY_AGAIN) from None


def _get_first_line(error: BaseException | None) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
