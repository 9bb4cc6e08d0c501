"""Processes, threads and signals: the app that wires everything, its workers and its scheduler."""
