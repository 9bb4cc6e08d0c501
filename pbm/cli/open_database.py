"""How a command opens the database, and what it says when it cannot.

A command of a player may create the database, as the server does; looking into it never does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from pbm.cli import TRY_AGAIN, USAGE, Failed
from pbm.config import Config
from pbm.store import migrate
from pbm.store.engine import DriverMissing, Store


@contextmanager
def opened(config: Config, *, create: bool = False) -> Iterator[Store]:
    """The store at the schema this program knows; `create` makes a new one where there is none.
    Failed with 75 when it cannot be reached or is locked, with 2 when its URL is wrong."""
    with understood(config):
        store = Store(config.database.url)
        try:
            path = store.url.database
            if store.is_sqlite and not create and not (path and Path(path).exists()):
                raise Failed(
                    f"there is no database {path} yet: pbm serve makes it, or pbm admin db upgrade",
                    TRY_AGAIN,
                )
            if create and migrate.current(store) is None:
                migrate.upgrade(store)
            migrate.require(store)
            yield store
        finally:
            store.close()


@contextmanager
def understood(config: Config) -> Iterator[None]:
    """Turn what a database can throw into one sentence and an exit code."""
    try:
        yield
    except migrate.SchemaError as error:
        raise Failed(str(error), TRY_AGAIN) from None
    except (ArgumentError, NoSuchModuleError) as error:
        said = _first_line(error)
        raise Failed(f"[database] url cannot be used: {said}", USAGE) from None
    except DriverMissing as error:
        raise Failed(f"[database] url needs a module that is not there: {error}", USAGE) from None
    except DBAPIError as error:
        said = _first_line(error.orig)
        raise Failed(f"the database cannot be used now: {said}", TRY_AGAIN) from None
    except OSError as error:
        if error.filename is None:
            raise
        raise Failed(f"{error.filename} cannot be used: {error.strerror}", TRY_AGAIN) from None


def _first_line(error: BaseException | None) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
