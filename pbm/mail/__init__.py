"""The mail edge: bytes become letters and reports, notices become bytes."""

import pbm.features  # noqa: F401 (installs them)
