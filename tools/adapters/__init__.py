"""Games of other programs, held against the conformance suite."""
