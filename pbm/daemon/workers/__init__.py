"""Where mails are executed: worker processes, what they note, and who ends and restarts them."""
