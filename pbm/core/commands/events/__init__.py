"""The commands of events: make one, enter, look, and what happens by itself."""
