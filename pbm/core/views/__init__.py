"""What one viewer may see: boards, records, help pages, refusals without passwords."""
