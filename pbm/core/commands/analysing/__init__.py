"""The analysis of boards that are over."""
