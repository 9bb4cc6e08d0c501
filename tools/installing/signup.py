"""A server that is installed somewhere: it serves, answers a signup by mail, and stops."""

from __future__ import annotations

import re

from tools.installing.checklist import Checklist

SETTINGS = "\n[players]\nconfirm_addresses = false\n"
"""What the configuration needs besides: new players are welcomed at once."""
SCRIPT = r"""
import pathlib, re, smtplib, subprocess, time
if not pathlib.Path("/var/lib/pbm/pbm.db").exists():
    subprocess.run(["pbm", "admin", "db", "create"], check=True)
server = subprocess.Popen(["pbm", "serve"], stdout=subprocess.PIPE, text=True)
port = int(re.search(r":(\d+)$", server.stdout.readline()).group(1))
with smtplib.SMTP("127.0.0.1", port) as smtp:
    smtp.sendmail("ann@example.org", "pbm@localhost",
        "From: ann@example.org\nTo: pbm@localhost\nSubject: signup ann cartwheel\n"
        "Message-ID: <1@example.org>\n\n")
for _ in range(600):
    mails = list(pathlib.Path("/var/lib/pbm/mail").rglob("new/*"))
    if mails:
        break
    time.sleep(0.1)
print(mails[0].read_text())
server.terminate()
server.wait(60)
"""


def check_answer(said: str, checklist: Checklist) -> None:
    """Look at what the script has printed."""
    has_stopped = re.search(r"info +stopped$", said, re.MULTILINE) is not None
    is_right = has_stopped and "] welcome, ann" in said
    checklist.check("it serves, answers a signup, and stops", is_right, "" if is_right else said)
