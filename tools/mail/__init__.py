"""Mails that no writer sends."""
