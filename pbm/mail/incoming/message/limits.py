"""Limits on what reading a mail may cost."""

MAX_SECTION = 65536  # octets of a header section
MAX_FIELD = 8192  # octets of one header that is used
MAX_FIELDS = 1000  # headers in a section
MAX_WORDS = 100  # encoded words in one header
MAX_DEPTH = 10  # nested MIME parts
MAX_PARTS = 50  # MIME parts examined
MAX_DELIMITERS = 2000  # boundary lines of all multiparts
MAX_TEXT = 262144  # octets of body text that are decoded
MAX_CHARS = 100000  # characters of body text that are examined
MAX_LINES = 4000  # lines of body text that are examined
MAX_LINE = 998  # octets of a line without its end (RFC 5322 2.1.1)
MAX_IDS = 30  # message ids followed in In-Reply-To and References


class TooCostly(Exception):
    """A mail exceeds the limit that the text names: it is refused or set aside, never answered."""
