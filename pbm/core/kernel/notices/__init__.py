"""Notices: typed facts that mails are composed from."""
