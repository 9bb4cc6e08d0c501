"""Real mail programs as private instances: their own folder, loopback ports, ended by process.

Nothing of the system's mail is touched."""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
import pytest

from tests.harness import packages
from tests.harness.databases import free_port

PATIENCE = 60.0
PASSWORD = "Mailbox-1"
HOST = "mx.test"
CONFIG = Path(__file__).parents[2] / "config"


def require(*names: str) -> None:
    """Skip where a program is missing, naming its package; in CI a skip is a failure."""
    packages.require(*names)
    if "dovecot" in names and not Path("/usr/lib/dovecot/lmtp").exists():
        packages.skip_without("dovecot-lmtpd")
    if {"postfix", "dovecot"} & set(names) and os.geteuid() != 0:
        pytest.skip("postfix and dovecot start as root only")


program = packages.find_program


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
    """Mailboxes over IMAP for any address, filled by LMTP, all with the same password."""

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
                    r"mail\.example\.org": re.escape(HOST),
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
    """Make keys of selector `pbm` for the server's domain and for two senders' domains. Return the
    TXT records of these two."""
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


# A name server of the tests on loopback, over UDP and TCP.

_LARGEST = 512
"""Octets of a reply over UDP; longer ones are asked for again over TCP."""


class NameServer:
    """Answers from records like `games.test. MX 10 mail.games.test.`, and knows nothing else.
    What is asked about a name in `silent` gets no answer."""

    def __init__(
        self,
        records: Iterable[str],
        address: str = "127.0.0.1",
        port: int = 0,
        silent: Iterable[str] = (),
    ) -> None:
        self._records: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for record in records:
            name, kind, value = record.split(None, 2)
            self._records[name.lower()].append((kind, value))
        self._silent = {f"{name}." for name in silent}
        self.asked: list[str] = []
        self._stream = socket.create_server((address, port))
        self.host, self.port = self._stream.getsockname()
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.bind((self.host, self.port))
        self._threads = [
            threading.Thread(target=run, daemon=True)
            for run in (self._serve_datagrams, self._serve_streams)
        ]
        for thread in self._threads:
            thread.start()

    def _serve_datagrams(self) -> None:
        while True:
            wire, peer = self._datagrams.recvfrom(4096)
            if not wire:
                return
            reply = self._answer(dns.message.from_wire(wire))
            if reply is None:
                continue
            octets = reply.to_wire()
            if len(octets) > _LARGEST:
                reply.answer.clear()
                reply.flags |= dns.flags.TC
                octets = reply.to_wire()
            self._datagrams.sendto(octets, peer)

    def _serve_streams(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._stream.accept()
                with connection, connection.makefile("rwb") as file:
                    size = file.read(2)
                    if not size:
                        return
                    query = dns.message.from_wire(file.read(int.from_bytes(size, "big")))
                    reply = self._answer(query)
                    if reply is not None:
                        octets = reply.to_wire()
                        file.write(len(octets).to_bytes(2, "big") + octets)

    def _answer(self, query: dns.message.Message) -> dns.message.Message | None:
        [question] = query.question
        name = question.name.to_text().lower()
        kind = dns.rdatatype.to_text(question.rdtype)
        self.asked.append(f"{name} {kind}")
        if name in self._silent:
            return None
        reply = dns.message.make_response(query)
        reply.flags |= dns.flags.RA
        if name not in self._records:
            reply.set_rcode(dns.rcode.NXDOMAIN)
        values = [value for each, value in self._records.get(name, ()) if each == kind]
        if values:
            reply.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *values))
        return reply

    def stop(self) -> None:
        """End it: an empty datagram and an empty connection wake the threads."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"", (self.host, self.port))
        socket.create_connection((self.host, self.port)).close()
        for thread in self._threads:
            thread.join()
        self._datagrams.close()
        self._stream.close()


def format_txt(name: str, text: str) -> str:
    """A TXT record of any length."""
    pieces = [text[at : at + 200] for at in range(0, len(text), 200)]
    return f"{name}. TXT " + " ".join(f'"{piece}"' for piece in pieces)


# Mail servers of Debian that cannot be installed beside Postfix: unpacked from their packages into
# the folder PBM_UNPACKED and run in a mount namespace, so that nothing of the system changes.

UNPACKED = Path(os.environ.get("PBM_UNPACKED", "/nowhere"))


def require_unpacked(package: str, *files: str) -> None:
    """Skip where files of a package are missing; in CI a skip is a failure."""
    if not all((UNPACKED / file).exists() for file in files):
        pytest.skip(f"needs {package}, unpacked below PBM_UNPACKED as .ci/run does")
    can_mount = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    if can_mount.returncode:
        pytest.skip("needs the right to mount")


class Dns(NameServer):
    """A name server on a loopback address of its own, port 53 (resolv.conf knows no other port),
    that knows these TXT records and nothing else."""

    def __init__(self, records: Mapping[str, str]) -> None:
        self.address = f"127.0.53.{os.getpid() % 250 + 1}"
        super().__init__(
            [format_txt(name, text) for name, text in records.items()], self.address, 53
        )


class Isolated(Service):
    """A program in a mount namespace where `users` exist and `mounts`, lines of shell, are done."""

    def __init__(
        self,
        folder: Path,
        command: list[str],
        ports: list[int],
        *,
        users: Mapping[str, int],
        mounts: str,
    ) -> None:
        for name, line in (("passwd", "{0}:x:{1}:{1}::/:/bin/false\n"), ("group", "{0}:x:{1}:\n")):
            own = "".join(line.format(user, number) for user, number in users.items())
            (folder / name).write_text((Path("/etc") / name).read_text() + own)
        script = folder / "isolated"
        script.write_text(
            f"set -e\nmount --bind {folder}/passwd /etc/passwd\n"
            f'mount --bind {folder}/group /etc/group\n{mounts}\nexec "$@"\n'
        )
        super().__init__(["unshare", "--mount", "sh", str(script), *command], folder / "log", ports)


class Exim(Isolated):
    """Exim with what `config/exim/pbm.conf` says, for games.test and a listener at `lmtp`."""

    def __init__(self, folder: Path, lmtp: int, resolver: str) -> None:
        require_unpacked("exim4-daemon-light", "usr/sbin/exim4")
        self.smtp = free_port()
        binary = UNPACKED / "usr/sbin/exim4"
        ours = changed("exim/pbm.conf", {"games.example.org": "games.test", "2424": str(lmtp)})
        comment = (CONFIG / "exim" / "pbm.conf").read_text(encoding="utf-8")
        warn = re.search(r"^#     warn remove_header.*\n#          add_header.*\n", comment, re.M)
        assert warn is not None
        config = folder / "exim.conf"
        config.write_text(
            _EXIM.format(
                folder=folder,
                binary=binary,
                host=HOST,
                port=self.smtp,
                data=re.sub("(?m)^#    ", "", warn[0]),
            )
            + ours
        )
        (folder / "spool").mkdir()
        (folder / "resolv.conf").write_text(f"nameserver {resolver}\n")
        shutil.chown(folder / "spool", 64001, 64001)
        super().__init__(
            folder,
            [str(binary), "-C", str(config), "-bdf"],
            [self.smtp],
            users={"Debian-exim": 64001},
            mounts=f"mount --bind {folder}/resolv.conf /etc/resolv.conf",
        )


_EXIM = """
primary_hostname = {host}
exim_path = {binary}
spool_directory = {folder}/spool
log_file_path = {folder}/spool/%slog
pid_file_path = {folder}/spool/exim.pid
keep_environment =
daemon_smtp_ports = {port}
local_interfaces = 127.0.0.1
tls_advertise_hosts =
host_lookup =
acl_smtp_rcpt = rcpt
acl_smtp_data = data

