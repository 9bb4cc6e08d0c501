"""The web pages: the board of a seat behind a secret link, and the club's pages for everybody."""
