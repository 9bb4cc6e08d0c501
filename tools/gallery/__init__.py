"""One sheet with the pictures of all games."""
