"""Puzzles: positions in which players look for the only move that wins."""
