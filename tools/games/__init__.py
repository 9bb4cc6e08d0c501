"""Programs about single games, and what makes their files."""
