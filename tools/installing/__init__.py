"""Packages built, installed, upgraded and removed as those who use them do."""
