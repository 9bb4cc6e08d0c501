"""Mail that comes in, by SMTP, LMTP, a pipe or IMAP, to the commands in it and their outcome."""
