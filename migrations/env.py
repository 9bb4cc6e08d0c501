"""Alembic's entry point: runs the migrations on the connection from `pbm.store.migrate`."""

from alembic import context

import pbm.features  # noqa: F401 (some have tables of their own)
from pbm.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=True,
    compare_type=True,
    transaction_per_migration=False,
)
context.run_migrations()
