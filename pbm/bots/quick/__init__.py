"""Playouts of single games that put stones on a list, many times as fast as playing positions."""
