"""Game records that other programs read: PGN, PDN, SGF, MAT."""
