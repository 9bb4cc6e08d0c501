"""What has to hold before a version is released, as a program: `python -m tools.release`."""
