"""Stands for systemctl where no systemd runs: starts the unit that was written, with its socket."""

from __future__ import annotations

import os
import pwd
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.config.test_systemd import read_unit

UNITS = Path("/etc/systemd/system")
PATIENCE = 120.0
_LOG = Path("/var/log/pbm.log")
_PID = Path("/run/pbm.pid")


def main() -> None:
    words = sys.argv[1:]
    if words[:2] == ["enable", "--now"] and words[2] == "pbm":
        start()
    elif words[:2] == ["enable", "--now"]:
        assert (UNITS / words[2]).is_file(), words
    elif words == ["restart", "pbm"]:
        stop()
        start()
    elif words[0] == "status":
        assert "ready " in _LOG.read_text()
    else:
        assert words == ["daemon-reload"], words


def stop() -> None:
    """End the service and wait until it is gone."""
    pid = int(_PID.read_text())
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + PATIENCE
    while _is_running(pid):
        if time.monotonic() > deadline:
            sys.exit(f"the server does not end:\n{_LOG.read_text()}")
        time.sleep(0.1)


def _is_running(pid: int) -> bool:
    """Whether the process is there; one that has ended and that nobody has awaited has no words."""
    try:
        return bool(Path(f"/proc/{pid}/cmdline").read_bytes())
    except FileNotFoundError:
        return False


def start() -> None:
    """Start the service as its unit says, and wait until it is ready."""
    service = read_unit((UNITS / "pbm.service").read_text(encoding="utf-8"))["Service"]
    user = pwd.getpwnam(service["User"])
    environment = {"PATH": os.environ["PATH"], "SSL_CERT_FILE": os.environ["SSL_CERT_FILE"]}
    passed: list[int] = []
    if (UNITS / "pbm.socket").exists():
        listener = socket.create_server(("127.0.0.1", 25))
        os.dup2(listener.fileno(), 3)
        passed = [3]
        environment |= {"LISTEN_FDS": "1", "LISTEN_FDNAMES": "smtp"}
    command = f"LISTEN_PID=$$ exec {service['ExecStart']}"
    with _LOG.open("wb") as log:
        process = subprocess.Popen(
            ["sh", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=service["WorkingDirectory"],
            env=environment,
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=[],
            pass_fds=passed,
            umask=int(service["UMask"], 8),
            start_new_session=True,
        )
    _PID.write_text(str(process.pid))
    deadline = time.monotonic() + PATIENCE
    while "ready " not in _LOG.read_text():
        if time.monotonic() > deadline:
            sys.exit(f"{shlex.quote(command)} is not ready:\n{_LOG.read_text()}")
        time.sleep(0.1)


if __name__ == "__main__":
    main()
