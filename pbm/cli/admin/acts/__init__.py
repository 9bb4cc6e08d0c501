"""What an operator does: each command asks, takes a reason and is recorded."""
