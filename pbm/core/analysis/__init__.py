"""Analyses of boards that are over."""
