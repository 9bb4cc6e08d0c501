"""Birthdays: a feature that shows that one is a folder and a line of a list."""