begin acl

rcpt:
  accept domains = games.test

data:
{data}  accept

"""


class Rspamd(Service):
    """Rspamd as Debian has it, with our lines for it and a resolver of the test's, without the
    modules that ask servers elsewhere."""

    def __init__(self, folder: Path, resolver: str) -> None:
        require_unpacked("rspamd", "usr/bin/rspamd", "etc/rspamd/rspamd.conf")
        self.port = free_port()
        config = folder / "rspamd"
        shutil.copytree(UNPACKED / "etc/rspamd", config)
        local, override = config / "local.d", config / "override.d"
        for path in (local, override, folder / "state"):
            path.mkdir(exist_ok=True)
        shutil.copy(CONFIG / "opensmtpd" / "milter_headers.conf", local)
        (folder / "suffixes").write_text("test\n")
        (local / "options.inc").write_text(
            f'dns {{ nameserver = ["{resolver}:53"]; }}\nurl_tld = "{folder}/suffixes";\n'
        )
        for module in ("dkim", "spf", "dmarc"):
            (local / f"{module}.conf").write_text("check_local = true;\n")
        for module in ("fuzzy_check", "rbl", "surbl", "greylist", "phishing", "asn", "ratelimit"):
            (override / f"{module}.conf").write_text("enabled = false;\n")
        for worker in ("controller", "proxy", "fuzzy"):
            (override / f"worker-{worker}.inc").write_text("enabled = false;\n")
        (override / "worker-normal.inc").write_text(f'bind_socket = "127.0.0.1:{self.port}";\n')
        share = UNPACKED / "usr/share/rspamd"
        places = {
            "CONFDIR": config,
            "LOCAL_CONFDIR": config,
            "DBDIR": folder / "state",
            "LOGDIR": folder / "state",
            "RUNDIR": folder / "state",
            "SHAREDIR": share,
            "RULESDIR": share / "rules",
            "LUALIBDIR": share / "lualib",
            "PLUGINSDIR": share / "plugins",
            "WWWDIR": share / "www",
        }
        command = ["env", f"LD_LIBRARY_PATH={UNPACKED}/usr/lib/rspamd"]
        command += [str(UNPACKED / "usr/bin/rspamd"), "-i", "-f", "-c", f"{config}/rspamd.conf"]
        command += [f"--var={name}={place}" for name, place in places.items()]
        super().__init__(command, folder / "state" / "rspamd.log", [self.port])


class Opensmtpd(Isolated):
    """OpenSMTPD with what `config/opensmtpd/smtpd.conf` says, for games.test, a listener at `lmtp`
    and Rspamd at a port."""

    def __init__(self, folder: Path, lmtp: int, rspamd: int) -> None:
        require_unpacked("opensmtpd", "usr/sbin/smtpd", "usr/libexec/opensmtpd/mail.lmtp")
        require_unpacked("opensmtpd-filter-rspamd", "usr/libexec/opensmtpd/filter-rspamd")
        self.smtp = free_port()
        changes = {
            "games.example.org": "games.test",
            "mail.example.org": HOST,
            "127.0.0.1:2424": f"127.0.0.1:{lmtp}",
            "0.0.0.0 port 25": f"127.0.0.1 port {self.smtp}",
            '"filter-rspamd"': f'"filter-rspamd -url http://127.0.0.1:{rspamd}"',
        }
        config = folder / "smtpd.conf"
        config.write_text(changed("opensmtpd/smtpd.conf", changes))
        super().__init__(
            folder,
            [str(UNPACKED / "usr/sbin/smtpd"), "-dv", "-f", str(config)],
            [self.smtp],
            users={"opensmtpd": 64002, "opensmtpq": 64003, "pbm": 64004},
            mounts=_OPENSMTPD.format(unpacked=UNPACKED),
        )


_OPENSMTPD = """
for place in /usr/libexec /var/spool /var/lib /run; do mount -t tmpfs none $place; done
cp -r {unpacked}/usr/libexec/opensmtpd /usr/libexec/
mkdir -m 711 /var/spool/smtpd
mkdir -p /var/lib/opensmtpd/empty
"""
