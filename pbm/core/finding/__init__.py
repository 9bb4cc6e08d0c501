"""Looking at boards, games and players."""
