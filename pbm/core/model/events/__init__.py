"""Events as they are stored: their records, and what their boards report."""
