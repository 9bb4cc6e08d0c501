"""What a notice can say: one frozen struct for each mail that the server writes."""
