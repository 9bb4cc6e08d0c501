"""Plans: what a player answers to what the others may do, as a tree."""
