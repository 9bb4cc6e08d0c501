"""For translators: what the server says to its players, and how much of it each language says."""
