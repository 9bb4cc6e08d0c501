"""Vacations."""
