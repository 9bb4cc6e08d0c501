"""The lines for the mail server in front of pbm, from the files of `config`."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache

from pbm.cli.config_files import read_config_file
from pbm.cli.setup.answers import Answers

POSTFIX, EXIM, OPENSMTPD = "postfix", "exim", "opensmtpd"
FILES: Mapping[str, str] = {
    POSTFIX: "postfix/main.cf",
    EXIM: "exim/pbm.conf",
    OPENSMTPD: "opensmtpd/smtpd.conf",
}
_PROGRAMS = {POSTFIX: "postconf", EXIM: "exim4", OPENSMTPD: "smtpctl"}
_PATH = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"
_DOMAIN_ONLY = ("relay_domains", "relay_recipient_maps")
"""What Postfix needs only for a domain that it does not serve yet."""
_WORDS = re.compile(r"[,\s]+")


def find_mail_server() -> str:
    """Return the mail server that is installed here; "" for none that is known."""
    found = (name for name, program in _PROGRAMS.items() if shutil.which(program, path=_PATH))
    return next(found, "")


@cache
def ask_postfix(*words: str) -> str:
    """Return what postconf prints; "" when there is none or it fails."""
    program = shutil.which("postconf", path=_PATH)
    if program is None:
        return ""
    done = subprocess.run(  # noqa: S603 (a program of the system, no shell)
        [program, *words], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def find_host(mail_server: str) -> str:
    """Return the name of the mail server, as far as Postfix says; "" where nobody does."""
    return ask_postfix("-x", "-h", "myhostname") if mail_server == POSTFIX else ""


def is_local_domain(answers: Answers) -> bool:
    """Whether Postfix already delivers mail for the domain on this machine."""
    domains = _WORDS.split(ask_postfix("-x", "-h", "mydestination").lower())
    return answers.mail_server == POSTFIX and answers.domain.lower() in domains


def write_lines(answers: Answers) -> str:
    """Return the file of `config` for the mail server, with the names that were answered."""
    text = read_config_file(FILES[answers.mail_server])
    text = text.replace("pbm@games.example.org", answers.address)
    text = text.replace("games.example.org", answers.domain)
    text = text.replace("mail.example.org", answers.host)
    text = text.replace("local_parts = pbm\n", f"local_parts = {answers.local}\n")
    return _join_lines(text, answers) if answers.mail_server == POSTFIX else text


def _join_lines(text: str, answers: Answers) -> str:
    """Return the lines for main.cf, each joined with the value that it already has there."""
    there = dict(
        line.partition(" = ")[::2] for line in ask_postfix("-n").splitlines() if " = " in line
    )
    is_local = is_local_domain(answers)
    other_domains = set(_WORDS.split(there.get("relay_domains", ""))) - {"", answers.domain}
    lines = [
        f"# Postfix: settings for {answers.address}, joined with those of main.cf. To set them:",
        "#     grep '^[a-z]' FILE | xargs -d '\\n' postconf -e",
    ]
    for name, value in re.findall(r"^(\w+) = (.*)$", text, re.MULTILINE):
        before = there.get(name, "").strip()
        if is_local and name in _DOMAIN_ONLY:
            continue
        if name == "relay_recipient_maps" and other_domains and not before:
            lines += [
                "# Not set: it would have to list the addresses of the other relay domains too.",
                f"# {name} = {value}",
            ]
            continue
        lines.append(f"{name} = {_join_value(name, value, before)}")
    return "\n".join(lines) + "\n"


def _join_value(name: str, value: str, before: str) -> str:
    """Return the value with what was there before, which comes after it."""
    if not before or before == value:
        return value
    if name == "recipient_delimiter":
        return before if value in before else before + value
    if value in before:
        return before
    return f"{value}, {before}"
