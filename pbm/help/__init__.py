"""The help pages as texts; `pbm.features.finding.help` shows them."""
