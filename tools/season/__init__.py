"""Whole seasons of a club of forty, played by mail."""
