"""Accounts: signing up, addresses, passwords, preferences, closing and erasing."""
