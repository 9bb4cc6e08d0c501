"""Real mail programs as private instances: their own folder, loopback ports, ended by process.

Nothing of the system's mail is touched."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from tests.harness import programs

PATIENCE = 60.0
PASSWORD = "Mailbox-1"
HOST = "mx.test"
CONFIG = Path(__file__).parents[2] / "config"


def require(*names: str) -> None:
    """Skip where a program is missing, naming its package; in CI a skip is a failure."""
    programs.require(*names)
    if "dovecot" in names and not Path("/usr/lib/dovecot/lmtp").exists():
        programs.skip_without("dovecot-lmtpd")
    if {"postfix", "dovecot"} & set(names) and os.geteuid() != 0:
        pytest.skip("postfix and dovecot start as root only")


program = programs.find_program


def free_port() -> int:
    """A port of the loopback interface that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(holds: Callable[[], object], complaint: Callable[[], str]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, complaint()
        time.sleep(0.05)


def answers(port: int) -> bool:
    """Whether somebody listens there."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            return True
    except OSError:
        return False


class Service:
    """A process in the foreground that is ended by its process group."""

    def __init__(self, command: list[str], log: Path, ports: list[int]) -> None:
        self.log = log
        with open(log.with_suffix(".out"), "wb") as out:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
            )
        for port in ports:
            until(partial(self._is_up, port), self.said)
        assert self._process.poll() is None, self.said()

    def _is_up(self, port: int) -> bool:
        """Whether the port answers, or never will."""
        return self._process.poll() is not None or answers(port)

    def said(self) -> str:
        """Its log, for who has to find out."""
        paths = (self.log.with_suffix(".out"), self.log)
        return "\n".join(path.read_text()[-4000:] for path in paths if path.exists())

    def stop(self) -> None:
        """End it and what it started."""
        os.kill(self._master(), signal.SIGTERM)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _master(self) -> int:
        """The process that ends all others when it ends."""
        return self._process.pid


class Dovecot(Service):
    """Mailboxes over IMAP for any address, filled by LMTP; the password is the same for all."""

    def __init__(self, folder: Path) -> None:
        self.imap, self.lmtp = free_port(), free_port()
        mail = folder / "mail"
        mail.mkdir(parents=True)
        shutil.chown(mail, "mail", "mail")
        config = folder / "dovecot.conf"
        log = folder / "dovecot.log"
        config.write_text(
            _DOVECOT.format(
                folder=folder,
                ours=CONFIG / "dovecot" / "pbm.conf",
                imap=self.imap,
                lmtp=self.lmtp,
                log=log,
                password=PASSWORD,
            )
        )
        command = [program("dovecot") or "", "-F", "-c", str(config)]
        super().__init__(command, log, [self.imap, self.lmtp])


_DOVECOT = """
base_dir = {folder}/run
state_dir = {folder}/state
protocols = imap lmtp
log_path = {log}
ssl = no
disable_plaintext_auth = no
auth_username_format = %Lu
!include {ours}
mail_location = maildir:{folder}/mail/%u
first_valid_uid = 1
mail_privileged_group = mail
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid=mail gid=mail home={folder}/mail/%u allow_all_users=yes
}}
service imap-login {{
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
"""


class Postfix(Service):
    """A mail server with what `config/postfix` says, for games.test and a listener at `lmtp`. It
    delivers other domains by LMTP to their ports, `piped.test` through the pipe to `receiver`, and
    refuses `refused.test`. `more` are further lines for main.cf."""

    def __init__(
        self, folder: Path, ports: Mapping[str, int], lmtp: int, receiver: Path, more: str = ""
    ) -> None:
        self.smtp = free_port()
        config = folder / "postfix"
        config.mkdir(parents=True)
        for name, owner in (("queue", "root"), ("data", "postfix")):
            (folder / name).mkdir()
            os.chown(folder / name, pwd.getpwnam(owner).pw_uid, -1)
        log = folder / "postfix.log"
        routes = ", ".join(
            f"{{{domain} = lmtp:inet:127.0.0.1:{port}}}" for domain, port in ports.items()
        )
        routes += ", {piped.test = pbm:}, {refused.test = error:5.1.1 no such user here}"
        domains = " ".join([*ports, "piped.test"])
        ours = (
            changed(
                "postfix/main.cf",
                {
                    "games.example.org": "games.test",
                    "127.0.0.1:2424": f"127.0.0.1:{lmtp}",
                    "mail.example.org": HOST,
                },
            )
            + more
        )
        (config / "main.cf").write_text(
            _MAIN.format(folder=folder, log=log, domains=domains)
            + re.sub(r"(?m)^(transport_maps = .*)$", rf"\1, inline:{{ {routes} }}", ours)
        )
        pipe = changed(
            "postfix/master.cf", {"user=pbm": "user=nobody", "/opt/pbm/bin/pbm": str(receiver)}
        )
        (config / "master.cf").write_text(_MASTER.format(smtp=self.smtp) + pipe)
        self.check(config)
        self._pid = folder / "queue" / "pid" / "master.pid"
        command = [program("postfix") or "", "-c", str(config), "start-fg"]
        super().__init__(command, log, [self.smtp])

    def check(self, config: Path) -> None:
        """Postfix itself finds nothing to say about the configuration."""
        for name, *words in (["postfix", "check"], ["postconf"]):
            command = [program(name) or "", "-c", str(config), *words]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (0, ""), done.stderr

    def _master(self) -> int:
        """The program `postfix` is a script that waits for it."""
        return int(self._pid.read_text())


class Opendkim(Service):
    """What signs and verifies for Postfix, with what `config/opendkim.conf` says for games.test.
    `signer` is a key of selector `k` and domain `example.test`, published in a DNS of its own."""

    def __init__(self, folder: Path) -> None:
        self.milter = free_port()
        records = generate_keys(folder)
        (folder / "dns").write_text("".join(f"{name} {text}\n" for name, text in records.items()))
        (folder / "elsewhere").write_text("192.0.2.1\n")
        ours = changed(
            "opendkim.conf",
            {
                "games.example.org": "games.test",
                "mail.example.org": HOST,
                "8891": str(self.milter),
                "/etc/dkimkeys": str(folder / "games.test"),
            },
        )
        config = folder / "opendkim.conf"
        config.write_text(
            f"{ours}TestDNSData {folder / 'dns'}\nInternalHosts {folder / 'elsewhere'}\n"
            "RequireSafeKeys no\nSyslog no\n"
        )
        command = [program("opendkim") or "", "-f", "-x", str(config)]
        super().__init__(command, folder / "opendkim.log", [self.milter])

    def lines(self) -> str:
        """What `opendkim.conf` says to put into main.cf."""
        text = (CONFIG / "opendkim.conf").read_text(encoding="utf-8")
        found = re.findall(r"^#     (\w+ = .*\n)", text, re.MULTILINE)
        assert len(found) == 2
        return "".join(found).replace("8891", str(self.milter))


def generate_keys(folder: Path) -> dict[str, str]:
    """Make keys of selector `pbm` for the server's domain and for two senders' domains; the TXT
    records of these two."""
    records = {}
    for domain in ("games.test", "example.test", "eve.test"):
        (folder / domain).mkdir(parents=True)
        command = ["opendkim-genkey", "-D", str(folder / domain), "-d", domain, "-s", "pbm"]
        subprocess.run(command, check=True, capture_output=True)
        record = (folder / domain / "pbm.txt").read_text(encoding="utf-8")
        records[f"pbm._domainkey.{domain}"] = "".join(re.findall(r'"([^"]*)"', record))
    del records["pbm._domainkey.games.test"]
    return records


def changed(name: str, changes: Mapping[str, str], part: str = "(?s).*") -> str:
    """A file of `config`, or the part of it that a pattern finds, with other names and ports."""
    text = (CONFIG / name).read_text(encoding="utf-8")
    found = re.search(part, text)
    assert found, (name, part)
    text = found[found.lastindex or 0]
    for old, new in changes.items():
        assert old in text, (name, old)
        text = text.replace(old, new)
    return text


_MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = {log}
maillog_file_prefixes = {folder}
myhostname = mx.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = {domains}
virtual_mailbox_maps = static:all
pbm_destination_recipient_limit = 1
smtpd_client_connection_rate_limit = 0
smtpd_peername_lookup = no
disable_dns_lookups = yes
"""
_MASTER = """
127.0.0.1:{smtp} inet n - n - - smtpd
pickup    unix n - n 60    1 pickup
cleanup   unix n - n -     0 cleanup
qmgr      unix n - n 300   1 qmgr
tlsmgr    unix - - n 1000? 1 tlsmgr
rewrite   unix - - n -     - trivial-rewrite
bounce    unix - - n -     0 bounce
defer     unix - - n -     0 bounce
trace     unix - - n -     0 bounce
verify    unix - - n -     1 verify
flush     unix n - n 1000? 0 flush
proxymap  unix - - n -     - proxymap
smtp      unix - - n -     - smtp
relay     unix - - n -     - smtp
error     unix - - n -     - error
retry     unix - - n -     - error
discard   unix - - n -     - discard
lmtp      unix - - n -     - lmtp
anvil     unix - - n -     1 anvil
scache    unix - - n -     1 scache
postlog   unix-dgram n - n - 1 postlogd
"""
