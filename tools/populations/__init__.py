"""Simulated people: a year and a month of play, seasons of events, random plans."""
