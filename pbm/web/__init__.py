"""The web pages: the board of a seat behind a secret link, and the club's pages for everybody."""

import pbm.features  # noqa: F401 (installs them)
