"""Facts and their transitions: players, boards, clocks, ratings, secrets, notices, refusals."""
