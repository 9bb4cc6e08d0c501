"""The help pages as texts; `pbm.server.pages` shows them."""
