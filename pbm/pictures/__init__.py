"""Pictures of boards as files: PNG from SVG."""
