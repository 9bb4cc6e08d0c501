"""The help pages as texts; `pbm.core.finding.help_pages` shows them."""
