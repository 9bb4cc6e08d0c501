"""Litestream copies the database of a server whose disk dies."""
