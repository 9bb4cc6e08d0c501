"""Events: who meets whom, who stands where, and why. Pure: time and secrets are arguments."""
