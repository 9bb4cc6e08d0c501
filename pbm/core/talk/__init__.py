"""Chat, messages, watching and help by mail."""
