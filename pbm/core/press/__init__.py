"""Press: what players of one board write to some of the others."""
