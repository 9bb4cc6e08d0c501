"""The commands, a function each, grouped by subject."""
