"""Events: tournaments, leagues, ladders and tours."""
