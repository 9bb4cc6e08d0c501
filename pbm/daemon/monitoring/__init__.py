"""What others see of a running server over HTTP: its health and its metrics."""
