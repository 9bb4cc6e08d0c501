"""What reading one mail may cost at most; it bounds and measures, and never reads."""

MAX_SECTION = 65536  # octets of a header section
MAX_FIELD = 8192  # octets of one header that is used
MAX_FIELDS = 1000  # headers in a section
MAX_WORDS = 100  # encoded words in one header
MAX_DEPTH = 10  # MIME parts inside one another
MAX_PARTS = 50  # MIME parts looked at
MAX_DELIMITERS = 2000  # lines of one body that look like a boundary
MAX_TEXT = 262144  # octets of body text that are decoded
MAX_CHARS = 100000  # characters of body text that are considered
MAX_LINES = 4000  # lines of body text that are considered
MAX_LINE = 998  # octets of a line without its end (RFC 5322 2.1.1)
MAX_IDS = 30  # message ids followed in In-Reply-To and References


class TooCostly(Exception):
    """A mail exceeds a budget, which the text names; it is refused or set aside, never answered."""
