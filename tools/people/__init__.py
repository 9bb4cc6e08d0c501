"""What people write in replies, and what the server makes of it."""
