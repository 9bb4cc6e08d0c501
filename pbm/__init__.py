"""A play-by-email game server: mails come in, boards go out."""
