"""`python -m tests.config.typed_ways A`, in namespaces of its own: a host on which a way of
config/README.md is typed as it stands, and a player who then signs up by mail. From A, the club
then moves to another domain as docs/operators/moving.md says.

Only what would come from the network is put there beforehand: packages of Debian, the files of a
release, the environment of Python, the certificate. `systemctl` starts the unit that was written,
since no systemd runs."""

from __future__ import annotations

import fcntl
import mailbox
import os
import re
import shlex
import shutil
import smtplib
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path

from tests.config.typed_provider import Provider
from tests.docs.markdown import typed_lines

ROOT = Path(__file__).parents[2]
README = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
MOVING = ROOT / "docs" / "operators" / "moving.md"
PATIENCE = 120.0
_HOSTS = "smtp.provider.example imap.provider.example mail.example.org"
_HEADINGS = {
    "A": "### A. Behind Postfix",
    "B": "### B. The server is the MX itself",
    "C": "### C. An ordinary mail account",
}
_ADDRESS = {"A": "pbm@games.example.org", "B": "pbm@games.example.org", "C": "pbm@provider.example"}
_PLAYER = "ann@mail.example.org"
_FAKES = {
    "/usr/local/bin/apt": "exit 0",
    "/usr/local/bin/curl": "exit 0",
    "/usr/local/bin/gpg": "exit 0",
    "/usr/local/bin/sha256sum": "exit 0",
    "/usr/local/bin/tar": "exit 0",
    "/usr/local/bin/python3": "exit 0",
    "/opt/pbm/bin/pip": "exit 0",
}
_MAIN = """compatibility_level = 3.6
myhostname = mail.example.org
mydestination = $myhostname, localhost
recipient_delimiter = +
mynetworks = 127.0.0.0/8
inet_protocols = ipv4
maillog_file = /var/log/postfix.log
smtpd_peername_lookup = no
disable_dns_lookups = yes
"""


def typed(way: str) -> list[str]:
    """The lines to type for a way, in order: the program, the mail, the start."""
    headings = ("## 1. The program", _HEADINGS[way], "## 3. Start")
    return [line for heading in headings for line in _list_lines(heading)]


def _list_lines(heading: str) -> Iterator[str]:
    """The indented lines of a section."""
    section = README.partition(f"\n{heading}")[2]
    assert section, heading
    section = re.split(r"^##", section, maxsplit=1, flags=re.MULTILINE)[0]
    yield from re.findall(r"^    (\S.*)$", section, re.MULTILINE)


def make_host() -> None:
    """Empty folders over those that are changed, programs, and a loopback interface."""
    python = Path("/opt/python")
    Path("/opt").mkdir(exist_ok=True)
    _mount_empty("/opt")
    python.mkdir()
    _run("mount", "--rbind", sys.base_prefix, str(python))
    paths = []
    ours = [path for path in sys.path if not Path(path).is_relative_to(f"{sys.base_prefix}/lib")]
    for number, folder in enumerate(filter(os.path.isdir, (str(ROOT), *ours))):
        Path(f"/opt/path/{number}").mkdir(parents=True)
        _run("mount", "--bind", folder, f"/opt/path/{number}")
        paths.append(f"/opt/path/{number}")
    _keep_copy("/etc")
    for folder in (
        "/var/lib/pbm",
        "/usr/local/bin",
        "/usr/local/src",
        "/var/mail",
        "/var/log",
        "/run",
    ):
        Path(folder).mkdir(parents=True, exist_ok=True)
        _mount_empty(folder)
    Path("/opt/pbm/bin").mkdir(parents=True)
    shutil.copytree(ROOT / "config", "/usr/local/src/pbm/config")
    program = python / Path(sys.executable).resolve().relative_to(sys.base_prefix)
    given = f"LD_LIBRARY_PATH={python}/lib PYTHONPATH={shlex.quote(':'.join(paths))}"
    run = f'export {given}\nexec {program} -m pbm "$@"'
    systemctl = f'exec {sys.executable} -m tests.config.typed_systemctl "$@"'
    programs = {"/opt/pbm/bin/pbm": run, "/usr/local/bin/systemctl": systemctl}
    for path, text in (_FAKES | programs).items():
        Path(path).write_text(f"#!/bin/sh\n{text}\n")
        Path(path).chmod(0o755)
    with open("/etc/hosts", "a") as hosts:
        hosts.write(f"\n127.0.0.1 localhost games.example.org {_HOSTS}\n")
    _raise_loopback()


