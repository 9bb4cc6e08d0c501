"""The fault rig: players as real mail servers bring them, a relay that misbehaves by script, and a
daemon that is killed again and again; then everything is counted.

`python -m tools.faults --kills 500` runs it for long and prints the figures."""
