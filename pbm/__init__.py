"""A play-by-email game server: mails come in, boards go out."""

__version__ = "0.1.0"
