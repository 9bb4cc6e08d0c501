"""The command language: verbs, words and the parser."""
