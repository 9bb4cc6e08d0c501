"""Processes, threads and signals: the app that wires everything, its workers and its scheduler."""

import pbm.features  # noqa: F401 (installs them)
