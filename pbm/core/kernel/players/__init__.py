"""Players: accounts, bans, strangers and bots."""
