"""Plans and private notes."""
