"""Records of boards: exported, imported, audited."""
