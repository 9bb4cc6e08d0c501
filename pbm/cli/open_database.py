"""Opens the database for a command, or says why it cannot.

A player's command may create the database, as the server does; inspecting never does."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from pbm.cli import TRY_AGAIN, USAGE, Failed
from pbm.config import Config
from pbm.store import migrate
from pbm.store.engine import DriverMissing, Store


@contextmanager
def open_database(config: Config, *, create: bool = False) -> Iterator[Store]:
    """The store, at this program's schema; `create` makes it if it does not exist. Failed with 75
    if it cannot be reached or is locked, with 2 if its URL is wrong."""
    with database_errors(config):
        store = Store(config.database.url)
        try:
            path = store.url.database
            if store.is_sqlite and not create and not (path and Path(path).exists()):
                raise Failed(
                    f"no database {path}: pbm serve creates it, or pbm admin db upgrade",
                    TRY_AGAIN,
                )
            if create and migrate.read_revision(store) is None:
                migrate.upgrade(store)
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
