"""The documentation is true: what it tells people to type exists, what it links to is there."""
