"""The pages of events: for everybody, and those of one player with forms."""