def _run(*words: str) -> None:
    subprocess.run(words, check=True)


def _mount_empty(folder: str) -> None:
    _run("mount", "-t", "tmpfs", "-o", "mode=755", "none", folder)


def _keep_copy(folder: str) -> None:
    """Mount a copy of the folder over it."""
    copy = f"/opt/copy{folder}"
    shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns("alternatives"))
    _run("mount", "--bind", copy, folder)


def _raise_loopback() -> None:
    """`ip link set lo up`, without a program for it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sh14x", b"lo", 0x1 | 0x40)
        fcntl.ioctl(control.fileno(), 0x8914, request)


def start_postfix() -> None:
    """A Postfix as Debian sets it up, with a mailbox for ann."""
    _run("useradd", "ann")
    for folder in ("/var/spool/postfix", "/var/lib/postfix"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        _mount_empty(folder)
    shutil.chown("/var/lib/postfix", "postfix", "postfix")
    Path("/var/mail").chmod(0o1777)
    Path("/etc/postfix/main.cf").write_text(_MAIN)
    Path("/etc/aliases").write_text("postmaster: root\n")
    master = re.sub(
        r"(?m)^(\w+ +\w+ +\S+ +\S+ +)y", r"\1n", Path("/etc/postfix/master.cf").read_text()
    )
    Path("/etc/postfix/master.cf").write_text(master)
    _run("newaliases")
    _run("postfix", "start")


def type_lines(lines: list[str]) -> None:
    """Type them at one shell; the first that fails ends it."""
    script = "set -e\n" + "".join(f"echo {shlex.quote(f'$ {line}')}\n{line}\n" for line in lines)
    path = f"/usr/local/sbin:/usr/local/bin:{os.environ['PATH']}:/usr/sbin:/sbin"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=ROOT,
        env=os.environ | {"PATH": path},
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        for log in Path("/var/log").rglob("*.log"):
            print(f"== {log}\n{log.read_text()[-6000:]}")
        sys.exit(f"the shell ended with {done.returncode}")


def mail(subject: str, to: str, provider: Provider) -> None:
    """Ann mails a command."""
    note = EmailMessage()
    note["From"], note["To"], note["Subject"] = _PLAYER, to, subject
    note["Message-ID"] = make_msgid(domain="mail.example.org")
    if to.endswith("@provider.example"):
        provider.deliver(_PLAYER, [to], note.as_bytes())
    else:
        with smtplib.SMTP("127.0.0.1", 25) as client:
            client.send_message(note)


def await_answer(way: str, number: int, provider: Provider) -> str:
    """Wait until so many mails have come to ann; the subject of the last."""
    deadline = time.monotonic() + PATIENCE
    while len(subjects := read_answers(way, provider)) < number:
        if time.monotonic() > deadline:
            type_lines(["false"])
        time.sleep(0.2)
    return subjects[-1]


def read_answers(way: str, provider: Provider) -> list[str]:
    """The subjects of what has come to ann."""
    if way == "A":
        box = Path("/var/mail/ann")
        return [str(each["Subject"]) for each in mailbox.mbox(box)] if box.exists() else []
    return [str(each["Subject"]) for each in provider.list_mails(_PLAYER)]


def move_away(provider: Provider) -> None:
    """Type docs/operators/moving.md; whoever mails the old address is still answered."""
    lines = typed_lines(MOVING.read_text(encoding="utf-8"))
    (moved,) = [line for line in lines if line.startswith("/^")]
    Path("/etc/postfix/moved").write_text(f"{moved}\n")
    type_lines([line for line in lines if line != moved and " announce " not in line])
    mail("help tutorial", _ADDRESS["A"], provider)
    await_answer("A", 2, provider)


def main() -> None:
    way = sys.argv[1]
    make_host()
    provider = Provider(Path("/opt/provider"))
    os.environ["SSL_CERT_FILE"] = str(provider.authority)
    if way == "A":
        start_postfix()
    else:
        provider.start(serves_games=way == "B")
    type_lines(typed(way))
    mail("signup ann apple-tree", _ADDRESS[way], provider)
    assert await_answer(way, 1, provider) == "[pbm] confirm this address"
    if way == "A":
        move_away(provider)
    print(f"way {way}: a player is answered")


if __name__ == "__main__":
    main()
