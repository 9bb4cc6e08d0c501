"""Commands that act for the operator: each asks, takes a reason and is recorded."""
