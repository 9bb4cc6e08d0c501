"""The core: a command goes in, notices come out, in the caller's transaction.

No SMTP, no MIME, no click, no logging; time, chance and secrets come in as arguments."""
