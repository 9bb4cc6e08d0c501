"""The insides of aiosmtpd that `pbm/mail/smtp.py` replaces or uses are as it knows them: a
new version that changes them has to be read first."""

from __future__ import annotations

import hashlib
import inspect

import pytest
from aiosmtpd.smtp import SMTP

_KNOWN = {
    "_handle_client": "0e4d096403af6c74",
    "connection_made": "77a45df5065bba34",
    "connection_lost": "d3bf6349bc3c25c1",
    "_reset_timeout": "fef19b94d28dff31",
    "_create_envelope": "54afceea638744d4",
    "_getaddr": "0aeb21c56ac1260e",
    "push": "15f4f1de5e30c337",
    "smtp_DATA": "3a33f30d3fd6d02f",
}
"""The source of each method, as a digest."""


@pytest.mark.parametrize("name", _KNOWN)
def test_the_session_of_the_library_is_the_one_that_is_known(name: str) -> None:
    source = inspect.getsource(getattr(SMTP, name))
    assert hashlib.sha256(source.encode()).hexdigest()[:16] == _KNOWN[name]
