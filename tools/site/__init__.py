"""The documentation as a site: `python -m tools.site OUTPUT`."""
