"""The mail edge: bytes become letters and reports, notices become bytes."""
