"""Pairings beside another engine, and whole seasons of events."""
