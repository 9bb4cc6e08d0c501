"""Accounts: signup, addresses, passwords, preferences, vacations and closing."""
