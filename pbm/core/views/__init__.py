"""Facts made ready for a viewer: boards, records, help pages, refusals, redaction."""
