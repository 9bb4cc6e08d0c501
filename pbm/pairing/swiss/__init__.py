"""The FIDE (Dutch) System, C.04.3 as in force from July 2017 to January 2026."""
