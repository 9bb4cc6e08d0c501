"""Rebuilds positions from their words alone, and has a speech program read them."""
