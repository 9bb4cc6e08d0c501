"""The kit for authors of games: `pbm new-game`, `pbm try`, `pbm check-game`."""
