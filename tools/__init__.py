"""Programs for operators and developers that are no part of the package."""
