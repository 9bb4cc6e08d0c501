"""Random plans in every game, played against opponents who do what they name or anything else."""
