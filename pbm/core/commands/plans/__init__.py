"""Plans, which are run when what they name has happened, and notes."""
