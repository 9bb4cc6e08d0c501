"""Engines of others, run by the process in which bots think."""
