"""Mail servers of Debian that cannot be installed beside Postfix: unpacked from their packages into
the folder PBM_UNPACKED and run in a mount namespace, so that nothing of the system changes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.harness.mail_programs import CONFIG, HOST, Service, changed, free_port
from tests.harness.name_server import NameServer, format_txt

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
