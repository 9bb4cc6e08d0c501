"""Moderators: players to whom the operator has given some acts."""
