"""Outgoing mail: notices rendered as mails, the outbox, and the couriers that deliver them."""
