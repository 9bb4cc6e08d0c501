"""The kernel: boards, players, proofs, the language of commands, and what executes them."""
