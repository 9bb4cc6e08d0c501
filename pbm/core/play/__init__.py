"""Playing: moves, draws, proposals, replies, and taking back."""
