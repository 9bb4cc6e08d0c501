"""What a person types at a terminal, and how answers look there."""
