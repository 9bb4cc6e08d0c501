"""Opens the database for a command, or says why it cannot. Only `admin db create` makes one."""

from __future__ import annotations

import gc
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

import pbm
from pbm.cli import TRY_AGAIN, USAGE, CommandFailed
from pbm.config import Config
from pbm.store import migrate
from pbm.store.engine import DatabaseReplaced, DriverMissing, Store


@contextmanager
def open_database(config: Config) -> Iterator[Store]:
    """Open the store, at this program's schema. Fails with 75 if there is none, or it cannot be
    reached or is locked; with 2 if its URL is wrong."""
    with database_errors():
        store = Store(config.database.url)
        try:
            if config.makes_database and not migrate.exists(store):
                where = migrate.describe(store)
                raise CommandFailed(f"no database at {where}: pbm serve makes one", TRY_AGAIN)
            migrate.require_database(store)
            migrate.require(store)
            gc.freeze()  # what was imported is no garbage
            gc.enable()
            yield store
        finally:
            store.close()


@contextmanager
def database_errors() -> Iterator[None]:
    """Turn database errors into one sentence and an exit code."""
    try:
        yield
    except migrate.SchemaError as error:
        raise CommandFailed(str(error), TRY_AGAIN) from None
    except (ArgumentError, NoSuchModuleError) as error:
        reason = _get_first_line(error)
        raise CommandFailed(f"invalid [database] url: {reason}", USAGE) from None
    except DriverMissing as error:
        raise CommandFailed(
            f"[database] url needs a module that is not installed: {error}", USAGE
        ) from None
    except DatabaseReplaced as error:
        reason = f"the server has another one open: {error.what}; restart it on the right one"
        raise CommandFailed(f"database replaced: {reason}", TRY_AGAIN) from None
    except DBAPIError as error:
        reason = _get_first_line(error.orig)
        raise CommandFailed(f"database unavailable: {reason}", TRY_AGAIN) from None
    except OSError as error:
        if error.filename is None:
            raise
        raise CommandFailed(
            f"{error.filename} cannot be used: {error.strerror}", TRY_AGAIN
        ) from None


def _get_first_line(error: BaseException | None) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


# Makes the private keys that sign mails.

BITS = "2048"


def make_rsa_key(without: str = "") -> str:
    """Return a new RSA key in PEM form. Fails without openssl; `without` is the option that needs
    no key."""
    program = shutil.which("openssl")
    if program is None:
        says = "no openssl to make a key with: apt install openssl"
        raise CommandFailed(f"{says}, or {without}" if without else says, TRY_AGAIN)
    done = subprocess.run(  # noqa: S603 (a program of the system, no shell)
        [program, "genrsa", BITS], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CommandFailed(f"openssl failed: {done.stderr.strip()[-200:]}", TRY_AGAIN)
    return done.stdout


# Reads the files of `config`, which a wheel has beside the modules.


def read_config_file(name: str) -> str:
    """Return the text of a file of `config`, such as `pbm.toml` or `postfix/main.cf`."""
    package = Path(pbm.__file__).parent
    installed = package / "_config"
    folder = installed if installed.is_dir() else package.parent / "config"
    return (folder / name).read_text(encoding="utf-8")
