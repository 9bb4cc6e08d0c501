"""Bytes to a letter: headers, body, what its writer typed, whether a program wrote it."""
