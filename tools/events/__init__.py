"""Whole seasons of events through the server, which is killed in between."""
