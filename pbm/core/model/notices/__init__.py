"""What a notice can say: one frozen dataclass for each mail that the server writes."""
