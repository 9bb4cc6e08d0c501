"""The help pages as texts; `pbm.core.views.help_pages` shows them."""
