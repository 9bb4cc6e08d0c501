"""Reads the bytes of a mail: headers, body, the text that its writer typed, and whether a program
wrote it."""
